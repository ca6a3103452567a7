"""The database behind a journal: SQLite or PostgreSQL, its connections, transactions and schema."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DataError, DBAPIError, InterfaceError, InternalError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from punto.journal.errors import JournalError, Unavailable, Unfit
from punto.journal.schema import REVISIONS

STATEMENT_SECONDS = 10
"""How long PostgreSQL works on one statement at most."""

IDLE_SECONDS = 3
"""After so long PostgreSQL ends a transaction that is not gone on with: a stopped process keeps no lock for longer."""

_KEEPALIVE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Settings of libpq by which a connection whose other end is gone is found broken within about ten seconds."""


_UPGRADE_SECONDS = 600
"""Seconds that may pass between two statements of an upgrade: what it needs is read meanwhile, perhaps slowly."""


class Database:
    """A database, opened by its URL: `sqlite:///file.db` or `postgresql://host/name`.

    `limited` is whether PostgreSQL ends what takes too long; whoever goes through a whole journal is not. With
    `read_only` nothing is written, not even a setting of the file or a file beside it.
    """

    def __init__(self, url: str, *, limited: bool = True, read_only: bool = False) -> None:
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
        self.process = f"punto-{secrets.token_hex(8)}"
        """By this name PostgreSQL knows the connections of this process."""
        self.limited = limited
        options: dict[str, Any] = {}
        if not self.sqlite:
            options = {"connect_args": self.connection_options, "pool_pre_ping": True}
            if read_only:
                options["execution_options"] = {"postgresql_readonly": True}
        unwritten = read_only and self.file is not None
        self.engine: Engine = create_engine(_unwritten(made, self.file) if unwritten else made, **options)
        if self.sqlite:
            event.listen(self.engine, "connect", _set_up_reading if unwritten else _set_up_sqlite)
            event.listen(self.engine, "begin", _begin_on_sqlite)
        else:
            event.listen(self.engine, "connect", _set_up_postgresql)
        self._closed = False
        event.listen(self.engine, "checkin", self._close_late)

    @property
    def address(self) -> str:
        """The URL without its password, for logs and messages."""
        return self.url.render_as_string(hide_password=True)

    @property
    def libpq_url(self) -> str:
        """The URL of a PostgreSQL database as psycopg itself takes it, password included."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

    @property
    def connection_options(self) -> dict[str, Any]:
        """How this process connects to PostgreSQL: under its name, and so that nothing is waited for without end."""
        limits = {"statement_timeout": STATEMENT_SECONDS, "idle_in_transaction_session_timeout": IDLE_SECONDS}
        given = " ".join(f"-c {name}={1000 * seconds}" for name, seconds in limits.items()) if self.limited else ""
        options = f"{self.url.query.get('options', '')} {given}".strip()
        named = {"application_name": self.process, "client_encoding": "UTF8"}  # also where the server has no encoding
        return {**_KEEPALIVE, **named, **({"options": options} if options else {})}

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for one in memory, and for PostgreSQL."""
        name = self.url.database if self.sqlite else None
        return None if name in (None, "", ":memory:") else Path(str(name))

    def close(self) -> None:
        """Close all connections; one that a thread still uses is closed when that thread gives it back."""
        self._closed = True
        self.engine.dispose()

    def _close_late(self, _: object, record: ConnectionPoolEntry) -> None:
        if self._closed:
            record.invalidate()

    def upgrade(self) -> None:
        """Bring the schema to the newest revision; create it in an empty database."""
        if self.file is not None:
            _restrict_to_owner(self.file)
        with self.transaction() as connection:
            if not self.sqlite:
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                connection.execute(text(f"SET LOCAL idle_in_transaction_session_timeout = {1000 * _UPGRADE_SECONDS}"))
            self.lock(connection, "upgrade")
            if _known_revision(connection) != REVISIONS[-1]:
                from punto.journal.upgrading import upgrade  # what it needs takes longer to read than most starts need

                upgrade(connection)

    def revision(self) -> str | None:
        """The revision of the schema as it is now; None if there is no journal in this database.

        One of a later release is a `JournalError`.
        """
        if self.file is not None and not self.file.is_file():
            return None
        with self.transaction(reading=True) as connection:
            return _known_revision(connection)

    @contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[Connection]:
        """A connection in a transaction of its own, durable at the end; `reading` never waits for a writer."""
        try:
            with self.engine.connect() as connection:
                connection.execution_options(reading=reading)
                with connection.begin():
                    yield connection
        except DBAPIError as error:
            raise _as_journal_error(error) from error
        except PoolTimeout as error:
            raise Unavailable("The store did not answer: all connections to it are in use.") from error
        except UnicodeError as error:
            raise Unfit("The store cannot keep this text.") from error

    def lock(self, connection: Connection, name: str) -> None:
        """Nobody else holds the lock of this name until the transaction ends; SQLite has one writer anyway."""
        if not self.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": name})


