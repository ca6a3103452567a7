"""Desks at a running service: each is worked out once, off the loop, and nobody else waits for it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.journal.leases import Leases
from punto.service.desk.desk import Desk, desk_of
from punto.service.http import desks
from service_process import until
from test_attacks import House, served

HUNDRED = 100_00


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with served(f"sqlite:///{tmp_path}/d.db", tmp_path, chips=HUNDRED) as found:
        yield found


class Worked:
    """Counts the desks that are worked out; while `free` is not set, none comes to its end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[tuple[int, str]] = []
        self.threads: set[str] = set()
        self.free = threading.Event()
        self.free.set()
        monkeypatch.setattr(desks, "desk_of", self._work_out)

    def _work_out(self, table: Any, viewer: str, sequence: int) -> Desk:
        self.asked.append((sequence, viewer))
        self.threads.add(threading.current_thread().name)
        assert self.free.wait(600)
        return desk_of(table, viewer, sequence)


def ask(house: House, name: str = "max") -> httpx.Response:
    return house.client.get("/api/tables/t1/desk", headers={"Authorization": f"Bearer {house.tokens[name]}"})


def test_whoever_asks_for_a_desk_meanwhile_is_given_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred requests and a screen of one viewer: one working-out; another viewer has one of their own."""
    worked = Worked(monkeypatch)
    with ThreadPoolExecutor(20) as staff:
        answers = [each.result() for each in [staff.submit(ask, house) for _ in range(100)]]
    assert {each.status_code for each in answers} == {200}
    assert len({each.content for each in answers}) == 1
    assert len(worked.asked) == 1
    head = {"Authorization": f"Bearer {house.tokens['max']}"}
    with house.client.websocket_connect("/api/tables/t1/screen?desk=true", headers=head) as screen:
        assert screen.receive_json()["desk"] == answers[0].json()
    assert len(worked.asked) == 1
    assert ask(house, "lee").json()["rank"] != answers[0].json()["rank"]
    assert len(worked.asked) == 2


def test_a_desk_is_worked_out_anew_when_something_has_happened(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = Worked(monkeypatch)
    before = ask(house).json()
    house.must("max", do="open-bets")
    after = ask(house).json()
    assert before["sequence"] < after["sequence"]
    assert before["may"]["open-bets"] is None
    assert after["may"]["open-bets"] is not None
    assert len(worked.asked) == 2


def test_who_goes_away_takes_a_desk_from_nobody_else(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = Worked(monkeypatch)
    worked.free.clear()
    casino = house.client.app.state.casino

    async def both() -> Desk:
        live = await casino.floor.live("t1")
        first, second = (asyncio.ensure_future(casino.desks.of(live, "dealer")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        worked.free.set()
        found: Desk = await second
        assert first.cancelled()
        return found

    assert house.client.blocking_portal.call(both).rank == "dealer"
    assert len(worked.asked) == 1


def renewals(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often the leases of this process have been renewed so far."""
    made: list[bool] = []
    renew = Leases.renew

    def counted(leases: Leases, *given: Any, **more: Any) -> Any:
        found = renew(leases, *given, **more)
        made.append(True)
        return found

    monkeypatch.setattr(Leases, "renew", counted)
    return lambda: len(made)


def test_while_a_desk_is_worked_out_health_answers_and_leases_are_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk stands still until everything else has gone on: so nothing waits for it."""
    renewed, worked = renewals(monkeypatch), Worked(monkeypatch)
    with served(f"sqlite:///{tmp_path}/d.db", tmp_path, chips=HUNDRED) as house, ThreadPoolExecutor(20) as staff:
        worked.free.clear()
        asked = [staff.submit(ask, house, name) for name in ("max", "lee") for _ in range(10)]
        try:
            until(lambda: worked.asked, "a desk to be worked out")
            before = renewed()
            assert house.client.get("/health").status_code == 200
            house.must("max", do="open-bets")
            house.must("ann", do="place", patron="ann", bet="player", stake=HUNDRED)
            until(lambda: renewed() > before + 1, "the leases to be renewed")
            assert not any(each.done() for each in asked)
        finally:
            worked.free.set()
        assert {each.result().status_code for each in asked} == {200}
    assert all(name.startswith("desk") for name in worked.threads)
    assert len(worked.threads) == 1


def test_a_desk_that_is_not_known_yet_counts_for_what_it_takes(tmp_path: Path) -> None:
    """One account has so many worked out; what is known is told, and others are not concerned."""
    with served(f"sqlite:///{tmp_path}/d.db", tmp_path, chips=HUNDRED, read_rate=0.001, read_burst=150) as house:
        said = []
        for _ in range(4):
            house.must("ann", do="buy-in", patron="ann", amount=HUNDRED)
            said += [ask(house).status_code, ask(house).status_code]
        assert said == [200] * 6 + [429] * 2
        assert ask(house, "lee").status_code == 200
