"""The rounds of some shoes, with what is unseen before each of them."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.exposure.net_classes import Ints
from punto.exposure.procedure import DealingProcedure
from punto.kernels.deal import DRAWS, deal_shoes
from punto.kernels.generator import hash_of


class DealtRounds(msgspec.Struct, frozen=True):
    """All rounds of some shoes, one after the other.

    `ends` tells for each shoe where its rounds end. For each round: the unseen cards by rank before it (burnt cards
    are unseen), the cards left in the shoe, and the heights of its six cards, -1 where none was drawn.
    """

    first: int
    ends: Ints
    unseen: NDArray[np.uint8]
    left: NDArray[np.int16]
    cards: NDArray[np.int8]


def deal_rounds(dealing: DealingProcedure, seed: int, first: int, shoes: int) -> DealtRounds:
    """Deal shoes by their numbers: by the plain procedure the same that `punto.simulation` deals.

    >>> from punto.kernels.draw import value_of
    >>> found = deal_rounds(DealingProcedure(), 1, 0, 2)
    >>> [value_of(int(height)) for height in found.cards[1]], int(found.left[1])
    ([4, 2, 0, 8, 5, 7], 412)
    """
    most = dealing.most_rounds * shoes
    ends = np.zeros(shoes, dtype=np.int64)
    unseen, left = np.zeros((most, 13), dtype=np.uint8), np.zeros(most, dtype=np.int16)
    cards = np.zeros((most, DRAWS), dtype=np.int8)
    deal_shoes(hash_of(seed), first, dealing.parameters, ends, unseen, left, cards)
    number = int(ends[-1]) if shoes else 0
    return DealtRounds(first, ends, unseen[:number], left[:number], cards[:number])
