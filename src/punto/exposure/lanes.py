"""The CPU's kernel: exact expectations of all bets for many compositions, some side by side in vector registers.

Compositions are taken in groups of `L`, and every loop over lanes is one that LLVM lays into vectors. Third cards
are taken out first, as unordered pairs; the four cards of the hands are then counted from what is left (`hands`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.exposure import hands
from punto.exposure.compiled import kernel, part
from punto.exposure.hands import DRAW_DRAW, DRAW_STAND, DRAWS, STAND_DRAW, STAND_STAND, TWICE
from punto.exposure.nets import Ints
from punto.simulation.compiled import digest

L = 32
"""Compositions side by side."""

WIDTH = 20
"""Places for the Banker's final total: totals run on past nine, and are folded at the end."""

Floats = NDArray[np.float64]

shared = part(hands.shared_with(part(hands.circular)))


@part
def lay_out(n: Floats) -> None:
    """Write the ten counts a second time behind the first, so that no index needs to be taken modulo ten."""
    for at in range(10 * L):
        n[10 * L + at] = n[at]


@part
def place(rows: Floats, number: int) -> Floats:
    """One row of lanes. A view is asked for because an index that might be negative is not laid into vectors."""
    return rows[number * L : (number + 1) * L]


@part
def take(n: Floats, value: int, cards: float) -> None:
    """Take cards of one value out of every lane."""
    one, two = place(n, value), place(n, value + 10)
    for lane in range(L):
        one[lane] -= cards
        two[lane] -= cards


@part
def used(n: Floats, mates: Floats, twice: Floats, lane: int) -> Any:
    """For each value v the cards of it, times those that make a total with one of them; and the cards alone."""
    n0, n1, n2, n3, n4 = n[lane], n[L + lane], n[2 * L + lane], n[3 * L + lane], n[4 * L + lane]
    n5, n6, n7, n8, n9 = n[5 * L + lane], n[6 * L + lane], n[7 * L + lane], n[8 * L + lane], n[9 * L + lane]
    u = (
        n0 * (mates[9 * L + lane] - twice[0]),
        n1 * (mates[8 * L + lane] - twice[1]),
        n2 * (mates[7 * L + lane] - twice[2]),
        n3 * (mates[6 * L + lane] - twice[3]),
        n4 * (mates[5 * L + lane] - twice[4]),
        n5 * (mates[4 * L + lane] - twice[5]),
        n6 * (mates[3 * L + lane] - twice[6]),
        n7 * (mates[2 * L + lane] - twice[7]),
        n8 * (mates[L + lane] - twice[8]),
        n9 * (mates[lane] - twice[9]),
    )
    return u, (n0, n1, n2, n3, n4, n5, n6, n7, n8, n9)


@part
def count_pairs(n: Floats, twice: Floats, pairs: Floats) -> None:
    """Ordered pairs of cards by their total."""
    for p in range(10):
        mates, own, total = n[(p + 1) * L : (p + 11) * L], twice[10 * p : 10 * p + 10], place(pairs, p)
        for lane in range(L):
            u, _ = used(n, mates, own, lane)
            total[lane] = u[0] + u[1] + u[2] + u[3] + u[4] + u[5] + u[6] + u[7] + u[8] + u[9]


