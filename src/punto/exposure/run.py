"""A run: shoes by their numbers, looked at round by round on threads, a GPU or a cluster, and added up."""

from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec
import numpy as np

from punto.exposure.counts import Count
from punto.exposure.cover import Cover, cover_of
from punto.exposure.looking import SPREAD, TRUE, depths
from punto.exposure.nets import BadExposure, Ints, Nets, check_size, nets_of
from punto.exposure.procedure import Procedure, procedure
from punto.exposure.tally import Blocks, Exposure, exposure_of
from punto.rulebook import Book, Menu
from punto.simulation import Backend, BadDealing, Dealing
from punto.simulation.backends import Kind, Ready, made_ready
from punto.simulation.run import MOST_SHOES, SEEDS

MOST_IN_A_BLOCK = 1024
"""So many shoes of any book fit the 64 bits in which a block is added up."""

LEAST_BLOCKS = 256
"""Without a block given, a run of so many shoes or more has at least so many blocks, from which errors come."""

CHUNK = {"cpu": 256, "gpu": 1 << 16, "dask": 1024}
"""About so many shoes are looked at at a time."""

MOST_COUNTS = 64


class Task(msgspec.Struct, frozen=True):
    """What is dealt and looked at, and how blocks divide it."""

    dealing: Procedure
    seed: int
    first: int
    last: int
    block: int
    nets: Nets
    counts: tuple[Count, ...]
    cover: Cover

    @property
    def priced(self) -> str:
        """The digest of the bets and of insurance."""
        return sha256(self.nets.bets.digest.encode() + self.cover.at.tobytes() + self.cover.odds.tobytes()).hexdigest()


