"""Wagers and covers in, settlement lines out: the values of this room."""

from collections.abc import Iterable
from functools import cache

import msgspec

from punto.amounts import MOST, writer_here
from punto.kinds import tells_of_fields
from punto.messages import Arguments, Message, Sentence, Wording, say
from punto.rulebook import Basis, Refused, printed
from punto.rulebook.menu import Verdict
from punto.rulebook.model import WagerResult
from punto.tabular import Cell, Rows, Tabular


class Wager(msgspec.Struct, frozen=True, gc=False):
    """Money on a bet, in minor units."""

    bet: str
    stake: int


class Cover(msgspec.Struct, frozen=True, gc=False):
    """Insurance: money in minor units on a hand at a stage, covering the wager at index `on`."""

    stage: str
    hand: str
    stake: int
    on: int


COVER_NAMES = {
    "player": say("player-insurance", "Player Insurance"),
    "banker": say("banker-insurance", "Banker Insurance"),
}
"""What cover of each hand is called."""


class Limits(msgspec.Struct, frozen=True):
    """What is posted at the table, in minor units; None where nothing is.

    `minimums` and `maximums` are posted for single bets, and go before the table's (AMB-26).
    `unit` is the smallest chip; `rounding` a posted rule for payments that chips cannot make
    (`up` to the unit), without which such stakes are refused (AMB-30). `payout` is the most that one round pays,
    counted as the book says.

    >>> posted = Limits(minimum=10000, minimums={"tie": 2500})
    >>> posted.minimum_of("tie"), posted.minimum_of("player"), posted.maximum_of("tie")
    (2500, 10000, None)
    """

    minimum: int | None = None
    maximum: int | None = None
    differential: int | None = None
    unit: int = 1
    rounding: str | None = None
    minimums: dict[str, int] = msgspec.field(default_factory=dict)
    maximums: dict[str, int] = msgspec.field(default_factory=dict)
    payout: int | None = None

    @tells_of_fields
    def __post_init__(self) -> None:
        if self.unit < 1:
            raise Refused(say("chip-unit-of-nothing", "A chip unit of nothing is none: it must be more than that."))
        _check_posted("chip-unit", self.unit)
        _check_posted("minimum", self.minimum)
        _check_posted("maximum", self.maximum)
        _check_posted("differential", self.differential)
        _check_posted("payout", self.payout)
        _check_order(self.minimum, self.maximum)
        for bet, amount in self.minimums.items():
            _check_posted("minimum", amount, bet)
        for bet, amount in self.maximums.items():
            _check_posted("maximum", amount, bet)
        for bet in (*self.minimums, *self.maximums):
            _check_order(self.minimum_of(bet), self.maximum_of(bet), bet)

    def minimum_of(self, bet: str) -> int | None:
        """The minimum posted for a bet, else the table's.

        >>> Limits(minimum=10000, minimums={"tie": 2500}).minimum_of("tie")
        2500
        """
        return self.minimums.get(bet, self.minimum)

    def maximum_of(self, bet: str) -> int | None:
        """The maximum posted for a bet, else the table's.

        >>> Limits(maximum=500000, maximums={"tie": 50000}).maximum_of("player")
        500000
        """
        return self.maximums.get(bet, self.maximum)


def _check_posted(what: str, amount: int | None, bet: str | None = None) -> None:
    if amount is None or 0 < amount <= MOST:
        return
    posted = _posted(what, amount, bet)
    if amount <= 0:
        raise Refused(say("limit-of-nothing", "A {limit} is none: it must be more than nothing.", limit=posted))
    raise Refused(say("limit-too-much", "A {limit} is too much: {most:money} is the most.", limit=posted, most=MOST))


def _check_order(minimum: int | None, maximum: int | None, bet: str | None = None) -> None:
    if minimum is not None and maximum is not None and minimum > maximum:
        posted = _posted("minimum", minimum, bet)
        raise Refused(
            say(
                "minimum-over-maximum",
                "The {limit} is over the maximum of {maximum:money}.",
                limit=posted,
                maximum=maximum,
            )
        )


