"""Leases: one process at a time runs a table. A lease ends with the process that holds it.

On PostgreSQL a lease is an advisory lock of one connection; beside an SQLite database, which one process uses, it is a
locked file for all tables. A record says whether the last holder let a table go in good order, so that whoever takes it
next knows whether a running round was interrupted.
"""

import fcntl
import hashlib
import os
import threading
from pathlib import Path
from typing import Literal

import msgspec
import psycopg

from punto.journal.store import Journal

Left = Literal["held", "released"]
HELD: Left = "held"
RELEASED: Left = "released"
_KIND = "lease"


class Lease(msgspec.Struct, frozen=True):
    """The right to run a table, held by this process.

    `left` is how the lease was found: `released` by its last holder, `held` by one who did not let it go, or None if
    nobody ever had it.
    """

    table: str
    left: Left | None


class Leases:
    """The leases of this process.

    Every method waits for the store: call it from a thread.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._held: dict[str, Lease] = {}
        self._connection: psycopg.Connection[tuple[bool]] | None = None
        self._file: int | None = None
        self._over = False
        self._lock = threading.Lock()

    def take(self, table: str) -> Lease | None:
        """Take a table's lease; None if another process has it. One that is held already is returned as it was."""
        with self._lock:
            if self._over:
                return None
            if table in self._held and self._alive():
                return self._held[table]
            if not (self._take_file() if self._journal.sqlite else self._take_advisory(table)):
                return None
            lease = Lease(table, _left(self._journal.swap_record(_KIND, table, HELD)))
            self._held[table] = lease
            return lease

    def lost(self) -> bool:
        """Whether leases were lost with a connection that broke."""
        with self._lock:
            return bool(self._held) and not self._alive()

    def release(self) -> None:
        """Let every table go in good order, and take none any more."""
        with self._lock:
            held = list(self._held)
        try:
            self._journal.put_records(_KIND, held, RELEASED)
        finally:
            self.close()

    def close(self) -> None:
        """Drop every lease without a record, as when the process dies, and take none any more."""
        with self._lock:
            self._over = True
            self._held.clear()
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _alive(self) -> bool:
        if self._journal.sqlite:
            return self._file is not None or self._journal.file is None
        try:
            if self._connection is None or self._connection.closed:
                return False
            self._connection.execute("SELECT 1")
        except psycopg.Error:
            self._held.clear()
            return False
        return True

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

    def _take_advisory(self, table: str) -> bool:
        number = int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big", signed=True)
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._journal.libpq_url, autocommit=True)
                self._held.clear()
            found = self._connection.execute("SELECT pg_try_advisory_lock(%s)", (number,)).fetchone()
        except psycopg.Error:
            return False
        return bool(found and found[0])


def left_behind(journal: Journal, table: str) -> Left | None:
    """How the last holder of a table's lease left it, or that it is held; None if nobody ever had it."""
    return _left(journal.record(_KIND, table))


def _left(body: str | None) -> Left | None:
    if body is None:
        return None
    return RELEASED if body == RELEASED else HELD
