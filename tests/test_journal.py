"""The store, on both databases: nothing is added that does not fit, nothing twice, and nothing is ever changed."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Barrier

import msgspec
import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from hypothesis import given as given_
from hypothesis import strategies as st
from sqlalchemy import event as sql_event
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

import punto.journal
from databases import KINDS, fresh, servers
from punto.journal import (
    START,
    Append,
    Appended,
    Conflict,
    Entry,
    Journal,
    JournalError,
    Repeated,
    StoredEvent,
    Unavailable,
    Unfit,
    first_broken,
    hash_of,
    new_key,
    next_entry,
    public_key,
    schema,
    sign,
    signed,
)
from punto.journal.appends import Result
from punto.journal.books import keep_books, kept_book, kept_books
from punto.journal.leases import HELD, RELEASED, Leases, left_behind
from punto.journal.notify import messages, read_message
from service_process import until

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


def given(table: str, expected: int, key: str, *events: bytes) -> Append:
    return Append(table, expected, key, "dealer", AT, events, b"do " + key.encode(), 1)


def add(journal: Journal, table: str, expected: int, key: str, *events: bytes) -> Result:
    [result] = journal.append([given(table, expected, key, *events)])
    return result


# Appending


def test_servers_of_the_tests_share_nothing_with_another_user() -> None:
    """Not even a lock: what somebody else's run has left in a folder for everybody cannot be opened."""
    folder = servers().PostgresServer.lock_path.parent.parent
    assert (folder.stat().st_uid, folder.stat().st_mode & 0o077) == (os.getuid(), 0)


def test_an_entry_holds_a_command_with_its_events_and_the_hash_before_it(journal: Journal) -> None:
    first, second = add(journal, "t1", 0, "k1", b"one", b"two"), add(journal, "t1", 2, "k2", b"three")
    assert isinstance(first, Appended)
    assert isinstance(second, Appended)
    assert [first.entry, second.entry] == journal.entries("t1")
    one, two = journal.entries("t1")
    assert one == Entry("t1", 2, AT, "dealer", "k1", (b"one", b"two"), START, hash_of(one), 2, 1, b"do k1")
    assert (two.first, two.sequence, two.before, two.events) == (3, 3, one.hash, (b"three",))
    assert journal.tables() == {"t1": 3}
    assert first_broken(journal.entries("t1")) is None


