"""Rounds a second that the simulation deals with all bets of a book, on one core, all cores, Dask and a GPU.

Known things beside it, measured in the same run: a plain scalar loop that shuffles and deals, compiled by Numba too,
and how fast NumPy makes the random bits alone. Known of such a machine: a plain scalar C loop 36 million
rounds a second, C with hand-written 512-bit lanes 130 million; the best public simulators 3 to 10 million.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from punto.kernels.compiled import kernel, wide_vectors

WIDE = "plain" not in sys.argv
if WIDE:
    wide_vectors()  # read by Numba when it is imported: hence the imports below it (E402)

import numpy as np  # noqa: E402

from punto.kernels.generator import step  # noqa: E402
from punto.kernels.gpu import NoGpu  # noqa: E402
from punto.kernels.play import banker_draws, outcome_index, player_draws  # noqa: E402
from punto.odds import net_vector  # noqa: E402
from punto.rulebook import load, menu  # noqa: E402
from punto.simulation import Backend, Dealing, Job, Tally, job, prepared  # noqa: E402
from punto.simulation.run import deal_range  # noqa: E402

NETS = {name: net_vector(priced) for name, priced in menu(load("wu-song")).bets.items()}
U32 = np.uint32


@kernel
def scalar(shoes: int, rounds: int, counts: Any) -> None:
    """Shuffle and deal one shoe after the other, as anybody would write it."""
    state = (U32(1), U32(2), U32(3), U32(4))
    shoe = np.empty(416, np.uint8)
    ranks, values = np.empty(6, np.int64), np.empty(6, np.int64)
    left: Any
    for _ in range(shoes):
        for at in range(416):
            shoe[at] = at % 13 + 1
        left = 416
        for _ in range(rounds):
            player = banker = 0
            drawn = also = False
            for card in range(6):
                if card == 4:
                    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
                    drawn = player_draws(player, banker)
                    values[4] = -1
                    if not drawn:
                        continue
                if card == 5:
                    also = banker_draws(player, banker, values[4])
                    if not also:
                        continue
                word, state = step(*state)
                at = (np.int64(word) * left) >> 32
                left -= 1
                rank = shoe[at]
                shoe[at] = shoe[left]
                ranks[card] = rank
                values[card] = rank if rank < 10 else 0
            pairs = (1 if ranks[0] == ranks[2] else 0) + (2 if ranks[1] == ranks[3] else 0)
            if pairs == 3 and ranks[0] == ranks[1]:
                pairs = 4
            if drawn:
                player = (player + values[4]) % 10
            if also:
                banker = (banker + values[5]) % 10
            counts[outcome_index(player, banker, 3 if drawn else 2, 3 if also else 2, pairs)] += 1


def best(run: Callable[[], Any], times: int = 5) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def one_core(dealing: Dealing, shoes: int) -> float:
    """Rounds a second of the kernel on one core."""
    work = job(dealing, seed=1, shoes=shoes, nets=NETS)
    deal_range(work, 0, 64)
    rounds = int(deal_range(work, 0, shoes)[0].sum())
    return rounds / best(lambda: deal_range(work, 0, shoes))


def whole(work: Job, backend: Backend, workers: int | None) -> float:
    """Rounds a second of a run, start and compilation not counted."""
    with prepared(work, backend, workers) as ready:
        start = time.perf_counter()
        pieces: list[Tally] = list(ready.pieces(work.first, work.last))
        seconds = time.perf_counter() - start
    return sum(piece.rounds for piece in pieces) / seconds


def main() -> None:
    rate = one_core(Dealing(), 1 << 18)
    if not WIDE:
        print(f"  the same with the 256-bit vectors that LLVM takes by itself: {rate / 1e6:,.0f}")
        return
    print(f"punto simulate, one core: {rate / 1e6:,.0f} million rounds a second, all bets (at least 60, goal 100)")
    print(f"  with 69 rounds a shoe: {one_core(Dealing(rounds=69), 1 << 18) / 1e6:,.0f}", flush=True)
    subprocess.run([sys.executable, __file__, "plain"], check=True)
    counts = np.zeros(2000, np.int64)
    scalar(1, 1, counts)
    plain = (1 << 13) * 69 / best(lambda: scalar(1 << 13, 69, counts))
    print(f"  beside it, a plain scalar loop in Numba: {plain / 1e6:,.0f}; ratio {rate / plain:.1f}")
    chance = np.random.default_rng(1)
    bits = 6_000_000 / best(lambda: chance.integers(0, 1 << 32, 6_000_000, dtype=np.uint32)) / 6
    print(f"  beside it, NumPy making the bits of six cards alone: {bits / 1e6:,.0f}; ratio {rate / bits:.1f}")
    work = job(Dealing(), seed=1, shoes=20_000_000, nets=NETS)
    threads = [whole(work, "cpu", workers) for workers in (1, 2)]
    print(f"two threads: {threads[1] / 1e6:,.0f}, one {threads[0] / 1e6:,.0f}; ratio {threads[1] / threads[0]:.2f}")
    dask = [whole(work, "dask", workers) for workers in (1, 2)]
    print(
        f"Dask, two workers: {dask[1] / 1e6:,.0f}, one {dask[0] / 1e6:,.0f}; ratio {dask[1] / dask[0]:.2f} (goal 1.8)"
    )
    try:
        for dealing in (Dealing(rounds=69), Dealing()):
            fast = job(dealing, seed=1, shoes=1 << 31, nets=NETS)
            how = "69 rounds a shoe" if dealing.rounds else "cut card"
            print(f"GPU, {how}: {whole(fast, 'gpu', None) / 1e9:,.1f} thousand million (at least 40, goal 100)")
    except NoGpu:
        print("GPU: there is none here")


if __name__ == "__main__":
    main()
