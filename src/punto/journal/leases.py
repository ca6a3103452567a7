"""Leases: one process at a time runs a table.

On PostgreSQL a process holds its leases until a time, by the clock of the database, and moves that time on while it
lives. One that is stopped, hung or cut off for longer loses all of them, one that is gone without a connection left
sooner. With every take-over the fencing number of a table grows, and what an earlier holder appends to it is refused.
Beside an SQLite database, which one process uses, the lease is a locked file for all tables. A row says whether the
last holder let a table go in good order, so that whoever takes it next knows whether a running round was interrupted.
"""

import fcntl
import os
import secrets
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import psycopg
from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, text, update

from punto.journal.errors import Unavailable
from punto.journal.schema import holders, leases
from punto.journal.store import Journal

Left = Literal["held", "released"]
HELD: Left = "held"
RELEASED: Left = "released"

TERM = 7.0
"""Seconds for which a process holds its leases after it has last said so."""

GONE = 3.0
"""Seconds after which a process that has no connection to the database any more has lost them."""

_UNTIL = "clock_timestamp() + make_interval(secs => :term)"
_REGISTER = text(f"INSERT INTO holders (id, expires) VALUES (:me, {_UNTIL}) ON CONFLICT (id) DO NOTHING")
_RENEW = "UPDATE holders SET expires = clock_timestamp() + make_interval(secs => %s) WHERE id = %s"
_CONNECTED = "EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = split_part(holders.id, '.', 1))"
_END = text(f"""
    DELETE FROM holders WHERE id IN (
        SELECT id FROM holders
        WHERE id <> :me AND expires < clock_timestamp() + make_interval(secs => :ahead)
            AND (expires < clock_timestamp() OR NOT {_CONNECTED})
        FOR UPDATE SKIP LOCKED)
""")
_DYING = text(f"""
    SELECT EXISTS (
        SELECT 1 FROM holders JOIN leases ON leases.holder = holders.id
        WHERE id <> :me AND NOT released AND expires > clock_timestamp() AND NOT {_CONNECTED})
""")


class Lease(msgspec.Struct, frozen=True):
    """The right to run a table, held by this process.

    `left` is how the lease was found: `released` by its last holder, `held` by one who did not let it go, or None if
    nobody ever had it. `fence` is the number of the take-over: what is appended with an earlier one is refused.
    """

    table: str
    left: Left | None
    fence: int = 1


