"""The store: chains of entries on SQLite or PostgreSQL, one code path. An append returns only when it is durable."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    Connection,
    Executable,
    Row,
    Select,
    insert,
    literal,
    null,
    select,
    text,
    tuple_,
    union,
    update,
)

from punto.journal.chain import START, Entry, StoredEvent, events_of, next_entry
from punto.journal.database import Database
from punto.journal.errors import JournalError
from punto.journal.notify import notify
from punto.journal.provisos import Proviso, broken
from punto.journal.schema import checkpoints, entries, records, secrets, tables
from punto.journal.signing import Checkpoint

HOUSE = "house"
"""The chain of the house itself, beside those of its tables: who did what with its accounts."""

_FIRST_SCHEMA = "0001"
_NEW_COLUMNS = ("form", "engine", "command")
_OLD = [each for each in entries.c if each.name not in _NEW_COLUMNS]
_ENTRIES = select(entries)
_ENTRIES_OF_FIRST_SCHEMA = select(*_OLD, literal(1).label("form"), null().label("engine"), null().label("command"))

# What every command needs is given to SQLite's driver as it is: SQLAlchemy would spend longer on it than SQLite.
_MOVE = "UPDATE tables SET sequence = :to, hash = :head WHERE id = :of"
_ADD = """
    INSERT INTO entries ("table", sequence, at, who, key, body, before, hash, form, engine, command)
    VALUES (:table, :sequence, :at, :who, :key, :body, :before, :hash, :form, :engine, :command)
"""
_KNOWN = select(entries.c.table, entries.c.key, entries.c.sequence, entries.c.form, entries.c.body)
_HEADS = select(tables.c.id, tables.c.sequence, tables.c.hash).order_by(tables.c.id).with_for_update()
_PUT = text("""
    INSERT INTO records (kind, name, body) VALUES (:kind, :name, :body)
    ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body
""")
_KEEP = text("""
    INSERT INTO secrets ("table", name, value) VALUES (:table, :name, :value) ON CONFLICT ("table", name) DO NOTHING
""")

# The same for PostgreSQL, which takes all rows as arrays: one statement, whatever their number.
_ADD_ALL = text("""
    INSERT INTO entries ("table", sequence, at, who, key, body, before, hash, form, engine, command)
    SELECT * FROM unnest(CAST(:table AS text[]), CAST(:sequence AS bigint[]), CAST(:at AS text[]), CAST(:who AS text[]),
        CAST(:key AS text[]), CAST(:body AS bytea[]), CAST(:before AS text[]), CAST(:hash AS text[]),
        CAST(:form AS smallint[]), CAST(:engine AS integer[]), CAST(:command AS bytea[]))
""")
_MOVE_ALL = text("""
    UPDATE tables SET sequence = now.sequence, hash = now.hash
    FROM unnest(CAST(:of AS text[]), CAST(:to AS bigint[]), CAST(:head AS text[])) AS now (id, sequence, hash)
    WHERE tables.id = now.id
""")
_KNOWN_ALL = text("""
    SELECT entries."table", entries.key, entries.sequence, entries.form, entries.body
    FROM unnest(CAST(:table AS text[]), CAST(:key AS text[])) AS asked ("table", key)
    JOIN entries ON entries."table" = asked."table" AND entries.key = asked.key
