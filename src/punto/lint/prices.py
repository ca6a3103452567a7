"""Bets and insurance cells in which the patron has the edge, found by exact odds."""

from collections.abc import Iterator

from punto.lint.findings import Finding, finding
from punto.messages import say
from punto.odds import bet_odds, full_shoe, insurance_odds, outcome_counts
from punto.rulebook import Basis, Book, Priced, menu
from punto.rulebook.words import cover_in_words

USUAL = 8
"""The decks that prices are judged by, or the nearest number that the book allows."""


def check_prices(book: Book) -> Iterator[Finding]:
    """Bets and cells that lose the house money from a full shoe, of eight decks where the book allows it."""
    decks = max(book.decks.min or 1, min(USUAL, book.decks.max or USUAL))
    shoe = full_shoe(decks)
    counts = outcome_counts(shoe)
    told: set[Priced] = set()
    for layout in book.layouts:
        carried = menu(book, layout)
        for name, each in bet_odds(carried, shoe, counts).items():
            if each.edge < 0 and carried.bets[name] not in told:
                told.add(carried.bets[name])
                says = say(
                    "patron-has-edge",
                    "the patron has an edge of {edge} with {decks} decks.",
                    edge=f"{-float(each.edge):.2%}",
                    decks=decks,
                )
                basis = Basis(tuple(clause for row in each.rows for clause in row.row.basis.clauses))
                yield finding(book, "favourable", f"layout {layout}, {name}", says, basis)
    for cell in insurance_odds(book, shoe):
        if cell.edge < 0:
            says = say(
                "patron-has-edge-on-cover",
                "{hand:hand} {own} against {opposite} at {odds:odds}: "
                "the patron has an edge of {edge} of the stake with {decks} decks.",
                hand=cell.row.hand,
                own=cell.own,
                opposite=cell.opposite,
                odds=cell.row.odds.text,
                edge=f"{-float(cell.edge):.2%}",
                decks=decks,
            )
            where = f"insurance, {cell.row.stage}, {cover_in_words(cell.row)}"
            yield finding(book, "favourable", where, says, cell.row.basis)
