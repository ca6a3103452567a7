"""The chip of a table: the steps in which stakes and cover go, so that every payment is whole chips (AMB-30)."""

from functools import lru_cache
from math import lcm

import msgspec

from punto.amounts import USUAL, BadAmount, money
from punto.messages import Sentence, say
from punto.rulebook import Basis, Book, CoverRow, Refused
from punto.rulebook.menu import Menu, Priced
from punto.settlement.lines import COVER_NAMES, Limits
from punto.settlement.posted import enforced

ROUNDED = Basis((), ("AMB-30",))
ROUNDING = "payout-rounding"
"""The policy of a book that a table may post another choice of."""

PAYMENT_UNIT = "payout-unit"
COMMISSION_UNIT = "commission-unit"


class Chips(msgspec.Struct, frozen=True, gc=False):
    """The smallest chip in minor units, and how payments are rounded that it cannot make.

    A table that was opened before stakes went in such steps pays to the minor unit: it is not `whole`.
    """

    unit: int = 1
    rounding: str = "exact"
    whole: bool = True
    paid_in: int | None = None
    """What payments are whole multiples of, where the book names more than the chip."""
    taken_in: int | None = None
    """The same of commission that is rounded."""

    @property
    def payment(self) -> int:
        """What every payment is a whole multiple of."""
        return self.unit if self.paid_in is None else self.paid_in

    @property
    def commission(self) -> int:
        """What rounded commission is a whole multiple of."""
        return self.unit if self.taken_in is None else self.taken_in

    def step(self, paid: Priced | CoverRow) -> int:
        """The least stake on a bet, or cover at a row, whose every payment is whole chips; others are multiples of it.

        A stake of so many chips wins `numerator / denominator` as many: exact odds need a multiple of every
        denominator. Rounded payments are whole chips for any stake in chips.

        >>> from punto.rulebook import load, menu
        >>> banker = menu(load("commission-insurance"))["banker"]
        >>> Chips().step(banker), Chips(10000).step(banker), Chips(10000, "up").step(banker)
        (20, 200000, 10000)
        """
        if self.rounding != "exact":
            return self.unit
        unit = self.paid_in or self.unit
        return unit * paid.multiple if self.whole else lcm(unit, paid.multiple)

    def part(self, paid: Priced) -> int:
        """The step of what a limit leaves in play of a stake, or gives back of it."""
        return self.step(paid) if self.whole else lcm(self.unit, paid.multiple)

    def cover(self, row: CoverRow) -> int:
        """The step that the cap of a cover is rounded down to."""
        return self.step(row) if self.whole else self.unit


def rounding_of(book: Book, limits: Limits) -> str:
    """How payments are rounded: as posted, else as the book's policy says.

    Down and to the nearest is refused (AMB-30), but where a clause of the book states it.

    >>> from punto.rulebook import load
    >>> rounding_of(load("wu-song"), Limits()), rounding_of(load("wu-song"), Limits(rounding="up"))
    ('exact', 'up')
    """
    return _rounding(book, limits.rounding)


def _rounding(book: Book, posted: str | None) -> str:
    policy = book.policies.get(ROUNDING)
    rounding = posted or (policy.value if policy else "exact")
    stated = posted is None and policy is not None and policy.clause is not None
    if rounding not in ("exact", "up", *(("down", "nearest") if stated else ())):
        raise Refused(
            say(
                "rounding-needs-ruling",
                "Payments are exact, or rounded up to the chip; rounding {rounding:quoted} would need "
                "a recorded ruling.",
                rounding=rounding,
            ),
            None,
            ROUNDED,
        )
    return rounding


def check_posted(book: Book, limits: Limits) -> None:
    """Refuse to post a rounding that is not among those between which the book lets a house choose.

    >>> from punto.rulebook import load
    >>> check_posted(load("wu-song"), Limits(rounding="up"))
    """
    if limits.rounding is None:
        return
    policy = book.policies.get(ROUNDING)
    if policy is None or limits.rounding in policy.choices:
        return
    says = say(
        "posted-not-chosen",
        "{posted:quoted} cannot be posted: {policy} is one of {choices:list} in this book.",
        posted=limits.rounding,
        policy=ROUNDING,
        choices=list(policy.choices),
    )
    raise Refused(says, book, Basis((policy.clause,) if policy.clause else (), (policy.reading,)))


def chips_of(book: Book, limits: Limits, currency: str = USUAL) -> Chips:
    """The chip that is posted, and the rounding that is posted or that the book has.

    >>> from punto.rulebook import load
    >>> chips_of(load("wu-song"), Limits(unit=500))
    Chips(unit=500, rounding='exact', whole=True, paid_in=None, taken_in=None)
    """
    check_posted(book, limits)
    return chips_at(book, limits.unit, limits.rounding, None, currency, True)


