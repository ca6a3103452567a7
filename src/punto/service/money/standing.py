"""Tables as they stand now, for whoever reads them without playing at them: from their last good snapshots."""

from collections.abc import Callable, Iterator

import msgspec

from punto.audit import kept_books
from punto.audit.entries import decoded
from punto.journal import OF_THE_HOUSE, Journal, events_of
from punto.service.snapshots import PAGE, Found, Snapshots
from punto.table import Table, decode_event, evolve

Key = Callable[[], bytes]
"""Reads the key that signs for this house: what another has signed is not trusted."""

_AT_ONCE = 25
"""Tables whose snapshots are read together."""


class FoundTable(msgspec.Struct, frozen=True):
    """A table as its chain tells it, and how far that chain goes."""

    name: str
    sequence: int
    table: Table


def table_names(journal: Journal) -> list[str]:
    """Every table that there is."""
    return list(table_heads(journal))


def table_heads(journal: Journal) -> dict[str, int]:
    """How far the chain of every table has come."""
    return {name: far for name, far in sorted(journal.tables().items()) if name not in OF_THE_HOUSE}


def standing_tables(journal: Journal, key: Key | None) -> Iterator[FoundTable]:
    """Every table as it stands now. Without a key each is read from its beginning."""
    library, names = kept_books(journal), table_names(journal)
    for at in range(0, len(names), _AT_ONCE):
        some = names[at : at + _AT_ONCE]
        kept = {} if key is None else Snapshots(journal, library, key, 0).found(some)
        for name in some:
            begin = kept.get(name, Found([]))
            table, sequence = begin.table, begin.sequence
            for stored in events_of(begin.entries, sequence):
                table, sequence = evolve(table, decode_event(stored.body), library), stored.sequence
            if not begin.entries or len(begin.entries) >= PAGE:
                for stored, event in decoded(journal, name, sequence):
                    table, sequence = evolve(table, event, library), stored.sequence
            if table is not None:
                yield FoundTable(name, sequence, table)
