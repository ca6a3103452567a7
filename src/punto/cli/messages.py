"""`punto messages`: what the rules say, for translators."""

from punto.cli.output import print_json


def messages() -> None:
    """Every message id with its English template, as JSON: what a translation has to say."""
    from punto.messages.catalogue import english

    print_json(dict(english()))
