"""Exact nets of compositions on a GPU. Imported only where a GPU is used.

A warp takes one value of the Player's third card, a lane of it one composition: ten warps, thirty-two compositions. All
counts are whole numbers in doubles held in registers (`punto.kernels.hands`); bets are added up in 64-bit numbers.
Registers cannot be indexed, so rows of ten are written out, and turned where a place depends on a card.
"""

from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from punto.exposure.errors import BadExposure
from punto.exposure.net_classes import Ints, Nets
from punto.kernels import hands
from punto.kernels.exact import CELLS, DRAW_DRAW, DRAW_STAND, STAND_DRAW, STAND_STAND, STANDS, deals_with_pairs
from punto.kernels.gpu import device, gpu_kernel
from punto.kernels.hands import DRAWS, ITSELF

cuda: Any = import_module("numba.cuda")

WARP, WARPS = 32, 10
THREADS = WARP * WARPS
REGISTERS = 96
BATCH = 10
"""How many bets are added up at a time over the warps of a block."""

MOST_BETS = 64
NO_CARD = -1

F64, I32, I64 = np.float64, np.int32, np.int64

shared, total, used, ways = device(hands.shared), device(hands.total), device(hands.used), device(hands.ways)
pairs_of_ranks = device(deals_with_pairs)


@device
def one_if(condition: Any) -> Any:
    """1 if something is so, else 0."""
    return F64(1) if condition else F64(0)


@device
def ten_of(n: Any, lane: Any) -> Any:
    """The cards of a lane by value."""
    return (
        n[0, lane],
        n[1, lane],
        n[2, lane],
        n[3, lane],
        n[4, lane],
        n[5, lane],
        n[6, lane],
        n[7, lane],
        n[8, lane],
        n[9, lane],
    )


@device
def plus_at(row: Any, place: Any, number: Any) -> Any:
    """A row with a number added at one place."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
    return (
        r0 + number * one_if(place == 0),
        r1 + number * one_if(place == 1),
        r2 + number * one_if(place == 2),
        r3 + number * one_if(place == 3),
        r4 + number * one_if(place == 4),
        r5 + number * one_if(place == 5),
        r6 + number * one_if(place == 6),
        r7 + number * one_if(place == 7),
        r8 + number * one_if(place == 8),
        r9 + number * one_if(place == 9),
    )


@device
def mates_of(n: Any, lane: Any, gone: Any, p: Any, value: Any, itself: Any) -> Any:
    """The cards that make the total p with one of a value, when two cards are gone."""
    third, last = gone
    at = p - value if p >= value else p - value + 10
    return n[at, lane] - (one_if(at == third) + one_if(at == last) + itself[value, p])


@device
def row_of(n: Any, lane: Any, gone: Any, own: Any, pairs: Any, p: Any, itself: Any) -> Any:
    """The ways to deal both hands with the Player's total p, for each total of the Banker."""
    mates = (
        mates_of(n, lane, gone, p, 0, itself),
        mates_of(n, lane, gone, p, 1, itself),
        mates_of(n, lane, gone, p, 2, itself),
        mates_of(n, lane, gone, p, 3, itself),
        mates_of(n, lane, gone, p, 4, itself),
        mates_of(n, lane, gone, p, 5, itself),
        mates_of(n, lane, gone, p, 6, itself),
        mates_of(n, lane, gone, p, 7, itself),
        mates_of(n, lane, gone, p, 8, itself),
        mates_of(n, lane, gone, p, 9, itself),
    )
    u = used(own, mates)
    return ways(u, own, total(u), plus_at(pairs, p, F64(2)))


@device
def add_row(by_cell: Any, cell: Any, row: Any, sums: Any) -> None:
    """Add a row of final coups, ten cells one after the other, to every bet."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
    d0, d1, d2, d3, d4 = I64(r0), I64(r1), I64(r2), I64(r3), I64(r4)
    d5, d6, d7, d8, d9 = I64(r5), I64(r6), I64(r7), I64(r8), I64(r9)
    for bet in range(by_cell.shape[0]):
        sums[bet] += (
            by_cell[bet, cell] * d0
            + by_cell[bet, cell + 1] * d1
            + by_cell[bet, cell + 2] * d2
            + by_cell[bet, cell + 3] * d3
            + by_cell[bet, cell + 4] * d4
            + by_cell[bet, cell + 5] * d5
            + by_cell[bet, cell + 6] * d6
            + by_cell[bet, cell + 7] * d7
            + by_cell[bet, cell + 8] * d8
            + by_cell[bet, cell + 9] * d9
        )


@device
def turned(row: Any) -> Any:
    """A row, one place on: what stood first stands last."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
    return r1, r2, r3, r4, r5, r6, r7, r8, r9, r0


