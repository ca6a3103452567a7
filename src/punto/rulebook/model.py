"""What a rulebook is, as values: read once, never changed. `Basis` says what a provision rests on."""

from datetime import datetime
from fractions import Fraction
from math import lcm
from typing import Literal

import msgspec

from punto.rulebook.basis import Basis as Basis
from punto.rulebook.card_model import Cards, Decks
from punto.rulebook.figures import ExpectedFigures
from punto.rulebook.patterns import Pattern
from punto.rulebook.prices import Commission, Odds
from punto.tabular import html_table

WagerResult = Literal["win", "lose", "stand-off", "returned"]
Value = str | int | tuple[str, ...]
Names = tuple[tuple[str, str], ...]
"""A text in other languages: the tag of each, like `zh-Hant`, and the text."""


class Row(msgspec.Struct, frozen=True):
    """A row of a pay table: these coups win at these odds, stand off, or are lost before a later row takes them.

    Where there is `commission` the odds are those after it.
    """

    bet: str
    when: Pattern
    result: WagerResult
    odds: Odds | None
    basis: Basis
    commission: Commission | None = None

    @property
    def multiple(self) -> int:
        """A stake of so many minor units, or a multiple, is paid without a fraction, and so is its commission."""
        if self.odds is None:
            return 1
        if self.commission is None:
            return self.odds.denominator
        gross = self.commission.gross.denominator
        return lcm(gross, self.odds.denominator) if self.commission.rounding == "exact" else gross


class PatronChoice(msgspec.Struct, frozen=True):
    """What the patron has chosen with a bet that leaves a choice, and that bet itself."""

    of: str
    """The bet of the file."""
    name: str
    names: Names
    mark: str
    """What is chosen, as it is printed on a field: 6, K or ♣."""


class OtherBets(msgspec.Struct, frozen=True):
    """Other bets of the same patron in the same box that a bet depends on, and the share of them that it may be."""

    bets: tuple[str, ...]
    basis: Basis
    share: Fraction = Fraction(1)

    def among(self, bet: "Bet") -> bool:
        """Whether a bet is one of them, or a choice of one of them."""
        return bet.id in self.bets or bet.choice_of in self.bets


class BetWindow(msgspec.Struct, frozen=True):
    """When a bet is placed that is not placed before the first card: with the first four cards open, a third due.

    `when` says which first four cards open the window; every one in which a third card is due does without it.
    """

    when: Pattern
    basis: Basis

    @property
    def pattern(self) -> Pattern:
        """The coups in which the window opens: those of more than four cards, and of these first four."""
        return Pattern((("cards", frozenset({5, 6})),), any=(self.when,))


class Bet(msgspec.Struct, frozen=True):
    """A bet of the menu. `hand` is set for the two that insurance can cover."""

    id: str
    name: str
    hand: str | None
    basis: Basis
    area: str | None
    defined: str | None
    offered: str | None
    alone: str | None
    wins: str | None
    loses: Basis
    in_order: bool = False
    """Whether its rows overlap on purpose: the first that matches counts."""
    names: Names = ()
    """Its name in other languages."""
    choice: PatronChoice | None = None
    needs: OtherBets | None = None
    """It lies only with a wager on one of these."""
    at_most: OtherBets | None = None
    """It is no more than a share of what lies on these together."""
    not_with: OtherBets | None = None
    """It never lies with a wager on one of these."""
    colour: str | None = None
    """Of its field on the felt, where the file says one."""
    settled: Basis | None = None
    """Why it is paid when the first four cards lie open, if it is."""
    placed: BetWindow | None = None
    """Its window after the first four cards, if it has one."""

    @property
    def depends(self) -> bool:
        """Whether what else lies there decides if it may be laid."""
        return self.needs is not None or self.at_most is not None or self.not_with is not None

    @property
    def has_rules(self) -> bool:
        """Whether something is said of it besides what it pays."""
        return self.depends or self.settled is not None or self.placed is not None

    @property
    def choice_of(self) -> str | None:
        """The bet of the file that this is one choice of."""
        return None if self.choice is None else self.choice.of


