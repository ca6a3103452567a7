"""A table is never nobody's: whoever opens one holds its lease before it is there, and is missed when it dies."""

import asyncio
import signal
import socket
import time
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from databases import fresh
from punto.journal import Append, Journal
from punto.journal.leases import HELD, RELEASED, Lease, Leases, all_left_behind, left_behind
from punto.service.runtime import lease_holder
from punto.service.runtime.dealer import Dealer
from punto.service.runtime.floor import Floor
from punto.service.runtime.lease_holder import LeaseHolder
from punto.service.runtime.live import Live
from punto.service.runtime.notifications import following
from punto.table import Table, act, commands, encode
from punto.table.events import Reported
from service_process import HOST, PATIENCE, People, Service, bearer, database, opening
from service_room import Room, betting, quick
from warm_start import warm_starts

SOCKETS = 40
TABLES = 1000


async def _never() -> None:
    """What a process does that dies before it gets round to it."""


async def _open_and_bet(room: Room) -> None:
    await room.open("t", "wu-song", shoe="hand")
    await room.do("t", commands.LoadShoe())
    await room.seat("t", "ann", 1)
    await room.do("t", commands.OpenBets(), commands.Place("ann", "player", 100_00, by="ann"))


def test_whoever_opens_a_table_and_dies_before_tending_it_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = quick(fresh("postgresql", tmp_path), tmp_path)

    async def story() -> None:
        async with Room(given) as opener, Room(given) as other:
            monkeypatch.setattr(opener.holder, "_look", _never)
            await _open_and_bet(opener)
            await asyncio.sleep(2.5)  # the other one has looked twice
            assert not await other.happened("t", Reported), "its opener lives"
            assert (await other.floor.table("t")).running is not None
            opener.holder._leases.close()  # as the system does when a process dies
            table = await other.until("t", lambda table: table.running is None)
            [(said, reported)] = await other.said("t", Reported)
            assert b'"who":"service"' in said.message
            assert (reported.fact, reported.guards["cause"]) == ("interruption", "other")
            assert table.patrons["ann"].balance == 5_000_00

    asyncio.run(story())


def test_whoever_opens_a_table_and_goes_in_good_order_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = quick(fresh("postgresql", tmp_path), tmp_path)

    async def story() -> None:
        async with Room(given) as other:
            async with Room(given) as opener:
                monkeypatch.setattr(opener.holder, "_look", _never)
                await _open_and_bet(opener)
            assert opener.settings == other.settings
            async with asyncio.timeout(PATIENCE):
                while "t" not in other.holder.tables:
                    await asyncio.sleep(0.01)
            assert not await other.happened("t", Reported)

    asyncio.run(story())


def test_a_table_that_is_refused_takes_no_lease(tmp_path: Path) -> None:
    async def story() -> None:
        async with Room(quick(f"sqlite:///{tmp_path}/room.db", tmp_path)) as room:
            with pytest.raises(ValueError, match="decks"):
                await room.open("t", "wu-song", decks=1)
            assert left_behind(room.journal, "t") is None

    asyncio.run(story())


def test_a_lease_that_a_dead_process_left_behind_does_not_interrupt_whoever_opens_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took the lease and died before the table was there: nobody can have interrupted anything."""
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path)

    async def story() -> None:
        with closing(Journal(given.database)) as journal:
            journal.upgrade()
            dead = Leases(journal)
            assert dead.take("t") is not None
            dead.close()
        async with Room(given) as room:
            assert left_behind(room.journal, "t") == HELD
            look, bets_lie = room.holder._look, asyncio.Event()

            async def look_later() -> None:
                await bets_lie.wait()
                await look()

            monkeypatch.setattr(room.holder, "_look", look_later)
            await _open_and_bet(room)
            bets_lie.set()
            await _held(room, "t")
            assert not await room.happened("t", Reported)

    asyncio.run(story())


@pytest.mark.parametrize(("found", "interrupted"), [("at the start", True), ("later", False)])
def test_a_table_that_nobody_ever_had_a_lease_of_was_interrupted_if_it_is_found_so_at_the_start(
    tmp_path: Path, found: str, interrupted: bool
) -> None:
    """Whoever opened it runs no tables. While that process may be alive, its round is not touched."""
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path)

    async def bare() -> None:
        floor = Floor(Journal(given.database))
        await _open_and_bet(_On(floor))
        await floor.stop()
        floor.journal.close()

    async def story() -> None:
        if found == "at the start":
            Journal(given.database).upgrade()
            await bare()
        async with Room(given) as room:
            if found == "later":
                await bare()
            await _held(room, "t")
            assert bool(await room.happened("t", Reported)) == interrupted

    asyncio.run(story())


class _On(Room):
    """A room with a floor alone: nobody there holds a lease."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor


