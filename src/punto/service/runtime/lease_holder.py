"""The tables that this process holds the lease of: it recovers them, deals at virtual ones, and signs their chains.

A process takes the lease of a table before it opens it. So there is no moment at which nobody holds a table without
that being an interruption. Whatever is done for a table as the holder of its lease is done under the number of that
lease: if another process has taken the table over, the store refuses it.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from punto.audit import seed_name
from punto.journal import OF_THE_HOUSE, JournalError, sign
from punto.journal.leases import TERM, Lease, Leases
from punto.service.runtime.dealer import Dealer
from punto.service.runtime.dealt_notes import DealtNotes
from punto.service.runtime.floor import Floor, LeaseLost
from punto.service.runtime.gone_guests import GoneGuests
from punto.service.runtime.idle_seats import IdleSeats
from punto.service.runtime.live import Live, Said
from punto.service.runtime.recovery import has_lapsed, report_interruption
from punto.service.settings import Settings
from punto.table import Table, can, commands
from punto.table.snapshot import Marks

log = logging.getLogger("punto")
_LOOK = 1.0
"""Seconds between two looks for tables that nobody holds."""

_RENEW = 1.5
"""Seconds between two renewals of the leases."""

_RENEW_AGAIN = 0.2
"""Seconds after which a renewal that failed is tried again."""

_RENEW_LIMIT = 2.0
"""Seconds after which a renewal that does not come to an end is tried again, by another connection."""

_AT_ONCE = 25
"""Tables that are begun with at the same time."""

_FINISH = 1.0
"""Seconds in which a look that has begun may finish when the service stops."""

_PAUSE = 1.0
"""Seconds before a dealer who failed begins again."""


class LeaseHolder:
    """Takes the leases of tables, and does what belongs to whoever holds one."""

    def __init__(self, floor: Floor, settings: Settings, key: Callable[[], bytes], term: float = TERM) -> None:
        self._floor, self._settings = floor, settings
        self._key = key
        """Reads the key that signs: it may be replaced while the service runs."""
        self._leases = Leases(floor.journal, term)
        self._notes = DealtNotes(floor, settings)
        self._idle_seats = IdleSeats(floor, settings.idle_seat_minutes)
        self._gone_guests = GoneGuests(floor, settings)
        self._renewers = ThreadPoolExecutor(3, thread_name_prefix="renewer")
        """Threads of their own, so that nothing else is waited for."""
        self._held: dict[str, asyncio.Task[None] | None] = {}
        """The tables that are held, and the dealer of each virtual one."""
        self._opened_here: set[str] = set()
        """Tables whose lease was taken just before they were opened, and that are not among those held yet."""
        self._fences: dict[str, int] = {}
        """The fencing numbers of the tables that are held."""
        self._signed: dict[str, int] = {}
        """The last event of each table that a checkpoint was signed on."""
        self._tasks: list[asyncio.Task[None]] = []
        self._wake = asyncio.Event()
        self._stopping = False
        self._cut_off_until = 0.0
        """Until then nobody else's lease is taken: the store was away, and others may not have renewed theirs yet."""
        floor.preparations.append(self._before_opening)
        floor.watchers.append(self._watch)

    @property
    def tables(self) -> frozenset[str]:
        """The tables that this process holds."""
        return frozenset(self._held)

    def trouble(self) -> str | None:
        """What is wrong with the notes of how far tables have dealt, as a sentence; None if nothing is."""
        return self._notes.trouble()

    async def start(self) -> None:
        """Take every table that nobody holds, and go on looking for such."""
        self._tasks.append(asyncio.create_task(self._keep_renewing()))
        await self._look(starting=True)
        dying = True
        while dying:  # the tables of processes that have died are taken before anybody comes in
            dying = await asyncio.to_thread(self._leases.dying)
            await asyncio.sleep(_RENEW_AGAIN if dying else 0)
            await self._look(starting=True)
        self._tasks.append(asyncio.create_task(self._keep_looking()))

    async def stop(self) -> None:
        """Let every table go in good order: whoever takes it next finds no interruption."""
        self._stopping = True
        self._wake.set()
        looking = self._tasks[1:]
        if looking:
            await asyncio.wait(looking, timeout=_FINISH)  # in the middle of a look the store is in use
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self._stop_dealing()
        with suppress(JournalError):
            await asyncio.to_thread(self._leases.release)
        self._renewers.shutdown(wait=False, cancel_futures=True)
        self._notes.close()

    async def _stop_dealing(self) -> None:
        dealing = [task for task in self._held.values() if task is not None]
        for task in dealing:
            task.cancel()
        self._held.clear()
        self._opened_here.clear()
        await asyncio.gather(*dealing, return_exceptions=True)

    # Keeping the leases

    async def _keep_renewing(self) -> None:
        """Renew the leases while this loop runs: a process that hangs loses them."""
        loop, pause = asyncio.get_running_loop(), _RENEW
        while True:
            await asyncio.sleep(pause)
            pause = _RENEW_AGAIN
            try:
                async with asyncio.timeout(_RENEW_LIMIT):
                    kept = await loop.run_in_executor(self._renewers, self._leases.renew)
            except (JournalError, TimeoutError) as error:
                self._cut_off_until = time.monotonic() + _RENEW_LIMIT
                log.warning("leases not renewed", extra={"why": str(error) or "no answer in time"})
                continue
            pause = _RENEW
            if not kept:
                log.warning("leases lost", extra={"tables": len(self._held)})
                await self._stop_dealing()
                self._wake.set()

    async def _lost(self, name: str) -> None:
        """Another process has this table."""
        log.warning("lease lost", extra={"table": name})
        self._held.pop(name, None)
        await asyncio.to_thread(self._leases.forget, name)

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
        if self._notes.trouble() is not None:
            await asyncio.to_thread(self._notes.catch_up)
        chains = await self._floor.chains()
        names = sorted(set(chains) - set(OF_THE_HOUSE))
        wanted = [name for name in names if name not in self._held]
        if wanted and time.monotonic() >= self._cut_off_until:
            taken = await asyncio.to_thread(self._leases.take_all, wanted)
            if taken:
                await self._floor.load({name: chains[name] for name in taken})
                self._signed |= await asyncio.to_thread(self._floor.journal.last_signed, list(taken))
            await self._begin_all(taken.values(), starting=starting)
        for name in names:
            if self._stopping:
                return
            if name in self._held:
                await self._tended(name, self._checkpoint(name))
                await self._tended(name, self._idle_seats.look(name, self._fences[name]))
                await self._tended(name, self._gone_guests.look(name, self._fences[name]))
        for name in OF_THE_HOUSE:
            try:
                await self._checkpoint_house(name, chains.get(name, 0))
            except JournalError:  # another process has signed it at the same moment: look again what was signed
                self._signed.pop(name, None)

    async def _begin_all(self, leases: Iterable[Lease], *, starting: bool) -> None:
        """Begin with tables, several at a time."""
        waiting = list(leases)
        while waiting and not self._stopping:
            some, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            begun = (self._tended(each.table, self._begin(each, starting=starting)) for each in some)
            for failed in await asyncio.gather(*begun, return_exceptions=True):
                if isinstance(failed, BaseException):
                    raise failed

    async def _tended(self, name: str, work: Awaitable[None]) -> None:
        """Do something for a table. If it fails, the others are looked after all the same."""
        try:
            await work
        except JournalError:
            raise
        except LeaseLost:
            await self._lost(name)
        except Exception:
            log.exception("not tended", extra={"table": name})

    async def _begin(self, lease: Lease, *, starting: bool) -> None:
        """Begin with a table: recover it if its last holder did not let it go, and deal where its shoe is virtual."""
        name = lease.table
        live = await self._floor.live(name)
        table = live.table
        virtual = table is not None and table.setup.shoe == "virtual"
        restored = virtual and await asyncio.to_thread(self._notes.begin, name, table.shoes if table else 0)
        if restored or has_lapsed(lease, opened_here=name in self._opened_here, starting=starting):
            await report_interruption(self._floor, live, lease.fence)
        fresh = virtual and (restored or self._settings.fresh_shoes)
        if fresh:
            await self._forget_next_seed(live)
        self._held[name], self._fences[name] = None, lease.fence
        self._opened_here.discard(name)
        if virtual:
            self._held[name] = asyncio.create_task(self._deal(lease, fresh=fresh))

    async def _forget_next_seed(self, live: Live) -> None:
        """A seed that was drawn already for the next shoe may have been dealt from."""
        table = live.table
        assert table is not None
        await asyncio.to_thread(self._floor.journal.drop_secret, live.name, seed_name(table.shoes + 1))
        if table.shoe is None:
            self._notes.renewed_shoe(live)

    async def _deal(self, lease: Lease, *, fresh: bool) -> None:
        """Deal until the table is closed or taken over; the same dealer goes on after a failure."""
        dealer = Dealer(self._floor, lease.table, self._settings, lease.fence, fresh=fresh)
        while True:
            try:
                return await dealer.deal()
            except LeaseLost:
                return await self._lost(lease.table)
            except Exception:
                log.exception("the dealer dropped out", extra={"table": lease.table})
            await asyncio.sleep(_PAUSE)

    async def _checkpoint(self, name: str) -> None:
        """Sign the head of a chain and keep the state there, if enough was added since the last time."""
        live, every = await self._floor.live(name), self._settings.checkpoint_every
        to_sign = live.sequence - self._signed.get(name, 0) >= every
        if to_sign or live.doubtful or live.sequence - live.kept >= every:
            sequence, table, marks = live.sequence, live.table, live.marks
            assert table is not None
            await asyncio.to_thread(self._keep, name, sequence, table, marks, to_sign)
            live.kept, live.doubtful = sequence, False
            if to_sign:
                self._signed[name] = sequence

    def _keep(self, name: str, sequence: int, table: Table, marks: Marks, to_sign: bool) -> None:
        """Sign an entry, and keep the state of the table after it; the store is waited for."""
        journal, snapshots, fence = self._floor.journal, self._floor.snapshots, self._fences[name]
        [head] = journal.entries(name, sequence - 1, 1)
        if to_sign:
            journal.checkpoint(sign(self._key(), name, sequence, head.hash), fence)
        if snapshots is not None:
            snapshots.make(name, sequence, table, marks, head.hash, fence)

    async def _checkpoint_house(self, name: str, reached: int) -> None:
        """Sign the head of a chain of the house as the store has it, if enough was added since the last time."""
        journal = self._floor.journal
        before = self._signed.get(name)
        if before is None:
            points = await asyncio.to_thread(journal.checkpoints, name)
            before = self._signed[name] = points[-1].sequence if points else 0
        if reached - before < self._settings.checkpoint_every:
            return
        head = await asyncio.to_thread(journal.head, name)
        if head is not None:
            key = await asyncio.to_thread(self._key)
            await asyncio.to_thread(journal.checkpoint, sign(key, name, head.sequence, head.hash))
            self._signed[name] = head.sequence
