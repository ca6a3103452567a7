"""The chain of the house in the journal: what was done with accounts and keys, by whom and when."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from punto.journal import HOUSE, Append, Journal

NEW_SIGNING_KEY = "signing-key-changed"
NEW_TOKEN_KEY = "token-key-changed"


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that was done with an account, or with a key of the house, as the chain keeps it."""

    who: str
    at: str
    what: str
    account: str
    kind: str = ""
    table: str = ""
    rank: str = ""
    acting: bool = False
    session: str = ""
    until: float | None = None
    person: str = ""
    shown: str = ""
    key: str = ""
    new_key: str = ""
    signature: str = ""


class House:
    """Writes and reads the entries of the chain."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal, self._clock = journal, clock

    def entry(self, who: str, what: str, account: str, **more: str | float | None) -> Append:
        """An act, ready to be added to the chain."""
        at = self.now()
        act = msgspec.convert({"who": who, "at": at, "what": what, "account": account, **more}, Act)
        return Append(HOUSE, 0, secrets.token_hex(16), who, at, (msgspec.json.encode(act),))

    def now(self) -> str:
        """The time by the house's clock, as it is written down."""
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def acts(self, after: int = 0, limit: int | None = None) -> list[tuple[int, Act]]:
        """The acts after a number, in order, each with its own."""
        found = self._journal.read(HOUSE, after, limit)
        return [(entry.sequence, msgspec.json.decode(entry.body, type=Act)) for entry in found]