def test_a_server_without_an_encoding_keeps_what_it_is_given(tmp_path: Path) -> None:
    """PostgreSQL made in a bare container, under the locale C, has databases of that kind."""
    url = fresh("postgresql", tmp_path, "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    with closing(Journal(url)) as journal:
        journal.upgrade()
        add(journal, "武松", 0, "k1", "打虎".encode())
        assert journal.tables() == {"武松": 1}
        assert journal.read("武松") == [StoredEvent("武松", 1, AT, "dealer", "k1", "打虎".encode())]


def test_events_are_numbered_one_by_one(journal: Journal) -> None:
    add(journal, "t1", 0, "k1", b"one", b"two")
    add(journal, "t1", 2, "k2", b"three")
    assert journal.read("t1") == [
        StoredEvent("t1", 1, AT, "dealer", "k1", b"one"),
        StoredEvent("t1", 2, AT, "dealer", "k1", b"two"),
        StoredEvent("t1", 3, AT, "dealer", "k2", b"three"),
    ]


def test_a_note_needs_no_command(journal: Journal) -> None:
    journal.note(Append("house", 0, "k1", "service", AT, (b"made",)))
    [entry] = journal.entries("house")
    assert (entry.command, entry.engine, entry.form) == (None, None, 2)
    assert first_broken([entry]) is None


@pytest.mark.parametrize("bad", [{"events": (b"a", b"two\nlines")}, {"command": b"two\nlines"}])
def test_what_is_not_one_line_is_not_kept(journal: Journal, bad: dict[str, object]) -> None:
    with pytest.raises(Unfit, match="line feed"):
        journal.append([msgspec.structs.replace(given("t1", 0, "k", b"a"), **bad)])
    assert journal.tables() == {}


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
    assert add(journal, "t1", 0, "k") == Appended(None)
    assert journal.tables() == {}


def test_what_is_in_use_when_a_store_is_closed_is_closed_when_it_is_given_back(tmp_path: Path) -> None:
    journal = Journal(fresh("postgresql", tmp_path))
    journal.upgrade()
    with journal.transaction(reading=True) as connection:
        own = connection.connection.dbapi_connection
        journal.close()  # a service ends while a thread reads
        assert own is not None
        assert not own.closed
    assert own.closed


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
    assert first_broken(journal.entries("old")) is None
    assert first_broken(journal.entries("new")) is None


def test_a_commit_never_goes_through_the_whole_journal(tmp_path: Path) -> None:
    """PostgreSQL keeps the plan that it made while the journal was young: it must be good when it is old as well."""
    with closing(Journal(fresh("postgresql", tmp_path))) as journal:
        journal.upgrade()
        journal.append([given(f"t{number}", 0, "open", b"opened") for number in range(20)])
        seen = []
        for place in range(1, 31):  # enough that the driver and the database keep the plan
            journal.append([given(f"t{number}", place, f"k{place}", b"e") for number in range(20)])
            with journal.transaction() as connection:
                connection.execute(text("SELECT pg_stat_force_next_flush()"))
            with journal.transaction() as connection:
                asked = text("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'entries'")
                seen.append(connection.execute(asked).scalar())
        assert seen == [seen[0]] * 30


def test_a_batch_is_added_whole_or_not_at_all(journal: Journal) -> None:
    add(journal, "t1", 0, "k", b"one")
    nobody = msgspec.structs.replace(given("t2", 0, "k", b"one"), who=None)
    with pytest.raises(JournalError, match=r"^The store did not answer: .*\.$"):
        journal.append([given("t1", 1, "k2", b"two"), nobody])
    assert [entry.body for entry in journal.read("t1")] == [b"one"]
    assert journal.tables() == {"t1": 1}


def test_what_was_added_is_there_for_whoever_opens_the_store_next(url: str, journal: Journal) -> None:
    body = bytes(each for each in range(256) if each != ord("\n"))
    add(journal, "t1", 0, "k", body)
    other = Journal(url)
    assert [entry.body for entry in other.read("t1")] == [body]
    other.close()


def test_entries_are_read_from_any_number_on(journal: Journal) -> None:
    add(journal, "t1", 0, "k1", *(b"%d" % number for number in range(1, 6)))
    add(journal, "t1", 5, "k2", b"6", b"7")
    assert [entry.sequence for entry in journal.read("t1", 3)] == [4, 5, 6, 7]
    assert [entry.sequence for entry in journal.read("t1", 3, 2)] == [4, 5]
    assert [entry.sequence for entry in journal.entries("t1", 4)] == [5, 7]
    assert [entry.sequence for entry in journal.entries("t1", 5, 1)] == [7]
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
    assert first_broken(journal.entries("t1")) is None
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

    def send(to: Journal, key: str, at: int) -> Result:
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

    def send(to: Journal, number: int) -> list[Result]:
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
        done = sum(work.result(timeout=600) for work in works)
    assert sum(journal.tables().values()) == 2 + done
    assert first_broken(journal.entries("t1")) is None
    assert first_broken(journal.entries("t2")) is None
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
        heard = [read_message(note.payload) for note in listener.notifies(timeout=600, stop_after=2)]
    assert heard == [(journal.process, {"t1": 2}), (journal.process, {"t1": 3, "t2": 1})]
    many = {f"table-{number}-{'x' * 50}": number for number in range(1000)}
    told = messages("punto-5f", many)
    assert all(len(each) < 8000 for each in told)
    assert {table: at for each in told for table, at in read_message(each)[1].items()} == many
    journal.close()


# Nothing is ever changed


@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE entries SET body = 'x'",
        "UPDATE entries SET who = 'nobody' WHERE sequence = 2",
        "DELETE FROM entries",
        "DELETE FROM entries WHERE sequence = 2",
        "UPDATE checkpoints SET hash = 'x'",
        "DELETE FROM checkpoints",
        "UPDATE entries SET command = NULL, form = 1",
        "UPDATE books SET text = 'x'",
        "DELETE FROM books",
        "TRUNCATE books",
        "INSERT OR REPLACE INTO books SELECT digest, 'x' FROM books",
        "INSERT OR REPLACE INTO entries SELECT 't1', 2, at, who, key, 'x', before, hash, 1, 1, 'x' FROM entries",
        "INSERT OR REPLACE INTO checkpoints SELECT 't1', 2, 'x', key, signature FROM checkpoints",
        "TRUNCATE entries CASCADE",
        "TRUNCATE checkpoints",
    ],
)
def test_the_database_itself_refuses_to_change_what_was_written(journal: Journal, attempt: str) -> None:
    if attempt.startswith("TRUNCATE" if journal.sqlite else "INSERT OR REPLACE"):
        return  # the other database has no such words
    add(journal, "t1", 0, "k", b"one", b"two")
    keep_books(journal, [b"a book"])
    journal.checkpoint(sign(new_key(), "t1", 2, journal.entries("t1")[-1].hash))
    before, points = journal.entries("t1"), journal.checkpoints("t1")
    with pytest.raises(DBAPIError, match="are never changed"), journal.engine.begin() as connection:
        connection.execute(text(attempt))
    assert (journal.entries("t1"), journal.checkpoints("t1")) == (before, points)
    assert list(kept_books(journal).values()) == [b"a book"]


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


