"""How many ordered deals lead to each outcome, and pass each situation of insurance: whole numbers, exact.

All deals are counted by card values (`punto.kernels.exact`), and those in which a hand pairs by rank beside it
(`punto.odds.pairs`); the rest are deals without a pair.
"""

import numpy as np
import numpy.typing as npt

from punto.coup import OUTCOMES, SITUATIONS, STOOD
from punto.coup.play import BANKER_PAIR, BOTH_PAIRS, PLAYER_PAIR, TWIN_PAIRS
from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.endings import winner
from punto.kernels.exact import (
    STANDS,
    TOTALS,
    WIDTH,
    coups_with,
    deals_with,
    empty_space,
    pairs_of_totals,
    points,
    rows_of_totals,
)
from punto.kernels.hands import DRAWS, Floats
from punto.kernels.play import outcome_index, situation_index
from punto.odds.pairs import count_one_pair, count_two_pairs, room_without_pair

Counts = npt.NDArray[np.int64]

PLACES = 40 * WIDTH
WINNERS = 3

count_coups = coups_with(1, TOTALS, pairs_of_totals, rows_of_totals)


@part
def lay_out(ranks: Counts, n: Floats, size: Floats) -> None:
    """The cards of each value, twice one after the other, and of the shoe, from thirteen counts by rank."""
    n[:] = 0.0
    size[0] = 0.0
    for rank in range(13):
        value, held = (rank + 1 if rank < 9 else 0), float(ranks[rank])
        n[value] += held
        n[value + 10] += held
        size[0] += held


@part
def count_ranked_pairs(ranks: Counts, one: Floats, different: Floats, twins: Floats) -> None:
    """Ordered pairs of one rank, by value; of two ranks, by both values; and of one rank twice, likewise."""
    for rank in range(13):
        value, held = (rank + 1 if rank < 9 else 0), float(ranks[rank])
        pairs = held * (held - 1.0)
        one[value] += pairs
        different[11 * value] -= pairs * pairs
        twins[11 * value] += pairs * (held - 2.0) * (held - 3.0)
    for value in range(10):
        for other in range(10):
            different[10 * value + other] += one[value] * one[other]


@part
def folded(ends: Floats, drew: int, one: int, other: int) -> float:
    """The deals that end so: places past nine belong to a total ten lower."""
    at = (drew * 10 + one) * WIDTH + other
    deals: float = ends[at] + ends[at + 10]
    return deals


@part
def fold(every: Floats, player: Floats, banker: Floats, both: Floats, same: Floats, found: Counts) -> None:
    """Write the deals by outcome: without a pair, with one of the Player, one of the Banker, two, and twins."""
    for drew in range(4):
        for p in range(10):
            for b in range(10):
                different_pairs, same_pairs = folded(both, drew, p, b), folded(same, drew, p, b)
                two_pairs = different_pairs + same_pairs
                player_only = folded(player, drew, p, b) - two_pairs
                banker_only = folded(banker, drew, b, p) - two_pairs
                no_pair = folded(every, drew, p, b) - player_only - banker_only - two_pairs
                at = outcome_index(p, b, 2 + drew % 2, 2 + drew // 2, 0)
                found[at] = np.int64(no_pair)
                found[at + PLAYER_PAIR] = np.int64(player_only)
                found[at + BANKER_PAIR] = np.int64(banker_only)
                found[at + BOTH_PAIRS] = np.int64(different_pairs)
                found[at + TWIN_PAIRS] = np.int64(same_pairs)


@kernel
def count_outcomes(
    ranks: Counts,
    totals: int,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> Counts:
    """Ordered six-card deals by outcome, from thirteen counts by rank; `totals` is `TOTALS`."""
    n, size, found = np.empty(20), np.empty(1), np.empty(OUTCOMES, dtype=np.int64)
    every, player, banker = np.empty(PLACES), np.zeros(PLACES), np.zeros(PLACES)
    both, same = np.zeros(PLACES), np.zeros(PLACES)
    one, different, twins = np.zeros(10), np.zeros(100), np.zeros(100)
    space = room_without_pair()
    lay_out(ranks, n, size)
    count_ranked_pairs(ranks, one, different, twins)
    count_coups(n, size, totals, empty_space(1, TOTALS), every)
    for p in range(0, 10, 2):
        count_one_pair(n, size[0], p, one, space, player, banker)
        for b in range(0, 10, 2):
            count_two_pairs(n, size[0], p, b, different, both)
        count_two_pairs(n, size[0], p, p, twins, same)
    fold(every, player, banker, both, same, found)
    return found


@part
def note_five(found: Floats, p: int, third: int, row: Floats) -> None:
    """Note a row of deals with one third card in its situation of four cards, by who wins."""
    for b in range(TOTALS):
        ways = row[b * TOTALS]
        if p > 5:
            if b < 6:
                found[situation_index(p, b, STOOD), winner(p, points(b + third))] += ways
        elif STANDS[third, b] != 0.0:
            found[situation_index(p, b, STOOD), winner(points(p + third), b)] += ways


@part
def note_both(found: Floats, p: int, third: int, last: int, row: Floats) -> None:
    """Note a row of deals in which the Player draws the one card and the Banker the other."""
    after = points(p + third)
    for b in range(TOTALS):
        if DRAWS[third, b] != 0.0:
            ways, won = row[b * TOTALS], winner(after, points(b + last))
            found[situation_index(p, b, STOOD), won] += ways
            found[situation_index(after, b, third), won] += ways


@part
def note_six(found: Floats, p: int, third: int, last: int, row: Floats) -> None:
    """Note a row of deals with two third cards, in either order."""
    note_both(found, p, third, last, row)
    if third != last:
        note_both(found, p, last, third, row)


count_deals = part(deals_with(1, TOTALS, pairs_of_totals, rows_of_totals, note_five, note_six))


@kernel
def count_situations(
    ranks: Counts,
    totals: int,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> Counts:
    """Ordered six-card deals by situation in which a card is due, and by winner: Player, Banker, tie."""
    n, size, found = np.empty(20), np.empty(1), np.zeros((SITUATIONS, WINNERS))
    lay_out(ranks, n, size)
    count_deals(n, size, totals, empty_space(1, TOTALS), found)
    return found.astype(np.int64)
