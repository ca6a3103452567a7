"""Partly dealt coups: cards told apart as finely as tests ask, and deals that no further card tells apart together."""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import PAIRS, RANKS, SUITS, Card
from punto.rulebook.patterns import RED, CardTest

Array = NDArray[np.int64]
Mask = NDArray[np.bool_]
Place = tuple[int, int]

CARDS = tuple(Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in SUITS)
"""Every card, in the order of the counts of a shoe by rank and suit."""

PLAYER_THIRD: Place = (0, 2)
BANKER_THIRD: Place = (1, 2)
ALL_PLACES: tuple[Place, ...] = ((0, 0), (0, 1), (1, 0), (1, 1), PLAYER_THIRD, BANKER_THIRD)


class CardClasses(msgspec.Struct, frozen=True, eq=False):
    """Cards that some tests do not tell apart any further: what the cards of each class have in common."""

    of: Array
    """The class of each card."""
    value: Array
    rank: Array
    suit: Array
    red: Array
    means: Array
    """By test and class, whether the test means its cards."""

    def counts(self, shoe: Array) -> Array:
        """How many cards of each class a shoe has."""
        return np.array([shoe[self.of == each].sum() for each in range(len(self.value))])


def classes_of(tests: Sequence[CardTest], *, values: bool, ranks: bool) -> CardClasses:
    """The classes of cards that these tests ask for, and values, or ranks for pairs."""

    def told_apart(card: Card, likeness: str) -> bool:
        return any(likeness in test.same and test.means(card) for test in tests)

    keys = []
    for card in CARDS:
        by_rank = ranks or told_apart(card, "rank") or any(test.kinds and test.means(card) for test in tests)
        keys.append(
            (
                card.value if values else 0,
                card.rank if by_rank else 0,
                SUITS.index(card.suit or "") if told_apart(card, "suit") else 0,
                int(card.suit in RED and told_apart(card, "colour")),
                *(int(test.means(card)) for test in tests),
            )
        )
    order = sorted(set(keys))
    value, rank, suit, red, *means = np.array(order, dtype=np.int64).T
    return CardClasses(np.array([order.index(key) for key in keys]), value, rank, suit, red, np.array(means))


BY_VALUE = classes_of((), values=True, ranks=False)


class PartialDeals(msgspec.Struct, eq=False):
    """Partly dealt coups: the class of each card by its place, and how many deals each stands for."""

    classes: CardClasses
    cards: dict[Place, Array]
    weight: Array
    held: Array
    """A bit for each test that is known to hold."""
    pairs: Array

    def take(self, chosen: Mask) -> "PartialDeals":
        """Some of them."""
        cards = {place: each[chosen] for place, each in self.cards.items()}
        return PartialDeals(self.classes, cards, self.weight[chosen], self.held[chosen], self.pairs[chosen])

    def value(self, place: Place) -> Array:
        """What the card at a place counts; nothing where none was drawn."""
        if place not in self.cards:
            return np.zeros(len(self.weight), dtype=np.int64)
        found: Array = self.classes.value[self.cards[place]]
        return found

    def two_cards(self, hand: int) -> Array:
        """The points of a hand's first two cards."""
        found: Array = (self.value((hand, 0)) + self.value((hand, 1))) % 10
        return found

    def points(self, hand: int) -> Array:
        """The points of a hand."""
        found: Array = (self.two_cards(hand) + self.value((hand, 2))) % 10
        return found


def merged(deals: PartialDeals) -> PartialDeals:
    """The same deals by value alone, those that no further card can tell apart counted together."""
    key = deals.held * len(PAIRS) + deals.pairs
    for place in ALL_PLACES:
        key = key * 11 + (deals.value(place) if place in deals.cards else 10)
    order = np.argsort(key, kind="stable")
    _, first = np.unique(key[order], return_index=True)
    chosen = order[first]
    weight = np.add.reduceat(deals.weight[order], first) if len(first) else deals.weight
    cards = {place: deals.value(place)[chosen] for place in deals.cards}
    return PartialDeals(BY_VALUE, cards, weight, deals.held[chosen], deals.pairs[chosen])
