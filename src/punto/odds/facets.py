"""What a test of cards asks, taken apart: facets, each told by a state of either hand.

A test holds where all of its facets do. Of the cards of one hand a facet needs very little, its *state*: how many of
them are meant, in what they agree, which ranks they have. The states of both hands together decide it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from punto.coup import PAIRS, RANKS
from punto.odds.card_classes import Array, CardClasses, Mask
from punto.odds.laid_hands import distinct, in_order
from punto.rulebook.patterns import COUNTED, PLACES, CardTest
from punto.rulebook.rank_tests import VALUES, height

_NO_CARDS, _ALL_MEANT, _NOT_MEANT = range(3)
_OPEN, _APART = -1, -2  # no card yet to agree with; cards that do not agree
_MOST_IN_A_GROUP = 6

Hand = Sequence[Array]
"""By place the classes of the cards of many hands."""


class Facet(msgspec.Struct, frozen=True, eq=False):
    """A question about the cards of both hands: its states by hand, and for both whether it holds.

    `states` are columns with a row for each laid hand, Player's and Banker's; `decides` tells it for all pairs of some.
    """

    states: tuple[Array, Array]
    decides: Callable[[Array, Array], Mask]


class Decided(msgspec.Struct, frozen=True, eq=False):
    """A facet with states numbered: the state of each laid hand, and by two states whether it holds."""

    of_hands: tuple[Array, Array]
    holds: Mask

    def can_hold(self, hand: int) -> Mask:
        """By laid hand whether it still can, whatever the other one is."""
        return self.with_some(hand)[self.of_hands[hand]]

    def with_some(self, hand: int) -> Mask:
        """By state of one hand whether it holds with some state of the other."""
        return np.asarray(self.holds.any(axis=1 - hand))

    def where_it_fails(self, hand: int) -> int:
        """A state of one hand in which it holds with no other; the first one where there is none."""
        return int(self.with_some(hand).argmin())


def decided(facet: Facet) -> Decided:
    """Number the states of a facet; states that the other hand cannot tell apart are one."""
    (first, of_player), (own, of_banker) = (distinct([*(each - each.min()).T]) for each in facet.states)
    player, banker = facet.states[0][first], facet.states[1][own]
    holds = facet.decides(player, banker)
    kept, rows = same_rows(np.packbits(holds, axis=1))
    also, columns = same_rows(np.packbits(holds[kept].T, axis=1))
    return Decided((rows[of_player], columns[of_banker]), holds[np.ix_(kept, also)])


def same_rows(table: NDArray[Any]) -> tuple[Array, Array]:
    """The first of the rows that are the same, and for each row which of those it is."""
    found: dict[bytes, int] = {}
    which = np.array([found.setdefault(row.tobytes(), len(found)) for row in table])
    kept = np.empty(len(found), dtype=np.int64)
    kept[which[::-1]] = np.arange(len(which) - 1, -1, -1)
    return kept, which


def open_facets(test: CardTest, classes: CardClasses, hands: tuple[Hand, Hand]) -> list[Decided]:
    """The facets of a test, without those that hold whatever is dealt."""
    found = [decided(each) for each in facets_of(test, classes, hands)]
    return [each for each in found if not each.holds.all()]


def facets_of(test: CardTest, classes: CardClasses, hands: tuple[Hand, Hand]) -> list[Facet]:
    """The facets of a test."""
    seen = [_Seen(test, classes, hand, cards) for hand, cards in enumerate(hands)]
    player, banker = seen
    found = []
    if test.count is None:
        found.append(Facet((player.all_meant(), banker.all_meant()), _every_card))
    counts = set(range(_MOST_IN_A_GROUP + 1)) if test.count is None else set(test.count)
    if test.same:
        counts -= {0, 1}
    if test.count is not None or test.same:
        found.append(Facet((player.number(), banker.number()), _so_many(counts)))
    found += [Facet((player.alike(each), banker.alike(each)), _agree) for each in test.same]
    if test.kinds:
        likeness = test.kind or "rank"
        found.append(Facet((player.in_order(likeness), banker.in_order(likeness)), _of_kinds(test.kinds)))
    if test.run is not UNSET:
        found.append(Facet((player.ranks_held(), banker.ranks_held()), _in_a_row(test.run)))
    if test.sum is not UNSET:
        counting = test.counting or COUNTED
        found.append(Facet((player.summed(counting), banker.summed(counting)), _so_many(set(test.sum))))
    if test.higher is not UNSET:
        found.append(Facet((player.heights(), banker.heights()), _higher))
    return found


def pairs_facet(classes: CardClasses, hands: tuple[Hand, Hand], wanted: Sequence[str]) -> Facet:
    """Whether the pairs of both hands are among those wanted: its states are the ranks of pairs, 0 where none is."""
    ranks = tuple(
        np.where(first == second, first, 0)[:, None]
        for first, second, *_ in ([classes.rank[each] for each in hand[:2]] for hand in hands)
    )
    numbers = [PAIRS.index(each) for each in wanted]

    def decides(player: Array, banker: Array) -> Mask:
        one, other = player, banker.T
        found = np.where((one > 0) & (one == other), 4, (one > 0) + 2 * (other > 0))
        return np.isin(found, numbers)

    return Facet((ranks[0], ranks[1]), decides)


class _Seen:
    """The cards of one hand that belong to a test's group, and which of them it means."""

    def __init__(self, test: CardTest, classes: CardClasses, hand: int, cards: Hand) -> None:
        self._test, self._hand, self._all = test, hand, cards
        self._size = len(cards[0])
        own = [cards[at] for of, at in PLACES[test.group] if of == hand and at < len(cards)]
        self._classes, self._cards = classes, own
        self._lies = [each != classes.no_card for each in own]
        self._meant = [classes.means[test][each] for each in own]

    def all_meant(self) -> Array:
        lies, meant = _sum(self._lies, self._size), _sum(self._meant, self._size)
        return np.where(lies == 0, _NO_CARDS, np.where(lies == meant, _ALL_MEANT, _NOT_MEANT))[:, None]

    def number(self) -> Array:
        return _sum(self._meant, self._size)[:, None]

    def _kind(self, likeness: str) -> Array:
        """By class of cards what they must agree in."""
        return {"rank": self._classes.rank, "suit": self._classes.suit, "colour": self._classes.red}[likeness]

    def alike(self, likeness: str) -> Array:
        """What the cards meant have in common."""
        kind = self._kind(likeness)
        seen = np.full(self._size, _OPEN, dtype=np.int64)
        for each, means in self._own():
            own = kind[each]
            seen = np.where(means, np.where((seen == _OPEN) | (seen == own), own, _APART), seen)
        return seen[:, None]

    def in_order(self, likeness: str) -> Array:
        """The ranks, suits or colours of the cards meant in order, counted from 1; 0 where there is no card."""
        first = 0 if likeness == "rank" else 1
        nothing = [np.zeros(self._size, dtype=np.int64)] * (3 - len(self._cards))
        found = [np.where(means, self._kind(likeness)[each] + first, 0) for each, means in self._own()]
        return np.stack(in_order(*found, *nothing), axis=1)

    def ranks_held(self) -> Array:
        """The ranks of the cards meant: a bit for each."""
        found = np.zeros(self._size, dtype=np.int64)
        for each, means in self._own():
            found |= np.where(means, 1 << self._classes.rank[each], 0)
        return found[:, None]

    def summed(self, counting: str) -> Array:
        """What the cards meant count in all."""
        worth = np.array([0, *VALUES[counting]])
        found = [np.where(means, worth[self._classes.rank[each]], 0) for each, means in self._own()]
        return sum(found, np.zeros(self._size, dtype=np.int64))[:, None]

    def heights(self) -> Array:
        """How high the highest card meant is, and the highest of the group it is held against; 0 where none lies."""
        aces = self._test.aces or "low"
        heights = np.array([0, *(height(rank, aces) for rank in range(1, len(RANKS) + 1))])
        found = np.zeros((self._size, 2), dtype=np.int64)
        for each, means in self._own():
            found[:, 0] = np.maximum(found[:, 0], np.where(means, heights[self._classes.rank[each]], 0))
        for hand, at in PLACES[str(self._test.higher)]:
            if hand == self._hand and at < len(self._all):
                found[:, 1] = np.maximum(found[:, 1], heights[self._classes.rank[self._all[at]]])
        return found

    def _own(self) -> Iterator[tuple[Array, Mask]]:
        return zip(self._cards, self._meant, strict=True)


