"""Runs the tests in two halves side by side: `python tests/halves.py FILE…`, where the files are the second half.

What the second half says is printed after the first. Ctrl-C ends both, and every process that they started.
"""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress

PYTEST = (sys.executable, "-m", "pytest", "-q")
GRACE = 20
"""Seconds that a half has to end its services and browsers after Ctrl-C."""


def _end(half: subprocess.Popen[bytes]) -> None:
    """Interrupt a half as the keyboard would, and end what is left of it when its time is over."""
    with suppress(ProcessLookupError):
        os.killpg(half.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            half.wait(GRACE)
        os.killpg(half.pid, signal.SIGKILL)


def run(second: list[str]) -> int:
    """Run both halves; 0 if everything passed."""
    print("The tests run in two halves side by side; what the second says is printed after the first.", flush=True)
    with tempfile.TemporaryFile() as log:
        first = [*PYTEST, *(f"--ignore={file}" for file in second)]
        halves = [
            subprocess.Popen(first, start_new_session=True),
            subprocess.Popen([*PYTEST, *second], stdout=log, stderr=log, start_new_session=True),
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
    sys.exit(run(sys.argv[1:]))
