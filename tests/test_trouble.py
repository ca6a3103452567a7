"""The disk is full, the database is away for a while, the clock is set back: nothing is lost, and it goes on."""

import asyncio
import resource
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from punto.journal import Journal, first_broken
from punto.service.http.app import build
from punto.service.settings import settings
from punto.table import Viewer, decode_event, fold
from service_clients import Follower, Known, Person, bet, gone, has_heard, is_told, meanwhile
from service_process import Database, People, Service, bearer, database, opening, until
from warm_start import warm_starts

RANK = "table-game-shift-manager"
DAY = 24 * 60 * 60


def say(service: Service, table: str, token: str, key: str, **command: object) -> httpx.Response:
    head = {**bearer(token), "Idempotency-Key": key}
    return httpx.post(f"{service.address}/api/tables/{table}/commands", json=command, headers=head, timeout=600)


def settled(store: Database, table: str) -> int:
    journal = Journal(store.url)
    count = sum(b'"event":"round-settled"' in entry.body for entry in journal.read(table))
    journal.close()
    return count


def test_a_full_disk_takes_nothing_and_loses_nothing(tmp_path: Path) -> None:
    with database("sqlite") as store:
        people = People(store.url)
        lee, ann = people.staff("lee", RANK), people.patron("ann")
        people.close()
        with Service(tmp_path, store.url, warm_starts()) as service:
            service.start()
            assert say(service, "t", lee, "k1", **opening("wu-song")).status_code == 200
            assert say(service, "t", ann, "k2", do="sit", patron="ann", box=1).status_code == 200
            bought = {"do": "buy-in", "patron": "ann", "amount": 1000}
            assert say(service, "t", ann, "k3", **bought).status_code == 200
            _, most = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (1, most))
            for key in ("k4", "k5", "k4"):
                refused = say(service, "t", ann, key, **bought)
                assert refused.status_code == 503
                assert refused.json()["refused"] == "The store did not take it: send the same command again."
            seen = httpx.get(f"{service.address}/api/tables/t", headers=bearer(ann), timeout=600).json()
            assert [each["balance"] for each in seen["view"]["patrons"]] == [1000]
            resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (most, most))
            for key in ("k4", "k5", "k4"):
                assert say(service, "t", ann, key, **bought).status_code == 200
            assert say(service, "t", ann, "k3", **bought).json()["repeated"]
        journal = Journal(store.url)
        found, broken = journal.read("t"), first_broken(journal.entries("t"))
        journal.close()
    assert broken is None
    assert fold(decode_event(entry.body) for entry in found).patrons["ann"].balance == 3000


def test_a_database_that_is_away_for_a_while(tmp_path: Path) -> None:
    with database("postgresql") as store:
        people = People(store.url)
        lee, ann, bob = people.staff("lee", RANK), people.patron("ann"), people.patron("bob")
        people.close()
        with Service(
            tmp_path, store.url, warm_starts(), betting_seconds=0.1, pace=0.01, rate=1e4, burst=10_000
        ) as service:
            service.start()
            assert say(service, "t", lee, "k1", **opening("wu-song", shoe="virtual")).status_code == 200
            until(lambda: settled(store, "t") > 0, "a round")
            known, follower = asyncio.run(_away(store, service, ann, bob))
        journal = Journal(store.url)
        found, broken = journal.read("t"), first_broken(journal.entries("t"))
        journal.close()
    assert broken is None
    assert known.sent_again
    sequences: dict[str, list[int]] = {}
    for entry in found:
        sequences.setdefault(entry.key, []).append(entry.sequence)
    for answer in known.answers.values():
        assert sequences[answer.key] == list(range(answer.first, answer.last + 1))
    for told in follower.followed:
        assert is_told(told.event, found[told.sequence - 1].body, Viewer("bob"))
    table = fold(decode_event(entry.body) for entry in found)
    assert table.house + sum(each.balance + each.held - each.owed for each in table.patrons.values()) == 0


async def _away(store: Database, service: Service, ann: str, bob: str) -> tuple[Known, Follower]:
    """People play, the database goes away and comes back twice, and everything goes on."""
    known = Known("t")
    person, follower = Person(known, service.address, "ann", ann, 1), Follower(known, service.address, "bob", bob, 1)
    hearing = [asyncio.create_task(follower.follow())]
    playing = [asyncio.create_task(bet(person, 1)), asyncio.create_task(bet(follower, 2))]
    try:
        for _ in range(2):
            await _away_once(store, service, follower, [*hearing, *playing])
        for each in (person, follower):
            each.stopping.set()
        await asyncio.gather(*playing)
        last = max(answer.last for answer in known.answers.values())
        await meanwhile(hearing, lambda: has_heard(follower, last), "the last entry")
    finally:
        await gone([*hearing, *playing])
        await person.close()
        await follower.close()
    return known, follower


