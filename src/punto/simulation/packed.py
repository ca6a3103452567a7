"""Two shoes in each register, as a GPU thread deals them: one in each half of its 32 bits.

The counts are 16-bit floats, each kept as 1024 + count: there every whole number up to 2047 has its own float, and its
lowest bits are the number itself, so that no conversion is ever needed. `above` is then a subtraction that saturates at
0 and 1. Nothing branches; the Table of Play is looked up in a table of 361 words that `play_table` fills by asking
`punto.coup` for every cell.

The arithmetic on halves is passed in, so that the same source runs on a GPU and, with halves made of Python, in a test.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import OUTCOMES, STOOD
from punto.coup.play import banker_draws, outcome_index, player_draws
from punto.kernels.draw import Operation
from punto.simulation.cells import DRAWN_ROWS, LAST, ROWS, Counts, row_of

U32, U64 = np.uint32, np.uint64

SUMS = 19
"""Two card values add up to 0 to 18."""

STOOD_AT = 8192
"""Rows of rounds in which the Player stood are counted from this place on, so that one bit of a place says so."""

ROW_CELLS = STOOD_AT + (ROWS - DRAWN_ROWS) * LAST


def both(number: float) -> np.uint32:
    """A number in both halves.

    >>> hex(both(1024))
    '0x64006400'
    """
    return U32(int(np.float16(number).view(np.uint16)) * 0x10001)


NOTHING, ONE, FIVE, NINE, TEN, NINETEEN = both(1024), both(1), both(5), both(9), both(10), both(19)
MINUS_TWO, MINUS_TEN, MINUS_HUNDRED, THREE_MORE = both(-2), both(-10), both(-100), both(1027)
MINUS_ALL = both(-2048)
LOW, BARE = U32(0xFFFF), U32(0x6400)
"""The lower half of a word, and the bits of 1024 in it."""

BEYOND = U32(1023)
NEITHER_STANDS = U32(0), U32(0)


def play_table() -> NDArray[np.uint32]:
    """For each sum of the Player's and of the Banker's two cards what the Table of Play says.

    Bits 0 to 9: the Banker stands against that third card (bit 0 if the Player stood). From bit 16: where the
    round's row is counted; bit 29 is set if the Player stands.
    """
    table = np.zeros(SUMS * SUMS, dtype=np.uint32)
    for banker_sum in range(SUMS):
        for player_sum in range(SUMS):
            player, banker = player_sum % 10, banker_sum % 10
            if player_draws(player, banker):
                stands = sum((not banker_draws(player, banker, third)) << third for third in range(10))
                at = row_of(player, banker, 0) * LAST
            else:
                stands = int(not banker_draws(player, banker, STOOD))
                at = STOOD_AT + (row_of(player, banker, STOOD) - DRAWN_ROWS) * LAST
            table[banker_sum * SUMS + player_sum] = stands | at << 16
    return table


def outcome_order() -> NDArray[np.int16]:
    """The outcomes in the order in which `count_with` counts them."""
    found = np.zeros(OUTCOMES, dtype=np.int16)
    for player in range(10):
        for banker in range(10):
            for pairs in range(5):
                for player_stands in range(2):
                    for banker_stands in range(2):
                        at = 1000 * banker_stands + 500 * player_stands + (player * 10 + banker) * 5 + pairs
                        found[at] = outcome_index(player, banker, 3 - player_stands, 3 - banker_stands, pairs)
    return found


def rows_of(cells: Counts) -> Counts:
    """Counts of row by the Banker's third card."""
    return np.concatenate((cells[: DRAWN_ROWS * LAST], cells[STOOD_AT:])).reshape(ROWS, LAST)


def marks_of(words: Any, left: Any, stands: Any) -> Any:
    """The marks of two shoes, and the cards left in each."""
    word_a, word_b = words
    left_a, left_b = left
    stands_a, stands_b = stands
    mark_a = U32(U32(U64(word_a) * U64(left_a) >> U64(32)) + U32(stands_a * BEYOND))
    mark_b = U32(U32(U64(word_b) * U64(left_b) >> U64(32)) + U32(stands_b * BEYOND))
    after = U32(left_a - U32(1) + stands_a), U32(left_b - U32(1) + stands_b)
    return U32(mark_a + U32(mark_b << U32(16)) + NOTHING), after


def draw_with_marks(draw_card: Operation) -> Callable[..., Any]:
    """A card for each of two shoes, by the draw of `punto.kernels.draw`; a hand that stands (1) draws none.

    Its mark is then beyond every count.
    """

    def draw(words: Any, left: Any, counts: Any, stands: Any) -> Any:
        mark, after = marks_of(words, left, stands)
        value, height, counts = draw_card(mark, counts)
        return value, height, after, counts

    return draw


