"""Where a start goes on from: the last good snapshot of each table, and what happened since.

Whatever reads or writes here waits for the store, and is called from a thread.
"""

from collections.abc import Callable, Sequence

import msgspec

from punto.journal import Entry, Journal, public_key
from punto.journal.snapshots import KeptSnapshot, is_genuine, keep_snapshot, kept_snapshots, new_snapshot, tails
from punto.rulebook import Library
from punto.table import Table
from punto.table.snapshot import STATE, BadState, Marks, decode_state, encode_state

PAGE = 500
"""Entries of a table that are read at a time."""


class Found(msgspec.Struct, frozen=True):
    """What is known of a table at the start: its state after event `sequence`, and the entries that follow.

    Where the round on the felt was running then, `entries` begin with it, so that its clock goes on. `doubtful` if
    there were snapshots, and the last of them could not be used.
    """

    entries: list[Entry]
    sequence: int = 0
    table: Table | None = None
    marks: Marks = Marks()
    doubtful: bool = False


class Snapshots:
    """The snapshots that this house has signed."""

    def __init__(self, journal: Journal, library: Library, key: Callable[[], bytes], shown: int) -> None:
        """`key` reads the key that signs for this house: it may be replaced while the service runs."""
        self._journal, self._library, self._key, self._shown = journal, library, key, shown

    def found(self, names: Sequence[str]) -> dict[str, Found]:
        """Tables as they were when the last good snapshot was made, and the first page of what follows."""
        kept = kept_snapshots(self._journal, names)
        in_chain = kept_snapshots(self._journal, kept, in_chain=True) if kept else {}
        own = public_key(self._key()) if kept else ""
        states = {name: self._state(own, kept[name][0], in_chain.get(name, [])) for name in kept}
        states |= {name: Found([]) for name in names if name not in states}
        after = {name: self._begins(state) for name, state in states.items()}
        read = tails(self._journal, after, PAGE)
        return {name: msgspec.structs.replace(state, entries=read[name]) for name, state in states.items()}

    def _state(self, own: str, last: KeptSnapshot, in_chain: Sequence[KeptSnapshot]) -> Found:
        for each in in_chain:
            if each.format == STATE and is_genuine(each, (own,)):
                try:
                    table, marks = decode_state(each.body, self._library)
                except BadState:
                    continue
                return Found([], each.sequence, table, marks, doubtful=each.sequence != last.sequence)
        return Found([], doubtful=True)

    def _begins(self, state: Found) -> int:
        """After which event is read: the round on the felt is, as far as it stays in memory."""
        if not state.sequence:
            return 0
        return max(min(state.marks.round or state.sequence, state.sequence) - 1, state.sequence - self._shown)

    def make(self, name: str, sequence: int, table: Table, marks: Marks, head: str, fence: int) -> None:
        """Sign and keep the state of a table after an event whose entry has this hash, under its lease."""
        body = encode_state(table, marks)
        keep_snapshot(self._journal, new_snapshot(self._key(), name, sequence, head, STATE, body), fence)
