"""What other processes do: PostgreSQL tells which table has gone how far, and the floor reads it."""

import asyncio
import logging
import threading
from contextlib import suppress

import psycopg

from punto.journal import Journal
from punto.journal.store import CHANNEL
from punto.service.floor import Floor

log = logging.getLogger("punto")


class Listener:
    """A thread that listens, where the store is PostgreSQL; nothing otherwise."""

    def __init__(self, journal: Journal, floor: Floor) -> None:
        self._journal, self._floor = journal, floor
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._told: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to listen."""
        if not self._journal.sqlite:
            self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
            self._thread.start()

    async def stop(self) -> None:
        """Listen no more."""
        self._stopping.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, 2)

    def _listen(self) -> None:
        url = self._journal.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._stopping.is_set():
            try:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._everything()
                    while not self._stopping.is_set():
                        for notice in connection.notifies(timeout=0.5):
                            name, _, sequence = notice.payload.rpartition(" ")
                            self._tell(name, int(sequence))
            except psycopg.Error as error:
                log.warning("not listening", extra={"why": str(error).strip()})
                self._stopping.wait(0.5)

    def _everything(self) -> None:
        """After having been away: whatever was missed."""
        with suppress(ValueError):
            for name, sequence in self._journal.tables().items():
                self._tell(name, sequence)

    def _tell(self, name: str, sequence: int) -> None:
        """What comes together is told together."""
        with self._lock:
            first = not self._told
            self._told[name] = max(sequence, self._told.get(name, 0))
        if first and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._pass_on)

    def _pass_on(self) -> None:
        with self._lock:
            told, self._told = self._told, {}
        for name, sequence in told.items():
            if self._floor.behind(name, sequence):
                task = asyncio.create_task(self._floor.reached(name, sequence))
                self._tasks.add(task)
                task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("not followed", extra={"why": str(task.exception())})
