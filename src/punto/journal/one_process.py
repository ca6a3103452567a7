"""One process serves an SQLite database: it holds a lock on a file beside it for as long as it runs."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from punto.journal.errors import JournalError, Unavailable
from punto.journal.store import Journal


@contextmanager
def one_process(journal: Journal) -> Iterator[None]:
    """Hold an SQLite database for this process; `JournalError` if another has it. PostgreSQL is for many."""
    database = journal.file
    if database is None:
        yield
        return
    try:
        file = os.open(Path(f"{database}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(f"The store did not answer: {database}.lock: {error.strerror}.") from None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise JournalError(
                f"Another process serves {database}: stop that one, or take PostgreSQL, which is for several."
            ) from None
        yield
    finally:
        os.close(file)
