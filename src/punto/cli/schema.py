"""`punto schema`: the rulebook format for editors, and what commands print as JSON."""

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import print_json

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def _kept() -> "Traversable":
    """The folder of the schemas, one file a command."""
    from importlib.resources import files

    return files("punto.cli") / "schemas"


def _commands() -> list[str]:
    """The commands whose JSON has a schema, by all of their words."""
    return sorted(each.name.removesuffix(".json").replace("_", " ") for each in _kept().iterdir())


def schema(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND", help="A command with --json, such as odds or history show.", show_default=False
        ),
    ] = None,
    names: Annotated[bool, typer.Option("--list", help="List the commands that have a schema.")] = False,
) -> None:
    """The rulebook format as a JSON Schema, for editors; or what a command prints with --json."""
    import msgspec

    from punto.rulebook.json_schema import book_schema

    if names:
        typer.echo("\n".join(_commands()))
        return
    if not command:
        print_json(book_schema())
        return
    words = " ".join(command)
    if words not in _commands():
        raise typer.BadParameter(f"{words!r} has no schema; punto schema --list names the commands that have one.")
    print_json(msgspec.json.decode((_kept() / f"{words.replace(' ', '_')}.json").read_bytes()))
