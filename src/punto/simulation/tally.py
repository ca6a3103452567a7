"""What a run has counted: a value that can be added to another, saved to a file, and resumed."""

import hashlib
import json
from math import nan
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET

from punto.coup import OUTCOMES, SITUATIONS
from punto.simulation.card_bets import CardBets
from punto.simulation.cells import WINNERS, Counts
from punto.simulation.dealing import BadDealing, Dealing
from punto.simulation.shoe_ranges import BadTally, OfShoes, Range, same, united
from punto.simulation.statistics import Estimate, ratio
from punto.simulation.unit_nets import Bets
from punto.tabular import Rows, Tabular

Counted = tuple[Counts, Counts, Counts, Counts]
"""Outcomes, situations by winner, for each block its rounds and the net of each bet, and joints of cards."""

FORMAT = "punto-tally-2"
WITH_ROWS = "punto-tally-3"
"""The form of counts of which some bets look at cards."""

WITH_PLACED = "punto-tally-4"
"""The form of counts of which some bets are placed after the first four cards, or a card is printed."""

EARLIER = "punto-tally-1"
"""The form in which earlier releases kept counts: only outcomes and situations are in its digest."""


class BetSums(msgspec.Struct, frozen=True):
    """The net of a bet in parts of a unit: in all, and sums over blocks of squares and of products with rounds."""

    unit: int
    net: int
    squares: int
    products: int

    def __add__(self, other: "BetSums") -> "BetSums":
        return BetSums(self.unit, self.net + other.net, self.squares + other.squares, self.products + other.products)


class Tally(Tabular, OfShoes, msgspec.Struct, frozen=True, eq=False):
    """The counts of some shoes of a seed.

    `shoes` are the ranges of shoe numbers that were dealt, `outcomes` the histogram over the 2,000 outcomes, and
    `situations` counts of situation by winner: Player, Banker, tie. What the rounds of a block of shoes came to is
    kept as sums over blocks, from which intervals are made: the rounds of one shoe are not independent. `priced` is
    the digest of the bets, names and nets. `rows` are of each bet that looks at cards how many rounds each of its pay
    rows took, and at last how many none did. `placed` are of each bet that is placed after the first four cards the
    rounds in which it could be, and the sum of their squares over blocks.
    """

    seed: int
    dealing: Dealing
    block: int
    shoes: tuple[Range, ...]
    outcomes: Counts
    situations: Counts
    blocks: int
    rounds_squared: int
    priced: str
    bets: dict[str, BetSums]
    rows: dict[str, tuple[int, ...]] = {}
    placed: dict[str, tuple[int, int]] = {}

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return int(self.outcomes.sum())

    @property
    def digest(self) -> str:
        """The SHA-256 of outcomes and situations: the same wherever the same shoes were dealt, whatever the bets."""
        counts = np.concatenate((self.outcomes, self.situations.reshape(-1))).astype("<i8")
        return hashlib.sha256(counts.tobytes()).hexdigest()

    def __add__(self, other: "Tally") -> "Tally":
        same(
            ("seeds", self.seed, other.seed),
            ("ways of dealing", self.dealing, other.dealing),
            ("blocks", self.block, other.block),
            ("bets", self.priced, other.priced),
        )
        return Tally(
            self.seed,
            self.dealing,
            self.block,
            united(self.shoes, other.shoes),
            self.outcomes + other.outcomes,
            self.situations + other.situations,
            self.blocks + other.blocks,
            self.rounds_squared + other.rounds_squared,
            self.priced,
            {name: sums + other.bets[name] for name, sums in self.bets.items()},
            {
                name: tuple(one + more for one, more in zip(rows, other.rows[name], strict=True))
                for name, rows in self.rows.items()
            },
            {
                name: (rounds + other.placed[name][0], squares + other.placed[name][1])
                for name, (rounds, squares) in self.placed.items()
            },
        )

    def edge(self, bet: str, level: float = 0.95) -> Estimate:
        """The house edge of a bet as dealt, with an interval that comes from block to block of shoes.

        Of a bet that is placed after the first four cards it is that of the rounds in which it could be placed; it is
        not a number where there were none.
        """
        sums = self.bets[bet]
        under = self.placed.get(bet, (self.rounds, self.rounds_squared))
        if not under[0]:
            return Estimate(nan, None, None, None)
        return ratio((-sums.net, sums.squares, -sums.products), under, self.blocks, sums.unit, level)

    @property
    def form(self) -> str:
        """The form in which it is kept."""
        if self.placed or self.dealing.printed is not UNSET:
            return WITH_PLACED
        return WITH_ROWS if self.rows else FORMAT

    def to_rows(self) -> Rows:
        """The house edge of every bet as dealt, with its interval of 95%."""
        edges = {name: self.edge(name) for name in self.bets}
        return Rows(
            ("bet", "edge", "low", "high", "error"),
            tuple((name, each.value, each.low, each.high, each.error) for name, each in edges.items()),
            f"{self.dealt:,} shoes, {self.rounds:,} rounds",
        )

    @property
    def seal(self) -> str:
        """The SHA-256 of everything that is kept: seed, dealing, ranges, every count and every sum."""
        return hashlib.sha256(msgspec.json.encode(_plain(self))).hexdigest()

    def encode(self) -> bytes:
        """As JSON, on one line."""
        return msgspec.json.encode({"format": self.form, "digest": self.digest, "seal": self.seal, **_plain(self)})


