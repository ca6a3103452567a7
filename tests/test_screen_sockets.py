"""Screens on real sockets of the service: everything a page shows is pushed to it, and only to whom it is for."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from patching import Watcher
from punto.service.http.screen import Screen, ScreenSocket
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import KEPT, Live
from service_process import PATIENCE
from test_api import House, begin, with_table


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with begin(tmp_path) as client:
        made = with_table(client)
        made.seat()
        yield made


class Page:
    """A page that somebody has open: its socket, and what it shows."""

    def __init__(self, house: House, name: str | None, socket: Any, desk: bool) -> None:
        self.house, self.name, self.socket, self.desk = house, name, socket, desk
        self.watcher = Watcher()
        self.answers: dict[str, Any] = {}

    def take(self) -> None:
        """The next message, whatever it is."""
        said = self.socket.receive_text(timeout=PATIENCE)
        found = json.loads(said)
        if "key" in found:
            self.answers[found["key"]] = found
        else:
            self.watcher.take(said)

    def follow(self, sequence: int) -> None:
        """Wait until the page shows so much."""
        while self.watcher.sequence < sequence:
            self.take()

    def check(self) -> None:
        """The page shows what the house would answer it now."""
        fresh = self.house.get("/api/tables/t1", self.name).json()
        self.follow(fresh["sequence"])
        del fresh["now"]
        assert self.watcher.snapshot == fresh
        if self.desk:
            assert self.watcher.desk == self.house.get("/api/tables/t1/desk", self.name).json()


def opened(stack: ExitStack, house: House, name: str | None, query: str = "") -> Page:
    """Open a page for somebody."""
    path = f"/api/tables/t1/screen{query}"
    socket = stack.enter_context(house.client.websocket_connect(path, headers=house.as_(name)))
    return Page(house, name, socket, "desk" in query)


def test_every_screen_shows_what_it_would_be_answered_through_a_round(house: House) -> None:
    with ExitStack() as stack:
        pages = [opened(stack, house, name) for name in ("ann", "bob", "eve", None)]
        pages.append(opened(stack, house, "lee", "?desk=true"))
        for each in pages:
            each.check()

        def step(name: str, do: str, **more: Any) -> None:
            house.do(name, do, **more)
            for each in pages:
                each.check()

        step("lee", "open-bets")
        step("ann", "place", patron="ann", bet="player", stake=2000)
        step("bob", "place", patron="bob", bet="banker", stake=2000)
        step("bob", "place", patron="bob", bet="tie", stake=1000)
        step("bob", "withdraw", patron="bob", bet="tie")
        step("lee", "close-bets")
        for face in ("9h", "2c", "Kd", "5s"):
            step("lee", "draw")
            step("lee", "expose", faces=[face])
        step("lee", "announce", what="result")
        step("lee", "settle")
        step("ann", "leave", patron="ann")
        assert [each.watcher.wholes for each in pages] == [1] * len(pages)
        told = {each.name: [entry["event"]["event"] for entry in each.watcher.entries] for each in pages}
        assert told["lee"].count("round-settled") == told[None].count("round-settled") == 1


def test_a_page_is_told_the_round_that_it_finds(house: House) -> None:
    house.play()
    house.bets()
    with ExitStack() as stack:
        page = opened(stack, house, "ann")
        page.check()
        told = [each["event"]["event"] for each in page.watcher.entries]
        assert told == ["bets-opened", "wager-placed", "wager-placed"]


def test_commands_are_answered_by_their_key(house: House) -> None:
    with ExitStack() as stack:
        page = opened(stack, house, "ann")
        page.check()
        start = page.watcher.sequence
        page.socket.send_text(json.dumps({"key": "k1", "command": {"do": "buy-in", "patron": "ann", "amount": 5000}}))
        page.socket.send_text(json.dumps({"key": "k2", "command": {"do": "open-bets"}}))
        while len(page.answers) < 2:
            page.take()
        assert page.answers["k1"] == {"key": "k1", "first": start + 1, "last": start + 1, "repeated": False}
        assert (page.answers["k2"]["kind"], page.answers["k2"]["clauses"]) == ("Refused", ["3.3"])
        page.check()
        assert [each["event"]["event"] for each in page.watcher.entries[-1:]] == ["bought-in"]


def test_who_comes_back_gets_everything_anew_and_each_entry_once(house: House) -> None:
    house.play()
    with ExitStack() as stack:
        page = opened(stack, house, "bob", "?after=3")
        page.check()
        numbers = [each["sequence"] for each in page.watcher.entries]
        assert numbers == list(range(4, house.sequence() + 1))
        assert page.watcher.wholes == 1


def test_nothing_is_missed_that_is_not_in_memory_any_more(house: House) -> None:
    for _ in range(KEPT // 20 + 20):
        house.play()
    last = house.sequence()
    assert last > KEPT + 100
    with ExitStack() as stack:
        page = opened(stack, house, "lee", "?after=0")
        page.check()
        assert [each["sequence"] for each in page.watcher.entries] == list(range(1, last + 1))


class Recorded(ScreenSocket):
    """A screen's socket that keeps what it would send."""

    def __init__(self, live: Live, floor: Floor, screen: Screen) -> None:
        nowhere: Any = None
        super().__init__(nowhere, live, floor, screen)
        self.watcher = Watcher()

    async def say(self, data: bytes) -> None:
        self.watcher.take(data)


