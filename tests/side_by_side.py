"""Runs the tests in several runs side by side, each of which takes the next file whenever it is free.

There is one run more than there are processors, since many tests wait: for a lease that lapses, a page, a database.
What the first says is printed at once, what the others say after it. Ctrl-C ends all, and every process that they
started.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

TAKING = (sys.executable, str(Path(__file__).with_name("taking.py")))
RUNS = len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 2
MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""Where a folder lies in memory, and how many bytes must be free there: tests take 0.2 GiB of it."""
NOTHING_LEFT = 5
"""With this status pytest ends where it has run no test: here, where the others had taken all files already."""
GRACE = 20
"""Seconds that a run has to end its services and browsers after Ctrl-C."""


def _end(one: subprocess.Popen[bytes]) -> None:
    """Interrupt a run as the keyboard would, and end what is left of it when its time is over."""
    with suppress(ProcessLookupError):
        os.killpg(one.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            one.wait(GRACE)
        os.killpg(one.pid, signal.SIGKILL)


def _in_memory() -> Path | None:
    """Where the tests write, so that nobody waits for a disk after each of their commits; None is the usual place."""
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if has_room and "TMPDIR" not in os.environ else None


def run() -> int:
    """Run all tests; 0 if everything passed."""
    print(f"The tests run in {RUNS} runs side by side; what the first says is printed at once.", flush=True)
    with ExitStack() as stack:
        folder, scratch = (
            stack.enter_context(tempfile.TemporaryDirectory(prefix="punto-", dir=_in_memory())) for _ in range(2)
        )
        logs = [None, *(stack.enter_context(tempfile.TemporaryFile()) for _ in range(RUNS - 1))]
        # Bytecode is kept, so that the hundreds of processes which they start do not compile anew.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        kept["TMPDIR"] = scratch
        runs = [
            subprocess.Popen([*TAKING, folder], start_new_session=True, env=kept, stdout=log, stderr=log)
            for log in logs
        ]
        try:
            statuses = [one.wait() for one in runs]
        except KeyboardInterrupt:
            statuses = [signal.SIGINT + 128]
        finally:
            for one in runs:
                _end(one)
        for log in logs:
            if log is not None:
                log.seek(0)
                sys.stdout.buffer.write(log.read())
    ran = [status for status in statuses if status != NOTHING_LEFT]
    return max(map(abs, ran or statuses))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell started it in the background
    sys.exit(run())
