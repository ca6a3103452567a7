"""Rounds of two shoes with the faces of their cards, as a GPU's thread deals them. Imported only where a GPU is used.

The shoes are those of `gpu`. By rank alone nothing more is drawn than there. Where suits are asked for, those of a
shoe's cards are a word for each rank in shared memory: how many cards are left of the first suit, of the first two and
of the first three, a byte each.
"""

from importlib import import_module
from typing import Any

import numpy as np

from punto.kernels.beside_printed import round_beside_with
from punto.kernels.deal import DRAWS, RANKS, round_with
from punto.kernels.draw import draw_with
from punto.kernels.faces import NO_FACE
from punto.kernels.gpu import device
from punto.simulation.gpu import bit, burn_cards, next_word
from punto.simulation.gpu import deal_beside as deal_heights_beside
from punto.simulation.gpu import deal_pair as deal_heights
from punto.simulation.half_instructions import above, fma, larger, minus, plus
from punto.simulation.packed import (
    BARE,
    LOW,
    NEITHER_STANDS,
    NOTHING,
    banker_stands_with,
    draw_with_places,
    look_up_with,
    player_stands,
)

cuda: Any = import_module("numba.cuda")

EIGHTHS, ONES = np.uint32(0x808080), np.uint32(0x010101)
U32 = np.uint32

draw_pair = device(draw_with_places(draw_with(above, minus, plus), above, minus, fma, larger))
deal_pair = device(
    round_with(draw_pair, plus, look_up_with(plus, fma), player_stands, banker_stands_with(plus, bit), NEITHER_STANDS)
)


@device
def low(halves: Any) -> Any:
    """The number in the lower half of a register, from a sum with 1024."""
    return U32(halves & LOW) - BARE


@device
def high(halves: Any) -> Any:
    """The number in the upper half."""
    return U32(halves >> U32(16)) - BARE


# Faces by rank alone


@device
def ranked(height: Any) -> Any:
    """The faces of a card of two shoes where no suit is asked for: each is of the first one."""
    raised = plus(height, NOTHING)
    return U32(low(raised) << U32(2)), U32(high(raised) << U32(2))


@device
def first_ranked(height: Any, at: Any, printed: Any) -> Any:
    """The faces of a first card of two shoes: of the drawn ones, or of the one that is printed at its place."""
    place, _, _, face = printed
    a, b = ranked(height)
    return (U32(face), U32(face)) if at == place else (a, b)


@device
def third_face(face: Any, stood: Any) -> Any:
    """The face of a third card, `NO_FACE` where none is drawn."""
    return U32(NO_FACE) if stood else face


@device
def ranked_faces(_suits: Any, _where: Any, heights: Any, player: Any, banker: Any, printed: Any) -> Any:
    """The faces of a round of two shoes, by the heights of its cards."""
    h1, h2, h3, h4, h5, h6 = heights
    a1, b1 = first_ranked(h1, 0, printed)
    a2, b2 = first_ranked(h2, 1, printed)
    a3, b3 = first_ranked(h3, 2, printed)
    a4, b4 = first_ranked(h4, 3, printed)
    a5, b5 = ranked(h5)
    a6, b6 = ranked(h6)
    a5, b5 = third_face(a5, player[0]), third_face(b5, player[1])
    a6, b6 = third_face(a6, banker[0]), third_face(b6, banker[1])
    return (a1, a2, a3, a4, a5, a6), (b1, b2, b3, b4, b5, b6)


@device
def heights_alone(heights: Any) -> Any:
    """The heights of the cards of a round, where they are all that was drawn."""
    return heights


@device
def burn_ranked(_suits: Any, a: Any, b: Any, left: Any, counts: Any, dealing: Any, _where: Any) -> Any:
    """Draw the first cards of two shoes unseen."""
    _, burn, _, _ = dealing
    return burn_cards(a, b, left, counts, burn)


@device
def deal_ranked(play: Any, words: Any, left: Any, counts: Any, _: Any) -> Any:
    """A round of two shoes by rank, without a printed card."""
    return deal_heights(play, words, left, counts)


@device
def deal_ranked_beside(play: Any, words: Any, left: Any, counts: Any, printed: Any) -> Any:
    """The same with a printed card."""
    place, value, height, _ = printed
    return deal_heights_beside(play, words, left, counts, (place, value, height))


# Faces by rank and suit


@device
def draw_suit(suits: Any, at: Any, place: Any) -> Any:
    """The suit of the card at a place among those of its rank, whose word is at an index; the card is taken out."""
    word = suits[at]
    taken = U32(U32(U32(word | EIGHTHS) - U32(U32(place + U32(1)) * ONES)) >> U32(7)) & ONES
    suits[at] = U32(word - taken)
    return U32(3) - U32(cuda.popc(taken))


