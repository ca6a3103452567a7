"""`punto schema`: the rulebook format for editors."""

from punto.cli.output import print_json


def schema() -> None:
    """The rulebook format as a JSON Schema: what editors complete and check a file by."""
    from punto.rulebook.json_schema import book_schema

    print_json(book_schema())
