"""Runs the tests in several runs side by side, each of which takes the next file whenever it is free.

There are two runs more than processors, since many tests wait: for a lease that lapses, a page, a database.
What the first says is printed at once, what the others say after it. `python tests/side_by_side.py COMMAND…` runs these
commands of a shell beside them, one after the other; where one fails, it says so and runs no more tests. Ctrl-C ends
all, and every process that they started.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

TAKING = (sys.executable, str(Path(__file__).with_name("taking.py")))
RUNS = len(os.sched_getaffinity(0)) + 2 if hasattr(os, "sched_getaffinity") else 2
MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""Where a folder lies in memory, and how many bytes must be free there: tests take 0.2 GiB of it."""
NOTHING_LEFT = 5
"""With this status pytest ends where it has run no test: here, where the others had taken all files already."""
GRACE = 20
"""Seconds that a run has to end its services and browsers after Ctrl-C."""


def _end_databases(scratch: Path) -> None:
    """End every PostgreSQL that a run has left behind: it is in nobody's group, but its folder has its number."""
    for file in scratch.glob("*/**/postmaster.pid"):
        with suppress(OSError):
            number = file.read_text(encoding="utf-8").split()[0]
            if Path(f"/proc/{number}/cwd").resolve() == file.parent.resolve():  # it works in this folder
                os.kill(int(number), signal.SIGKILL)


def _in_memory() -> Path | None:
    """Where the tests write, so that nobody waits for a disk after each of their commits; None is the usual place."""
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if has_room and "TMPDIR" not in os.environ else None


class Runs:
    """What runs side by side, each in a session of its own, and what each of them says: first the commands."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._begun: list[subprocess.Popen[bytes]] = []
        self._untold: dict[int, IO[bytes]] = {}

    def begin(self, command: Sequence[str], log: IO[bytes] | None) -> None:
        """Begin one; without a log, what it says is heard at once."""
        if log is not None:
            self._untold[len(self._begun)] = log
        self._begun.append(
            subprocess.Popen(command, start_new_session=True, env=self._environment, stdout=log, stderr=log)
        )

    def is_going(self, number: int) -> bool:
        """Whether one of them has not ended yet."""
        return self._ended(number, os.WNOHANG) is None

    def wait(self, number: int) -> int:
        """Wait for one of them, and tell what it has said."""
        ended = self._ended(number)
        self.tell(number)
        assert ended is not None
        return ended.si_status

    def _ended(self, number: int, how: int = 0) -> os.waitid_result | None:
        """How one of them has ended. The system keeps its number, so that nobody else is ended in its place."""
        return os.waitid(os.P_PID, self._begun[number].pid, os.WEXITED | os.WNOWAIT | how)

    def tell(self, number: int) -> None:
        """Tell what one of them has said, unless that was told already."""
        log = self._untold.pop(number, None)
        if log is not None:
            log.seek(0)
            sys.stdout.buffer.write(log.read())
            sys.stdout.flush()

    def end(self) -> None:
        """Interrupt all of them, and end what is left of them when their time is over.

        A run of the tests hears of it alone, and not what it has started: so it can still speak to its services and
        browsers, and ends them in good order. A shell would wait for what it has started.
        """
        for number, one in enumerate(self._begun):
            (os.killpg if number == 0 else os.kill)(one.pid, signal.SIGINT)
        until = time.monotonic() + GRACE
        for number, one in enumerate(self._begun):
            while self.is_going(number) and time.monotonic() < until:
                time.sleep(0.05)
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()


def run(commands: Sequence[str]) -> int:
    """Run all tests, and these commands beside them; 0 if everything passed."""
    print(f"The tests run in {RUNS} runs side by side; what the first says is printed at once.", flush=True)
    with ExitStack() as stack:
        folder, scratch = (
            stack.enter_context(tempfile.TemporaryDirectory(prefix="punto-", dir=_in_memory())) for _ in range(2)
        )
        # Bytecode is kept, so that the hundreds of processes which they start do not compile anew.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        runs, tests = Runs({**kept, "TMPDIR": scratch}), range(1, RUNS + 1)
        try:
            runs.begin(["sh", "-c", " && ".join(commands) or "true"], stack.enter_context(tempfile.TemporaryFile()))
            runs.begin([*TAKING, folder], None)
            while runs.is_going(tests[0]) and not any(Path(folder).iterdir()):
                time.sleep(0.1)  # it compiles all tests, so that the others need not
            for _ in tests[1:]:
                runs.begin([*TAKING, folder], stack.enter_context(tempfile.TemporaryFile()))
            failed = runs.wait(0)
            if failed:
                return failed
            statuses = [runs.wait(number) for number in tests]
        except KeyboardInterrupt:
            statuses = [signal.SIGINT + 128]
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is in a hurry would leave processes behind
            runs.end()
            _end_databases(Path(scratch))
        for number in tests:
            runs.tell(number)
    ran = [status for status in statuses if status != NOTHING_LEFT]
    return max(ran or statuses)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell started it in the background
    sys.exit(run(sys.argv[1:]))
