"""A card drawn by rank and suit. The rank is that of `punto.kernels.draw`, from the same mark.

The mark stands for one card of those left. How far it lies behind the cards of the ranks before it says which card of
its rank it is, and so its suit: the cards of a rank lie by suit. How many are left of each suit is a *word* for each
rank, four bits for a suit: there are at most twelve decks.
"""

from typing import Any

from punto.coup import CARDS_IN_A_DECK
from punto.kernels.compiled import part
from punto.kernels.deal import numbers_of
from punto.kernels.draw import draw_with

NO_FACE = CARDS_IN_A_DECK
"""In the place of a face, which is the height of a card times four and its suit: no card was drawn."""

A_SUIT = 0x1111
"""A card of each suit, as a word."""


@part
def full_suits(word: Any) -> Any:
    """The words of a full shoe."""
    return word, word, word, word, word, word, word, word, word, word, word, word, word


def draw_face_with(kind: Any) -> Any:
    """The draw of a face, in whole numbers of one kind: 16 bits or more.

    It takes a mark, and cards left as cumulative counts and words; whether a card is due at all, because a mark above
    every count draws none. It returns the card's value, its face, and what is left.

    >>> import numpy as np
    >>> from punto.kernels.deal import full_counts
    >>> draw = draw_face_with(np.int32)
    >>> shoe = full_counts(np.int32(0), np.int32(4)), full_suits(np.int32(A_SUIT))  # one deck
    >>> value, face, left = draw(np.int32(9), shoe, True)  # the tenth card is the second seven, of diamonds
    >>> int(value), divmod(int(face), 4), hex(left[1][2])
    (7, (10, 1), '0x1101')
    """
    above, minus, plus, _, _ = numbers_of(kind)
    draw_card = part(draw_with(above, minus, plus))

    @part
    def before(mark: Any, counts: Any) -> Any:
        """How many cards lie before those of the card's rank."""
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 = counts
        found = kind(0)
        found = found if c0 > mark else c0
        found = found if c1 > mark else c1
        found = found if c2 > mark else c2
        found = found if c3 > mark else c3
        found = found if c4 > mark else c4
        found = found if c5 > mark else c5
        found = found if c6 > mark else c6
        found = found if c7 > mark else c7
        found = found if c8 > mark else c8
        found = found if c9 > mark else c9
        found = found if c10 > mark else c10
        return found if c11 > mark else c11

    @part
    def word_at(mark: Any, counts: Any, words: Any) -> Any:
        """The word of the card's rank."""
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 = counts
        w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12 = words
        found = w11 if c11 > mark else w12
        found = w10 if c10 > mark else found
        found = w9 if c9 > mark else found
        found = w8 if c8 > mark else found
        found = w7 if c7 > mark else found
        found = w6 if c6 > mark else found
        found = w5 if c5 > mark else found
        found = w4 if c4 > mark else found
        found = w3 if c3 > mark else found
        found = w2 if c2 > mark else found
        found = w1 if c1 > mark else found
        return w0 if c0 > mark else found

    @part
    def without(mark: Any, counts: Any, words: Any, card: Any) -> Any:
        """The words without a card of the card's rank: what is taken from each is what the one before it keeps."""
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 = counts
        w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12 = words
        none = kind(0)
        t0, t1, t2 = card if c0 > mark else none, card if c1 > mark else none, card if c2 > mark else none
        t3, t4, t5 = card if c3 > mark else none, card if c4 > mark else none, card if c5 > mark else none
        t6, t7, t8 = card if c6 > mark else none, card if c7 > mark else none, card if c8 > mark else none
        t9, t10, t11 = card if c9 > mark else none, card if c10 > mark else none, card if c11 > mark else none
        w0, w1, w2 = kind(w0 - t0), kind(w1 - kind(t1 - t0)), kind(w2 - kind(t2 - t1))
        w3, w4, w5 = kind(w3 - kind(t3 - t2)), kind(w4 - kind(t4 - t3)), kind(w5 - kind(t5 - t4))
        w6, w7, w8 = kind(w6 - kind(t6 - t5)), kind(w7 - kind(t7 - t6)), kind(w8 - kind(t8 - t7))
        w9, w10, w11 = kind(w9 - kind(t9 - t8)), kind(w10 - kind(t10 - t9)), kind(w11 - kind(t11 - t10))
        return w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, kind(w12 - kind(card - t11))

    @part
    def draw_face(mark: Any, left: Any, due: Any) -> Any:
        """A card by its mark, if it is due."""
        counts, words = left
        value, height, fewer = draw_card(mark, counts)
        place, word = kind(mark - before(mark, counts)), word_at(mark, counts, words)
        clubs = kind(word & 15)
        diamonds = kind(clubs + kind(kind(word >> 4) & 15))
        hearts = kind(diamonds + kind(kind(word >> 8) & 15))
        suit, card = kind(0), kind(1)
        suit, card = (kind(1), kind(0x10)) if place >= clubs else (suit, card)
        suit, card = (kind(2), kind(0x100)) if place >= diamonds else (suit, card)
        suit, card = (kind(3), kind(0x1000)) if place >= hearts else (suit, card)
        face = kind(kind(height * 4) + suit) if due else kind(NO_FACE)
        return value, face, (fewer, without(mark, counts, words, card if due else kind(0)))

    return draw_face
