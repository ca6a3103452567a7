"""Group commit: commands that arrive together become durable together, in one transaction.

If the store does not take them together though it answers, each is tried by itself, so that one that it cannot keep
harms nobody else.
"""

import asyncio
import logging
import threading
from queue import SimpleQueue

from punto.journal import Append, Appended, Conflict, Fenced, Journal, Outdated, Repeated, Unavailable
from punto.service.metrics import COMMITS, FAILED_COMMITS, LATE_COMMITS
from punto.service.store_calls import SECONDS, late

log = logging.getLogger("punto")

MOST_AT_ONCE = 500
_Result = Appended | Repeated | Conflict | Fenced | Outdated
_Waiting = tuple[Append, "asyncio.Future[_Result]"]


class Committer:
    """One thread that writes. Whoever appends waits until it is durable, or has failed."""

    def __init__(self, journal: Journal, seconds: float = SECONDS) -> None:
        self._journal, self._seconds = journal, seconds
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._due: dict[asyncio.Future[_Result], tuple[float, str]] = {}
        """What is waited for, in the order in which it came: until when, and of which table. It has one timer."""
        self._timer: asyncio.TimerHandle | None = None
        self._thread = threading.Thread(target=self._work, name="committer", daemon=True)
        self._thread.start()

    async def append(self, given: Append) -> _Result:
        """Append, and wait until it is durable. `Unavailable` when that takes too long: it may happen yet."""
        done: asyncio.Future[_Result] = self._loop.create_future()
        until = self._loop.time() + self._seconds
        self._due[done] = until, given.table
        if self._timer is None:
            self._timer = self._loop.call_at(until, self._end_late)
        self._queue.put((given, done))
        return await done

    def _end_late(self) -> None:
        """Let nobody wait for longer than the time there is, and come again when the next is due."""
        self._timer = None
        now = self._loop.time()
        for done, (until, table) in list(self._due.items()):
            if until > now:
                self._timer = self._loop.call_at(until, self._end_late)
                return
            del self._due[done]
            if not done.done():
                LATE_COMMITS.inc()
                error = late(self._seconds)
                log.error("commit late", extra={"table": table, "why": str(error)})
                done.set_exception(error)

    async def stop(self) -> None:
        """Write what is waiting, then stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        going = True
        while going:
            first = self._queue.get()
            batch: list[_Waiting] = []
            while first is not None:
                batch.append(first)
                if len(batch) == MOST_AT_ONCE or self._queue.empty():
                    break
                first = self._queue.get()
            going = first is not None
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[_Waiting]) -> None:
        batch = [each for each in batch if not each[1].done()]  # whoever waits no longer was told to send it again
        if not batch:
            return
        try:
            results = self._journal.append([given for given, _ in batch])
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, Unavailable):
                for each in batch:
                    self._commit([each])
                return
            FAILED_COMMITS.inc()
            log.error("commit failed", extra={"tables": sorted({given.table for given, _ in batch}), "why": str(error)})
            self._loop.call_soon_threadsafe(self._fail, [done for _, done in batch], error)
            return
        COMMITS.inc()
        self._loop.call_soon_threadsafe(self._finish, [done for _, done in batch], results)

    def _finish(self, waiting: list["asyncio.Future[_Result]"], results: list[_Result]) -> None:
        for done, result in zip(waiting, results, strict=True):
            self._due.pop(done, None)
            if not done.done():
                done.set_result(result)

    def _fail(self, waiting: list["asyncio.Future[_Result]"], error: Exception) -> None:
        for done in waiting:
            self._due.pop(done, None)
            if not done.done():
                done.set_exception(error)
