"""What was recorded of many shoes: a value that can be added to another and saved, and what it tells of each play."""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET

from punto.exposure.errors import BadExposure
from punto.exposure.linear_counts import LinearCount
from punto.exposure.net_classes import Ints
from punto.exposure.procedure import DealingProcedure
from punto.exposure.recording import LEAST_TRUE, MIDDLE, SHIFT, SPREAD, STEP, TRUE
from punto.exposure.tasks import Blocks
from punto.simulation import Estimate
from punto.simulation.shoe_ranges import OfShoes, Range, same, united
from punto.simulation.statistics import ratio
from punto.tabular import Rows, Tabular

FORMAT = "punto-exposure-1"
WITH_LATE = "punto-exposure-2"
"""The form of a run in which some bets are placed after the first four cards, or a card is printed."""
LEVEL = 0.95
UNIT = 1 << SHIFT

Numbers = tuple[int, ...]


class Sums(msgspec.Struct, frozen=True):
    """Sums over blocks of how often a play was made, f, and of what it gained, g (in grains of 2^-36 units).

    Their squares and products with each other, with the rounds (r) and with the shoes (s) of a block are kept too:
    errors come from them. Each is a row by depth, the deepest first; an entry counts everything down to that depth.
    """

    f: Numbers
    g: Numbers
    ff: Numbers
    gg: Numbers
    fg: Numbers
    fr: Numbers
    gr: Numbers
    fs: Numbers
    gs: Numbers

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            *(
                tuple(a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True))
                for name in self.__struct_fields__
            )
        )


class Whole(msgspec.Struct, frozen=True):
    """What all plays share: rounds by depth, their squares and products with shoes, and the squares of shoes."""

    blocks: int
    r: Numbers
    rr: Numbers
    rs: Numbers
    ss: int

    def __add__(self, other: "Whole") -> "Whole":
        return Whole(
            self.blocks + other.blocks,
            _added(self.r, other.r),
            _added(self.rr, other.rr),
            _added(self.rs, other.rs),
            self.ss + other.ss,
        )


class Worth(msgspec.Struct, frozen=True):
    """What a play is worth: each figure with its error and interval. An edge of the patron is positive.

    `share` is that of rounds in which the bet is made, `edge` the average edge then (None if it never was),
    `per_shoe` and `per_100` the units won with one unit staked each time, by shoe and by hundred rounds of it.
    """

    share: Estimate
    edge: Estimate | None
    per_shoe: Estimate
    per_100: Estimate


