"""The store: chains on SQLite or PostgreSQL, one code path. An append returns only when it is durable."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, bindparam, create_engine, event, func, insert, select, text, tuple_, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from punto.journal.chain import START, Entry, linked
from punto.journal.schema import checkpoints, entries, records, secrets, tables
from punto.journal.signing import Checkpoint

_MOVE = update(tables).where(tables.c.id == bindparam("of")).values(sequence=bindparam("to"), hash=bindparam("head"))
CHANNEL = "punto"
"""Where PostgreSQL tells other processes that a table has gone on: `table sequence`."""

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

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    def upgrade(self) -> None:
        """Bring the store to the newest form; make it if there is none."""
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._connected() as connection:
            self._alone(connection, "upgrade")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            with self.engine.begin() as connection:
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
        asked = select(entries.c.table, entries.c.key, func.min(entries.c.sequence), func.max(entries.c.sequence))
        named = [(each.table, each.key) for each in batch if each.expected]
        if not named:
            return {}
        asked = asked.where(tuple_(entries.c.table, entries.c.key).in_(named)).group_by(entries.c.table, entries.c.key)
        return {(table, key): Repeated(first, last) for table, key, first, last in connection.execute(asked)}

    def _heads(self, connection: Connection, batch: Sequence[Append]) -> dict[str, tuple[int, str]]:
        """Where the chains stand, held for this transaction; in one order, so that two writers never wait in a ring."""
        names = sorted({each.table for each in batch})
        asked = select(tables.c.id, tables.c.sequence, tables.c.hash).where(tables.c.id.in_(names))
        asked = asked.order_by(tables.c.id).with_for_update()
        return {name: (sequence, head) for name, sequence, head in connection.execute(asked)}

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
            connection.execute(_MOVE, old)
        connection.execute(insert(entries), [msgspec.structs.asdict(each) for each in added])
        if not self.sqlite:
            self._notify(connection, {entry.table: entry.sequence for entry in added})

    def _notify(self, connection: Connection, reached: dict[str, int]) -> None:
        """The number only: what happened is read from the store."""
        said = [{"channel": CHANNEL, "said": f"{table} {sequence}"} for table, sequence in reached.items()]
        connection.execute(text("SELECT pg_notify(:channel, :said)"), said)

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
            where = (records.c.kind == kind) & (records.c.name == name)
            if connection.execute(update(records).where(where).values(body=body)).rowcount == 0:
                connection.execute(insert(records).values(kind=kind, name=name, body=body))

    # Reading

    def tables(self) -> dict[str, int]:
        """Every table and how many entries it has."""
        with self._connected() as connection:
            return {row.id: row.sequence for row in connection.execute(select(tables.c.id, tables.c.sequence))}

    def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The entries of a table after a number, in order."""
        asked = select(entries).where(entries.c.table == table, entries.c.sequence > after)
        asked = asked.order_by(entries.c.sequence).limit(limit)
        with self._connected() as connection:
            return [Entry(**row._mapping) for row in connection.execute(asked)]

    def made_by(self, table: str, key: str) -> list[Entry]:
        """The entries that a command made, if it was carried out."""
        asked = select(entries).where(entries.c.table == table, entries.c.key == key).order_by(entries.c.sequence)
        with self._connected() as connection:
            return [Entry(**row._mapping) for row in connection.execute(asked)]

    def checkpoints(self, table: str) -> list[Checkpoint]:
        """The signed heads of a table, oldest first."""
        asked = select(checkpoints).where(checkpoints.c.table == table).order_by(checkpoints.c.sequence)
        with self._connected() as connection:
            return [Checkpoint(**row._mapping) for row in connection.execute(asked)]

    def secret(self, table: str, name: str) -> bytes | None:
        """A secret of a table."""
        asked = select(secrets.c.value).where(secrets.c.table == table, secrets.c.name == name)
        with self._connected() as connection:
            found = connection.execute(asked).first()
        return None if found is None else bytes(found.value)

    def record(self, kind: str, name: str) -> str | None:
        """A record by its kind and name."""
        asked = select(records.c.body).where(records.c.kind == kind, records.c.name == name)
        with self._connected() as connection:
            found = connection.execute(asked).first()
        return None if found is None else str(found.body)

    def records(self, kind: str) -> dict[str, str]:
        """All records of a kind by name."""
        asked = select(records.c.name, records.c.body).where(records.c.kind == kind)
        with self._connected() as connection:
            return {row.name: row.body for row in connection.execute(asked)}

    def drop_record(self, kind: str, name: str) -> None:
        """Forget a record."""
        with self._connected() as connection:
            connection.execute(records.delete().where(records.c.kind == kind, records.c.name == name))


def _durable(connection: object, _: object) -> None:
    """Every commit reaches the disk; readers and the writer do not wait for each other."""
    connection.isolation_level = None  # type: ignore[attr-defined] # transactions are begun below, not by the driver
    cursor = connection.cursor()  # type: ignore[attr-defined] # a sqlite3 connection
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _at_once(connection: Connection) -> None:
    """A writer takes its place when it begins, so that two never think that they are first."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