async def _held(room: Room, name: str) -> None:
    """Wait until a process has taken a table, and has dealt with what it found."""
    async with asyncio.timeout(PATIENCE):
        while name not in room.holder.tables:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_stops_in_good_order_with_sockets_open(kind: str, tmp_path: Path) -> None:
    with database(kind) as store:
        people = People(store.url)
        lee, ann = people.staff("lee", "table-game-shift-manager"), people.patron("ann")
        people.close()
        with Service(
            tmp_path, store.url, warm_starts(), betting_seconds=1, pace=0.05, rate=1e4, burst=10_000
        ) as service:
            service.start()
            path = f"{service.address}/api/tables/t/commands"
            opened = httpx.post(path, json=opening("wu-song", shoe="virtual"), headers=bearer(lee), timeout=600)
            assert opened.status_code == 200
            with ExitStack() as held:
                sockets = [held.enter_context(_follow(service, ann)) for _ in range(SOCKETS)]
                for each in sockets:
                    each.recv(timeout=600)
                held.enter_context(_mute(service, ann))
                assert service.stop() == -signal.SIGTERM
                assert {_closed(each) for each in sockets} <= {1001, 1012}
        journal = Journal(store.url)
        assert left_behind(journal, "t") == RELEASED
        journal.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_stops_in_good_order_with_many_tables_and_those_who_dawdle(kind: str, tmp_path: Path) -> None:
    with database(kind) as store:
        people = People(store.url)
        ann = people.patron("ann")
        people.close()
        journal = Journal(store.url, limited=False)  # a busy machine may stop for seconds in between
        _, made = act(None, msgspec.convert(opening("wu-song"), commands.OpenTable))
        bodies = tuple(encode(each) for each in made)
        names = [f"t{number}" for number in range(TABLES)]
        journal.append([Append(each, 0, "k", "lee", "2026-11-15T08:00:00.000Z", bodies) for each in names])
        with Service(tmp_path, store.url, warm_starts()) as service:
            service.start()
            assert set(all_left_behind(journal).values()) == {HELD}
            with _mute(service, ann, "t1"), _stalled(service, ann), ExitStack() as held:
                for _ in range(SOCKETS):
                    held.enter_context(_mute(service, ann, "t2"))
                assert service.stop() == -signal.SIGTERM
        assert all_left_behind(journal) == dict.fromkeys(names, RELEASED)
        journal.close()


def _stalled(service: Service, token: str) -> socket.socket:
    """Somebody who says that a command comes, and then does not send it."""
    line = socket.create_connection((HOST, service.port), timeout=600)
    head = f"POST /api/tables/t1/commands HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n"
    line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{".encode())
    time.sleep(0.2)
    return line


# Those who drop out


def test_a_dealer_who_drops_out_is_logged_and_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    step, left = Dealer.step, iter(["once", "twice"])

    async def ill(self: Dealer, live: Live, table: Table) -> float:
        if next(left, None):
            raise KeyError("nobody foresaw this")
        return await step(self, live, table)

    async def story() -> None:
        async with Room(quick(f"sqlite:///{tmp_path}/room.db", tmp_path)) as room:
            await room.open("t", "wu-song")
            await room.until("t", betting)

    monkeypatch.setattr(Dealer, "step", ill)
    monkeypatch.setattr(lease_holder, "_PAUSE", 0.05)
    asyncio.run(story())
    said = [each for each in caplog.records if each.getMessage() == "the dealer dropped out"]
    assert [each.__dict__["table"] for each in said] == ["t", "t"]
    assert all(each.exc_info for each in said)


def test_looking_after_tables_goes_on_whatever_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with Room(quick(f"sqlite:///{tmp_path}/room.db", tmp_path)) as room:
            chains, left = room.floor.chains, iter(["once"])

            async def broken() -> dict[str, int]:
                if next(left, None):
                    raise KeyError("nobody foresaw this")
                return await chains()

            monkeypatch.setattr(room.floor, "chains", broken)
            await room.open("t", "wu-song")
            await room.until("t", betting)

    asyncio.run(story())
    [said] = [each for each in caplog.records if each.getMessage() == "not tending"]
    assert said.exc_info


def test_one_table_that_cannot_be_tended_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin = LeaseHolder._begin

    async def broken(self: LeaseHolder, lease: Lease, *, starting: bool) -> None:
        if lease.table == "a":
            raise KeyError("nobody foresaw this")
        await begin(self, lease, starting=starting)

    async def story() -> None:
        async with Room(quick(f"sqlite:///{tmp_path}/room.db", tmp_path)) as room:
            await room.open("a", "wu-song")
            await room.open("b", "wu-song")
            await room.until("b", betting)

    monkeypatch.setattr(LeaseHolder, "_begin", broken)
    asyncio.run(story())
    assert {each.__dict__["table"] for each in caplog.records if each.getMessage() == "not tended"} == {"a"}


# Sockets


def _follow(service: Service, token: str) -> ClientConnection:
    address = f"{service.address.replace('http', 'ws', 1)}/api/tables/t/stream"
    return connect(address, additional_headers=bearer(token), open_timeout=600, compression=None)


def _mute(service: Service, token: str, table: str = "t") -> socket.socket:
    """A socket of somebody who says nothing more, not even goodbye."""
    line = socket.create_connection((HOST, service.port), timeout=600)
    head = {
        "Host": f"{HOST}:{service.port}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        **bearer(token),
    }
    lines = [f"GET /api/tables/{table}/stream HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    line.sendall("\r\n".join(lines).encode())
    assert b" 101 " in line.recv(1024)
    return line


def _closed(line: ClientConnection) -> int:
    """The code with which the service closed a socket."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            line.recv(timeout=1)
        except TimeoutError:
            continue
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 0
    raise AssertionError("the socket is still open")


def test_what_the_own_process_commits_beside_its_floor_is_heard_of_too(tmp_path: Path) -> None:
    """As when somebody's purse is emptied by the account's removal, or when the answer to a commit came too late."""

    async def story() -> None:
        async with Room(quick(fresh("postgresql", tmp_path), tmp_path)) as room, following(room.journal, room.floor):
            await room.open("t", "wu-song", shoe="hand", auto=())
            live = await room.live("t")
            assert live.table is not None
            table, made = act(live.table, commands.Stand("ann", by="ann"))
            bodies = tuple(encode(each) for each in made)
            beside = Append("t", live.sequence, "beside", "ann", "2026-11-15T00:00:00Z", bodies)
            await asyncio.to_thread(room.journal.append, [beside])
            assert (await room.until("t", lambda now: "ann" in now.patrons)).patrons == table.patrons

    asyncio.run(story())