class Exposure(Tabular, OfShoes, msgspec.Struct, frozen=True, eq=False):
    """What a counter would have won from some shoes of a seed.

    `bets` are perfect play by bet; `counts` the linear counts in `counted`, in that order; `offers` the insurance
    cells, each with how often it was met, and behind them the `late` bets, which are placed after the first four cards.
    `edges` are by bet the sum of the edge over all rounds, the sum of its squares over blocks, and of its products with
    rounds. `spread` counts rounds by edge in whole percents, and `trues` are by count the rounds and gains at each true
    count. `priced` is the digest of bets and offers.
    """

    seed: int
    dealing: DealingProcedure
    block: int
    shoes: tuple[Range, ...]
    whole: Whole
    bets: dict[str, Sums]
    counted: tuple[LinearCount, ...]
    counts: tuple[Sums, ...]
    edges: dict[str, Numbers]
    spread: dict[str, Numbers]
    trues: tuple[tuple[Numbers, Numbers], ...]
    offers: tuple[tuple[int, Sums], ...]
    priced: str
    late: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds were recorded."""
        return self.whole.r[0]

    @property
    def digest(self) -> str:
        """The SHA-256 of everything: the same wherever the same shoes were recorded."""
        return hashlib.sha256(msgspec.json.encode(_plain(self))).hexdigest()

    def __add__(self, other: "Exposure") -> "Exposure":
        same(
            ("seeds", self.seed, other.seed),
            ("ways of dealing", self.dealing, other.dealing),
            ("blocks", self.block, other.block),
            ("bets", self.priced, other.priced),
            ("counts", self.counted, other.counted),
        )
        return Exposure(
            self.seed,
            self.dealing,
            self.block,
            united(self.shoes, other.shoes),
            self.whole + other.whole,
            {name: sums + other.bets[name] for name, sums in self.bets.items()},
            self.counted,
            tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)),
            {name: _added(row, other.edges[name]) for name, row in self.edges.items()},
            {name: _added(row, other.spread[name]) for name, row in self.spread.items()},
            tuple((_added(a[0], b[0]), _added(a[1], b[1])) for a, b in zip(self.trues, other.trues, strict=True)),
            tuple((a[0] + b[0], a[1] + b[1]) for a, b in zip(self.offers, other.offers, strict=True)),
            self.priced,
            self.late,
        )

    def perfect(self, bet: str, cut: int | None = None, level: float = LEVEL) -> Worth:
        """What perfect play of a bet is worth; with a cut, if the cut card had been put there instead.

        A cut is one of `cuts`: a shoe with a cut card earlier is the same shoe, ended earlier.
        """
        return self._worth(self.bets[bet], self._depth(cut), level)

    def by_count(self, number: int = 0, cut: int | None = None, level: float = LEVEL) -> Worth:
        """What a linear count is worth, by its number among those asked for."""
        return self._worth(self.counts[number], self._depth(cut), level)

    def offer(self, cell: int, level: float = LEVEL) -> Worth:
        """What insurance is worth in a cell, one unit of cover wherever it favours the patron."""
        return self._worth(self.offers[cell][1], 0, level)

    def late_bet(self, bet: str, level: float = LEVEL) -> Worth:
        """What a bet is worth that is placed after the first four cards, one unit wherever these favour the patron."""
        return self.offer(self._late_at(bet), level)

    def placed(self, bet: str) -> int:
        """In how many rounds such a bet could be placed."""
        return self.offers[self._late_at(bet)][0]

    def _late_at(self, bet: str) -> int:
        return len(self.offers) - len(self.late) + self.late.index(bet)

    @property
    def form(self) -> str:
        """The form in which it is kept."""
        return WITH_LATE if self.late or self.dealing.printed is not UNSET else FORMAT

    def to_rows(self) -> Rows:
        """What perfect play of every bet is worth, one unit whenever the edge is the counter's."""
        worths = {name: self.perfect(name) for name in self.bets}
        return Rows(
            ("bet", "favourable", "edge_when_favourable", "units_per_shoe", "units_per_100"),
            tuple(
                (
                    name,
                    each.share.value,
                    each.edge.value if each.edge else None,
                    each.per_shoe.value,
                    each.per_100.value,
                )
                for name, each in worths.items()
            ),
            f"Perfect play: {self.dealt:,} shoes, {self.rounds:,} rounds",
        )

    @property
    def cuts(self) -> list[int]:
        """The cuts for which there are figures: that of the run, and every half deck above it.

        By the casino's procedure only that of the run: there the round after the cut card depends on the cut.
        """
        least = self.dealing.cut if self.dealing.rounds is None else self.dealing.least
        if self.dealing.casino:
            return [least]
        return [least, *(STEP * depth for depth in range(least // STEP + 1, len(self.whole.r)) if self.whole.r[depth])]

    def rounds_to(self, cut: int) -> int:
        """How many rounds there were down to a cut."""
        return self.whole.r[self._depth(cut)]

    def _depth(self, cut: int | None) -> int:
        if cut is None or cut == self.cuts[0]:
            return 0
        if cut not in self.cuts:
            told = ", ".join(str(each) for each in self.cuts)
            raise BadExposure(f"A cut at {cut} cards is not told apart in this run; these are: {told}.")
        return cut // STEP

    def edge(self, bet: str, level: float = LEVEL) -> Estimate:
        """The patron's edge of a bet over all rounds, bet or not."""
        e, ee, er = self.edges[bet]
        return self._ratio((e, ee, er), (self.rounds, self.whole.rr[0]), UNIT, level)

    def best_depth(self, bet: str) -> tuple[int, int] | None:
        """The half deck, as cards left from and to, in which a round is worth most to perfect play."""
        sums, found = self.bets[bet], []
        for depth in range(len(sums.g)):
            rounds, gain = _at(self.whole.r, depth), _at(sums.g, depth)
            if rounds and gain > 0:
                found.append((Fraction(gain, rounds), depth))
        if not found:
            return None
        depth = max(found)[1]
        return max(STEP * depth, self._fewest), STEP * (depth + 1) - 1

    @property
    def _fewest(self) -> int:
        """No round is begun with fewer cards left."""
        return self.dealing.cut - 5 if self.dealing.casino else self.dealing.least

    def by_depth(self, bet: str) -> list[tuple[int, int, int, float]]:
        """By half deck, from the full shoe down: fewest cards left, rounds, favourable ones, units gained."""
        sums, rows = self.bets[bet], []
        for depth in reversed(range(len(sums.g))):
            rounds = _at(self.whole.r, depth)
            if rounds:
                times, gain = _at(sums.f, depth), _at(sums.g, depth)
                rows.append((max(STEP * depth, self._fewest), rounds, times, gain / UNIT))
        return rows

    def distribution(self, bet: str) -> list[tuple[int, int]]:
        """Rounds by the patron's edge: (whole percents from which, rounds), where there were any."""
        return [(at - MIDDLE, rounds) for at, rounds in enumerate(self.spread[bet]) if rounds]

    def quantile(self, bet: str, share: float) -> int:
        """The edge, in whole percents rounded down, that so large a share of rounds does not exceed."""
        wanted, seen = share * self.rounds, 0
        for percent, rounds in self.distribution(bet):
            seen += rounds
            if seen >= wanted:
                return percent
        return SPREAD - 1 - MIDDLE

    def by_true_count(self, number: int = 0) -> list[tuple[int, int, float]]:
        """For a count: (whole true count, rounds, units that one unit staked on each of them would win)."""
        rounds, gains = self.trues[number]
        return [(at + LEAST_TRUE, rounds[at], gains[at] / UNIT) for at in range(TRUE) if rounds[at]]

    def best_trigger(self, number: int = 0) -> int:
        """The whole true count from which betting wins most."""
        rounds, gains = self.trues[number]
        above, best = 0, (0, TRUE - 1)
        for at in reversed(range(TRUE)):
            above += gains[at]
            if rounds[at] and above > best[0]:
                best = above, at
        return best[1] + LEAST_TRUE

    def _worth(self, sums: Sums, depth: int, level: float) -> Worth:
        whole = self.whole
        r, rr = whole.r[depth], whole.rr[depth]
        f, g = sums.f[depth], sums.g[depth]
        return Worth(
            self._ratio((f, sums.ff[depth], sums.fr[depth]), (r, rr), 1, level),
            self._ratio((g, sums.gg[depth], sums.fg[depth]), (f, sums.ff[depth]), UNIT, level) if f else None,
            self._ratio((g, sums.gg[depth], sums.gs[depth]), (self.dealt, whole.ss), UNIT, level),
            self._ratio((100 * g, 10_000 * sums.gg[depth], 100 * sums.gr[depth]), (r, rr), UNIT, level),
        )

    def _ratio(self, over: tuple[int, int, int], under: tuple[int, int], unit: int, level: float) -> Estimate:
        """A ratio of two sums over blocks: the first with its squares and products, the second with its squares."""
        return ratio(over, under, self.whole.blocks, unit, level)

    def encode(self) -> bytes:
        """As JSON, on one line."""
        return msgspec.json.encode({"format": self.form, "digest": self.digest, **_plain(self)})


def _at(row: Numbers, depth: int) -> int:
    """What was recorded at one depth, from a row that counts everything down to each."""
    return row[depth] - (row[depth + 1] if depth + 1 < len(row) else 0)


def _added(one: Sequence[int], other: Sequence[int]) -> Numbers:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _texts(value: Any) -> Any:
    """Whole numbers as text: they are too long for some readers of JSON."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, msgspec.Struct):
        return {name: _texts(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {name: _texts(each) for name, each in value.items()}
    return [_texts(each) for each in value]


def _plain(found: Exposure) -> dict[str, Any]:
    return {
        "seed": found.seed,
        "dealing": found.dealing,
        "block": found.block,
        "shoes": found.shoes,
        "counted": [{"bet": each.bet, "tags": each.tags, "trigger": str(each.trigger)} for each in found.counted],
        "priced": found.priced,
        **{
            name: _texts(getattr(found, name))
            for name in ("whole", "bets", "counts", "edges", "spread", "trues", "offers")
        },
        **({"late": found.late} if found.late else {}),
    }


def exposure_of(
    seed: int,
    dealing: DealingProcedure,
    block: int,
    shoes: Range,
    names: Sequence[str],
    counted: Sequence[LinearCount],
    priced: str,
    recorded: Blocks,
    late: tuple[str, ...] = (),
) -> Exposure:
    """The value of what kernels have recorded, block by block."""
    rounds = _from_the_top(recorded.rounds)
    dealt = recorded.shoes.astype(object)
    favourable, gains = _from_the_top(recorded.favourable), _from_the_top(recorded.gains)
    edges = recorded.edges.astype(object)
    one = recorded.offers[:, :, :, None].astype(object)
    plays = [_summed(favourable[:, play], gains[:, play], rounds, dealt) for play in range(favourable.shape[1])]
    bets = len(names)
    return Exposure(
        seed,
        dealing,
        block,
        (shoes,),
        Whole(
            len(dealt),
            _column(rounds),
            _column(rounds * rounds),
            _column(rounds * dealt[:, None]),
            int((dealt * dealt).sum()),
        ),
        dict(zip(names, plays[:bets], strict=True)),
        tuple(counted),
        tuple(plays[bets:]),
        {
            name: (
                int(edges[:, at].sum()),
                int((edges[:, at] * edges[:, at]).sum()),
                int((edges[:, at] * rounds[:, 0]).sum()),
            )
            for at, name in enumerate(names)
        },
        {name: tuple(row) for name, row in zip(names, recorded.spread.tolist(), strict=True)},
        tuple((tuple(pair[0]), tuple(pair[1])) for pair in recorded.trues.tolist()),
        tuple(
            (
                int(recorded.offers[:, cell, 0].sum()),
                _summed(one[:, cell, 1], one[:, cell, 2], rounds[:, :1], dealt),
            )
            for cell in range(recorded.offers.shape[1])
        ),
        priced,
        late,
    )


def _from_the_top(by_depth: Ints) -> Any:
    """Everything down to a depth, from what was recorded at each; as Python's whole numbers, whose squares fit."""
    return np.flip(np.cumsum(np.flip(by_depth, -1), -1), -1).astype(object)


def _column(rows: Any) -> Numbers:
    return tuple(int(number) for number in rows.sum(axis=0))


def _summed(f: Any, g: Any, r: Any, shoes: Any) -> Sums:
    s = shoes[:, None]
    return Sums(*(_column(row) for row in (f, g, f * f, g * g, f * g, f * r, g * r, f * s, g * s)))