@part
def count_row(n: Floats, twice: Floats, pairs: Floats, weight: Floats, p: int, row: Floats) -> None:
    """The ways to deal both hands with the Player's total p, for the Banker's totals 0 to 7, times a weight."""
    mates, own, total, same = n[(p + 1) * L : (p + 11) * L], twice[10 * p : 10 * p + 10], place(pairs, p), place(row, p)
    for lane in range(L):
        u, m = used(n, mates, own, lane)
        s = shared(u, m)
        x, w = total[lane], weight[lane]
        row[lane] = w * (x * pairs[lane] - 4.0 * s[0])
        row[L + lane] = w * (x * pairs[L + lane] - 4.0 * s[1])
        row[2 * L + lane] = w * (x * pairs[2 * L + lane] - 4.0 * s[2])
        row[3 * L + lane] = w * (x * pairs[3 * L + lane] - 4.0 * s[3])
        row[4 * L + lane] = w * (x * pairs[4 * L + lane] - 4.0 * s[4])
        row[5 * L + lane] = w * (x * pairs[5 * L + lane] - 4.0 * s[5])
        row[6 * L + lane] = w * (x * pairs[6 * L + lane] - 4.0 * s[6])
        row[7 * L + lane] = w * (x * pairs[7 * L + lane] - 4.0 * s[7])
    for lane in range(L):
        same[lane] += 2.0 * weight[lane] * total[lane]


@part
def count_end(n: Floats, twice: Floats, pairs: Floats, weight: Floats, p: int, row: Floats) -> None:
    """The same for the Banker's totals 8 and 9."""
    mates, own, total = n[(p + 1) * L : (p + 11) * L], twice[10 * p : 10 * p + 10], place(pairs, p)
    for lane in range(L):
        u, m = used(n, mates, own, lane)
        s = shared(u, m)
        x, w = total[lane], weight[lane]
        row[8 * L + lane] = w * (x * pairs[8 * L + lane] - 4.0 * s[8])
        row[9 * L + lane] = w * (x * pairs[9 * L + lane] - 4.0 * s[9])


@part
def spread(found: Floats, row: Floats, where: Floats) -> None:
    """Add a row for the totals 0 to 7, where a mask says so, to places one after the other."""
    for lane in range(L):
        found[lane] += where[0] * row[lane]
        found[L + lane] += where[1] * row[L + lane]
        found[2 * L + lane] += where[2] * row[2 * L + lane]
        found[3 * L + lane] += where[3] * row[3 * L + lane]
        found[4 * L + lane] += where[4] * row[4 * L + lane]
        found[5 * L + lane] += where[5] * row[5 * L + lane]
        found[6 * L + lane] += where[6] * row[6 * L + lane]
        found[7 * L + lane] += where[7] * row[7 * L + lane]


@part
def tens(number: int) -> int:
    """A total."""
    return number - 10 if number > 9 else number


