"""What a row of a bet answers to one hand beside many of the other side's, by a small program: a part of kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.kernels import compiled
from punto.kernels.compiled import digest, part
from punto.odds.card_classes import Array

SOURCES = digest(__file__) ^ compiled.SOURCES
"""What kernels that have this part are made of."""

THIRDS = 3
"""No third card, one, or two."""

PUSH_EVERY, PUSH_TABLE, AND_TABLE, OR_TABLE, AND, OR, NOT = range(7)
"""The orders of a program: what one line of it does."""


@part
def answered(
    program: Array, tables: NDArray[Any], states: Array, begin: int, every: np.integer[Any], stack: NDArray[Any]
) -> None:
    """Leave in the first line of the stack what a row of a bet answers to one hand with each of the other side's.

    `program` has an order and a number in each line: everything holds (all bits of `every`), a table is asked, alone or
    as well, two answers are made one, or an answer is turned round. `states` are the places in `tables` of what this
    hand answers, of which those from `begin` on are asked.
    """
    depth, width = -1, stack.shape[1]
    for line in range(len(program)):
        order, number = program[line]
        if order == PUSH_EVERY:
            depth += 1
            stack[depth] = every
        elif order <= OR_TABLE:
            depth += order == PUSH_TABLE
            first = states[number] + begin
            own, asked = stack[depth], tables[first : first + width]
            if order == PUSH_TABLE:
                own[:] = asked
            elif order == AND_TABLE:
                for at in range(width):
                    own[at] &= asked[at]
            else:
                for at in range(width):
                    own[at] |= asked[at]
        elif order == NOT:
            own = stack[depth]
            for at in range(width):
                own[at] ^= every
        else:
            depth -= 1
            own, other = stack[depth], stack[depth + 1]
            if order == AND:
                for at in range(width):
                    own[at] &= other[at]
            else:
                for at in range(width):
                    own[at] |= other[at]
