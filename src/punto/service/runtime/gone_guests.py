"""Guests whose session is over do not come back: whoever holds a table's lease lets them go, with their play money.

A guest has no password, so nobody can ever act as one again whose session has ended. Without this a table would
remember all of them for ever, and every page and every snapshot would grow with them.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from uuid import uuid4

from punto.journal.sessions import kept_sessions
from punto.rulebook import Refused
from punto.rulebook.vocabulary import DEALER
from punto.service.accounts.account import ACCOUNT, is_guest, read_account
from punto.service.accounts.directory import PERSON
from punto.service.runtime.floor import Floor
from punto.service.runtime.keys import house_key
from punto.service.runtime.speakers import HouseSpeaker, Overtaken
from punto.service.settings import Settings
from punto.table import Table, commands

_EVERY = 600.0
"""Seconds between two looks at a table."""

_AT_ONCE = 500
"""People whom the store is asked about at once."""


class GoneGuests:
    """Looks at tables where guests play for play money."""

    def __init__(self, floor: Floor, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self._floor, self._now = floor, now
        self._wanted = settings.guests and settings.money == "play"
        self._looked: dict[str, float] = {}
        """By table: when it was looked at."""

    async def look(self, name: str, fence: int | None) -> None:
        """Let everybody go who cannot come back, if the table was not looked at a short while ago."""
        now = self._now()
        if not self._wanted or now - self._looked.get(name, -_EVERY) < _EVERY:
            return
        self._looked[name] = now
        table = await self._floor.table(name)
        there = [each for each in table.patrons if may_go(each, table)]
        for at in range(0, len(there), _AT_ONCE):
            for person in await self._floor.ask_store(self._gone, there[at : at + _AT_ONCE]):
                await self._let_go(name, person, fence)

    def _gone(self, people: Sequence[str]) -> list[str]:
        """Those of these people who are guests without a session. It waits for the store."""
        journal = self._floor.journal
        names = {person: name for person, name in journal.records(PERSON, people).items() if is_guest(name)}
        if not names:
            return []
        accounts = {name: read_account(body) for name, body in journal.records(ACCOUNT, sorted(names.values())).items()}
        here = {(each.account, each.version) for each in kept_sessions(journal) if each.until >= time.time()}
        over = {name for name, each in accounts.items() if each.password is None and (name, each.version) not in here}
        return [person for person, name in names.items() if name in over]

    async def _let_go(self, name: str, person: str, fence: int | None) -> None:
        patron = (await self._floor.table(name)).patrons.get(person)
        if patron is None:
            return
        given: tuple[commands.Command, ...] = (commands.Leave(person, by=DEALER),)
        if patron.balance:
            given = (commands.CashOut(person, by=DEALER), *given)
        speaker = HouseSpeaker(given, DEALER, fence, holds=partial(may_go, person))
        with suppress(Overtaken, Refused):  # a wager of theirs may be settled again yet: the next look sees
            await self._floor.carry_out(name, speaker, house_key("gone-guest", uuid4().hex))


def may_go(person: str, table: Table | None) -> bool:
    """Whether somebody at an open table, or away with chips there, has nothing at stake and is asked nothing."""
    patron = None if table is None else table.patrons.get(person)
    if table is None or not table.open or patron is None or patron.held or patron.owed:
        return False
    return all(person not in each.waiting for each in table.questions)
