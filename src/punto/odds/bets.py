"""What every bet of a layout is worth, exactly: probability by pay row, edge, variance, covariance."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod, sqrt
from typing import Any

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from punto.coup import OUTCOMES, outcome
from punto.odds.beside_printed import outcomes_beside
from punto.odds.by_cards import CardCounter
from punto.odds.composition import deals, outcome_counts, with_suits
from punto.odds.counting import Counts
from punto.rulebook import Menu, Pattern, Priced, PrintedCard, Row, printed
from punto.rulebook.patterns import TWO_CARD_TOTALS
from punto.rulebook.vocabulary import PATTERN
from punto.rulebook.words import pattern_in_words, pays_in_words
from punto.tabular import Rows, Tabular

_NAMES = tuple(name.replace("-", "_") for name in PATTERN if name.replace("-", "_") not in TWO_CARD_TOTALS)
_NOTHING = -1  # in the place of what a tie does not have
_FIELDS = {
    name: np.array([_NOTHING if (value := getattr(outcome(at), name)) is None else value for at in range(OUTCOMES)])
    for name in _NAMES
}


def matches(pattern: Pattern) -> Counts:
    """By outcome: 1 if a pattern matches it, else 0."""
    return _mask(pattern).astype(np.int64)


def by_outcome(name: str) -> NDArray[Any]:
    """A property that patterns name, of every outcome; -1 in the place of what a tie does not have."""
    return _FIELDS[name]


def _mask(pattern: Pattern) -> NDArray[np.bool_]:
    found = np.ones(OUTCOMES, dtype=bool)
    for name, values in pattern.fields:
        found &= np.isin(_FIELDS[name], list(values))
    if pattern.any:
        found &= np.logical_or.reduce([_mask(each) for each in pattern.any])
    for each in pattern.none:
        found &= ~_mask(each)
    return found


class RowOdds(msgspec.Struct, frozen=True):
    """A pay row and the number of deals that it pays, of all deals."""

    row: Row
    deals: int
    total: int

    @property
    def probability(self) -> Fraction:
        """The chance that this row pays, or lets the bet stand off; none where the bet can never be placed."""
        return Fraction(self.deals, self.total or 1)


_PAY_COLUMNS = ("bet", "when", "pays", "odds", "result", "probability", "probability_exact", "clause")


class BetOdds(Tabular, msgspec.Struct, frozen=True):
    """A bet's rows with their chances; a deal that meets no row loses."""

    bet: str
    name: str
    rows: tuple[RowOdds, ...]
    total: int
    offered: Fraction | None = None
    """How often it can be placed at all, where that is told by the first four cards; the rest is given that it can."""

    def _moment(self, power: int) -> Fraction:
        """The mean of a power of the net for one unit staked."""
        lost = self.total - sum(each.deals for each in self.rows if each.row.result != "lose")
        paid = (each.row.odds.fraction**power * each.deals for each in self.rows if each.row.odds is not None)
        return (sum(paid, Fraction(0)) + lost * (1 if power % 2 == 0 else -1)) / (self.total or 1)

    @property
    def edge(self) -> Fraction:
        """The house edge: minus the expected net for one unit staked, ties included."""
        return -self._moment(1)

    @property
    def variance(self) -> Fraction:
        """The variance of the net for one unit staked."""
        return self._moment(2) - self._moment(1) ** 2

    @property
    def sd(self) -> float:
        """The standard deviation of the net for one unit staked."""
        return sqrt(self.variance)

    @property
    def returns(self) -> Fraction:
        """What comes back for one unit staked, on average."""
        return 1 - self.edge

    @property
    def hit(self) -> Fraction:
        """The chance to win."""
        return Fraction(sum(each.deals for each in self.rows if each.row.odds is not None), self.total or 1)

    def to_rows(self) -> Rows:
        """A row for every pay row; what meets none of them loses."""
        return Rows(
            _PAY_COLUMNS,
            tuple(
                (
                    self.bet,
                    str(pattern_in_words(each.row.when)),
                    pays_in_words(each.row),
                    each.row.odds.text if each.row.odds else None,
                    each.row.result,
                    float(each.probability),
                    str(each.probability),
                    printed(each.row.basis.clauses[0]),
                )
                for each in self.rows
            ),
            f"{self.name}: house edge {float(self.edge):.4%}",
        )


