"""A store that is full, locked, hung or read-only: `/health` says so, commands are answered in time, and it stops."""

import ast
import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest

from punto.service.days import start_of_days
from punto.service.http import health as health_route
from punto.service.money.count import Counter
from punto.service.runtime import store_health
from punto.service.runtime.counting import Counting, StillCounting
from punto.service.runtime.floor import Floor
from punto.service.runtime.store_health import StoreHealth
from punto.service.store_calls import StoreCalls
from service_process import PATIENCE, Database, People, Service, bearer, database, open_house, opening, until
from warm_start import warm_starts

RANK = "table-game-shift-manager"


@contextmanager
def served(store: Database, folder: Path) -> Iterator[tuple[Service, str]]:
    """A service with a table on a store, and the token of somebody who may do everything there."""
    people = People(store.url)
    lee = people.staff("lee", RANK)
    people.close()
    with Service(folder, store.url, warm_starts(), store_seconds=1, stop_seconds=4) as service:
        service.start()
        assert say(service, lee, "open", opening("wu-song")).status_code == 200
        yield service, lee


def say(service: Service, token: str, key: str, command: dict[str, object]) -> httpx.Response:
    head = {**bearer(token), "Idempotency-Key": key}
    return httpx.post(f"{service.address}/api/tables/t/commands", json=command, headers=head, timeout=PATIENCE)


def health(service: Service) -> tuple[int, str]:
    found = httpx.get(f"{service.address}/health", timeout=PATIENCE)
    return found.status_code, found.json().get("why", "")


def figure(service: Service, name: str) -> float:
    text = httpx.get(f"{service.address}/metrics", timeout=PATIENCE).text
    return sum(float(each.rpartition(" ")[2]) for each in text.splitlines() if each.startswith(name))


def is_well(service: Service) -> bool:
    return health(service)[0] == 200


def is_told(service: Service, lee: str, key: str, why: str) -> None:
    """Health and a command say that the store takes nothing; a figure and the log count it."""
    until(lambda: health(service)[0] == 503, "health to tell")
    assert why in health(service)[1]
    before = figure(service, "punto_commits_failed_total")
    refused = say(service, lee, key, {"do": "load-shoe"})
    assert refused.status_code == 503, refused.text
    if "send the same command again" in refused.json()["refused"]:
        assert figure(service, "punto_commits_failed_total") > before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system that can be filled."""
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    store = Database(f"sqlite:///{small_disk}/punto.db")
    with served(store, tmp_path) as (service, lee):
        assert is_well(service)
        room = shutil.disk_usage(small_disk).free
        (small_disk / "film").write_bytes(bytes(room))
        is_told(service, lee, "k1", "full")
        assert '"what": "commit failed"' in service.said()
        assert '"level": "error"' in service.said()
        (small_disk / "film").unlink()
        until(lambda: is_well(service), "the disk to have room")
        assert say(service, lee, "k1", {"do": "load-shoe"}).status_code == 200


def test_a_locked_database(tmp_path: Path) -> None:
    with database("sqlite") as store, served(store, tmp_path) as (service, lee):
        writer = sqlite3.connect(store.url.removeprefix("sqlite:///"), isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")  # by a program that never ends it
        is_told(service, lee, "k1", "not answer")
        assert '"what": "commit late"' in service.said()
        assert figure(service, 'punto_commits_failed_total{why="late"}') > 0
        assert service.stop() == 1
        assert '"what": "stopped while something hung"' in service.said()
        writer.close()


def _processes(store: Database) -> list[int]:
    """PostgreSQL: its server and everybody who works for it."""
    with psycopg.connect(store.url) as connection:
        [[folder]] = connection.execute("SHOW data_directory").fetchall()
    server = int(Path(folder, "postmaster.pid").read_text().split()[0])
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(server)], capture_output=True, text=True, check=True)
    return [server, *(int(each) for each in found.stdout.split())]


@contextmanager
def hung(store: Database) -> Iterator[None]:
    """PostgreSQL stands still, and all connections stay open."""
    stopped = _processes(store)
    _signal(stopped, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(stopped, signal.SIGCONT)


def _signal(processes: list[int], number: signal.Signals) -> None:
    """Send processes a signal; those that were about to end, like a worker of the database, are gone perhaps."""
    for each in processes:
        with suppress(ProcessLookupError):
            os.kill(each, number)


def test_a_database_that_hangs_or_is_read_only(tmp_path: Path) -> None:
    with database("postgresql") as store, served(store, tmp_path) as (service, lee):
        assert is_well(service)
        with hung(store):
            is_told(service, lee, "k1", "not answered for")
        until(lambda: is_well(service), "the database to go on")
        with psycopg.connect(store.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
            connection.execute("SELECT pg_reload_conf()")
            is_told(service, lee, "k2", "read-only")
            connection.execute("SET default_transaction_read_only = off")
            connection.execute("ALTER SYSTEM RESET default_transaction_read_only")
            connection.execute("SELECT pg_reload_conf()")
        until(lambda: is_well(service), "the database to take something")
        until(lambda: say(service, lee, "k3", {"do": "load-shoe"}).status_code == 200, "the table to go on")
        with hung(store):
            assert service.stop() == 1


def test_health_is_asked_for_by_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is told what their question was answered, also if the next one is under way by then."""
    monkeypatch.setattr(store_health, "FRESH", -1.0)  # every answer is old at once
    journal = open_house(f"sqlite:///{tmp_path}/h.db")

    async def story() -> list[str | None]:
        health = StoreHealth(journal, lambda: "2026-11-15T08:00:00.000Z")

        async def ask() -> list[str | None]:
            return [await health.trouble() for _ in range(10)]

        return [each for told in await asyncio.gather(*(ask() for _ in range(10))) for each in told]

    assert set(asyncio.run(story())) == {None}
    journal.close()


