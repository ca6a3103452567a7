"""Pay tables in whole odds that come closest to a wanted return."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import msgspec
import numpy as np
from numpy.typing import NDArray

STEPS = (
    *range(1, 13),
    *(15, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 60, 70, 75, 80, 90, 100, 120, 125, 150, 175, 200, 250, 300, 400, 500),
    *(600, 750, 800, 1000, 1500, 2000, 2500, 5000, 10000),
)
"""The odds to 1 that pay tables are made of."""

NEAR = 0.001
"""Returns that differ by no more than this are equally good: the table whose rows share it best goes first."""

_NEIGHBOURS = 6
MOST_ROWS = 8
"""So many rows can be left open at most."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class BadDesign(ValueError):
    """What cannot be designed. The message is a sentence."""


class _Half(msgspec.Struct, frozen=True, eq=False):
    """The possible odds of some rows next to each other, never falling, with what they return together."""

    odds: Ints
    returns: Floats


def _half(chances: Sequence[float], steps: Sequence[int]) -> _Half:
    odds = np.array(list(combinations_with_replacement(steps, len(chances))), dtype=np.int64)
    return _Half(odds, odds @ np.asarray(chances))


def pay_tables(
    chances: Sequence[float], wanted: float, *, most: int = STEPS[-1], number: int = 5, squares: float | None = None
) -> list[tuple[int, ...]]:
    """Whole odds to 1 for rows by their chances, so that they return nearly what is wanted of each unit staked.

    What is rarer never pays less. The rarest row takes any whole odds, the others those of pay tables. Of tables that
    return about the same, those go first whose rows share it evenly, or whose squared odds are on average nearest to
    `squares`, where these are wanted.

    >>> pay_tables([0.0535], 0.856, number=3)
    [(16,), (15,), (17,)]
    >>> pay_tables([0.05, 0.01], 0.9, most=50, number=2)
    [(9, 45), (8, 50)]
    >>> pay_tables([0.05, 0.01], 0.9, most=50, number=1, squares=30)
    [(8, 50)]
    """
    if not 1 <= len(chances) <= MOST_ROWS:
        raise BadDesign(f"From 1 to {MOST_ROWS} rows can be left open; here are {len(chances)}.")
    if min(chances) <= 0:
        raise BadDesign("A row that no deal meets cannot be priced.")
    steps = [each for each in STEPS if each <= most]
    if not steps:
        raise BadDesign("The greatest payout must be 1 to 1 at least.")
    order = sorted(range(len(chances)), key=lambda at: -chances[at])
    ordered = [chances[at] for at in order]
    found = _with_any_last(np.array(list(_candidates(ordered, wanted, steps)), dtype=np.int64), ordered, wanted, most)
    parts = found * np.asarray(ordered)
    miss = np.abs(parts.sum(axis=1) - wanted)
    uneven = np.log(parts).std(axis=1) if squares is None else np.abs((parts * found).sum(axis=1) - squares)
    ranked = np.lexsort((uneven, np.maximum(miss, NEAR)))
    places = [order.index(at) for at in range(len(chances))]
    return [tuple(int(found[at, place]) for place in places) for at in ranked[:number]]


def _with_any_last(found: Ints, chances: Sequence[float], wanted: float, most: int) -> Ints:
    """The same tables and those like them whose rarest row pays what is still wanting, in whole odds."""
    rest = (wanted - found[:, :-1] @ np.asarray(chances[:-1])) / chances[-1]
    least = found[:, -2] if found.shape[1] > 1 else np.ones(len(found), dtype=np.int64)
    tables = [found]
    for more in range(-_NEIGHBOURS, _NEIGHBOURS + 1):
        last = np.clip(np.rint(rest).astype(np.int64) + more, least, most)
        tables.append(np.column_stack((found[:, :-1], last)))
    return np.unique(np.concatenate(tables), axis=0)


def _candidates(chances: Sequence[float], wanted: float, steps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Tables worth a look: for the odds of the commoner rows those of the rarer ones that come nearest."""
    if len(chances) == 1:
        yield (steps[0],)
        return
    middle = len(chances) // 2
    common, rare = _half(chances[:middle], steps), _half(chances[middle:], steps)
    for step in steps:
        left = np.flatnonzero(common.odds[:, -1] == step)
        right = np.flatnonzero(rare.odds[:, 0] >= step)
        if not len(left) or not len(right):
            continue
        right = right[np.argsort(rare.returns[right], kind="stable")]
        at = np.searchsorted(rare.returns[right], wanted - common.returns[left])
        seen = set()
        for one, place in zip(left, at, strict=True):
            for near in range(max(0, place - _NEIGHBOURS), min(len(right), place + _NEIGHBOURS)):
                if (one, near) not in seen:
                    seen.add((one, near))
                    yield (*common.odds[one].tolist(), *rare.odds[right[near]].tolist())