def draw_with_places(
    draw_card: Operation,
    above: Operation,
    minus: Operation,
    fma: Callable[[Any, Any, Any], Any],
    larger: Operation,
) -> Callable[..., Any]:
    """The same, and in the place of the height both that and the card's place among those of its rank.

    The cards of the ranks before it are the largest count that is not above the mark. `larger` is the larger of two.
    """

    def before(mark: Any, counts: Any) -> Any:
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 = counts
        found = larger(NOTHING, fma(above(c0, mark), MINUS_ALL, c0))
        found = larger(found, fma(above(c1, mark), MINUS_ALL, c1))
        found = larger(found, fma(above(c2, mark), MINUS_ALL, c2))
        found = larger(found, fma(above(c3, mark), MINUS_ALL, c3))
        found = larger(found, fma(above(c4, mark), MINUS_ALL, c4))
        found = larger(found, fma(above(c5, mark), MINUS_ALL, c5))
        found = larger(found, fma(above(c6, mark), MINUS_ALL, c6))
        found = larger(found, fma(above(c7, mark), MINUS_ALL, c7))
        found = larger(found, fma(above(c8, mark), MINUS_ALL, c8))
        found = larger(found, fma(above(c9, mark), MINUS_ALL, c9))
        found = larger(found, fma(above(c10, mark), MINUS_ALL, c10))
        return larger(found, fma(above(c11, mark), MINUS_ALL, c11))

    def draw(words: Any, left: Any, counts: Any, stands: Any) -> Any:
        mark, after = marks_of(words, left, stands)
        value, height, fewer = draw_card(mark, counts)
        return value, (height, minus(mark, before(mark, counts))), after, fewer

    return draw


def look_up_with(plus: Operation, fma: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """What `play_table` says of both shoes, by the sums of their hands; `fma` is a x b + c."""

    def look_up(table: Any, player: Any, banker: Any) -> Any:
        sums = fma(banker, NINETEEN, plus(player, NOTHING))
        return table[U32(sums & LOW) - BARE], table[U32(sums >> U32(16)) - BARE]

    return look_up


def player_stands(play: Any) -> Any:
    """1 for each shoe whose Player stands, else 0."""
    play_a, play_b = play
    return U32(play_a >> U32(29)), U32(play_b >> U32(29))


def banker_stands_with(plus: Operation, bit: Operation) -> Callable[..., Any]:
    """1 for each shoe whose Banker stands, else 0; `bit` is the bit of a word at the lowest five bits of another."""

    def banker_stands(play: Any, _: Any, third: Any) -> Any:
        play_a, play_b = play
        at = plus(third, NOTHING)
        return bit(play_a, at), bit(play_b, U32(at >> U32(16)))

    return banker_stands


def count_with(
    above: Operation,
    minus: Operation,
    plus: Operation,
    square: Callable[[Any], Any],
    fma: Callable[[Any, Any, Any], Any],
) -> Callable[..., Any]:
    """Where a round of two shoes is counted: among outcomes (`outcome_order`), and among rows by the last card.

    `square` is at most 1.
    """

    def count(values: Any, heights: Any, play: Any, player_stood: Any, banker_stood: Any) -> Any:
        v1, v2, v3, v4, v5, v6 = values
        h1, h2, h3, h4, _, _ = heights
        play_a, play_b = play
        stood_a, stood_b = player_stood
        stands_a, stands_b = banker_stood
        cards = fma(v5, TEN, plus(v6, NOTHING))
        row_a = U32(U32(play_a >> U32(16)) + U32(cards & LOW) - BARE)
        row_b = U32(U32(play_b >> U32(16)) + U32(cards >> U32(16)) - BARE)

        no_player_pair, no_banker_pair = square(minus(h1, h3)), square(minus(h2, h4))
        twin = above(ONE, plus(plus(no_player_pair, no_banker_pair), square(minus(h1, h2))))
        pairs = plus(fma(no_banker_pair, MINUS_TWO, minus(THREE_MORE, no_player_pair)), twin)
        player, banker = plus(plus(v1, v3), v5), plus(plus(v2, v4), v6)
        ends = fma(player, TEN, banker)
        ends = fma(plus(above(player, NINE), above(player, NINETEEN)), MINUS_HUNDRED, ends)
        ends = fma(plus(above(banker, NINE), above(banker, NINETEEN)), MINUS_TEN, ends)
        ends = fma(ends, FIVE, pairs)
        outcome_a = U32(U32(ends & LOW) - BARE + U32(stood_a * U32(500)) + U32(stands_a * U32(1000)))
        outcome_b = U32(U32(ends >> U32(16)) - BARE + U32(stood_b * U32(500)) + U32(stands_b * U32(1000)))
        return (outcome_a, outcome_b), (row_a, row_b)

    return count