def task(
    menu: Menu | Nets,
    dealing: Dealing,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    counts: Sequence[Count] = (),
    cover: Book | None = None,
) -> Task:
    """A task of so many shoes of a layout, or of bets made ready by `nets`; without a block it has at least 256.

    >>> from punto.rulebook import load, menu
    >>> task(menu(load("wu-song")), Dealing(), seed=1, shoes=10_000).block
    32
    >>> task(menu(load("wu-song")), Dealing(), seed=1, shoes=0)
    Traceback (most recent call last):
    punto.simulation.dealing.BadDealing: 0 shoes make no run: 1 to 10000000000000 do.
    """
    if not 0 <= seed < SEEDS:
        raise BadDealing(f"{seed} is no seed: 0 to {SEEDS - 1} are.")
    if not 1 <= shoes <= MOST_SHOES:
        raise BadDealing(f"{shoes} shoes make no run: 1 to {MOST_SHOES} do.")
    if block is None:
        block = min(1 << max(shoes // LEAST_BLOCKS, 1).bit_length() - 1, MOST_IN_A_BLOCK)
    if not 0 <= first <= MOST_SHOES or not 1 <= block <= MOST_IN_A_BLOCK:
        raise BadDealing(
            f"Shoe numbers begin at 0 to {MOST_SHOES}, and a block has 1 to {MOST_IN_A_BLOCK} shoes; "
            f"here are {first} and {block}."
        )
    if len(counts) > MOST_COUNTS:
        raise BadExposure(f"{len(counts)} counts are too many at once: {MOST_COUNTS} are the most.")
    named = menu if isinstance(menu, Nets) else nets_of(menu)
    for each in counts:
        named.at(each.bet)
    check_size(named, dealing.decks)
    offered = cover_of(cover, dealing.decks)
    return Task(procedure(dealing), seed, first, first + shoes, block, named, tuple(counts), offered)


def expose(
    menu: Menu | Nets,
    dealing: Dealing | None = None,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    counts: Sequence[Count] = (),
    cover: Book | None = None,
    backend: Backend = "cpu",
    threads: int | None = None,
    cluster: str | None = None,
) -> Exposure:
    """Deal shoes, and before every round compute the exact edge of every bet from the cards that are still unseen.

    With `cover`, a book, every insurance window of it is looked at too.

    >>> from punto.rulebook import load, menu
    >>> found = expose(menu(load("wu-song")), seed=1, shoes=20)
    >>> found.dealt, found.rounds
    (20, 1636)
    >>> big = found.perfect("big-tiger")
    >>> 0 < big.share.value < 1, big.edge.value > 0
    (True, True)
    """
    dealing = Dealing() if dealing is None else dealing
    work = task(menu, dealing, seed=seed, shoes=shoes, first=first, block=block, counts=counts, cover=cover)
    with prepared(work, backend, threads, cluster) as ready:
        return ready.all_of(work.first, work.last)


def prepared(
    work: Task, backend: Backend = "cpu", threads: int | None = None, cluster: str | None = None
) -> Ready[Exposure]:
    """Make a backend ready; `auto` takes a GPU if there is one.

    Whatever the backend, what is noted is the same, bit for bit.
    """
    return made_ready(_LOOKING, work, backend, threads, cluster)


def plays_of(work: Task) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """The plays as kernels take them: units by bet; by play its bet, its number if it is a count, tags and trigger."""
    named, counts = work.nets, work.counts
    bets = len(named.names)
    bet_of = np.array([*range(bets), *(named.at(each.bet) for each in counts)], dtype=np.int64)
    how = np.array([0] * bets + [at + 1 for at in range(len(counts))], dtype=np.int64)
    tags, triggers = np.zeros((len(bet_of), 13), dtype=np.int64), np.ones((len(bet_of), 2), dtype=np.int64)
    for at, each in enumerate(counts, start=bets):
        tags[at], triggers[at] = each.tags, (each.trigger.numerator, each.trigger.denominator)
    return named.units, bet_of, how, tags, triggers


def nothing_yet(work: Task, first: int, last: int) -> tuple[Ints, Blocks]:
    """For each shoe its block, and a place for what will be noted."""
    named, counts = work.nets, work.counts
    numbers = np.arange(first, last, dtype=np.int64)
    blocks = numbers // work.block - first // work.block
    number, depth, bets = int(blocks[-1]) + 1, depths(work.dealing.decks), len(named.names)
    plays = bets + len(counts)

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int64)

    return blocks, Blocks(
        np.bincount(blocks, minlength=number).astype(np.int64),
        zeros(number, depth),
        zeros(number, plays, depth),
        zeros(number, plays, depth),
        zeros(number, bets),
        zeros(number, len(work.cover.cells), 3),
        zeros(bets, SPREAD),
        zeros(len(counts), 2, TRUE),
    )


def look_at(work: Task, first: int, last: int) -> Blocks:
    """Deal and look at some shoes on one core."""
    from punto.exposure.edges import net_sums
    from punto.exposure.rounds import VALUE_AT, deal_rounds, look_at_all, look_at_windows

    dealt = deal_rounds(work.dealing, work.seed, first, last - first)
    nets = net_sums(work.nets, dealt.unseen)
    blocks, noted = nothing_yet(work, first, last)
    sums = (noted.rounds, noted.favourable, noted.gains, noted.edges, noted.spread, noted.trues)
    start = np.int64(4 * work.dealing.decks)
    look_at_all(dealt.ends, blocks, dealt.unseen, dealt.left, nets, start, plays_of(work), sums)
    if work.cover.cells:
        cover = work.cover
        look_at_windows(dealt.ends, blocks, dealt.unseen, dealt.cards, VALUE_AT, cover.at, cover.odds, noted.offers)
    return noted


def _on_a_gpu(work: Task) -> Callable[[int, int], Blocks]:
    from punto.exposure.gpu import Gpu

    return Gpu(work).look_at


def _noted(work: Task, first: int, last: int, noted: Blocks) -> Exposure:
    shoes, names = (first, last), work.nets.names
    return exposure_of(work.seed, work.dealing, work.block, shoes, names, work.counts, work.priced, noted)


_LOOKING = Kind(CHUNK, 4, look_at, _on_a_gpu, _noted)
