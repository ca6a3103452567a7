"""Rounds a second with bets that look at ranks or suits, beside those of a classic game in the same run.

On one core and, where there is one, on a GPU, which must count the same. Goals: 50 million on one core, 20 thousand
million on one H200.
"""

import time
from collections.abc import Callable
from typing import Any

from punto.kernels.compiled import wide_vectors

wide_vectors()  # read by Numba when it is imported: hence the imports below it (E402)

from punto.kernels.gpu import NoGpu  # noqa: E402
from punto.odds import net_vector  # noqa: E402
from punto.rulebook import load, menu  # noqa: E402
from punto.simulation import Dealing, Job, job, prepared  # noqa: E402
from punto.simulation.run import deal_range  # noqa: E402

GAMES = (
    ("wu-song", None),
    ("match", "royal"),
    ("match", "colours"),
    ("match", "fabulous"),
    ("match", "matching-dragon"),
)
CHECKED = (Dealing(), Dealing(rounds=69), Dealing(decks=1, cut=6, burn=5), Dealing(decks=12, cut=60, burn=11))


def work_of(book: str, layout: str | None, dealing: Dealing, shoes: int, seed: int = 1) -> Job:
    """All bets of a layout."""
    bets = menu(load(book), layout).bets
    nets = {name: net_vector(priced) for name, priced in bets.items() if priced.by_outcome}
    cards = {name: priced for name, priced in bets.items() if not priced.by_outcome}
    return job(dealing, seed=seed, shoes=shoes, nets=nets, cards=cards)


def best(run: Callable[[], Any], times: int = 5) -> float:
    """The shortest of some runs, in seconds of the processor: other work on the machine does not count."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def one_core(work: Job) -> float:
    """Rounds a second of the kernel on one core."""
    deal_range(work, 0, 64)
    rounds = int(deal_range(work, 0, work.last)[0].sum())
    return rounds / best(lambda: deal_range(work, 0, work.last))


def on_a_gpu(work: Job) -> float:
    """Rounds a second of a run on a GPU, start and compilation not counted."""
    with prepared(work, "gpu") as ready:
        ready.all_of(0, 1 << 16)
        start = time.perf_counter()
        rounds = ready.all_of(0, work.last).rounds
        return rounds / (time.perf_counter() - start)


def check_gpu_counts(book: str, layout: str | None) -> None:
    """A GPU and the CPU count the same, row by row and block by block."""
    for dealing in CHECKED:
        work = work_of(book, layout, dealing, 20_000, seed=7)
        with prepared(work, "gpu") as gpu, prepared(work, "cpu") as cpu:
            assert gpu.all_of(0, work.last) == cpu.all_of(0, work.last), (book, layout, dealing)


def main() -> None:
    """Measure all games."""
    classic = 0.0
    for book, layout in GAMES:
        rate = one_core(work_of(book, layout, Dealing(), 1 << 15))
        classic = classic or rate
        name = f"{book}, {layout}" if layout else book
        print(f"one core, {name}: {rate / 1e6:,.0f} million rounds a second; ratio {rate / classic:.2f}", flush=True)
    try:
        for book, layout in GAMES:
            rate = on_a_gpu(work_of(book, layout, Dealing(rounds=69), 1 << 28))
            print(f"GPU, {book} {layout or ''}: {rate / 1e9:,.1f} thousand million rounds a second", flush=True)
            check_gpu_counts(book, layout)
            print("  counts as the CPU does")
    except NoGpu:
        print("GPU: there is none here")


if __name__ == "__main__":
    main()
