"""What patrons ask of the cage: chips for money or money for chips, until a cashier or the staff have seen to it.

A person asks one thing at a table: asking again takes the place of what was asked before. Nothing moves by asking.
"""

import secrets
from typing import Literal

import msgspec

from punto.journal import Journal, JournalError
from punto.table import commands
from punto.table.state import Patron

_KIND = "request"
Asked = Literal["buy-in", "cash-out", "pay-owed"]


class MoneyRequest(msgspec.Struct, frozen=True):
    """What a person asks for at a table. A cash-out without an amount, of an earlier release, is of everything."""

    id: str
    table: str
    person: str
    do: Asked
    amount: int | None
    at: str


class MoneyRequests:
    """The requests that are open. Every method waits for the store."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def ask(self, table: str, person: str, do: Asked, amount: int | None, at: str) -> MoneyRequest:
        """Ask for something, in the place of what was asked before."""
        made = MoneyRequest(secrets.token_hex(8), table, person, do, amount, at)
        self._journal.put_record(_KIND, f"{table} {person}", msgspec.json.encode(made).decode())
        return made

    def at(self, table: str) -> list[MoneyRequest]:
        """What is asked for at a table, the oldest first."""
        found = [msgspec.json.decode(body, type=MoneyRequest) for body in self._journal.records(_KIND).values()]
        return sorted((each for each in found if each.table == table), key=lambda each: (each.at, each.id))

    def drop(self, request: MoneyRequest) -> None:
        """Forget a request that was seen to, unless another has taken its place."""
        body = msgspec.json.encode(request).decode()
        try:
            self._journal.change_record(_KIND, f"{request.table} {request.person}", body, None)
        except JournalError:
            return  # it stays, and seeing to it again moves nothing more


def to_pay_out(patron: Patron) -> int:
    """What a patron would be paid now for all their chips: what they owe is kept back first."""
    return max(patron.balance - patron.owed, 0)


def command_of(request: MoneyRequest) -> commands.BuyIn | commands.CashOut | commands.PayOwed:
    """What a request asks of its table."""
    if request.do == "cash-out":
        return commands.CashOut(request.person, request.amount)
    kind = commands.BuyIn if request.do == "buy-in" else commands.PayOwed
    return kind(request.person, request.amount or 0)