async def _away_once(
    store: Database, service: Service, follower: Follower, everybody: list["asyncio.Task[None]"]
) -> None:
    """The database goes away while people play, and comes back."""
    reached = len(follower.followed) + 30
    await meanwhile(everybody, lambda: has_heard(follower, reached), "thirty more entries")
    await asyncio.to_thread(store.stop)
    async with httpx.AsyncClient(base_url=service.address, timeout=600) as client:
        while (await client.get("/health")).status_code != 503:  # what it says may be a second old
            await asyncio.sleep(0.01)
        assert (await client.get("/metrics")).status_code == 200
    again = follower.known.sent_again + 3
    await meanwhile(everybody, lambda: follower.known.sent_again >= again, "commands that are sent again")
    await asyncio.to_thread(store.start)
    before = await asyncio.to_thread(settled, store, "t")
    await asyncio.to_thread(until, lambda: settled(store, "t") > before + 1, "the dealer to go on")


class Clock:
    """A clock that can be set."""

    def __init__(self) -> None:
        self.off = 0.0

    def seconds(self) -> float:
        return time.time() + self.off

    def text(self) -> str:
        return (datetime.now(UTC) + timedelta(seconds=self.off)).isoformat()


@pytest.fixture
def clocked(tmp_path: Path) -> Iterator[tuple[TestClient[Any], Clock]]:
    clock = Clock()
    app = build(settings(None, {}, database=f"sqlite:///{tmp_path}/c.db", key_file=f"{tmp_path}/c.key", money="play"))
    with TestClient(app) as client:
        app.state.casino.floor.clock = clock.text
        app.state.casino.accounts._clock = clock.seconds
        yield client, clock


def test_a_clock_that_is_set_back(clocked: tuple[TestClient[Any], Clock]) -> None:
    client, clock = clocked
    accounts = client.app.state.casino.accounts
    journal: Journal = client.app.state.casino.floor.journal
    lee = accounts.token(accounts.make("lee", "staff", posts={}, person="lee"))
    accounts.hold("lee", "*", RANK)
    ann = accounts.token(accounts.make("ann", "patron", person="ann"))

    def do(token: str, **command: object) -> int:
        return client.post("/api/tables/t/commands", json=command, headers=bearer(token)).status_code

    assert do(lee, **opening("wu-song")) == 200
    assert do(ann, do="sit", patron="ann", box=1) == 200
    clock.off = -DAY
    with client.websocket_connect("/api/tables/t/stream?after=0", headers=bearer(ann)) as socket:
        for number in range(1, 4):
            assert do(ann, do="buy-in", patron="ann", amount=1000 * number) == 200
        heard = [socket.receive_json()["sequence"] for _ in journal.read("t")]
    clock.off = 0
    assert do(ann, do="buy-in", patron="ann", amount=1000) == 200

    found = journal.read("t")
    assert first_broken(journal.entries("t")) is None
    assert heard == [entry.sequence for entry in found[:-1]]
    times = [entry.at for entry in found]
    assert times != sorted(times)
    assert fold(decode_event(entry.body) for entry in found).patrons["ann"].balance == 7000


def test_a_session_that_was_ended_stays_so_when_the_clock_is_set_back(
    clocked: tuple[TestClient[Any], Clock],
) -> None:
    client, clock = clocked
    accounts = client.app.state.casino.accounts
    ann, bob = (accounts.token(accounts.make(name, "patron")) for name in ("ann", "bob"))
    asked = {name: bearer(token) for name, token in (("ann", ann), ("bob", bob))}
    assert all(client.get("/api/me", headers=head).status_code == 200 for head in asked.values())
    clock.off = -DAY
    accounts.revoke("ann")
    assert client.post("/api/logout", headers=asked["bob"]).status_code == 204
    until(
        lambda: all(client.get("/api/me", headers=head).status_code == 403 for head in asked.values()),
        "the end of the sessions",
    )
    cat = accounts.token(accounts.make("cat", "patron"))
    assert client.get("/api/me", headers=bearer(cat)).status_code == 200
    clock.off = 0
    assert client.get("/api/me", headers=bearer(cat)).status_code == 403, "half a day is over"
