"""What a person owns at the tables and in the wallet: whether it is nothing, and how the house comes to hold it."""

import secrets
from collections.abc import Callable

from punto.amounts import show_money
from punto.audit import kept_books
from punto.journal import Append, Conflict, Journal
from punto.rulebook import Refused
from punto.service.money.acts import MoneyAct, MoneyChain
from punto.service.money.own_wallet import OwnWallet
from punto.service.money.standing import FoundTable, Key, standing_tables
from punto.table import ENGINE, act, commands, encode
from punto.table.events import CashedOut, Event
from punto.table.state import Patron

Now = Callable[[], str]
"""The time, as it is written down: each act is done at its own, so that what a table did meanwhile is not later."""

_TRIES = 20


class PurseNotEmpty(ValueError):
    """Somebody owns or owes something. The message is a sentence."""


def tables_with(journal: Journal, person: str, key: Key | None = None) -> list[FoundTable]:
    """The tables at which a person is, or has left something."""
    return [found for found in standing_tables(journal, key) if person in found.table.patrons]


def check_empty(journal: Journal, person: str, key: Key | None = None) -> None:
    """Refuse unless a person owns nothing and owes nothing."""
    _check_transfers(journal, person)
    for found in tables_with(journal, person, key):
        patron, currency = found.table.patrons[person], found.table.setup.currency
        if not _is_purse(patron):
            continue
        if patron.owed:
            raise PurseNotEmpty(f"they owe {show_money(patron.owed, currency)} {currency} at {found.name}.")
        has = f"{show_money(patron.balance + patron.held, currency)} {currency}"
        raise PurseNotEmpty(f"they have {has} at {found.name}. Cash that out first, or let the house hold it.")
    for currency, has_left in OwnWallet(journal).balance(person).items():
        has = show_money(has_left, currency)
        raise PurseNotEmpty(f"they have {has} {currency} in the wallet. Pay that out first, or let the house hold it.")


def _check_transfers(journal: Journal, person: str) -> None:
    chain = MoneyChain(journal)
    if chain.ask(lambda state: any(each.person == person for each in state.open.values())):
        raise PurseNotEmpty("money of theirs is on its way between a wallet and a table. Wait until it has arrived.")


def hold_purses(journal: Journal, person: str, *, by: str, now: Now, key: Key | None = None) -> list[str]:
    """Take a person's chips off every table, and hold what they come to; all of it is on record. Says from which.

    What is in the house's wallet stays there, under an id that nobody else ever gets.
    """
    emptied: dict[str, None] = {}
    _check_transfers(journal, person)
    for found in tables_with(journal, person, key):
        patron, currency = found.table.patrons[person], found.table.setup.currency
        if patron.held:
            held = show_money(patron.held, currency)
            raise PurseNotEmpty(f"they have {held} {currency} at stake at {found.name}. Wait until it is settled.")
        if patron.owed > patron.balance:
            raise PurseNotEmpty(
                f"they owe {show_money(patron.owed - patron.balance, currency)} {currency} at {found.name}."
            )
    for _ in range(_TRIES):
        waiting = [each for each in tables_with(journal, person, key) if _is_purse(each.table.patrons[person])]
        if not waiting:
            return list(emptied)
        for found in waiting:
            _hold(journal, found, person, by, now)
            emptied[found.name] = None
    raise PurseNotEmpty("their chips are being moved. Try again.")


def leave_tables(journal: Journal, person: str, *, by: str, now: Now, key: Key | None = None) -> None:
    """Let a person who owns nothing leave every table, so that nobody sits there whom there is no account of."""
    for _ in range(_TRIES):
        there = [each for each in tables_with(journal, person, key) if each.table.open]  # nobody sits at a closed one
        seated = [each for each in there if not each.table.patrons[person].away]
        if not seated:
            return
        for found in seated:
            _append(journal, found, commands.Leave(person, by=person), by, now)


def _is_purse(patron: Patron) -> bool:
    return bool(patron.balance or patron.held or patron.owed)


def _hold(journal: Journal, found: FoundTable, person: str, by: str, now: Now) -> None:
    """Cash a person out at one table, and hold the money in the same commit; nothing if the table went on meanwhile."""
    command = commands.CashOut(person, by=person)
    made = _decided(journal, found, command)
    amount = sum(event.amount for event in made if isinstance(event, CashedOut))
    chain = MoneyChain(journal)
    held = MoneyAct("held", now(), by, person, amount, found.table.setup.currency, found.name)
    along = (chain.entry(held, chain.ask(lambda state: state.sequence)),) if amount else ()
    _append(journal, found, command, by, now, along)


def _append(
    journal: Journal, found: FoundTable, command: commands.Command, by: str, now: Now, along: tuple[Append, ...] = ()
) -> None:
    """Decide a command on a table as it was found, and append it if the table is still there."""
    made = _decided(journal, found, command)
    key = f"removed/{secrets.token_hex(16)}"
    bodies = tuple(encode(event) for event in made)
    journal.append([Append(found.name, found.sequence, key, by, now(), bodies, encode(command), ENGINE, along)])


def _decided(journal: Journal, found: FoundTable, command: commands.Command) -> tuple[Event, ...]:
    """What a command leads to at a table; `PurseNotEmpty` with the reason where the table refuses it."""
    try:
        return act(found.table, command, kept_books(journal))[1]
    except Refused as refused:
        raise PurseNotEmpty(f"{found.name} does not let them go. {refused}") from None


def pay_out(journal: Journal, person: str, amount: int, currency: str, *, by: str, at: str) -> None:
    """The cage pays out money that the house holds for a person."""
    chain = MoneyChain(journal)
    while True:
        held, sequence = chain.ask(lambda state: (state.held.get(person, {}).get(currency, 0), state.sequence))
        if not 0 < amount <= held:
            raise PurseNotEmpty(f"The house holds {show_money(held, currency)} {currency} for {person}.")
        paid = MoneyAct("paid-out", at, by, person, amount, currency)
        [result] = journal.append([chain.entry(paid, sequence)])
        if not isinstance(result, Conflict):
            return
