"""The six-row grid on which every road is laid: columns that run down, and dragon tails to the right."""

from collections.abc import Hashable, Iterable
from itertools import groupby
from typing import NamedTuple

ROWS = 6
"""The height of every road. To the right a road is as long as it needs to be."""


class RoadCell(NamedTuple):
    """A cell of a road. Columns and rows count from 1 at the top left.

    >>> RoadCell(column=2, row=6)
    RoadCell(column=2, row=6)
    """

    column: int
    row: int


def runs(items: Iterable[Hashable]) -> list[int]:
    """How long each run of equal items is: the heights of the logical columns.

    >>> runs("BPBBPPB")
    [1, 1, 2, 2, 1]
    """
    return [sum(1 for _ in run) for _, run in groupby(items)]


def place(heights: Iterable[int]) -> list[RoadCell]:
    """Lay logical columns of these heights on the grid; one place for every mark, in order.

    A column runs down until the cell below is taken or there is no row below; from there it goes on
    to the right, its dragon tail, and does not turn down again. The next column starts in the top row,
    in the first free column to the right of where this one started.

    >>> [tuple(each) for each in place([8, 2])]
    [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 6), (3, 6), (2, 1), (2, 2)]
    """
    places: list[RoadCell] = []
    taken: set[RoadCell] = set()
    start = 0
    for height in heights:
        start += 1
        while RoadCell(start, 1) in taken:
            start += 1
        column, row, tail = start, 1, False
        for _ in range(height):
            here = RoadCell(column, row)
            places.append(here)
            taken.add(here)
            tail = tail or row == ROWS or RoadCell(column, row + 1) in taken
            # The cell to the right is always free: whatever filled it would have filled this one too.
            column, row = (column + 1, row) if tail else (column, row + 1)
    return places