class _SavedTally(msgspec.Struct, forbid_unknown_fields=True):
    """A tally as it is written in a file: long whole numbers are text."""

    format: str
    digest: str
    seed: int
    dealing: Dealing
    block: int
    shoes: tuple[Range, ...]
    outcomes: list[int]
    situations: list[tuple[int, int, int]]
    blocks: int
    rounds_squared: str
    priced: str
    bets: dict[str, dict[str, str]]
    rows: dict[str, tuple[int, ...]] = {}
    placed: dict[str, tuple[str, str]] = {}
    seal: str = ""


def _plain(tally: Tally) -> dict[str, Any]:
    plain = {
        "seed": tally.seed,
        "dealing": tally.dealing,
        "block": tally.block,
        "shoes": tally.shoes,
        "outcomes": tally.outcomes.tolist(),
        "situations": tally.situations.tolist(),
        "blocks": tally.blocks,
        "rounds_squared": str(tally.rounds_squared),
        "priced": tally.priced,
        "bets": {
            name: {key: str(getattr(sums, key)) for key in sums.__struct_fields__} for name, sums in tally.bets.items()
        },
    }
    if tally.rows:
        plain["rows"] = tally.rows
    if tally.placed:
        plain["placed"] = {name: (str(rounds), str(squares)) for name, (rounds, squares) in tally.placed.items()}
    return plain


def load(file: Path | str) -> Tally:
    """Read counts that were saved, and refuse a file that is not as it was written."""
    return load_kept(file)[0]


def load_kept(file: Path | str) -> tuple[Tally, bool]:
    """The same, and whether everything in the file is sealed; an earlier release sealed the counts alone."""
    try:
        written = Path(file).read_bytes()
        saved = msgspec.json.decode(written, type=_SavedTally)
        tally = Tally(
            saved.seed,
            saved.dealing,
            saved.block,
            united(saved.shoes),
            np.array(saved.outcomes, dtype=np.int64),
            np.array(saved.situations, dtype=np.int64).reshape(-1, len(WINNERS)),
            saved.blocks,
            int(saved.rounds_squared),
            saved.priced,
            {
                name: BetSums(*(int(sums[key]) for key in BetSums.__struct_fields__))
                for name, sums in saved.bets.items()
            },
            saved.rows,
            {name: (int(rounds), int(squares)) for name, (rounds, squares) in saved.placed.items()},
        )
    except (msgspec.DecodeError, BadDealing, BadTally, KeyError, ValueError, OverflowError, RecursionError) as error:
        raise BadTally(f"{file} holds no counts of a simulation: {error}.") from None
    whole = len(tally.outcomes) == OUTCOMES and len(tally.situations) == SITUATIONS
    sealed = saved.format == tally.form
    known = is_as_kept(written, tally.encode()) if sealed else saved.format == EARLIER
    if not known or not whole or tally.digest != saved.digest:
        raise BadTally(f"{file} holds no counts of a simulation, or they have been changed.")
    return tally, sealed


def is_as_kept(written: bytes, kept: bytes) -> bool:
    """Whether a file says what is kept, word for word: nothing more, nothing twice, and no number in another form.

    >>> is_as_kept(b'{"seed": 7}', b'{"seed":7}'), is_as_kept(b'{"seed": 8, "seed": 7}', b'{"seed":7}')
    (True, False)
    """
    return bool(json.loads(written, object_pairs_hook=_by_name) == json.loads(kept, object_pairs_hook=_by_name))


def _by_name(pairs: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """What an object of JSON says, by name, with each name as often as it stands there."""
    return sorted(pairs, key=itemgetter(0))


def digest_of(named: Bets, cards: CardBets | None) -> str:
    """The digest of all bets: names, and what each nets when."""
    return named.digest if cards is None else hashlib.sha256(f"{named.digest} {cards.digest}".encode()).hexdigest()


def tally_of(
    seed: int,
    dealing: Dealing,
    block: int,
    shoes: Range,
    named: Bets,
    counts: Counted,
    cards: CardBets | None = None,
) -> Tally:
    """The tally of what a kernel has counted."""
    outcomes, situations, sums, joints = counts
    columns = [[int(number) for number in column] for column in sums.T]
    rounds = columns[0]
    names, units = (*named.names, *(cards.names if cards else ())), (*named.units, *(cards.units if cards else ()))
    placed = dict(zip(cards.late if cards else (), columns[1 + len(names) :], strict=True))
    return Tally(
        seed,
        dealing,
        block,
        (shoes,),
        outcomes,
        situations,
        len(sums),
        sum(number * number for number in rounds),
        digest_of(named, cards),
        {
            name: BetSums(
                unit,
                sum(nets),
                sum(net * net for net in nets),
                sum(net * n for net, n in zip(nets, placed.get(name, rounds), strict=True)),
            )
            for name, unit, nets in zip(names, units, columns[1 : 1 + len(names)], strict=True)
        },
        cards.counted(joints) if cards else {},
        {name: (sum(each), sum(number * number for number in each)) for name, each in placed.items()},
    )
