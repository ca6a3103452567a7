"""A run: shoes by their numbers, dealt in chunks on threads, a GPU or a cluster, and added up."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt

import msgspec
import numpy as np
from msgspec import UNSET

from punto.kernels.generator import hash_of
from punto.kernels.gpu import check_gpu
from punto.rulebook import Priced
from punto.simulation import card_lanes
from punto.simulation.backends import Backend, Ready, WorkKind, made_ready
from punto.simulation.card_bets import NO_CARD_BETS, CardBets, card_bets
from punto.simulation.cells import CELLS, LAST, PAIRS, ROWS, cells_in_use, outcomes_of, situations_of
from punto.simulation.cpu import deal_blocks
from punto.simulation.dealing import BadDealing, Dealing, on_layout
from punto.simulation.shoe_ranges import check_shoes
from punto.simulation.tally import Counted, Tally, digest_of, tally_of
from punto.simulation.unit_nets import NO_BETS, Bets, bets

NO_JOINTS = np.zeros(0, dtype=np.int64)

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
    cards: CardBets | None = None

    @property
    def priced(self) -> str:
        """The digest of all bets."""
        return digest_of(self.bets, self.cards)

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
    cards: Mapping[str, Priced] | None = None,
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
    named = NO_BETS if nets is None else bets(nets)
    for priced in (cards or {}).values():
        if on_layout(priced.printed) != dealing.printed:
            raise BadDealing(f"{priced.bet.name} and the shoes that are dealt differ in the card that is printed.")
    return Job(dealing, seed, first, first + shoes, block, named, card_bets(cards or {}))


def simulate(
    dealing: Dealing,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    nets: Mapping[str, Sequence[Fraction | int]] | None = None,
    cards: Mapping[str, Priced] | None = None,
    backend: Backend = "cpu",
    threads: int | None = None,
    cluster: str | None = None,
) -> Tally:
    """Deal shoes and count what they came to.

    `nets` are bets by name: what one unit nets for each of the 2,000 outcomes. `cards` are bets that look at cards.

    >>> tally = simulate(Dealing(rounds=60), seed=1, shoes=1000)
    >>> tally.rounds, tally.dealt
    (60000, 1000)
    >>> one, two = (simulate(Dealing(rounds=60), seed=1, shoes=500, first=first, block=32) for first in (0, 500))
    >>> (one + two).digest == tally.digest
    True
    """
    work = job(dealing, seed=seed, shoes=shoes, first=first, block=block, nets=nets, cards=cards)
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

    gpu = GpuDealer(work.bets.nets, work.dealing.printed)
    if work.cards is None:
        return lambda first, last: (*gpu.deal(work.dealing, work.seed, first, last, work.block), NO_JOINTS)
    from punto.simulation.card_gpu import CardGpuDealer

    cards = CardGpuDealer(work.cards, work.dealing.printed)

    def deal(first: int, last: int) -> Counted:
        outcomes, situations, sums = gpu.deal(work.dealing, work.seed, first, last, work.block)
        joints, card_sums = cards.deal(work.dealing, work.seed, first, last, work.block)
        return outcomes, situations, np.concatenate((sums, card_sums), axis=1), joints

    return deal


def deal_range(work: Job, first: int, last: int) -> Counted:
    """Deal some shoes on one core: outcomes, situations, the sums of each block, and joints of cards."""
    cells = np.zeros(CELLS, dtype=np.int64)
    blocks = -(-last // work.block) - first // work.block
    dealing, hashed = work.dealing.parameters, hash_of(work.seed)
    if work.cards is None and work.dealing.printed is UNSET:
        joints = NO_JOINTS
        sums = np.zeros((blocks, len(work.bets.names) + 1), dtype=np.int64)
        used, outcomes = cells_in_use()
        sure, nets = work.dealing.sure_rounds, work.bets.nets
        deal_blocks(hashed, first, last, work.block, dealing, sure, used, outcomes, nets, cells, sums)
    else:
        cards = work.cards or NO_CARD_BETS
        joints = np.zeros(cards.rows.shape[1], dtype=np.int64)
        sums = np.zeros((blocks, len(work.bets.names) + 1 + len(cards.nets)), dtype=np.int64)
        card_lanes.deal_blocks(
            hashed,
            (first, last, work.block),
            dealing,
            work.dealing.sure_rounds,
            cards.by_suit,
            work.dealing.on_layout,
            cells_in_use(),
            (work.bets.nets, cards.nets),
            cards.program,
            (cells, joints, sums),
        )
    return outcomes_of(cells), situations_of(cells.reshape(ROWS, PAIRS, LAST).sum(axis=1)), sums, joints


def _tally(work: Job, first: int, last: int, counts: Counted) -> Tally:
    return tally_of(work.seed, work.dealing, work.block, (first, last), work.bets, counts, work.cards)


_DEALING = WorkKind(CHUNK, 8, deal_range, _on_a_gpu, _tally)