def _unwritten(url: URL, file: Path | None) -> URL:
    """The address of an SQLite file by which SQLite writes nothing.

    Where there is nothing in a log beside the file, it is taken as one that does not change: SQLite would make the log
    to read it, or set the mode of an empty one.
    """
    logs = (Path(f"{file}{end}") for end in ("-wal", "-journal"))
    in_use = any(log.exists() and log.stat().st_size for log in logs)
    how = {"mode": "ro"} if in_use else {"mode": "ro", "immutable": "1"}
    return url.set(database=f"file:{quote(str(file))}", query={**how, "uri": "true"})


def _known_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if found is not None and found not in REVISIONS:
        raise JournalError("This journal was written by a later release of Punto: install that one.")
    return found


def _as_journal_error(error: DBAPIError) -> JournalError:
    if isinstance(error, DataError):
        return Unfit("The store cannot keep this.")
    kind = Unavailable if isinstance(error, OperationalError | InterfaceError | InternalError) else JournalError
    return kind(f"The store did not answer: {str(error.orig).strip().splitlines()[0]}.")


_SQLITE = b"SQLite format 3\0"
"""With this an SQLite file begins, once anything is in it."""


def _restrict_to_owner(database: Path) -> None:
    """Nobody but its owner reads or writes the database and the files that lie beside it.

    The mode of a file that is no database, named by mistake, stays as it is.
    """
    try:
        with os.fdopen(os.open(database, os.O_RDWR | os.O_CREAT, 0o600), "rb") as opened:
            begins = opened.read(len(_SQLITE))
        if begins not in (b"", _SQLITE):
            return
        # SQLite gives its own files the mode of this one.
        for file in (database, *(Path(f"{database}{end}") for end in ("-wal", "-shm", "-journal", ".lease"))):
            if file.exists():
                file.chmod(0o600)
    except OSError as error:
        raise Unavailable(f"The store did not answer: {database}: {error.strerror}.") from None


def _set_up_sqlite(connection: object, _: object) -> None:
    """Every commit reaches the disk; readers and the writer do not wait for each other."""
    connection.isolation_level = None  # type: ignore[attr-defined] # `_begin_on_sqlite` begins transactions
    cursor = connection.cursor()  # type: ignore[attr-defined] # a sqlite3 connection
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _set_up_reading(connection: object, _: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined] # as above
    connection.execute("PRAGMA busy_timeout=5000")  # type: ignore[attr-defined] # a sqlite3 connection


def _set_up_postgresql(connection: object, _: object) -> None:
    """A commit is answered when it is on disk, whatever the server's default is."""
    with connection.cursor() as cursor:  # type: ignore[attr-defined] # a psycopg connection
        cursor.execute("SET synchronous_commit = on")
    connection.commit()  # type: ignore[attr-defined] # a psycopg connection


def _begin_on_sqlite(connection: Connection) -> None:
    """A writer locks the database when it begins, so that two never read the same head; readers never wait."""
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
