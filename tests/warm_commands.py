"""The process that has read all of Punto, forks a command whenever asked, and ends with the tests.

`python tests/warm_commands.py DESCRIPTOR` listens there until nothing holds its standard input open any more.
"""

import atexit
import gc
import importlib
import os
import pkgutil
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NoReturn

from warm_punto import asked, told

_CLIENT = Path(__file__).parent / "warm_punto.py"
_NOT_READ = ("punto.__main__", "punto.gym", "punto.journal.migrations.env", "punto.journal.migrations.versions")
"""What no command needs, or what runs when it is imported."""


class WarmCommands:
    """The process that forks commands, for one test run."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="punto-")
        self._address = f"{self._folder.name}/line"
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(self._address)
            door.listen(100)  # who asks before it is ready waits here
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(door.fileno())], stdin=subprocess.PIPE, pass_fds=[door.fileno()]
            )
        shell = Path(self._folder.name) / "punto"
        bare = shlex.join([sys.executable, "-IS", str(_CLIENT), self._address])
        shell.write_text(f'#!/bin/sh\nexec {bare} "$@"\n', encoding="utf-8")
        shell.chmod(0o700)

    @property
    def path(self) -> str:
        """The folder in which a shell finds the `punto` command."""
        return self._folder.name

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin.encode())
            given.seek(0)
            files = (given.fileno(), out.fileno(), err.fileno())
            status = asked(self._address, list(arguments), files, str(Path.cwd()))
            for each in (out, err):
                each.seek(0)
            return subprocess.CompletedProcess(arguments, status, out.read().decode(), err.read().decode())

    def close(self) -> None:
        """Fork no more, and wait until the process has ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=600)
        self._folder.cleanup()


@cache
def warm_commands() -> WarmCommands:
    """The one of this test run, started on first use."""
    started = WarmCommands()
    atexit.register(started.close)
    return started


def _fork(line: socket.socket) -> None:
    """Fork a command and whoever waits for it, so that many can run at once."""
    if os.fork():
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    folder, arguments, environment, files = told(line)
    running = os.fork()
    if running:
        _, status = os.waitpid(running, 0)
        line.sendall(b"%d" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    line.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    _become(arguments)


def _become(arguments: list[str]) -> NoReturn:
    """Be the command from here on; what was read for it is not taken down piece by piece at its end."""
    from punto.cli import main as punto

    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["punto", *arguments]
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    status = 0
    try:
        punto()
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        status = ended.code
    with suppress(BrokenPipeError, ValueError):  # nobody reads any more, or it has closed them itself
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def main(descriptor: int) -> None:
    """Read the program, then fork a command for everybody who asks."""
    import punto

    for module in pkgutil.walk_packages(punto.__path__, "punto."):
        if not module.name.startswith(_NOT_READ):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()  # what everybody shares is not looked at, and so not copied, in every fork
    with socket.socket(fileno=descriptor) as door:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever waits for a command is waited for by nobody
        while True:
            ready, _, _ = select.select([door.fileno(), 0], [], [])
            if 0 in ready:
                return
            line, _ = door.accept()
            with line:
                _fork(line)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the end of the tests is its end too
    main(int(sys.argv[1]))