""")
_HEADS_ALL = text("SELECT id, sequence, hash FROM tables WHERE id = ANY(:names) ORDER BY id FOR UPDATE")


class Append(msgspec.Struct, frozen=True):
    """What a command did, to be added to a table's chain if it stands at `expected`: its events, and the command.

    `engine` is the number of the rules that decided the command, `proviso` a record that it was decided by.
    """

    table: str
    expected: int
    key: str
    who: str
    at: str
    events: tuple[bytes, ...]
    command: bytes | None = None
    engine: int | None = None
    proviso: Proviso | None = None


class Appended(msgspec.Struct, frozen=True):
    """The entry is durable; None if there was nothing to add."""

    entry: Entry | None


class Repeated(msgspec.Struct, frozen=True):
    """This command was carried out before: these are the numbers of the events that it led to then."""

    first: int
    last: int


class Conflict(msgspec.Struct, frozen=True):
    """The chain stands elsewhere: somebody else was quicker."""

    sequence: int


class Outdated(msgspec.Struct, frozen=True):
    """The record that it was decided by has changed: nothing was added."""


class Head(msgspec.Struct, frozen=True):
    """Where the store says that a chain ends."""

    sequence: int
    hash: str


Result = Appended | Repeated | Conflict | Outdated


class Journal(Database):
    """The chains of a house and of its tables; with their checkpoints, secrets and small records."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.first_schema = False
        """Whether the store is still in the schema of the first releases, and only read."""

    @classmethod
    def existing(cls, url: str) -> "Journal":
        """A journal that is there already, opened to be read as it is: nothing is made, and nothing upgraded."""
        journal = cls(url)
        try:
            revision = journal.revision()
            if revision is None:
                raise JournalError(f"There is no journal at {journal.address}.")
        except JournalError:
            journal.close()
            raise
        journal.first_schema = revision == _FIRST_SCHEMA
        return journal

    # Writing chains

    def append(self, batch: Sequence[Append]) -> list[Result]:
        """Add to several chains in one commit. Each is added, or told why not, by itself."""
        with self.transaction() as connection:
            for name in sorted({each.table for each in batch if not each.expected}):
                self.lock(connection, f"chain {name}")  # two may begin the same chain at once
            known, heads = self._known(connection, batch), self._heads(connection, batch)
            fresh = {each.table for each in batch if not each.expected and each.table not in heads}
            outdated = broken(connection, (each.proviso for each in batch), sqlite=self.sqlite)
            results: list[Result] = []
            for number, each in enumerate(batch):
                sequence, before = heads.get(each.table, (0, START))
                first = known.get((each.table, each.key))
                if first is not None:
                    results.append(first)
                elif outdated[number]:
                    results.append(Outdated())
                elif sequence != each.expected:
                    results.append(Conflict(sequence))
                elif not each.events:
                    results.append(Appended(None))
                else:
                    entry = _entry(each, sequence, before)
                    results.append(Appended(entry))
                    heads[each.table] = (entry.sequence, entry.hash)
                    known[each.table, each.key] = Repeated(entry.first, entry.sequence)
            added = [each.entry for each in results if isinstance(each, Appended) and each.entry is not None]
            self._write(connection, added, heads, fresh)
        return results

    def note(self, given: Append) -> None:
        """Add to the end of a chain, wherever that is."""
        with self.transaction() as connection:
            self._note(connection, given)

    def _note(self, connection: Connection, given: Append) -> None:
        self.lock(connection, f"chain {given.table}")
        heads = self._heads(connection, [given])
        fresh = {given.table} - set(heads)
        entry = _entry(given, *heads.get(given.table, (0, START)))
        heads[given.table] = (entry.sequence, entry.hash)
        self._write(connection, [entry], heads, fresh)

    def _known(self, connection: Connection, batch: Sequence[Append]) -> dict[tuple[str, str], Repeated]:
        """Which of these commands were carried out before, and what they led to then."""
        named = [(each.table, each.key) for each in batch if each.expected]
        if not named:
            return {}
        if self.sqlite:
            found = connection.execute(_KNOWN.where(tuple_(entries.c.table, entries.c.key).in_(named)))
        else:
            found = connection.execute(_KNOWN_ALL, {"table": [t for t, _ in named], "key": [key for _, key in named]})
        known: dict[tuple[str, str], Repeated] = {}
        for table, key, last, form, body in found:
            made = Repeated(last - len(_lines(form, body)) + 1, last)
            other = known.get((table, key), made)  # of form 1 there may be several
            known[table, key] = Repeated(min(made.first, other.first), max(made.last, other.last))
        return known

    def _heads(self, connection: Connection, batch: Sequence[Append]) -> dict[str, tuple[int, str]]:
        """Where the chains stand, held for this transaction; in one order, so that two writers never wait in a ring."""
        names = sorted({each.table for each in batch})
        if self.sqlite:
            found = connection.execute(_HEADS.where(tables.c.id.in_(names)))
        else:
            found = connection.execute(_HEADS_ALL, {"names": names})
        return {name: (sequence, head) for name, sequence, head in found}

    def _write(
        self, connection: Connection, added: Sequence[Entry], heads: dict[str, tuple[int, str]], fresh: set[str]
    ) -> None:
        if not added:
            return
        changed = dict.fromkeys(entry.table for entry in added)
        new = [{"id": name, "sequence": heads[name][0], "hash": heads[name][1]} for name in changed if name in fresh]
        old = [{"of": name, "to": heads[name][0], "head": heads[name][1]} for name in changed if name not in fresh]
        if new:
            connection.execute(insert(tables), new)
        if old:
            self._execute(connection, _MOVE, _MOVE_ALL, old)
        self._execute(connection, _ADD, _ADD_ALL, [_row(each) for each in added])
        if not self.sqlite:
            notify(connection, {entry.table: entry.sequence for entry in added})

    def _execute(self, connection: Connection, each: str, whole: Executable, rows: list[dict[str, Any]]) -> None:
        """Write rows one by one, or on PostgreSQL all at once as arrays."""
        if self.sqlite:
            connection.exec_driver_sql(each, rows)
        else:
            connection.execute(whole, {name: [row[name] for row in rows] for name in rows[0]})

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
            return [_read(row) for row in connection.execute(asked.order_by(entries.c.sequence).limit(limit))]

    def read(self, table: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """The events of a chain above a number, in order."""
        return events_of(self.entries(table, after, limit), after)[:limit]

    def made_by(self, table: str, key: str) -> list[StoredEvent]:
        """The events that a command led to, if it was carried out."""
        asked = self._asked.where(entries.c.table == table, entries.c.key == key).order_by(entries.c.sequence)
        with self.transaction(reading=True) as connection:
            return events_of([_read(row) for row in connection.execute(asked)])

    @property
    def _asked(self) -> Select[Any]:
        return _ENTRIES_OF_FIRST_SCHEMA if self.first_schema else _ENTRIES

    # Checkpoints

    def checkpoint(self, given: Checkpoint) -> None:
        """Keep a signed head."""
        with self.transaction() as connection:
            connection.execute(insert(checkpoints).values(msgspec.structs.asdict(given)))

    def checkpoints(self, table: str) -> list[Checkpoint]:
        """The signed heads of a table, oldest first."""
        asked = select(checkpoints).where(checkpoints.c.table == table).order_by(checkpoints.c.sequence)
        with self.transaction(reading=True) as connection:
            return [Checkpoint(**row._mapping) for row in connection.execute(asked)]

    # Secrets

    def keep_secret(self, table: str, name: str, value: bytes) -> None:
        """Keep what must not be told yet, under a name that is free. It is durable when this returns."""
        with self.transaction() as connection:
            connection.execute(insert(secrets).values(table=table, name=name, value=value))

    def secret_or(self, table: str, name: str, value: bytes) -> bytes:
        """The secret of this name; if there is none, this value is kept. All processes get the same one."""
        with self.transaction() as connection:
            connection.execute(_KEEP, {"table": table, "name": name, "value": value})
            kept = select(secrets.c.value).where(secrets.c.table == table, secrets.c.name == name)
            return bytes(connection.execute(kept).scalar_one())

    def secret(self, table: str, name: str) -> bytes | None:
        """A secret of a table."""
        asked = select(secrets.c.value).where(secrets.c.table == table, secrets.c.name == name)
        with self.transaction(reading=True) as connection:
            found = connection.execute(asked).first()
        return None if found is None else bytes(found.value)

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
        where = (records.c.kind == kind) & (records.c.name == name)
        with self.transaction() as connection:
            self.lock(connection, f"{kind} {name}")
            found = connection.execute(select(records.c.body).where(where)).first()
            if (None if found is None else found.body) != before:
                return False
            if after is None:
                connection.execute(records.delete().where(where))
            elif before is None:
                connection.execute(insert(records).values(kind=kind, name=name, body=after))
            else:
                connection.execute(update(records).where(where).values(body=after))
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


def _entry(given: Append, sequence: int, before: str) -> Entry:
    return next_entry(
        given.table, sequence, before, given.at, given.who, given.key, given.events, given.command, given.engine
    )


def _row(entry: Entry) -> dict[str, Any]:
    """An entry as it is written: its events are the lines of one column."""
    return {
        "table": entry.table,
        "sequence": entry.sequence,
        "at": entry.at,
        "who": entry.who,
        "key": entry.key,
        "body": b"\n".join(entry.events),
        "before": entry.before,
        "hash": entry.hash,
        "form": entry.form,
        "engine": entry.engine,
        "command": entry.command,
    }


def _read(row: Row[Any]) -> Entry:
    """An entry as it was written. SQLite keeps values of any type where somebody put them: they are not trusted."""
    form = row.form if isinstance(row.form, int) else 0
    return Entry(
        row.table,
        row.sequence if isinstance(row.sequence, int) else 0,
        row.at,
        row.who,
        row.key,
        _lines(form, row.body),
        row.before,
        row.hash,
        form,
        row.engine,
        None if row.command is None else _bytes(row.command),
    )


def _lines(form: int, body: object) -> tuple[bytes, ...]:
    """The events in one column; an entry of form 1 has one, whatever it holds."""
    return (_bytes(body),) if form == 1 else tuple(_bytes(body).split(b"\n"))


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
