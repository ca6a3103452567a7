"""The count: where all money is, by table, cage, wallet and patron, worked out from the chains. It sums to zero.

Every amount is somebody's, so what one account has more, others have less: the cage what it has given out in chips
and deposits (as a negative figure), a wallet what is in it, the tables what the house has won there, the patrons their
chips less what they owe, the house what it holds for people, and what is on its way between a wallet and a table.
"""

from datetime import time

import msgspec

from punto.audit import kept_books
from punto.audit.entries import decoded
from punto.journal import OF_THE_HOUSE, Journal
from punto.rulebook import Library
from punto.service.days import gaming_day
from punto.service.money.acts import MoneyChain, MoneyState
from punto.service.money.own_wallet import OwnWallet, WalletState
from punto.table import Table, evolve
from punto.table import events as e

_TRIES = 10


class PatronCount(msgspec.Struct):
    """A patron's money at a table: bought and cashed out on the day, chips and debts at its end."""

    bought: int = 0
    cashed: int = 0
    chips: int = 0
    owed: int = 0


class TableCount(msgspec.Struct):
    """A table's money: bought, cashed out and won by the house on the day; `result` is all it has won by its end."""

    table: str
    currency: str
    bought: int
    cashed: int
    won: int
    result: int
    patrons: dict[str, PatronCount]


class CurrencyCount(msgspec.Struct):
    """All money of one currency, by whose it is. `sum` is zero, or something is wrong."""

    currency: str
    cage: int
    wallet: int
    under_way: int
    held: int
    tables: int
    patrons: int
    sum: int


class Count(msgspec.Struct):
    """The count of a gaming day, or of everything: `zero` says whether it sums to zero in every currency."""

    day: str | None
    zero: bool
    currencies: list[CurrencyCount]
    tables: list[TableCount]
    held: dict[str, dict[str, int]]
    wallets: dict[str, dict[str, int]]


class _Day(msgspec.Struct):
    """What happened at a table on one day."""

    bought: int = 0
    cashed: int = 0
    won: int = 0
    patrons: dict[str, PatronCount] = {}


class TableLedger:
    """A table's chain as money: gone on with from where it was left."""

    def __init__(self, name: str, starts: time) -> None:
        self.name, self._starts = name, starts
        self.table: Table | None = None
        self.sequence = 0
        self.bought = self.cashed = self.result = 0
        self.days: dict[str, _Day] = {}

    def update(self, journal: Journal, library: Library) -> None:
        """Take what is new in the chain."""
        for stored, event in decoded(journal, self.name, self.sequence):
            self._take(event, stored.at, library)
            self.sequence = stored.sequence

    def _take(self, event: e.Event, at: str, library: Library) -> None:
        before = 0 if self.table is None else self.table.house
        self.table = evolve(self.table, event, library)
        into = cashed = 0
        if isinstance(event, e.BoughtIn) or (isinstance(event, e.OwedPaid) and not event.chips):
            into = event.amount
        elif isinstance(event, e.CashedOut):
            cashed = event.amount
        won = self.table.house - before + into - cashed
        if not (into or cashed or won):
            return
        self.bought += into
        self.cashed += cashed
        self.result += won
        day = self.days.setdefault(gaming_day(at, self._starts), _Day())
        day.bought += into
        day.cashed += cashed
        day.won += won
        if into or cashed:
            person: str = event.patron  # type: ignore[attr-defined] # each of the three kinds has one
            patron = day.patrons.setdefault(person, PatronCount())
            patron.bought += into
            patron.cashed += cashed

    def count(self, day: str | None) -> TableCount:
        """The table's count of a day, or of all days."""
        assert self.table is not None
        chosen = [each for date, each in self.days.items() if day in (None, date)]
        patrons: dict[str, PatronCount] = {}
        for each in chosen:
            for person, had in each.patrons.items():
                found = patrons.setdefault(person, PatronCount())
                found.bought += had.bought
                found.cashed += had.cashed
        for person, now in self.table.patrons.items():
            if now.balance or now.held or now.owed or person in patrons:
                found = patrons.setdefault(person, PatronCount())
                found.chips, found.owed = now.balance + now.held, now.owed
        sums = (sum(each.bought for each in chosen), sum(each.cashed for each in chosen))
        won = sum(each.won for each in chosen)
        return TableCount(self.name, self.table.setup.currency, *sums, won, self.result, patrons)


