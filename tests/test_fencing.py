"""Leases expire, and what is sent under one that has expired is refused: stopped, hung and cut-off processes."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest
from sqlalchemy import Connection, text

from databases import KINDS, fresh
from punto.journal import Append, Appended, Fenced, Journal, Unavailable, upgrading
from punto.journal import database as database_module
from punto.journal.database import IDLE_SECONDS, STATEMENT_SECONDS
from punto.journal.leases import HELD, RELEASED, TERM, Leases, mark_released
from punto.journal.schema import REVISIONS
from punto.journal.upgrading import upgrade
from punto.service.runtime import lease_holder
from punto.service.runtime.floor import Floor
from punto.table import commands
from punto.table.events import Reported, RoundSettled
from service_process import PATIENCE, Database, People, Service, bearer, opening, until
from service_room import LIMITS, Room, quick

pytest_plugins = ("process_fixtures",)

RANK = "table-game-shift-manager"


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    found = fresh(request.param, tmp_path)
    journal = Journal(found)
    journal.upgrade()
    journal.close()
    return found


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(fresh("postgresql", tmp_path))
    journal.upgrade()
    yield journal
    journal.close()


def given(sequence: int, key: str, fence: int | None) -> Append:
    return Append("t", sequence, key, "dealer", "2026-11-15T00:00:00Z", (b"{}",), fence=fence)


# The store


def test_the_number_grows_with_every_take_over_and_what_comes_with_an_earlier_one_is_refused(url: str) -> None:
    first, second = Journal(url), Journal(url)
    ours, theirs = Leases(first, term=0.1), Leases(second, term=0.1)
    lease = ours.take("t")
    assert lease is not None
    assert isinstance(first.append([given(0, "k1", lease.fence)])[0], Appended)
    ours.close()
    taken = until(lambda: theirs.take("t"), "the lease to end")
    assert taken.fence > lease.fence
    assert first.append([given(1, "k2", lease.fence)]) == [Fenced()]
    assert isinstance(first.append([given(1, "k3", None)])[0], Appended), "a patron's command needs no lease"
    assert isinstance(second.append([given(2, "k4", taken.fence)])[0], Appended)
    assert first.read("t", 1)[0].key == "k3"
    theirs.release()
    first.close()
    second.close()


def test_a_holder_that_was_ended_is_told_so_when_it_renews(postgresql: Journal) -> None:
    other = Journal(postgresql.url.render_as_string(hide_password=False))
    ours, theirs = Leases(postgresql, term=0.1), Leases(other, term=0.1)
    assert ours.take("t") is not None
    assert ours.renew()
    taken = until(lambda: theirs.take("t"), "the lease to end")
    assert not ours.renew()
    theirs.release()
    again = ours.take("t")
    assert again is not None
    assert (again.left, again.fence) == (RELEASED, taken.fence + 1)
    ours.close()
    other.close()


def test_a_holder_that_is_late_keeps_what_nobody_has_taken(postgresql: Journal) -> None:
    leases = Leases(postgresql, term=0.0)
    lease = leases.take("t")
    assert lease is not None
    assert leases.renew()
    assert isinstance(postgresql.append([given(0, "k", lease.fence)])[0], Appended)
    leases.close()


def test_a_process_that_has_died_is_waited_for_until_its_leases_are_over(postgresql: Journal) -> None:
    """Also where nobody wants them: a start that waited for that would never end."""
    with closing(Journal(postgresql.url.render_as_string(hide_password=False))) as other:
        dead = Leases(other, term=1.0)
        assert dead.take("t") is not None
    ours = Leases(postgresql)
    until(ours.dying, "the dead process to be seen")
    until(lambda: not ours.dying(), "its leases to be over")
    assert ours.take("t") is not None
    ours.close()


def test_who_holds_nothing_is_not_waited_for(postgresql: Journal) -> None:
    with closing(Journal(postgresql.url.render_as_string(hide_password=False))) as other:
        dead = Leases(other, term=600.0)
        assert dead.take("t") is not None
        with other.transaction() as connection:
            connection.execute(text("UPDATE leases SET released = true"))
    ours = Leases(postgresql)
    until(lambda: not ours.dying(), "nobody to be waited for", 30.0)
    ours.close()


def test_a_broken_connection_loses_no_lease(postgresql: Journal) -> None:
    leases = Leases(postgresql)
    assert leases.take("t") is not None
    assert leases.renew()
    _cut(postgresql.libpq_url)
    with pytest.raises(Unavailable):
        leases.renew()
    assert leases.renew(), "by another connection"
    leases.close()


def test_a_lease_that_was_taken_by_a_commit_whose_answer_was_lost_is_as_it_was_found(
    postgresql: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark_released(postgresql, ["t"])
    leases, transaction = Leases(postgresql), postgresql.transaction

    @contextmanager
    def cut(*, reading: bool = False) -> Iterator[Connection]:
        with transaction(reading=reading) as connection:
            yield connection
        raise Unavailable("The store did not answer.")

    monkeypatch.setattr(postgresql, "transaction", cut)
    with pytest.raises(Unavailable):
        leases.take("t")
    monkeypatch.undo()
    lease = leases.take("t")
    assert lease is not None
    assert (lease.left, lease.fence) == (RELEASED, 2)
    leases.close()


def test_a_process_that_stops_in_the_middle_of_a_transaction_holds_nothing_up(postgresql: Journal) -> None:
    """It has locked the lease to append under it. The others do not wait for it, and the database ends it."""
    other = Journal(postgresql.url.render_as_string(hide_password=False))
    ours, theirs = Leases(postgresql, term=0.1), Leases(other, term=0.1)
    assert ours.take("t") is not None
    with suppress(Unavailable), postgresql.transaction() as connection:
        connection.execute(text("SELECT fence FROM leases WHERE \"table\" = 't' FOR SHARE"))
        taken = until(lambda: theirs.take("t"), "the database to end the transaction")
        assert taken.left == HELD
    ours.close()
    theirs.release()
    other.close()


def test_nothing_is_waited_for_without_end(postgresql: Journal) -> None:
    with postgresql.transaction(reading=True) as connection:
        asked = ("statement_timeout", "idle_in_transaction_session_timeout", "application_name")
        told = [connection.execute(text(f"SHOW {name}")).scalar() for name in asked]
        driver = connection.connection.driver_connection
        assert driver is not None
        with_keepalive = driver.info.get_parameters()
    assert told == [f"{STATEMENT_SECONDS}s", f"{IDLE_SECONDS}s", postgresql.process]
    for name in ("keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "connect_timeout"):
        assert int(with_keepalive[name]) > 0
    with pytest.raises(Unavailable):
        _too_long(postgresql)


def test_an_upgrade_has_time_to_read_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine that takes longer than a transaction may be idle, and the house opens all the same."""
    monkeypatch.setattr(database_module, "IDLE_SECONDS", 1)

    def slowly(connection: Connection) -> None:
        time.sleep(1.5)
        upgrade(connection)

    monkeypatch.setattr(upgrading, "upgrade", slowly)
    journal = Journal(fresh("postgresql", tmp_path))
    journal.upgrade()
    assert journal.revision() == REVISIONS[-1]
    journal.close()


