"""The store: chains on SQLite or PostgreSQL, one code path. An append returns only when it is durable."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    bindparam,
    create_engine,
    event,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from punto.journal.chain import START, Entry, linked
from punto.journal.schema import checkpoints, entries, records, secrets, tables
from punto.journal.signing import Checkpoint

_MOVE = update(tables).where(tables.c.id == bindparam("of")).values(sequence=bindparam("to"), hash=bindparam("head"))
_ADD = insert(entries)
_KNOWN = select(entries.c.table, entries.c.key, func.min(entries.c.sequence), func.max(entries.c.sequence))
_KNOWN = _KNOWN.group_by(entries.c.table, entries.c.key)
_HEADS = select(tables.c.id, tables.c.sequence, tables.c.hash).order_by(tables.c.id).with_for_update()
_PUT = text("""
    INSERT INTO records (kind, name, body) VALUES (:kind, :name, :body)
    ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body
""")

# The same for PostgreSQL, which takes all rows as arrays: one statement, whatever their number.
_ADD_ALL = text("""
    INSERT INTO entries ("table", sequence, at, who, key, body, before, hash)
    SELECT * FROM unnest(CAST(:table AS text[]), CAST(:sequence AS bigint[]), CAST(:at AS text[]), CAST(:who AS text[]),
        CAST(:key AS text[]), CAST(:body AS bytea[]), CAST(:before AS text[]), CAST(:hash AS text[]))
""")
_MOVE_ALL = text("""
    UPDATE tables SET sequence = now.sequence, hash = now.hash
    FROM unnest(CAST(:of AS text[]), CAST(:to AS bigint[]), CAST(:head AS text[])) AS now (id, sequence, hash)
    WHERE tables.id = now.id
""")
_KNOWN_ALL = text("""
    SELECT entries."table", entries.key, min(entries.sequence), max(entries.sequence)
    FROM unnest(CAST(:table AS text[]), CAST(:key AS text[])) AS asked ("table", key)
    JOIN entries ON entries."table" = asked."table" AND entries.key = asked.key
    GROUP BY entries."table", entries.key
""")
_HEADS_ALL = text("SELECT id, sequence, hash FROM tables WHERE id = ANY(:names) ORDER BY id FOR UPDATE")
_TELL_ALL = text("SELECT pg_notify(:channel, said) FROM unnest(CAST(:said AS text[])) AS said")

CHANNEL = "punto"
"""Where PostgreSQL tells other processes that tables have gone on, and how far."""

_MOST_TOLD = 7000
"""PostgreSQL takes less than 8,000 bytes at a time."""

HOUSE = "house"
"""The chain of the house itself, beside those of its tables: who did what with its accounts."""


class JournalError(ValueError):
    """The store cannot be used. The message is a sentence."""


class Append(msgspec.Struct, frozen=True):
    """Bodies to be added to a table's chain, if it stands where the sender thinks it does."""

    table: str
    expected: int
    key: str
    who: str
    at: str
    bodies: tuple[bytes, ...]


class Appended(msgspec.Struct, frozen=True):
    """They are durable."""

    entries: tuple[Entry, ...]


class Repeated(msgspec.Struct, frozen=True):
    """This command was carried out before: these are the entries that it made then."""

    first: int
    last: int


class Conflict(msgspec.Struct, frozen=True):
    """The chain stands elsewhere: somebody else was quicker."""

    sequence: int


Result = Appended | Repeated | Conflict


