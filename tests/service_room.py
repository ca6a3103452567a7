"""The service without its doors: a floor, its faces and its leases, in the loop of a test."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeVar
from uuid import uuid4

from patient_settings import settings
from punto.journal import Journal, MasterKey
from punto.journal.leases import TERM
from punto.rulebook import Refused
from punto.service.keys.signing import signing_key
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Committed, Floor
from punto.service.runtime.lease_holder import LeaseHolder
from punto.service.runtime.live import Live, Said
from punto.service.settings import Settings
from punto.settlement import Limits
from punto.table import Table, commands, events
from service_process import PATIENCE

LIMITS = Limits(minimum=10_00, maximum=2_000_00, differential=5_000_00)
MASTER = MasterKey.new()
_E = TypeVar("_E", bound=events.Event)


def quick(url: str, folder: Path, **more: object) -> Settings:
    """Settings for a room that loses no time."""
    given: dict[str, object] = {"betting_seconds": 0.2, "pace": 0.02, "money": "play", "second_factor": (), **more}
    return settings(None, {}, database=url, key_file=str(folder / "punto.key"), **given)


def betting(table: Table) -> bool:
    """Whether bets are open."""
    return table.running is not None and table.running.phase == "betting"


class Room:
    """A process, as far as its tables are concerned."""

    def __init__(self, given: Settings, term: float = TERM, clock: Callable[[], str] | None = None) -> None:
        self.settings, self.term, self.clock = given, term, clock

    async def __aenter__(self) -> "Room":
        """Take the leases of whatever tables there are."""
        self.journal = Journal(self.settings.database)
        await asyncio.to_thread(self.journal.upgrade)
        key = partial(signing_key, Path(self.settings.key_file), MASTER)
        self.floor = Floor(self.journal, key=key, clock=self.clock)
        self.faces = Faces(self.floor)
        self.holder = LeaseHolder(self.floor, self.settings, key, self.term)
        await self.holder.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let every table go in good order."""
        await self.holder.stop()
        await self.floor.stop()
        self.journal.close()

    async def open(self, name: str, book: str, **more: object) -> None:
        """Open a virtual table."""
        given: dict[str, object] = {"decks": 8, "limits": LIMITS, "shoe": "virtual", "auto": ("announce", "offer")}
        opened = commands.OpenTable(book, "2026-11-15T08:00:00+08:00", by="pit-manager", **{**given, **more})  # type: ignore[arg-type]  # the test says what fits
        await self.do(name, opened)

    async def do(self, name: str, *given: commands.Command) -> Committed:
        """Give commands that are accepted; what the last of them led to."""
        for each in given:
            outcome = await self.floor.submit(name, each, who=each.by, key=uuid4().hex)
        return outcome

    async def seat(self, name: str, who: str, box: int) -> None:
        """Somebody sits down, with chips."""
        await self.do(name, commands.Sit(who, box, by=who), commands.BuyIn(who, 5_000_00, by=who))

    async def bet(self, name: str, who: str, bet: str, stake: int) -> None:
        """Put chips on a bet as soon as bets are open; if they close meanwhile, in the next round."""
        while True:
            await self.until(name, betting)
            try:
                await self.do(name, commands.Place(who, bet, stake, by=who))
            except Refused:
                if betting(await self.floor.table(name)):
                    raise
            else:
                return

    async def until(self, name: str, asked: Callable[[Table], bool]) -> Table:
        """Wait until a table is as one wants it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                live = await self.floor.live(name)
                moved = live.moved
                assert live.table is not None
                if asked(live.table):
                    return live.table
                await moved.wait()

    async def live(self, name: str) -> Live:
        """A table in memory."""
        return await self.floor.live(name)

    async def said(self, name: str, kind: type[_E]) -> list[tuple[Said, _E]]:
        """What has happened of a kind."""
        return [(said, said.event) for said in await self.floor.past(name, 0) if isinstance(said.event, kind)]

    async def happened(self, name: str, kind: type[_E]) -> list[_E]:
        """The events of a kind."""
        return [event for _, event in await self.said(name, kind)]
