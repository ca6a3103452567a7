"""The real service as a process, the databases it runs on, and the people who may speak to it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import httpx
import psycopg

from databases import servers
from punto.journal import Journal, MasterKey
from punto.rulebook import games
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.keys.signing import opened
from warm_start import DYING, Forked, WarmStarts

HOST = "127.0.0.1"
PATIENCE = 600.0
"""Seconds after which something hangs. On a busy machine everything takes long, so that this is far beyond it."""
MASTER = MasterKey.new()
"""The master key of every house of this test run that has none of its own."""

_T = TypeVar("_T")


def until(asked: Callable[[], _T | None], what: str | Callable[[], str], seconds: float = PATIENCE) -> _T:
    """Ask until there is an answer; fail when it takes too long, and say then what was waited for."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = asked()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited {seconds} seconds for {what if isinstance(what, str) else what()}")


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody else before these tests have ended.

    It stays bound to a socket that does not listen. Whoever allows its address to be used again, as servers do, may
    listen there all the same; whoever asks for any port gets another one.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((HOST, 0))
    _ports.append(held)
    port: int = held.getsockname()[1]
    return port


_ports: list[socket.socket] = []


class Service:
    """`punto serve` as a process of its own, which can be killed and started again on the same port."""

    def __init__(self, folder: Path, database: str, starts: WarmStarts | None = None, /, **settings: object) -> None:
        """With `starts` the program is not read anew each time, for those who start it often."""
        self._starts = starts
        self.folder, self.port = folder, free_port()
        self.address = f"http://{HOST}:{self.port}"
        self.log = folder / f"service-{self.port}.log"
        given = {"database": database, "key_file": folder / "punto.key", "host": HOST, "port": self.port}
        given |= {"money": "play", "second_factor": "", "store_seconds": PATIENCE / 2}
        given |= {"stop_seconds": PATIENCE, "idle_seconds": int(PATIENCE), **settings}
        if not {"master_key_file", "master_key_command"} & set(settings):
            given.setdefault("master_key", MASTER.text)
        self._environment = {**os.environ, **{f"PUNTO_{name.upper()}": str(value) for name, value in given.items()}}
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def start(self, *, wait: bool = True) -> "Service":
        """Start it, and wait until it answers."""
        assert self.process is None
        if self._starts is not None:
            self.process = self._starts.start(self.folder, self._environment, self.log)
        else:
            with self.log.open("ab") as log:
                command = [sys.executable, "-c", "from punto.cli import main; main()", "serve"]
                self.process = subprocess.Popen(command, cwd=self.folder, env=self._environment, stderr=log, stdout=log)
        if wait:
            self.wait()
        return self

    def wait(self, seconds: float = PATIENCE) -> None:
        """Wait until it answers."""
        with httpx.Client(base_url=self.address, timeout=5) as client:
            until(lambda: self._answers(client), lambda: f"the service; it said: {self.said()[-3000:]}", seconds)

    def _answers(self, client: httpx.Client) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the service ended by itself: {self.said()[-3000:]}"
        try:
            return client.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def said(self) -> str:
        """Everything it has written into its log, which is not there before it has begun."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """End it at once, without a chance to do anything."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End it in good order; its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(how)
        status = self.process.wait(timeout=PATIENCE)
        self.process = None
        return status

    def dies_when_told(self) -> "Service":
        """Let it be told at which moment to die, from its next start on."""
        assert self._starts is not None
        self._environment[DYING] = "1"
        return self

    def has_died(self) -> bool:
        """Whether it has ended by itself; it can be started again then."""
        assert self.process is not None
        if self.process.poll() is None:
            return False
        self.process.wait(timeout=PATIENCE)
        self.process = None
        return True

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class Database:
    """A database for the service; the PostgreSQL server can be stopped and started."""

    def __init__(self, url: str, server: Any = None) -> None:
        self.url, self._server = url, server

    def stop(self) -> None:
        """Stop the server at once, with everybody's connections."""
        self._server.stop()

    def start(self) -> None:
        """Start the server again."""
        with self._server._lock:
            self._server.ensure_postgres_running()

    def quiet(self) -> None:
        """Wait until nobody is connected any more: what a killed process had begun is finished or gone."""
        if self._server is None:
            return
        asked = (
            "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        with psycopg.connect(self.url, autocommit=True) as connection:
            until(lambda: connection.execute(asked).fetchone() == (0,), "the connections of a killed process to go")


@contextmanager
def database(kind: str) -> Iterator[Database]:
    """A new database: `sqlite` or `postgresql`."""
    with TemporaryDirectory(prefix="punto-") as folder:
        if kind == "sqlite":
            yield Database(f"sqlite:///{folder}/punto.db")
            return
        server = servers().get_server(Path(folder) / "data")
        try:
            yield Database(server.get_uri(), server)
        finally:
            server.cleanup()


def open_house(url: str) -> Journal:
    """The store of a house with its secrets open, as the service of this test run opens it."""
    journal = Journal(url)
    journal.upgrade()
    journal.unlock(MASTER)
    return journal


def signing_key_in(folder: Path) -> bytes:
    """The key by which a service in this folder signs checkpoints."""
    return opened(folder / "punto.key", MASTER)


class People:
    """Accounts made beforehand, on the same database, and their tokens."""

    def __init__(self, url: str) -> None:
        journal = open_house(url)
        self._accounts = Accounts(journal)
        self.tokens: dict[str, str] = {}
        self._journal = journal

    def patron(self, name: str) -> str:
        """The token of a new patron."""
        return self._token(name, "patron", {})

    def with_password(self, name: str, password: str) -> None:
        """A new patron who logs in."""
        self._accounts.make(name, "patron", password, person=name)

    def staff(self, name: str, rank: str, table: str = "*") -> str:
        """The token of a new person of the staff."""
        return self._token(name, "staff", {table: HeldPost(rank)})

    def post(self, name: str, rank: str, table: str = "*") -> None:
        """Give somebody of the staff another post from now on."""
        self._accounts.hold(name, table, rank)

    def _token(self, name: str, kind: str, posts: dict[str, HeldPost]) -> str:
        account = self._accounts.make(name, kind, posts=posts, person=name)
        self.tokens[name] = self._accounts.token(account)
        return self.tokens[name]

    def close(self) -> None:
        """Leave the database alone."""
        self._journal.close()


def bearer(token: str) -> dict[str, str]:
    """The header that a token goes into."""
    return {"Authorization": f"Bearer {token}"}


def opening(book: str, **more: object) -> dict[str, object]:
    """The command that opens a table of a book, with limits that suit the tests."""
    given: dict[str, object] = {
        "do": "open-table",
        "book": book,
        "at": "2026-11-15T08:00:00+08:00",
        "decks": 8,
        "limits": {"minimum": 1000, "maximum": 1000000, "differential": 100000000},
        "auto": ["announce", "deal", "offer", "settle"],
    }
    if book in games():  # which enforce no differential
        given["limits"] = {"minimum": 1000, "maximum": 1000000}
    extra: dict[str, dict[str, object]] = {
        "dragon-tiger-mbs": {"method": "B"},
        "dragon-tiger-hoiana": {"layout": "2"},
    }
    return {**given, **extra.get(book, {}), **more}
