"""Writes docs/bets.md from the books: `python docs/bets.py`."""

from collections.abc import Iterator
from pathlib import Path

from irregularities import NONE, SHORT, cell, table

from punto.report.groups import Group, layout_groups
from punto.report.insurance import STAGES
from punto.report.words import words
from punto.rulebook import Book, Priced, ids, load, printed
from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.model import Insurance
from punto.rulebook.words import cover_in_words, pattern_in_words, pays_in_words

PAGE = Path(__file__).parent / "bets.md"
HEAD = """# What every bet pays

For the table crew: every bet of the five books, when it wins and what it pays, with the clause. Odds are paid to the
stake, which comes back as well: *11 to 1* on 100 brings 1,100, and the 100 comes back. What meets none of the rows of
its bet loses. House edges and chances are on [all figures](figures.md). A name such as AMB-41 beside a clause is a
[reading](rulebook.md#readings): the text can be read in more than one way, and this is how Punto reads it.
"""
FOOT = """A bet of your own house: `punto show FILE --layout L` prints the same table ([command
line](command-line.md#punto-show)).

This page is written from the books themselves (`python docs/bets.py`).
"""


def _bet(priced: Priced) -> Iterator[list[str]]:
    """The rows of a bet, and the rules about it besides."""
    for at, row in enumerate(priced.rows):
        name = "" if at else f"**{cell(priced.bet.name)}**"
        rests = ", ".join((printed(row.basis.clauses[0]), *row.basis.readings))
        yield [name, cell(str(pattern_in_words(row.when))), f"**{pays_in_words(row)}**", rests]


def _layouts(book: Book, group: Group) -> Iterator[str]:
    yield f"### {SHORT[book.id]}: {group.name} {{#{book.id}-{group.layouts[0].lower()}}}\n"
    rows = (row for priced in group.menu.bets.values() for row in _bet(priced))
    yield table(["bet", "when", "pays", "clause"], rows)
    said = [str(rule.says) for priced in group.menu.bets.values() for rule in bet_rules(book, priced.bet)]
    yield from (f"- {each}" for each in said)


def _insurance(book: Book, insurance: Insurance) -> Iterator[str]:
    yield f"### {SHORT[book.id]}: insurance {{#{book.id}-insurance}}\n"
    shown = ", ".join(words(each) for each in insurance.points["shown-by"].values)
    yield f"Offered on the hand that is named, while a card is due. The odds are shown by: {shown}.\n"
    rows = (
        [
            STAGES[row.stage],
            cell(str(cover_in_words(row))),
            f"**{row.odds.in_words}**",
            "pays" if row.tie_pays else "comes back",
            printed(row.basis.clauses[0]),
        ]
        for row in insurance.rows
    )
    yield table(["offered", "when", "pays if that hand loses", "on a tie", "clause"], rows)


def _places(book: Book, name: str) -> str:
    """What a bet of a book pays, with links; with the layouts, where they do not all pay the same."""
    groups = layout_groups(book)
    found: dict[str, list[Group]] = {}
    for group in groups:
        for priced in group.menu.bets.values():
            if priced.bet.name == name:
                odds = dict.fromkeys(row.odds.in_words for row in priced.rows if row.odds)
                found.setdefault(", ".join(odds), []).append(group)
    places = []
    for odds, carry in found.items():
        named = {each for group in carry for each in group.layouts}
        layouts = "" if len(carry) == len(groups) else f" ({', '.join(each for each in book.layouts if each in named)})"
        places.append(f"[{odds}](#{book.id}-{carry[0].layouts[0].lower()}){layouts}")
    return "<br>".join(places) or NONE


def _list(books: list[Book]) -> Iterator[str]:
    """Which bet is in which book, with what it pays on which layouts."""
    yield "## Every bet, and where to look it up {#list}\n"
    names = dict.fromkeys(bet.name for book in books for bet in book.bets.values())
    rows = ([f"**{cell(name)}**", *(_places(book, name) for book in books)] for name in names)
    yield table(["bet", *(SHORT[book.id] for book in books)], rows)
    covered = " and ".join(f"[{SHORT[book.id]}](#{book.id}-insurance)" for book in books if book.insurance)
    yield f"A dash: that book has no such bet. Insurance: {covered}.\n"


def page() -> str:
    """The whole page."""
    books = [load(name) for name in ids()]
    lines = [HEAD, *_list(books)]
    for book in books:
        lines += [f"## {book.title} {{#{book.id}}}\n", f"{book.operator}, version {book.version}; `{book.id}`.\n"]
        for group in layout_groups(book):
            lines += _layouts(book, group)
        if book.insurance is not None:
            lines += _insurance(book, book.insurance)
    return "\n".join([*lines, FOOT])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
