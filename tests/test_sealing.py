"""Faces that no event shows: nobody reads them in the journal before the shoe has ended, and then anybody does."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from databases import KINDS, fresh
from punto.audit import Verified, verify_table
from punto.coup import RANKS, SUITS
from punto.journal import Entry, Journal
from punto.sealing import BadSeal, StillSealed, hides_faces, new_shoe_key, seal, unseal
from punto.service.runtime.floor import Floor
from punto.settlement import Limits
from punto.table import commands as c
from punto.table import encode, events

FULL = {rank + suit: 8 for rank in RANKS for suit in SUITS}
FACES = st.sampled_from(sorted(FULL))
PIT, SHIFT = "pit-supervisor", "gaming-shift-manager"
SEALED = ("9c", "4d")


# A seal


@given(st.dictionaries(FACES, st.integers(0, 8)), st.lists(FACES, max_size=3), st.text(max_size=5))
def test_what_is_sealed_comes_out_as_it_went_in(count: dict[str, int], sealed: list[str], reason: str) -> None:
    command = c.Answer(3, "counted", reason, count=count, sealed=tuple(sealed), by=PIT)
    key = new_shoe_key()
    assert unseal(seal(command, key, "t1", 2), "t1", {2: key}.get) == command


def test_a_command_that_hides_nothing_is_written_as_it_is() -> None:
    command = c.Expose(("4h",), at=2)
    assert unseal(encode(command), "t1", dict[int, bytes]().get) == command


def test_nothing_of_what_is_sealed_can_be_read_and_nobody_sees_that_two_are_the_same() -> None:
    command, key = c.Answer(3, "counted", sealed=SEALED, by=PIT), new_shoe_key()
    one, other = seal(command, key, "t1", 2), seal(command, key, "t1", 2)
    assert json.loads(one).keys() == {"do", "question", "choice", "by", "seal"}
    assert json.loads(one)["seal"]["data"] != json.loads(other)["seal"]["data"]


@pytest.mark.parametrize(
    ("table", "shoe", "right"), [("t2", 2, True), ("t1", 3, True), ("t1", 2, False)], ids=["table", "shoe", "key"]
)
def test_a_seal_opens_only_where_it_was_made(table: str, shoe: int, right: bool) -> None:
    key = new_shoe_key()
    written = seal(c.Answer(3, "counted", sealed=SEALED), key, "t1", 2)
    moved = written.replace(b'"shoe":2', b'"shoe":%d' % shoe)
    with pytest.raises(BadSeal, match=f"does not open with the key of shoe {shoe}"):
        unseal(moved, table, lambda _: key if right else new_shoe_key())


def test_without_the_key_it_stays_sealed() -> None:
    written = seal(c.Answer(3, "counted", sealed=SEALED), new_shoe_key(), "t1", 2)
    with pytest.raises(StillSealed):
        unseal(written, "t1", lambda _: None)


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"nonsense",
        b"[]",
        b'{"do":"miracle"}',
        b'{"do":"answer","question":1,"choice":"x","seal":{}}',
        b'{"do":"answer","question":1,"choice":"x","seal":{"shoe":1,"data":"***"}}',
        b'{"do":"answer","question":1,"choice":"x","seal":{"shoe":1,"data":"AAAA"}}',
        b'{"do":"answer","question":1,"choice":"\xff"}',
    ],
)
def test_what_is_no_command_is_a_sentence(written: bytes) -> None:
    with pytest.raises(BadSeal, match=r"\.$"):
        unseal(written, "t1", lambda _: bytes(32))


@pytest.mark.parametrize(
    ("command", "made", "hidden"),
    [
        (c.Expose(("4h", "5d")), (events.CardsExposed((0, 1), ("4h", "5d")),), False),
        (c.Expose(("10h",)), (events.CardsExposed((0,), ("Th",)),), False),
        (c.Report("cards-carried-off", (0,), ("7h",)), (events.Reported("cards-carried-off", faces=("7h",)),), False),
        (c.Report("exposed-card", faces=("7h",), earlier=True), (events.Reported("exposed-card"),), True),
        (c.Report("other", faces=("joker",), note="A joker."), (events.Reported("other"),), True),
        (c.Answer(1, "counted", count={"7h": 1}), (events.Deduced(1, ("7h",)),), True),
        (c.Answer(1, "present"), (events.Answered(1, "present"),), False),
        (c.Place("ann", "player", 1000), (events.WagerPlaced("ann", 1, "player", 1000),), False),
    ],
)
def test_what_hides_a_face(command: c.Command, made: tuple[events.Event, ...], hidden: bool) -> None:
    assert hides_faces(command, made) == hidden


# A hand-dealt shoe (AMB-86)


async def _carried_off(floor: Floor, *, end: bool) -> None:
    """A patron leaves with a card: the rest of the shoe is counted, and two cards are read under seal."""
    count = dict(FULL)
    for face in ("2c", "3s", "Kd", "7h", *SEALED):
        count[face] -= 1
    limits = Limits(minimum=1000, maximum=1_000_000, differential=1_000_000)
    steps = [
        c.OpenTable(
            "dragon-tiger-mbs",
            "2026-11-15T08:00:00+08:00",
            8,
            limits=limits,
            method="A",
            face_down=True,
            by="pit-manager",
        ),
        c.LoadShoe(),
        c.Sit("ann", 1, by="ann"),
        c.BuyIn("ann", 100_000, by="ann"),
        c.OpenBets(),
        c.Place("ann", "player", 50_000, by="ann"),
        c.CloseBets(),
        *[c.Draw()] * 4,
        c.Expose(("Kd",), at=2, by="ann"),
        c.Expose(("2c",), at=1),
        c.Expose(("3s",), at=3),
        c.Leave("ann", by="ann"),
        c.Report("cards-carried-off", (0,), patron="ann"),
        c.Answer(1, "present", by=SHIFT),
        c.Answer(2, "counted", count=count, sealed=SEALED, by=PIT),
        c.Draw(),
        c.Expose(("9c",)),
        c.Settle(),
    ]
    for number, step in enumerate([*steps, c.EndShoe(key="ab" * 32)] if end else steps):
        await floor.submit("t1", step, who=step.by, key=f"k{number}")


def played(url: str, *, end: bool) -> Journal:
    journal = Journal(url)
    journal.upgrade()

    async def story() -> None:
        floor = Floor(journal)
        await _carried_off(floor, end=end)
        await floor.stop()

    asyncio.run(story())
    return journal


def counted(journal: Journal) -> Entry:
    [entry] = [each for each in journal.entries("t1") if b'"seal"' in (each.command or b"")]
    return entry


def whole(journal: Journal) -> Verified:
    found = verify_table(journal, "t1")
    assert found.wrong is None, found.wrong
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_count_is_sealed_until_the_shoe_has_ended_and_then_decided_again(kind: str, tmp_path: Path) -> None:
    journal = played(fresh(kind, tmp_path), end=True)
    told = b"".join(each for entry in journal.entries("t1") for each in (entry.command or b"", *entry.events))
    assert not re.search(rb'"4d"', told), "the card that was never dealt is nowhere to be read"
    entry, ended = counted(journal), journal.read("t1")[-1]
    key = json.loads(ended.body)["key"]
    assert key != "ab" * 32, "nobody chooses the key"
    opened = unseal(entry.command or b"", "t1", {1: bytes.fromhex(key)}.get)
    assert isinstance(opened, c.Answer)
    assert opened.sealed == SEALED
    assert whole(journal).not_decided == {}
    journal.close()


def test_while_the_shoe_is_in_use_only_the_store_s_own_secret_opens_it(tmp_path: Path) -> None:
    journal = played(fresh("sqlite", tmp_path), end=False)
    found = whole(journal)
    assert (found.decided, found.not_decided) == (found.entries, {})
    with journal.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM secrets")
    found = whole(journal)
    assert (found.decided, found.not_decided) == (found.entries - 1, {"sealed": 1})
    journal.close()


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("", "it ends a shoe without the key of what was sealed while it was in use"),
        ("00" * 32, "its command cannot be decided again: What is sealed in it does not open with the key of shoe 1."),
    ],
)
def test_a_shoe_that_ends_with_another_key_or_none_is_found_out(tmp_path: Path, key: str, says: str) -> None:
    journal = played(fresh("sqlite", tmp_path), end=False)
    sealed = counted(journal)
    with journal.engine.begin() as connection:
        kept = connection.exec_driver_sql("SELECT value FROM secrets").scalar_one()
        connection.exec_driver_sql("DELETE FROM secrets")

    async def story() -> None:
        floor = Floor(journal)
        if key:
            journal.keep_secret("t1", "shoe 1 seal", bytes.fromhex(key))
        await floor.submit("t1", c.EndShoe(), who="dealer", key="end")
        await floor.stop()

    asyncio.run(story())
    if not key:
        journal.keep_secret("t1", "shoe 1 seal", kept)
    wrong = verify_table(journal, "t1").wrong
    assert wrong is not None
    assert wrong.why == says
    assert wrong.sequence == (sealed.first if key else journal.tables()["t1"])
    journal.close()


def test_a_shoe_in_which_nothing_was_sealed_has_no_key(tmp_path: Path) -> None:
    journal = Journal(fresh("sqlite", tmp_path))
    journal.upgrade()

    async def story() -> None:
        floor = Floor(journal)
        limits = Limits(minimum=1000, differential=1_000_000)
        opening = c.OpenTable("wu-song", "2026-11-15T08:00:00+08:00", 8, limits=limits)
        for number, step in enumerate((opening, c.LoadShoe(), c.EndShoe(key="ab" * 32))):
            await floor.submit("t1", step, who="dealer", key=str(number))
        await floor.stop()

    asyncio.run(story())
    ended = json.loads(journal.read("t1")[-1].body)
    assert (ended["event"], "key" in ended) == ("shoe-ended", False)
    assert whole(journal).decided == 3
    journal.close()
