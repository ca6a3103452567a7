"""The page of all figures, generated: `python docs/figures.py` writes figures.md beside this file."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from punto.odds import bet_odds, full_shoe, insurance_odds
from punto.report.bets import deck_counts
from punto.report.figures import decimal, percent
from punto.report.groups import Group, layout_groups
from punto.report.insurance import STAGES, situation
from punto.rulebook import Book, ids, load, printed
from punto.rulebook.words import pattern_in_words

PAGE = Path(__file__).parent / "figures.md"
EIGHT = 8
_INTRO = """\
# All figures of the five books

Every bet of every book, layout by layout, for every number of decks the book allows, and every cell of insurance. Not
here are the [public games](games.md) (`punto odds ez-baccarat`), what [the best use of insurance](odds.md#in-python) is
worth, and what [a card counter](exposure.md) could win; certificates have all three.

## House edge and return to player (RTP) {#edge}

The house edge is minus the expected net for one unit staked, ties included; a negative edge is with the patron. The
return to player is one minus the edge: 98.7649% where the edge is 1.2351%.
All figures are exact and only rounded to be printed: [`punto odds --json`](command-line.md#punto-odds) and the
[certificate](certificate.md) have them as fractions, and [one is followed](certificate.md#one-figure) to the digit.
Layouts that carry the same pay rows are taken together.

This page is generated: `python docs/figures.py` writes it.
"""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> Iterator[str]:
    """A table in Markdown: the first columns are words, the others figures."""
    yield f"| {' | '.join(columns)} |"
    yield "|" + "---|" * words + "---:|" * (len(columns) - words)
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def layouts(group: Group, decks: range) -> Iterator[str]:
    """The edges of a group of layouts by decks; its pay rows with eight."""
    menu = group.menu
    by_decks = [bet_odds(menu, full_shoe(count)) for count in decks]
    yield f"### {group.name}\n"
    yield "House edge in percent, by the number of decks.\n"
    edges = ([each.bet.name, *(_edge(odds[name].edge) for odds in by_decks)] for name, each in menu.bets.items())
    yield from table(["bet", *map(str, decks)], edges, 1)
    yield "Pay rows, with eight decks.\n"
    rows = (
        [
            odds.name,
            pattern_in_words(each.row.when),
            each.row.odds.in_words if each.row.odds else "comes back",
            printed(each.row.basis.clauses[0]),
            decimal(each.probability),
        ]
        for odds in bet_odds(menu, full_shoe(EIGHT)).values()
        for each in odds.rows
    )
    yield from table(["bet", "outcome", "pays", "clause", "probability"], rows, 4)
    yield "Hit frequency and standard deviation, with eight decks.\n"
    worth = ([odds.name, percent(odds.hit), f"{odds.sd:.6f}"] for odds in bet_odds(menu, full_shoe(EIGHT)).values())
    yield from table(["bet", "hit frequency", "standard deviation"], worth, 1)


def insurance(book: Book, decks: range) -> Iterator[str]:
    """Every cell: its chances with eight decks, its edge by decks."""
    by_decks = [insurance_odds(book, full_shoe(count)) for count in decks]
    eight = insurance_odds(book, full_shoe(EIGHT))
    yield "### Insurance\n"
    yield "Per cell with eight decks the chance a round of the situation, and from there that cover wins or comes back;"
    yield "then the house edge on cover in percent, by the number of decks.\n"
    for stage, title in STAGES.items():
        rows = (
            [
                situation(cell),
                cell.row.odds.in_words,
                *(decimal(each, 8) for each in (cell.reach, cell.win, cell.stand_off)),
                *(_edge(cells[at].edge) for cells in by_decks),
            ]
            for at, cell in enumerate(eight)
            if cell.row.stage == stage
        )
        yield f"{title}:\n"
        yield from table(["situation", "pays", "chance", "wins", "comes back", *map(str, decks)], rows, 2)


def _edge(edge: Fraction) -> str:
    return percent(edge).removesuffix("%")


def page() -> str:
    """The whole page."""
    lines = [_INTRO]
    for name in ids():
        book = load(name)
        decks = deck_counts(book)
        lines.append(f"## {book.title}\n")
        lines.append(f"{book.operator}, version {book.version}; `{book.id}`.\n")
        if book.decks.min is None:
            lines.append(f"The book names no number of decks; those from {decks[0]} to {decks[-1]} are shown.\n")
        for group in layout_groups(book):
            lines += layouts(group, decks)
        if book.insurance is not None:
            lines += insurance(book, decks)
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
