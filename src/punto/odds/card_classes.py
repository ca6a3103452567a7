"""Classes of cards: told apart only as finely as the tests of a bet ask."""

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from punto.coup import RANKS, SUITS, Card
from punto.rulebook.patterns import RED, CardTest

Array = NDArray[np.int64]
Mask = NDArray[np.bool_]

CARDS = tuple(Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in SUITS)
"""Every card, in the order of the counts of a shoe by rank and suit."""


class CardClasses(msgspec.Struct, frozen=True, eq=False):
    """Cards that some tests do not tell apart any further: what the cards of each class have in common.

    Behind the classes stands one more for the place of a card that is not drawn: nothing is said of it.
    """

    of: Array
    """The class of each card."""
    value: Array
    rank: Array
    suit: Array
    red: Array
    means: dict[CardTest, Mask]
    """By test and class, whether the test means its cards."""

    @property
    def no_card(self) -> int:
        """The class in the place of a card that is not drawn."""
        return len(self.value) - 1

    def counts(self, shoe: Array) -> Array:
        """How many cards of each class a shoe has."""
        return np.bincount(self.of, weights=shoe, minlength=len(self.value)).astype(np.int64)


def asked_of(test: CardTest) -> set[str]:
    """What a test asks of the cards it means: rank, suit, colour."""
    found = set(test.same)
    if test.kinds:
        found.add(test.kind or "rank")
    if test.run is not UNSET or test.sum is not UNSET:
        found.add("rank")
    return found


def classes_of(tests: Sequence[CardTest], *, values: bool, ranks: bool) -> CardClasses:
    """The classes of cards that these tests ask for, and values, or ranks for pairs."""

    def told_apart(card: Card, likeness: str) -> bool:
        return any(likeness in asked_of(test) and test.means(card) for test in tests)

    keys = []
    ranks = ranks or any(test.higher is not UNSET for test in tests)
    for card in CARDS:
        by_rank = ranks or told_apart(card, "rank")
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
    nothing = (0,) * len(order[0])
    value, rank, suit, red, *means = np.array([*order, nothing], dtype=np.int64).T
    meant = {test: each > 0 for test, each in zip(tests, means, strict=True)}
    return CardClasses(np.array([order.index(key) for key in keys]), value, rank, suit, red, meant)
