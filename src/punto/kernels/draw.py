"""A card drawn from a shoe that is held as counts by rank.

A shoe is twelve cumulative counts: how many cards of the first rank are left, of the first two, and so on; the last
rank needs none. A draw is a mark below the number of cards left. The ranks stand in an order of their own,
9 8 7 6 5 4 3 2 A T J Q K, so that the number of counts above the mark (the card's *height*) tells the rank, and how
many of the first nine are above it is the value of the card. A mark above every count draws nothing and has the value
0, so that a third card that is not due needs no branch.

Shoes are held in registers of different kinds: plain numbers, 16-bit lanes, two shoes to a register on a GPU. Only the
arithmetic differs, which is passed in.
"""

from collections.abc import Callable
from typing import Any

from punto.kernels.compiled import part

RANK_ORDER = (9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 11, 12, 13)
"""The ranks of `punto.coup`, in the order in which a shoe counts them."""

TENS = 4
"""Ranks that count nothing, the last in that order."""

Operation = Callable[[Any, Any], Any]


@part
def rank_of(height: int) -> int:
    """The rank of a drawn card, from its height.

    >>> [rank_of(height) for height in range(13)]
    [13, 12, 11, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    return 13 - height if height < TENS else height - 3


@part
def value_of(height: int) -> int:
    """The value of a drawn card, from its height.

    >>> [value_of(height) for height in range(13)]
    [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    return 0 if height < TENS else height - 3


def draw_with(above: Operation, minus: Operation, plus: Operation) -> Operation:
    """The draw by some arithmetic; `above` is 1 where a count is above a mark, else 0.

    It returns the card's value, its height, and the counts that are left.

    >>> draw = draw_with(lambda count, mark: int(count > mark), lambda a, b: a - b, lambda a, b: a + b)
    >>> shoe = (4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)  # one deck
    >>> draw(9, shoe)  # the tenth card is a 7
    (7, 10, (4, 8, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47))
    >>> draw(52, shoe) == (0, 0, shoe)
    True
    """

    def draw(mark: Any, counts: Any) -> Any:
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 = counts
        t0, t1, t2, t3 = above(c0, mark), above(c1, mark), above(c2, mark), above(c3, mark)
        t4, t5, t6, t7 = above(c4, mark), above(c5, mark), above(c6, mark), above(c7, mark)
        t8, t9, t10, t11 = above(c8, mark), above(c9, mark), above(c10, mark), above(c11, mark)
        value = plus(plus(plus(t0, t1), plus(t2, t3)), plus(plus(t4, t5), plus(plus(t6, t7), t8)))
        height = plus(value, plus(plus(t9, t10), t11))
        c0, c1, c2, c3 = minus(c0, t0), minus(c1, t1), minus(c2, t2), minus(c3, t3)
        c4, c5, c6, c7 = minus(c4, t4), minus(c5, t5), minus(c6, t6), minus(c7, t7)
        c8, c9, c10, c11 = minus(c8, t8), minus(c9, t9), minus(c10, t10), minus(c11, t11)
        return value, height, (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11)

    return draw


def full_counts_with(plus: Operation) -> Operation:
    """The counts of a full shoe by some arithmetic, from none and the cards of one rank.

    >>> full_counts_with(lambda a, b: a + b)(0, 4)
    (4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
    """

    def full_counts(none: Any, a_rank: Any) -> Any:
        c0 = plus(none, a_rank)
        c1 = plus(c0, a_rank)
        c2 = plus(c1, a_rank)
        c3 = plus(c2, a_rank)
        c4 = plus(c3, a_rank)
        c5 = plus(c4, a_rank)
        c6 = plus(c5, a_rank)
        c7 = plus(c6, a_rank)
        c8 = plus(c7, a_rank)
        c9 = plus(c8, a_rank)
        c10 = plus(c9, a_rank)
        c11 = plus(c10, a_rank)
        return c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11

    return full_counts
