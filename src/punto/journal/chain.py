"""Entries and how they are chained: each holds a command with its events, and the hash of the entry before it.

Events of a table are numbered from 1 without a gap. An entry has the number of its last event as its `sequence`.
"""

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from punto.journal.errors import Unfit

START = "0" * 64
"""In the place of the hash before the first entry."""

FORM = 2
"""The form of the hash of new entries. Form 1 had one event an entry, and no command."""


class Entry(msgspec.Struct, frozen=True):
    """What one command did: its events, and the command itself where it is kept.

    Commands and events are bytes without a line feed that mean nothing here. `key` names the command, `engine` the
    number of the rules that decided it, `form` what the hash covers.
    """

    table: str
    sequence: int
    at: str
    who: str
    key: str
    events: tuple[bytes, ...]
    before: str
    hash: str
    form: int = FORM
    engine: int | None = None
    command: bytes | None = None

    @property
    def first(self) -> int:
        """The number of its first event."""
        return self.sequence - len(self.events) + 1


class StoredEvent(msgspec.Struct, frozen=True):
    """One event of an entry, by its own number."""

    table: str
    sequence: int
    at: str
    who: str
    key: str
    body: bytes


class Broken(msgspec.Struct, frozen=True):
    """The first event at which a chain is broken, and why."""

    table: str
    sequence: int
    why: str


def hash_of(entry: Entry) -> str:
    """The hash of an entry: everything that it says, and the hash before it. Its own `hash` is not looked at.

    >>> entry = next_entry("t1", 0, START, "2026-01-01T00:00:00Z", "dealer", "k1", [b"{}"], b'{"do":"draw"}', 1)
    >>> hash_of(entry)[:16], hash_of(entry) == entry.hash
    ('226514215220ecca', True)
    """
    body = b"\n".join(entry.events)
    if entry.form == 1:
        named = [entry.table, entry.sequence, entry.at, entry.who, entry.key, entry.before]
        return sha256(msgspec.json.encode(named) + b"\n" + body).hexdigest()
    numbers = (entry.first, entry.sequence)
    head = [entry.form, entry.table, *numbers, entry.at, entry.who, entry.key, entry.engine, entry.before]
    return sha256(b"\n".join((msgspec.json.encode(head), entry.command or b"", body))).hexdigest()


def next_entry(
    table: str,
    after: int,
    before: str,
    at: str,
    who: str,
    key: str,
    events: Iterable[bytes],
    command: bytes | None = None,
    engine: int | None = None,
) -> Entry:
    """The entry of a command that follows the event with that number and the entry with that hash."""
    made = tuple(events)
    if not made:
        raise Unfit("An entry without an event cannot be kept.")
    if b"\n" in b"".join(made) or (command is not None and b"\n" in command):
        raise Unfit("A command or an event that holds a line feed cannot be kept.")
    entry = Entry(table, after + len(made), at, who, key, made, before, "", FORM, engine, command)
    return msgspec.structs.replace(entry, hash=hash_of(entry))


def events_of(entries: Iterable[Entry], after: int = 0) -> list[StoredEvent]:
    """The events of entries one by one, those with a number above `after`.

    >>> entry = next_entry("t1", 0, START, "2026-01-01T00:00:00Z", "dealer", "k1", [b"a", b"b"])
    >>> [(each.sequence, each.body) for each in events_of([entry])]
    [(1, b'a'), (2, b'b')]
    """
    return [
        StoredEvent(entry.table, sequence, entry.at, entry.who, entry.key, body)
        for entry in entries
        for sequence, body in enumerate(entry.events, start=entry.first)
        if sequence > after
    ]


def first_broken(entries: Iterable[Entry]) -> Broken | None:
    """The first entry of a table that is missing, altered or out of order; None if the chain is whole.

    >>> one = next_entry("t1", 0, START, "2026-01-01T00:00:00Z", "dealer", "k1", [b"a"])
    >>> two = next_entry("t1", 1, one.hash, "2026-01-01T00:00:01Z", "dealer", "k2", [b"b"])
    >>> first_broken([one, two]) is None
    True
    >>> first_broken([one, msgspec.structs.replace(two, events=(b"x",))]).why
    'its entry is not what was hashed'
    >>> first_broken([two]).why
    'event 1 is missing'
    """
    before, reached, form = START, 0, 1
    for entry in entries:
        why = None
        if entry.first != reached + 1:
            why = f"event {reached + 1} is missing"
        elif not entry.events or (entry.form == 1 and len(entry.events) > 1):
            why = "its entry has not the number of events that its form has"
        elif not form <= entry.form <= FORM:
            why = "its entry is of a form that cannot follow the one before it"
        elif entry.before != before:
            why = "its entry does not follow from the one before it"
        elif entry.hash != hash_of(entry):
            why = "its entry is not what was hashed"
        if why is not None:
            return Broken(entry.table, entry.first, why)
        before, reached, form = entry.hash, entry.sequence, entry.form
    return None
