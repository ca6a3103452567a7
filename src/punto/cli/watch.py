"""`punto watch`: faults, pay table and edges of a file again after every save."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Layout, console, counted, print_table
from punto.cli.show import covers_of, pays_of, print_covers, print_head, print_pays, print_rules, rules_of
from punto.interrupts import answered

if TYPE_CHECKING:
    from punto.rulebook import Book

_POLL_SECONDS = 0.1

Mark = tuple[int, int, int]
"""By which a save is noticed: when it was, how long the file is, and which file the name stands for."""


def watch(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A rulebook file, which may not be there yet.")],
    layout: Layout = None,
    decks: Annotated[
        int | None, typer.Option(metavar="N", help="Decks that edges are counted for; else 8, or the nearest allowed.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Show it once, and end.")] = False,
) -> None:
    """Show faults, pay table and edges of a file, again after every save, until Ctrl-C."""
    try:
        for text in saves(file, lambda: time.sleep(_POLL_SECONDS)):
            show_state(file, text, layout, decks)
            if once:
                return
    except KeyboardInterrupt:
        answered()


def saves(file: Path, wait: Callable[[], None]) -> Iterator[bytes | None]:
    """The text of a file at first and after every save; None where there is no such file.

    A change is taken up when the file has stayed the same between two looks, so one that is being written is not.
    """
    shown: Mark | str | None = "nothing"
    while True:
        mark = _mark(file)
        if mark != shown:
            if shown != "nothing":
                mark = _settled(file, mark, wait)
            shown = mark
            yield _text(file)
        wait()


def _settled(file: Path, mark: Mark | None, wait: Callable[[], None]) -> Mark | None:
    while True:
        wait()
        now = _mark(file)
        if now == mark:
            return mark
        mark = now


def _mark(file: Path) -> Mark | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _text(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def show_state(file: Path, text: bytes | None, layout: str | None, decks: int | None) -> None:
    """Print what there is to say of a file with this text."""
    from punto.rulebook import BadBook, parse

    out = console()
    out.clear()
    out.print(f"── {file} at {time.strftime('%H:%M:%S')}", markup=False, highlight=False, soft_wrap=True)
    if text is None:
        typer.echo("There is no such file.")
        return
    try:
        book = parse(text, str(file))
    except BadBook as error:
        for fault in error.faults:
            typer.echo(f"fault: {fault}")
        typer.echo(counted(len(error.faults), "fault"))
        return
    try:
        _show_book(book, layout, decks)
    except (ValueError, ImportError) as error:  # a layout or a number of decks that there is not any more
        if not type(error).__module__.startswith("punto."):
            raise
        typer.echo(str(error))


def _show_book(book: "Book", layout: str | None, decks: int | None) -> None:
    from punto.lint import lint
    from punto.rulebook import menu

    carried = menu(book, layout)
    print_head(book, carried.layout)
    print_pays(pays_of(carried))
    print_rules(rules_of(carried))
    print_covers(covers_of(book))
    _print_edges(book, layout, decks)
    found = lint(book)
    for each in found:
        typer.echo(str(each))
    faults = sum(each.severity == "fault" for each in found)
    typer.echo(f"{counted(faults, 'fault')}, {counted(len(found) - faults, 'finding')}")


def _print_edges(book: "Book", layout: str | None, decks: int | None) -> None:
    from punto.extras import MissingExtra
    from punto.rulebook import menu

    try:
        from punto.odds import bet_odds, full_shoe
    except MissingExtra as missing:
        typer.echo(f"Edges are not counted. {missing}")
        return
    carried = menu(book, layout)
    number = book.decks.usual if decks is None else decks
    odds = bet_odds(carried, full_shoe(number, by_suit=carried.by_suit))
    rows = [(each.name, f"{float(each.edge):.4%}", f"{float(each.hit):.4%}") for each in odds.values()]
    print_table(f"Edges with {counted(number, 'deck')}", ["bet", "house edge", "wins"], rows)