class Leases:
    """The leases of this process.

    Every method waits for the store: call it from a thread.
    """

    def __init__(self, journal: Journal, term: float = TERM) -> None:
        self._journal, self._term = journal, term
        self._held: dict[str, Lease] = {}
        self._me = self._name()
        self._registered = False
        self._connection: psycopg.Connection[Any] | None = None
        """Used for renewing alone. While that is under way it is not here, so that a second try makes its own."""
        self._file: int | None = None
        self._over = False
        self._lock = threading.Lock()

    def take(self, table: str) -> Lease | None:
        """Take a table's lease; None if another process has it. One that is held already is returned as it was."""
        return self.take_all([table]).get(table)

    def take_all(self, tables: Sequence[str]) -> dict[str, Lease]:
        """Take the leases of these tables, as far as no other process has them; with those that are held already."""
        with self._lock:
            wanted = [table for table in tables if table not in self._held]
            if self._over or (self._journal.sqlite and not self._take_file()):
                return {}
            if wanted:
                with self._journal.transaction() as connection:
                    made = self._take(connection, wanted)
                self._registered = True
                self._held |= {lease.table: lease for lease in made}
            return {table: self._held[table] for table in tables if table in self._held}

    def renew(self) -> bool:
        """Hold all leases for another term; False if they were lost. A second try need not wait for a first."""
        if self._journal.sqlite or not self._registered or self._over:
            return True
        me = self._me
        if self._renewed(me):
            return True
        with self._lock:
            if self._me == me:
                self._me, self._registered = self._name(), False
                self._held.clear()
        return False

    def forget(self, table: str) -> None:
        """Another process has taken this table: it is not held any more."""
        with self._lock:
            self._held.pop(table, None)

    def dying(self) -> bool:
        """Whether there is a process that still holds leases, and has no connection to the database any more.

        There is none a term later at the latest: its leases are over then, whether anybody wants them or not.
        """
        if self._journal.sqlite:
            return False
        with self._journal.transaction(reading=True) as connection:
            return bool(connection.execute(_DYING, {"me": self._me}).scalar())

    def release(self) -> None:
        """Let every table go in good order, and take none any more."""
        try:
            with self._lock, self._journal.transaction() as connection:
                mine = select(leases.c.table).where(leases.c.holder == self._me).order_by(leases.c.table)
                held = list(connection.execute(mine.with_for_update()).scalars())
                connection.execute(update(leases).where(leases.c.table.in_(held)).values(released=True))
                connection.execute(delete(holders).where(holders.c.id == self._me))
        finally:
            self.close()

    def close(self) -> None:
        """Drop every lease without a word, as when the process dies, and take none any more."""
        with self._lock:
            self._over = True
            self._held.clear()
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _name(self) -> str:
        return f"{self._journal.process}.{secrets.token_hex(4)}"

    def _take(self, connection: Connection, wanted: Sequence[str]) -> list[Lease]:
        """Take what is free of these, in a transaction."""
        free: ColumnElement[bool] = leases.c.table.in_(wanted)
        if not self._journal.sqlite:
            self._end_others(connection)
            alive = select(holders.c.id).where(holders.c.id == leases.c.holder)
            free &= leases.c.released | (leases.c.holder == self._me) | ~alive.exists()
        asked = select(leases).where(free).order_by(leases.c.table).with_for_update(of=leases, skip_locked=True)
        found = [self._lease(row) for row in connection.execute(asked)]
        for left in (HELD, RELEASED, None):
            taken = [each.table for each in found if each.left == left]
            if taken:
                own = leases.c.table.in_(taken) & (leases.c.holder != self._me)
                values = {"holder": self._me, "fence": leases.c.fence + 1, "released": False, "found": left}
                connection.execute(update(leases).where(own).values(values))
        return found + self._begin(connection, wanted)

    def _lease(self, row: Row[Any]) -> Lease:
        """A lease that is free. One of our own is, where a commit was cut off: it is as it was found then."""
        if row.holder == self._me:
            return Lease(row.table, _left(row.found), row.fence)
        return Lease(row.table, RELEASED if row.released else HELD, row.fence + 1)

    def _begin(self, connection: Connection, wanted: Sequence[str]) -> list[Lease]:
        """Take those of these that nobody ever had a lease of."""
        known = set(connection.execute(select(leases.c.table).where(leases.c.table.in_(wanted))).scalars())
        new = [Lease(table, None) for table in wanted if table not in known]
        if new:
            self._journal.lock(connection, "leases")  # two may begin the same one
            again = select(leases.c.table).where(leases.c.table.in_([lease.table for lease in new]))
            others = set(connection.execute(again).scalars())
            new = [lease for lease in new if lease.table not in others]
        if new:
            rows = [{"table": each.table, "holder": self._me, "fence": each.fence, "released": False} for each in new]
            connection.execute(insert(leases), rows)
        return new

    def _end_others(self, connection: Connection) -> None:
        """Be known as a holder, and end those whose time is over: they cannot hold anything any more."""
        if not self._registered:
            connection.execute(_REGISTER, {"me": self._me, "term": self._term})
        connection.execute(_END, {"me": self._me, "ahead": max(self._term - GONE, 0)})

    def _renewed(self, me: str) -> bool:
        with self._lock:
            connection, self._connection = self._connection, None
        try:
            if connection is None:
                connection = psycopg.connect(
                    self._journal.libpq_url, autocommit=True, **self._journal.connection_options
                )
            found = connection.execute(_RENEW, (self._term, me)).rowcount == 1
        except psycopg.Error as error:
            if connection is not None:
                connection.close()
            raise Unavailable(f"The store did not answer: {str(error).strip()}.") from error
        with self._lock:
            spare, self._connection = (connection, self._connection) if self._over else (self._connection, connection)
        if spare is not None:
            spare.close()
        return found

    def _take_file(self) -> bool:
        database = self._journal.file
        if self._file is not None or database is None:
            return True
        file = os.open(Path(f"{database}.lease"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True


def left_behind(journal: Journal, table: str) -> Left | None:
    """How the last holder of a table's lease left it, or that it is held; None if nobody ever had it."""
    return all_left_behind(journal, [table]).get(table)


def all_left_behind(journal: Journal, tables: Iterable[str] | None = None) -> dict[str, Left]:
    """The same of all tables that anybody ever had the lease of, or of these."""
    asked = select(leases.c.table, leases.c.released)
    if tables is not None:
        asked = asked.where(leases.c.table.in_(list(tables)))
    with journal.transaction(reading=True) as connection:
        return {row.table: RELEASED if row.released else HELD for row in connection.execute(asked)}


def _left(body: str | None) -> Left | None:
    if body is None:
        return None
    return RELEASED if body == RELEASED else HELD


def mark_released(journal: Journal, tables: Sequence[str]) -> None:
    """Say of tables that nobody ever had the lease of that they were let go in good order."""
    rows = [{"table": table, "holder": "", "fence": 1, "released": True} for table in tables]
    with journal.transaction() as connection:
        connection.execute(insert(leases), rows)
