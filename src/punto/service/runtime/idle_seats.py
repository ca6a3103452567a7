"""Seats of patrons who have done nothing for a while are given back: whoever holds a table's lease sees to it.

The chips stay the patron's, and so does everything else that somebody keeps who leaves. Nobody loses a seat while money
of theirs is at stake, or while they are asked something.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from uuid import uuid4

import msgspec

from punto.rulebook import Refused
from punto.rulebook.vocabulary import DEALER
from punto.service.runtime.floor import Floor
from punto.service.runtime.keys import house_key
from punto.service.runtime.live import Live, Said
from punto.service.runtime.speakers import HouseSpeaker, Overtaken
from punto.table import Table, commands


class _GivenBy(msgspec.Struct):
    who: str


_messages = msgspec.json.Decoder(_GivenBy)


class IdleSeats:
    """Remembers when each patron has last done something at a table, or had something done by the staff."""

    def __init__(self, floor: Floor, minutes: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self._floor, self._seconds, self._now = floor, None if minutes is None else 60 * minutes, now
        self._acted: dict[str, dict[str, float]] = {}
        """By table and patron: when they acted, or were first found there."""
        if minutes is not None:
            floor.watchers.append(self._hear)

    def _hear(self, live: Live, news: tuple[Said, ...]) -> None:
        acted = self._acted.get(live.name)
        if not acted or live.table is None:
            return
        for said in news:
            who = _messages.decode(said.message).who
            person = getattr(said.event, "patron", None) if who in live.table.posts else who
            if person in acted:
                acted[person] = self._now()

    async def look(self, name: str, fence: int) -> None:
        """Give back every seat at a table whose time is over."""
        if self._seconds is None:
            return
        live = await self._floor.live(name)
        seated = [] if live.table is None else [each for each in live.table.patrons if may_go(each, live.table)]
        before, now = self._acted.get(name, {}), self._now()
        acted = self._acted[name] = {each: before.get(each, now) for each in seated}
        for person in seated:
            if now - acted[person] >= self._seconds:
                await self._give_back(name, person, fence)

    async def _give_back(self, name: str, person: str, fence: int) -> None:
        given = (commands.Leave(person, by=DEALER),)
        speaker = HouseSpeaker(given, DEALER, fence, holds=partial(may_go, person))
        with suppress(Overtaken, Refused):  # they have just bet, or the book keeps them: the next look sees
            await self._floor.carry_out(name, speaker, house_key("idle-seat", uuid4().hex))


def may_go(person: str, table: Table | None) -> bool:
    """Whether somebody sits at a table who has nothing at stake and is asked nothing."""
    patron = None if table is None else table.patrons.get(person)
    if table is None or patron is None or patron.box is None or patron.away or patron.held:
        return False
    return table.open and all(person not in each.waiting for each in table.questions)
