"""A round of two shoes at once, as a GPU thread deals it: one shoe in each half of a 32-bit register.

The counts are 16-bit floats, two to a register, each kept as 1024 + count: there every whole number up to 2047 has
its own float, and its lowest bits are the number itself, so that no conversion is ever needed. `above` is then a
subtraction that saturates at 0 and 1. Nothing branches; the Table of Play is looked up in a table of 361 words that
`play_table` fills by asking `punto.coup` for every cell.

The arithmetic comes in from outside, so that the same source runs on a GPU and, with halves made of Python, in a test.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import OUTCOMES, STOOD, banker_draws, outcome_index, player_draws
from punto.simulation.counting import DRAWN_ROWS, LAST, ROWS, Counts, row_of
from punto.simulation.drawing import Operation

U32, U64 = np.uint32, np.uint64

SUMS = 19
"""Two card values add up to 0 to 18."""

STOOD_AT = 8192
"""Rows of rounds in which the Player stood are counted from here, so that one bit of a cell says so."""

ROW_CELLS = STOOD_AT + (ROWS - DRAWN_ROWS) * LAST

Round = Callable[..., Any]


def both(number: float) -> np.uint32:
    """A number in both halves.

    >>> hex(both(1024))
    '0x64006400'
    """
    return U32(int(np.float16(number).view(np.uint16)) * 0x10001)


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
    """The outcomes in the order in which a round of halves counts them."""
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


def round_with(
    draw: Operation,
    step: Callable[..., Any],
    above: Operation,
    minus: Operation,
    plus: Operation,
    square: Callable[[Any], Any],
    fma: Callable[[Any, Any, Any], Any],
    bit: Operation,
) -> Round:
    """A round of two shoes, by a machine's own arithmetic on halves.

    `square` saturates at 1, `fma` is a x b + c, `bit` is the bit of a word at the lowest five bits of another.
    """
    base, one, nine, ten, five, nineteen = both(1024), both(1), both(9), both(10), both(5), both(19)
    minus_two, minus_ten, minus_hundred, three = both(-2), both(-10), both(-100), both(1027)
    low, bare, beyond = U32(0xFFFF), U32(0x6400), U32(1023)

    def deal_two(table: Any, left_a: Any, left_b: Any, state_a: Any, state_b: Any, counts: Any) -> Any:
        word_a, state_a = step(*state_a)
        word_b, state_b = step(*state_b)
        mark_a, mark_b = U32(U64(word_a) * U64(left_a) >> U64(32)), U32(U64(word_b) * U64(left_b) >> U64(32))
        v1, k1, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + base), counts)

        word_a, state_a = step(*state_a)
        word_b, state_b = step(*state_b)
        left_a, left_b = U32(left_a - U32(1)), U32(left_b - U32(1))
        mark_a, mark_b = U32(U64(word_a) * U64(left_a) >> U64(32)), U32(U64(word_b) * U64(left_b) >> U64(32))
        v2, k2, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + base), counts)

        word_a, state_a = step(*state_a)
        word_b, state_b = step(*state_b)
        left_a, left_b = U32(left_a - U32(1)), U32(left_b - U32(1))
        mark_a, mark_b = U32(U64(word_a) * U64(left_a) >> U64(32)), U32(U64(word_b) * U64(left_b) >> U64(32))
        v3, k3, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + base), counts)

        word_a, state_a = step(*state_a)
        word_b, state_b = step(*state_b)
        left_a, left_b = U32(left_a - U32(1)), U32(left_b - U32(1))
        mark_a, mark_b = U32(U64(word_a) * U64(left_a) >> U64(32)), U32(U64(word_b) * U64(left_b) >> U64(32))
        v4, k4, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + base), counts)

        player, banker = plus(v1, v3), plus(v2, v4)
        sums = fma(banker, nineteen, plus(player, base))
        play_a, play_b = table[U32(sums & low) - bare], table[U32(sums >> U32(16)) - bare]
        stood_a, stood_b = U32(play_a >> U32(29)), U32(play_b >> U32(29))

        word_a, state_a = step(*state_a)
        word_b, state_b = step(*state_b)
        left_a, left_b = U32(left_a - U32(1)), U32(left_b - U32(1))
        mark_a, mark_b = U32(U64(word_a) * U64(left_a) >> U64(32)), U32(U64(word_b) * U64(left_b) >> U64(32))
        mark_a, mark_b = U32(mark_a + U32(stood_a * beyond)), U32(mark_b + U32(stood_b * beyond))
        v5, _, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + base), counts)
        left_a, left_b = U32(left_a - U32(1) + stood_a), U32(left_b - U32(1) + stood_b)

        third = plus(v5, base)
        stands_a, stands_b = bit(play_a, third), bit(play_b, U32(third >> U32(16)))
        word_a, state_a = step(*state_a)
        word_b, state_b = step(*state_b)
        mark_a, mark_b = U32(U64(word_a) * U64(left_a) >> U64(32)), U32(U64(word_b) * U64(left_b) >> U64(32))
        mark_a, mark_b = U32(mark_a + U32(stands_a * beyond)), U32(mark_b + U32(stands_b * beyond))
        v6, _, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + base), counts)
        left_a, left_b = U32(left_a - U32(1) + stands_a), U32(left_b - U32(1) + stands_b)

        cards = fma(v5, ten, plus(v6, base))
        row_a = U32(U32(play_a >> U32(16)) + U32(cards & low) - bare)
        row_b = U32(U32(play_b >> U32(16)) + U32(cards >> U32(16)) - bare)

        no_player_pair, no_banker_pair = square(minus(k1, k3)), square(minus(k2, k4))
        twin = above(one, plus(plus(no_player_pair, no_banker_pair), square(minus(k1, k2))))
        pairs = plus(fma(no_banker_pair, minus_two, minus(three, no_player_pair)), twin)
        player, banker = plus(player, v5), plus(banker, v6)
        ends = fma(player, ten, banker)
        ends = fma(plus(above(player, nine), above(player, nineteen)), minus_hundred, ends)
        ends = fma(plus(above(banker, nine), above(banker, nineteen)), minus_ten, ends)
        ends = fma(ends, five, pairs)
        outcome_a = U32(U32(ends & low) - bare + U32(stood_a * U32(500)) + U32(stands_a * U32(1000)))
        outcome_b = U32(U32(ends >> U32(16)) - bare + U32(stood_b * U32(500)) + U32(stands_b * U32(1000)))
        return (outcome_a, outcome_b), (row_a, row_b), left_a, left_b, state_a, state_b, counts

    return deal_two
