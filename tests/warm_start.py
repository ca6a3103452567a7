"""Starts of the service without reading its program each time: a process that has read it forks one whenever asked.

What is forked has begun nothing yet: no loop, no thread, no connection. From there on it is `punto serve` as it is, a
process of its own with its own environment, folder and log, which can be killed like any other.
"""

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path

DYING = "DYING"
"""In the environment of a service: that it may be told at which moment to die, as `dying` says."""

_READ_LATER = ("alembic.command", "anyio._backends._asyncio", "sqlite3")
"""What a service reads only once it has begun."""


class Forked:
    """A process that was forked by another than this one; it is watched and signalled by its file descriptor."""

    def __init__(self, pid: int, starts: "WarmStarts") -> None:
        self.pid = pid
        self._starts = starts
        self._descriptor = os.pidfd_open(pid)
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float) -> int:
        """Wait until it has ended, for its exit status."""
        status = self._ended(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._descriptor, number)

    def _ended(self, seconds: float) -> int | None:
        if self._status is None:
            watched = select.poll()
            watched.register(self._descriptor, select.POLLIN)
            if watched.poll(seconds * 1000):
                self._status = self._starts.status_of(self.pid)
                os.close(self._descriptor)
        return self._status


class WarmStarts:
    """A process that has read the program of the service, and forks it."""

    def __init__(self) -> None:
        here, there = socket.socketpair()
        self._line, self._lock = here.makefile("rwb"), threading.Lock()
        here.close()
        with there:
            self._process = subprocess.Popen([sys.executable, __file__], stdin=there.fileno())

    def start(self, folder: Path, environment: Mapping[str, str], log: Path) -> Forked:
        """Start a service: the settings are in its environment."""
        asked = {"folder": str(folder), "environment": dict(environment), "log": str(log)}
        return Forked(self._ask(asked), self)

    def status_of(self, pid: int) -> int:
        """The exit status of a service that has ended, once."""
        return self._ask({"ended": pid})

    def _ask(self, what: Mapping[str, object]) -> int:
        with self._lock:
            self._line.write(json.dumps(what).encode() + b"\n")
            self._line.flush()
            return int(self._line.readline())

    def close(self) -> None:
        """Fork no more; what was forked goes on."""
        self._line.close()
        self._process.wait(timeout=600)


@cache
def warm_starts() -> WarmStarts:
    """The one of this test run, begun on first use."""
    begun = WarmStarts()
    atexit.register(begun.close)
    return begun


def main() -> None:
    """Read the program, then fork a service whenever asked, for its process number, and tell how each has ended."""
    for module in ("punto.service.run", *_READ_LATER):
        importlib.import_module(module)
    from punto.cli import main as punto
    from punto.rulebook import ids, load

    for book in ids():
        load(book)
    gc.collect()
    gc.freeze()  # what everybody shares is not looked at, and so not copied, in every fork
    with socket.socket(fileno=os.dup(0)).makefile("rwb") as line:
        while asked := line.readline():
            given = json.loads(asked)
            if "ended" in given:
                _, status = os.waitpid(given["ended"], 0)
                answer = os.waitstatus_to_exitcode(status)
            else:
                answer = os.fork()
                if answer == 0:
                    break
            line.write(b"%d\n" % answer)
            line.flush()
        else:
            return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(given["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for number, file in ((0, nothing), (1, log), (2, log)):
        os.dup2(file, number)
    os.chdir(given["folder"])
    os.environ.clear()
    os.environ.update(given["environment"])
    sys.argv = ["punto", "serve"]
    if os.environ.pop(DYING, ""):
        importlib.import_module("dying").prepare()
    punto()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the end of the tests is its end too
    main()
