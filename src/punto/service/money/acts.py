"""The chain of money on its way: what it holds, and what it comes to.

A transfer with a wallet is recorded before anything is sent, and each of its steps is recorded when it is known. Chips
that change hands with it are recorded in the same commit as the table's own entry. So whatever dies when, what is
under way is known, and is finished or given back once.
"""

import secrets
from collections.abc import Callable
from typing import Literal

import msgspec

from punto.journal import MONEY, Append, Conflict, Journal, Outdated, Proviso
from punto.service.money.chain_fold import ChainFold

Do = Literal["buy-in", "cash-out", "pay-owed"]
Stage = Literal["begun", "debited", "moved", "returning"]


class MoneyAct(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that was done about money.

    | what | |
    |---|---|
    | begun | a transfer with a wallet is about to be sent |
    | debited | the wallet has paid |
    | refused | the wallet has not paid, and will not |
    | moved | chips changed hands; in the same commit as the table's entry |
    | ended | the table refused a cash-out: nothing has moved |
    | returning | the table refused chips that a wallet has paid for: the wallet gets its money back |
    | credited | the wallet has got its money |
    | held | the house holds somebody's money |
    | staked | somebody with a limit of their own on a day's losses has laid chips; in the table's commit |
    | paid-out | the cage has paid out money that was held |
    """

    what: str
    at: str
    who: str
    person: str
    amount: int = 0
    currency: str = ""
    table: str = ""
    id: str = ""
    do: str = ""
    key: str = ""
    day: str = ""
    external: bool = False
    why: str = ""


class Transfer(msgspec.Struct):
    """A transfer with a wallet that is not over. Without an amount it is everything that somebody has."""

    id: str
    do: Do
    person: str
    table: str
    amount: int
    currency: str
    key: str
    external: bool
    stage: Stage = "begun"
    why: str = ""


_DAYS_KEPT = 4
"""Gaming days whose sums are kept: clocks of processes differ, and what one has counted counts for every other."""


class MoneyState(msgspec.Struct):
    """What the chain comes to. Sums are by currency, as minor units."""

    form: int = 3
    sequence: int = 0
    open: dict[str, Transfer] = {}
    bought: dict[str, dict[str, int]] = {}
    """By gaming day, of the latest ones: what each person and each table has bought in."""
    staked: dict[str, dict[str, int]] = {}
    """By gaming day, of the latest ones: the last entry by which each person with a limit of their own has staked."""
    held: dict[str, dict[str, int]] = {}
    """By person, then by currency: money that the house holds for them."""
    through_wallet: dict[str, int] = {}
    """Chips bought less chips cashed out by way of a wallet."""
    under_way: dict[str, int] = {}
    """What a wallet has paid and no table has given chips for, or the other way round."""
    outside: dict[str, int] = {}
    """What wallets of others have got, less what they have paid."""
    held_from_tables: dict[str, int] = {}
    """What was put aside when chips were taken off a table, less all that was paid out: the cage owes it."""

    def last_staked(self, person: str) -> int:
        """The last entry by which somebody with a limit of their own has staked; 0 if there is none."""
        return max((each.get(person, 0) for each in self.staked.values()), default=0)


def by_person(person: str, currency: str) -> str:
    """The key of what a person has bought in on a day."""
    return f"person {person} {currency}"


def by_table(table: str, currency: str) -> str:
    """The key of what was bought in at a table on a day."""
    return f"table {table} {currency}"


def _add(sums: dict[str, int], key: str, amount: int) -> None:
    sums[key] = sums.get(key, 0) + amount


def take(state: MoneyState, body: bytes) -> None:
    """Take the next act of the chain."""
    act = msgspec.json.decode(body, type=MoneyAct)
    found = state.open.get(act.id) if act.id else None
    if act.what == "begun":
        do: Do = msgspec.convert(act.do, Do)
        state.open[act.id] = Transfer(
            act.id, do, act.person, act.table, act.amount, act.currency, act.key, act.external
        )
    elif act.what == "moved":
        _moved(state, act, found)
    elif act.what == "staked":
        state.staked.setdefault(act.day, {})[act.person] = state.sequence + 1
        _forget_days(state.staked)
    elif act.what == "held":
        held = state.held.setdefault(act.person, {})
        _add(held, act.currency, act.amount)
        _add(state.under_way if act.id else state.held_from_tables, act.currency, -act.amount if act.id else act.amount)
        state.open.pop(act.id, None)
    elif act.what == "paid-out":
        _add(state.held[act.person], act.currency, -act.amount)
        _add(state.held_from_tables, act.currency, -act.amount)
    elif found is not None:
        _stepped(state, act, found)


def _forget_days(by_day: dict[str, dict[str, int]]) -> None:
    for day in sorted(by_day)[:-_DAYS_KEPT]:
        del by_day[day]


def _moved(state: MoneyState, act: MoneyAct, found: Transfer | None) -> None:
    """Chips have changed hands."""
    if act.do == "buy-in":
        today = state.bought.setdefault(act.day, {})
        _add(today, by_person(act.person, act.currency), act.amount)
        _add(today, by_table(act.table, act.currency), act.amount)
        _forget_days(state.bought)
    if found is None:
        return
    into = -1 if act.do == "cash-out" else 1
    _add(state.through_wallet, act.currency, into * act.amount)
    _add(state.under_way, act.currency, -into * act.amount)
    if act.do == "cash-out" and act.amount:
        found.stage, found.amount = "moved", act.amount
    else:
        del state.open[found.id]


def _stepped(state: MoneyState, act: MoneyAct, found: Transfer) -> None:
    """A transfer has gone a step further, or is over."""
    if act.what == "debited":
        found.stage = "debited"
        _add(state.under_way, found.currency, found.amount)
        if found.external:
            _add(state.outside, found.currency, -found.amount)
    elif act.what == "returning":
        found.stage, found.why = "returning", act.why
    else:
        if act.what == "credited":
            _add(state.under_way, found.currency, -found.amount)
            if found.external:
                _add(state.outside, found.currency, found.amount)
        del state.open[found.id]


class Overruled(Exception):
    """The record by which somebody was let begin says something else by now."""


class MoneyChain(ChainFold[MoneyState]):
    """The chain, and the one way to add to it."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, MONEY, MoneyState, take)

    def entry(self, act: MoneyAct, expected: int) -> Append:
        """An act, ready to be added where the chain stands at a number."""
        return Append(MONEY, expected, secrets.token_hex(16), act.who, act.at, (msgspec.json.encode(act),))

    def note(self, act: MoneyAct, allowed: Callable[[MoneyState], bool], provisos: tuple[Proviso, ...] = ()) -> bool:
        """Add an act, only if it is allowed where the chain then stands; False if it is not.

        `Overruled` if a proviso does not hold then.
        """
        while True:
            sequence, may = self.ask(lambda state: (state.sequence, allowed(state)))
            if not may:
                return False
            [result] = self._journal.append([msgspec.structs.replace(self.entry(act, sequence), provisos=provisos)])
            if isinstance(result, Outdated):
                raise Overruled
            if not isinstance(result, Conflict):
                return True


def stage_of(state: MoneyState, transfer: str) -> Stage | None:
    """How far a transfer has come; None if it is over, or never began."""
    found = state.open.get(transfer)
    return None if found is None else found.stage
