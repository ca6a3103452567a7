"""Statistical tests of a shuffle, whoever made it: the simulator's, or one given as permutations.

Every test takes shoes as they were dealt, a row each: whole numbers that say what each card is, the same cards in
every row. Expectations and variances are exact for cards drawn without replacement; only the shape of the distribution
is assumed to be normal, as it is for sums over many shoes.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from punto.simulation.statistics import Judged, chi_square_tail, normal_tails

MOST_KINDS = 64
"""A test by kind of card tells no more than this apart: give ranks, not single cards."""

Dealt = NDArray[np.int64]


class BadShuffle(ValueError):
    """Shoes that cannot be tested. The message is a sentence."""


def kinds(dealt: Sequence[Sequence[int]] | NDArray[np.integer]) -> tuple[Dealt, Dealt]:
    """The shoes with their kinds of card numbered from 0, and how many cards a shoe has of each.

    >>> kinds([[7, 9, 7], [9, 7, 7]])
    (array([[0, 1, 0],
           [1, 0, 0]]), array([2, 1]))
    >>> kinds([[1, 2], [1, 1]])
    Traceback (most recent call last):
    punto.simulation.shuffle_tests.BadShuffle: Shoe 2 does not have the cards of shoe 1.
    """
    shoes = np.asarray(dealt)
    if shoes.ndim != 2 or shoes.shape[0] < 1 or shoes.shape[1] < 2:
        raise BadShuffle("A test needs shoes of at least two cards, a row each.")
    _, numbered = np.unique(shoes, return_inverse=True)
    found = numbered.reshape(shoes.shape).astype(np.int64)
    counts = np.bincount(found[0], minlength=int(found.max()) + 1)
    ordered = np.sort(found, axis=1)
    odd = np.flatnonzero((ordered != ordered[0]).any(axis=1))
    if len(odd):
        raise BadShuffle(f"Shoe {odd[0] + 1} does not have the cards of shoe 1.")
    if len(counts) > MOST_KINDS:
        raise BadShuffle(f"{len(counts)} kinds of card are too many for a test; give ranks, not single cards.")
    return found, counts


def positions(dealt: Sequence[Sequence[int]] | NDArray[np.integer]) -> Judged:
    """Whether every kind of card is as likely at every position: chi-square over both.

    A shoe has every card at one position only, so the counts scatter by n/(n-1) more than a plain table.
    """
    shoes, counts = kinds(dealt)
    number, size = shoes.shape
    found = np.stack([np.bincount(column, minlength=len(counts)) for column in shoes.T])
    expected = number * counts / size
    statistic = float(((found - expected) ** 2 / expected).sum()) * (size - 1) / size
    degrees = (size - 1) * (len(counts) - 1)
    return Judged(statistic, degrees, chi_square_tail(statistic, degrees))


def neighbours(dealt: Sequence[Sequence[int]] | NDArray[np.integer]) -> Judged:
    """Whether every kind of card follows every other as often as it should.

    Cards one and two are compared, three and four, and so on. The pairs of one shoe are not independent, because
    its cards are given: chi-square is taken with their exact covariance.
    """
    shoes, counts = kinds(dealt)
    number, size = shoes.shape
    pairs, many = size // 2, len(counts)
    codes = shoes[:, 0 : 2 * pairs : 2] * many + shoes[:, 1 : 2 * pairs : 2]
    found = np.bincount(codes.reshape(-1), minlength=many * many)
    same = np.eye(many)
    n = counts.astype(np.float64)
    two = n[:, None] * (n[None, :] - same) / (size * (size - 1))
    third = n[None, None, :] - same[:, None, :] - same[None, :, :]
    fourth = n[None, None, None, :] - same[:, None, None, :] - same[None, :, None, :] - same[None, None, :, :]
    four = two[:, :, None, None] * third[:, :, :, None] * fourth / ((size - 2) * (size - 3))
    chance = two.reshape(-1)
    apart = four.reshape(many * many, many * many)
    covariance = pairs * np.diag(chance) + pairs * (pairs - 1) * apart - pairs * pairs * np.outer(chance, chance)
    values, vectors = np.linalg.eigh(number * covariance)
    free = values > values[-1] * 1e-9
    scores = vectors.T[free] @ (found - number * pairs * chance)
    statistic, degrees = float((scores**2 / values[free]).sum()), int(free.sum())
    return Judged(statistic, degrees, chi_square_tail(statistic, degrees))


def runs(dealt: Sequence[Sequence[int]] | NDArray[np.integer]) -> Judged:
    """Whether low and high kinds of card change as often as they should (Wald and Wolfowitz), as a normal score."""
    shoes, counts = kinds(dealt)
    number, size = shoes.shape
    half = int(np.searchsorted(np.cumsum(counts), size / 2)) + 1
    high = shoes >= min(half, len(counts) - 1)
    found = number + int((high[:, 1:] != high[:, :-1]).sum())
    ups = int(high[0].sum())
    cross = 2 * ups * (size - ups)
    mean = cross / size + 1
    variance = cross * (cross - size) / (size * size * (size - 1))
    return _score(found - number * mean, number * variance)


def serial(dealt: Sequence[Sequence[int]] | NDArray[np.integer], lag: int = 1) -> Judged:
    """Whether kinds of card, as numbers, are correlated with those some cards later, as a normal score."""
    shoes, counts = kinds(dealt)
    number, size = shoes.shape
    if not 1 <= lag <= size - 2 or size < 4:
        raise BadShuffle(f"There are no cards {lag} apart to compare in a shoe of {size}.")
    level = np.arange(len(counts)) - float((np.arange(len(counts)) * counts).sum()) / size
    values = level[shoes]
    found = float((values[:, lag:] * values[:, :-lag]).sum())
    m2, m4 = float((level**2 * counts).sum()), float((level**4 * counts).sum())
    pairs, shared = size - lag, 2 * max(size - 2 * lag, 0)
    ways = np.cumprod([size, size - 1, size - 2, size - 3], dtype=np.float64)
    mean = -pairs * m2 / ways[1]
    square = (
        pairs * (m2 * m2 - m4) / ways[1]
        + shared * (2 * m4 - m2 * m2) / ways[2]
        + (pairs * (pairs - 1) - shared) * (3 * m2 * m2 - 6 * m4) / ways[3]
    )
    return _score(found - number * mean, number * (square - mean * mean))


def judge(dealt: Sequence[Sequence[int]] | NDArray[np.integer]) -> dict[str, Judged]:
    """Every test of this room.

    >>> from punto.simulation import draw_shoes
    >>> all(found.p_value > 0.001 for found in judge(draw_shoes(1, 0, shoes=200, decks=1)).values())
    True
    """
    return {
        "positions": positions(dealt),
        "neighbours": neighbours(dealt),
        "runs": runs(dealt),
        "serial": serial(dealt),
        "serial-2": serial(dealt, lag=2),
    }


def _score(difference: float, variance: float) -> Judged:
    score = difference / variance**0.5
    return Judged(score, 1, normal_tails(score))