@device
def face_of(suits: Any, column: Any, columns: Any, card: Any) -> Any:
    """The face of a card, its suit taken out of the words of its shoe."""
    height, place = card
    suit = draw_suit(suits, U32(height * columns) + column, place)
    return U32(U32(height * U32(4)) + suit)


@device
def split(card: Any) -> Any:
    """Height and place of a card of two shoes, as whole numbers: of the first, and of the second."""
    height, place = card
    raised, place = plus(height, NOTHING), plus(place, NOTHING)
    return (low(raised), low(place)), (high(raised), high(place))


@device
def first_face(suits: Any, column: Any, columns: Any, card: Any, at: Any, printed: Any) -> Any:
    """The face of a first card: of the printed one itself, which is in no shoe."""
    place, _, _, face = printed
    if at == place:
        return U32(face)
    return face_of(suits, column, columns, card)


@device
def faces_of_shoe(suits: Any, column: Any, columns: Any, cards: Any, stood: Any, printed: Any) -> Any:
    """The faces of a round of one shoe."""
    c1, c2, c3, c4, c5, c6 = cards
    player_stood, banker_stood = stood
    f1 = first_face(suits, column, columns, c1, 0, printed)
    f2 = first_face(suits, column, columns, c2, 1, printed)
    f3 = first_face(suits, column, columns, c3, 2, printed)
    f4 = first_face(suits, column, columns, c4, 3, printed)
    fifth, sixth = U32(NO_FACE), U32(NO_FACE)
    if not player_stood:
        fifth = face_of(suits, column, columns, c5)
    if not banker_stood:
        sixth = face_of(suits, column, columns, c6)
    return f1, f2, f3, f4, fifth, sixth


@device
def suited_faces(suits: Any, where: Any, cards: Any, player: Any, banker: Any, printed: Any) -> Any:
    """The faces of a round of two shoes, by heights and places of its cards."""
    column, second, columns = where
    c1, c2, c3, c4, c5, c6 = cards
    a1, b1 = split(c1)
    a2, b2 = split(c2)
    a3, b3 = split(c3)
    a4, b4 = split(c4)
    a5, b5 = split(c5)
    a6, b6 = split(c6)
    faces_a = faces_of_shoe(suits, column, columns, (a1, a2, a3, a4, a5, a6), (player[0], banker[0]), printed)
    faces_b = faces_of_shoe(suits, second, columns, (b1, b2, b3, b4, b5, b6), (player[1], banker[1]), printed)
    return faces_a, faces_b


@device
def heights_of(cards: Any) -> Any:
    """The heights of the cards of a round."""
    c1, c2, c3, c4, c5, c6 = cards
    return c1[0], c2[0], c3[0], c4[0], c5[0], c6[0]


@device
def begin_suits(suits: Any, column: Any, columns: Any, decks: Any) -> None:
    """The words of a full shoe."""
    for rank in range(RANKS):
        suits[U32(U32(rank) * columns) + column] = U32(decks * U32(0x030201))


@device
def burn_suited(suits: Any, a: Any, b: Any, left: Any, counts: Any, dealing: Any, where: Any) -> Any:
    """Lay the suits of two full shoes, and draw their first cards unseen; a burn takes whole rounds of words."""
    decks, burn, _, _ = dealing
    column, second, columns = where
    begin_suits(suits, column, columns, decks)
    begin_suits(suits, second, columns, decks)
    for number in range((burn + DRAWS - 1) // DRAWS * DRAWS):
        word_a, a = next_word(*a)
        word_b, b = next_word(*b)
        if number < burn:
            _, card, left, counts = draw_pair((word_a, word_b), left, counts, NEITHER_STANDS)
            card_a, card_b = split(card)
            face_of(suits, column, columns, card_a)
            face_of(suits, second, columns, card_b)
    return a, b, left, counts


@device
def deal_suited(play: Any, words: Any, left: Any, counts: Any, _: Any) -> Any:
    """A round of two shoes by rank and place, without a printed card."""
    return deal_pair(play, words, left, counts)


@device
def lay_pair(words: Any, left: Any, counts: Any, at: Any, printed: Any) -> Any:
    """The first card at a place of two shoes: drawn, or the printed one."""
    place, own_value, own_height, _ = printed
    stands = U32(1) if at == place else U32(0)
    value, card, left, counts = draw_pair(words, left, counts, (stands, stands))
    height, among = card
    return own_value if stands else value, (own_height if stands else height, among), left, counts


deal_suited_beside = device(
    round_beside_with(lay_pair, draw_pair, plus, look_up_with(plus, fma), player_stands, banker_stands_with(plus, bit))
)
