"""The chain of the house in the journal: what was done with accounts and keys, by whom and when."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from punto.journal import HOUSE, Append, Entry, Journal

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


class Done(msgspec.Struct, frozen=True):
    """What an account has done at a table or with money, as its chain keeps it.

    `command` is what was asked, as JSON, or the first event where no command is kept.
    """

    sequence: int
    who: str
    at: str
    what: str
    table: str
    command: str


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

    def acts_of(self, name: str, since: str = "") -> list[tuple[int, Act]]:
        """What was done with an account and by it, from a moment on."""
        acts = self.acts()
        whose = _names(name, acts)
        return [(at, act) for at, act in acts if act.at >= since and (act.account == name or act.who in whose)]

    def done_by(self, name: str, since: str = "") -> list[Done]:
        """What an account has done in every other chain, from a moment on, in the order of time."""
        made = self._journal.by_whom(_names(name, self.acts()), since)
        return [_done(entry) for entry in made if entry.table != HOUSE]


def _names(name: str, acts: list[tuple[int, Act]]) -> set[str]:
    """The account, and the person of everybody who ever had it: what they did stands under these names."""
    return {name, *(act.person for _, act in acts if act.account == name and act.person)}


def _done(entry: Entry) -> Done:
    kept = entry.command or entry.events[0]
    said = msgspec.json.decode(kept)
    word = "do" if entry.command else "event" if "event" in said else "what"
    return Done(entry.sequence, entry.who, entry.at, said[word], entry.table, kept.decode())
