"""What tests of cards ask of ranks: how long a run they make, what they count in all, which card is higher."""

from collections.abc import Iterable, Mapping

from punto.coup import RANKS, Card

_LAST = len(RANKS)
_COURT_FROM = 10

VALUES: Mapping[str, tuple[int, ...]] = {
    "values": tuple(Card(rank).value for rank in range(1, _LAST + 1)),
    "pips": tuple(min(rank, _COURT_FROM) for rank in range(1, _LAST + 1)),
    "ranks": tuple(range(1, _LAST + 1)),
}
"""What the ranks from ace to king count, by the word for it: in the game, with ten for court cards, up to 13."""

COUNTING = tuple(VALUES)
ACES = ("low", "high")


def counts(rank: int, counting: str) -> int:
    """What a rank counts.

    >>> [counts(13, each) for each in COUNTING]
    [0, 10, 13]
    """
    return VALUES[counting][rank - 1]


def height(rank: int, aces: str) -> int:
    """How high a rank is beside others.

    >>> height(1, "low") < height(2, "low"), height(1, "high") > height(13, "high")
    (True, True)
    """
    return _LAST + 1 if rank == 1 and aces == "high" else rank


def longest_run(ranks: Iterable[int]) -> int:
    """How many of some ranks follow upon each other, at most; an ace stands below a two, and above a king.

    >>> longest_run([13, 1, 12, 5]), longest_run([13, 1, 2]), longest_run([])
    (3, 2, 0)
    """
    there = set(ranks)
    if 1 in there:
        there.add(_LAST + 1)
    longest = length = 0
    for rank in range(1, _LAST + 2):
        length = length + 1 if rank in there else 0
        longest = max(longest, length)
    return longest
