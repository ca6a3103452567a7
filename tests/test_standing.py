"""Removing an account and counting the house read what is new, however long the history is.

Without the key that signs for the house everything is read from its beginning: that is what the results are held to.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Row

from bulk import ROUNDS_A_SHOE, append_days, append_history
from databases import KINDS, fresh
from punto.journal import Append, Entry, Journal, new_key, public_key, rows
from punto.journal import snapshots as kept_states
from punto.journal import store as store_module
from punto.journal.leases import mark_released
from punto.journal.snapshots import KeptSnapshot, new_snapshot
from punto.service.accounts.account import BadAccount
from punto.service.accounts.registry import Accounts
from punto.service.days import start_of_days
from punto.service.keys.signing import key_if_there
from punto.service.money import ledger
from punto.service.money.count import Count, Counter, DayNotKept
from punto.service.money.purses import tables_with
from punto.table import commands, encode
from punto.table.decide import act
from punto.table.snapshot import same_state
from service_room import MASTER, Room, quick

EVERY = 40
STARTS = start_of_days("06:00+00:00")
KEPT = "kept-ledger"


class Read:
    """The entries that were read from the store."""

    def __init__(self) -> None:
        self.entries = 0


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    found, real = Read(), rows.read_entry

    def noted(row: Row[Any]) -> Entry:
        found.entries += 1
        return real(row)

    monkeypatch.setattr(store_module, "read_entry", noted)
    monkeypatch.setattr(kept_states, "read_entry", noted)
    return found


@contextmanager
def house(kind: str, folder: Path, rounds: int) -> Iterator[Journal]:
    """A house with one table and a history behind it, which was open once, so that there is a snapshot."""
    url = fresh(kind, folder)
    with closing(Journal(url)) as journal:
        journal.upgrade()
        append_history(journal, "t", rounds)
        mark_released(journal, ["t"])

        async def open_once() -> None:
            async with Room(quick(url, folder, checkpoint_every=EVERY)):
                pass

        asyncio.run(open_once())
        journal.unlock(MASTER, first=False)
        yield journal


def own_key(folder: Path) -> Callable[[], bytes]:
    found = key_if_there(folder / "punto.key", MASTER)
    assert found is not None
    return found


def buy_in(journal: Journal, amount: int) -> None:
    """Ann buys in, by the rules, at the table as its chain tells it."""
    [found] = tables_with(journal, "ann")
    command = commands.BuyIn("ann", amount, by="ann")
    _, made = act(found.table, command)
    bodies = tuple(encode(event) for event in made)
    at = "2026-11-16T08:00:00.000Z"
    journal.append([Append("t", found.sequence, f"buy {found.sequence}", "dealer", at, bodies)])


# Purses


@pytest.mark.parametrize("kind", KINDS)
def test_what_somebody_owns_is_found_without_the_history(kind: str, tmp_path: Path, read: Read) -> None:
    reads = []
    for number, shoes in enumerate((2, 4)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with house(kind, folder, shoes * ROUNDS_A_SHOE) as journal:
            buy_in(journal, 5_000)
            read.entries = 0
            [found] = tables_with(journal, "ann", own_key(folder))
            reads.append(read.entries)
            read.entries = 0
            [whole] = tables_with(journal, "ann")
            assert read.entries > shoes * ROUNDS_A_SHOE
            assert found.sequence == whole.sequence
            assert same_state(found.table, whole.table)
            assert found.table.patrons["ann"].balance == 5_000
    assert reads[0] == reads[1]
    assert reads[0] <= 2 * EVERY


def test_what_another_key_has_signed_is_not_trusted(tmp_path: Path, read: Read) -> None:
    with house("sqlite", tmp_path, ROUNDS_A_SHOE) as journal:
        read.entries = 0
        other = new_key()
        [found] = tables_with(journal, "ann", lambda: other)
        assert read.entries > ROUNDS_A_SHOE
        assert found.table.patrons["ann"].balance == 0


def test_an_account_is_removed_without_reading_the_history(tmp_path: Path, read: Read) -> None:
    with house("sqlite", tmp_path, 4 * ROUNDS_A_SHOE) as journal:
        accounts = Accounts(journal)
        accounts.make("ann-login", "patron", person="ann")
        buy_in(journal, 5_000)
        read.entries = 0
        remove = partial(accounts.remove, "ann-login", by="console", key=own_key(tmp_path))
        with pytest.raises(BadAccount, match=r"they have 50\.00"):
            remove()
        remove(hold=True)
        assert read.entries < 4 * ROUNDS_A_SHOE
        [left] = tables_with(journal, "ann")
        ann = left.table.patrons["ann"]
        assert (ann.away, ann.balance, ann.held, ann.owed) == (True, 0, 0, 0)
        counted = Counter(journal, STARTS).count()
        assert counted.zero
        assert counted.held == {"ann": {"USD": 5_000}}


def test_without_a_key_file_there_is_no_key(tmp_path: Path) -> None:
    assert key_if_there(tmp_path / "none.key", MASTER) is None
    assert key_if_there(tmp_path / "none.key", None) is None


# The count


def counted(journal: Journal, folder: Path, day: str | None = None) -> Count:
    """The count of a new process of this house."""
    return Counter(journal, STARTS, own_key(folder)).count(day)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_process_counts_on_from_where_another_was_left(kind: str, tmp_path: Path, read: Read) -> None:
    with house(kind, tmp_path, 3 * ROUNDS_A_SHOE) as journal:
        first = counted(journal, tmp_path)
        assert first.zero
        buy_in(journal, 5_000)
        for day in (None, "2026-11-15", "2026-11-16", "2026-11-17"):
            read.entries = 0
            found = counted(journal, tmp_path, day)
            assert read.entries <= 5
            assert found == Counter(journal, STARTS).count(day)
        assert found.tables[0].patrons["ann"].chips == 5_000


def test_a_count_that_was_tampered_with_is_made_anew(tmp_path: Path, read: Read) -> None:
    """Other sums, another table's, another key's, one whose entry is not in the chain, and what is no count at all."""
    with house("sqlite", tmp_path, ROUNDS_A_SHOE) as journal:
        true = counted(journal, tmp_path)
        body = journal.record(KEPT, "t")
        assert body is not None
        kept = msgspec.json.decode(body, type=KeptSnapshot)
        key, other = own_key(tmp_path)(), new_key()
        richer = kept.body.replace(b'"bought":10000000', b'"bought":90000000')
        assert richer != kept.body

        def signed(by: bytes, table: str, sequence: int, head: str, what: bytes) -> str:
            return msgspec.json.encode(new_snapshot(by, table, sequence, head, kept.format, what)).decode()

        forged = [
            msgspec.json.encode(msgspec.structs.replace(kept, body=richer)).decode(),
            signed(other, kept.table, kept.sequence, kept.hash, richer),
            signed(key, "ledger of other", kept.sequence, kept.hash, richer),
            signed(key, kept.table, kept.sequence, "00" * 32, richer),
            signed(key, kept.table, kept.sequence, kept.hash, b"{}"),
            "{}",
        ]
        assert public_key(other) != kept.key
        for each in forged:
            journal.put_record(KEPT, "t", each)
            read.entries = 0
            assert counted(journal, tmp_path) == true
            assert read.entries > ROUNDS_A_SHOE


def test_other_hours_of_the_day_are_counted_anew(tmp_path: Path) -> None:
    with house("sqlite", tmp_path, ROUNDS_A_SHOE) as journal:
        counted(journal, tmp_path)
        late = start_of_days("09:00+00:00")
        found = Counter(journal, late, own_key(tmp_path)).count("2026-11-14")
        assert found == Counter(journal, late).count("2026-11-14")
        assert found.tables[0].bought == 4 * 10_000_000


def test_days_long_ago_are_read_from_the_beginning_and_the_last_are_kept(
    tmp_path: Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "DAYS", 2)
    with house("sqlite", tmp_path, 1) as journal:
        append_days(journal, "u", 4)
        everything = Counter(journal, STARTS)
        counted(journal, tmp_path)
        for day, kept in (("2026-11-01", False), ("2026-11-02", False), ("2026-11-03", True), ("2026-11-04", True)):
            read.entries = 0
            found = counted(journal, tmp_path, day)
            assert (read.entries < ROUNDS_A_SHOE) is kept
            assert found == everything.count(day)
            assert sum(each.bought for each in found.tables) == 4 * 10_000_000
        assert counted(journal, tmp_path) == everything.count()


def test_whoever_must_answer_soon_refuses_days_long_ago_and_reads_nothing_for_them(
    tmp_path: Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known of the last days stays; a day before a chain has begun is empty without its history."""
    monkeypatch.setattr(ledger, "DAYS", 2)
    with house("sqlite", tmp_path, 1) as journal:
        append_days(journal, "u", 4)
        counted(journal, tmp_path)
        counter = Counter(journal, STARTS, own_key(tmp_path), last_days=True)
        last = counter.report("2026-11-04")
        read.entries = 0
        for day in ("2026-11-01", "2026-11-02"):
            with pytest.raises(DayNotKept):
                counter.report(day)
            with pytest.raises(DayNotKept):
                counter.count(day)
        assert read.entries == 1  # the first of the chain
        assert counter.report("2026-11-04") == last == Counter(journal, STARTS).report("2026-11-04")
        for day in ("2001-01-01", "2026-10-31"):
            read.entries = 0
            found = counter.report(day)
            assert read.entries <= 1
            assert found == Counter(journal, STARTS).report(day)
            assert (found.patrons, sum(each.bought for each in found.tables)) == ([], 0)


def test_of_tables_that_are_not_asked_for_nothing_is_read(tmp_path: Path, read: Read) -> None:
    with house("sqlite", tmp_path, 1) as journal:
        append_days(journal, "u", 1)
        own = len(journal.entries("t"))
        read.entries = 0
        found = Counter(journal, STARTS).report("2026-11-15", lambda name: name == "t")
        assert read.entries == own
        assert [each.name for each in found.tables] == ["t"]