class Journal:
    """A store, opened by its URL: `sqlite:///file.db` or `postgresql+psycopg://…`."""

    def __init__(self, url: str) -> None:
        try:
            made = make_url(url)
        except (SQLAlchemyError, ValueError):  # what was given may hold a password, and is not repeated
            raise JournalError("This is not the address of a database, like sqlite:///punto.db.") from None
        if made.drivername == "postgresql":
            made = made.set(drivername="postgresql+psycopg")
        if made.drivername not in ("sqlite", "postgresql+psycopg"):
            raise JournalError("The store is SQLite or PostgreSQL: sqlite:///punto.db, or postgresql://host/name.")
        self.sqlite = made.drivername == "sqlite"
        self.url = made
        self.engine: Engine = create_engine(made, pool_pre_ping=not self.sqlite)
        if self.sqlite:
            event.listen(self.engine, "connect", _durable)
            event.listen(self.engine, "begin", _at_once)
        else:
            event.listen(self.engine, "connect", _written)

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    def upgrade(self) -> None:
        """Bring the store to the newest form; make it if there is none."""
        if self.sqlite and self.url.database not in (None, "", ":memory:"):
            _owner_only(Path(str(self.url.database)))
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._connected() as connection:
            self._alone(connection, "upgrade")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def _connected(self, *, reading: bool = False) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                connection.execution_options(reading=reading)
                with connection.begin():
                    yield connection
        except DBAPIError as error:
            raise JournalError(f"The store did not answer: {str(error.orig).strip().splitlines()[0]}.") from error

    # Writing

    def append(self, batch: Sequence[Append]) -> list[Result]:
        """Add to several chains in one commit. Each is added, found repeated, or in conflict, by itself."""
        with self._connected() as connection:
            for name in sorted({each.table for each in batch if not each.expected}):
                self._alone(connection, f"chain {name}")  # two may begin the same chain at once
            known, heads = self._known(connection, batch), self._heads(connection, batch)
            fresh = {each.table for each in batch if not each.expected and each.table not in heads}
            results: list[Result] = []
            for each in batch:
                sequence, before = heads.get(each.table, (0, START))
                first = known.get((each.table, each.key))
                if first is not None:
                    results.append(first)
                elif sequence != each.expected:
                    results.append(Conflict(sequence))
                else:
                    chain = linked(each.table, sequence, before, each.at, each.who, each.key, each.bodies)
                    added = tuple(chain)
                    results.append(Appended(added))
                    if added:
                        heads[each.table] = (added[-1].sequence, added[-1].hash)
                        known[each.table, each.key] = Repeated(added[0].sequence, added[-1].sequence)
            self._write(connection, results, heads, fresh)
        return results

    def _known(self, connection: Connection, batch: Sequence[Append]) -> dict[tuple[str, str], Repeated]:
        """Which of these commands were carried out before, and what they made then."""
        named = [(each.table, each.key) for each in batch if each.expected]
        if not named:
            return {}
        if self.sqlite:
            found = connection.execute(_KNOWN.where(tuple_(entries.c.table, entries.c.key).in_(named)))
        else:
            found = connection.execute(_KNOWN_ALL, {"table": [t for t, _ in named], "key": [key for _, key in named]})
        return {(table, key): Repeated(first, last) for table, key, first, last in found}

    def _heads(self, connection: Connection, batch: Sequence[Append]) -> dict[str, tuple[int, str]]:
        """Where the chains stand, held for this transaction; in one order, so that two writers never wait in a ring."""
        names = sorted({each.table for each in batch})
        if self.sqlite:
            found = connection.execute(_HEADS.where(tables.c.id.in_(names)))
        else:
            found = connection.execute(_HEADS_ALL, {"names": names})
        return {name: (sequence, head) for name, sequence, head in found}

    def _write(
        self, connection: Connection, results: Sequence[Result], heads: dict[str, tuple[int, str]], fresh: set[str]
    ) -> None:
        added = [entry for result in results if isinstance(result, Appended) for entry in result.entries]
        if not added:
            return
        changed = dict.fromkeys(entry.table for entry in added)
        new = [{"id": name, "sequence": heads[name][0], "hash": heads[name][1]} for name in changed if name in fresh]
        old = [{"of": name, "to": heads[name][0], "head": heads[name][1]} for name in changed if name not in fresh]
        if new:
            connection.execute(insert(tables), new)
        if old:
            self._execute(connection, _MOVE, _MOVE_ALL, old)
        self._execute(connection, _ADD, _ADD_ALL, [msgspec.structs.asdict(each) for each in added])
        if not self.sqlite:
            self._notify(connection, {entry.table: entry.sequence for entry in added})

    def _execute(self, connection: Connection, each: Executable, whole: Executable, rows: list[dict[str, Any]]) -> None:
        """Write rows one by one, or on PostgreSQL all at once as arrays."""
        if self.sqlite:
            connection.execute(each, rows)
        else:
            connection.execute(whole, {name: [row[name] for row in rows] for name in rows[0]})

    def _notify(self, connection: Connection, reached: dict[str, int]) -> None:
        """The numbers only: what happened is read from the store."""
        connection.execute(_TELL_ALL, {"channel": CHANNEL, "said": told_of(reached)})

    def checkpoint(self, given: Checkpoint) -> None:
        """Keep a signed head."""
        with self._connected() as connection:
            connection.execute(insert(checkpoints).values(msgspec.structs.asdict(given)))

    def keep_secret(self, table: str, name: str, value: bytes) -> None:
        """Keep what must not be said yet. It is durable when this returns."""
        with self._connected() as connection:
            connection.execute(insert(secrets).values(table=table, name=name, value=value))

    def add_record(self, kind: str, name: str, body: str) -> bool:
        """Keep a small record under a name that was free; False if it was not."""
        asked = select(records.c.name).where(records.c.kind == kind, records.c.name == name)
        with self._connected() as connection:
            if not self.sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": f"{kind} {name}"})
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
        with self._connected() as connection:
            self._alone(connection, f"{kind} {name}")
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

    def note(self, given: Append) -> None:
        """Add to the end of a chain, wherever that is."""
        with self._connected() as connection:
            self._note(connection, given)

    def _note(self, connection: Connection, given: Append) -> None:
        self._alone(connection, f"chain {given.table}")
        heads = self._heads(connection, [given])
        fresh = {given.table} - set(heads)
        sequence, before = heads.get(given.table, (0, START))
        added = tuple(linked(given.table, sequence, before, given.at, given.who, given.key, given.bodies))
        heads[given.table] = (added[-1].sequence, added[-1].hash)
        self._write(connection, [Appended(added)], heads, fresh)

    def _alone(self, connection: Connection, what: str) -> None:
        """Nobody else does the same until this transaction ends; on SQLite nobody else writes at all."""
        if not self.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:what))"), {"what": what})

    def put_record(self, kind: str, name: str, body: str) -> None:
        """Keep a small record under a name, in the place of what was there."""
        with self._connected() as connection:
            self._alone(connection, f"{kind} {name}")
            where = (records.c.kind == kind) & (records.c.name == name)
            if connection.execute(update(records).where(where).values(body=body)).rowcount == 0:
                connection.execute(insert(records).values(kind=kind, name=name, body=body))

    def put_records(self, kind: str, names: Sequence[str], body: str) -> None:
        """Keep the same small record under each of these names, in one commit."""
        if names:
            with self._connected() as connection:
                rows = [{"kind": kind, "name": name, "body": body} for name in sorted(names)]
                connection.execute(_PUT, rows)

    # Reading

    def tables(self) -> dict[str, int]:
        """Every table and how many entries it has."""
        with self._connected(reading=True) as connection:
            return {row.id: row.sequence for row in connection.execute(select(tables.c.id, tables.c.sequence))}

    def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The entries of a table after a number, in order."""
        asked = select(entries).where(entries.c.table == table, entries.c.sequence > after)
        asked = asked.order_by(entries.c.sequence).limit(limit)
        with self._connected(reading=True) as connection:
            return [Entry(**row._mapping) for row in connection.execute(asked)]

    def made_by(self, table: str, key: str) -> list[Entry]:
        """The entries that a command made, if it was carried out."""
        asked = select(entries).where(entries.c.table == table, entries.c.key == key).order_by(entries.c.sequence)
        with self._connected(reading=True) as connection:
            return [Entry(**row._mapping) for row in connection.execute(asked)]

    def checkpoints(self, table: str) -> list[Checkpoint]:
        """The signed heads of a table, oldest first."""
        asked = select(checkpoints).where(checkpoints.c.table == table).order_by(checkpoints.c.sequence)
        with self._connected(reading=True) as connection:
            return [Checkpoint(**row._mapping) for row in connection.execute(asked)]

    def secret(self, table: str, name: str) -> bytes | None:
        """A secret of a table."""
        asked = select(secrets.c.value).where(secrets.c.table == table, secrets.c.name == name)
        with self._connected(reading=True) as connection:
            found = connection.execute(asked).first()
        return None if found is None else bytes(found.value)

    def record(self, kind: str, name: str) -> str | None:
        """A record by its kind and name."""
        asked = select(records.c.body).where(records.c.kind == kind, records.c.name == name)
        with self._connected(reading=True) as connection:
            found = connection.execute(asked).first()
        return None if found is None else str(found.body)

    def records(self, kind: str, names: Sequence[str] | None = None) -> dict[str, str]:
        """The records of a kind by name: all of them, or those with these names."""
        asked = select(records.c.name, records.c.body).where(records.c.kind == kind)
        if names is not None:
            if not names:
                return {}
            asked = asked.where(records.c.name.in_(names))
        with self._connected(reading=True) as connection:
            return {row.name: row.body for row in connection.execute(asked)}

    def drop_record(self, kind: str, name: str) -> None:
        """Forget a record."""
        with self._connected() as connection:
            connection.execute(records.delete().where(records.c.kind == kind, records.c.name == name))


def told_of(reached: Mapping[str, int]) -> list[str]:
    """How far tables have gone, as it is told: as few messages as will do.

    >>> told_of({"t1": 7, "t2": 12})
    ['t1 7,t2 12']
    """
    messages: list[list[str]] = [[]]
    size = 0
    for table, sequence in reached.items():
        said = f"{table} {sequence}"
        size += len(said) + 1
        if size > _MOST_TOLD:
            messages.append([])
            size = len(said) + 1
        messages[-1].append(said)
    return [",".join(each) for each in messages if each]


def reached_in(message: str) -> dict[str, int]:
    """What such a message says.

    >>> reached_in("t1 7,t2 12")
    {'t1': 7, 't2': 12}
    """
    return {table: int(sequence) for table, sequence in (each.split(" ") for each in message.split(","))}


def _owner_only(database: Path) -> None:
    """Nobody but its owner reads or writes the database and the files that SQLite keeps beside it."""
    try:
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite gives its own files the mode of this one
        for file in (database, Path(f"{database}-wal"), Path(f"{database}-shm")):
            if file.exists():
                file.chmod(0o600)
    except OSError as error:
        raise JournalError(f"The store did not answer: {database}: {error.strerror}.") from None


def _durable(connection: object, _: object) -> None:
    """Every commit reaches the disk; readers and the writer do not wait for each other."""
    connection.isolation_level = None  # type: ignore[attr-defined] # transactions are begun below, not by the driver
    cursor = connection.cursor()  # type: ignore[attr-defined] # a sqlite3 connection
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _written(connection: object, _: object) -> None:
    """A commit is answered when it is written, whatever the server's usual way is."""
    with connection.cursor() as cursor:  # type: ignore[attr-defined] # a psycopg connection
        cursor.execute("SET synchronous_commit = on")
    connection.commit()  # type: ignore[attr-defined] # a psycopg connection


def _at_once(connection: Connection) -> None:
    """A writer takes its place when it begins, so that two never think that they are first; readers never wait."""
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