class Counter:
    """Counts a journal, and goes on where it was when it is asked again."""

    def __init__(self, journal: Journal, starts: time) -> None:
        self._journal, self._starts = journal, starts
        self._tables: dict[str, TableLedger] = {}
        self._money, self._wallet = MoneyChain(journal), OwnWallet(journal)

    def count(self, day: str | None = None) -> Count:
        """Where all money is now, with what moved on a gaming day, or ever. Reads the store; no two at once."""
        for _ in range(_TRIES):
            before = self._heads()
            self._update_tables()
            if self._heads() == before:  # no transfer has moved between the reading of one chain and of another
                break
        ledgers = [each for each in self._tables.values() if each.table is not None]
        wallets: dict[str, dict[str, int]] = {}
        for person, had in self._wallet.ask(lambda state: dict(state.balances)).items():
            if any(had.values()):
                wallets[person] = {currency: amount for currency, amount in had.items() if amount}
        held = {
            person: {currency: amount for currency, amount in had.items() if amount}
            for person, had in self._money.ask(lambda state: dict(state.held)).items()
            if any(had.values())
        }
        currencies = self._currencies(ledgers)
        tables = [each.count(day) for each in ledgers]
        return Count(day, all(not each.sum for each in currencies), currencies, tables, held, wallets)

    def _heads(self) -> tuple[int, int]:
        return self._money.ask(_sequence), self._wallet.ask(_sequence)

    def _update_tables(self) -> None:
        library = kept_books(self._journal)
        for name in sorted(set(self._journal.tables()) - set(OF_THE_HOUSE)):
            self._tables.setdefault(name, TableLedger(name, self._starts)).update(self._journal, library)

    def _currencies(self, ledgers: list[TableLedger]) -> list[CurrencyCount]:
        money = self._money.ask(lambda state: msgspec.json.decode(msgspec.json.encode(state), type=MoneyState))
        wallet = self._wallet.ask(lambda state: msgspec.json.decode(msgspec.json.encode(state), type=WalletState))
        of_tables = {each.table.setup.currency for each in ledgers if each.table is not None}
        of_people = {currency for had in (*money.held.values(), *wallet.balances.values()) for currency in had}
        return [
            self._currency(each, [one for one in ledgers if _currency_of(one) == each], money, wallet)
            for each in sorted(of_tables | of_people | set(money.under_way))
        ]

    def _currency(
        self, currency: str, ledgers: list[TableLedger], money: MoneyState, wallet: WalletState
    ) -> CurrencyCount:
        given_out = sum(each.bought - each.cashed for each in ledgers) - money.through_wallet.get(currency, 0)
        aside = money.held_from_tables.get(currency, 0) + wallet.deposits.get(currency, 0)
        in_wallet = sum(had.get(currency, 0) for had in wallet.balances.values()) + money.outside.get(currency, 0)
        under_way = money.under_way.get(currency, 0) + self._not_noted(currency, money)
        held = sum(had.get(currency, 0) for had in money.held.values())
        won = sum(each.result for each in ledgers)
        patrons = sum(
            who.balance + who.held - who.owed
            for each in ledgers
            if each.table is not None
            for who in each.table.patrons.values()
        )
        cage = -given_out - aside
        total = cage + in_wallet + under_way + held + won + patrons
        return CurrencyCount(currency, cage, in_wallet, under_way, held, won, patrons, total)

    def _not_noted(self, currency: str, money: MoneyState) -> int:
        """What the house's own wallet has moved already, and the transfer does not say yet."""
        found = 0
        for each in money.open.values():
            if each.currency != currency or each.external:
                continue
            if each.stage == "begun" and each.do != "cash-out":
                found += each.amount if self._wallet.has(each.id) else 0
            elif each.stage in ("moved", "returning"):
                key = each.id if each.stage == "moved" else back(each.id)
                found -= each.amount if self._wallet.has(key) else 0
        return found


def _sequence(state: MoneyState | WalletState) -> int:
    return state.sequence


def back(transfer: str) -> str:
    """The key under which a wallet gets back what it has paid for a transfer."""
    return f"{transfer}-back"


def _currency_of(ledger: TableLedger) -> str:
    return "" if ledger.table is None else ledger.table.setup.currency