class PositionRange(msgspec.Struct, frozen=True):
    """How many boxes a layout may have. No maximum means that the text does not tell."""

    min: int
    max: int | None
    verified: bool
    readings: tuple[str, ...]


class Print(msgspec.Struct, frozen=True):
    """Odds printed on the layout itself, to be held against the pay rows."""

    bet: str
    when: Pattern
    odds: Odds
    basis: Basis


class Notice(msgspec.Struct, frozen=True):
    """What must be acknowledged before a table opens on a layout."""

    says: str
    basis: Basis


class Layout(msgspec.Struct, frozen=True):
    """An approved layout: its positions, and the groups of pay rows that it carries."""

    id: str
    clause: str
    title: str | None
    version: str | None
    version_basis: Basis
    areas_clause: str | None
    positions: PositionRange
    pays: tuple[str, ...]
    verified: bool
    readings: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    labels_clause: str | None
    chinese: str | None
    prints: tuple[Print, ...]
    notice: Notice | None
    titles: Names = ()
    """Its title in other languages."""


class CoverRow(msgspec.Struct, frozen=True):
    """A row of an insurance table. `tie_pays` is set where a tie pays the cover instead of returning it."""

    stage: str
    hand: str
    own: frozenset[int]
    opposite: frozenset[int]
    odds: Odds
    basis: Basis
    tie_pays: Basis | None

    @property
    def multiple(self) -> int:
        """Cover of so many minor units, or a multiple, is paid without a fraction."""
        return self.odds.denominator


class Cap(msgspec.Struct, frozen=True):
    """How much cover an Original Bet allows: by `stake` or `payout`, over a `window` or the `round`."""

    on: str
    over: str
    basis: Basis


class CapAt(msgspec.Struct, frozen=True):
    """A second cap at certain odds: a share of a posted limit."""

    odds: Odds
    share: Fraction
    of: str
    basis: Basis


class Point(msgspec.Struct, frozen=True):
    """One point on which books can differ: what holds, who decides, and where it is written."""

    value: Value
    by: str | None
    reason: bool
    basis: Basis

    @property
    def values(self) -> tuple[str, ...]:
        """Each of its words, where there may be several."""
        return self.value if isinstance(self.value, tuple) else (str(self.value),)


class Insurance(msgspec.Struct, frozen=True):
    """All of a book's insurance."""

    clause: str
    defined: str
    original: str
    windows: str
    live: Basis
    table: str
    cap: Cap
    cap_at: tuple[CapAt, ...]
    tie: Basis
    won: Basis
    notes: tuple[str, ...]
    points: dict[str, Point]
    rows: tuple[CoverRow, ...]

    def basis(self, name: str) -> Basis:
        """What the book rests a point of insurance on; nothing where it is silent."""
        point = self.points.get(name)
        return Basis() if point is None else point.basis

    def row(self, stage: str, hand: str, own: int, opposite: int) -> CoverRow | None:
        """The row that prices a hand's cover at a stage, or None."""
        for row in self.rows:
            if row.stage == stage and row.hand == hand and own in row.own and opposite in row.opposite:
                return row
        return None


class Policy(msgspec.Struct, frozen=True):
    """A reading that a ruling may change for a table: our default, the choices, the AMB id."""

    value: str
    choices: tuple[str, ...]
    reading: str
    clause: str | None


class OfferedChoice(msgspec.Struct, frozen=True):
    """One thing a patron may choose, perhaps only if a guard holds."""

    do: str
    when: dict[str, frozenset[str]]
    clause: str | None


class Offer(msgspec.Struct, frozen=True):
    """A set of choices put to patrons after an irregularity."""

    id: str
    basis: Basis
    scope: str
    bound: str | None
    divided: str | None
    """The rank that decides where the patrons are divided."""
    choices: tuple[OfferedChoice, ...]
    all_back: tuple["Remedy", ...]


