"""How many compositions a second the exact edges of all bets take, on one core and on a GPU; and the live monitor.

The known thing beside it, in the same run: the exact vector of `punto.odds`, one composition at a time, and its dot
products with the bets.
"""

import time
import timeit
from collections.abc import Callable
from typing import Any

from punto.kernels.compiled import wide_vectors

wide_vectors()  # read by Numba when it is imported: hence the imports below it (E402)

import numpy as np  # noqa: E402

from punto.coup import cards  # noqa: E402
from punto.exposure import DealingProcedure, nets_of, next_round, prepared, task  # noqa: E402
from punto.exposure.cpu import record_shoes  # noqa: E402
from punto.exposure.net_sums import net_sums  # noqa: E402
from punto.kernels.exact import TOTALS  # noqa: E402
from punto.kernels.gpu import NoGpu, check_gpu  # noqa: E402
from punto.odds.counting import count_outcomes  # noqa: E402
from punto.rulebook import ids, load, menu  # noqa: E402

MENU = menu(load("wu-song"))
ON_A_GPU = 1 << 22


def best(run: Callable[[], Any], times: int = 5) -> float:
    return min(timeit.repeat(run, number=1, repeat=times))


def on_one_core(compositions: Any) -> None:
    for name in ids():
        named = nets_of(menu(load(name)))
        net_sums(named, compositions[:64])  # compiles, or takes from disk
        rate = len(compositions) / best(lambda named=named: net_sums(named, compositions))  # type: ignore[misc]  # the default binds the name
        print(f"{name}: {rate / 1e3:,.0f} thousand compositions a second, {len(named.names)} bets (at least 50)")
    vectors = np.asarray(nets_of(MENU).bets.nets)
    some = compositions[:2000].astype(np.int64)
    count_outcomes(some[0], TOTALS)
    alone = len(some) / best(lambda: [vectors @ count_outcomes(ranks, TOTALS) for ranks in some])
    print(f"  beside it, punto.odds one by one: {alone / 1e3:,.0f} thousand")


def on_a_gpu(compositions: Any) -> None:
    check_gpu()
    from punto.exposure.gpu_nets import GpuNets, cuda

    for name in ids():
        edges = GpuNets(nets_of(menu(load(name))))
        there = cuda.to_device(compositions)
        found = cuda.device_array((edges.bets, len(compositions)), np.int64)

        def run(edges: GpuNets = edges, there: Any = there, found: Any = found) -> None:
            edges.count(there, len(compositions), found)
            cuda.synchronize()

        run()
        rate = len(compositions) / best(run)
        print(f"GPU, {name}: {rate / 1e6:,.1f} million compositions a second (at least 10, goal 20)")
    work = task(MENU, DealingProcedure(), seed=1, shoes=1_000_000)
    with prepared(work, "gpu") as ready:
        start = time.perf_counter()
        rounds = sum(piece.rounds for piece in ready.pieces(work.first, work.last))
        seconds = time.perf_counter() - start
    print(f"GPU, a million shoes, {rounds:,} rounds, all bets perfectly played: {seconds:.1f} s (about 10)")


def main() -> None:
    chance = np.random.default_rng(1)
    on_one_core(chance.integers(1, 33, size=(20_000, 13)).astype(np.uint8))
    gone = cards("6h 6c Kd 9s 9h 3d 8c 8d 8h 2s Ah 7d 7c")
    monitor = best(lambda: next_round(MENU, gone), 200)
    print(f"the next round of a live table: {monitor * 1e3:.2f} ms (at most 1)")
    work = task(MENU, DealingProcedure(), seed=1, shoes=256)
    record_shoes(work, 0, 1)
    print(
        f"one core, perfect play on all bets: {256 / best(lambda: record_shoes(work, 0, 256), 3):,.0f} shoes a second"
    )
    try:
        on_a_gpu(chance.integers(1, 33, size=(ON_A_GPU, 13)).astype(np.uint8))
    except NoGpu:
        print("GPU: there is none here")


if __name__ == "__main__":
    main()