def _sum(masks: Sequence[Mask], size: int) -> Array:
    return sum((mask.astype(np.int64) for mask in masks), np.zeros(size, dtype=np.int64))


def _every_card(player: Array, banker: Array) -> Mask:
    one, other = player, banker.T
    found: Mask = (one != _NOT_MEANT) & (other != _NOT_MEANT) & ((one == _ALL_MEANT) | (other == _ALL_MEANT))
    return found


def _so_many(counts: set[int]) -> Callable[[Array, Array], Mask]:
    def decides(player: Array, banker: Array) -> Mask:
        return np.isin(player + banker.T, list(counts))

    return decides


def _agree(player: Array, banker: Array) -> Mask:
    one, other = player, banker.T
    found: Mask = (one != _APART) & (other != _APART) & ((one == other) | (one == _OPEN) | (other == _OPEN))
    return found


def _of_kinds(kinds: tuple[int, ...]) -> Callable[[Array, Array], Mask]:
    """There are so many of one rank, and so many of another: ranks with as many cards are enough, for each number."""

    def decides(player: Array, banker: Array) -> Mask:
        ours, theirs = (_cards_by_rank(each) for each in (player, banker))
        found = np.ones((len(player), len(banker)), dtype=bool)
        for enough, kind in enumerate(kinds, start=1):
            ranks = np.zeros(found.shape, dtype=np.int8)
            for one, other in zip(ours, theirs, strict=True):
                ranks += one[:, None] + other >= kind
            found &= ranks >= enough
        return found

    return decides


def _cards_by_rank(states: Array) -> NDArray[np.int8]:
    """By rank and state how many cards of a hand have it."""
    return np.stack([(states == rank).sum(axis=1, dtype=np.int8) for rank in range(1, len(RANKS) + 1)])


def _in_a_row(run: int) -> Callable[[Array, Array], Mask]:
    """Ranks of both hands together follow upon each other, so many at least; an ace stands at either end."""
    aces = 1 << 1

    def decides(player: Array, banker: Array) -> Mask:
        held = player | banker.T
        held = np.where(held & aces, held | 1 << (len(RANKS) + 1), held)
        found = held
        for further in range(1, run):
            found = found & (held >> further)
        return np.asarray(found != 0)

    return decides


def _higher(player: Array, banker: Array) -> Mask:
    ours, theirs = (np.maximum(player[:, at, None], banker[None, :, at]) for at in (0, 1))
    return np.asarray((theirs > 0) & (ours > theirs))
