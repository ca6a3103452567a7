"""Deals in which hands pair by rank: the pair is taken out, then the rest of the deal is counted.

Deals are added up by how they end, as in `punto.kernels.exact`: `WIDTH` places for each cell of who drew and one total,
in which the other total runs on past nine. A total is made by pairs of two values, v and v + 5.
"""

from typing import Any

import numpy as np

from punto.kernels.compiled import part
from punto.kernels.exact import (
    DRAW_DRAW,
    DRAW_STAND,
    FINISHED,
    STAND_DRAW,
    STAND_STAND,
    STANDS,
    TOTALS,
    WIDTH,
    pairs_of_totals,
    points,
    take,
)
from punto.kernels.hands import DRAWS, ITSELF, Floats

Eight = tuple[float, float, float, float, float, float, float, float]


@part
def place(drew: int, one: int, other: int) -> int:
    """Where deals that end so are added up."""
    return (drew * 10 + one) * WIDTH + other


@part
def eight_at(rows: Floats, at: int) -> Eight:
    """Eight entries, one after the other."""
    return (
        rows[at],
        rows[at + 1],
        rows[at + 2],
        rows[at + 3],
        rows[at + 4],
        rows[at + 5],
        rows[at + 6],
        rows[at + 7],
    )


@part
def scaled(weight: float, row: Eight) -> Eight:
    """A row times a weight."""
    return (
        weight * row[0],
        weight * row[1],
        weight * row[2],
        weight * row[3],
        weight * row[4],
        weight * row[5],
        weight * row[6],
        weight * row[7],
    )


@part
def plus(one: Eight, other: Eight) -> Eight:
    """The sum of two rows."""
    return (
        one[0] + other[0],
        one[1] + other[1],
        one[2] + other[2],
        one[3] + other[3],
        one[4] + other[4],
        one[5] + other[5],
        one[6] + other[6],
        one[7] + other[7],
    )


@part
def hands_left(weight: float, third: Eight, last: Eight, pairs: Eight, both: int) -> Eight:
    """The other hand by its total, with two third cards gone, times a weight; `both` is the total of the two."""
    found = (
        third[0] + last[0] - pairs[0] + (2.0 if both == 0 else 0.0),
        third[1] + last[1] - pairs[1] + (2.0 if both == 1 else 0.0),
        third[2] + last[2] - pairs[2] + (2.0 if both == 2 else 0.0),
        third[3] + last[3] - pairs[3] + (2.0 if both == 3 else 0.0),
        third[4] + last[4] - pairs[4] + (2.0 if both == 4 else 0.0),
        third[5] + last[5] - pairs[5] + (2.0 if both == 5 else 0.0),
        third[6] + last[6] - pairs[6] + (2.0 if both == 6 else 0.0),
        third[7] + last[7] - pairs[7] + (2.0 if both == 7 else 0.0),
    )
    return scaled(weight, found)


@part
def add_where(found: Floats, at: int, masks: Floats, third: int, row: Eight) -> None:
    """Add a row by the Banker's total where a mask for the Player's third card says so."""
    found[at] += masks[third, 0] * row[0]
    found[at + 1] += masks[third, 1] * row[1]
    found[at + 2] += masks[third, 2] * row[2]
    found[at + 3] += masks[third, 3] * row[3]
    found[at + 4] += masks[third, 4] * row[4]
    found[at + 5] += masks[third, 5] * row[5]
    found[at + 6] += masks[third, 6] * row[6]
    found[at + 7] += masks[third, 7] * row[7]


@part
def add_drawing(found: Floats, at: int, row: Eight) -> None:
    """Add the totals 0 to 5 of a row, with which a hand draws by itself."""
    found[at] += row[0]
    found[at + 1] += row[1]
    found[at + 2] += row[2]
    found[at + 3] += row[3]
    found[at + 4] += row[4]
    found[at + 5] += row[5]


@part
def without_pair(n: Floats, value: int, left: Floats, pairs: Floats, fewer: Floats) -> None:
    """The cards left without a pair, the hands they make by total, and those with each third card gone."""
    for at in range(20):
        left[at] = n[at]
    take(left, value, 2.0, 1)
    pairs_of_totals(left, pairs)
    for third in range(10):
        for other in range(TOTALS):
            mates = left[10 + other - third] - ITSELF[10 * third + other]
            fewer[third * TOTALS + other] = pairs[other] - 2.0 * mates


@part
def room_without_pair() -> Any:
    """Room for what `without_pair` finds, for both values of a total."""
    return (
        (np.empty(20), np.empty(10), np.empty(10 * TOTALS)),
        (np.empty(20), np.empty(10), np.empty(10 * TOTALS)),
    )


