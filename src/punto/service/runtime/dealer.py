"""The dealer of a virtual table: shuffles, commits, deals at a human pace, and waits for people for a limited time.

The table says what is to be done next. The dealer knows no face: it is filled in when the command that opens a card is
decided.
"""

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from uuid import uuid4

from punto.journal import JournalError
from punto.rulebook import Refused
from punto.service.runtime.dealer_plan import BETTING, Memory, Plan, planned
from punto.service.runtime.floor import Floor, NotDurable
from punto.service.runtime.keys import house_key
from punto.service.runtime.live import Live
from punto.service.runtime.passed_offers import passed
from punto.service.runtime.speakers import HouseSpeaker, Overtaken
from punto.service.runtime.timing import PACE, Wanted, last, milliseconds, told_at
from punto.service.settings import Settings
from punto.table import Table, commands

log = logging.getLogger("punto")
_BETTING_STEP = 0.5
"""Seconds between two looks at the clock while bets are open."""

_IDLE = 5.0
"""Seconds until the next look at a table where others have to act."""


class Dealer:
    """Deals at one table for as long as this process holds its lease, whose number is `fence`."""

    def __init__(self, floor: Floor, name: str, settings: Settings, fence: int, *, fresh: bool = False) -> None:
        self._floor, self._name, self._settings, self._fence = floor, name, settings, fence
        self._began = 0
        """The number of the event that the present waiting time began with."""
        self._until = 0.0
        """When the present waiting time ends, by the monotonic clock."""
        self._memory = Memory(fresh)

    async def deal(self) -> None:
        """Deal until the table is closed; `LeaseLost` when another process deals."""
        while True:
            try:
                live = await self._floor.live(self._name)
                table = live.table
                if table is None or not table.open:
                    return
                moved = live.moved
                waits = await self.step(live, table)
            except Overtaken:
                continue
            except (Refused, NotDurable, JournalError) as error:
                log.info("the dealer waits", extra={"table": self._name, "why": str(error)})
                await asyncio.sleep(1)
                continue
            if waits > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(waits):  # `wait_for` may swallow that it is cancelled
                        await moved.wait()

    async def step(self, live: Live, table: Table) -> float:
        """Do one thing; the seconds to wait then, unless something happens before."""
        plan = planned(table, passed(live), self._memory)
        if plan is None:
            return _IDLE  # it is for others to do
        left = await self._waits(live, plan)
        if left > 0 and plan.wait == BETTING:
            await asyncio.sleep(min(left, _BETTING_STEP))  # without looking up at every chip
            return 0.0
        if left > 0:
            return left
        if plan.pause is not None:
            await asyncio.sleep(self._pace(plan.pause))
        speaker = HouseSpeaker(plan.commands, "dealer", self._fence, holds=partial(self._is_planned, live, plan))
        try:
            await self._floor.carry_out(self._name, speaker, house_key(uuid4().hex))
        except Refused:
            self._doubt_words(table, plan)
            raise
        self._remember(plan)
        if plan.then is not None:
            await asyncio.sleep(self._pace(plan.then))
        return 0.0

    def _is_planned(self, live: Live, plan: Plan, table: Table | None) -> bool:
        """Whether a plan is still the one for a table: a patron may have opened the cards that it takes from them."""
        now = None if table is None else planned(table, passed(live), self._memory)
        return now is not None and now.commands == plan.commands

    def _remember(self, plan: Plan) -> None:
        """Who did not open the cards in time is not waited for again in the round; a stale shoe is ended once."""
        if plan.slow is not None:
            self._memory.slow.add(plan.slow)
        elif isinstance(plan.commands[0], commands.EndShoe | commands.InviteWords | commands.LoadShoe):
            self._memory.stale = False
        elif isinstance(plan.commands[0], commands.OpenBets):
            self._memory.slow.clear()

    def _doubt_words(self, table: Table, plan: Plan) -> None:
        """Ask for words anew where the seed that they were asked for is gone, as after a restore that was cut off."""
        if table.words is not None and isinstance(plan.commands[0], commands.LoadShoe):
            self._memory.stale = True
        elif isinstance(plan.commands[0], commands.InviteWords):
            self._memory.stale = False

    # Time

    async def _left(self, live: Live, seconds: float, since: Wanted) -> float:
        """The seconds left of a waiting time that began with the last event of some kind, by the time on record.

        They are computed once: if the clock is set afterwards, nobody waits longer, and never longer than `seconds`.
        """
        began = last(live.last, since)
        if began is None and not self._began:  # it is too long ago to be in memory
            began = last(await self._floor.past(self._name, max(live.marks.round - 1, 0)), since)
        if began is not None and began.sequence != self._began:
            gone = (milliseconds(self._floor.clock()) - told_at(began)) / 1000
            self._began, self._until = began.sequence, time.monotonic() + min(max(seconds - gone, 0), seconds)
        return self._until - time.monotonic()

    async def _waits(self, live: Live, plan: Plan) -> float:
        """The seconds left of the time that people have before a plan is carried out."""
        if plan.wait is None or plan.since is None:
            return 0.0
        seconds = self._settings.betting_seconds if plan.wait == BETTING else self._pace(plan.wait)
        return await self._left(live, seconds, plan.since)

    def _pace(self, what: str) -> float:
        return PACE[what] * self._settings.pace
