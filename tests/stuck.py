"""A test that is stuck fails where it stands, and the others go on."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

STUCK = 3 * 600.0
"""Seconds after which a test is stuck: no test waits for anything for longer than a third of it."""
LOOKS = 60.0
"""So many seconds apart the clock is looked at. A test that is stuck on its way out, too, is told so once more."""


class Watch:
    """Looks at the clock in a thread of its own, and interrupts the main thread where that is late."""

    def __init__(self, seconds: float = STUCK, looks: float = LOOKS) -> None:
        self._seconds, self._looks = seconds, looks
        self._due, self._lock = float("inf"), threading.Lock()
        signal.signal(signal.SIGUSR2, self._fail)
        threading.Thread(target=self._look, daemon=True).start()

    @contextmanager
    def over(self) -> Iterator[None]:
        """Watch what happens inside."""
        self._set(time.monotonic() + self._seconds)
        try:
            yield
        finally:
            self._set(float("inf"))

    def _set(self, due: float) -> None:
        with self._lock:
            self._due = due

    def _look(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        while True:
            time.sleep(self._looks)
            with self._lock:
                if time.monotonic() > self._due:
                    signal.pthread_kill(main, signal.SIGUSR2)

    def _fail(self, *_: object) -> None:
        pytest.fail(f"it is stuck here, {self._seconds:.0f} seconds after it began")
