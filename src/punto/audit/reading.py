"""Reading a journal without its service: chains piece by piece, and where the store says that they end."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import msgspec
from sqlalchemy import Connection, select

from punto.journal import Entry, Journal
from punto.journal.schema import checkpoints, entries, tables
from punto.table import decode_event
from punto.table.events import Event

AT_ONCE = 2000
"""So many entries are read at a time."""


class BadAudit(ValueError):
    """What cannot be looked into. The message is a sentence."""


class Head(msgspec.Struct, frozen=True):
    """Where the store says that a chain ends."""

    sequence: int
    hash: str


def _reading(journal: Journal) -> AbstractContextManager[Connection]:
    """A look at the store that no writer waits for."""
    return journal.engine.execution_options(reading=True).begin()


def head(journal: Journal, table: str) -> Head | None:
    """Where the store says that the chain of a table ends."""
    asked = select(tables.c.sequence, tables.c.hash).where(tables.c.id == table)
    with _reading(journal) as connection:
        found = connection.execute(asked).first()
    return None if found is None else Head(found.sequence, found.hash)


def names(journal: Journal) -> list[str]:
    """Every table that anything is kept of, even where it is missing from the list of tables."""
    found = set(journal.tables())
    with _reading(journal) as connection:
        for column in (entries.c.table, checkpoints.c.table):
            found |= set(connection.execute(select(column).distinct()).scalars())
    return sorted(found)


def chosen(journal: Journal, table: str | None) -> list[str]:
    """Every table, or the one that was asked for."""
    known = names(journal)
    if table is None:
        return known
    if table not in known:
        raise BadAudit(f"There is no table {table!r} in this journal; there are {', '.join(known) or 'none'}.")
    return [table]


def chain(journal: Journal, table: str) -> Iterator[Entry]:
    """The entries of a table in order, read piece by piece."""
    after = 0
    while found := journal.read(table, after, AT_ONCE):
        yield from found
        after = found[-1].sequence


def told(journal: Journal, table: str) -> Iterator[tuple[Entry, Event]]:
    """The entries of a table with what they say; `BadAudit` at one that says nothing."""
    for entry in chain(journal, table):
        try:
            yield entry, decode_event(entry.body)
        except msgspec.DecodeError as error:
            raise BadAudit(f"Entry {entry.sequence} of {table} is no event: {error}.") from None


def events_of(journal: Journal, table: str) -> Iterator[Event]:
    """What has happened at a table; `BadAudit` if there is none of that name."""
    for name in chosen(journal, table):
        for _, event in told(journal, name):
            yield event