@lru_cache(maxsize=1024)
def chips_at(book: Book, unit: int, posted: str | None, ruling: str | None, currency: str, whole: bool) -> Chips:
    """The chips of a table: the chip and the rounding that are posted, unless another rounding was ruled.

    With them go the units in which the book has payments made and commission taken. Asked for with every stake.
    """
    rounding = ruling or _rounding(book, posted)
    units = [_unit_of(book, name, unit, currency) for name in (PAYMENT_UNIT, COMMISSION_UNIT)]
    return Chips(unit, rounding, whole, *units)


def _unit_of(book: Book, name: str, chip: int, currency: str) -> int | None:
    """A unit that the book names, in minor units; the chip where that is a whole number of units, None without one."""
    point = book.point("money", name)
    if point is None:
        return None
    try:
        unit = money(str(point.value), currency)
    except BadAmount:
        says = say(
            "unit-finer-than-currency",
            "{unit} is finer than the smallest amount of {currency}.",
            unit=str(point.value),
            currency=currency,
        )
        raise Refused(says, book, point.basis) from None
    if chip % unit == 0:
        return chip
    if unit % chip:
        says = say(
            "chip-does-not-make-unit",
            "Chips of {chip:money} do not make the {unit:money} in which the book rounds: post a chip that does.",
            chip=chip,
            unit=unit,
        )
        raise Refused(says, book, point.basis)
    return unit


def check_stake(priced: Priced, stake: int, chips: Chips) -> None:
    """Refuse a stake of nothing, one that is not whole chips, or one whose payments would not be.

    >>> from punto.rulebook import load, menu
    >>> banker = menu(load("dragon-tiger-mbs"))["banker"]
    >>> check_stake(banker, 2510, Chips())
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 25.10 on Banker could not be paid exactly: stakes are a \
multiple of 0.20. (AMB-30)
    >>> check_stake(banker, 10000, Chips(10000))
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 100.00 on Banker could not be paid in chips of 100.00: stakes are a \
multiple of 2000.00. (AMB-30)
    """
    step = chips.step(priced)
    if type(stake) is not int or stake <= 0 or stake % step:
        _check(stake, priced.bet.name, step, chips)


def check_cover(row: CoverRow, stake: int, chips: Chips) -> None:
    """Refuse cover of nothing, or cover that is not whole chips or would not be paid in them.

    >>> from punto.rulebook import Odds
    >>> row = CoverRow("four-cards", "banker", frozenset(), frozenset(), Odds.of("3:2"), Basis(), None)
    >>> check_cover(row, 2500, Chips(100))
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 25.00 on Banker Insurance could not be paid in chips of 1.00: stakes are a \
multiple of 2.00. (AMB-30)
    """
    step = chips.step(row)
    if type(stake) is not int or stake <= 0 or stake % step:
        _check(stake, COVER_NAMES[row.hand], step, chips)


def _check(stake: int, name: str, step: int, chips: Chips) -> None:
    """Refuse a stake with what is wrong with it: first what is no stake at all."""
    if type(stake) is not int:
        raise Refused(
            say(
                "stake-not-whole",
                "A stake on {bet} is a whole number of minor units, not {stake}.",
                bet=name,
                stake=repr(stake),
            )
        )
    if stake <= 0:
        raise Refused(
            say(
                "stake-of-nothing",
                "A stake of {stake:money} on {bet} is no wager: it must be more than nothing.",
                stake=stake,
                bet=name,
            )
        )
    if step == chips.unit:
        check_chips(stake, chips.unit)
    elif stake % step:
        raise Refused(not_payable(stake, name, step, chips.payment), None, ROUNDED)


def not_payable(stake: int, name: str, step: int, unit: int) -> Sentence:
    """Why a stake cannot be paid at the table's chip, and in what steps stakes go."""
    if unit == 1:
        return say(
            "stake-not-to-the-cent",
            "{stake:money} on {bet} could not be paid exactly: stakes are a multiple of {multiple:money}.",
            stake=stake,
            bet=name,
            multiple=step,
        )
    return say(
        "stake-not-in-steps",
        "{stake:money} on {bet} could not be paid in chips of {unit:money}: stakes are a multiple of {multiple:money}.",
        stake=stake,
        bet=name,
        unit=unit,
        multiple=step,
    )


def check_chips(stake: int, unit: int) -> None:
    """Refuse a stake that is not whole chips, so that rounding its payment to the chip cannot make money.

    >>> check_chips(1, 10000)
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 0.01 cannot be laid in chips: the smallest is 100.00. (AMB-30)
    """
    if stake % unit:
        raise Refused(
            say(
                "stake-not-in-chips",
                "{stake:money} cannot be laid in chips: the smallest is {unit:money}.",
                stake=stake,
                unit=unit,
            ),
            None,
            ROUNDED,
        )


