"""The entries of a journal, read piece by piece without its service, and the events that they hold."""

from collections.abc import Iterator

import msgspec

from punto.journal import Entry, Journal, StoredEvent
from punto.journal.chain import events_of as stored_events
from punto.table import decode_event
from punto.table.events import Event

AT_ONCE = 2000
"""How many entries are read at a time."""


class BadAudit(ValueError):
    """What cannot be looked into. The message is a sentence."""


def chosen(journal: Journal, table: str | None) -> list[str]:
    """Every chain, or the one that was asked for."""
    known = journal.chains()
    if table is None:
        return known
    if table not in known:
        raise BadAudit(f"There is no table {table!r} in this journal; there are {', '.join(known) or 'none'}.")
    return [table]


def chain(journal: Journal, table: str, after: int = 0, most: int | None = None) -> Iterator[Entry]:
    """The entries of a table after a number in order, read piece by piece: all of them, or so many at most."""
    left = most
    while left != 0 and (found := journal.entries(table, after, AT_ONCE if left is None else min(AT_ONCE, left))):
        yield from found
        if found[-1].sequence <= after:
            return  # its number was tampered with
        after = found[-1].sequence
        left = None if left is None else left - len(found)


def decoded(journal: Journal, table: str, after: int = 0) -> Iterator[tuple[StoredEvent, Event]]:
    """The events of a table after an entry as they are stored, and decoded; `BadAudit` at one that is none."""
    for entry in chain(journal, table, after):
        yield from decoded_of(entry)


def decoded_of(entry: Entry) -> Iterator[tuple[StoredEvent, Event]]:
    """The events of one entry as they are stored, and decoded; `BadAudit` at one that is none."""
    for stored in stored_events([entry]):
        try:
            yield stored, decode_event(stored.body)
        except msgspec.DecodeError as error:
            raise BadAudit(f"Event {stored.sequence} of {entry.table} is no event: {error}.") from None


def events_of(journal: Journal, table: str) -> Iterator[Event]:
    """What has happened at a table; `BadAudit` if there is none of that name."""
    for name in chosen(journal, table):
        for _, event in decoded(journal, name):
            yield event
