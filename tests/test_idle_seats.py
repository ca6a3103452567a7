"""Seats of patrons who do nothing are given back after a while, with their chips in keeping, and nobody else's are."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from databases import fresh
from punto.service.runtime.floor import LeaseLost
from punto.service.runtime.idle_seats import IdleSeats
from punto.service.settings import BadSettings
from punto.table import commands, events
from service_process import until
from service_room import Room, quick
from test_money import HUNDRED, served

MINUTES = 10


class Watched:
    """A room with a table dealt by hand, whose idle seats are looked at by a clock of the test."""

    def __init__(self, room: Room) -> None:
        self.room, self.minute = room, 0.0
        self.idle = IdleSeats(room.floor, MINUTES, lambda: 60 * self.minute)
        self.fence = 0

    async def look(self, minute: float) -> dict[str, int | None]:
        """Look at a minute; the boxes of the patrons then."""
        self.minute = minute
        await self.idle.look("t1", self.fence)
        table = await self.room.floor.table("t1")
        return {name: each.box for name, each in table.patrons.items() if not each.away}


async def until_held(room: Room) -> int:
    """The number of the lease of the table, once the room holds it."""
    while "t1" not in room.holder.tables:
        await asyncio.sleep(0.01)
    return room.holder._fences["t1"]


@asynccontextmanager
async def watched(folder: Path) -> AsyncIterator[Watched]:
    async with Room(quick(fresh("sqlite", folder), folder)) as room:
        await room.open("t1", "wu-song", shoe="hand")
        await room.do("t1", commands.LoadShoe())
        found = Watched(room)
        await room.seat("t1", "ann", 1)
        await room.seat("t1", "bob", 2)
        found.fence = await until_held(room)
        await found.look(0)
        yield found


def spend(evening: Callable[[Watched], Awaitable[None]], folder: Path) -> None:
    """Let an evening pass in a room of its own."""

    async def whole() -> None:
        async with watched(folder) as found:
            await evening(found)

    asyncio.run(whole())


def test_whoever_does_nothing_for_ten_minutes_leaves_and_keeps_their_chips(tmp_path: Path) -> None:
    async def evening(found: Watched) -> None:
        assert await found.look(9.9) == {"ann": 1, "bob": 2}
        await found.room.do("t1", commands.OpenBets())
        await found.room.do("t1", commands.Place("ann", "banker", 10_00, by="ann"))
        await found.room.do("t1", commands.Withdraw("ann", "banker", 1, by="ann"))
        assert await found.look(10) == {"ann": 1}
        table = await found.room.floor.table("t1")
        assert (table.patrons["bob"].away, table.patrons["bob"].balance) == (True, 5_000_00)
        [left] = [each for each in await found.room.floor.past("t1", 0) if isinstance(each.event, events.PatronLeft)]
        assert left.event == events.PatronLeft("bob", True)
        assert b'"who":"dealer"' in left.message
        assert await found.look(19.8) == {"ann": 1}, "ten minutes from what she did last"
        assert await found.look(20) == {}
        await found.room.do("t1", commands.Sit("bob", 2, by="bob"))
        assert await found.look(20.1) == {"bob": 2}
        assert (await found.room.floor.table("t1")).patrons["bob"].balance == 5_000_00

    spend(evening, tmp_path)


def test_nobody_loses_a_seat_with_money_at_stake(tmp_path: Path) -> None:
    async def evening(found: Watched) -> None:
        await found.room.do("t1", commands.OpenBets(), commands.Place("ann", "banker", 10_00, by="ann"))
        assert await found.look(60) == {"ann": 1}
        await found.room.do("t1", commands.Withdraw("ann", "banker", 1, by="ann"))
        assert await found.look(61) == {"ann": 1}, "the time begins with what she did last"

    spend(evening, tmp_path)


def test_what_the_staff_do_for_a_patron_keeps_the_seat(tmp_path: Path) -> None:
    async def evening(found: Watched) -> None:
        await found.room.do("t1", commands.Assign("lee", "pit-manager", by="pit-manager"), commands.OpenBets())
        found.minute = 9
        await found.room.do("t1", commands.Place("ann", "banker", 10_00, by="lee"))
        await found.room.do("t1", commands.Withdraw("ann", "banker", 1, by="lee"))
        assert await found.look(12) == {"ann": 1}

    spend(evening, tmp_path)


def test_only_the_holder_of_the_lease_gives_seats_back(tmp_path: Path) -> None:
    async def evening(found: Watched) -> None:
        found.fence += 1
        with pytest.raises(LeaseLost):
            await found.look(60)
        found.fence -= 1
        assert await found.look(60) == {}

    spend(evening, tmp_path)


def test_the_service_does_so_where_the_house_has_set_it(tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    with served(url, tmp_path, money="play", idle_seat_minutes=0.05) as house:
        house.open("t1")
        house.must("ann", "buy-in", patron="ann", amount=HUNDRED)

        def gone() -> bool | None:
            found = house.get("lee", "/api/tables/t1")["view"]["patrons"]
            return all(each["away"] for each in found) or None

        until(gone, "the seats to be given back")
        assert house.chips("ann") == HUNDRED
        house.must("ann", "sit", patron="ann", box=1)
        house.must("ann", "cash-out", patron="ann")
    with pytest.raises(BadSettings, match="idle_seat_minutes"), served(url, tmp_path, idle_seat_minutes=0):
        pass