def test_each_entry_is_told_once_though_the_account_changes_meanwhile(house: House) -> None:
    for _ in range(KEPT // 20 + 20):
        house.play()
    casino = house.client.app.state.casino

    async def caught_up() -> Watcher:
        live = await casino.floor.live("t1")
        socket = Recorded(live, casino.floor, Screen(live, casino.screens.of(live), 0))
        telling = asyncio.create_task(socket.tell())
        await asyncio.sleep(0)  # now it reads the journal
        await socket.account_changed()
        while socket.watcher.sequence < live.sequence:
            await asyncio.sleep(0.01)
        telling.cancel()
        return socket.watcher

    watcher = house.client.blocking_portal.call(caught_up)
    assert [each["sequence"] for each in watcher.entries] == list(range(1, house.sequence() + 1))
    assert watcher.wholes == 1


def test_a_purse_reaches_its_owner_and_the_staff_alone(house: House) -> None:
    with ExitStack() as stack:
        pages = [opened(stack, house, name) for name in ("ann", "bob", "lee", None)]
        for each in pages:
            each.check()
        house.do("ann", "buy-in", patron="ann", amount=31400)
        seen = {}
        for each in pages:
            each.check()
            said = json.dumps([each.watcher.snapshot, each.watcher.entries])
            seen[each.name] = "131400" in said or "31400" in said
        assert seen == {"ann": True, "bob": False, "lee": True, None: False}


@pytest.mark.parametrize("query", ["", "?desk=true"])
def test_a_post_that_is_lost_is_lost_on_an_open_screen(house: House, query: str) -> None:
    with ExitStack() as stack:
        page = opened(stack, house, "lee", query)
        page.check()
        assert page.watcher.snapshot["you"] == "lee"
        assert page.watcher.snapshot["view"]["patrons"][0]["balance"] == 100000
        house.accounts.hold("lee", "*", None)
        if query:
            with pytest.raises(WebSocketDisconnect) as closed:
                page.take()
            assert (closed.value.code, closed.value.detail) == (4401, "You hold no post at this table.")
        else:
            page.take()
            assert page.watcher.snapshot["you"] is None
            assert page.watcher.snapshot["view"]["patrons"][0]["balance"] is None
            page.check()


@pytest.mark.parametrize(
    ("name", "path", "code", "says"),
    [
        ("ann", "/api/tables/t1/screen?desk=true", 4401, "You hold no post at this table."),
        ("eve", "/api/tables/t1/screen?desk=true", 4401, "You hold no post at this table."),
        (None, "/api/tables/t1/screen?desk=true", 4401, "Log in first."),
        ("ann", "/api/tables/none/screen", 4404, "There is no table 'none'."),
    ],
)
def test_a_screen_that_is_turned_away_is_told_why(
    house: House, name: str | None, path: str, code: int, says: str
) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        house.client.websocket_connect(path, headers=house.as_(name)) as socket,
    ):
        socket.receive_text(timeout=PATIENCE)
    assert (closed.value.code, closed.value.detail) == (code, says)
