"""What counts for a time is forgotten when that is over, so that neither the store nor a start grows with the years."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from punto.journal import JournalError
from punto.service.store_calls import StoreCalls

log = logging.getLogger("punto")

EVERY = 3600.0
"""Seconds between two looks; the first is due when the house has been open for so long."""


@asynccontextmanager
async def forgetting(calls: StoreCalls, *forget: Callable[[], None]) -> AsyncIterator[None]:
    """Look regularly, while the house is open, for what need not be known any more."""
    task = asyncio.create_task(_look(calls, forget))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _look(calls: StoreCalls, forget: tuple[Callable[[], None], ...]) -> None:
    while True:
        await asyncio.sleep(EVERY)
        for each in forget:
            try:
                await calls(each)
            except JournalError as error:
                log.warning("not forgotten", extra={"why": str(error)})
            except Exception:
                log.exception("not forgotten")