def _too_long(journal: Journal) -> None:
    with journal.transaction() as connection:
        connection.execute(text("SET statement_timeout = 50"))
        connection.execute(text("SELECT pg_sleep(60)"))


def test_a_lost_lease_is_found_within_ten_seconds() -> None:
    assert TERM + lease_holder._LOOK < 9
    assert 3 * lease_holder._RENEW + lease_holder._RENEW_LIMIT < TERM, "several renewals may fail"


# Rooms


def _cut(url: str, pids: list[int] | None = None) -> None:
    """Break connections of others to a database: all of them, or these."""
    asked = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = %s"
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        if pids is None:
            connection.execute(asked, (name,))
        else:
            connection.execute(f"{asked} AND pid = ANY(%s)", (name, pids))


def _connections(url: str) -> list[int]:
    asked = "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = %s"
    with psycopg.connect(url, autocommit=True) as connection:
        return [pid for (pid,) in connection.execute(asked, (connection.info.dbname,)).fetchall()]


async def _until(asked: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not asked():
            await asyncio.sleep(0.01)


def test_a_dealer_whose_process_hung_deals_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It does not renew its leases. Another process takes over, and what the first one's dealer does is refused."""
    given = quick(fresh("postgresql", tmp_path), tmp_path, betting_seconds=0.05)
    monkeypatch.setattr(lease_holder, "_RENEW", 1000.0)

    async def story() -> None:
        async with Room(given, term=1.0) as hung:
            await hung.open("t", "wu-song")
            await _until(lambda: "t" in hung.holder.tables)
            monkeypatch.setattr(lease_holder, "_RENEW", 0.1)
            async with Room(given, term=1.0) as other:
                await _until(lambda: "t" in other.holder.tables)
                await _until(lambda: "t" not in hung.holder.tables)
                before = len(await other.happened("t", RoundSettled))
                async with asyncio.timeout(PATIENCE):
                    while len(await other.happened("t", RoundSettled)) < before + 2:
                        await asyncio.sleep(0.05)
                assert "t" not in hung.holder.tables

    asyncio.run(story())
    assert [each.__dict__["table"] for each in caplog.records if each.getMessage() == "lease lost"] == ["t"]


def test_after_a_cut_in_the_middle_of_a_look_there_is_one_dealer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connections break when a look has begun, and it finds one more table to take. It keeps what it has."""
    url = fresh("postgresql", tmp_path)
    given = quick(url, tmp_path)

    async def story() -> None:
        async with Room(given) as one:
            await one.open("t", "wu-song")
            await _until(lambda: "t" in one.holder.tables)
            mine = _connections(url)
            async with Room(given) as other:
                chains, looks = one.floor.chains, iter([True])

                async def cut() -> dict[str, int]:
                    found = await chains()
                    if next(looks, False):
                        await _open_bare(url, "u")
                        _cut(url, mine)
                        return {**found, "u": 1}
                    return found

                monkeypatch.setattr(one.floor, "chains", cut)
                both = (one.holder, other.holder)
                await _until(lambda: any("u" in each.tables for each in both))
                before = len(await one.happened("t", RoundSettled))
                async with asyncio.timeout(PATIENCE):
                    while len(await one.happened("t", RoundSettled)) < before + 3:
                        await asyncio.sleep(0.05)
                        assert [each for each in both if "t" in each.tables] == [one.holder]
                assert not await one.happened("t", Reported)

    asyncio.run(story())


async def _open_bare(url: str, name: str) -> None:
    """Open a table without taking its lease."""
    floor = Floor(Journal(url))
    opened = commands.OpenTable("wu-song", "2026-11-15T08:00:00+08:00", decks=8, limits=LIMITS, shoe="virtual")
    await floor.submit(name, opened, who="pit-manager", key="opening")
    await floor.stop()
    floor.journal.close()


# Processes


def _do(service: Service, table: str, token: str, **given: object) -> None:
    answer = httpx.post(
        f"{service.address}/api/tables/{table}/commands", json=given, headers=bearer(token), timeout=600
    )
    assert answer.status_code == 200, answer.text


def _bets_lie(store: Database, service: Service, tag: str) -> None:
    """A table that deals by itself, and one with a running round and money on it."""
    people = People(store.url)
    lee, ann = people.staff(f"lee-{tag}", RANK), people.patron(f"ann-{tag}")
    people.close()
    _do(service, f"dealt-{tag}", lee, **opening("wu-song", shoe="virtual"))
    _do(service, f"held-{tag}", lee, **opening("wu-song"))
    _do(service, f"held-{tag}", lee, do="load-shoe")
    _do(service, f"held-{tag}", lee, do="sit", patron=f"ann-{tag}", box=1)
    _do(service, f"held-{tag}", lee, do="buy-in", patron=f"ann-{tag}", amount=50_000)
    _do(service, f"held-{tag}", lee, do="open-bets")
    _do(service, f"held-{tag}", ann, do="place", patron=f"ann-{tag}", bet="player", stake=20_000)


def _happened(store: Database, table: str, what: bytes) -> int:
    journal = Journal(store.url)
    count = sum(what in entry.body for entry in journal.read(table))
    journal.close()
    return count


def _rounds(store: Database, table: str) -> int:
    return _happened(store, table, b'"event":"round-settled"')


def _holders(store: Database, *tables: str) -> set[str]:
    """Which processes hold these tables."""
    asked = 'SELECT holder FROM leases JOIN holders ON holders.id = leases.holder WHERE "table" = ANY(%s)'
    with psycopg.connect(store.url, autocommit=True) as connection:
        return {holder for (holder,) in connection.execute(asked, (list(tables),)).fetchall()}


def test_a_stopped_process_loses_its_tables_and_does_nothing_more_when_it_goes_on(
    store: Database, two: tuple[Service, Service]
) -> None:
    one, other = two
    one.start()
    _bets_lie(store, one, "stopped")
    other.start()
    until(lambda: _rounds(store, "dealt-stopped"), "a round")
    os.kill(one.pid, signal.SIGSTOP)
    try:
        until(lambda: _happened(store, "held-stopped", b'"fact":"interruption"'), "the other to take over")
        before = _rounds(store, "dealt-stopped")
        until(lambda: _rounds(store, "dealt-stopped") >= before + 2, "the other to deal")
        taken = _holders(store, "dealt-stopped", "held-stopped")
        assert len(taken) == 1
    finally:
        os.kill(one.pid, signal.SIGCONT)
    until(lambda: '"what": "leases lost"' in one.said(), "the first to know")
    before = _rounds(store, "dealt-stopped")
    until(lambda: _rounds(store, "dealt-stopped") >= before + 2, "the other to deal on")
    assert _holders(store, "dealt-stopped", "held-stopped") == taken
    assert _happened(store, "held-stopped", b'"fact":"interruption"') == 1
    assert "interrupted" not in one.said()


def test_broken_connections_alone_void_no_round(store: Database, two: tuple[Service, Service]) -> None:
    one, other = two
    one.start()
    _bets_lie(store, one, "broken")
    until(lambda: _rounds(store, "dealt-broken"), "a round")
    mine = _connections(store.url)
    other.start()
    held = _holders(store, "dealt-broken", "held-broken")
    _cut(store.url, mine)
    for _ in range(2):
        before = _rounds(store, "dealt-broken")
        until(lambda: _rounds(store, "dealt-broken") >= before + 2, "it to deal on")  # noqa: B023  # used at once
        assert _holders(store, "dealt-broken", "held-broken") == held
        _cut(store.url, [pid for pid in _connections(store.url) if pid not in mine])
    assert not _happened(store, "dealt-broken", b'"fact":"interruption"')
    assert not _happened(store, "held-broken", b'"fact":"interruption"')
