"""What counts for a time is forgotten when that is over, so that neither the store nor a start grows with the years."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from punto.journal import JournalError
from punto.service.runtime.background import going_on
from punto.service.store_calls import StoreCalls

log = logging.getLogger("punto")

EVERY = 3600.0
"""Seconds between two looks; the first is due when the house has been open for so long."""


def forgetting(calls: StoreCalls, *forget: Callable[[], None]) -> AbstractAsyncContextManager[None]:
    """Look regularly, while the house is open, for what need not be known any more."""
    return going_on(_look(calls, forget))


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