@device
def turned_to(row: Any, first: Any) -> Any:
    """A row that begins so many places on."""
    for _ in range(first):
        row = turned(row)
    return row


@device
def scaled(row: Any, weight: Any) -> Any:
    """A row times a weight."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
    return (
        *(r0 * weight, r1 * weight, r2 * weight, r3 * weight, r4 * weight),
        *(r5 * weight, r6 * weight, r7 * weight, r8 * weight, r9 * weight),
    )


@device
def masked(row: Any, mask: Any, third: Any) -> Any:
    """A row where a mask over the Banker's totals 0 to 7 says so."""
    r0, r1, r2, r3, r4, r5, r6, r7, _, _ = row
    return (
        r0 * mask[third, 0],
        r1 * mask[third, 1],
        r2 * mask[third, 2],
        r3 * mask[third, 3],
        r4 * mask[third, 4],
        r5 * mask[third, 5],
        r6 * mask[third, 6],
        r7 * mask[third, 7],
        F64(0),
        F64(0),
    )


@device
def first_six(row: Any) -> Any:
    """A row for the totals 0 to 5, with which a hand draws by itself."""
    r0, r1, r2, r3, r4, r5, _, _, _, _ = row
    return r0, r1, r2, r3, r4, r5, F64(0), F64(0), F64(0), F64(0)


