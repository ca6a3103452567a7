"""Insurance as kernels take it: which cell is offered at which totals, and what it pays."""

import msgspec
import numpy as np

from punto.coup import STAGES
from punto.exposure.net_classes import Ints
from punto.odds import CellOdds, full_shoe, insurance_odds
from punto.rulebook import Book

HANDS = ("player", "banker")


class Offers(msgspec.Struct, frozen=True):
    """The insurance that a book offers.

    `at` tells the cell by stage, hand and both hands' totals, -1 where there is no price; `odds` are by cell what
    cover pays, for how much, and whether a tie pays it.
    """

    cells: tuple[CellOdds, ...]
    at: Ints
    odds: Ints


def offers_of(book: Book | None, decks: int = 8) -> Offers:
    """The cells of a book, in the order of `punto.odds`; none without insurance.

    >>> from punto.rulebook import load
    >>> found = offers_of(load("commission-insurance"))
    >>> cell = found.cells[found.at[0, 1, 5, 6]]  # after four cards, Banker insured with 6 against 5
    >>> cell.row.hand, cell.own, cell.opposite, found.odds[found.at[0, 1, 5, 6]].tolist()
    ('banker', 6, 5, [3, 1, 0])
    """
    cells = () if book is None else tuple(insurance_odds(book, full_shoe(decks)))
    at = np.full((len(STAGES), len(HANDS), 10, 10), -1, dtype=np.int64)
    odds = np.zeros((len(cells), 3), dtype=np.int64)
    for number, cell in reversed(list(enumerate(cells))):  # where two rows have a price, the first counts
        pays = cell.row.odds.fraction
        player, banker = (cell.own, cell.opposite) if cell.row.hand == "player" else (cell.opposite, cell.own)
        at[STAGES.index(cell.row.stage), HANDS.index(cell.row.hand), player, banker] = number
        odds[number] = pays.numerator, pays.denominator, cell.row.tie_pays is not None
    return Offers(cells, at, odds)
