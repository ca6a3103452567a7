"""The store: chains of entries on SQLite or PostgreSQL, one code path. An append returns only when it is durable."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    func,
    insert,
    literal,
    null,
    select,
    text,
    union,
    update,
)

from punto.journal.appends import Append, Appended, Conflict, Fenced, Head, Outdated, RecordChange, Repeated, Result
from punto.journal.chain import START, Entry, StoredEvent, events_of, next_entry
from punto.journal.errors import JournalError
from punto.journal.fencing import fences
from punto.journal.rows import read_entry
from punto.journal.schema import checkpoints, entries, records, tables
from punto.journal.secrets import Secrets
from punto.journal.signing import Checkpoint
from punto.journal.statements import read_ground, read_heads, write_entries

FIRST_SCHEMA = "0001"
_NEW_COLUMNS = ("form", "engine", "command")
_OLD = [each for each in entries.c if each.name not in _NEW_COLUMNS]
_ENTRIES = select(entries)
_ENTRIES_OF_FIRST_SCHEMA = select(*_OLD, literal(1).label("form"), null().label("engine"), null().label("command"))

_FORGOTTEN_AT_ONCE = 500
"""Records that are forgotten in one commit."""

_PUT = text("""
    INSERT INTO records (kind, name, body) VALUES (:kind, :name, :body)
    ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body
