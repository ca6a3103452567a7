"""Bookkeeping: the kept ledgers of tables stay close behind their chains, so that nobody's report reads a long one.

It works while the house is open, one table after the other, a slice at a time, and takes a small part of a processor.
A chain that has no ledger yet, as after an upgrade, is through after a while; whoever asks for a report meanwhile reads
on at full speed.
"""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager

from punto.journal import JournalError
from punto.service.runtime.background import going_on
from punto.service.runtime.counting import Counting
from punto.service.runtime.lease_holder import LeaseHolder

log = logging.getLogger("punto")

LOOK = 10.0
"""Seconds between two looks while no table is behind."""

_REST = 9.0
"""After a slice it rests for so many times as long as that took."""


def keeping_books(counting: Counting, holder: LeaseHolder) -> AbstractAsyncContextManager[None]:
    """Keep up with the tables that this process holds, from the first look that is due."""
    return going_on(_keep_up(counting, holder))


async def _keep_up(counting: Counting, holder: LeaseHolder) -> None:
    loop, rest = asyncio.get_running_loop(), LOOK
    while True:
        await asyncio.sleep(rest)
        began, more = loop.time(), False
        try:
            more = await counting.keep_up(holder.tables)
        except JournalError as error:
            log.warning("ledgers not kept", extra={"why": str(error)})
        except Exception:
            log.exception("ledgers not kept")
        rest = _REST * (loop.time() - began) if more else LOOK