def test_a_database_in_the_newest_form_is_left_as_it_is(tmp_path: Path) -> None:
    """What brings a database there is read only where a step is missing: the steps are known by their numbers."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    steps = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions()]
    assert list(schema.REVISIONS) == steps[::-1]
    code = (
        "import sys; from punto.journal import Journal; "
        f"journal = Journal('sqlite:///{tmp_path}/p.db'); journal.upgrade(); print('alembic' in sys.modules)"
    )
    started = [sys.executable, "-c", code]
    told = [subprocess.run(started, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert told == ["True\n", "False\n"]


def in_the_first_schema(url: str) -> list[Entry]:
    """A store as the first releases left it: a command of three events and one of one, and a kept book."""
    made: list[Entry] = []
    for number, (key, event) in enumerate((("k1", b"a"), ("k1", b"b\xc3\xa9"), ("k1", b"c"), ("k2", b"d")), start=1):
        entry = Entry("t1", number, AT, "dealer", key, (event,), made[-1].hash if made else START, "", form=1)
        made.append(msgspec.structs.replace(entry, hash=hash_of(entry)))
    journal = Journal(url)
    config = Config()
    config.set_main_option("script_location", str(Path(punto.journal.__file__).parent / "migrations"))
    with journal.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(text("INSERT INTO tables VALUES ('t1', 4, :hash)"), {"hash": made[-1].hash})
        for each in made:
            row = {**msgspec.structs.asdict(each), "body": each.events[0]}
            names = ("table", "sequence", "at", "who", "key", "body", "before", "hash")
            values = {name: row[name] for name in names}
            connection.execute(text(f"INSERT INTO entries VALUES ({', '.join(f':{name}' for name in names)})"), values)
        book = {"name": sha256(BOOK).hexdigest(), "body": BOOK.decode()}
        connection.execute(text("INSERT INTO records VALUES ('book', :name, :body)"), book)
    journal.close()
    return made


BOOK = 'title = "A \\\\ book, é"\n'.encode()


def test_a_store_of_the_first_schema_is_read_as_it_is_and_goes_on_when_upgraded(url: str) -> None:
    made = in_the_first_schema(url)
    journal = Journal.existing(url)
    assert journal.entries("t1") == made
    assert [each.body for each in journal.made_by("t1", "k1")] == [b"a", b"b\xc3\xa9", b"c"]
    assert kept_books(journal) == {sha256(BOOK).hexdigest(): BOOK}
    assert kept_book(journal, sha256(BOOK).hexdigest()) == BOOK
    assert journal.revision() == "0001", "reading upgrades nothing"
    journal.close()

    journal = Journal(url)
    journal.upgrade()
    assert journal.entries("t1") == made
    assert kept_books(journal) == {sha256(BOOK).hexdigest(): BOOK}
    assert journal.records("book") == {}
    assert add(journal, "t1", 4, "k1", b"a") == Repeated(1, 3)
    assert isinstance(add(journal, "t1", 4, "k3", b"e", b"f"), Appended)
    assert [each.form for each in journal.entries("t1")] == [1, 1, 1, 1, 2]
    assert first_broken(journal.entries("t1")) is None
    assert [each.sequence for each in journal.read("t1", 2, 3)] == [3, 4, 5]
    with pytest.raises(DBAPIError, match="are never changed"), journal.engine.begin() as connection:
        connection.execute(text("UPDATE entries SET command = 'x' WHERE sequence = 1"))
    journal.close()


def test_a_database_without_a_journal_is_a_sentence(url: str) -> None:
    with pytest.raises(JournalError, match=r"^There is no journal at .*\.$"):
        Journal.existing(url)


def test_two_processes_may_make_the_same_store_at_once(url: str) -> None:
    program = "import sys; from punto.journal import Journal; j = Journal(sys.argv[1]); j.upgrade(); j.close()"
    both = [subprocess.Popen([sys.executable, "-c", program, url], stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=600)[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    journal = Journal(url)
    assert isinstance(add(journal, "t1", 0, "k", b"one"), Appended)
    journal.close()


# The chain


def five() -> list[Entry]:
    """Five entries, the third of two events."""
    made: list[Entry] = []
    for number, events in enumerate(([b"1"], [b"2"], [b"3", b"4"], [b"5"], [b"6"])):
        after, before = (made[-1].sequence, made[-1].hash) if made else (0, START)
        made.append(next_entry("t1", after, before, AT, "dealer", f"k{number}", events, b"do", 1))
    return made


@pytest.mark.parametrize(
    "field",
    [
        ("table", "t2"),
        ("at", "later"),
        ("who", "nobody"),
        ("key", "x"),
        ("events", (b"x",)),
        ("command", b"do something else"),
        ("command", None),
        ("engine", 2),
        ("engine", None),
        ("hash", "0" * 64),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 4])
def test_an_altered_entry_is_found(place: int, field: tuple[str, object]) -> None:
    entries = five()
    entries[place] = msgspec.structs.replace(entries[place], **dict([field]))
    broken = first_broken(entries)
    assert broken is not None
    assert (broken.sequence, broken.why) == (entries[place].first, "its entry is not what was hashed")


@pytest.mark.parametrize("events", [(b"3", b"x"), (b"3\n4",), (b"4", b"3"), (b"3",), ()])
def test_altered_events_are_found(events: tuple[bytes, ...]) -> None:
    entries = five()
    entries[2] = msgspec.structs.replace(entries[2], events=events)
    broken = first_broken(entries)
    assert broken is not None
    assert broken.sequence in (3, 4, 5)


@pytest.mark.parametrize("place", [0, 1, 3])
def test_an_altered_entry_with_a_new_hash_is_found_at_the_next_one(place: int) -> None:
    entries = five()
    was = msgspec.structs.replace(entries[place], command=b"x")
    entries[place] = msgspec.structs.replace(was, hash=hash_of(was))
    broken = first_broken(entries)
    assert broken is not None
    expected = (entries[place + 1].first, "its entry does not follow from the one before it")
    assert (broken.sequence, broken.why) == expected


@pytest.mark.parametrize(
    ("order", "sequence", "why"),
    [
        ([1, 2, 3, 4], 2, "event 1 is missing"),
        ([0, 1, 3, 4], 5, "event 3 is missing"),
        ([0, 2, 1, 3, 4], 3, "event 2 is missing"),
        ([0, 1, 1, 2, 3, 4], 2, "event 3 is missing"),
    ],
)
def test_missing_swapped_and_doubled_entries_are_found(order: list[int], sequence: int, why: str) -> None:
    entries = five()
    broken = first_broken([entries[place] for place in order])
    assert broken is not None
    assert (broken.sequence, broken.why) == (sequence, why)


def test_swapped_entries_with_their_numbers_put_right_are_found() -> None:
    entries = five()
    entries[0], entries[1] = (
        msgspec.structs.replace(entries[1], sequence=1),
        msgspec.structs.replace(entries[0], sequence=2),
    )
    broken = first_broken(entries)
    assert broken is not None
    assert (broken.sequence, broken.why) == (1, "its entry does not follow from the one before it")


def test_a_chain_without_its_end_is_a_chain() -> None:
    assert first_broken(five()[:3]) is None
    assert first_broken([]) is None


def test_a_chain_never_goes_back_to_an_earlier_form() -> None:
    """Whoever rewrites the end of a chain cannot leave the commands out by taking the form that had none."""
    entries = five()[:2]
    old = Entry("t1", 3, AT, "dealer", "k", (b"3",), entries[-1].hash, "", form=1)
    broken = first_broken([*entries, msgspec.structs.replace(old, hash=hash_of(old))])
    assert broken is not None
    assert (broken.sequence, broken.why) == (3, "its entry is of a form that cannot follow the one before it")


@given_(
    st.lists(
        st.tuples(
            st.text(max_size=4),
            st.text(max_size=4),
            st.binary(max_size=4).map(lambda each: each.replace(b"\n", b"")),
            st.lists(st.sampled_from([b"", b"a", b"b", b"ab"]), min_size=1, max_size=3),
            st.none() | st.integers(0, 3),
        ),
        min_size=2,
        max_size=2,
    )
)
def test_no_two_contents_share_a_hash(both: list[tuple[str, str, bytes, list[bytes], int | None]]) -> None:
    one, other = (
        next_entry("t1", 0, START, AT, who, key, events, command, engine).hash
        for who, key, command, events, engine in both
    )
    assert (one == other) == (both[0] == both[1])


def test_the_hash_can_be_computed_from_the_documentation_alone() -> None:
    entry = five()[2]
    head = f'[2,"t1",3,4,"{AT}","dealer","k2",1,"{entry.before}"]'
    assert entry.hash == sha256(head.encode() + b"\ndo\n3\n4").hexdigest()


# Checkpoints, secrets and records


def test_checkpoints_come_back_as_they_were_signed(journal: Journal) -> None:
    key = new_key()
    add(journal, "t1", 0, "k", b"one", b"two")
    add(journal, "t2", 0, "k", b"one")
    points = [sign(key, "t1", sequence, f"{sequence:064}") for sequence in (1, 2)]
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


def test_of_two_who_need_a_secret_at_once_both_get_the_same(url: str, journal: Journal) -> None:
    other = Journal(url)
    with ThreadPoolExecutor(2) as pool:
        for number in range(10):
            works = [
                pool.submit(to.secret_or, "t1", f"shoe {number}", bytes([at]) * 32)
                for at, to in enumerate((journal, other))
            ]
            assert len({work.result() for work in works}) == 1
            assert journal.secret("t1", f"shoe {number}") == works[0].result()
    other.close()


def test_a_book_is_kept_once_under_the_digest_of_its_text(journal: Journal) -> None:
    keep_books(journal, [b"one", b"two"])
    keep_books(journal, [b"two", b"three"])
    kept = kept_books(journal)
    assert sorted(kept.values()) == [b"one", b"three", b"two"]
    assert all(sha256(text).hexdigest() == digest for digest, text in kept.items())
    assert kept_book(journal, sha256(b"two").hexdigest()) == b"two"
    assert kept_book(journal, "0" * 64) is None
    with journal.engine.begin() as connection:
        connection.execute(text("INSERT INTO books VALUES (:digest, :text)"), {"digest": "0" * 64, "text": b"another"})
    with pytest.raises(JournalError, match="that is another"):
        kept_book(journal, "0" * 64)


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
    assert journal.swap_record("lease", "t3", "y") == "x"
    assert journal.swap_record("lease", "t4", "z") is None
    journal.drop_record("lease", "t1")
    assert journal.records("lease") == {"t2": "held", "t3": "y", "t4": "z"}
    assert journal.records("lease", ["t3", "t9"]) == {"t3": "y"}


def test_a_record_changes_only_from_what_was_read_and_its_note_with_it(journal: Journal) -> None:
    note = given("house", 0, "k1", b"made")
    assert journal.change_record("account", "ann", None, "1", note)
    assert not journal.change_record("account", "ann", None, "2", given("house", 0, "k2", b"in vain"))
    assert not journal.change_record("account", "ann", "0", "2", given("house", 0, "k3", b"in vain"))
    assert journal.change_record("account", "ann", "1", "2", given("house", 0, "k4", b"changed"))
    assert journal.change_record("account", "ann", "2", None, given("house", 0, "k5", b"gone"))
    assert journal.record("account", "ann") is None
    assert [entry.body for entry in journal.read("house")] == [b"made", b"changed", b"gone"]
    assert first_broken(journal.entries("house")) is None


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
    assert first_broken(journal.entries("house")) is None
    other.close()


# Leases


def test_one_process_at_a_time_holds_a_lease(url: str, journal: Journal) -> None:
    other = Journal(url)
    ours, theirs = Leases(journal), Leases(other)
    first = ours.take("t1")
    assert first is not None
    assert (first.table, first.left, first.fence) == ("t1", None, 1)
    assert ours.take("t1") is first
    assert theirs.take("t1") is None
    assert left_behind(journal, "t1") == HELD
    assert ours.renew()
    ours.release()
    assert left_behind(journal, "t1") == RELEASED
    assert ours.take("t1") is None, "whoever has released everything takes nothing more"
    found = theirs.take("t1")
    assert found is not None
    assert (found.left, found.fence) == (RELEASED, 2)
    theirs.close()
    other.close()


def test_whoever_takes_a_lease_learns_that_its_holder_died(url: str, journal: Journal) -> None:
    other = Journal(url)
    ours, theirs = Leases(journal, term=0.1), Leases(other, term=0.1)
    assert ours.take("t1") is not None
    ours.close()
    found = until(lambda: theirs.take("t1"), "the term of the dead holder to end")
    assert (found.left, found.fence) == (HELD, 2)
    theirs.release()
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
            with pytest.raises(
                Unavailable if "letter" not in address else JournalError, match=r"^The store did not answer: .*\.$"
            ) as told:
                attempt()
            assert "hunter2" not in str(told.value)
            assert isinstance(told.value, Unavailable) == ("letter" not in address)
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
