"""Tending tables: whoever holds a table's lease recovers it, deals at it where it is virtual, and signs its chain.

A process takes the lease of a table before it opens it. So there is no moment at which a table is nobody's without
that being an interruption.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from punto.journal import JournalError, sign
from punto.rulebook import Refused
from punto.service.runtime.dealer import Dealer
from punto.service.runtime.floor import Floor, Live, Said
from punto.service.runtime.lease import Leases
from punto.service.settings import Settings
from punto.table import can, commands

log = logging.getLogger("punto")
HELD, RELEASED = "held", "released"
_LOOK = 1.0
_PAUSE = 1.0


class Tending:
    """The tables that this process looks after."""

    def __init__(self, floor: Floor, settings: Settings, key: bytes) -> None:
        self._floor, self._settings, self._key = floor, settings, key
        self._leases = Leases(floor.journal)
        self._ours: dict[str, asyncio.Task[None] | None] = {}
        self._new: set[str] = set()
        """Tables whose lease this process took before they were there."""
        self._signed: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None
        self._opened = asyncio.Event()
        self._fill: Callable[[Live, commands.Command], Awaitable[commands.Command]] | None = None

    async def start(self) -> None:
        """Look for tables to tend, and go on looking."""
        await self._look(starting=True)
        self._floor.watchers.append(self._watch)
        self._fill, self._floor.fill = self._floor.fill, self._before
        self._task = asyncio.create_task(self._keep_looking())

    async def stop(self) -> None:
        """Let every table go in good order: whoever takes it next finds no interruption."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for task in self._ours.values():
            if task is not None:
                task.cancel()
        await asyncio.gather(*(task for task in self._ours.values() if task), return_exceptions=True)
        with suppress(ValueError):
            held = [*{*self._ours, *self._new}]
            await asyncio.to_thread(self._floor.journal.put_records, "lease", held, RELEASED)
        await asyncio.to_thread(self._leases.release)
        self._ours.clear()
        self._new.clear()

    async def _before(self, live: Live, command: commands.Command) -> commands.Command:
        """Just before a command is decided: whoever opens a table takes its lease first."""
        if live.sequence == 0 and isinstance(command, commands.OpenTable) and can(None, command, self._floor.library):
            await self._take_first(live.name)
        return command if self._fill is None else await self._fill(live, command)

    async def _take_first(self, name: str) -> None:
        if name not in self._new and await asyncio.to_thread(self._leases.take, name):
            await asyncio.to_thread(self._floor.journal.put_record, "lease", name, HELD)
            self._new.add(name)

    async def _keep_looking(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):  # `wait_for` may swallow that it is cancelled
                    await self._opened.wait()
            self._opened.clear()
            try:
                await self._look()
            except JournalError as error:
                log.warning("not tending", extra={"why": str(error)})
            except Exception:
                log.exception("not tending")

    def _watch(self, _: Live, told: tuple[Said, ...]) -> None:
        """A table that has just been opened is tended at once."""
        if told[0].sequence == 1:
            self._opened.set()

    async def _look(self, *, starting: bool = False) -> None:
        if await asyncio.to_thread(self._leases.lost):
            for task in self._ours.values():
                if task is not None:
                    task.cancel()
            self._ours.clear()
            self._new.clear()
        for name in await self._floor.names():
            try:
                if name not in self._ours and await asyncio.to_thread(self._leases.take, name):
                    await self._take_over(name, starting)
                if name in self._ours:
                    await self._checkpoint(name)
            except JournalError:
                raise
            except Exception:  # the others are looked after all the same
                log.exception("not tended", extra={"table": name})

    async def _take_over(self, name: str, starting: bool) -> None:
        """A lease is ours. If its last holder did not let it go, a running round was interrupted.

        A table without any record of a lease was opened by somebody who tends none; if it is found so at the start,
        whoever that was is gone.
        """
        journal = self._floor.journal
        left = await asyncio.to_thread(journal.record, "lease", name)
        live = await self._floor.live(name)
        lapsed = (left == HELD and name not in self._new) or (left is None and starting)
        if lapsed and live.table is not None and live.table.running is not None:
            await self._report_interruption(name, live)
        if left != HELD:
            await asyncio.to_thread(journal.put_record, "lease", name, HELD)
        self._ours[name] = None
        self._new.discard(name)
        if live.table is not None and live.table.setup.shoe == "virtual":
            self._ours[name] = asyncio.create_task(self._deal(name))

    async def _deal(self, name: str) -> None:
        """A dealer until the table is closed, who comes back after having dropped out."""
        dealer = Dealer(self._floor, name, self._settings)
        while True:
            try:
                return await dealer.deal()
            except Exception:
                log.exception("the dealer dropped out", extra={"table": name})
            await asyncio.sleep(_PAUSE)

    async def _report_interruption(self, name: str, live: Live) -> None:
        """The table decides what the book says of it, and that is on the record."""
        note = "The service was interrupted; the lease of the table had lapsed."
        report = commands.Report("interruption", cause="other", note=note, by="dealer")
        with suppress(Refused):
            await self._floor.submit(name, report, who="service", key=f"interruption-{live.sequence}")
        log.warning("interrupted", extra={"table": name})

    async def _checkpoint(self, name: str) -> None:
        live = await self._floor.live(name)
        before = self._signed.get(name)
        if before is None:
            points = await asyncio.to_thread(self._floor.journal.checkpoints, name)
            before = self._signed[name] = points[-1].sequence if points else 0
        if live.sequence - before >= self._settings.checkpoint_every:
            head = (await asyncio.to_thread(self._floor.journal.read, name, live.sequence - 1, 1))[0]
            point = sign(self._key, name, head.sequence, head.hash)
            await asyncio.to_thread(self._floor.journal.checkpoint, point)
            self._signed[name] = head.sequence
