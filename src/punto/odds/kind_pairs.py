"""Pairs of hands by kind, added up by the rows that they meet: the compiled part of `by_cards`."""

import numpy as np
from numpy.typing import NDArray

from punto.kernels.compiled import kernel
from punto.odds.answers import SOURCES, THIRDS, answered
from punto.odds.card_classes import Array

Bytes = NDArray[np.uint8]
Entries = tuple[Array, Array, Array]


@kernel
def add_pairs(
    program: Array,
    rows: Array,
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
    stands beside them. `rows` tell of each row where its program begins and ends, its part and its number there; a row
    is met where no earlier one of its part is. `dealt` are the totals of our kinds, and by total and kind of theirs the
    number of third cards, below 0 where these hands are not dealt together. `shape` is the depth of the program, and
    how many codes there are for either part of the rows.
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
        for row in range(len(rows) - 1, -1, -1):
            first, last, of, row_number = rows[row]
            answered(program[first:last], tables, states[kind], 0, np.uint8(1), stack)
            met, own = stack[0], codes[of]
            for at in range(width):
                own[at] = row_number if met[at] else own[at]
        for at in range(width):
            more = thirds[totals[kind], at]
            pair = np.int32(codes[0, at]) * other + codes[1, at]
            code[at] = one * other * THIRDS if more < 0 else pair * THIRDS + more
        for entry in range(begin[kind], begin[kind + 1]):
            for there in range(begin_there[held[entry]], begin_there[held[entry] + 1]):
                found[code[kind_there[there]]] += number[entry] * number_there[there]
