"""The GPU's kernels, by numba-cuda (the extra `gpu`). Loaded only where a GPU is asked for.

Shoes are dealt a thread each, twice: once to count their rounds, once to write them where the CPU would. Exact nets
take a warp for each value of the first third card and a lane for each composition: ten warps, thirty-two compositions.
All counts are whole numbers in doubles held in registers; bets are added up in 64-bit whole numbers. What is noted of
a round is the CPU's source.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from punto.coup import STOOD, play
from punto.exposure import hands, looking
from punto.exposure.hands import CELLS, DRAW_DRAW, DRAW_STAND, DRAWS, STAND_DRAW, STAND_STAND, TWICE
from punto.exposure.nets import BadExposure, Ints, Nets
from punto.exposure.rounds import RANK_AT, VALUE_AT
from punto.exposure.tally import Blocks
from punto.simulation import generator
from punto.simulation.drawing import draw_with
from punto.simulation.generator import GOLDEN, hash_of
from punto.simulation.gpu import cuda

if TYPE_CHECKING:
    from punto.exposure.run import Task

WARP, WARPS = 32, 10
THREADS = WARP * WARPS
REGISTERS = 96
DEALERS = 128
LOOKERS = 128
BATCH = 10
"""So many bets are added up at a time over the warps of a block."""

MOST_BETS = 64

F64, I8, I16, I32, I64, U8, U32, U64 = (
    np.float64,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint32,
    np.uint64,
)


@cache
def kernels() -> tuple[Any, Any, Any, Any, Any]:
    """Compile: rounds counted, rounds written, exact nets, what is noted of rounds, and of insurance windows."""
    cuda: Any = import_module("numba.cuda")

    def part(function: Callable[..., Any]) -> Callable[..., Any]:
        return cast("Callable[..., Any]", cuda.jit(device=True)(function))

    mix, step = part(generator.mix), part(generator.step)
    player_draws, banker_draws = part(play.player_draws), part(play.banker_draws)
    shared = part(hands.shared_with(part(hands.circular)))
    grained = part(looking.grains)

    @part
    def above(count: Any, mark: Any) -> Any:
        return I32(1) if count > mark else I32(0)

    @part
    def minus(one: Any, other: Any) -> Any:
        return I32(one - other)

    @part
    def plus(one: Any, other: Any) -> Any:
        return I32(one + other)

    draw = part(draw_with(above, minus, plus))

    @part
    def stream_of(hashed: Any, number: Any) -> Any:
        at = hashed + U64(2) * U64(number) * GOLDEN
        one, two = mix(at + GOLDEN), mix(at + U64(2) * GOLDEN)
        return U32(one), U32(one >> U64(32)), U32(two), U32(two >> U64(32))

    @part
    def full_counts(decks: Any) -> Any:
        c = I32(4) * decks
        c0, c1, c2, c3, c4, c5 = c, I32(2) * c, I32(3) * c, I32(4) * c, I32(5) * c, I32(6) * c
        c6, c7, c8, c9, c10, c11 = I32(7) * c, I32(8) * c, I32(9) * c, I32(10) * c, I32(11) * c, I32(12) * c
        return (
            I32(c0),
            I32(c1),
            I32(c2),
            I32(c3),
            I32(c4),
            I32(c5),
            I32(c6),
            I32(c7),
            I32(c8),
            I32(c9),
            I32(c10),
            I32(c11),
        )

    @part
    def drawn(state: Any, left: Any, counts: Any) -> Any:
        """One card: its value, its height, and what is behind it."""
        word, state = step(*state)
        mark = I32(U64(word) * U64(left) >> U64(32))
        value, height, counts = draw(mark, counts)
        return value, height, state, counts

    @part
    def begun(hashed: Any, number: Any, decks: Any, burn: Any, casino: Any) -> Any:
        """A shoe with its first cards burnt, and the height of one turned up; a burn takes whole rounds of words."""
        state, counts, left = stream_of(hashed, number), full_counts(decks), I32(I32(52) * decks)
        burnt, words, turned_up = I32(burn), I32(0), I32(-1)
        while words < burnt or words % I32(6) != 0:
            if words < burnt:
                value, height, state, counts = drawn(state, left, counts)
                left = I32(left - I32(1))
                if casino and words == 0:
                    turned_up = I32(height)
                    burnt = I32(1) + (I32(value) if value else I32(10))
            else:
                _, state = step(*state)
            words += I32(1)
        return state, counts, left, turned_up

    @part
    def dealt(state: Any, counts: Any, left: Any) -> Any:
        """A round: the heights of six cards, -1 where none was drawn, and what is behind it."""
        v0, h0, state, counts = drawn(state, left, counts)
        v1, h1, state, counts = drawn(state, I32(left - I32(1)), counts)
        v2, h2, state, counts = drawn(state, I32(left - I32(2)), counts)
        v3, h3, state, counts = drawn(state, I32(left - I32(3)), counts)
        left = I32(left - I32(4))
        player, banker = I32((v0 + v2) % 10), I32((v1 + v3) % 10)
        third, h4, h5 = I32(STOOD), I32(-1), I32(-1)
        if player_draws(player, banker):
            third, h4, state, counts = drawn(state, left, counts)
            left = I32(left - I32(1))
        else:
            _, state = step(*state)
        if banker_draws(player, banker, third):
            _, h5, state, counts = drawn(state, left, counts)
            left = I32(left - I32(1))
        else:
            _, state = step(*state)
        return (h0, h1, h2, h3, h4, h5), state, counts, left

    @cuda.jit  # type: ignore[untyped-decorator]  # numba-cuda has no types
    def count_rounds(
        hashed: Any,
        first: Any,
        shoes: Any,
        decks: Any,
        burn: Any,
        casino: Any,
        least: Any,
        most: Any,
        rounds: Any,
    ) -> None:
        shoe = I64(cuda.grid(1))
        if shoe >= shoes:
            return
        state, counts, left, _ = begun(hashed, first + shoe, decks, burn, casino)
        done, last = I32(0), False
        while done < most and not last and (casino or left >= least):
            last = casino and left < least
            _, state, counts, left = dealt(state, counts, left)
            done += I32(1)
        rounds[shoe] = done

    @cuda.jit  # type: ignore[untyped-decorator]
    def write_rounds(
        hashed: Any,
        first: Any,
        shoes: Any,
        decks: Any,
        burn: Any,
        casino: Any,
        starts: Any,
        rank_at: Any,
        unseen: Any,
        lefts: Any,
        cards: Any,
        shoe_of: Any,
    ) -> None:
        shoe = I64(cuda.grid(1))
        if shoe >= shoes:
            return
        state, counts, left, turned_up = begun(hashed, first + shoe, decks, burn, casino)
        held = cuda.local.array(13, np.uint8)
        for rank in range(13):
            held[rank] = U8(4 * decks)
        if turned_up >= 0:
            held[rank_at[turned_up]] -= U8(1)
        for at in range(starts[shoe], starts[shoe + 1]):
            lefts[at], shoe_of[at] = left, shoe
            for rank in range(13):
                unseen[at, rank] = held[rank]
            heights, state, counts, left = dealt(state, counts, left)
            h0, h1, h2, h3, h4, h5 = heights
            cards[at, 0], cards[at, 1], cards[at, 2] = I8(h0), I8(h1), I8(h2)
            cards[at, 3], cards[at, 4], cards[at, 5] = I8(h3), I8(h4), I8(h5)
            held[rank_at[h0]] -= U8(1)
            held[rank_at[h1]] -= U8(1)
            held[rank_at[h2]] -= U8(1)
            held[rank_at[h3]] -= U8(1)
            if h4 >= 0:
                held[rank_at[h4]] -= U8(1)
            if h5 >= 0:
                held[rank_at[h5]] -= U8(1)

    @part
    def less_one(n: Any, value: Any) -> Any:
        """The ten counts with one card of a value taken out."""
        n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 = n
        return (
            n0 - (F64(1) if value == 0 else F64(0)),
            n1 - (F64(1) if value == 1 else F64(0)),
            n2 - (F64(1) if value == 2 else F64(0)),
            n3 - (F64(1) if value == 3 else F64(0)),
            n4 - (F64(1) if value == 4 else F64(0)),
            n5 - (F64(1) if value == 5 else F64(0)),
            n6 - (F64(1) if value == 6 else F64(0)),
            n7 - (F64(1) if value == 7 else F64(0)),
            n8 - (F64(1) if value == 8 else F64(0)),
            n9 - (F64(1) if value == 9 else F64(0)),
        )

    @part
    def mates_of(n: Any, t: Any, last: Any, p: Any, lane: Any, v: Any, twice: Any) -> Any:
        """The cards that make the total p with one of value v, when one t and one last card are gone."""
        at = p - v if p >= v else p - v + 10
        return n[at, lane] - ((F64(1) if at == t else F64(0)) + (F64(1) if at == last else F64(0)) + twice[p, v])

    @part
    def used(own: Any, n: Any, t: Any, last: Any, p: Any, lane: Any, twice: Any) -> Any:
        n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 = own
        return (
            n0 * mates_of(n, t, last, p, lane, 0, twice),
            n1 * mates_of(n, t, last, p, lane, 1, twice),
            n2 * mates_of(n, t, last, p, lane, 2, twice),
            n3 * mates_of(n, t, last, p, lane, 3, twice),
            n4 * mates_of(n, t, last, p, lane, 4, twice),
            n5 * mates_of(n, t, last, p, lane, 5, twice),
            n6 * mates_of(n, t, last, p, lane, 6, twice),
            n7 * mates_of(n, t, last, p, lane, 7, twice),
            n8 * mates_of(n, t, last, p, lane, 8, twice),
            n9 * mates_of(n, t, last, p, lane, 9, twice),
        )

    @part
    def total_of(u: Any) -> Any:
        u0, u1, u2, u3, u4, u5, u6, u7, u8, u9 = u
        return ((u0 + u1) + (u2 + u3)) + ((u4 + u5) + (u6 + u7)) + (u8 + u9)

    @part
    def way(x: Any, y: Any, s: Any, same: Any) -> Any:
        return x * (y + (F64(2) if same else F64(0))) - F64(4) * s

    @part
    def row_of(u: Any, n: Any, pairs: Any, p: Any) -> Any:
        """The ways to deal both hands with the Player's total p, for each total of the Banker."""
        s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 = shared(u, n)
        y0, y1, y2, y3, y4, y5, y6, y7, y8, y9 = pairs
        x = total_of(u)
        return (
            way(x, y0, s0, p == 0),
            way(x, y1, s1, p == 1),
            way(x, y2, s2, p == 2),
            way(x, y3, s3, p == 3),
            way(x, y4, s4, p == 4),
            way(x, y5, s5, p == 5),
            way(x, y6, s6, p == 6),
            way(x, y7, s7, p == 7),
            way(x, y8, s8, p == 8),
            way(x, y9, s9, p == 9),
        )

    @part
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

    @part
    def turned(row: Any) -> Any:
        """A row, one place on: what stood first stands last."""
        r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
        return r1, r2, r3, r4, r5, r6, r7, r8, r9, r0

    @part
    def turned_to(row: Any, first: Any) -> Any:
        """A row that begins so many places on."""
        for _ in range(first):
            row = turned(row)
        return row

    @part
    def masked(row: Any, mask: Any, third: Any) -> Any:
        r0, r1, r2, r3, r4, r5, r6, r7, _, _ = row
        none = F64(0)
        return (
            r0 * mask[third, 0],
            r1 * mask[third, 1],
            r2 * mask[third, 2],
            r3 * mask[third, 3],
            r4 * mask[third, 4],
            r5 * mask[third, 5],
            r6 * mask[third, 6],
            r7 * mask[third, 7],
            none,
            none,
        )

    @part
    def scaled(row: Any, weight: Any) -> Any:
        r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
        return (
            *(r0 * weight, r1 * weight, r2 * weight, r3 * weight, r4 * weight),
            *(r5 * weight, r6 * weight, r7 * weight, r8 * weight, r9 * weight),
        )

    @part
    def plus_row(one: Any, row: Any, weight: Any) -> Any:
        a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 = one
        r0, r1, r2, r3, r4, r5, r6, _, _, _ = row
        return (
            *(a0 + weight * r0, a1 + weight * r1, a2 + weight * r2, a3 + weight * r3, a4 + weight * r4),
            *(a5 + weight * r5, a6 + weight * r6, a7, a8, a9),
        )

    none_twice, most_bets, cells_draw_draw = I32(-1), MOST_BETS, DRAW_DRAW * 100
    cells_draw_stand, cells_stand_draw, cells_stand_stand = DRAW_STAND * 100, STAND_DRAW * 100, STAND_STAND * 100

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def count_nets(
        unseen: Any, number: Any, twice_of: Any, masks: Any, by_cell: Any, by_pairs: Any, found: Any
    ) -> None:
        n = cuda.shared.array((10, WARP), np.float64)
        twice = cuda.shared.array((10, 10), np.float64)
        stands = cuda.shared.array((10, 8), np.float64)
        draws = cuda.shared.array((10, 8), np.float64)
        part_sums = cuda.shared.array((WARPS, BATCH, WARP), np.int64)
        sums = cuda.local.array(most_bets, np.int64)
        thread, threads = I32(cuda.threadIdx.x), I32(cuda.blockDim.x)
        t, lane = thread // I32(WARP), thread % I32(WARP)
        at = I64(cuda.blockIdx.x) * I64(WARP) + I64(lane)
        here = min(at, number - I64(1))
        for place in range(thread, 100, threads):
            twice[place // 10, place % 10] = twice_of[place // 10, place % 10]
        for place in range(thread, 80, threads):
            stands[place // 8, place % 8] = masks[0, place // 8, place % 8]
            draws[place // 8, place % 8] = masks[1, place // 8, place % 8]
        if t > 0:
            n[t, lane] = F64(unseen[here, t - 1])
        else:
            n[0, lane] = F64(
                I32(unseen[here, 9]) + I32(unseen[here, 10]) + I32(unseen[here, 11]) + I32(unseen[here, 12])
            )
        bets = by_cell.shape[0]
        for bet in range(bets):
            sums[bet] = I64(0)
        cuda.syncthreads()
        whole = (
            *(n[0, lane], n[1, lane], n[2, lane], n[3, lane], n[4, lane]),
            *(n[5, lane], n[6, lane], n[7, lane], n[8, lane], n[9, lane]),
        )
        size = total_of(whole)

        # four cards end the coup: this warp's value is the Player's total
        u = used(whole, n, none_twice, none_twice, t, lane, twice)
        row = row_of(u, whole, shared(whole, whole), t)
        add_row(by_cell, cells_stand_stand + t * I32(10), scaled(row, (size - F64(4)) * (size - F64(5))), sums)

        # this warp's value is the first third card
        held = n[t, lane]
        five = less_one(whole, t)
        pairs = shared(five, five)
        weight = held * (size - F64(5))
        for p in range(I32(6), I32(8)):
            row = row_of(used(five, n, t, none_twice, p, lane, twice), five, pairs, p)
            r0, r1, r2, r3, r4, r5, _, _, _, _ = scaled(row, weight)
            none = F64(0)
            six_only = (r0, r1, r2, r3, r4, r5, none, none, none, none)
            cell = cells_stand_draw + p * I32(10)
            add_row(by_cell, cell, turned_to(six_only, (I32(10) - t) % I32(10)), sums)
        for p in range(I32(0), I32(6)):
            after = p + t if p + t < 10 else p + t - 10
            row = row_of(used(five, n, t, none_twice, p, lane, twice), five, pairs, p)
            cell = cells_draw_stand + after * I32(10)
            add_row(by_cell, cell, masked(scaled(row, weight), stands, t), sums)
            # six cards: the cell of the Banker's total b is b plus the last card, so places turn with it
            none = F64(0)
            ends = (none, none, none, none, none, none, none, none, none, none)
            for last in range(I32(0), I32(10)):
                four = less_one(five, last)
                more = n[last, lane] - (F64(1) if last == t else F64(0))
                row = row_of(used(four, n, t, last, p, lane, twice), four, shared(four, four), p)
                ends = turned(plus_row(ends, masked(row, draws, t), held * more))
            add_row(by_cell, cells_draw_draw + after * I32(10), ends, sums)

        # pairs, noted by one warp
        if t == 0:
            cards, two_cards, squares, twins = I64(0), I64(0), I64(0), I64(0)
            for rank in range(13):
                cards_of_rank = I64(unseen[here, rank])
                two = cards_of_rank * (cards_of_rank - I64(1))
                cards += cards_of_rank
                two_cards += two
                squares += two * two
                twins += two * (cards_of_rank - I64(2)) * (cards_of_rank - I64(3))
            rest = (cards - I64(4)) * (cards - I64(5))
            both = two_cards * two_cards - squares
            one = two_cards * (cards - I64(2)) * (cards - I64(3)) - both - twins
            for bet in range(bets):
                net = (by_pairs[bet, 1] + by_pairs[bet, 2]) * one + by_pairs[bet, 3] * both + by_pairs[bet, 4] * twins
                sums[bet] += net * rest
        for first in range(0, bets, BATCH):
            cuda.syncthreads()
            for bet in range(first, min(first + BATCH, bets)):
                part_sums[t, bet - first, lane] = sums[bet]
            cuda.syncthreads()
            if first + t < bets and at < number:
                total = I64(0)
                for warp in range(WARPS):
                    total += part_sums[warp, t, lane]
                found[first + t, at] = total

    @part
    def add(array: Any, at: Any, number: Any) -> None:
        cuda.atomic.add(array, at, number)

    look = part(looking.look_with(add, grained))
    window = part(looking.window_with(add, grained, part(looking.endings_with(player_draws, banker_draws))))

    @cuda.jit  # type: ignore[untyped-decorator]
    def look_at_all(
        number: Any, block_of: Any, shoe_of: Any, unseen: Any, lefts: Any, nets: Any, start: Any, plays: Any, sums: Any
    ) -> None:
        at = I64(cuda.grid(1))
        if at < number:
            look(unseen[at], I64(lefts[at]), nets[:, at], start, block_of[shoe_of[at]], plays, sums)

    @cuda.jit  # type: ignore[untyped-decorator]
    def look_at_windows(
        number: Any,
        block_of: Any,
        shoe_of: Any,
        unseen: Any,
        cards: Any,
        value_at: Any,
        cells: Any,
        odds: Any,
        offers: Any,
    ) -> None:
        at = I64(cuda.grid(1))
        left = cuda.local.array(10, np.int64)
        if at < number:
            window(unseen[at], cards[at], value_at, left, block_of[shoe_of[at]], cells, odds, offers)

    return count_rounds, write_rounds, count_nets, look_at_all, look_at_windows


def _checked(named: Nets) -> None:
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


class Edges:
    """Exact nets on a GPU: kernels compiled, tables in its memory."""

    def __init__(self, named: Nets) -> None:
        _checked(named)
        self._cuda = cuda()
        self._kernel = kernels()[2]
        self.bets = len(named.names)
        self._tables = [
            self._cuda.to_device(table)
            for table in (TWICE, np.stack((1.0 - DRAWS, F64(DRAWS))), _by_cell(named), named.by_pairs)
        ]

    def count(self, unseen: Any, number: int, found: Any) -> None:
        """Nets of compositions that lie in the GPU's memory, into a place there: a row for each bet."""
        if number:
            self._kernel[-(-number // WARP), THREADS](unseen, I64(number), *self._tables, found)

    def net_sums(self, compositions: NDArray[np.uint8]) -> Ints:
        """For every composition and bet the net over all deals, as `punto.exposure.edges.net_sums`."""
        found = self._cuda.device_array((self.bets, len(compositions)), np.int64)
        self.count(self._cuda.to_device(np.ascontiguousarray(compositions)), len(compositions), found)
        return np.ascontiguousarray(cast("Ints", found.copy_to_host()).T)


class Gpu:
    """A GPU made ready for a task."""

    def __init__(self, work: "Task") -> None:
        from punto.exposure.run import plays_of

        self._work = work
        self._edges = Edges(work.nets)
        self._cuda = cuda()
        self._count_rounds, self._write_rounds, _, self._look, self._windows = kernels()
        self._rank_at, self._value_at = self._cuda.to_device(RANK_AT), self._cuda.to_device(VALUE_AT)
        self._plays = tuple(self._cuda.to_device(table) for table in plays_of(work))
        self._cells, self._odds = self._cuda.to_device(work.cover.at), self._cuda.to_device(_whole(work.cover.odds))
        self.look_at(work.first, work.first + 1)

    def look_at(self, first: int, last: int) -> Blocks:
        """Deal and look at some shoes."""
        from punto.exposure.run import nothing_yet

        work, gpu = self._work, self._cuda
        dealing, shoes = work.dealing, last - first
        blocks, noted = nothing_yet(work, first, last)
        grid = -(-shoes // DEALERS)
        how = (hash_of(work.seed), I64(first), I64(shoes), I32(dealing.decks), I32(dealing.drawn_first), dealing.casino)
        rounds = gpu.device_array(shoes, np.int32)
        self._count_rounds[grid, DEALERS](*how, I32(dealing.least), I32(dealing.most_rounds), rounds)
        starts = np.zeros(shoes + 1, dtype=np.int64)
        np.cumsum(rounds.copy_to_host(), out=starts[1:])
        number = int(starts[-1])
        unseen, cards = gpu.device_array((number, 13), np.uint8), gpu.device_array((number, 6), np.int8)
        lefts, shoe_of = gpu.device_array(number, np.int16), gpu.device_array(number, np.int32)
        self._write_rounds[grid, DEALERS](*how, gpu.to_device(starts), self._rank_at, unseen, lefts, cards, shoe_of)
        nets = gpu.device_array((self._edges.bets, number), np.int64)
        self._edges.count(unseen, number, nets)
        block_of = gpu.to_device(blocks)
        names = ("rounds", "favourable", "gains", "edges", "spread", "trues", "offers")
        there = {name: gpu.to_device(_whole(getattr(noted, name))) for name in names}
        sums = tuple(there[name] for name in names[:-1])
        start = I64(4 * dealing.decks)
        grid = -(-number // LOOKERS)
        self._look[grid, LOOKERS](I64(number), block_of, shoe_of, unseen, lefts, nets, start, self._plays, sums)
        if work.cover.cells:
            self._windows[grid, LOOKERS](
                I64(number), block_of, shoe_of, unseen, cards, self._value_at, self._cells, self._odds, there["offers"]
            )
        found = {name: _like(there[name].copy_to_host(), getattr(noted, name)) for name in names}
        return Blocks(noted.shoes, **found)


def _whole(array: Ints) -> Ints:
    """An array that has at least one place: a GPU has no empty ones."""
    if array.size:
        return array
    return np.zeros(tuple(max(length, 1) for length in array.shape), dtype=np.int64)


def _like(array: Ints, shape: Ints) -> Ints:
    """What is in the places of another array."""
    return array[tuple(slice(length) for length in shape.shape)]
