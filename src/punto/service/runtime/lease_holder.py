"""The tables that this process holds the lease of: it recovers them, deals at virtual ones, and signs their chains.

A process takes the lease of a table before it opens it. So there is no moment at which nobody holds a table without
that being an interruption.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from punto.audit import seed_name
from punto.journal import HOUSE, JournalError, sign
from punto.journal.leases import Lease, Leases
from punto.service.runtime.dealer import Dealer
from punto.service.runtime.dealt_notes import DealtNotes
from punto.service.runtime.floor import Floor, Live, Said
from punto.service.runtime.recovery import has_lapsed, report_interruption
from punto.service.settings import Settings
from punto.table import can, commands

log = logging.getLogger("punto")
_LOOK = 1.0
"""Seconds between two looks for tables that nobody holds."""

_FINISH = 1.0
"""Seconds in which a look that has begun may finish when the service stops."""

_PAUSE = 1.0
"""Seconds before a dealer who failed begins again."""


class LeaseHolder:
    """Takes the leases of tables, and does what belongs to whoever holds one."""

    def __init__(self, floor: Floor, settings: Settings, key: Callable[[], bytes]) -> None:
        self._floor, self._settings = floor, settings
        self._key = key
        """Reads the key that signs: it may be replaced while the service runs."""
        self._leases = Leases(floor.journal)
        self._notes = DealtNotes(floor, settings)
        self._held: dict[str, asyncio.Task[None] | None] = {}
        """The tables that are held, and the dealer of each virtual one."""
        self._opened_here: set[str] = set()
        """Tables whose lease was taken just before they were opened, and that are not among those held yet."""
        self._signed: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._stopping = False
        floor.preparations.append(self._before_opening)
        floor.watchers.append(self._watch)

    @property
    def tables(self) -> frozenset[str]:
        """The tables that this process holds."""
        return frozenset(self._held)

    async def start(self) -> None:
        """Take every table that nobody holds, and go on looking for such."""
        await self._look(starting=True)
        self._task = asyncio.create_task(self._keep_looking())

    async def stop(self) -> None:
        """Let every table go in good order: whoever takes it next finds no interruption."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=_FINISH)  # in the middle of a look the store is in use
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._stop_dealing()
        with suppress(JournalError):
            await asyncio.to_thread(self._leases.release)
        self._notes.close()

    async def _stop_dealing(self) -> None:
        dealing = [task for task in self._held.values() if task is not None]
        for task in dealing:
            task.cancel()
        self._held.clear()
        self._opened_here.clear()
        await asyncio.gather(*dealing, return_exceptions=True)

    # Opening a table

    async def _before_opening(self, live: Live, command: commands.Command) -> commands.Command:
        """Whoever opens a table takes its lease first."""
        opens = live.sequence == 0 and isinstance(command, commands.OpenTable)
        if opens and live.name not in self._opened_here and can(None, command, self._floor.library):
            lease = await asyncio.to_thread(self._leases.take, live.name)
            if lease is not None:
                self._opened_here.add(live.name)
        return command

    def _watch(self, _: Live, news: tuple[Said, ...]) -> None:
        """Look at once when a table was opened."""
        if news[0].sequence == 1:
            self._wake.set()

    # Looking for tables

    async def _keep_looking(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):  # `wait_for` may swallow that it is cancelled
                    await self._wake.wait()
            self._wake.clear()
            if self._stopping:
                return
            try:
                await self._look()
            except JournalError as error:
                log.warning("not tending", extra={"why": str(error)})
            except Exception:
                log.exception("not tending")

    async def _look(self, *, starting: bool = False) -> None:
        if await asyncio.to_thread(self._leases.lost):
            await self._stop_dealing()
        for name in await self._floor.names():
            if self._stopping:
                return
            try:
                if name not in self._held:
                    lease = await asyncio.to_thread(self._leases.take, name)
                    if lease is not None:
                        await self._begin(lease, starting=starting)
                if name in self._held:
                    await self._checkpoint(name)
            except JournalError:
                raise
            except Exception:  # the others are looked after all the same
                log.exception("not tended", extra={"table": name})
        try:
            await self._checkpoint_at(HOUSE)
        except JournalError:  # another process has signed it at the same moment: look again what was signed
            self._signed.pop(HOUSE, None)

    async def _begin(self, lease: Lease, *, starting: bool) -> None:
        """Begin with a table: recover it if its last holder did not let it go, and deal where its shoe is virtual."""
        name = lease.table
        live = await self._floor.live(name)
        virtual = live.table is not None and live.table.setup.shoe == "virtual"
        restored = virtual and await asyncio.to_thread(self._notes.begin, name)
        if restored or has_lapsed(lease, opened_here=name in self._opened_here, starting=starting):
            await report_interruption(self._floor, live)
        fresh = virtual and (restored or self._settings.fresh_shoes)
        if fresh:
            await self._forget_next_seed(live)
        self._held[name] = None
        self._opened_here.discard(name)
        if virtual:
            self._held[name] = asyncio.create_task(self._deal(name, fresh=fresh))

    async def _forget_next_seed(self, live: Live) -> None:
        """A seed that was drawn already for the next shoe may have been dealt from."""
        table = live.table
        assert table is not None
        await asyncio.to_thread(self._floor.journal.drop_secret, live.name, seed_name(table.shoes + 1))
        if table.shoe is None:
            self._notes.renewed(live)

    async def _deal(self, name: str, *, fresh: bool) -> None:
        """Deal until the table is closed; the same dealer goes on after a failure."""
        dealer = Dealer(self._floor, name, self._settings, fresh=fresh)
        while True:
            try:
                return await dealer.deal()
            except Exception:
                log.exception("the dealer dropped out", extra={"table": name})
            await asyncio.sleep(_PAUSE)

    async def _checkpoint(self, name: str) -> None:
        """Sign the head of a table's chain, if enough was added since the last time."""
        live = await self._floor.live(name)
        if live.sequence - self._signed.get(name, 0) >= self._settings.checkpoint_every:
            await self._checkpoint_at(name)

    async def _checkpoint_at(self, name: str) -> None:
        """Sign the head of a chain as the store has it, if enough was added since the last time."""
        journal = self._floor.journal
        before = self._signed.get(name)
        if before is None:
            points = await asyncio.to_thread(journal.checkpoints, name)
            before = self._signed[name] = points[-1].sequence if points else 0
        head = await asyncio.to_thread(journal.head, name)
        if head is not None and head.sequence - before >= self._settings.checkpoint_every:
            key = await asyncio.to_thread(self._key)
            await asyncio.to_thread(journal.checkpoint, sign(key, name, head.sequence, head.hash))
            self._signed[name] = head.sequence
