"""The house's own wallet: balances of persons on a chain of their own, filled and emptied at the cage."""

from datetime import UTC, datetime
from typing import Literal

import msgspec

from punto.amounts import MOST, show_money
from punto.journal import WALLET, Append, Appended, Journal, JournalError
from punto.service.money.chain_fold import ChainFold
from punto.service.money.wallet import WalletRefused, WalletUnclear

What = Literal["deposit", "withdrawal", "debit", "credit", "refused"]
_SIGNS: dict[What, int] = {"deposit": 1, "withdrawal": -1, "debit": -1, "credit": 1, "refused": 0}
_WITH_TABLES = ("debit", "credit")


class WalletAct(msgspec.Struct, frozen=True, omit_defaults=True):
    """A movement of money in the wallet: at the cage (deposit, withdrawal) or with a table (debit, credit).

    What was refused to a table is kept too, with the reason, so that its key is always answered as it was first.
    """

    what: What
    at: str
    who: str
    person: str
    amount: int
    currency: str
    why: str = ""


class WalletState(msgspec.Struct):
    """What the chain comes to: balances by person and currency, and what the cage has brought, by currency."""

    form: int = 1
    sequence: int = 0
    balances: dict[str, dict[str, int]] = {}
    deposits: dict[str, int] = {}


def take(state: WalletState, body: bytes) -> None:
    """Take the next movement of the chain."""
    act = msgspec.json.decode(body, type=WalletAct)
    amount = _SIGNS[act.what] * act.amount
    balances = state.balances.setdefault(act.person, {})
    balances[act.currency] = balances.get(act.currency, 0) + amount
    if act.what in ("deposit", "withdrawal"):
        state.deposits[act.currency] = state.deposits.get(act.currency, 0) + amount


def _balance(state: WalletState, person: str, currency: str) -> int:
    return state.balances.get(person, {}).get(currency, 0)


class OwnWallet(ChainFold[WalletState]):
    """The wallet that the house keeps itself."""

    external = False

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, WALLET, WalletState, take)

    def balance(self, person: str) -> dict[str, int]:
        """What a person has, by currency."""
        return self.ask(lambda state: {each: had for each, had in state.balances.get(person, {}).items() if had})

    def was_filled(self) -> bool:
        """Whether the cage has ever taken money into the wallet."""
        return self.ask(lambda state: bool(state.deposits))

    def has(self, key: str) -> bool:
        """Whether money has moved under a key."""
        kept = self._kept_under(key)
        return kept is not None and kept.what != "refused"

    def _kept_under(self, key: str) -> WalletAct | None:
        """What the wallet did when this key was first used, if it was."""
        found = self._journal.made_by(WALLET, key)
        return msgspec.json.decode(found[0].body, type=WalletAct) if found else None

    def debit(self, key: str, person: str, amount: int, currency: str) -> None:
        """Take money from a person for a table."""
        self._move("debit", key, person, amount, currency, "service")

    def credit(self, key: str, person: str, amount: int, currency: str) -> None:
        """Give a person money from a table."""
        self._move("credit", key, person, amount, currency, "service")

    def deposit(self, key: str, person: str, amount: int, currency: str, *, who: str) -> None:
        """The cage has taken money for a person."""
        self._move("deposit", key, person, amount, currency, who)

    def withdraw(self, key: str, person: str, amount: int, currency: str, *, who: str) -> None:
        """The cage pays a person money out."""
        self._move("withdrawal", key, person, amount, currency, who)

    def _move(self, what: What, key: str, person: str, amount: int, currency: str, who: str) -> None:
        if not 0 < amount <= MOST:
            raise WalletRefused(f"{show_money(amount, currency)} is no amount that can be moved.")
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        act = WalletAct(what, at, who, person, amount, currency)
        try:
            kept: WalletAct | None = None
            while kept is None:
                sequence, has = self.ask(lambda state: (state.sequence, _balance(state, person, currency)))
                may = 0 <= has + _SIGNS[what] * amount <= MOST
                why = "" if may else f"There is {show_money(has, currency)} {currency} in the wallet."
                made = act if may else msgspec.structs.replace(act, what="refused", why=why)
                if not may and what not in _WITH_TABLES:
                    kept = self._kept_under(key) or made
                    continue
                [result] = self._journal.append([Append(WALLET, sequence, key, who, at, (msgspec.json.encode(made),))])
                kept = made if isinstance(result, Appended) else self._kept_under(key)
        except JournalError as error:
            raise WalletUnclear(str(error)) from error
        if kept.what == "refused":
            raise WalletRefused(kept.why)