class Remedy(msgspec.Struct, frozen=True):
    """One step of what happens after an irregularity: a verb with its object."""

    verb: str
    object: str | None
    by: str | None
    reason: bool
    when: dict[str, frozenset[str]]
    clause: str | None
    otherwise: tuple["Remedy", ...]
    then: tuple["Remedy", ...]
    all_back: tuple["Remedy", ...]


class Irregularity(msgspec.Struct, frozen=True):
    """What a book says of a fact under some guards. The first matching one applies."""

    fact: str
    when: dict[str, frozenset[str]]
    do: tuple[Remedy, ...]
    basis: Basis


def _spoken(name: str, names: Names) -> list[str]:
    """What something is called in every language, to be compared."""
    return [each.casefold() for each in (name, *(text for _, text in names))]


class Book(msgspec.Struct, frozen=True, eq=False):
    """A whole rulebook. `digest` is the SHA-256 of its file: by that, and not as values, two books are compared."""

    id: str
    title: str
    operator: str
    approver: str
    version: str
    effective: datetime
    front: dict[str, Basis]
    decks: Decks
    layouts_clause: str
    boxes_clause: str
    menu_clause: str
    terms: dict[str, str]
    cards: Cards
    drawing: dict[str, Basis]
    bets: dict[str, Bet]
    pays: dict[str, tuple[Row, ...]]
    pay_tables: dict[str, tuple[int, ...]]
    """For each row of a group the number of its table in the file: one with odds by number stands for several rows."""
    layouts: dict[str, Layout]
    insurance: Insurance | None
    points: dict[str, dict[str, Point]]
    ranks: tuple[tuple[str, ...], ...]
    tiers: dict[str, int]
    """The tier of each rank, the lowest being 0."""
    house_ranks: dict[str, str]
    policies: dict[str, Policy]
    offers: dict[str, Offer]
    irregularities: tuple[Irregularity, ...]
    silent: tuple[str, ...]
    readings: dict[str, str]
    """Readings of the book's own, by name."""
    expected: tuple[ExpectedFigures, ...]
    file: str
    digest: str
    text: str
    """The file itself: on which line something stands is read from it."""
    term_names: dict[str, Names] = {}
    """What terms are called in other languages, of those that are told."""
    titles: Names = ()
    """Its title in other languages."""

    def _repr_html_(self) -> str:
        about = f"{self.title}, version {self.version}, {self.operator}, in effect since {self.effective:%Y-%m-%d}"
        rows = []
        for name, bet in self.bets.items():
            groups = {group for group, pays in self.pays.items() if any(row.bet == name for row in pays)}
            odds = dict.fromkeys(
                row.odds.in_words for group in self.pays for row in self.pays[group] if row.bet == name and row.odds
            )
            carried = tuple(each.id for each in self.layouts.values() if groups & set(each.pays))
            rows.append((bet.name, tuple(odds), carried))
        return html_table(about, ("bet", "pays", "layouts"), rows)

    def point(self, section: str, name: str) -> Point | None:
        """What the book says on a point, or None where it is silent."""
        return self.points.get(section, {}).get(name)

    def basis(self, section: str, name: str) -> Basis:
        """What the book rests a point on; nothing where it is silent."""
        point = self.point(section, name)
        return Basis() if point is None else point.basis

    def define(self, term: str) -> str | None:
        """The clause that defines a term or a bet, in any language of the file and any case; None if none does.

        >>> from punto.rulebook import load
        >>> load("wu-song").define("natural"), load("wu-song").define("wu dalang")
        ('1.12', '1.29')
        """
        words = term.casefold()
        found = [clause for name, clause in self.terms.items() if words in _spoken(name, self.term_names.get(name, ()))]
        found += [bet.defined for bet in self.bets.values() if bet.defined and words in _spoken(bet.name, bet.names)]
        return found[0] if found else None

    @property
    def first_layout(self) -> str:
        """The id of the layout that is used where none is named."""
        return next(iter(self.layouts))