def test_a_store_that_hangs_after_its_commit_is_told_in_time_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked whether it commits, and how many tables there are."""
    monkeypatch.setattr(store_health, "WAIT", 0.01)
    journal, going = open_house(f"sqlite:///{tmp_path}/h.db"), threading.Event()
    real = journal.tables

    def slow() -> dict[str, int]:
        assert going.wait(PATIENCE)
        return real()

    monkeypatch.setattr(journal, "tables", slow)

    async def story() -> None:
        health = StoreHealth(journal, lambda: "2026-11-15T08:00:00.000Z")
        try:
            assert "not answered for" in (await health.trouble() or "")
        finally:
            going.set()
        monkeypatch.setattr(store_health, "WAIT", PATIENCE)
        assert await health.trouble() is None

    asyncio.run(story())
    journal.close()


def test_however_often_health_is_asked_for_the_store_is_asked_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the one route that counts for nobody: with a thousand tables a stranger would keep the store busy."""
    monkeypatch.setattr(store_health, "FRESH", PATIENCE)
    journal, asked = open_house(f"sqlite:///{tmp_path}/h.db"), []
    real = journal.tables

    def noted() -> dict[str, int]:
        asked.append("tables")
        return real()

    monkeypatch.setattr(journal, "tables", noted)

    async def story() -> list[Any]:
        health = StoreHealth(journal, lambda: "2026-11-15T08:00:00.000Z")
        floor = Floor(journal)
        house = SimpleNamespace(store_health=health, settings=SimpleNamespace(guests=False), sign_in=None, floor=floor)
        try:
            return [await health_route.health.fn(casino=house) for _ in range(50)]
        finally:
            await floor.committer.stop()

    answers = asyncio.run(story())
    assert [(each.content.ok, each.content.tables) for each in answers] == [(True, 0)] * 50
    assert asked == ["tables"]
    journal.close()


# Requests that ask the store for much


def test_whatever_reads_the_store_is_answered_while_it_hangs(tmp_path: Path) -> None:
    with database("postgresql") as store, served(store, tmp_path) as (service, lee):
        asked = ["/api/report", "/api/report.pdf", "/api/count", "/api/tables/t/requests"]
        for path in asked:
            assert httpx.get(service.address + path, headers=bearer(lee), timeout=PATIENCE).status_code == 200
        with hung(store), ThreadPoolExecutor(20) as askers:

            def answer(path: str) -> int:
                return httpx.get(service.address + path, headers=bearer(lee), timeout=PATIENCE).status_code

            assert set(askers.map(answer, asked * 5)) == {503}
            assert httpx.get(f"{service.address}/metrics", timeout=PATIENCE).status_code == 200
        until(lambda: is_well(service), "the database to go on")
        for path in asked:
            assert httpx.get(service.address + path, headers=bearer(lee), timeout=PATIENCE).status_code == 200


def test_a_long_count_takes_one_thread_and_nobody_waits_for_it_without_end(tmp_path: Path) -> None:
    """It is finished nevertheless, and whoever asks again is answered."""
    go_on, threads = threading.Event(), set()

    def long_count(_: Counter) -> str:
        threads.add(threading.get_ident())
        assert go_on.wait(PATIENCE)
        return "counted"

    async def story(counting: Counting, calls: StoreCalls) -> None:
        late = await asyncio.gather(*(counting(long_count) for _ in range(20)), return_exceptions=True)
        assert {type(each) for each in late} == {StillCounting}
        assert await calls(lambda: "the store") == "the store"
        go_on.set()
        patient = Counting(counting.counter, calls, PATIENCE)
        assert await patient(long_count) == "counted"
        patient.close()

    journal = open_house(f"sqlite:///{tmp_path}/h.db")
    calls = StoreCalls(PATIENCE)
    counting = Counting(Counter(journal, start_of_days("06:00+00:00")), calls, 0.05)
    asyncio.run(story(counting, calls))
    assert len(threads) == 2  # one of each
    counting.close()
    calls.close()
    journal.close()


ON_THEIR_OWN = {
    "http/lifespan.py": "the start and the stop, which nobody's request waits for",
    "runtime/committer.py": "waits for its own thread to end",
    "runtime/lease_holder.py": "tends the leases in the background",
    "runtime/witnessing.py": "shows checkpoints in the background",
}


def test_requests_ask_the_store_with_a_limit_or_not_at_all() -> None:
    """`asyncio.to_thread` waits without end, in threads that everybody shares."""
    service = Path(store_health.__file__).parents[1]
    sources = {
        each.relative_to(service).as_posix(): each
        for room in ("http", "runtime")
        for each in service.glob(f"{room}/*.py")
    }
    found = {name for name, file in sources.items() if _uses(file, "to_thread") or _uses(file, "run_in_executor")}
    assert found == set(ON_THEIR_OWN)


def _uses(file: Path, name: str) -> bool:
    """Whether a module has a name or an attribute of this name."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return any(name in (getattr(each, "attr", ""), getattr(each, "id", "")) for each in nodes)