def _kernels(made_of: str) -> Any:
    @kernel
    def count_nets(
        compositions: NDArray[np.uint8],
        banker: Floats,
        twice: Floats,
        classes: Ints,
        by_class: Ints,
        by_pairs: Ints,
        found: Ints,
    ) -> None:
        """For every composition and bet the net over all deals, in parts of a unit; compositions are by rank."""
        made_of  # noqa: B018  # closed over, so that the kernel is made again when its parts change
        number, bets, kinds = len(compositions), len(by_class), by_class.shape[1]
        n, pairs, weight, row = np.empty(20 * L), np.empty(10 * L), np.empty(L), np.empty(10 * L)
        less, ends, size = np.empty(10 * L), np.empty(40 * WIDTH * L), np.empty(L)
        kept = np.empty(L)
        totals = np.empty(kinds * L, np.int64)
        sums = np.empty(L, np.int64)
        for group in range(0, number, L):
            here = min(L, number - group)
            n[:], ends[:] = 0.0, 0.0
            for lane in range(L):
                at = group + min(lane, here - 1)  # lanes to spare repeat the last one
                for rank in range(13):
                    n[(rank + 1 if rank < 9 else 0) * L + lane] += float(compositions[at, rank])
            lay_out(n)
            size[:] = 0.0
            for value in range(10):
                held = place(n, value)
                for lane in range(L):
                    size[lane] += held[lane]
            # four cards end the coup
            count_pairs(n, twice, pairs)
            for lane in range(L):
                weight[lane] = (size[lane] - 4.0) * (size[lane] - 5.0)
            for p in range(10):
                count_end(n, twice, pairs, weight, p, row)
                count_row(n, twice, pairs, weight, p, row)
                at = (STAND_STAND * 10 + p) * WIDTH * L
                for b in range(10 * L):
                    ends[at + b] = row[b]
            for third in range(10):
                # five cards
                held, stands, draws = place(n, third), banker[2 * third], banker[2 * third + 1]
                for lane in range(L):
                    weight[lane] = held[lane] * (size[lane] - 5.0)
                    kept[lane] = held[lane]
                take(n, third, 1.0)
                count_pairs(n, twice, pairs)
                for p in range(8):
                    count_row(n, twice, pairs, weight, p, row)
                    at = (DRAW_STAND * 10 + tens(p + third)) * WIDTH if p < 6 else (STAND_DRAW * 10 + p) * WIDTH + third
                    spread(ends[at * L : (at + 8) * L], row, stands if p < 6 else banker[20])
                # six cards
                for last in range(third, 10):
                    more, also = place(n, last), banker[2 * last + 1]
                    for lane in range(L):
                        weight[lane] = kept[lane] * more[lane]
                    for p in range(8):
                        own, mates = twice[10 * p + last], place(n, 10 + p - last)
                        before, after = place(pairs, p), place(less, p)
                        for lane in range(L):
                            after[lane] = before[lane] - 2.0 * (mates[lane] - own)
                    take(n, last, 1.0)
                    for p in range(6):
                        count_row(n, twice, less, weight, p, row)
                        at = (DRAW_DRAW * 10 + tens(p + third)) * WIDTH + last
                        spread(ends[at * L : (at + 8) * L], row, draws)
                        if third != last:
                            at = (DRAW_DRAW * 10 + tens(p + last)) * WIDTH + third
                            spread(ends[at * L : (at + 8) * L], row, also)
                    take(n, last, -1.0)
                take(n, third, -1.0)
            totals[:] = 0
            for cell in range(40 * WIDTH):
                kind = classes[cell // WIDTH * 10 + cell % WIDTH % 10]
                if kind >= 0 and (cell % WIDTH < 10 or cell >= STAND_DRAW * 10 * WIDTH):
                    total, deals = place(totals, kind), place(ends, cell)
                    for lane in range(L):
                        total[lane] += np.int64(deals[lane])
            for bet in range(bets):
                sums[:] = 0
                for kind in range(kinds):
                    net, total = by_class[bet, kind], place(totals, kind)
                    for lane in range(L):
                        sums[lane] += net * total[lane]
                for lane in range(here):
                    found[group + lane, bet] = sums[lane]
            for lane in range(here):
                add_pairs(compositions[group + lane], by_pairs, found[group + lane])

    return count_nets


@part
def add_pairs(ranks: NDArray[np.uint8], by_pairs: Ints, found: Ints) -> None:
    """Add what pairs are worth: those of the Player, the Banker, both of different ranks, twins."""
    size = pairs = squares = twins = np.int64(0)
    for rank in range(13):
        held = np.int64(ranks[rank])
        two = held * (held - 1)
        size, pairs, squares, twins = (
            size + held,
            pairs + two,
            squares + two * two,
            twins + two * (held - 2) * (held - 3),
        )
    rest = (size - 4) * (size - 5)
    both = pairs * pairs - squares
    one = pairs * (size - 2) * (size - 3) - both - twins
    for bet in range(len(found)):
        net = (by_pairs[bet, 1] + by_pairs[bet, 2]) * one + by_pairs[bet, 3] * both + by_pairs[bet, 4] * twins
        found[bet] += net * rest


count_nets = _kernels(digest(__file__, hands.__file__))


def _banker() -> Floats:
    """Masks over the Banker's totals 0 to 7: by third card where he stands, where he draws; then the first six."""
    masks = np.zeros((21, 8))
    masks[:20:2], masks[1:20:2] = 1 - DRAWS, DRAWS
    masks[20, :6] = 1
    return masks


TABLES = (_banker(), TWICE.reshape(-1))
