"""Wagers and covers in, settlement lines out: the values of this room."""

from functools import cache

import msgspec

from punto.amounts import MOST, show_money
from punto.rulebook import Basis, Refused, printed
from punto.rulebook.model import WagerResult


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


class Limits(msgspec.Struct, frozen=True):
    """What is posted at the table, in minor units; None where nothing is.

    `minimums` and `maximums` are posted for single bets, and go before the table's (AMB-26).
    `unit` is the smallest chip; `rounding` a posted rule for payments that chips cannot make
    (`up` to the unit), without which such stakes are refused (AMB-30).

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

    def __post_init__(self) -> None:
        if self.unit < 1:
            raise Refused("A chip unit of nothing is none: it must be more than that.")
        _check_posted("chip unit", self.unit)
        _check_posted("minimum", self.minimum)
        _check_posted("maximum", self.maximum)
        _check_posted("differential", self.differential)
        _check_order(self.minimum, self.maximum)
        for bet, amount in self.minimums.items():
            _check_posted("minimum", amount, f" on {bet}")
        for bet, amount in self.maximums.items():
            _check_posted("maximum", amount, f" on {bet}")
        for bet in (*self.minimums, *self.maximums):
            _check_order(self.minimum_of(bet), self.maximum_of(bet), f" on {bet}")

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


def _check_posted(what: str, amount: int | None, where: str = "") -> None:
    if amount is not None and amount <= 0:
        raise Refused(f"A {what} of {show_money(amount)}{where} is none: it must be more than nothing.")
    if amount is not None and amount > MOST:
        raise Refused(f"A {what} of {show_money(amount)}{where} is too much: {show_money(MOST)} is the most.")


def _check_order(minimum: int | None, maximum: int | None, where: str = "") -> None:
    if minimum is not None and maximum is not None and minimum > maximum:
        raise Refused(f"The minimum of {show_money(minimum)}{where} is over the maximum of {show_money(maximum)}.")


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


@cache
def _printed(clauses: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(printed, clauses)))


def sentence(fact: str, name: str, effective: int, net: int, result: WagerResult, odds: str | None) -> str:
    """One sentence that a patron would understand."""
    stake = f"{show_money(effective)} on {name}"
    if result == "win" and odds is not None:
        return f"{fact}: {stake} wins {show_money(net)} at {odds.replace(':', ' to ')}."
    if result == "lose":
        return f"{fact}: {stake} loses."
    return f"{fact}: {stake} comes back."


def total(lines: tuple[Line, ...] | list[Line]) -> int:
    """What the patron is up or down over all lines."""
    return sum(line.net for line in lines)
