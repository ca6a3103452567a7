"""Outcomes where a card is printed on the layout: five cards at most come from the shoe."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from punto.coup import OUTCOMES, RANKS, STOOD, Card
from punto.coup.play import banker_draws, outcome_index, player_draws
from punto.odds.composition import by_rank, outcome_counts
from punto.odds.counting import Counts
from punto.rulebook import PrintedCard

_VALUES = tuple(Card(rank).value for rank in range(1, len(RANKS) + 1))
_DRAWN_FIRST = 3
"""Cards of the first four that come from the shoe."""


def outcomes_beside(printed: PrintedCard | None, shoe: Sequence[int]) -> Counts:
    """For each of the 2,000 outcomes the number of ordered deals that lead to it: of five cards beside a printed one.

    >>> from punto.coup import card
    >>> from punto.odds import deals, full_shoe
    >>> from punto.rulebook import Basis
    >>> int(outcomes_beside(PrintedCard(0, card("7"), Basis()), full_shoe(8)).sum()) == deals(full_shoe(8), 5)
    True
    """
    found = outcome_counts(shoe)  # refuses what is no shoe
    if printed is None:
        return found
    return np.array(_counted(printed.place, printed.card.rank, by_rank(shoe)), dtype=np.int64)


@lru_cache(maxsize=16)
def _counted(place: int, rank: int, shoe: tuple[int, ...]) -> tuple[int, ...]:
    found = [0] * OUTCOMES
    for drawn in product(range(1, len(RANKS) + 1), repeat=_DRAWN_FIRST):
        left = list(shoe)
        ways = 1
        for each in drawn:
            ways *= left[each - 1]
            left[each - 1] -= 1
        if ways:
            for index, more in _endings((*drawn[:place], rank, *drawn[place:]), left):
                found[index] += ways * more
    return tuple(found)


def _endings(first: tuple[int, ...], left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The outcomes that first four cards can come to, and how many orders of the next two cards lead there."""
    a, b, c, d = first
    player, banker = (_VALUES[a - 1] + _VALUES[c - 1]) % 10, (_VALUES[b - 1] + _VALUES[d - 1]) % 10
    pairs = (a == c) + 2 * (b == d) + (a == b == c == d)
    values = [0] * 10
    for value, count in zip(_VALUES, left, strict=True):
        values[value] += count
    size = sum(values)
    for third in range(10) if player_draws(player, banker) else (STOOD,):
        drew = third != STOOD
        points = (player + third) % 10 if drew else player
        if not banker_draws(player, banker, third):
            yield outcome_index(points, banker, 2 + drew, 2, pairs), (values[third] if drew else size) * (size - 1)
            continue
        for last in range(10):
            ways = values[third] * (values[last] - (last == third)) if drew else values[last] * (size - 1)
            yield outcome_index(points, (banker + last) % 10, 2 + drew, 3, pairs), ways
