"""The count: where all money is, by table, cage, wallet and patron, worked out from the chains. It sums to zero.

Every amount is somebody's, so what one account has more, others have less: the cage what it has given out in chips
and deposits (as a negative figure), a wallet what is in it, the tables what the house has won there, the patrons their
chips less what they owe, the house what it holds for people, and what is on its way between a wallet and a table.
"""

import threading
from collections.abc import Callable, Collection, Iterable
from datetime import time

import msgspec

from punto.audit import kept_books
from punto.journal import Journal
from punto.rulebook import Library
from punto.service.money.acts import MoneyChain, MoneyState
from punto.service.money.day_report import DayReport, day_report
from punto.service.money.ledger import TableCount, TableLedger, is_behind
from punto.service.money.own_wallet import OwnWallet, WalletState
from punto.service.money.standing import Key, table_heads

_TRIES = 10


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


class PlayOfDay(msgspec.Struct):
    """What somebody has lost on a day, less than nothing if they have won; and what they have at stake now."""

    lost: int = 0
    at_stake: int = 0


class DayNotKept(ValueError):
    """A day before those that are kept one by one: only the chains from their beginning tell it."""


class NotThrough(Exception):
    """A count has taken as many entries as it may at once: `left` events are yet to be read. The next goes on there."""

    def __init__(self, left: int) -> None:
        super().__init__(left)
        self.left = left


class Counter:
    """Counts a journal, and goes on where it was when it is asked again.

    With the key that signs for this house it goes on where any process of the house was left, too; without one it
    reads every chain from its beginning once. For a day before those that are kept it does so again, or raises
    `DayNotKept` if it counts the `last_days` alone. With `most` it takes so many entries at once, and raises
    `NotThrough` until it has them all.
    """

    def __init__(
        self,
        journal: Journal,
        starts: time,
        key: Key | None = None,
        *,
        last_days: bool = False,
        most: int | None = None,
    ) -> None:
        self.journal, self._starts, self._key, self._last_days, self._most = journal, starts, key, last_days, most
        self._tables: dict[str, TableLedger] = {}
        self._kept: dict[str, int] = {}
        """How far the ledger of a table is kept, as far as this process has kept up with it."""
        self._lock = threading.Lock()
        """Held by whoever counts: no two do at once."""
        self._money, self._wallet = MoneyChain(journal), OwnWallet(journal)

    def count(self, day: str | None = None) -> Count:
        """Where all money is now, with what moved on a gaming day, or ever. Reads the store."""
        with self._lock:
            return self._count(day)

    def _count(self, day: str | None) -> Count:
        for _ in range(_TRIES):
            before = self._heads()
            self._update_tables(day)
            if self._heads() == before:  # no transfer has moved between the reading of one chain and of another
                break
        ledgers = self._open_ledgers()
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

    def report(
        self,
        day: str,
        names: Callable[[str], bool] = lambda _: True,
        tables: Callable[[TableLedger], bool] = lambda _: True,
    ) -> DayReport:
        """The report of a gaming day over all tables, or those that are chosen. Reads the store.

        Of a table that is not chosen by its name nothing is read.
        """
        with self._lock:
            self._update_tables(day, names)
            return day_report(day, [each for each in self._open_ledgers() if names(each.name) and tables(each)])

    def plays_of(self, people: Iterable[str], day: str) -> dict[str, dict[str, PlayOfDay]]:
        """What people have lost on a gaming day and have at stake now, at all tables, by currency. Reads the store."""
        with self._lock:
            self._update_tables(day, every_day=True)  # nobody chooses it
            return {person: self._play_of(person, day) for person in people}

    def _play_of(self, person: str, day: str) -> dict[str, PlayOfDay]:
        found: dict[str, PlayOfDay] = {}
        for ledger in self._open_ledgers():
            lost, patron = ledger.played.of(day).patrons.get(person), ledger.patron(person)
            if lost is not None or patron is not None:
                here = found.setdefault(_currency_of(ledger), PlayOfDay())
                here.lost += 0 if lost is None else lost.won
                here.at_stake += 0 if patron is None else patron.held
        return found

    def _open_ledgers(self) -> list[TableLedger]:
        return [each for each in self._tables.values() if each.table is not None]

    def _heads(self) -> tuple[int, int]:
        return self._money.ask(_sequence), self._wallet.ask(_sequence)

    def _update_tables(
        self, day: str | None, names: Callable[[str], bool] = lambda _: True, *, every_day: bool = False
    ) -> None:
        """Take what is new at the tables of these names, so that they can tell what moved on a day."""
        library, left = kept_books(self.journal), self._most
        heads = {name: sequence for name, sequence in table_heads(self.journal).items() if names(name)}
        for name, sequence in heads.items():
            ledger = self._tables[name] = self._tables.get(name) or self._begun(name, library)
            if not ledger.knows(day, self.journal):
                if self._last_days and not every_day:
                    raise DayNotKept(f"{day} is before the days that are kept of {name}.")
                ledger = self._tables[name] = TableLedger(name, self._starts)
            if ledger.sequence < sequence:
                taken = ledger.update(self.journal, library, left)
                if self._key is not None:
                    ledger.keep(self.journal, self._key)
                left = None if left is None else left - taken
            if left == 0 and (behind := self._behind(heads)):
                raise NotThrough(behind)

    def _behind(self, heads: dict[str, int]) -> int:
        """How many events of these tables are not taken yet, at most."""
        known = {**self._kept, **{name: ledger.sequence for name, ledger in self._tables.items()}}
        return sum(max(far - known.get(name, 0), 0) for name, far in heads.items())

    def keep_up(self, names: Collection[str]) -> bool:
        """Go on with the kept ledger of one of these tables that is behind, by so many entries at most.

        So whoever counts next reads little, however long the chains are, and though nobody has counted before. Whether
        there may be more to do. What was read stays in memory only where somebody has counted already.
        """
        assert self._key is not None
        with self._lock:
            heads = table_heads(self.journal)
            name = next(
                (each for each in sorted(names) if is_behind(self._kept.get(each, 0), heads.get(each, 0))), None
            )
            if name is None:
                return False
            library, head = kept_books(self.journal), heads[name]
            self._kept[name] = head  # one that cannot be read is left alone until there is more of it
            ledger = self._tables.get(name) or self._begun(name, library)
            before = ledger.kept_at
            if is_behind(before, head):
                ledger.update(self.journal, library, self._most)
                ledger.keep(self.journal, self._key)
            if ledger.kept_at > before or not is_behind(before, head):
                self._kept[name] = ledger.kept_at
        return True

    def _begun(self, name: str, library: Library) -> TableLedger:
        """A table's ledger as it was last kept, or an empty one."""
        ledger = TableLedger(name, self._starts)
        if self._key is not None:
            ledger.begin(self.journal, library, self._key)
        return ledger

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
        given_out = sum(each.ever.bought - each.ever.cashed for each in ledgers) - money.through_wallet.get(currency, 0)
        aside = money.held_from_tables.get(currency, 0) + wallet.deposits.get(currency, 0)
        in_wallet = sum(had.get(currency, 0) for had in wallet.balances.values()) + money.outside.get(currency, 0)
        under_way = money.under_way.get(currency, 0) + self._not_noted(currency, money)
        held = sum(had.get(currency, 0) for had in money.held.values())
        won = sum(each.ever.won for each in ledgers)
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
