"""A table's chain as money, day by day: it is kept, signed, and whoever counts next goes on from there."""

from datetime import time

import msgspec

from punto.audit.entries import chain, decoded_of
from punto.journal import Journal, public_key
from punto.journal.snapshots import KeptSnapshot, is_genuine, new_snapshot
from punto.rulebook import Library
from punto.service.days import gaming_day
from punto.service.money.play_figures import PlayFigures, brought
from punto.service.money.standing import Key
from punto.table import Table, evolve
from punto.table import events as e
from punto.table.snapshot import STATE, BadState, Marks, decode_state, encode_state
from punto.table.state import Patron

KEEP_EVERY = 500
"""Events after which a ledger is kept again."""

DAYS = 40
"""The last gaming days that are kept one by one; before them only the sums are."""

_FORM = 2
_KEPT = "kept-ledger"


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


class _Moved(msgspec.Struct):
    """What moved at a table, on one day or ever."""

    bought: int = 0
    cashed: int = 0
    won: int = 0
    patrons: dict[str, PatronCount] = {}

    def add(self, into: int, cashed: int, won: int, person: str) -> None:
        """Add what an event has moved."""
        self.bought += into
        self.cashed += cashed
        self.won += won
        if into or cashed:
            patron = self.patrons.setdefault(person, PatronCount())
            patron.bought += into
            patron.cashed += cashed


class _Kept(msgspec.Struct):
    """A ledger as it is kept: the sums, the last days, and the table that they belong to."""

    form: int
    state: int
    starts: str
    since: str
    ever: _Moved
    days: dict[str, _Moved]
    played: PlayFigures
    table: bytes


class TableLedger:
    """A table's chain as money: gone on with from where it was left."""

    def __init__(self, name: str, starts: time) -> None:
        self.name, self._starts = name, starts
        self.table: Table | None = None
        self.sequence = 0
        self.ever = _Moved()
        self.played = PlayFigures()
        self._days: dict[str, _Moved] = {}
        self._since = ""
        """The first day that is known by itself; the empty text if every day is."""
        self._first_day = ""
        """The day on which the chain begins, once somebody has asked; before it nothing has moved."""
        self.kept_at = 0
        """How far it has come where it was last kept."""

    def knows(self, day: str | None, journal: Journal) -> bool:
        """Whether it can tell what moved on a day; of days before those that are kept one entry is read."""
        if day is None or day >= self._since:
            return True
        if not self._first_day:
            [first] = journal.entries(self.name, 0, 1)
            self._first_day = gaming_day(first.at, self._starts)
        return day < self._first_day

    def begin(self, journal: Journal, library: Library, key: Key) -> None:
        """Go on from where a ledger of this table was last kept, if that is good."""
        body = journal.record(_KEPT, self.name)
        found = None if body is None else _read(body, self.name, key)
        if found is None or not _in_chain(journal, self.name, found):
            return
        try:
            kept = msgspec.json.decode(found.body, type=_Kept)
            if (kept.form, kept.state, kept.starts) != (_FORM, STATE, str(self._starts)):
                return
            self.table, _ = decode_state(kept.table, library)
        except (msgspec.DecodeError, BadState):
            return
        self.sequence = self.kept_at = found.sequence
        self.ever, self._days, self._since = kept.ever, kept.days, kept.since
        self.played = kept.played

    def update(self, journal: Journal, library: Library, most: int | None = None) -> int:
        """Take what is new in the chain, of so many entries at most; how many they were."""
        taken = 0
        for entry in chain(journal, self.name, self.sequence, most):
            for stored, event in decoded_of(entry):
                self._take(event, stored.at, stored.who, library)
                self.sequence = stored.sequence
            taken += 1
        return taken

    def keep(self, journal: Journal, key: Key) -> None:
        """Keep it for whoever counts next, if there is much that is new."""
        if self.table is None or not is_behind(self.kept_at, self.sequence):
            return
        last = journal.entries(self.name, self.sequence - 1, 1)
        if not last:
            return
        known = {*self._days, *self.played.days}
        since = max([self._since, *sorted(known)[-DAYS : -DAYS + 1]])
        days = {day: moved for day, moved in self._days.items() if day >= since}
        last_days = {day: played for day, played in self.played.days.items() if day >= since}
        played = PlayFigures(last_days, self.played.now)
        table = encode_state(self.table, Marks())
        body = msgspec.json.encode(_Kept(_FORM, STATE, str(self._starts), since, self.ever, days, played, table))
        made = new_snapshot(key(), _signed_name(self.name), self.sequence, last[0].hash, _FORM, body)
        journal.put_record(_KEPT, self.name, msgspec.json.encode(made).decode())
        self.kept_at = self.sequence

    def _take(self, event: e.Event, at: str, who: str, library: Library) -> None:
        before = self.table
        self.table = evolve(before, event, library)
        day = gaming_day(at, self._starts)
        self.played.take(before, self.table, event, at, who, day)
        person = event.patron if isinstance(event, e.BoughtIn | e.OwedPaid | e.CashedOut) else ""
        moved = brought(event, person)
        won = self.table.house - (0 if before is None else before.house) + moved
        if not (moved or won):
            return
        self.ever.add(max(moved, 0), max(-moved, 0), won, person)
        self._days.setdefault(day, _Moved()).add(max(moved, 0), max(-moved, 0), won, person)

    def patron(self, person: str) -> Patron | None:
        """Somebody at the table as it stands."""
        return None if self.table is None else self.table.patrons.get(person)

    def count(self, day: str | None) -> TableCount:
        """The table's count of a day, or of all days."""
        assert self.table is not None
        chosen = self.ever if day is None else self._days.get(day, _Moved())
        patrons = {person: PatronCount(had.bought, had.cashed) for person, had in chosen.patrons.items()}
        for person, now in self.table.patrons.items():
            if now.balance or now.held or now.owed or person in patrons:
                found = patrons.setdefault(person, PatronCount())
                found.chips, found.owed = now.balance + now.held, now.owed
        currency = self.table.setup.currency
        return TableCount(self.name, currency, chosen.bought, chosen.cashed, chosen.won, self.ever.won, patrons)


def is_behind(kept_at: int, reached: int) -> bool:
    """Whether a ledger that was kept after an event is to be kept again, now that its chain has reached another."""
    return reached - kept_at >= KEEP_EVERY


def _signed_name(table: str) -> str:
    """The name that a kept ledger is signed under, which is no table's: so it is never taken for a table's state."""
    return f"ledger of {table}"


def _read(body: str, table: str, key: Key) -> KeptSnapshot | None:
    """A kept ledger that this house has signed for this table."""
    try:
        found = msgspec.json.decode(body, type=KeptSnapshot)
    except msgspec.DecodeError:
        return None
    named = found.table == _signed_name(table) and found.format == _FORM
    return found if named and is_genuine(found, (public_key(key()),)) else None


def _in_chain(journal: Journal, table: str, found: KeptSnapshot) -> bool:
    """Whether it rests on an entry that the table's chain still has."""
    at = journal.entries(table, found.sequence - 1, 1)
    return bool(at) and (at[0].sequence, at[0].hash) == (found.sequence, found.hash)
