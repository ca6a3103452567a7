"""A run: shoes by their numbers, dealt in chunks on threads, a GPU or a cluster, and added up."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from math import isqrt
from os import sched_getaffinity
from typing import Any, Literal

import msgspec
import numpy as np

from punto.simulation.bets import NO_BETS, Bets, bets
from punto.simulation.counting import CELLS, LAST, PAIRS, ROWS, Counts, cells_in_use, outcomes_of, situations_of
from punto.simulation.dealing import BadDealing, Dealing
from punto.simulation.generator import hash_of
from punto.simulation.tally import Tally, tally_of

Backend = Literal["auto", "cpu", "gpu", "dask"]
Counted = tuple[Counts, Counts, Counts]
"""Outcomes, situations by winner, and for each block its rounds and the net of each bet."""

MOST_SHOES = 10**13
MOST_IN_A_BLOCK = 1 << 16
SEEDS = 1 << 64
CHUNK = {"cpu": 1 << 18, "gpu": 1 << 28, "dask": 1 << 20}
"""About so many shoes are dealt at a time: a fraction of a second each."""


class Job(msgspec.Struct, frozen=True):
    """What is dealt, and how blocks divide it."""

    dealing: Dealing
    seed: int
    first: int
    last: int
    block: int
    bets: Bets

    def __post_init__(self) -> None:
        if not 0 <= self.seed < SEEDS:
            raise BadDealing(f"{self.seed} is no seed: 0 to {SEEDS - 1} are.")
        if not 1 <= self.last - self.first <= MOST_SHOES:
            raise BadDealing(f"{self.last - self.first} shoes make no run: 1 to {MOST_SHOES} do.")
        if not 0 <= self.first <= MOST_SHOES or not 1 <= self.block <= MOST_IN_A_BLOCK:
            raise BadDealing(
                f"Shoe numbers begin at 0 to {MOST_SHOES}, and a block has 1 to {MOST_IN_A_BLOCK} shoes; "
                f"here are {self.first} and {self.block}."
            )


def job(
    dealing: Dealing,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    nets: Mapping[str, Sequence[Fraction | int]] | None = None,
) -> Job:
    """A job of so many shoes. Without a block it has about as many blocks as a block has shoes.

    >>> job(Dealing(), seed=1, shoes=1_000_000).block
    1024
    >>> job(Dealing(), seed=-1, shoes=10)
    Traceback (most recent call last):
    punto.simulation.dealing.BadDealing: -1 is no seed: 0 to 18446744073709551615 are.
    """
    if block is None:
        block = min(1 << max(2 * isqrt(max(shoes, 1)), 1).bit_length() - 1, MOST_IN_A_BLOCK)
    return Job(dealing, seed, first, first + shoes, block, NO_BETS if nets is None else bets(nets))


def simulate(
    dealing: Dealing,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    nets: Mapping[str, Sequence[Fraction | int]] | None = None,
    backend: Backend = "cpu",
    threads: int | None = None,
    cluster: str | None = None,
) -> Tally:
    """Deal shoes and count what they came to.

    `nets` are bets by name: what one unit nets for each of the 2,000 outcomes.

    >>> tally = simulate(Dealing(rounds=60), seed=1, shoes=1000)
    >>> tally.rounds, tally.dealt
    (60000, 1000)
    >>> one, two = (simulate(Dealing(rounds=60), seed=1, shoes=500, first=first, block=32) for first in (0, 500))
    >>> (one + two).digest == tally.digest
    True
    """
    work = job(dealing, seed=seed, shoes=shoes, first=first, block=block, nets=nets)
    with prepared(work, backend, threads, cluster) as ready:
        pieces = ready.pieces(work.first, work.last)
        total = next(pieces)
        for piece in pieces:
            total += piece
    return total


class Ready:
    """A backend made ready for a job: started, and its kernels compiled."""

    def __init__(
        self, name: str, work: Job, workers: int, submit: Callable[..., Any], close: Callable[[], None]
    ) -> None:
        self.name, self.workers = name, workers
        self._job, self._submit, self._close = work, submit, close

    def __enter__(self) -> "Ready":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def pieces(self, first: int, last: int) -> Iterator[Tally]:
        """Tallies of the shoes from first to last, in order, as they are done."""
        block, most = self._job.block, CHUNK[self.name]
        size = max(min(most, (last - first) // (8 * self.workers)) // block, 1) * block
        waiting: deque[tuple[int, int, Any]] = deque()
        start = first
        try:
            while start < last or waiting:
                while start < last and len(waiting) < 2 * self.workers:
                    end = min((start // block) * block + size, last)
                    waiting.append((start, end, self._submit(start, end)))
                    start = end
                begin, end, promise = waiting.popleft()
                yield self._tally(begin, end, promise.result())
        finally:
            for _, _, promise in waiting:
                promise.cancel()

    def _tally(self, first: int, last: int, counts: tuple[Counts, Counts, Counts]) -> Tally:
        work = self._job
        return tally_of(work.seed, work.dealing, work.block, (first, last), work.bets, counts)


def prepared(work: Job, backend: Backend = "cpu", threads: int | None = None, cluster: str | None = None) -> Ready:
    """Make a backend ready; `auto` takes a GPU if there is one.

    Whatever the backend, the counts are the same.
    """
    if threads is not None and threads < 1:
        raise BadDealing(f"{threads} threads deal nothing: at least 1 is needed.")
    if backend == "dask" or (backend == "auto" and cluster is not None):
        from punto.simulation.cluster import connect

        return connect(work, cluster, threads)
    if backend in ("gpu", "auto"):
        from punto.simulation.gpu import NoGpu

        try:
            return _on_gpu(work)
        except NoGpu:
            if backend == "gpu":
                raise
    return _on_threads(work, threads or len(sched_getaffinity(0)))


def _on_threads(work: Job, threads: int) -> Ready:
    deal_range(work, work.first, work.first + 1)  # compiles the kernel, or takes it from disk
    pool = ThreadPoolExecutor(threads)

    def submit(first: int, last: int) -> "Future[Counted]":
        return pool.submit(deal_range, work, first, last)

    return Ready("cpu", work, threads, submit, partial(pool.shutdown, cancel_futures=True))


def _on_gpu(work: Job) -> Ready:
    from punto.simulation.gpu import Gpu

    gpu = Gpu(work.bets.nets)
    pool = ThreadPoolExecutor(1)

    def submit(first: int, last: int) -> "Future[Counted]":
        return pool.submit(gpu.deal, work.dealing, work.seed, first, last, work.block)

    return Ready("gpu", work, 1, submit, partial(pool.shutdown, cancel_futures=True))


def deal_range(work: Job, first: int, last: int) -> Counted:
    """Deal some shoes on one core: outcomes, situations, and the sums of each block."""
    from punto.simulation.lanes import deal_blocks

    cells = np.zeros(CELLS, dtype=np.int64)
    blocks = -(-last // work.block) - first // work.block
    sums = np.zeros((blocks, len(work.bets.names) + 1), dtype=np.int64)
    used, outcomes = cells_in_use()
    dealing = parameters(work.dealing)
    deal_blocks(hash_of(work.seed), first, last, work.block, dealing, used, outcomes, work.bets.nets, cells, sums)
    return outcomes_of(cells), situations_of(cells.reshape(ROWS, PAIRS, LAST).sum(axis=1)), sums


def parameters(dealing: Dealing) -> tuple[int, int, int, int, int]:
    """A way of dealing, as kernels take it."""
    return dealing.decks, dealing.burn, dealing.least, dealing.sure_rounds, dealing.most_rounds
