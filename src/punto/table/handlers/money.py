"""Money for chips, chips for money, and what is owed."""

from punto.amounts import MOST
from punto.messages import say
from punto.rulebook import Refused
from punto.settlement import ROUNDED
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.commission import debt_basis, is_collected
from punto.table.state import Patron
from punto.table.turn import Turn


def _amount(amount: int) -> None:
    if amount <= 0:
        raise Refused(
            say("amount-of-nothing", "{amount:money} is no amount: it must be more than nothing.", amount=amount)
        )
    if amount > MOST:
        raise Refused(
            say("amount-too-much", "{amount:money} is too much: {most:money} is the most.", amount=amount, most=MOST)
        )


def _in_chips(turn: Turn, amount: int) -> None:
    """Refuse an amount that no chips of this table make up."""
    unit = turn.table.setup.limits.unit
    if amount % unit:
        raise Refused(
            say(
                "money-not-in-chips",
                "{amount:money} cannot be had in chips: the smallest is {unit:money}.",
                amount=amount,
                unit=unit,
            ),
            None,
            ROUNDED,
        )


def _check_balance(name: str, patron: Patron, amount: int) -> None:
    """Refuse an amount that a patron does not have in chips."""
    if amount > patron.balance:
        raise Refused(
            say(
                "balance-not-enough",
                "{patron} has {balance:money}, not {amount:money}.",
                patron=name,
                balance=patron.balance,
                amount=amount,
            )
        )


def buy_in(turn: Turn, command: c.BuyIn) -> None:
    """Give a patron chips for money."""
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    _amount(command.amount)
    if patron.balance + command.amount > MOST:
        raise Refused(
            say("balance-too-much", "{patron} would have more than {most:money}.", patron=command.patron, most=MOST)
        )
    _in_chips(turn, command.amount)
    turn.happen(e.BoughtIn, command.patron, command.amount, basis=turn.basis("betting", "medium"))


def cash_out(turn: Turn, command: c.CashOut) -> None:
    """Give a patron money for chips; what they owe is kept back first.

    A part is handed over in chips; all that somebody has is paid whatever it comes to, also after the unit has changed.
    """
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    if patron.owed and patron.balance:
        turn.happen(
            e.OwedPaid,
            command.patron,
            min(patron.owed, patron.balance),
            chips=True,
            basis=debt_basis(turn),
        )
        patron = turn.patron(command.patron)
    amount = patron.balance if command.amount is None else command.amount
    if amount == 0 and turn.events:
        return
    _amount(amount)
    _check_balance(command.patron, patron, amount)
    if amount != patron.balance:
        _in_chips(turn, amount)
    turn.happen(e.CashedOut, command.patron, amount)


def pay_owed(turn: Turn, command: c.PayOwed) -> None:
    """Take what a patron owes, in money from outside or in chips: all of it, or a part that leaves whole chips.

    The staff collect in chips only where the book collects commission on demand.
    """
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    _amount(command.amount)
    if not patron.owed:
        raise Refused(say("owes-nothing", "{patron} owes nothing.", patron=command.patron))
    if command.amount > patron.owed:
        raise Refused(
            say(
                "owes-less",
                "{patron} owes {owed:money}, not {amount:money}.",
                patron=command.patron,
                owed=patron.owed,
                amount=command.amount,
            )
        )
    if turn.table.setup.whole_chips and command.amount != patron.owed:
        _in_chips(turn, command.amount)
    if command.chips:
        _check_chips_for_debt(turn, command, patron)
    turn.happen(e.OwedPaid, command.patron, command.amount, command.chips, basis=debt_basis(turn))


def _check_chips_for_debt(turn: Turn, command: c.PayOwed, patron: Patron) -> None:
    if turn.by != command.patron and not is_collected(turn, "demand"):
        raise turn.refuse(
            say("no-collecting-on-demand", "The book does not collect what patrons owe on demand."), debt_basis(turn)
        )
    _check_balance(command.patron, patron, command.amount)
