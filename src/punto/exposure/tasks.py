"""What a run records, and how blocks of shoes divide it."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec
import numpy as np
from msgspec import UNSET, structs

from punto.exposure.errors import BadExposure
from punto.exposure.in_runs import check_counted, counted_nets, in_runs
from punto.exposure.late_bets import NO_LATE_BETS, LateBets, late_bets
from punto.exposure.linear_counts import LinearCount
from punto.exposure.net_classes import Ints, Nets, check_size
from punto.exposure.offers import Offers, offers_of
from punto.exposure.procedure import DealingProcedure, procedure_of
from punto.exposure.recording import SPREAD, TRUE, depths
from punto.rulebook import Book, Menu
from punto.simulation import Dealing
from punto.simulation.dealing import on_layout
from punto.simulation.shoe_ranges import check_shoes

MOST_IN_A_BLOCK = 1024
"""The sums of a block of so many shoes fit 64 bits, for any book."""

LEAST_BLOCKS = 256
"""Without a block given, a run of so many shoes or more has at least so many blocks, from which errors come."""

MOST_COUNTS = 64


class Blocks(msgspec.Struct, frozen=True):
    """What kernels have recorded of a range of shoes, block by block.

    By block: `shoes`; `rounds` by depth; `favourable` and `gains` by play and depth; `edges` by bet; `offers` by
    cell, and behind these by late bet: met, favourable, gained. Over all blocks: the `spread` of edges by bet, and by
    count the rounds and gains at each true count.
    """

    shoes: Ints
    rounds: Ints
    favourable: Ints
    gains: Ints
    edges: Ints
    offers: Ints
    spread: Ints
    trues: Ints


class Task(msgspec.Struct, frozen=True):
    """What is dealt and recorded, and how blocks divide it."""

    dealing: DealingProcedure
    seed: int
    first: int
    last: int
    block: int
    nets: Nets
    counts: tuple[LinearCount, ...]
    offers: Offers
    late: LateBets = NO_LATE_BETS

    @property
    def priced(self) -> str:
        """The digest of the bets, of insurance and of late bets."""
        insurance = self.offers.at.tobytes() + self.offers.odds.tobytes()
        return sha256(self.nets.digest.encode() + insurance + self.late.digest).hexdigest()

    @property
    def by_suit(self) -> bool:
        """Whether shoes are dealt by rank and suit."""
        return self.nets.by_suit or bool(self.late.bets) or self.dealing.printed is not UNSET

    @property
    def plays(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """As kernels take them: units by bet; by play its bet, its number if it is a count, tags and trigger."""
        bets = len(self.nets.names)
        bet_of = np.array([*range(bets), *(self.nets.at(each.bet) for each in self.counts)], dtype=np.int64)
        how = np.array([0] * bets + [at + 1 for at in range(len(self.counts))], dtype=np.int64)
        tags, triggers = np.zeros((len(bet_of), 13), dtype=np.int64), np.ones((len(bet_of), 2), dtype=np.int64)
        for at, each in enumerate(self.counts, start=bets):
            tags[at], triggers[at] = each.tags, (each.trigger.numerator, each.trigger.denominator)
        return self.nets.units, bet_of, how, tags, triggers

    def empty_blocks(self, first: int, last: int) -> tuple[Ints, Blocks]:
        """For each shoe from first to last its block, and room for what will be recorded."""
        blocks = np.arange(first, last, dtype=np.int64) // self.block - first // self.block
        number, depth, bets = int(blocks[-1]) + 1, depths(self.dealing.decks), len(self.nets.names)
        plays = bets + len(self.counts)

        def zeros(*shape: int) -> Ints:
            return np.zeros(shape, dtype=np.int64)

        return blocks, Blocks(
            np.bincount(blocks, minlength=number).astype(np.int64),
            zeros(number, depth),
            zeros(number, plays, depth),
            zeros(number, plays, depth),
            zeros(number, bets),
            zeros(number, len(self.offers.cells) + len(self.late.bets), 3),
            zeros(bets, SPREAD),
            zeros(len(self.counts), 2, TRUE),
        )


def task(
    menu: Menu | Nets,
    dealing: Dealing,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    counts: Sequence[LinearCount] = (),
    cover: Book | None = None,
) -> Task:
    """A task of so many shoes of a layout, or of bets made ready by `nets`; without a block it has at least 256.

    Bets of a layout that no run counts are left out.

    >>> from punto.rulebook import load, menu
    >>> task(menu(load("wu-song")), Dealing(), seed=1, shoes=10_000).block
    32
    >>> task(menu(load("wu-song")), Dealing(), seed=1, shoes=0)
    Traceback (most recent call last):
    punto.simulation.dealing.BadDealing: 0 shoes make no run: 1 to 10000000000000 do.
    """
    if block is None:
        block = min(1 << max(shoes // LEAST_BLOCKS, 1).bit_length() - 1, MOST_IN_A_BLOCK)
    check_shoes(seed, first, shoes, block, MOST_IN_A_BLOCK)
    if len(counts) > MOST_COUNTS:
        raise BadExposure(f"{len(counts)} counts are too many at once: {MOST_COUNTS} are the most.")
    named = menu if isinstance(menu, Nets) else counted_nets(menu, dealing.decks)
    for each in counts:
        if isinstance(menu, Menu):
            check_counted(menu, each.bet, dealing.decks)
        named.at(each.bet)
    check_size(named, dealing.decks)
    offered = offers_of(cover, dealing.decks)
    late = NO_LATE_BETS if isinstance(menu, Nets) else late_bets(in_runs(menu, dealing.decks).bets)
    procedure = procedure_of(dealing)
    if isinstance(menu, Menu):
        procedure = structs.replace(procedure, printed=on_layout(menu.book.cards.printed))
    return Task(procedure, seed, first, first + shoes, block, named, tuple(counts), offered, late)
