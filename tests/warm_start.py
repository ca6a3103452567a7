"""Starts of the service without reading its program each time: a process that has read it forks one whenever asked.

What is forked has begun nothing yet: no loop, no thread, no connection. From there on it is `punto serve` as it is, a
process of its own with its own environment, folder and log, which can be killed like any other.
"""

import atexit
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

DYING = "DYING"
"""In the environment of a service: that it may be told at which moment to die, as `dying` says."""


class Forked:
    """A process that was forked by another than this one; it is waited for and signalled by its file descriptor."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float) -> int:
        """Wait until it has ended."""
        ended = self._ended(timeout)
        if ended is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
        os.close(self._descriptor)
        return ended

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        signal.pidfd_send_signal(self._descriptor, number)

    def _ended(self, seconds: float) -> int | None:
        watched = select.poll()
        watched.register(self._descriptor, select.POLLIN)
        return 0 if watched.poll(seconds * 1000) else None


class WarmStarts:
    """A process that has read the program of the service, and forks it."""

    def __init__(self) -> None:
        here, there = socket.socketpair()
        self._line = here.makefile("rwb")
        here.close()
        with there:
            self._process = subprocess.Popen([sys.executable, __file__], stdin=there.fileno())

    def start(self, folder: Path, environment: Mapping[str, str], log: Path) -> Forked:
        """Start a service: the settings are in its environment."""
        asked = {"folder": str(folder), "environment": dict(environment), "log": str(log)}
        self._line.write(json.dumps(asked).encode() + b"\n")
        self._line.flush()
        return Forked(int(self._line.readline()))

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
    """Read the program, then fork a service for every line that comes in, and answer with its process number."""
    importlib.import_module("punto.service.run")  # once, so that no fork has to
    from punto.cli import main as punto

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever asked watches what was forked
    with socket.socket(fileno=os.dup(0)).makefile("rwb") as line:
        while asked := line.readline():
            pid = os.fork()
            if pid == 0:
                break
            line.write(b"%d\n" % pid)
            line.flush()
        else:
            return
    given = json.loads(asked)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
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
    main()
