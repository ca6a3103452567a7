"""Pairs of hands by kind, added up by the rows that they meet: the compiled part of `by_cards`."""

import numpy as np
from numpy.typing import NDArray

from punto.kernels.compiled import SOURCES, kernel, part
from punto.odds.card_classes import Array

Bytes = NDArray[np.uint8]
Entries = tuple[Array, Array, Array]

THIRDS = 3
"""No third card, one, or two."""

EVERY, AND_TABLE, AND, OR, NOT, MEETS = range(6)


@part
def _run(program: Array, tables: Bytes, states: Array, stack: Bytes, codes: NDArray[np.int16]) -> None:
    """Find the code of one kind of hand with each of the other side's.

    `program` has an order and a number in each line: everything holds, a table is asked as well, two answers are made
    one, an answer is turned round, or a row is met, which is written over later ones. `states` are the places in
    `tables` of what this kind answers.
    """
    depth, width = -1, codes.shape[1]
    for line in range(len(program)):
        order, number = program[line]
        if order == EVERY:
            depth += 1
            stack[depth] = 1
        elif order == AND_TABLE:
            own, asked = stack[depth], tables[states[number] : states[number] + width]
            for at in range(width):
                own[at] &= asked[at]
        elif order == NOT:
            own = stack[depth]
            for at in range(width):
                own[at] ^= 1
        elif order == MEETS:
            met, code = stack[depth], codes[number & 1]
            row = np.int16(number >> 1)
            for at in range(width):
                code[at] = row if met[at] else code[at]
            depth -= 1
        else:
            depth -= 1
            own, other = stack[depth], stack[depth + 1]
            if order == AND:
                for at in range(width):
                    own[at] &= other[at]
            else:
                for at in range(width):
                    own[at] |= other[at]


@kernel
def add_pairs(
    program: Array,
    tables: Bytes,
    states: Array,
    dealt: tuple[Array, Array],
    shape: tuple[int, int, int],
    ours: tuple[Array, Entries],
    theirs: tuple[Array, Entries],
    found: Array,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Add up pairs of hands that hold the same set of cards, by the code of their kinds.

    Entries are sets, kinds and numbers of hands. Those of ours lie by kind, those of theirs by set; where each begins
    stands beside them. `dealt` are the totals of our kinds, and by total and kind of theirs the number of third cards,
    below 0 where these hands are not dealt together. `shape` is the depth of the program, and how many codes there are
    for either part of the rows.
    """
    depth, one, other = shape
    begin, (held, _, number) = ours
    begin_there, (_, kind_there, number_there) = theirs
    totals, thirds = dealt
    width = thirds.shape[1]
    stack, codes = np.empty((depth, width), np.uint8), np.empty((2, width), np.int16)
    code = np.empty(width, np.int32)
    for kind in range(len(begin) - 1):
        codes[0], codes[1] = one - 1, other - 1
        _run(program, tables, states[kind], stack, codes)
        for at in range(width):
            more = thirds[totals[kind], at]
            pair = np.int32(codes[0, at]) * other + codes[1, at]
            code[at] = one * other * THIRDS if more < 0 else pair * THIRDS + more
        for entry in range(begin[kind], begin[kind + 1]):
            for there in range(begin_there[held[entry]], begin_there[held[entry] + 1]):
                found[code[kind_there[there]]] += number[entry] * number_there[there]
