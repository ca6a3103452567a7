"""`punto new`: a first file for a game of one's own."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer


class NotWritten(ValueError):
    """A new book that cannot be written. The message is a sentence."""


_SIDE = (
    "A side bet: player-pair, banker-pair, either-pair, dragon-7, panda-8, lucky-6, big, "
    "small, dragon-bonus-player or dragon-bonus-banker; may be repeated; else none."
)


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to be written; its name ends in .toml.")],
    id: Annotated[str | None, typer.Option(metavar="ID", help="The id of the book; else the name of the file.")] = None,  # noqa: A002
    title: Annotated[str | None, typer.Option(metavar="T", help="The title of the book; else its id in words.")] = None,
    banker: Annotated[
        str | None, typer.Option(metavar="WAY", help="How Banker pays: commission, seven or six; else commission.")
    ] = None,
    tie: Annotated[str | None, typer.Option(metavar="ODDS", help="What Tie pays, such as 9:1; else 8:1.")] = None,
    side: Annotated[list[str] | None, typer.Option(metavar="BET", help=_SIDE)] = None,
    ask: Annotated[
        bool | None,
        typer.Option(
            "--ask/--no-ask", help="Ask for the other answers, or take the defaults; else it asks in a terminal."
        ),
    ] = None,
) -> None:
    """Write a commented rulebook, its clause index and a first story, by a few answers."""
    from punto.rulebook import BadBook, parse
    from punto.rulebook.starter import BANKER, SIDE_BETS, StartedBook

    index, story = file.with_suffix(".clauses.csv"), file.with_suffix(".scenario")
    if file.suffix != ".toml":
        raise NotWritten(f"{file} does not end in .toml.")
    for each in (file, index, story):
        if each.exists():
            raise NotWritten(f"{each} is there already.")
    asked = _asker(sys.stdin.isatty() if ask is None else ask)
    named = id or asked("The id of the book: small letters, digits and hyphens", file.stem)
    called = title or asked("Its title", named.replace("-", " ").title())
    ways = "; ".join(f"{name}: {each.says}" for name, each in BANKER.items())
    pays = banker or asked(f"How Banker pays ({ways})", "commission")
    odds = tie or asked("What Tie pays", "8:1")
    sides = side
    if sides is None:
        told = asked(f"Side bets, with commas between them, or none ({', '.join(SIDE_BETS)})", "none")
        sides = [] if told.strip() == "none" else [each.strip() for each in told.split(",")]
    _check(pays, BANKER, "way for Banker to pay")
    for each_side in sides:
        _check(each_side, SIDE_BETS, "side bet")
    started = StartedBook(named, called, pays, odds, tuple(dict.fromkeys(sides)))
    text = started.book()
    try:
        parse(text.encode(), str(file))
    except BadBook as bad:  # the file is not there yet, so its lines would tell nobody anything
        faults = [f"{fault.key.rpartition('.')[2]}: {fault.says}" for fault in bad.faults]
        raise NotWritten("\n".join(faults)) from None
    file.write_text(text, encoding="utf-8")
    index.write_text(started.index(), encoding="utf-8")
    story.write_text(started.scenario(file.name), encoding="utf-8")
    typer.echo(f"{file} is a book; {index.name} has its clauses, and {story.name} is a first story.")


def _asker(ask: bool) -> Callable[[str, str], str]:
    """Asks for an answer, or takes the default."""

    def asked(question: str, default: str) -> str:
        return str(typer.prompt(question, default=default)) if ask else default

    return asked


def _check(word: str, words: Iterable[str], what: str) -> None:
    names = list(words)
    if word not in names:
        raise NotWritten(f"There is no {what} {word!r}; there are {', '.join(names)}.")
