"""Shoes dealt one by one with the suits of their cards, where every card matters.

A shoe is a list of the cards left, those of the rank that is counted first in front and each rank by suit; a mark takes
out the card at its place. The same words deal the same ranks as `punto.kernels.deal`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, MOST_DECKS, STOOD
from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.deal import A_RANK, DRAWS, NOT_DRAWN, RANKS, TEN, Parameters, deals_another
from punto.kernels.draw import rank_of, value_of
from punto.kernels.generator import six_words, step, stream_of
from punto.kernels.play import banker_draws, player_draws

I8, I32, I64, U8, U64 = np.int8, np.int32, np.int64, np.uint8, np.uint64

Shoe = NDArray[np.int8]


@part
def fill(shoe: Shoe, decks: int) -> int:
    """Put all cards into a shoe; how many there are."""
    for at in range(CARDS_IN_A_DECK * decks):
        height, suit = RANKS - 1 - at // (A_RANK * decks), at % (A_RANK * decks) // decks
        shoe[at] = I8(height * A_RANK + suit)
    return CARDS_IN_A_DECK * decks


@part
def take(shoe: Shoe, left: int, word: Any) -> int:
    """The face that a word takes out of the cards left."""
    at = I64(U64(word) * U64(left) >> U64(32))
    face = shoe[at]
    for place in range(at, left - 1):
        shoe[place] = shoe[place + 1]
    return int(face)


@part
def place_of(face: int) -> int:
    """The place of a card among all 52 by rank, ace first, and suit."""
    return (rank_of(face // A_RANK) - 1) * A_RANK + face % A_RANK


@part
def points(face: int) -> int:
    """What a card counts."""
    return value_of(face // A_RANK)


@part
def begin(shoe: Shoe, hashed: np.uint64, number: int, dealing: Parameters) -> Any:
    """A shoe with its first cards burnt: its stream, the cards left, and the face turned up."""
    decks, burn, _, _, casino = dealing
    state, left = stream_of(hashed, number), fill(shoe, decks)
    burnt, words, turned_up = I64(burn), 0, NOT_DRAWN
    while words < burnt or words % DRAWS != 0:
        word, state = step(*state)
        if words < burnt:
            face = take(shoe, left, word)
            left -= 1
            if casino and words == 0:
                turned_up = face
                burnt = I64(1 + (points(face) if points(face) else TEN))
        words += 1
    return state, left, turned_up


@part
def lay(shoe: Shoe, left: int, word: Any, at: int, printed: tuple[int, int]) -> tuple[int, int]:
    """The face of a first card, drawn or in print on the layout; the cards left."""
    place, face = printed
    if at == place:
        return face, left
    return take(shoe, left, word), left - 1


@part
def deal_round(shoe: Shoe, left: int, words: Any, printed: tuple[int, int], faces: NDArray[np.int8]) -> int:
    """Deal a round and write its faces, `NOT_DRAWN` where there is none; the cards left."""
    w1, w2, w3, w4, w5, w6 = words
    f1, left = lay(shoe, left, w1, 0, printed)
    f2, left = lay(shoe, left, w2, 1, printed)
    f3, left = lay(shoe, left, w3, 2, printed)
    f4, left = lay(shoe, left, w4, 3, printed)
    player, banker = (points(f1) + points(f3)) % TEN, (points(f2) + points(f4)) % TEN
    f5, f6, third = NOT_DRAWN, NOT_DRAWN, STOOD
    if player_draws(player, banker):
        f5 = take(shoe, left, w5)
        third, left = points(f5), left - 1
    if banker_draws(player, banker, third):
        f6 = take(shoe, left, w6)
        left -= 1
    faces[0], faces[1], faces[2] = I8(f1), I8(f2), I8(f3)
    faces[3], faces[4], faces[5] = I8(f4), I8(f5), I8(f6)
    return left


@kernel
def deal_faces(
    hashed: np.uint64,
    first: int,
    dealing: Parameters,
    printed: tuple[int, int],
    ends: NDArray[np.int64],
    unseen: NDArray[np.uint8],
    lefts: NDArray[np.int16],
    cards: NDArray[np.int8],
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Deal shoes one after the other, and write where the rounds of each end.

    Of each round are written the unseen cards by rank and suit, the cards left in the shoe before it, and its faces.
    `printed` is the place and the face of a card that is printed on the layout, the place below 0 where none is.
    """
    held, shoe = np.empty(CARDS_IN_A_DECK, np.uint8), np.empty(CARDS_IN_A_DECK * MOST_DECKS, np.int8)
    at = 0
    for number in range(len(ends)):
        state, left, turned_up = begin(shoe, hashed, first + number, dealing)
        held[:] = U8(dealing[0])
        if turned_up >= 0:
            held[place_of(turned_up)] -= U8(1)
        done, was_last = 0, False
        while deals_another(dealing, done, left, was_last):
            was_last = left < dealing[2]
            lefts[at] = left
            for card in range(CARDS_IN_A_DECK):
                unseen[at, card] = held[card]
            words, state = six_words(state)
            left = deal_round(shoe, left, words, printed, cards[at])
            for card in range(DRAWS):
                if cards[at, card] >= 0 and card != printed[0]:
                    held[place_of(int(cards[at, card]))] -= U8(1)
            at += 1
            done += 1
        ends[number] = at
