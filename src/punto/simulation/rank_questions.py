"""What a test of cards asks of ranks, for its machine: runs, sums, and which card is higher.

A question has some columns of a machine's states, which begin with 0. A card changes them in place; at the end they
tell whether it holds.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from punto.coup import RANKS, Card
from punto.rulebook.patterns import COUNTED, PLACES, CardTest
from punto.rulebook.rank_tests import counts, height

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Place = tuple[int, int]


class RankQuestion(Protocol):
    """What is asked of the ranks of the cards."""

    width: int
    """How many columns it has."""

    def see(self, columns: Ints, place: Place, card: Card, *, means: bool) -> None:
        """Take a card at a place into the columns; whether it is one that the test means."""

    def holds(self, columns: Ints) -> Mask:
        """Whether it holds, by state."""


def questions_of(test: CardTest) -> Iterator[RankQuestion]:
    """What a test asks of ranks."""
    if test.run is not UNSET:
        yield _Run(test.run)
    if test.sum is not UNSET:
        yield _Sum(test.sum, test.counting or COUNTED)
    if test.higher is not UNSET:
        yield _Higher(PLACES[test.higher], test.aces or "low")


class _Run:
    """The ranks that are held, a bit for each; all of them once enough follow upon each other."""

    width = 1

    def __init__(self, run: int) -> None:
        self._run = run
        self._all = (1 << (len(RANKS) + 2)) - 2

    def see(self, columns: Ints, place: Place, card: Card, *, means: bool) -> None:  # noqa: ARG002  # any place counts
        if means:
            columns[:, 0] |= 1 << card.rank | (1 << (len(RANKS) + 1) if card.rank == 1 else 0)
            columns[self.holds(columns), 0] = self._all

    def holds(self, columns: Ints) -> Mask:
        held = columns[:, 0]
        found = held
        for further in range(1, self._run):
            found = found & (held >> further)
        return np.asarray(found > 0)


class _Sum:
    """What the cards meant count in all; one more than the greatest that is wanted stands for everything above."""

    width = 1

    def __init__(self, wanted: frozenset[int], counting: str) -> None:
        self._wanted, self._counting = sorted(wanted), counting

    def see(self, columns: Ints, place: Place, card: Card, *, means: bool) -> None:  # noqa: ARG002  # any place counts
        if means:
            summed = columns[:, 0] + counts(card.rank, self._counting)
            columns[:, 0] = np.minimum(summed, self._wanted[-1] + 1)

    def holds(self, columns: Ints) -> Mask:
        return np.isin(columns[:, 0], self._wanted)


class _Higher:
    """The highest card meant, and the highest of the other group; 0 where there is none."""

    width = 2

    def __init__(self, others: tuple[Place, ...], aces: str) -> None:
        self._others, self._aces = others, aces

    def see(self, columns: Ints, place: Place, card: Card, *, means: bool) -> None:
        for column, seen in ((0, means), (1, place in self._others)):
            if seen:
                columns[:, column] = np.maximum(columns[:, column], height(card.rank, self._aces))

    def holds(self, columns: Ints) -> Mask:
        own, others = columns[:, 0], columns[:, 1]
        return np.asarray((others > 0) & (own > others))