def check_minimums(menu: Menu, limits: Limits, chips: Chips) -> None:
    """Refuse a posted minimum that cannot itself be laid on a bet of the layout, with the one to post instead.

    >>> from punto.rulebook import load, menu
    >>> posted = Limits(minimum=2500, unit=100)
    >>> check_minimums(menu(load("commission-insurance")), posted, Chips(100))
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: The minimum of 25.00 cannot be laid on Banker, where stakes are a multiple of \
20.00: post a minimum of 40.00 for it. (AMB-30)
    """
    for bet, instead in _instead(menu, limits, chips).items():
        raise Refused(
            say(
                "minimum-not-in-steps",
                "The minimum of {minimum:money} cannot be laid on {bet}, where stakes are a multiple of "
                "{step:money}: post a minimum of {instead:money} for it.",
                minimum=limits.minimum_of(bet),
                bet=menu.bets[bet].bet.name,
                step=chips.step(menu.bets[bet]),
                instead=instead,
            ),
            None,
            ROUNDED,
        )


def check_maximums(menu: Menu, limits: Limits, chips: Chips) -> None:
    """Refuse a posted maximum under the least stake of a bet: nobody could bet on it.

    >>> from punto.rulebook import load, menu
    >>> check_maximums(menu(load("commission-insurance")), Limits(maximum=1500, unit=100), Chips(100))
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: The maximum of 15.00 leaves no stake on Banker, where stakes are a multiple of \
20.00: post 20.00 or more for it. (AMB-30)
    """
    for bet, priced in menu.bets.items():
        most, step = limits.maximum_of(bet), chips.step(priced)
        if most is not None and most < step:
            raise Refused(
                say(
                    "maximum-under-step",
                    "The maximum of {maximum:money} leaves no stake on {bet}, where stakes are a multiple of "
                    "{step:money}: post {step:money} or more for it.",
                    maximum=most,
                    bet=priced.bet.name,
                    step=step,
                ),
                None,
                ROUNDED,
            )


def payable(menu: Menu, limits: Limits) -> Limits:
    """Limits that a table of this layout can post, as near to these as its book lets them be.

    Every bet on which the minimum cannot be laid has one of its own, the next that can, and a maximum that leaves room
    for it; the chip makes the units in which the book rounds, a rounding is posted only where the book has it to
    choose, and nothing that must be displayed is left out. A limit that the book does not enforce is.

    >>> from punto.rulebook import load, menu
    >>> payable(menu(load("commission-insurance")), Limits(minimum=2500, unit=100)).minimums
    {'banker': 4000}
    """
    limits = _postable(menu.book, limits)
    chips = chips_of(menu.book, limits)
    minimums = {**limits.minimums, **_instead(menu, limits, chips)}
    limits = msgspec.structs.replace(limits, minimums=minimums)
    maximums = dict(limits.maximums)
    for bet, priced in menu.bets.items():
        least, most = max(limits.minimum_of(bet) or 0, chips.step(priced)), limits.maximum_of(bet)
        if most is not None and most < least:
            maximums[bet] = least
    return msgspec.structs.replace(limits, maximums=maximums)


_USUAL_MINIMUM = 10_00
_FOLD = 100
"""Other limits that must be displayed, where none is given: so many times the one before."""


def _postable(book: Book, limits: Limits) -> Limits:
    """Limits with a rounding, a chip and displays that the book allows."""
    limits = enforced(book, limits)
    policy, unit = book.policies.get(ROUNDING), limits.unit
    for point in (book.point("money", name) for name in (PAYMENT_UNIT, COMMISSION_UNIT)):
        rounded_to = unit if point is None else money(str(point.value), USUAL)
        if unit % rounded_to and rounded_to % unit:
            unit = lcm(unit, rounded_to)
    shown = book.point("limits", "displayed")
    missing = {name for name in (() if shown is None else shown.values) if getattr(limits, name) is None}
    minimum = limits.minimum or _USUAL_MINIMUM
    maximum = limits.maximum or minimum * _FOLD
    given = {"minimum": minimum, "maximum": maximum, "differential": maximum, "payout": maximum * _FOLD}
    allowed = policy is None or limits.rounding in policy.choices
    return msgspec.structs.replace(
        limits,
        unit=unit,
        rounding=limits.rounding if allowed else None,
        **{name: given[name] for name in missing},
    )


def _instead(menu: Menu, limits: Limits, chips: Chips) -> dict[str, int]:
    """By bet on which the minimum cannot be laid: the least above it that can."""
    found = {}
    for bet, priced in menu.bets.items():
        least, step = limits.minimum_of(bet), chips.step(priced)
        if least is not None and least % step:
            found[bet] = -(-least // step) * step
    return found
