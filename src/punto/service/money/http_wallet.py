"""A wallet of somebody else, spoken to by HTTP: a simple protocol, which the documentation tells."""

import urllib.parse

import msgspec

from punto.service.money.wallet import WalletRefused, WalletUnclear
from punto.service.outgoing import Outgoing, Unanswered

_REFUSED = (402, 409, 422)
_LONGEST = 65536
_LONGEST_SENTENCE = 300
_NEVER_USED = "punto-doctor"
"""A key that no movement has."""


class Movement(msgspec.Struct, frozen=True):
    """What a wallet is asked to move, under a key."""

    key: str
    person: str
    amount: int
    currency: str


class WalletAnswer(msgspec.Struct):
    """What a wallet says about a movement: that it is done, or why it was refused; and what was moved, if it tells."""

    key: str
    done: bool
    refused: str = ""
    person: str | None = None
    amount: int | None = None
    currency: str | None = None

    def is_about(self, asked: Movement) -> bool:
        """Whether nothing that the wallet says differs from what it was asked for."""
        said = (self.person, self.amount, self.currency)
        wanted = (asked.person, asked.amount, asked.currency)
        return all(one is None or one == other for one, other in zip(said, wanted, strict=True))


class HttpWallet:
    """A wallet at an address: `POST /debit`, `POST /credit`, `GET /transactions/KEY`."""

    external = True

    def __init__(self, address: str, token: str | None = None, seconds: float = 5) -> None:
        self._address, self._token = address.rstrip("/"), token
        self._outgoing = Outgoing(seconds, _LONGEST)

    def debit(self, key: str, person: str, amount: int, currency: str) -> None:
        """Take money from a person."""
        self._move("debit", key, person, amount, currency)

    def credit(self, key: str, person: str, amount: int, currency: str) -> None:
        """Give money to a person."""
        self._move("credit", key, person, amount, currency)

    def check_reachable(self) -> None:
        """Ask about a movement that there never was; `WalletUnclear` if the answer is not that there is none."""
        if self._ask("GET", f"/transactions/{_NEVER_USED}", None, _NEVER_USED) is not None:
            raise WalletUnclear("The wallet knows a movement that nobody has asked for.")

    def _move(self, what: str, key: str, person: str, amount: int, currency: str) -> None:
        """Ask what became of the key, and send it only if nothing did; `WalletUnclear` if there is no clear answer."""
        asked = Movement(key, person, amount, currency)
        known = self._ask("GET", f"/transactions/{urllib.parse.quote(key, safe='')}", None, key)
        if known is None:
            known = self._ask("POST", f"/{what}", asked, key)
        if known is None:
            raise WalletUnclear("The wallet does not know this way.")
        if not known.is_about(asked):
            raise WalletUnclear("The wallet has moved something else than it was asked for.")
        if not known.done:
            raise WalletRefused(known.refused[:_LONGEST_SENTENCE] or "The wallet says no.")

    def _ask(self, method: str, path: str, body: object, key: str) -> WalletAnswer | None:
        """A clear answer about this key; None where there is no such thing."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else msgspec.json.encode(body)
        try:
            status, said = self._outgoing.ask(self._address + path, data, headers, method)
        except Unanswered as error:
            raise WalletUnclear(f"The wallet does not answer: {error}.") from error
        if status == 404:
            return None
        if status != 200 and status not in _REFUSED:
            raise WalletUnclear(f"The wallet answers {status}.")
        return _read(said, key, status)


def _read(said: bytes, key: str, status: int) -> WalletAnswer:
    try:
        found = msgspec.json.decode(said, type=WalletAnswer)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WalletUnclear("The wallet's answer cannot be read.") from error
    if found.key != key or (found.done and status != 200):
        raise WalletUnclear("The wallet answers about something else.")
    return found