class BetFigures(Tabular, dict[str, BetOdds]):
    """The odds of bets by their ids: a dictionary, and a table with a row for every bet.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> bet_odds(menu(load("wu-song"), "F"), full_shoe(8)).to_rows().columns
    ('bet', 'name', 'edge', 'hit', 'sd', 'edge_exact', 'hit_exact', 'offered')
    """

    __slots__ = ()

    def to_rows(self) -> Rows:
        """Edge, chance to win and deviation of every bet; the exact ones are fractions, as text."""
        return Rows(
            ("bet", "name", "edge", "hit", "sd", "edge_exact", "hit_exact", "offered"),
            tuple(
                (
                    name,
                    each.name,
                    float(each.edge),
                    float(each.hit),
                    each.sd,
                    str(each.edge),
                    str(each.hit),
                    None if each.offered is None else float(each.offered),
                )
                for name, each in self.items()
            ),
        )

    def pay_rows(self) -> Rows:
        """The pay rows of all bets as one table."""
        return Rows(_PAY_COLUMNS, tuple(row for each in self.values() for row in each.to_rows().rows))


@lru_cache(maxsize=1024)
def _rows(priced: Priced) -> tuple[Counts, ...]:
    """For each row of a bet the outcomes it pays: the first matching row counts."""
    left = np.ones(OUTCOMES, dtype=np.int64)
    vectors = []
    for row in priced.rows:
        own = matches(row.when) * left
        left -= own
        vectors.append(own)
    return tuple(vectors)


def bet_odds(menu: Menu, shoe: Sequence[int], counts: Counts | None = None) -> BetFigures:
    """The exact odds of every bet of a layout from a shoe.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> odds = bet_odds(menu(load("dragon-tiger-mbs")), full_shoe(8))
    >>> f"{float(odds['banker'].edge):.4%}", f"{float(odds['player'].edge):.4%}"
    ('1.0579%', '1.2351%')
    """
    if menu.book.cards.printed is not None:
        return _beside_printed(menu, shoe)
    found = outcome_counts(shoe) if counts is None else counts
    total = deals(shoe)
    vectors = [vector for priced in menu.bets.values() if priced.plain for vector in _rows(priced)]
    sums = iter((np.stack(vectors) @ found).tolist() if vectors else ())
    odds = BetFigures()
    for name, priced in menu.bets.items():
        if priced.plain:
            met = [next(sums) for _ in priced.rows]
            odds[name] = _of_rows(name, priced, met, total)
        else:
            odds[name] = _by_cards(name, priced, shoe, total)
    return odds


def _by_cards(name: str, priced: Priced, shoe: Sequence[int], total: int) -> BetOdds:
    """The odds of a bet that is counted over the cards; of one with a window, over the deals in which it opens."""
    cards, window = with_suits(shoe, told=priced.by_suit), priced.window
    counted = _counter(_within_window(priced), priced.printed).count(cards)
    if window is None:
        return _of_rows(name, priced, counted, total)
    *met, lost = counted
    offered = sum(met) + lost
    return structs.replace(_of_rows(name, priced, met, offered), offered=Fraction(offered, total))


def _of_rows(name: str, priced: Priced, met: Sequence[int], total: int) -> BetOdds:
    rows = tuple(RowOdds(row, number, total) for row, number in zip(priced.rows, met, strict=True))
    return BetOdds(name, priced.bet.name, rows, total)


def _beside_printed(menu: Menu, shoe: Sequence[int]) -> BetFigures:
    """The odds where a card is printed on the layout: of deals of five cards from the shoe."""
    outcome_counts(shoe)  # refuses what is no shoe
    total = deals(shoe, 5)
    return BetFigures((name, _by_cards(name, priced, shoe, total)) for name, priced in menu.bets.items())


