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
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._floor.reached(name, sequence), self._loop)
