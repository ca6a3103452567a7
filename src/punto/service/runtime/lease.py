"""Leases: one process at a time tends a table. A lease ends with the process that held it."""

import fcntl
import hashlib
import os
import threading
from pathlib import Path

import psycopg

from punto.journal import Journal


class Leases:
    """The leases of this process: advisory locks on PostgreSQL, a locked file beside an SQLite database.

    What is called here waits for the store: call it from a thread.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._held: set[str] = set()
        self._connection: psycopg.Connection[tuple[bool]] | None = None
        self._file: int | None = None
        self._over = False
        self._lock = threading.Lock()

    def take(self, table: str) -> bool:
        """Take a table's lease, if nobody has it; True if it is ours."""
        with self._lock:
            if self._over:
                return False
            if table in self._held and self._alive():
                return True
            ours = self._take_file() if self._journal.sqlite else self._take_advisory(table)
            if ours:
                self._held.add(table)
            return ours

    def lost(self) -> bool:
        """Whether the leases went with a connection that broke."""
        with self._lock:
            return bool(self._held) and not self._alive()

    def release(self) -> None:
        """Give everything back, and take nothing more."""
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
            return self._file is not None
        try:
            if self._connection is None or self._connection.closed:
                return False
            self._connection.execute("SELECT 1")
        except psycopg.Error:
            self._held.clear()
            return False
        return True

    def _take_file(self) -> bool:
        if self._file is not None:
            return True
        database = self._journal.url.database
        if not database or database == ":memory:":
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
                url = self._journal.url.set(drivername="postgresql").render_as_string(hide_password=False)
                self._connection = psycopg.connect(url, autocommit=True)
                self._held.clear()
            found = self._connection.execute("SELECT pg_try_advisory_lock(%s)", (number,)).fetchone()
        except psycopg.Error:
            return False
        return bool(found and found[0])
