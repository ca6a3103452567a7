"""The rounds of some shoes, with what is unseen before each of them."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK
from punto.exposure.net_classes import Ints
from punto.exposure.net_sums import ranks_of
from punto.exposure.procedure import DealingProcedure
from punto.kernels.deal import DRAWS, RANKS, deal_shoes
from punto.kernels.deal_faces import deal_faces
from punto.kernels.generator import hash_of


class DealtRounds(msgspec.Struct, frozen=True):
    """All rounds of some shoes, one after the other.

    `ends` tells for each shoe where its rounds end. For each round: the unseen cards by rank before it (burnt cards
    are unseen), where suits were asked for also by rank and suit, the cards left in the shoe, and the heights of its
    six cards, -1 where none was drawn.
    """

    first: int
    ends: Ints
    unseen: NDArray[np.uint8]
    unseen_by_suit: NDArray[np.uint8] | None
    left: NDArray[np.int16]
    cards: NDArray[np.int8]
    faces: NDArray[np.int8] | None = None
    """The faces of the six cards, where suits were asked for."""


def deal_rounds(dealing: DealingProcedure, seed: int, first: int, shoes: int, *, by_suit: bool = False) -> DealtRounds:
    """Deal shoes by their numbers: by the plain procedure the same that `punto.simulation` deals.

    >>> from punto.kernels.draw import value_of
    >>> found = deal_rounds(DealingProcedure(), 1, 0, 2)
    >>> [value_of(int(height)) for height in found.cards[1]], int(found.left[1])
    ([4, 2, 0, 8, 5, 7], 412)
    """
    most = dealing.most_rounds * shoes
    ends = np.zeros(shoes, dtype=np.int64)
    left, cards = np.zeros(most, dtype=np.int16), np.zeros((most, DRAWS), dtype=np.int8)
    unseen = np.zeros((most, CARDS_IN_A_DECK if by_suit else RANKS), dtype=np.uint8)
    if by_suit:
        deal_faces(hash_of(seed), first, dealing.parameters, dealing.on_layout, ends, unseen, left, cards)
    else:
        deal_shoes(hash_of(seed), first, dealing.parameters, ends, unseen, left, cards)
    number = int(ends[-1]) if shoes else 0
    unseen, left, cards = unseen[:number], left[:number], cards[:number]
    if not by_suit:
        return DealtRounds(first, ends, unseen, None, left, cards)
    return DealtRounds(first, ends, ranks_of(unseen), unseen, left, cards >> 2, cards)  # a face is height x 4 + suit
