"""The ways to take cards from a shoe class by class, counted from many compositions side by side.

What a bet on cards wins is a sum over sets of cards, each with a weight. A class of cards that the bet does not tell
apart is gone through after the other, and some of its cards are taken. Beginnings after which the same can be taken of
the classes that follow, with the same weights or all of them so many times as great, are one *state*: a class, and for
each number of its cards the state that follows. A state is counted once for all sets and all bets that lead to it, from
the last classes to the first. Of a class with n cards left, two are taken in n(n - 1) ways.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.deal import DRAWS
from punto.kernels.exact import lane_row
from punto.simulation.distinct_rows import distinct_rows

Ints = NDArray[np.int64]

LANES = 64
"""So many compositions are counted side by side."""

NOTHING_MORE = 0
"""The state in which no more cards are taken: that is done in one way."""

_NO_CARD = -1


class Begin(msgspec.Struct, frozen=True):
    """Where the sets of one number of cards begin that some bet wins on: the state, and how many times it counts."""

    bet: int
    cards: int
    state: int
    factor: int


class States(msgspec.Struct, frozen=True, eq=False):
    """States, each behind all that can follow it.

    `cards` are the cards of one class after the other, by rank and suit, and `card_ends` tells where those of each
    class end. By state: its class (`classes`), and where its choices end (`ends`). The choices of a state are from the
    most cards that are taken down to none: the state that follows (`then`), and how many times it counts (`factors`).
    """

    cards: Ints
    card_ends: Ints
    classes: Ints
    ends: Ints
    then: Ints
    factors: Ints

    def add_won(self, compositions: NDArray[np.uint8], begins: Sequence[Begin], found: Ints) -> None:
        """Add by composition and bet what all deals win whose cards are in its sets, times their weights."""
        members = self.cards, self.card_ends
        choices = self.classes, self.ends, self.then, self.factors
        wanted = np.array([(each.bet, each.cards, each.state, each.factor) for each in begins], dtype=np.int64)
        add_ways(compositions, members, choices, wanted.reshape(-1, 4), found)


@part
def count_left(compositions: NDArray[np.uint8], first: int, lanes: int, members: tuple[Ints, Ints], left: Ints) -> None:
    """Count the cards of each class in some compositions."""
    cards, card_ends = members
    left[:] = 0
    at = 0
    for kind in range(len(card_ends)):
        own = lane_row(left, kind, LANES)
        while at < card_ends[kind]:
            for lane in range(lanes):
                own[lane] += np.int64(compositions[first + lane, cards[at]])
            at += 1


@part
def count_states(lanes: int, left: Ints, choices: tuple[Ints, Ints, Ints, Ints], ways: Ints) -> None:
    """Count all states from some compositions, given as the cards left of each class.

    What follows is added from the most cards down, and each sum is multiplied by the cards of which one more is taken.
    """
    classes, ends, then, factors = choices
    for state in range(1, len(ends)):
        own, mine = lane_row(left, classes[state], LANES), lane_row(ways, state, LANES)
        begin, end = ends[state - 1], ends[state]
        following, factor = lane_row(ways, then[begin], LANES), factors[begin]
        for lane in range(lanes):
            mine[lane] = factor * following[lane]
        for choice in range(begin + 1, end):
            following, factor, taken = lane_row(ways, then[choice], LANES), factors[choice], end - 1 - choice
            for lane in range(lanes):
                mine[lane] = mine[lane] * (own[lane] - taken) + factor * following[lane]


@kernel
def add_ways(
    compositions: NDArray[np.uint8],
    members: tuple[Ints, Ints],
    choices: tuple[Ints, Ints, Ints, Ints],
    wanted: Ints,
    found: Ints,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Count all states from every composition, and add up those that are wanted, by bet.

    Each is counted for all deals: the cards that it does not take are any of those that are left.
    """
    left, ways = np.empty(len(members[1]) * LANES, np.int64), np.ones(len(choices[1]) * LANES, np.int64)
    rest = np.empty((DRAWS + 1) * LANES, np.int64)
    for first in range(0, len(compositions), LANES):
        lanes = min(LANES, len(compositions) - first)
        count_left(compositions, first, lanes, members, left)
        count_states(lanes, left, choices, ways)
        for lane in range(lanes):
            size, deals = np.int64(compositions[first + lane].sum()), np.int64(1)
            for cards in range(DRAWS, -1, -1):
                rest[cards * LANES + lane] = deals
                deals *= size - (cards - 1)
        for at in range(len(wanted)):
            bet, cards, state, factor = wanted[at]
            counted, more = lane_row(ways, state, LANES), lane_row(rest, cards, LANES)
            for lane in range(lanes):
                found[first + lane, bet] += factor * counted[lane] * more[lane]


class StateMaker:
    """Makes the states of one bet after the other, and each of them only once."""

    def __init__(self) -> None:
        self._classes: dict[bytes, int] = {}
        self._cards: list[Ints] = []
        self._states: dict[tuple[int, ...], int] = {}
        self._class_of, self._ends = [0], [0]  # nothing can follow the first state, in which no more is taken
        self._then: list[int] = []
        self._factors: list[int] = []

    def begin(self, bet: int, classes: Ints, sets: Ints, weights: Ints) -> Begin:
        """Where sets of equally many cards begin, by which a bet wins their weights.

        `classes` tells the class of each card by rank and suit, and a set is a row of classes. They are gone through
        in the order of their numbers.
        """
        number = sets.shape[1]
        states, factors = np.full(len(sets), NOTHING_MORE), weights
        for each in reversed(range(int(classes.max()) + 1)):
            here = sets == each
            if not here.any():
                continue
            own = self._class(np.flatnonzero(classes == each))
            taken, sets = here.sum(axis=1), np.where(here, _NO_CARD, sets)
            chosen, beginning = distinct_rows(sets)
            sets = sets[chosen]
            then, times = np.zeros((2, len(sets), number + 1), dtype=np.int64)
            then[beginning, taken], times[beginning, taken] = states, factors
            factors = np.gcd.reduce(times, axis=1)
            times //= factors[:, None]
            states = self._made(own, then, times)
        return Begin(bet, number, int(states[0]), int(factors[0]))

    def made(self) -> States:
        """All states."""
        return States(
            np.concatenate([np.zeros(0, np.int64), *self._cards]),
            np.cumsum([len(cards) for cards in self._cards], dtype=np.int64),
            *(np.array(each, dtype=np.int64) for each in (self._class_of, self._ends, self._then, self._factors)),
        )

    def _class(self, cards: Ints) -> int:
        """The number of a class, by its cards: bets share states where they have the same classes."""
        found = self._classes.setdefault(cards.tobytes(), len(self._classes))
        if found == len(self._cards):
            self._cards.append(cards)
        return found

    def _made(self, own: int, then: Ints, times: Ints) -> Ints:
        """The states of a class, by rows that tell what follows each number of its cards, and how many times."""
        chosen, kind = distinct_rows(np.concatenate((then, times), axis=1))
        rows = zip(then[chosen].tolist(), times[chosen].tolist(), strict=True)
        return np.array([self._state(own, *row) for row in rows], dtype=np.int64)[kind]

    def _state(self, own: int, then: list[int], times: list[int]) -> int:
        while not times[-1]:
            then.pop()
            times.pop()
        if len(times) == 1:
            return then[0]
        found = self._states.setdefault((own, *then, *times), len(self._ends))
        if found == len(self._ends):
            self._class_of.append(own)
            self._then += reversed(then)
            self._factors += reversed(times)
            self._ends.append(len(self._then))
        return found
