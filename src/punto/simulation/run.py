"""A run: shoes by their numbers, dealt in chunks on threads, a GPU or a cluster, and added up."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt

import msgspec
import numpy as np

from punto.kernels.generator import hash_of
from punto.kernels.gpu import check_gpu
from punto.simulation.backends import Backend, Ready, WorkKind, made_ready
from punto.simulation.cells import CELLS, LAST, PAIRS, ROWS, Counts, cells_in_use, outcomes_of, situations_of
from punto.simulation.cpu import deal_blocks
from punto.simulation.dealing import Dealing
from punto.simulation.shoe_ranges import check_shoes
from punto.simulation.tally import Tally, tally_of
from punto.simulation.unit_nets import NO_BETS, Bets, bets

Counted = tuple[Counts, Counts, Counts]
"""Outcomes, situations by winner, and for each block its rounds and the net of each bet."""

MOST_IN_A_BLOCK = 1 << 16
CHUNK = {"cpu": 1 << 18, "gpu": 1 << 28, "dask": 1 << 20}
"""About how many shoes are dealt at a time: a fraction of a second each."""


class Job(msgspec.Struct, frozen=True):
    """What is dealt, and how blocks divide it."""

    dealing: Dealing
    seed: int
    first: int
    last: int
    block: int
    bets: Bets

    def __post_init__(self) -> None:
        check_shoes(self.seed, self.first, self.last - self.first, self.block, MOST_IN_A_BLOCK)


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
        return ready.all_of(work.first, work.last)


def prepared(
    work: Job, backend: Backend = "cpu", threads: int | None = None, cluster: str | None = None
) -> Ready[Tally]:
    """Make a backend ready; `auto` takes a GPU if there is one.

    Whatever the backend, the counts are the same.
    """
    return made_ready(_DEALING, work, backend, threads, cluster)


def _on_a_gpu(work: Job) -> Callable[[int, int], Counted]:
    check_gpu()
    from punto.simulation.gpu import GpuDealer  # numba-cuda is an extra, and slow to load

    gpu = GpuDealer(work.bets.nets)
    return lambda first, last: gpu.deal(work.dealing, work.seed, first, last, work.block)


def deal_range(work: Job, first: int, last: int) -> Counted:
    """Deal some shoes on one core: outcomes, situations, and the sums of each block."""
    cells = np.zeros(CELLS, dtype=np.int64)
    blocks = -(-last // work.block) - first // work.block
    sums = np.zeros((blocks, len(work.bets.names) + 1), dtype=np.int64)
    used, outcomes = cells_in_use()
    dealing = work.dealing.parameters
    deal_blocks(
        hash_of(work.seed),
        first,
        last,
        work.block,
        dealing,
        work.dealing.sure_rounds,
        used,
        outcomes,
        work.bets.nets,
        cells,
        sums,
    )
    return outcomes_of(cells), situations_of(cells.reshape(ROWS, PAIRS, LAST).sum(axis=1)), sums


def _tally(work: Job, first: int, last: int, counts: Counted) -> Tally:
    return tally_of(work.seed, work.dealing, work.block, (first, last), work.bets, counts)


_DEALING = WorkKind(CHUNK, 8, deal_range, _on_a_gpu, _tally)
