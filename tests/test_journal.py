"""The store, on both databases: nothing is added that does not fit, nothing twice, and nothing is ever changed."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import msgspec
import psycopg
import pytest
from hypothesis import given as given_
from hypothesis import strategies as st
from sqlalchemy import event as sql_event
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from databases import KINDS, fresh
from punto.journal import (
    START,
    Append,
    Appended,
    Conflict,
    Entry,
    Journal,
    JournalError,
    Repeated,
    first_broken,
    hash_of,
    linked,
    new_key,
    public_key,
    sign,
    signed,
)
from punto.journal.store import reached_in, told_of

AT = "2026-11-15T08:00:00Z"


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return fresh(request.param, tmp_path)


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    made = Journal(url)
    made.upgrade()
    yield made
    made.close()


def given(table: str, expected: int, key: str, *bodies: bytes) -> Append:
    return Append(table, expected, key, "dealer", AT, bodies)


def add(journal: Journal, table: str, expected: int, key: str, *bodies: bytes) -> Appended | Repeated | Conflict:
    [result] = journal.append([given(table, expected, key, *bodies)])
    return result


# Appending


def test_entries_carry_what_was_given_and_hang_together(journal: Journal) -> None:
    result = add(journal, "t1", 0, "k1", b"one", b"two")
    assert isinstance(result, Appended)
    assert result.entries == tuple(journal.read("t1"))
    first, second = result.entries
    assert first == Entry(
        "t1", 1, AT, "dealer", "k1", b"one", START, hash_of("t1", 1, AT, "dealer", "k1", b"one", START)
    )
    assert (second.sequence, second.before, second.body) == (2, first.hash, b"two")
    assert journal.tables() == {"t1": 2}
    assert first_broken(journal.read("t1")) is None


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_whoever_thinks_that_the_chain_stands_elsewhere_adds_nothing(journal: Journal, expected: int) -> None:
    add(journal, "t1", 0, "k1", b"one", b"two")
    assert add(journal, "t1", expected, "k2", b"three") == Conflict(2)
    assert [entry.body for entry in journal.read("t1")] == [b"one", b"two"]


def test_a_chain_that_is_not_there_stands_at_nothing(journal: Journal) -> None:
    assert add(journal, "t1", 5, "k1", b"one") == Conflict(0)
    assert journal.tables() == {}


@pytest.mark.parametrize("expected", [1, 2, 3, 9])
def test_a_repeated_command_is_answered_with_what_it_made_then(journal: Journal, expected: int) -> None:
    add(journal, "t1", 0, "open", b"one")
    add(journal, "t1", 1, "k", b"two", b"three")
    add(journal, "t1", 3, "other", b"four")
    assert add(journal, "t1", expected, "k", b"two", b"three") == Repeated(2, 3)
    assert [entry.body for entry in journal.made_by("t1", "k")] == [b"two", b"three"]
    assert journal.tables() == {"t1": 4}


def test_a_key_is_a_tables_own(journal: Journal) -> None:
    add(journal, "t1", 0, "k", b"one")
    assert isinstance(add(journal, "t2", 0, "k", b"one"), Appended)
    assert journal.made_by("t3", "k") == []


def test_a_command_that_leads_to_nothing_adds_nothing(journal: Journal) -> None:
    assert add(journal, "t1", 0, "k") == Appended(())
    assert journal.tables() == {}


def test_many_tables_become_durable_in_one_commit(journal: Journal) -> None:
    add(journal, "old", 0, "k0", b"a")
    commits = []
    sql_event.listen(journal.engine, "commit", lambda _: commits.append(1))
    results = journal.append(
        [
            given("old", 1, "k1", b"b"),
            given("new", 0, "k1", b"a"),
            given("old", 9, "k2", b"x"),
            given("old", 2, "k3", b"c", b"d"),
            given("old", 4, "k1", b"b"),
            given("new", 0, "k2", b"x"),
            given("new", 1, "k4", b"b"),
        ]
    )
    assert len(commits) == 1
    assert [type(each).__name__ for each in results] == [
        "Appended",
        "Appended",
        "Conflict",
        "Appended",
        "Repeated",
        "Conflict",
        "Appended",
    ]
    assert (results[2], results[4], results[5]) == (Conflict(2), Repeated(2, 2), Conflict(1))
    assert [entry.body for entry in journal.read("old")] == [b"a", b"b", b"c", b"d"]
    assert [entry.body for entry in journal.read("new")] == [b"a", b"b"]
    assert first_broken(journal.read("old")) is None
    assert first_broken(journal.read("new")) is None


def test_a_batch_is_added_whole_or_not_at_all(journal: Journal) -> None:
    add(journal, "t1", 0, "k", b"one")
    nobody = msgspec.structs.replace(given("t2", 0, "k", b"one"), who=None)
    with pytest.raises(JournalError, match=r"^The store did not answer: .*\.$"):
        journal.append([given("t1", 1, "k2", b"two"), nobody])
    assert [entry.body for entry in journal.read("t1")] == [b"one"]
    assert journal.tables() == {"t1": 1}


def test_what_was_added_is_there_for_whoever_opens_the_store_next(url: str, journal: Journal) -> None:
    body = bytes(range(256))
    add(journal, "t1", 0, "k", body)
    other = Journal(url)
    assert [entry.body for entry in other.read("t1")] == [body]
    other.close()


def test_entries_are_read_from_any_number_on(journal: Journal) -> None:
    add(journal, "t1", 0, "k", *(b"%d" % number for number in range(1, 8)))
    assert [entry.sequence for entry in journal.read("t1", 3)] == [4, 5, 6, 7]
    assert [entry.sequence for entry in journal.read("t1", 3, 2)] == [4, 5]
    assert journal.read("t1", 7) == []
    assert journal.read("t2") == []


# Several at once


def keep_adding(journal: Journal, table: str, name: str, times: int) -> None:
    """Add as a service does: look where the chain stands, try, and look again if somebody was quicker."""
    for number in range(times):
        while True:
            at = journal.tables()[table]
            if isinstance(add(journal, table, at, f"{name}-{number}", f"{name}-{number}".encode()), Appended):
                break


@pytest.mark.parametrize("stores", [1, 2])
def test_writers_at_once_lose_nothing_and_write_nothing_twice(url: str, journal: Journal, stores: int) -> None:
    add(journal, "t1", 0, "open", b"open")
    journals = [journal, *(Journal(url) for _ in range(stores - 1))]
    with ThreadPoolExecutor(4) as pool:
        works = [pool.submit(keep_adding, journals[n % stores], "t1", f"w{n}", 15) for n in range(4)]
        for work in works:
            work.result()
    found = journal.read("t1")
    assert first_broken(found) is None
    assert sorted(entry.body for entry in found[1:]) == sorted(
        f"w{n}-{at}".encode() for n in range(4) for at in range(15)
    )
    for n in range(4):
        own = [int(entry.body.partition(b"-")[2]) for entry in found if entry.body.startswith(b"w%d-" % n)]
        assert own == list(range(15))
    for each in journals[1:]:
        each.close()


def test_the_same_command_sent_to_two_stores_at_once_is_carried_out_once(url: str, journal: Journal) -> None:
    other = Journal(url)
    add(journal, "t1", 0, "open", b"open")
    start = Barrier(2)

    def send(to: Journal, key: str, at: int) -> Appended | Repeated | Conflict:
        start.wait(10)
        return add(to, "t1", at, key, b"x", b"y")

    with ThreadPoolExecutor(2) as pool:
        for number in range(20):
            at = journal.tables()["t1"]
            works = [pool.submit(send, to, f"k{number}", at) for to in (journal, other)]
            kinds = sorted(type(work.result()).__name__ for work in works)
            assert kinds in (["Appended", "Conflict"], ["Appended", "Repeated"])
            assert journal.tables()["t1"] == at + 2
            assert add(journal, "t1", at + 2, f"k{number}", b"x", b"y") == Repeated(at + 1, at + 2)
    other.close()


def test_of_two_who_open_a_table_at_once_one_does(url: str, journal: Journal) -> None:
    other = Journal(url)
    start = Barrier(2)

    def send(to: Journal, number: int) -> list[Appended | Repeated | Conflict]:
        start.wait(10)
        return to.append(
            [given(f"t{number}", 0, to.url.database or "", b"open"), given(f"u{id(to)}-{number}", 0, "k", b"x")]
        )

    with ThreadPoolExecutor(2) as pool:
        for number in range(15):
            both = [work.result() for work in [pool.submit(send, to, number) for to in (journal, other)]]
            assert sorted(type(results[0]).__name__ for results in both) == ["Appended", "Conflict"]
            assert all(isinstance(results[1], Appended) for results in both)
            assert len(journal.read(f"t{number}")) == 1
    other.close()


def test_writers_who_take_tables_in_different_order_do_not_wait_for_each_other_for_ever(
    url: str, journal: Journal
) -> None:
    other = Journal(url)
    journal.append([given("t1", 0, "open", b"open"), given("t2", 0, "open", b"open")])

    def send(to: Journal, names: tuple[str, str], who: str) -> int:
        done = 0
        for number in range(25):
            at = to.tables()
            results = to.append([given(name, at[name], f"{who}{number}", b"x") for name in names])
            done += sum(isinstance(each, Appended) for each in results)
        return done

    with ThreadPoolExecutor(2) as pool:
        works = [pool.submit(send, journal, ("t1", "t2"), "a"), pool.submit(send, other, ("t2", "t1"), "b")]
        done = sum(work.result(timeout=60) for work in works)
    assert sum(journal.tables().values()) == 2 + done
    assert first_broken(journal.read("t1")) is None
    assert first_broken(journal.read("t2")) is None
    other.close()


def test_postgresql_tells_others_where_a_table_stands_once_it_does(tmp_path: Path) -> None:
    url = fresh("postgresql", tmp_path)
    journal = Journal(url)
    journal.upgrade()
    with psycopg.connect(url, autocommit=True) as listener:
        listener.execute("LISTEN punto")
        add(journal, "t1", 0, "k1", b"one", b"two")
        add(journal, "t1", 1, "k2", b"in vain")
        journal.append([given("t2", 0, "k1", b"one"), given("t1", 2, "k3", b"three")])
        heard = [reached_in(note.payload) for note in listener.notifies(timeout=10, stop_after=2)]
    assert heard == [{"t1": 2}, {"t1": 3, "t2": 1}]
    many = {f"table-{number}-{'x' * 50}": number for number in range(1000)}
    told = told_of(many)
    assert all(len(each) < 8000 for each in told)
    assert {table: at for each in told for table, at in reached_in(each).items()} == many
    journal.close()


# Nothing is ever changed


@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE entries SET body = 'x'",
        "UPDATE entries SET who = 'nobody' WHERE sequence = 2",
        "DELETE FROM entries",
        "DELETE FROM entries WHERE sequence = 1",
        "UPDATE checkpoints SET hash = 'x'",
        "DELETE FROM checkpoints",
        "INSERT OR REPLACE INTO entries SELECT 't1', 1, at, who, key, 'x', before, hash FROM entries LIMIT 1",
        "INSERT OR REPLACE INTO checkpoints SELECT 't1', 2, 'x', key, signature FROM checkpoints",
        "TRUNCATE entries CASCADE",
        "TRUNCATE checkpoints",
    ],
)
def test_the_database_itself_refuses_to_change_what_was_written(journal: Journal, attempt: str) -> None:
    if attempt.startswith("TRUNCATE" if journal.sqlite else "INSERT OR REPLACE"):
        return  # the other database has no such words
    add(journal, "t1", 0, "k", b"one", b"two")
    journal.checkpoint(sign(new_key(), "t1", 2, journal.read("t1")[-1].hash))
    before, points = journal.read("t1"), journal.checkpoints("t1")
    with pytest.raises(DBAPIError, match="are never changed"), journal.engine.begin() as connection:
        connection.execute(text(attempt))
    assert (journal.read("t1"), journal.checkpoints("t1")) == (before, points)


def test_an_upgrade_can_be_repeated(url: str, journal: Journal) -> None:
    add(journal, "t1", 0, "k", b"one")
    journal.upgrade()
    again = Journal(url)
    again.upgrade()
    assert [entry.body for entry in again.read("t1")] == [b"one"]
    with again.engine.begin() as connection:
        versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    assert len(versions) == 1
    again.close()


def test_two_processes_may_make_the_same_store_at_once(url: str) -> None:
    program = "import sys; from punto.journal import Journal; j = Journal(sys.argv[1]); j.upgrade(); j.close()"
    both = [subprocess.Popen([sys.executable, "-c", program, url], stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=60)[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    journal = Journal(url)
    assert isinstance(add(journal, "t1", 0, "k", b"one"), Appended)
    journal.close()


# The chain


def five() -> list[Entry]:
    return list(linked("t1", 0, START, AT, "dealer", "k", [b"1", b"2", b"3", b"4", b"5"]))


@pytest.mark.parametrize(
    "field", [("table", "t2"), ("at", "later"), ("who", "nobody"), ("key", "x"), ("body", b"x"), ("hash", "0" * 64)]
)
@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_altered_entry_is_found(place: int, field: tuple[str, object]) -> None:
    entries = five()
    entries[place] = msgspec.structs.replace(entries[place], **dict([field]))
    broken = first_broken(entries)
    assert broken is not None
    assert (broken.sequence, broken.why) == (place + 1, "its content is not what was hashed")


@pytest.mark.parametrize("place", [0, 1, 3])
def test_an_altered_entry_with_a_new_hash_is_found_at_the_next_one(place: int) -> None:
    entries = five()
    was = entries[place]
    found = hash_of(was.table, was.sequence, was.at, was.who, was.key, b"x", was.before)
    entries[place] = msgspec.structs.replace(was, body=b"x", hash=found)
    broken = first_broken(entries)
    assert broken is not None
    assert (broken.sequence, broken.why) == (place + 2, "it does not follow from the entry before it")


@pytest.mark.parametrize(
    ("order", "sequence", "why"),
    [
        ([1, 2, 3, 4], 2, "entry 1 is missing"),
        ([0, 1, 3, 4], 4, "entry 3 is missing"),
        ([0, 2, 1, 3, 4], 3, "entry 2 is missing"),
        ([0, 1, 1, 2, 3, 4], 2, "entry 3 is missing"),
    ],
)
def test_missing_swapped_and_doubled_entries_are_found(order: list[int], sequence: int, why: str) -> None:
    entries = five()
    broken = first_broken([entries[place] for place in order])
    assert broken is not None
    assert (broken.sequence, broken.why) == (sequence, why)


def test_swapped_entries_with_their_numbers_put_right_are_found() -> None:
    entries = five()
    entries[1], entries[2] = (
        msgspec.structs.replace(entries[2], sequence=2),
        msgspec.structs.replace(entries[1], sequence=3),
    )
    broken = first_broken(entries)
    assert broken is not None
    assert (broken.sequence, broken.why) == (2, "it does not follow from the entry before it")


def test_a_chain_without_its_end_is_a_chain() -> None:
    assert first_broken(five()[:3]) is None
    assert first_broken([]) is None


@given_(st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4), st.binary(max_size=4)), min_size=2, max_size=2))
def test_no_two_contents_share_a_hash(both: list[tuple[str, str, bytes]]) -> None:
    one, other = (hash_of("t1", 1, AT, who, key, body, START) for who, key, body in both)
    assert (one == other) == (both[0] == both[1])


# Checkpoints, secrets and records


def test_checkpoints_come_back_as_they_were_signed(journal: Journal) -> None:
    key = new_key()
    add(journal, "t1", 0, "k", b"one", b"two")
    add(journal, "t2", 0, "k", b"one")
    points = [sign(key, "t1", entry.sequence, entry.hash) for entry in journal.read("t1")]
    for point in reversed(points):
        journal.checkpoint(point)
    assert journal.checkpoints("t1") == points
    assert all(signed(point, public_key(key)) for point in journal.checkpoints("t1"))
    assert journal.checkpoints("t2") == []
    with pytest.raises(JournalError, match=r"^The store did not answer: .*\.$"):
        journal.checkpoint(points[0])


def test_a_checkpoint_is_of_a_table_that_is_there(journal: Journal) -> None:
    with pytest.raises(JournalError, match="did not answer"):
        journal.checkpoint(sign(new_key(), "t9", 1, START))


def test_a_secret_is_kept_once_and_stays_as_it_was(journal: Journal) -> None:
    seed = bytes(range(32))
    assert journal.secret("t1", "shoe 1") is None
    journal.keep_secret("t1", "shoe 1", seed)
    with pytest.raises(JournalError, match=r"^The store did not answer: .*\.$"):
        journal.keep_secret("t1", "shoe 1", bytes(32))
    assert journal.secret("t1", "shoe 1") == seed
    assert journal.secret("t1", "shoe 2") is None
    assert journal.secret("t2", "shoe 1") is None


def test_records_are_put_changed_and_dropped(journal: Journal) -> None:
    assert journal.record("lease", "t1") is None
    journal.put_record("lease", "t1", "held")
    journal.put_record("lease", "t1", "released")
    journal.put_record("lease", "t2", "held")
    journal.put_record("other", "t1", "Ω")
    assert journal.record("lease", "t1") == "released"
    assert journal.records("lease") == {"t1": "released", "t2": "held"}
    assert journal.record("other", "t1") == "Ω"
    assert not journal.add_record("lease", "t1", "x")
    assert journal.add_record("lease", "t3", "x")
    journal.drop_record("lease", "t1")
    assert journal.records("lease") == {"t2": "held", "t3": "x"}


def test_a_record_changes_only_from_what_was_read_and_its_note_with_it(journal: Journal) -> None:
    note = given("house", 0, "k1", b"made")
    assert journal.change_record("account", "ann", None, "1", note)
    assert not journal.change_record("account", "ann", None, "2", given("house", 0, "k2", b"in vain"))
    assert not journal.change_record("account", "ann", "0", "2", given("house", 0, "k3", b"in vain"))
    assert journal.change_record("account", "ann", "1", "2", given("house", 0, "k4", b"changed"))
    assert journal.change_record("account", "ann", "2", None, given("house", 0, "k5", b"gone"))
    assert journal.record("account", "ann") is None
    assert [entry.body for entry in journal.read("house")] == [b"made", b"changed", b"gone"]
    assert first_broken(journal.read("house")) is None


def test_of_many_who_take_a_name_at_once_one_gets_it(url: str, journal: Journal) -> None:
    other = Journal(url)
    with ThreadPoolExecutor(4) as pool:
        for number in range(10):
            works = [
                pool.submit(
                    to.change_record, "account", f"n{number}", None, "x", given("house", 0, f"{number}-{at}", b"x")
                )
                for at, to in enumerate((journal, other, journal, other))
            ]
            assert sorted(work.result() for work in works) == [False, False, False, True]
    assert journal.tables() == {"house": 10}
    assert first_broken(journal.read("house")) is None
    other.close()


# SQLite as it is run, and addresses


def test_every_connection_to_sqlite_writes_ahead_and_waits_for_the_disk(tmp_path: Path) -> None:
    journal = Journal(fresh("sqlite", tmp_path))
    journal.upgrade()
    connections = [journal.engine.raw_connection() for _ in range(3)]
    for connection in connections:
        cursor = connection.cursor()
        told = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
        assert told == ["wal", 2, 1]  # 2 is FULL
    for connection in connections:
        connection.close()
    journal.close()


def test_a_reader_of_sqlite_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    journal = Journal(fresh("sqlite", tmp_path))
    journal.upgrade()
    add(journal, "t1", 0, "k", b"one")
    reader = sqlite3.connect(str(journal.url.database), timeout=0)
    with journal.engine.begin() as connection:
        connection.execute(text("UPDATE tables SET sequence = 9"))
        assert reader.execute("SELECT sequence FROM tables").fetchall() == [(1,)]
    assert reader.execute("SELECT sequence FROM tables").fetchall() == [(9,)]
    reader.close()
    journal.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "punto.db",
        "mysql://localhost/punto",
        "sqlite+aiosqlite:///x.db",
        "postgresql://host:port/hunter2",
    ],
)
def test_a_bad_address_is_a_sentence(address: str) -> None:
    with pytest.raises(JournalError, match=r"^[A-Z].*\.$") as told:
        Journal(address)
    assert "hunter2" not in str(told.value)


def test_a_store_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam, this is no database." * 40)
    for address in (
        f"sqlite:///{tmp_path}/no/such/folder/punto.db",
        f"sqlite:///{tmp_path}/letter.txt",
        "postgresql://nobody:hunter2@127.0.0.1:1/punto",
    ):
        journal = Journal(address)
        for attempt in (journal.upgrade, journal.tables):
            with pytest.raises(JournalError, match=r"^The store did not answer: .*\.$") as told:
                attempt()
            assert "hunter2" not in str(told.value)
        journal.close()


def test_a_commit_is_written_even_where_the_server_would_not_wait(tmp_path: Path) -> None:
    url = fresh("postgresql", tmp_path)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER ROLE CURRENT_USER SET synchronous_commit = off")
    journal = Journal(url)
    with journal.engine.connect() as connected:
        assert connected.execute(text("SHOW synchronous_commit")).scalar() == "on"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER ROLE CURRENT_USER RESET synchronous_commit")
    journal.close()


def test_nobody_but_its_owner_reads_the_store(tmp_path: Path) -> None:
    file = tmp_path / "punto.db"
    before = os.umask(0)
    try:
        with closing(Journal(f"sqlite:///{file}")) as journal:
            journal.upgrade()
            journal.append([Append("t", 0, "k", "ann", "2025-01-01", (b"{}",))])
            beside = sorted(tmp_path.iterdir())
            assert len(beside) == 3
            assert {stat.S_IMODE(each.stat().st_mode) for each in beside} == {0o600}
        file.chmod(0o644)  # as an earlier release left it
        with closing(Journal(f"sqlite:///{file}")) as journal:
            journal.upgrade()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    finally:
        os.umask(before)