def deals_apart(ours: Priced, theirs: Priced, shoe: Sequence[int]) -> int:
    """How many deals from a shoe two wordings of a bet pay otherwise, each deal looked at once.

    A deal has six cards, or five beside a printed one, which is that of the first wording.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> bets, shoe = menu(load("da-hu-ying-xiong")), full_shoe(8)
    >>> deals_apart(bets["tiger"], bets["tiger"], shoe), deals_apart(bets["tiger"], bets["tie"], shoe)
    (0, 744859730928896)
    """
    rows = [_within_window(each) for each in (ours, theirs)]
    one, other = (
        [*((row.result, row.odds.fraction if row.odds else None) for row in own), _elsewhere(each)]
        for own, each in zip(rows, (ours, theirs), strict=True)
    )
    met = _counter((*rows[0], *rows[1]), ours.printed).together(
        with_suits(shoe, told=ours.by_suit or theirs.by_suit), len(rows[0])
    )
    return sum(number for (at, there), number in met.items() if one[at] != other[there])


def deals_of_two(priced: Priced, shoe: Sequence[int]) -> tuple[int, int, int]:
    """Of a bet of two rows, how many deals from a shoe both are about, and how many each is about alone.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> carried = menu(load("match"), "royal")
    >>> both, royal, suited = deals_of_two(carried["royal-match-player"], full_shoe(8))
    >>> both > 0, royal, suited > 0
    (True, 0, True)
    """
    one, other, *_ = _within_window(priced)
    met = _counter((one, other), priced.printed).together(with_suits(shoe, told=priced.by_suit), 1)
    return met.get((0, 0), 0), met.get((0, -1), 0), met.get((-1, 0), 0)


def _within_window(priced: Priced) -> tuple[Row, ...]:
    """The rows of a bet; those of a late bet only where its window opens, and at last that it loses there."""
    window = priced.window
    if window is None:
        return priced.rows
    rows = (structs.replace(row, when=row.when.within(window)) for row in priced.rows)
    return (*rows, Row(priced.bet.id, window, "lose", None, priced.bet.loses))


def _elsewhere(priced: Priced) -> tuple[str, None]:
    """What a bet does where no row is met: it loses, or could not be placed."""
    return ("lose" if priced.window is None else "not placed", None)


@lru_cache(maxsize=256)
def _counter(rows: tuple[Row, ...], printed: PrintedCard | None = None) -> CardCounter:
    return CardCounter(rows, printed)


class LooksAtCards(ValueError):
    """A bet that the outcome of a coup does not decide. The message is a sentence."""


def net_vector(priced: Priced) -> list[Fraction]:
    """What one unit on a bet nets, outcome by outcome; refused where the outcome does not tell."""
    check_no_window(priced)
    if not priced.by_outcome:
        raise LooksAtCards(f"{priced.bet.name} looks at single cards, which an outcome does not tell.")
    nets = [Fraction(-1)] * OUTCOMES
    for row, vector in zip(priced.rows, _rows(priced), strict=True):
        pays = net_of(row)
        for index in np.flatnonzero(vector):
            nets[index] = pays
    return nets


def check_no_window(priced: Priced) -> None:
    """Refuse a bet that is placed after the first four cards where every round counts."""
    if priced.window is not None:
        raise LooksAtCards(
            f"{priced.bet.name} is placed when the first four cards lie open, and here every bet is laid before the "
            f"first card. `punto odds` has its exact figures."
        )


def net_of(row: Row) -> Fraction:
    """What one unit nets where a row takes the coup."""
    return row.odds.fraction if row.odds else Fraction(-1 if row.result == "lose" else 0)


def covariance(menu: Menu, bets: Sequence[str], shoe: Sequence[int]) -> list[list[Fraction]]:
    """The covariance of the nets of several bets on one coup, one unit on each.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> [[one, both], [_, other]] = covariance(menu(load("commission-insurance")), ["player", "banker"], full_shoe(8))
    >>> float(both) < 0 < float(one)
    True
    """
    counts = [int(count) for count in outcomes_beside(menu.book.cards.printed, shoe)]
    nets = [net_vector(menu[bet]) for bet in bets]
    means = [_mean(counts, vector) for vector in nets]
    return [
        [_mean(counts, one, other) - mean * other_mean for other, other_mean in zip(nets, means, strict=True)]
        for one, mean in zip(nets, means, strict=True)
    ]


def _mean(counts: list[int], *vectors: list[Fraction]) -> Fraction:
    """The mean of a product of nets."""
    terms = (prod(nets, start=Fraction(count)) for count, *nets in zip(counts, *vectors, strict=True) if count)
    return sum(terms, Fraction(0)) / sum(counts)
