"""What other processes commit: PostgreSQL tells how far each table has gone, and the floor reads what is new."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from punto.journal import Journal, JournalError
from punto.journal.listen import Reached, reached
from punto.service.runtime.background import going_on
from punto.service.runtime.floor import Floor

log = logging.getLogger("punto")
_PAUSE = 0.5
"""Seconds before a broken connection is made anew."""

_OWN_CHECK = 0.2
"""Seconds after which is checked that this process knows what it has committed itself."""


@asynccontextmanager
async def following(journal: Journal, floor: Floor) -> AsyncIterator[None]:
    """Keep the floor up to date with what other processes do; an SQLite database has one process only."""
    if journal.sqlite:
        yield
        return
    async with going_on(_Follower(journal, floor).follow()):
        yield


class _Follower:
    """Reads what this process does not know yet, several tables at once."""

    def __init__(self, journal: Journal, floor: Floor) -> None:
        self._journal, self._floor = journal, floor
        self._tasks: set[asyncio.Task[None]] = set()
        self._own: dict[str, int] = {}
        """How far this process has gone itself, to be checked. It takes that up from the answer to its commit, unless
        that came too late or was not for the floor."""

    async def follow(self) -> None:
        """Follow for as long as the service runs. A connection that breaks is made anew."""
        while True:
            try:
                async for news in reached(self._journal):
                    self._hear(news)
            except JournalError as error:
                log.warning("not listening", extra={"why": str(error)})
                await asyncio.sleep(_PAUSE)

    def _hear(self, news: Reached) -> None:
        if not news.own:
            self._read(news.tables)
            return
        if not self._own:
            asyncio.get_running_loop().call_later(_OWN_CHECK, self._check_own)
        self._own.update(news.tables)

    def _check_own(self) -> None:
        own, self._own = self._own, {}
        self._read(own)

    def _read(self, tables: dict[str, int]) -> None:
        for name, sequence in tables.items():
            if self._floor.behind(name, sequence):
                task = asyncio.create_task(self._floor.reached(name, sequence))
                self._tasks.add(task)
                task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("not followed", extra={"why": str(task.exception())})
