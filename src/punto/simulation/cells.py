"""What kernels count, and how outcomes and situations are read from it.

A kernel counts each round once, by everything that a bet or a cover can see of it: the *row* (both two-card totals
and the value of the Player's third card), the pairs, and the value of the Banker's third card, 0 if there is none.
Kernels know nothing of outcomes and situations: here the index functions of `punto.coup` are asked once for each cell.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from punto.coup import OUTCOMES, SITUATIONS, STOOD, SUITS
from punto.coup.outcome import possible_pairs
from punto.coup.play import banker_draws, outcome_index, player_draws, situation_index
from punto.kernels.draw import TENS
from punto.kernels.endings import winner

Counts = NDArray[np.int64]

DRAWN_ROWS = 6 * 8 * 10
"""Rows of rounds in which the Player draws: 0 to 5 against 0 to 7, and ten values of the third card."""

ROWS = DRAWN_ROWS + 10 * 10
PAIRS, LAST = 5, 10
CELLS = ROWS * PAIRS * LAST
WINNERS = ("player", "banker", "tie")


def row_of(player: int, banker: int, third: int) -> int:
    """The row of two two-card totals and the Player's third card, or `STOOD`.

    >>> row_of(5, 7, 9), row_of(0, 0, STOOD), row_of(9, 9, STOOD) + 1 == ROWS
    (479, 480, True)
    """
    if third == STOOD:
        return DRAWN_ROWS + player * 10 + banker
    return (player * 8 + banker) * 10 + third


def _rows() -> Iterator[tuple[int, int, int, int]]:
    """Every row that can be met: its number, both totals, the third card."""
    for player in range(10):
        for banker in range(10):
            for third in range(10) if player_draws(player, banker) else (STOOD,):
                yield row_of(player, banker, third), player, banker, third


NOWHERE = -1


@cache
def outcome_cells() -> NDArray[np.int16]:
    """For each cell its outcome; `NOWHERE` for cells that no round can reach."""
    found = np.full((ROWS, PAIRS, LAST), NOWHERE, dtype=np.int16)
    for row, player, banker, third in _rows():
        draws = banker_draws(player, banker, third)
        ends = player if third == STOOD else (player + third) % 10
        for last in range(LAST) if draws else (0,):
            for pairs in possible_pairs(player, banker):
                found[row, pairs, last] = outcome_index(
                    ends, (banker + last) % 10, 2 if third == STOOD else 3, 3 if draws else 2, pairs
                )
    return found.reshape(CELLS)


@cache
def two_card_totals() -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """For each cell the totals of both hands' first two cards."""
    found = np.zeros((2, ROWS, PAIRS * LAST), dtype=np.int8)
    for row, player, banker, _ in _rows():
        found[0, row], found[1, row] = player, banker
    return found[0].reshape(CELLS), found[1].reshape(CELLS)


@cache
def cells_in_use() -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The cells that a round can reach, and the outcome of each."""
    found = np.flatnonzero(outcome_cells() != NOWHERE)
    return found.astype(np.int16), outcome_cells()[found]


def cells_of(faces: NDArray[np.int8]) -> NDArray[np.int64]:
    """The cells of some rounds, by the faces of their six cards; a face below 0 where none was drawn.

    >>> cells = cells_of(np.array([[50, 18, 50, 18, -1, -1]]))  # nines against aces, a pair each
    >>> int(cells[0]) == (row_of(8, 2, STOOD) * PAIRS + 3) * LAST
    True
    """
    heights = faces.astype(np.int64) // len(SUITS)
    values = np.where(heights < TENS, 0, heights - TENS + 1)
    player, banker = (values[:, 0] + values[:, 2]) % 10, (values[:, 1] + values[:, 3]) % 10
    rows = np.where(faces[:, 4] >= 0, (player * 8 + banker) * 10 + values[:, 4], DRAWN_ROWS + player * 10 + banker)
    one, other = heights[:, 0] == heights[:, 2], heights[:, 1] == heights[:, 3]
    pairs = np.where(one & other & (heights[:, 0] == heights[:, 1]), 4, one + 2 * other)
    found: Counts = (rows * PAIRS + pairs) * LAST + values[:, 5]
    return found


def outcomes_of(cells: Counts) -> Counts:
    """The histogram over the 2,000 outcomes."""
    found = np.zeros(OUTCOMES, dtype=np.int64)
    used, outcomes = cells_in_use()
    np.add.at(found, outcomes, cells[used])
    return found


@cache
def _situation_cells() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each cell of row and last card its place among situations by winner, after four cards and after five."""
    found = np.zeros((2, ROWS, LAST), dtype=np.int64)
    for row, player, banker, third in _rows():
        ends = player if third == STOOD else (player + third) % 10
        for last in range(LAST):
            points = (banker + last) % 10
            won = winner(ends, points)
            found[0, row, last] = situation_index(player, banker, STOOD) * len(WINNERS) + won
            if third != STOOD:
                found[1, row, last] = situation_index(ends, banker, third) * len(WINNERS) + won
    return found[0], found[1, :DRAWN_ROWS]


def situations_of(rows: Counts) -> Counts:
    """Counts of situation by winner, from counts of row by the Banker's third card.

    Every round is counted in its situation after four cards, and once more after the Player's third card if it
    has one. The columns are Player, Banker, tie.
    """
    found = np.zeros(SITUATIONS * len(WINNERS), dtype=np.int64)
    after_four, after_five = _situation_cells()
    np.add.at(found, after_four, rows)
    np.add.at(found, after_five, rows[:DRAWN_ROWS])
    return found.reshape(SITUATIONS, len(WINNERS))
