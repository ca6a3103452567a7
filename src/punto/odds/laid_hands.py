"""LaidHands of one side, laid by themselves: which there are, of which kinds, and how many from a shoe."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import comb

import msgspec
import numpy as np

from punto.odds.card_classes import Array, CardClasses

NO_THIRD = 10
"""In the place of the value of a third card."""

TOTALS = 10 * (NO_THIRD + 1)
"""A hand by value alone: its two-card total, and the value of its third card."""

_MOST = 3
"""The cards of a hand."""

_SPARSE = 16
"""Codes are looked up in a table unless it would have so many times their number."""


class LaidHands(msgspec.Struct, frozen=True, eq=False):
    """All hands that can be laid: the classes of their cards by place, and how many orders of cards each stands for.

    `from_shoe` are the places of the cards that come from the shoe: not one that is printed on the layout.
    """

    classes: CardClasses
    cards: tuple[Array, ...]
    orders: Array
    from_shoe: tuple[int, ...]

    @property
    def totals(self) -> Array:
        """By hand its two-card total and its third card, as one number."""
        first, second, *third = (self.classes.value[each] for each in self.cards)
        last = np.full(len(first), NO_THIRD)
        if third:
            last = np.where(self.cards[2] == self.classes.no_card, NO_THIRD, third[0])
        found: Array = (first + second) % 10 * (NO_THIRD + 1) + last
        return found

    def number(self, counts: Array) -> Array:
        """How many there are of each from a shoe, by the counts of classes."""
        drawn = [self.cards[at] for at in self.from_shoe]
        found = self.orders.copy()
        for at, card in enumerate(drawn):
            left = counts[card]
            for earlier in drawn[:at]:
                left = left - (card == earlier)
            found *= np.where(card == self.classes.no_card, 1, left)
        return found


def nothing_laid(classes: CardClasses) -> LaidHands:
    """In the place of a hand that nothing looks at."""
    none = np.array([classes.no_card])
    return LaidHands(classes, (none, none), np.ones(1, dtype=np.int64), ())


def laid(classes: CardClasses, printed: tuple[int, int] | None, *, thirds: bool, in_order: bool) -> LaidHands:
    """Every hand, with and without a third card where `thirds` matter; `printed` is a place and the class there.

    Where nothing looks at the order of the first two cards, a hand stands for both.
    """
    number = classes.no_card
    first, second = (each.reshape(-1) for each in np.indices((number, number)))
    if printed is not None:
        place, own = printed
        chosen = (first, second)[place] == own
    else:
        chosen = (first <= second) | in_order
    first, second = first[chosen], second[chosen]
    both = printed is None and not in_order
    orders = np.where((first != second) & both, 2, 1)
    cards: tuple[Array, ...] = (first, second)
    if thirds:
        start, last = (each.reshape(-1) for each in np.indices((len(first), number + 1)))
        cards, orders = (first[start], second[start], last), orders[start]
    return LaidHands(
        classes, cards, orders, tuple(at for at in range(len(cards)) if printed is None or at != printed[0])
    )


class Kinds(msgspec.Struct, frozen=True, eq=False):
    """LaidHands by kind: those of one kind are the same to the other hand.

    `totals` and `states` are by kind. An *entry* is a set of cards and a kind of which some hands hold it: `shared` and
    `kind` are by entry, in the order of the sets. `hand` and `entry` tell which hand counts in which entry.
    """

    hands: LaidHands
    totals: Array
    states: tuple[Array, ...]
    shared: Array
    kind: Array
    hand: Array
    entry: Array

    def number(self, counts: Array) -> Array:
        """By entry how many hands there are, each as often as it holds the set."""
        number = self.hands.number(counts)[self.hand]  # fewer than 2**53 in all: exact as floats
        return np.bincount(self.entry, weights=number, minlength=len(self.kind)).astype(np.int64)


def kinds_of(
    hands: LaidHands, totals: Array, states: Sequence[Array], most_shared: int, found: tuple[Array, Array]
) -> Kinds:
    """Hands by kind, from what they are by value and the states of each, with the sets that another hand may hold.

    `found` are the first hand of each kind, and the kind of every hand.
    """
    first, kind = found
    none = hands.classes.no_card
    hand, shared = [], []
    for chosen in chain.from_iterable(combinations(hands.from_shoe, size) for size in range(most_shared + 1)):
        held = [hands.cards[at] for at in chosen]
        lies = np.logical_and.reduce([each != none for each in held]) if 2 in chosen else np.ones(len(kind), dtype=bool)
        own = np.flatnonzero(lies)
        hand.append(own)
        shared.append(_set_of([each[own] for each in held], none, len(own)))
    every, number = np.concatenate(hand), len(first)
    entries, entry = numbered(np.concatenate(shared) * number + kind[every], _sets(none) * number)
    return Kinds(
        hands,
        totals[first],
        tuple(each[first] for each in states),
        *np.divmod(entries, number),
        every,
        entry,
    )


def distinct(columns: Sequence[Array]) -> tuple[Array, Array]:
    """Rows of numbers, none negative: the first of each kind, and the kind of every row."""
    code, width = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        wide = int(column.max()) + 1
        if width * wide >= 1 << 62:
            found, code = numbered(code, width)
            width = len(found)
        code, width = code * wide + column, width * wide
    found, kind = numbered(code, width)
    first = np.empty(len(found), dtype=np.int64)
    first[kind[::-1]] = np.arange(len(kind) - 1, -1, -1)
    return first, kind


def numbered(codes: Array, bound: int) -> tuple[Array, Array]:
    """The different ones of some codes below a bound, in order, and for each code which of them it is."""
    if bound > _SPARSE * len(codes):
        found, which = np.unique(codes, return_inverse=True)
        return found, which.reshape(-1)
    there = np.zeros(bound, dtype=bool)
    there[codes] = True
    found = np.flatnonzero(there)
    place = np.empty(bound, dtype=np.int32)
    place[found] = np.arange(len(found))
    return found, place[codes].astype(np.int64)


def _sets(none: int) -> int:
    """How many sets of up to three cards there are, by their classes."""
    return comb(none + _MOST, _MOST)


def in_order(one: Array, other: Array, last: Array) -> tuple[Array, Array, Array]:
    """Three numbers in order, row by row."""
    one, other = np.minimum(one, other), np.maximum(one, other)
    other, last = np.minimum(other, last), np.maximum(other, last)
    return np.minimum(one, other), np.maximum(one, other), last


def _set_of(held: Sequence[Array], none: int, size: int) -> Array:
    """Sets of cards as numbers: of three classes in order, counted as is usual with combinations."""
    nothing = [np.full(size, none, dtype=np.int64)] * (_MOST - len(held))
    one, other, last = in_order(*held, *nothing)
    found: Array = one + other * (other + 1) // 2 + last * (last + 1) * (last + 2) // 6
    return found


def sets_of_cards(classes: CardClasses, counts: Array) -> tuple[Array, Array]:
    """Of all sets of cards, by their classes: how many cards each has, and how many sets of such cards a shoe has."""
    none = classes.no_card
    first, second, third = _classes_of_sets(none)
    size = (first != none) + (second != none).astype(np.int64) + (third != none)
    left = np.where(np.arange(none + 1) == none, 1, counts)
    one, other = (first == second) & (second != none), (second == third) & (third != none)
    ways = left[first] * (left[second] - one) * (left[third] - other - (one & other))
    return size, ways // np.where(one & other, 6, np.where(one | other, 2, 1))


@lru_cache(maxsize=64)
def _classes_of_sets(none: int) -> tuple[Array, Array, Array]:
    """The classes of the cards of each set, in the order of their numbers."""
    last, other, one = np.indices((none + 1,) * _MOST).reshape(_MOST, -1)
    chosen = (one <= other) & (other <= last)
    return one[chosen], other[chosen], last[chosen]