def _posted(what: str, amount: int, bet: str | None) -> Sentence:
    """A posted limit in words; `what` is the field, a word of the English besides."""
    if bet is None:
        return say("posted-limit", "{what:words} of {amount:money}", what=what, amount=amount)
    return say("posted-limit-on-bet", "{what:words} of {amount:money} on {bet}", what=what, amount=amount, bet=bet)


class Line(msgspec.Struct, frozen=True, gc=False):
    """What one wager or cover comes to. Amounts are in minor units.

    `effective` is the part of the stake that plays, `returned` the rest; `net` is what the
    patron is up or down. The odds are those paid, so None unless it won.
    """

    bet: str
    stake: int
    effective: int
    returned: int
    result: WagerResult
    net: int
    odds: str | None
    basis: Basis
    says: str
    message: Message | None = None
    commission: int = 0
    """What the house takes of the winnings; the net is after it."""

    @property
    def clause(self) -> str | None:
        """The clause this rests on, as the book numbers it."""
        return None if self.basis.clause is None else printed(self.basis.clause)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause it rests on, as the book numbers them."""
        return _printed(self.basis.clauses)

    @property
    def why(self) -> str:
        """The sentence with everything it rests on.

        >>> from punto import Wager, deal, load, money, settle
        >>> [line] = settle(load("wu-song"), deal("K 4 2 J 9"), [Wager("banker", money("100"))])
        >>> line.why
        'Banker wins 4 to 1: 100.00 on Banker wins 100.00 at 1 to 1. (4.1.1)'
        """
        return f"{self.says} ({', '.join((*self.clauses, *self.basis.readings))})"

    def _repr_html_(self) -> str:
        return Lines([self]).to_rows().html()


class Lines(Tabular, list[Line]):
    """Settlement lines in the order of their wagers and covers: a list, and a table of amounts in minor units.

    >>> from punto import Wager, deal, load, money, settle
    >>> lines = settle(load("wu-song"), deal("K 4 2 J 9"), [Wager("banker", money("100"))])
    >>> lines.to_rows().records()[0]["net"]
    10000
    """

    __slots__ = ()

    def to_rows(self) -> Rows:
        """A row for every line: what `punto settle` prints of it, with amounts as whole minor units."""
        return Rows(_COLUMNS, tuple(map(_row, self)))


_COLUMNS = (
    "bet", "stake", "effective", "returned", "result", "net", "odds", "commission", "clauses", "readings", "says",
)  # fmt: skip


def _row(line: Line) -> tuple[Cell, ...]:
    return (
        line.bet,
        line.stake,
        line.effective,
        line.returned,
        line.result,
        line.net,
        line.odds,
        line.commission,
        line.clauses,
        line.basis.readings,
        line.says,
    )


@cache
def _printed(clauses: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(printed, clauses)))


NONE_POSTED = Limits()
"""What holds at a table that posts nothing."""

WINS = Wording("stake-wins", "{fact}: {stake:money} on {bet} wins {net:money} at {odds:odds}.")
LOSES = Wording("stake-loses", "{fact}: {stake:money} on {bet} loses.")
COMES_BACK = Wording("stake-comes-back", "{fact}: {stake:money} on {bet} comes back.")


def sentence(verdict: Verdict, bet: str, named: str | Message, effective: int, net: int) -> tuple[str, Message]:
    """One sentence that a patron would understand, and its message; `named` is the name of the bet in it.

    It is put together by hand because every wager of every round has one; a test holds it to its template.
    """
    shown = writer_here()
    stake = shown(effective)
    if verdict.odds is not None and verdict.result == "win":
        odds = verdict.odds.text
        told: Arguments = {"fact": verdict.message, "stake": effective, "bet": named, "net": net, "odds": odds}
        said = f"{verdict.fact}: {stake} on {bet} wins {shown(net)} at {odds.replace(':', ' to ')}."
        return said, Message("stake-wins", told)
    about: Arguments = {"fact": verdict.message, "stake": effective, "bet": named}
    if verdict.result == "lose":
        return f"{verdict.fact}: {stake} on {bet} loses.", Message("stake-loses", about)
    return f"{verdict.fact}: {stake} on {bet} comes back.", Message("stake-comes-back", about)


def total(lines: Iterable[Line]) -> int:
    """What the patron is up or down over all lines."""
    return sum(line.net for line in lines)