""")


class Journal(Secrets):
    """The chains of a house and of its tables; with their checkpoints, secrets and small records."""

    def __init__(self, url: str, *, limited: bool = True, read_only: bool = False) -> None:
        super().__init__(url, limited=limited, read_only=read_only)
        self.first_schema = False
        """Whether the store is still in the schema of the first releases, and only read."""

    @classmethod
    def existing(cls, url: str) -> "Journal":
        """A journal that is there already, opened to be read as it is: nothing is made, and nothing upgraded."""
        journal = cls(url, limited=False)
        try:
            revision = journal.revision()
            if revision is None:
                raise JournalError(f"There is no journal at {journal.address}.")
        except JournalError:
            journal.close()
            raise
        journal.first_schema = revision == FIRST_SCHEMA
        return journal

    # Writing chains

    def append(self, batch: Sequence[Append]) -> list[Result]:
        """Add to several chains in one commit. Each is added, or told why not, by itself."""
        everything = [*batch, *(other for each in batch for other in each.along)]
        with self.transaction() as connection:
            for name in sorted({each.table for each in everything if not each.expected}):
                self.lock(connection, f"chain {name}")  # two may begin the same chain at once
            heads, known, fenced, records_now = read_ground(connection, batch)
            fresh = {each.table for each in everything if not each.expected and each.table not in heads}
            results: list[Result] = []
            beside: list[Entry] = []
            for each in batch:
                sequence, before = heads.get(each.table, (0, START))
                first = known.get((each.table, each.key))
                if first is not None:
                    results.append(first)
                elif each.fence is not None and each.fence != fenced.get(each.table):
                    results.append(Fenced())
                elif any(proviso.broken(records_now) for proviso in each.provisos):
                    results.append(Outdated())
                elif sequence != each.expected or any(_moved(other, heads) for other in each.along):
                    results.append(Conflict(sequence))
                elif not each.events:
                    results.append(Appended(None))
                else:
                    entry = _entry(each, sequence, before)
                    results.append(Appended(entry))
                    heads[each.table] = (entry.sequence, entry.hash)
                    known[each.table, each.key] = Repeated(entry.first, entry.sequence)
                    for other in each.along:
                        entry = _entry(other, *heads.get(other.table, (0, START)))
                        heads[other.table] = (entry.sequence, entry.hash)
                        beside.append(entry)
            added = [each.entry for each in results if isinstance(each, Appended) and each.entry is not None]
            write_entries(connection, [*added, *beside], heads, fresh, self.process)
        return results

    def note(self, given: Append) -> None:
        """Add to the end of a chain, wherever that is."""
        with self.transaction() as connection:
            self._note(connection, given)

    def _note(self, connection: Connection, given: Append) -> None:
        self.lock(connection, f"chain {given.table}")
        heads = read_heads(connection, [given.table])
        fresh = {given.table} - set(heads)
        entry = _entry(given, *heads.get(given.table, (0, START)))
        heads[given.table] = (entry.sequence, entry.hash)
        write_entries(connection, [entry], heads, fresh, self.process)

    # Reading chains

    def tables(self) -> dict[str, int]:
        """Every chain and the number of its last event."""
        with self.transaction(reading=True) as connection:
            return {row.id: row.sequence for row in connection.execute(select(tables.c.id, tables.c.sequence))}

    def chains(self) -> list[str]:
        """Every chain that anything is kept of, even where it is missing from the list of tables."""
        asked = union(select(tables.c.id), select(entries.c.table), select(checkpoints.c.table))
        with self.transaction(reading=True) as connection:
            return sorted(connection.execute(asked).scalars())

    def head(self, table: str) -> Head | None:
        """Where the store says that a chain ends."""
        asked = select(tables.c.sequence, tables.c.hash).where(tables.c.id == table)
        with self.transaction(reading=True) as connection:
            found = connection.execute(asked).first()
        return None if found is None else Head(found.sequence, found.hash)

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The entries of a chain that hold events above a number, in order."""
        asked = self._asked.where(entries.c.table == table, entries.c.sequence > after)
        with self.transaction(reading=True) as connection:
            return [read_entry(row) for row in connection.execute(asked.order_by(entries.c.sequence).limit(limit))]

    def read(self, table: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """The events of a chain above a number, in order."""
        return events_of(self.entries(table, after, limit), after)[:limit]

    def made_by(self, table: str, key: str) -> list[StoredEvent]:
        """The events that a command led to, if it was carried out."""
        return events_of(self.by_key(table, key))

    def by_key(self, table: str, key: str) -> list[Entry]:
        """The entry of the command of this key, if it was carried out; of form 1 there may be several."""
        asked = self._asked.where(entries.c.table == table, entries.c.key == key).order_by(entries.c.sequence)
        with self.transaction(reading=True) as connection:
            return [read_entry(row) for row in connection.execute(asked)]

    def by_whom(self, whose: Iterable[str], since: str = "") -> list[Entry]:
        """The entries of every chain that some people made, in the order of time, from a moment on."""
        asked = self._asked.where(entries.c.who.in_(list(whose)), entries.c.at >= since)
        with self.transaction(reading=True) as connection:
            found = connection.execute(asked.order_by(entries.c.at, entries.c.table, entries.c.sequence))
            return [read_entry(row) for row in found]

    @property
    def _asked(self) -> Select[Any]:
        return _ENTRIES_OF_FIRST_SCHEMA if self.first_schema else _ENTRIES

    # Checkpoints

    def checkpoint(self, given: Checkpoint, fence: int | None = None) -> bool:
        """Keep a signed head; with a `fence` under the lease of that number alone, and False if it is another's."""
        with self.transaction() as connection:
            if fence is not None and fences(connection, [given.table]).get(given.table) != fence:
                return False
            connection.execute(insert(checkpoints).values(msgspec.structs.asdict(given)))
        return True

    def last_signed(self, names: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables that a checkpoint was signed on, where one was."""
        last = func.max(checkpoints.c.sequence).label("last")
        asked = select(checkpoints.c.table, last).where(checkpoints.c.table.in_(names)).group_by(checkpoints.c.table)
        with self.transaction(reading=True) as connection:
            return {row.table: row.last for row in connection.execute(asked)}

    def checkpoints(self, table: str) -> list[Checkpoint]:
        """The signed heads of a table, oldest first."""
        asked = select(checkpoints).where(checkpoints.c.table == table).order_by(checkpoints.c.sequence)
        with self.transaction(reading=True) as connection:
            return [Checkpoint(**row._mapping) for row in connection.execute(asked)]

    # Small records of the operator, in no chain

    def add_record(self, kind: str, name: str, body: str) -> bool:
        """Keep a small record under a name that was free; False if it was not."""
        asked = select(records.c.name).where(records.c.kind == kind, records.c.name == name)
        with self.transaction() as connection:
            self.lock(connection, f"{kind} {name}")
            if connection.execute(asked).first() is not None:
                return False
            connection.execute(insert(records).values(kind=kind, name=name, body=body))
        return True

    def change_record(
        self, kind: str, name: str, before: str | None, after: str | None, note: Append | None = None
    ) -> bool:
        """Put a record in the place of the one that was read, and add a note to a chain: both or neither.

        None is a record that is not there. False, and nothing done, if something else is there by now. The
        note goes to the end of its chain, wherever that is.
        """
        return self.change_records([RecordChange(kind, name, before, after)], note)

    def change_records(self, changes: Sequence[RecordChange], note: Append | None = None) -> bool:
        """Change several records and add a note, all of it or nothing, as `change_record` does."""
        ordered = sorted(changes, key=lambda each: (each.kind, each.name))
        with self.transaction() as connection:
            for each in ordered:
                self.lock(connection, f"{each.kind} {each.name}")
                if connection.execute(select(records.c.body).where(_is(each))).scalar() != each.before:
                    return False
            for each in ordered:
                if each.after is None:
                    connection.execute(records.delete().where(_is(each)))
                elif each.before is None:
                    connection.execute(insert(records).values(kind=each.kind, name=each.name, body=each.after))
                else:
                    connection.execute(update(records).where(_is(each)).values(body=each.after))
            if note is not None:
                self._note(connection, note)
        return True

    def put_record(self, kind: str, name: str, body: str) -> None:
        """Keep a small record under a name, in the place of what was there."""
        self.put_records(kind, [name], body)

    def put_records(self, kind: str, names: Sequence[str], body: str) -> None:
        """Keep the same small record under each of these names, in one commit."""
        if names:
            with self.transaction() as connection:
                connection.execute(_PUT, [{"kind": kind, "name": name, "body": body} for name in sorted(names)])

    def swap_record(self, kind: str, name: str, body: str) -> str | None:
        """Put a record in the place of what was there, and return that; None if nothing was."""
        with self.transaction() as connection:
            self.lock(connection, f"{kind} {name}")
            asked = select(records.c.body).where(records.c.kind == kind, records.c.name == name)
            found: str | None = connection.execute(asked).scalar()
            if found != body:
                connection.execute(_PUT, {"kind": kind, "name": name, "body": body})
        return found

    def drop_record(self, kind: str, name: str) -> None:
        """Forget a record."""
        with self.transaction() as connection:
            connection.execute(records.delete().where(records.c.kind == kind, records.c.name == name))

    def forget_records(self, kind: str, seen: Mapping[str, str]) -> None:
        """Forget the records of these names that are still as they were seen; few at a time, so that nobody waits."""
        asked = records.delete().where(
            records.c.kind == kind, records.c.name == bindparam("seen_name"), records.c.body == bindparam("seen_body")
        )
        given = [{"seen_name": name, "seen_body": seen[name]} for name in sorted(seen)]
        for at in range(0, len(given), _FORGOTTEN_AT_ONCE):
            with self.transaction() as connection:
                connection.execute(asked, given[at : at + _FORGOTTEN_AT_ONCE])

    def record(self, kind: str, name: str) -> str | None:
        """A record by its kind and name."""
        return self.records(kind, [name]).get(name)

    def records(self, kind: str, names: Iterable[str] | None = None) -> dict[str, str]:
        """The records of a kind by name: all of them, or those with these names."""
        asked = select(records.c.name, records.c.body).where(records.c.kind == kind)
        if names is not None:
            wanted = list(names)
            if not wanted:
                return {}
            asked = asked.where(records.c.name.in_(wanted))
        with self.transaction(reading=True) as connection:
            return {row.name: row.body for row in connection.execute(asked)}


def _moved(given: Append, heads: dict[str, tuple[int, str]]) -> bool:
    """Whether a chain does not stand where it is expected."""
    return heads.get(given.table, (0, START))[0] != given.expected


def _is(change: RecordChange) -> ColumnElement[bool]:
    return (records.c.kind == change.kind) & (records.c.name == change.name)


def _entry(given: Append, sequence: int, before: str) -> Entry:
    return next_entry(
        given.table, sequence, before, given.at, given.who, given.key, given.events, given.command, given.engine
    )