@device
def plus_row(one: Any, row: Any, weight: Any) -> Any:
    """A row, plus another for the totals 0 to 6 times a weight."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 = one
    r0, r1, r2, r3, r4, r5, r6, _, _, _ = row
    return (
        *(a0 + weight * r0, a1 + weight * r1, a2 + weight * r2, a3 + weight * r3, a4 + weight * r4),
        *(a5 + weight * r5, a6 + weight * r6, a7, a8, a9),
    )


@device
def add_up(sums: Any, part_sums: Any, warp: Any, lane: Any, at: Any, number: Any, found: Any) -> None:
    """Add up what the warps of a block have found, some bets at a time."""
    bets = found.shape[0]
    for first in range(0, bets, BATCH):
        cuda.syncthreads()
        for bet in range(first, min(first + BATCH, bets)):
            part_sums[warp, bet - first, lane] = sums[bet]
        cuda.syncthreads()
        if first + warp < bets and at < number:
            net = I64(0)
            for each in range(WARPS):
                net += part_sums[each, warp, lane]
            found[first + warp, at] = net


FINISHED_CELLS, FIRST_CELLS = STAND_STAND * 100, DRAW_STAND * 100
SECOND_CELLS, BOTH_CELLS = STAND_DRAW * 100, DRAW_DRAW * 100


@gpu_kernel(REGISTERS)
def count_nets(unseen: Any, number: Any, itself_of: Any, masks: Any, by_cell: Any, by_pairs: Any, found: Any) -> None:
    """For every composition and bet the net over all deals: a row for each bet."""
    n = cuda.shared.array((10, WARP), np.float64)
    itself = cuda.shared.array((10, 10), np.float64)
    stands = cuda.shared.array((10, 8), np.float64)
    draws = cuda.shared.array((10, 8), np.float64)
    part_sums = cuda.shared.array((WARPS, BATCH, WARP), np.int64)
    sums = cuda.local.array(MOST_BETS, np.int64)
    thread, threads = I32(cuda.threadIdx.x), I32(cuda.blockDim.x)
    t, lane = thread // I32(WARP), thread % I32(WARP)
    at = I64(cuda.blockIdx.x) * I64(WARP) + I64(lane)
    here = min(at, number - I64(1))
    for place in range(thread, 100, threads):
        itself[place // 10, place % 10] = itself_of[place // 10, place % 10]
    for place in range(thread, 80, threads):
        stands[place // 8, place % 8] = masks[0, place // 8, place % 8]
        draws[place // 8, place % 8] = masks[1, place // 8, place % 8]
    if t > 0:
        n[t, lane] = F64(unseen[here, t - 1])
    else:
        n[0, lane] = F64(I32(unseen[here, 9]) + I32(unseen[here, 10]) + I32(unseen[here, 11]) + I32(unseen[here, 12]))
    for bet in range(found.shape[0]):
        sums[bet] = I64(0)
    cuda.syncthreads()
    whole, none = ten_of(n, lane), (I32(NO_CARD), I32(NO_CARD))
    size = total(whole)

    # four cards end the coup: this warp's value is the Player's total
    row = row_of(n, lane, none, whole, shared(whole, whole), t, itself)
    add_row(by_cell, FINISHED_CELLS + t * I32(10), scaled(row, (size - F64(4)) * (size - F64(5))), sums)

    # this warp's value is the third card that is drawn first
    held, gone = n[t, lane], (t, I32(NO_CARD))
    five = plus_at(whole, t, F64(-1))
    pairs = shared(five, five)
    weight = held * (size - F64(5))
    for p in range(I32(6), I32(8)):
        row = first_six(scaled(row_of(n, lane, gone, five, pairs, p, itself), weight))
        add_row(by_cell, SECOND_CELLS + p * I32(10), turned_to(row, (I32(10) - t) % I32(10)), sums)
    for p in range(I32(0), I32(6)):
        after = p + t if p + t < 10 else p + t - 10
        row = row_of(n, lane, gone, five, pairs, p, itself)
        add_row(by_cell, FIRST_CELLS + after * I32(10), masked(scaled(row, weight), stands, t), sums)
        # six cards: the cell of the Banker's total b is b plus the last card, so places turn with it
        ends = (F64(0), F64(0), F64(0), F64(0), F64(0), F64(0), F64(0), F64(0), F64(0), F64(0))
        for last in range(I32(0), I32(10)):
            four = plus_at(five, last, F64(-1))
            more = n[last, lane] - one_if(last == t)
            row = row_of(n, lane, (t, last), four, shared(four, four), p, itself)
            ends = turned(plus_row(ends, masked(row, draws, t), held * more))
        add_row(by_cell, BOTH_CELLS + after * I32(10), ends, sums)

    if t == 0:
        one, both, twins = pairs_of_ranks(unseen[here])
        for bet in range(found.shape[0]):
            net = by_pairs[bet]
            sums[bet] += (net[1] + net[2]) * one + net[3] * both + net[4] * twins
    add_up(sums, part_sums, t, lane, at, number, found)


class GpuNets:
    """Exact nets of some bets on a GPU: kernels compiled, tables in its memory."""

    def __init__(self, named: Nets) -> None:
        _check(named)
        self.bets = len(named.names)
        tables = (ITSELF.reshape(10, 10), np.stack((STANDS, DRAWS)), _by_cell(named), named.by_pairs)
        self._tables = [cuda.to_device(table) for table in tables]

    def count(self, unseen: Any, number: int, found: Any) -> None:
        """Nets of compositions that lie in the GPU's memory, into an array there: a row for each bet."""
        if number:
            count_nets[-(-number // WARP), THREADS](unseen, I64(number), *self._tables, found)

    def net_sums(self, compositions: NDArray[np.uint8]) -> Ints:
        """For every composition and bet the net over all deals, as `punto.exposure.net_sums.net_sums`."""
        found = cuda.device_array((self.bets, len(compositions)), np.int64)
        self.count(cuda.to_device(np.ascontiguousarray(compositions)), len(compositions), found)
        return np.ascontiguousarray(cast("Ints", found.copy_to_host()).T)


def _check(named: Nets) -> None:
    """Refuse bets that the GPU does not count."""
    mixed = [name for name, plain in zip(named.names, named.plain, strict=True) if not plain]
    if mixed:
        raise BadExposure(
            f"The bet {mixed[0]} depends on points and pairs together, which the GPU does not count; "
            "the backend cpu does."
        )
    if len(named.names) > MOST_BETS:
        raise BadExposure(f"{len(named.names)} bets are too many for the GPU: {MOST_BETS} are the most.")


def _by_cell(named: Nets) -> Ints:
    """By bet and cell what one unit nets; nothing where no coup ends."""
    found = np.zeros((len(named.names), CELLS), dtype=np.int64)
    met = named.classes >= 0
    found[:, met] = named.by_class[:, named.classes[met]]
    return found
