"""`punto shoe verify`: whether a virtual shoe was the one that the house had committed to."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.journal import Database
from punto.cli.output import Json, counted, print_json

app = typer.Typer(no_args_is_help=True, help="Virtual shoes: hold one against its commitment.")


@app.callback()
def shoe() -> None:
    """Virtual shoes."""


@app.command()
def verify(
    dealt: Annotated[
        list[str] | None,
        typer.Argument(metavar="CARD", help="The cards that left the shoe, in order; ? for one that nobody saw."),
    ] = None,
    table: Annotated[str | None, typer.Option("--table", metavar="T", help="A table of a journal.")] = None,
    number: Annotated[int | None, typer.Option("--shoe", metavar="N", help="Which shoe of that table.")] = None,
    database: Database = "sqlite:///punto.db",
    commitment: Annotated[
        str | None, typer.Option("--commitment", metavar="C", help="What was published before the first bet.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="S", help="What was revealed when the shoe had ended.")
    ] = None,
    decks: Annotated[int, typer.Option("--decks", metavar="N", help="Decks in the shoe.")] = 8,
    context: Annotated[
        str | None, typer.Option("--context", metavar="TEXT", help='Which shoe it is: "t1, shoe 3".')
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--cards", metavar="FILE", help="A file with the cards that left the shoe.")
    ] = None,
    word: Annotated[
        list[str] | None,
        typer.Option("--word", metavar="W", help="A word of a patron, in order of their hashes; may be repeated."),
    ] = None,
    scheme: Annotated[
        int | None, typer.Option("--scheme", min=1, max=2, help="1 or 2; else 2 where there are words.")
    ] = None,
    json: Json = False,
) -> None:
    """Say whether a shoe was the committed one; exit status 1 if not, with the first card that differs.

    Either name a table and a shoe of a journal, or give commitment, seed, decks and context, and the cards that you
    saw.
    """
    from punto.shoe import BadShoe

    by_hand = {"--commitment": commitment, "--seed": seed, "--context": context}
    if table is not None:
        if number is None:
            raise BadShoe("Say which shoe of the table: --shoe N.")
        if dealt or word or file is not None or any(value is not None for value in by_hand.values()):
            raise BadShoe("With --table everything else is in the journal: give a table, or what you know yourself.")
        _of_a_journal(database, table, number, json)
        return
    missing = [name for name, value in by_hand.items() if value is None]
    if commitment is None or seed is None or context is None:
        raise BadShoe(f"Give --table and --shoe, or else also {', '.join(missing)}.")
    if word and scheme == 1:
        raise BadShoe("A shoe of scheme 1 has no words.")
    words = word or ([] if scheme == 2 else None)
    _by_hand(commitment, seed, decks, context, [*(dealt or ()), *_cards(file)], words, json)


def _of_a_journal(database: str, table: str, number: int, json: bool) -> None:
    from punto.audit import events_of, open_journal, verify_shoe

    found = verify_shoe(table, number, events_of(open_journal(database), table))
    if json:
        print_json({"as_committed": True, **{name: getattr(found, name) for name in found.__struct_fields__}})
    else:
        by = "" if not found.words else f" and of the words of {', '.join(found.words)}"
        typer.echo(
            f"{found.context} was the shoe committed to: {counted(found.dealt, 'card')} left it, and the "
            f"{counted(found.seen, 'face')} that came up are those of its seed{by}."
        )


def _by_hand(
    commitment: str, seed: str, decks: int, context: str, dealt: list[str], words: list[str] | None, json: bool
) -> None:
    from punto.shoe import check_dealt

    seen = check_dealt(commitment, seed, decks, context, dealt, words)
    if json:
        said = {"commitment": commitment, "decks": decks, "context": context, "dealt": len(dealt), "seen": seen}
        print_json({"as_committed": True, **said})
    else:
        by = f" and of {counted(len(words), 'word')}" if words else ""
        typer.echo(
            f"{context} was the shoe committed to: {counted(len(dealt), 'card')} left it, and the "
            f"{counted(seen, 'face')} given are those of its seed{by}."
        )


def _cards(file: Path | None) -> list[str]:
    from punto.shoe import BadShoe

    try:
        return [] if file is None else file.read_text(encoding="utf-8").split()
    except UnicodeDecodeError:
        raise BadShoe(f"{file} is not text in UTF-8.") from None