@part
def one_third_card(size: float, t: int, third: int, row: Eight, player: Floats, banker: Floats) -> None:
    """Add the deals in which this is the only third card; the row is by the total of the other hand."""
    row = scaled(size - 5.0, row)
    after = points(t + third)
    if t < 6:
        add_where(player, place(DRAW_STAND, after, 0), STANDS, third, row)
        banker[place(STAND_DRAW, after, 6)] += row[6]
        banker[place(STAND_DRAW, after, 7)] += row[7]
    else:
        add_drawing(player, place(STAND_DRAW, t, third), row)
    if STANDS[third, t] != 0.0:
        add_drawing(banker, place(DRAW_STAND, t, third), row)


@part
def count_one_pair(n: Floats, size: float, t: int, ways: Floats, space: Any, player: Floats, banker: Floats) -> None:
    """Count the deals in which one hand is a pair with the total t; `ways` are the pairs by value.

    `player` is where the Player has the pair, places by the Player's total first; `banker` where the Banker has it,
    places by the Banker's total first.
    """
    (n1, pairs1, fewer1), (n2, pairs2, fewer2) = space
    w1, w2 = ways[t // 2], ways[t // 2 + 5]
    without_pair(n, t // 2, n1, pairs1, fewer1)
    without_pair(n, t // 2 + 5, n2, pairs2, fewer2)
    for other in range(10):
        if FINISHED[t, other] != 0.0:
            found = (w1 * pairs1[other] + w2 * pairs2[other]) * (size - 4.0) * (size - 5.0)
            player[place(STAND_STAND, t, other)] += found
            banker[place(STAND_STAND, t, other)] += found
    if t > 7:
        return
    every1, every2 = eight_at(pairs1, 0), eight_at(pairs2, 0)
    for third in range(10):
        held1, held2 = w1 * n1[third], w2 * n2[third]
        third1, third2 = eight_at(fewer1, TOTALS * third), eight_at(fewer2, TOTALS * third)
        one_third_card(size, t, third, plus(scaled(held1, third1), scaled(held2, third2)), player, banker)
        for last in range(third, 10):
            itself, both = 1.0 if last == third else 0.0, points(third + last)
            last1, last2 = eight_at(fewer1, TOTALS * last), eight_at(fewer2, TOTALS * last)
            row = plus(
                hands_left(held1 * (n1[last] - itself), third1, last1, every1, both),
                hands_left(held2 * (n2[last] - itself), third2, last2, every2, both),
            )
            if t < 6:
                add_where(player, place(DRAW_DRAW, points(t + third), last), DRAWS, third, row)
                if third != last:
                    add_where(player, place(DRAW_DRAW, points(t + last), third), DRAWS, last, row)
            if DRAWS[third, t] != 0.0:
                add_drawing(banker, place(DRAW_DRAW, points(t + last), third), row)
            if third != last and DRAWS[last, t] != 0.0:
                add_drawing(banker, place(DRAW_DRAW, points(t + third), last), row)


@part
def count_two_pairs(n: Floats, size: float, p: int, b: int, ways: Floats, ends: Floats) -> None:
    """Count the deals in which both hands pair, with these totals; `ways` are the pairs by both values.

    What is then left of each value is what was there, less two for either pair of it.
    """
    v, u = p // 2, b // 2
    w1, w2 = ways[10 * v + u], ways[10 * v + u + 5]
    w3, w4 = ways[10 * (v + 5) + u], ways[10 * (v + 5) + u + 5]
    if w1 + w2 + w3 + w4 == 0.0:
        return
    if FINISHED[p, b] != 0.0:
        ends[place(STAND_STAND, p, b)] += (w1 + w2 + w3 + w4) * (size - 4.0) * (size - 5.0)
        return
    for third in range(10):
        less_v, more_v = (2.0 if third == v else 0.0), (2.0 if third == v + 5 else 0.0)
        less_u, more_u = (2.0 if third == u else 0.0), (2.0 if third == u + 5 else 0.0)
        g1 = w1 * (n[third] - less_v - less_u)
        g2 = w2 * (n[third] - less_v - more_u)
        g3 = w3 * (n[third] - more_v - less_u)
        g4 = w4 * (n[third] - more_v - more_u)
        drawn = g1 + g2 + g3 + g4
        if p > 5:
            ends[place(STAND_DRAW, p, b + third)] += drawn * (size - 5.0)
        elif DRAWS[third, b] == 0.0:
            ends[place(DRAW_STAND, points(p + third), b)] += drawn * (size - 5.0)
        else:
            at = place(DRAW_DRAW, points(p + third), b)
            for last in range(10):
                ends[at + last] += drawn * n[last]
            ends[at + third] -= drawn
            ends[at + v] -= 2.0 * (g1 + g2)
            ends[at + v + 5] -= 2.0 * (g3 + g4)
            ends[at + u] -= 2.0 * (g1 + g3)
            ends[at + u + 5] -= 2.0 * (g2 + g4)
