"""The health of the store: whether it commits now, found out at most once a second and told in a bounded time.

However often somebody asks, the store is not asked more often.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable

from punto.journal import OF_THE_HOUSE, Journal, JournalError
from punto.journal.probe import probe

log = logging.getLogger("punto")
WAIT = 2.0
"""Seconds that somebody who asks waits for an answer."""

FRESH = 1.0
"""Seconds for which an answer is good."""


class StoreHealth:
    """Asks the store whether it commits, one question at a time, in a thread that nothing else uses."""

    def __init__(
        self, journal: Journal, clock: Callable[[], str], besides: Callable[[], str | None] = lambda: None
    ) -> None:
        """`besides` says what is wrong with what is kept outside the store, if anything is."""
        self._journal, self._clock, self._besides = journal, clock, besides
        self._asked: asyncio.Task[str | None] | None = None
        self._since = 0.0
        """When the question was asked that is under way or was answered last."""
        self._told: str | None = None
        """What was wrong when it was last told."""
        self.tables = 0
        """How many tables there were when the store last was well."""

    async def trouble(self) -> str | None:
        """What is wrong with the store or beside it, as a sentence; None if nothing is."""
        now = time.monotonic()
        if self._asked is None or (self._asked.done() and now - self._since > FRESH):
            self._asked, self._since = asyncio.create_task(self._ask()), now
        asked, since = self._asked, self._since  # somebody else may ask anew while this waits
        done, _ = await asyncio.wait({asked}, timeout=WAIT)
        hung = f"The store has not answered for {time.monotonic() - since:.0f} seconds."
        found = (asked.result() if done else hung) or self._besides()
        if (found is None) != (self._told is None):
            log.log(logging.INFO if found is None else logging.ERROR, "store health", extra={"why": found or "well"})
        self._told = found
        return found

    async def _ask(self) -> str | None:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str | None] = loop.create_future()

        def work() -> None:
            why = None
            try:
                probe(self._journal, self._clock())
                self.tables = len(self._journal.tables().keys() - set(OF_THE_HOUSE))
            except JournalError as error:
                why = str(error)
            except Exception as error:
                log.exception("store health")
                why = f"The store failed: {type(error).__name__}."
            if not loop.is_closed():
                loop.call_soon_threadsafe(_set, answer, why)

        threading.Thread(target=work, name="store health", daemon=True).start()
        return await answer


def _set(answer: "asyncio.Future[str | None]", why: str | None) -> None:
    if not answer.done():
        answer.set_result(why)
