"""Runs the tests in two runs side by side, each of which takes the next file whenever it is free.

What the second says is printed after the first. Ctrl-C ends both, and every process that they started.
"""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

TAKING = (sys.executable, str(Path(__file__).with_name("taking.py")))
GRACE = 20
"""Seconds that a run has to end its services and browsers after Ctrl-C."""


def _end(half: subprocess.Popen[bytes]) -> None:
    """Interrupt a run as the keyboard would, and end what is left of it when its time is over."""
    with suppress(ProcessLookupError):
        os.killpg(half.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            half.wait(GRACE)
        os.killpg(half.pid, signal.SIGKILL)


def run() -> int:
    """Run all tests; 0 if everything passed."""
    print("The tests run in two runs side by side; what the second says is printed after the first.", flush=True)
    with tempfile.TemporaryFile() as log, tempfile.TemporaryDirectory(prefix="punto-") as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        halves = [  # bytecode is kept, so that the hundreds of processes which they start do not compile anew
            subprocess.Popen([*TAKING, folder], start_new_session=True, env=kept),
            subprocess.Popen([*TAKING, folder], start_new_session=True, env=kept, stdout=log, stderr=log),
        ]
        try:
            statuses = [half.wait() for half in halves]
        except KeyboardInterrupt:
            statuses = [signal.SIGINT + 128]
        finally:
            for half in halves:
                _end(half)
        log.seek(0)
        sys.stdout.buffer.write(log.read())
    return max(map(abs, statuses))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell started it in the background
    sys.exit(run())
