"""Bookkeeping: the kept ledgers of tables stay close behind their chains, so that nobody's report reads a long one.

It works while the house is open, one table after the other, a slice at a time, and takes a small part of a processor.
A chain that has no ledger yet, as after an upgrade, is through after a while; whoever asks for a report meanwhile reads
on at full speed.
"""

import asyncio
import logging
from contextlib import suppress

from punto.journal import JournalError
from punto.service.runtime.counting import Counting
from punto.service.runtime.lease_holder import LeaseHolder

log = logging.getLogger("punto")

LOOK = 10.0
"""Seconds between two looks while no table is behind."""

_REST = 9.0
"""After a slice it rests for so many times as long as that took."""


class Bookkeeping:
    """Keeps up with the tables that this process holds."""

    def __init__(self, counting: Counting, holder: LeaseHolder) -> None:
        self._counting, self._holder = counting, holder
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, when the first look is due."""
        self._task = asyncio.create_task(self._keep_up())

    async def stop(self) -> None:
        """Do no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _keep_up(self) -> None:
        loop, rest = asyncio.get_running_loop(), LOOK
        while True:
            await asyncio.sleep(rest)
            began, more = loop.time(), False
            try:
                more = await self._counting.keep_up(self._holder.tables)
            except JournalError as error:
                log.warning("ledgers not kept", extra={"why": str(error)})
            except Exception:
                log.exception("ledgers not kept")
            rest = _REST * (loop.time() - began) if more else LOOK
