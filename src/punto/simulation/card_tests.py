"""Tests of cards as small machines: fed with the cards of a round in the order dealt, they end in what holds.

A machine looks at some of the six places of a round. At each it has a table: the state it is in and the card that lies
there give the next state; at its last place they give its *end*, which tells which of its tests hold. Cards are dealt
by rank, or by rank and suit where a test asks for suits; in the place of a third card that is not drawn stands a
symbol of its own, which changes nothing. States that no later card can tell apart are one.
"""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import SUITS, Card
from punto.kernels.deal import RANKS
from punto.kernels.draw import rank_of
from punto.kernels.faces import NO_FACE
from punto.rulebook.patterns import PLACES, RED, CardTest
from punto.simulation.distinct_rows import distinct_rows
from punto.simulation.rank_questions import RankQuestion, questions_of

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

ORDER = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))
"""Hand and place of the six cards, in the order in which they are dealt."""

WORTH_A_TRY = 4
"""Two machines are not made one where that has so many times the wanted entries, before equal states are one."""

FIRST_CARDS = 4
"""So many places always have a card."""

FACES = tuple(Card(rank_of(face // len(SUITS)), SUITS[face % len(SUITS)]) for face in range(NO_FACE))
_NOTHING = -1  # no card yet to agree with
_FAILED = -2  # in the first column of a state: the test does not hold, whatever comes


class Machine(msgspec.Struct, frozen=True, eq=False):
    """A machine for some tests: by place a table of states by symbol, and by test the ends in which it holds."""

    places: tuple[int, ...]
    tables: tuple[Ints, ...]
    by_suit: bool
    held: dict[CardTest, Mask]

    @property
    def ends(self) -> int:
        """In how many ways it can end."""
        return len(next(iter(self.held.values())))

    @property
    def size(self) -> int:
        """The entries of its tables."""
        return sum(table.size for table in self.tables)


@lru_cache(maxsize=256)
def machine_of(test: CardTest) -> Machine:
    """The machine of one test.

    >>> suited = machine_of(CardTest("player-start", same=("suit",)))
    >>> suited.places, [table.shape for table in suited.tables], suited.ends
    ((0, 2), [(1, 53), (4, 53)], 2)
    """
    places = tuple(at for at, place in enumerate(ORDER) if place in test.places)
    asked = _Asked(test, len(places))
    cards = FACES if test.by_suit else [Card(rank_of(height)) for height in range(RANKS)]
    states = asked.nothing_seen()
    tables = []
    for place in places:
        after = [asked.after(states, ORDER[place], card) for card in cards]
        without = states if place >= FIRST_CARDS else after[0]  # a card lies at each of the first places
        reached = np.concatenate([*after, without])
        chosen, where = distinct_rows(reached)
        tables.append(where.reshape(len(cards) + 1, len(states)).T)
        states = reached[chosen]
    held = asked.holds(states)
    tables[-1] = held.astype(np.int64)[tables[-1]]
    return _smallest(Machine(places, tuple(tables), test.by_suit, {test: np.array([False, True])}))


class _Asked:
    """What a test asks of its cards, by column of a state.

    The columns are how many cards are meant, in what they agree, what is asked of ranks, and their kinds in order.
    """

    def __init__(self, test: CardTest, places: int) -> None:
        self._test = test
        self._questions: list[tuple[slice, RankQuestion]] = []
        at = 1 + len(test.same)
        for each in questions_of(test):
            self._questions.append((slice(at, at + each.width), each))
            at += each.width
        self._kinds = slice(at, at + (places if test.kinds else 0))

    def nothing_seen(self) -> Ints:
        """The state before the first card."""
        states = np.full((1, self._kinds.stop), _NOTHING, dtype=np.int64)
        states[:, 0] = 0
        for columns, _ in self._questions:
            states[:, columns] = 0
        return states

    def after(self, states: Ints, place: tuple[int, int], card: Card) -> Ints:
        """States after a card at a place."""
        test, found = self._test, states.copy()
        own = place in PLACES[test.group]
        means = own and test.means(card)
        failed = states[:, 0] == _FAILED
        for columns, question in self._questions:
            question.see(found[:, columns], place, card, means=means)
        if means:
            found[:, 0] += 1
            for at, likeness in enumerate(test.same, start=1):
                like = _like(card, likeness)
                failed |= (found[:, at] != _NOTHING) & (found[:, at] != like)
                found[:, at] = like
            if test.kinds:
                found[:, self._kinds.start] = _like(card, test.kind or "rank")  # the first is free until the last place
                found[:, self._kinds].sort(axis=1)
        if test.count is not None:
            failed |= found[:, 0] > max(test.count)
        elif own:
            failed |= not means
        found[failed] = _FAILED
        return found

    def holds(self, states: Ints) -> Mask:
        """Whether the test holds at the end."""
        test, number = self._test, states[:, 0]
        found = number > 0 if test.count is None else np.isin(number, list(test.count))
        found &= number != _FAILED
        if test.same:
            found &= number > 1
        if test.kinds:
            found &= _of_kinds(test.kinds, states[:, self._kinds])
        for columns, question in self._questions:
            found &= question.holds(states[:, columns])
        return found


def _like(card: Card, likeness: str) -> int:
    """What a card agrees in with others, as a number."""
    if likeness == "rank":
        return card.rank
    return SUITS.index(card.suit or SUITS[0]) + 1 if likeness == "suit" else int(card.suit in RED) + 1


def _of_kinds(kinds: tuple[int, ...], ranks: Ints) -> Mask:
    """Whether there are so many of one kind, and so many of another; by state a row of kinds, ranks or suits."""
    sizes = np.stack([(ranks == rank).sum(axis=1) for rank in range(1, RANKS + 1)], axis=1)
    sizes = -np.sort(-sizes, axis=1)
    found = np.ones(len(ranks), dtype=bool)
    for at, kind in enumerate(kinds):
        found &= sizes[:, at] >= kind
    return found


def both(one: Machine, other: Machine, most: int) -> Machine | None:
    """A machine for the tests of two; None where its tables would have more entries than `most`.

    >>> suited = machine_of(CardTest("player-start", same=("suit",)))
    >>> paired = machine_of(CardTest("player-start", same=("rank",)))
    >>> found = both(suited, paired, 5000)
    >>> [len(table) for table in found.tables], found.ends
    ([1, 52], 4)
    """
    by_suit = one.by_suit or other.by_suit
    places = tuple(sorted({*one.places, *other.places}))
    first, second = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    tables: list[Ints] = []
    for place in places:
        after = [_next(machine, states, place, by_suit) for machine, states in ((one, first), (other, second))]
        codes = after[0] * (int(after[1].max()) + 1) + after[1]
        found, where = np.unique(codes, return_inverse=True)
        tables.append(where.reshape(codes.shape))
        if sum(table.size for table in tables) > WORTH_A_TRY * most:
            return None
        first, second = np.divmod(found, int(after[1].max()) + 1)
    held = {test: held[first] for test, held in one.held.items()}
    held.update({test: held[second] for test, held in other.held.items()})
    smallest = _smallest(Machine(places, tuple(tables), by_suit, held))
    return smallest if smallest.size <= most else None


def _next(machine: Machine, states: Ints, place: int, by_suit: bool) -> Ints:
    """The states of one of two machines after a place, by state and symbol; it waits where it does not look."""
    symbols = NO_FACE + 1 if by_suit else RANKS + 1
    if place not in machine.places:
        return np.repeat(states[:, None], symbols, axis=1)
    table = machine.tables[machine.places.index(place)]
    if by_suit and not machine.by_suit:
        table = table[:, np.arange(symbols) // len(SUITS)]
    found: Ints = table[states]
    return found


def _smallest(machine: Machine) -> Machine:
    """The same with the fewest states."""
    ends = np.stack(list(machine.held.values()), axis=1).astype(np.int64)
    chosen, same = distinct_rows(ends)
    held = {test: held[chosen] for test, held in machine.held.items()}
    tables = []
    for table in reversed(machine.tables):
        rows = same[table]
        chosen, same = distinct_rows(rows)
        tables.append(rows[chosen])
    return Machine(machine.places, tuple(reversed(tables)), machine.by_suit, held)


def joined(machines: Sequence[Machine], own: Machine, most: int) -> list[Machine]:
    """Machines with another: within one that looks at the same places, or beside them.

    The tables of two have at most so many entries together, or as many as they have alone.

    >>> suited = machine_of(CardTest("player-start", same=("suit",)))
    >>> sevens = machine_of(CardTest("player-hand", ranks=frozenset({7}), count=frozenset({0})))
    >>> len(joined([suited], sevens, 1000))
    1
    >>> len(joined([suited], machine_of(CardTest("banker-start", same=("suit",))), 1000))  # other places
    2
    """

    def shared(machine: Machine) -> int:
        return len({*machine.places} & {*own.places})

    for machine in sorted(machines, key=shared, reverse=True):
        found = both(machine, own, max(most, machine.size + own.size)) if shared(machine) else None
        if found is not None:
            return [found if each is machine else each for each in machines]
    return [*machines, own]
