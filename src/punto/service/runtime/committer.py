"""Group commit: commands that arrive together become durable together, in one transaction.

If the store does not take them together though it is there, each is tried by itself, so that one that it cannot keep
harms nobody else.
"""

import asyncio
import threading
from queue import SimpleQueue

from sqlalchemy.exc import DataError, InterfaceError, OperationalError

from punto.journal import Append, Appended, Conflict, Journal, Repeated
from punto.service.metrics import COMMITS

MOST_AT_ONCE = 500


class Unfit(ValueError):
    """The store cannot keep this, however often it is sent."""


_Waiting = tuple[Append, "asyncio.Future[Appended | Repeated | Conflict]"]


class Committer:
    """One thread that writes. Whoever appends waits until the store has it, or has not."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="committer", daemon=True)
        self._thread.start()

    async def append(self, given: Append) -> Appended | Repeated | Conflict:
        """Append, and wait until it is durable."""
        done: asyncio.Future[Appended | Repeated | Conflict] = self._loop.create_future()
        self._queue.put((given, done))
        return await done

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
        try:
            results = self._journal.append([given for given, _ in batch])
        except Exception as error:
            if len(batch) > 1 and not _away(error):
                for each in batch:
                    self._commit([each])
                return
            told = Unfit("The store cannot keep this.") if _unfit(error) else error
            self._loop.call_soon_threadsafe(_fail, [done for _, done in batch], told)
            return
        COMMITS.inc()
        self._loop.call_soon_threadsafe(_finish, [done for _, done in batch], results)


def _away(error: Exception) -> bool:
    """Whether the store did not answer, or has no room: nothing would come of asking it again at once."""
    return isinstance(error.__cause__, OperationalError | InterfaceError)


def _unfit(error: Exception) -> bool:
    """Whether it is what was to be kept that is wrong."""
    return isinstance(error, UnicodeError) or isinstance(error.__cause__, DataError)


def _finish(
    waiting: list["asyncio.Future[Appended | Repeated | Conflict]"], results: list[Appended | Repeated | Conflict]
) -> None:
    for done, result in zip(waiting, results, strict=True):
        if not done.done():
            done.set_result(result)


def _fail(waiting: list["asyncio.Future[Appended | Repeated | Conflict]"], error: Exception) -> None:
    for done in waiting:
        if not done.done():
            done.set_exception(error)
