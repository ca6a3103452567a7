"""Tests and intervals by which a simulation is judged."""

from fractions import Fraction
from math import cos, erfc, exp, lgamma, log, pi, sin, sqrt, tan
from statistics import NormalDist

import msgspec
import numpy as np
from numpy.typing import NDArray

LEAST_EXPECTED = 10.0
"""Cells in which fewer are expected are taken together."""


MANY_DEGREES = 30
"""From so many degrees of freedom on an expansion gives Student's factor to six digits."""


class Judged(msgspec.Struct, frozen=True):
    """A statistic, its degrees of freedom, and the chance of one as large if all is as it should be."""

    statistic: float
    degrees: int
    p_value: float


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its standard error and the ends of its interval.

    These are None from fewer than two blocks, and where all blocks came out alike: what was not seen to vary does not
    tell how far it varies.
    """

    value: float
    error: float | None
    low: float | None
    high: float | None


def ratio(
    over: tuple[int, int, int], under: tuple[int, int], blocks: int, unit: int = 1, level: float = 0.95
) -> Estimate:
    """A ratio of two sums over blocks of shoes, in parts of a unit, with an interval from block to block.

    Of the first: the sum, that of its squares, and that of its products with the second; of the second: the sum and
    that of its squares.

    >>> ratio((30, 310, 50), (6, 12), 3).value
    5.0
    >>> ratio((-6, 12, -12), (6, 12), 3)  # three blocks of two rounds, and every round was lost
    Estimate(value=-1.0, error=None, low=None, high=None)
    """
    total, squares, products = over
    base, base_squares = under
    mean = Fraction(total, base)
    value = float(mean / unit)
    scatter = squares - 2 * mean * products + mean * mean * base_squares
    if blocks < 2 or scatter <= 0:
        return Estimate(value, None, None, None)
    error = sqrt(float(scatter * blocks / (blocks - 1)) / base / base) / unit
    reach = error * student(level, blocks - 1)
    return Estimate(value, error, value - reach, value + reach)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The chance that chi-square is at least so large.

    >>> f"{chi_square_tail(3.841, 1):.4f} {chi_square_tail(18.307, 10):.4f} {chi_square_tail(124.342, 100):.4f}"
    '0.0500 0.0500 0.0500'
    """
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:  # a series for the other tail
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - scale * total)
    b = x + 1 - a  # a continued fraction for this one
    c, d = 1e300, 1 / b
    total = d
    for i in range(1, 100_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * total


def normal_tails(score: float) -> float:
    """The chance that a normal score is at least so far from zero.

    >>> f"{normal_tails(1.959964):.6f}"
    '0.050000'
    """
    return erfc(abs(score) / sqrt(2))


def student(level: float, degrees: int) -> float:
    """How many standard errors an interval reaches to either side, with so many degrees of freedom.

    >>> f"{student(0.95, 1):.3f} {student(0.95, 2):.3f} {student(0.95, 10):.3f} {student(0.95, 1000):.3f}"
    '12.706 4.303 2.228 1.962'
    """
    if degrees < MANY_DEGREES:
        return _student_of_few(level, degrees)
    z = NormalDist().inv_cdf((1 + level) / 2)
    # Cornish and Fisher's expansion
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + g1 / degrees + g2 / degrees**2 + g3 / degrees**3


def _student_of_few(level: float, degrees: int) -> float:
    """The same by halving the interval in which the angle lies whose chance is the level."""
    low, high = 0.0, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _chance_within(middle, degrees) < level:
            low = middle
        else:
            high = middle
    return tan((low + high) / 2) * sqrt(degrees)


def _chance_within(angle: float, degrees: int) -> float:
    """The chance that Student's t is at most tan(angle) times the root of the degrees away from zero.

    For a whole number of degrees it is a finite sum over powers of the cosine.
    """
    squared = cos(angle) ** 2
    odd = degrees % 2
    term = cos(angle) if odd else 1.0
    total = term if degrees > 1 else 0.0
    for power in range(2 + odd, degrees - 1, 2):
        term *= squared * (power - 1) / power
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def goodness(observed: NDArray[np.int64], weights: NDArray[np.int64]) -> Judged | None:
    """Chi-square of counts against exact weights, such as the exact numbers of deals.

    None where so little was counted that no two cells can be told apart.

    Rounds of one shoe are not quite independent: outcomes scatter about half a per cent less than independent ones,
    so that the chance given is, if anything, a little too large.

    >>> goodness(np.array([48, 52]), np.array([1, 1])).statistic
    0.16
    """
    chances = weights.astype(np.float64) / float(weights.sum())
    if observed[weights == 0].any():
        return Judged(float("inf"), int(np.count_nonzero(weights)) - 1, 0.0)
    expected = chances * float(observed.sum())
    rare = (expected < LEAST_EXPECTED) & (weights > 0)
    common = expected >= LEAST_EXPECTED
    wanted = np.append(expected[common], expected[rare].sum())
    found = np.append(observed[common], observed[rare].sum())
    if wanted[-1] < LEAST_EXPECTED:  # too little even together: with the rarest of the others
        at = int(np.argmin(wanted[:-1])) if len(wanted) > 1 else 0
        wanted[at], found[at] = wanted[at] + wanted[-1], found[at] + found[-1]
        wanted, found = wanted[:-1], found[:-1]
    degrees = len(wanted) - 1
    if degrees < 1:
        return None
    statistic = float(((found - wanted) ** 2 / wanted).sum())
    return Judged(statistic, degrees, chi_square_tail(statistic, degrees))
