"""Kept snapshots held against what the events of their table lead to."""

from collections.abc import Sequence

from punto.journal import Entry, Journal
from punto.journal.snapshots import KeptSnapshot, is_genuine, keeps_snapshots, kept_snapshots
from punto.rulebook import Library
from punto.table import Table
from punto.table.events import Event
from punto.table.snapshot import STATE, BadState, Marks, decode_state, same_state


class SnapshotCheck:
    """The snapshots of one table, compared while its chain is gone through."""

    def __init__(self, journal: Journal, name: str, trusted: Sequence[str] | None, library: Library) -> None:
        found = kept_snapshots(journal, [name]).get(name, []) if keeps_snapshots(journal) else []
        self._waiting = {each.sequence: each for each in found}
        self._trusted, self._library = trusted, library
        self._marks = Marks()
        self.compared = self.others = 0
        """How many are what their events lead to, and how many are of another format and were not compared."""

    def take(self, sequence: int, event: Event) -> None:
        """Follow one event."""
        self._marks = self._marks.after(sequence, event)

    def wrong(self, entry: Entry, table: Table | None) -> str | None:
        """What is wrong with the snapshot that was made on an entry, if one was; `table` is the state after it."""
        given = self._waiting.pop(entry.sequence, None)
        if given is None:
            return None
        if not is_genuine(given):
            return "the signature of the snapshot on it is false"
        if not is_genuine(given, self._trusted):
            return f"the snapshot on it was signed by the key {given.key}, which is not trusted"
        if given.hash != entry.hash:
            return "its entry is not the one that a snapshot was made on"
        if given.format != STATE:
            self.others += 1
            return None
        self.compared += 1
        return None if self._is(given, table) else "the snapshot on it is not what the events lead to"

    def missing(self) -> int | None:
        """The number of an event that a snapshot was made on and that no entry ends with, if there is one."""
        return min(self._waiting, default=None)

    def _is(self, given: KeptSnapshot, table: Table | None) -> bool:
        try:
            kept, marks = decode_state(given.body, self._library)
        except BadState:
            return False
        return same_state(kept, table) and marks == self._marks
