"""Exact nets of all bets for many compositions: over all deals, in whole parts of a unit.

Compositions are counted side by side (`punto.kernels.exact`). What a bet nets depends on the class of the final coup,
and on pairs beside it (`net_classes`); a bet that depends on both together is counted by `punto.odds`.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, SUITS
from punto.exposure.net_classes import Ints, Nets, check_size
from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.deal import RANKS
from punto.kernels.exact import (
    CELLS,
    SHOES,
    STAND_DRAW,
    WIDTH,
    coups_with,
    deals_with_pairs,
    empty_space,
    lane_row,
    pairs_of_shoes,
    row_of_shoes,
)
from punto.kernels.hands import Floats
from punto.odds import outcome_counts
from punto.odds.composition import with_suits

Compositions = NDArray[np.uint8]

count_coups = coups_with(SHOES, 1, pairs_of_shoes, row_of_shoes)


def net_sums(named: Nets, compositions: Compositions) -> Ints:
    """For every composition and bet the net over all deals in parts of a unit: whole numbers, exact.

    Compositions are by rank, or by rank and suit, which bets that look at suits need.
    """
    if named.cards is not None:
        by_card = by_rank_and_suit(compositions, told=named.by_suit)
        plain = net_sums(msgspec.structs.replace(named, cards=None), compositions)
        check_size(named, -(-int(ranks_of(compositions).max(initial=1)) // len(SUITS)))
        return np.concatenate((plain, named.cards.sums(by_card)), axis=1)
    compositions = ranks_of(compositions)
    if len(compositions):
        check_size(named, -(-int(compositions.max()) // 4) or 1)
    found = np.zeros((len(compositions), len(named.names)), dtype=np.int64)
    count_nets(compositions, named.classes, named.by_class, named.by_pairs, found)
    mixed = np.flatnonzero(~named.plain)
    if len(mixed):
        vectors = np.asarray(named.bets.nets)[mixed]
        for at, ranks in enumerate(compositions.tolist()):
            found[at, mixed] = vectors @ outcome_counts(ranks)
    return found


def ranks_of(compositions: Compositions) -> Compositions:
    """Compositions by rank, of such that may tell suits, too."""
    if compositions.shape[1] != CARDS_IN_A_DECK:
        return compositions
    return np.ascontiguousarray(compositions.reshape(-1, RANKS, len(SUITS)).sum(axis=2, dtype=np.uint8))


def by_rank_and_suit(compositions: Compositions, *, told: bool) -> Compositions:
    """Compositions by rank and suit; those by rank will do where suits need not be `told`."""
    if compositions.shape[1] == CARDS_IN_A_DECK:
        return compositions
    if told:
        return np.array([with_suits(each) for each in compositions.tolist()], dtype=np.uint8)
    found = np.zeros((len(compositions), RANKS, len(SUITS)), dtype=np.uint8)
    found[:, :, 0] = compositions
    return found.reshape(-1, CARDS_IN_A_DECK)


@part
def lay_out(compositions: Compositions, first: int, here: int, n: Floats, size: Floats) -> None:
    """Put compositions side by side: cards by value, twice one after the other. Lanes to spare repeat the last one."""
    n[:] = 0.0
    for lane in range(SHOES):
        at = first + min(lane, here - 1)
        for rank in range(13):
            n[(rank + 1 if rank < 9 else 0) * SHOES + lane] += float(compositions[at, rank])
    for at in range(10 * SHOES):
        n[10 * SHOES + at] = n[at]
    size[:] = 0.0
    for value in range(10):
        held = lane_row(n, value, SHOES)
        for lane in range(SHOES):
            size[lane] += held[lane]


@part
def sum_classes(ends: Floats, classes: Ints, totals: Ints) -> None:
    """Add up deals by class of final coup, all lanes side by side."""
    totals[:] = 0
    for cell in range(CELLS // 10 * WIDTH):
        kind = classes[cell // WIDTH * 10 + cell % WIDTH % 10]
        if kind >= 0 and (cell % WIDTH < 10 or cell >= STAND_DRAW * 10 * WIDTH):
            total, deals = lane_row(totals, kind, SHOES), lane_row(ends, cell, SHOES)
            for lane in range(SHOES):
                total[lane] += np.int64(deals[lane])


@part
def sum_nets(totals: Ints, nets: Ints, sums: Ints) -> None:
    """What one bet nets over all classes, all lanes side by side."""
    sums[:] = 0
    for kind in range(len(nets)):
        net, total = nets[kind], lane_row(totals, kind, SHOES)
        for lane in range(SHOES):
            sums[lane] += net * total[lane]


@kernel
def count_nets(
    compositions: Compositions,
    classes: Ints,
    by_class: Ints,
    by_pairs: Ints,
    found: Ints,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """For every composition and bet the net over all deals; compositions are thirteen counts by rank."""
    n, size, space = np.empty(20 * SHOES), np.empty(SHOES), empty_space(SHOES, 1)
    ends = np.empty(CELLS // 10 * WIDTH * SHOES)
    totals, sums = np.empty(by_class.shape[1] * SHOES, np.int64), np.empty(SHOES, np.int64)
    for first in range(0, len(compositions), SHOES):
        here = min(SHOES, len(compositions) - first)
        lay_out(compositions, first, here, n, size)
        count_coups(n, size, 0, space, ends)
        sum_classes(ends, classes, totals)
        for bet in range(len(by_class)):
            sum_nets(totals, by_class[bet], sums)
            for lane in range(here):
                found[first + lane, bet] = sums[lane]
        for lane in range(here):
            one, both, twins = deals_with_pairs(compositions[first + lane])
            for bet in range(len(by_class)):
                net = by_pairs[bet]
                found[first + lane, bet] += (net[1] + net[2]) * one + net[3] * both + net[4] * twins
