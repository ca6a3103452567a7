"""A start does not grow with history: the state of a table is kept at checkpoints, and gone on with from there."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine, text
from sqlalchemy import event as sql_event

from audited import HELD, TABLES, house
from bulk import ROUNDS_A_SHOE, append_history, history
from databases import KINDS, fresh
from punto.audit import verify
from punto.audit.entries import events_of
from punto.journal import Journal, new_key, public_key
from punto.journal.leases import mark_released
from punto.journal.snapshots import MOST, KeptSnapshot, keep_snapshot, kept_snapshots, new_snapshot
from punto.scenario import play, read
from punto.service.keys.rotation import replace_signing_key
from punto.service.keys.signing import signing_key
from punto.service.runtime import live as live_module
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import KEPT, Live
from punto.service.runtime.past_rounds import rounds_over
from punto.service.runtime.seen_cards import seen_since_shuffle
from punto.service.runtime.timing import clock
from punto.service.settings import Settings
from punto.table import decode_event, encode, evolve, fold
from punto.table.events import Event
from punto.table.snapshot import KEPT_TABLE, STATE, BadState, Marks, decode_state, encode_state, same_state
from service_room import MASTER, Room, quick

from test_cli import punto_command

STORIES = Path(__file__).parent.parent / "scenarios"
SHAPES = Path(__file__).parent / "golden"
EVERY = 40


# The state as bytes


def test_every_state_is_the_same_after_it_was_bytes(tmp_path: Path) -> None:
    with closing(house(f"sqlite:///{tmp_path}/house.db")) as journal:
        for name in (*TABLES, HELD):
            table, marks = None, Marks()
            for number, event in enumerate(events_of(journal, name), start=1):
                table, marks = evolve(table, event), marks.after(number, event)
                again = decode_state(encode_state(table, marks))
                assert same_state(again[0], table), (name, number)
                assert again[1] == marks


def test_the_end_of_every_story_is_the_same_after_it_or_its_events_were_bytes() -> None:
    for path in sorted(STORIES.rglob("*.scenario")):
        played = play(read(path.read_text(encoding="utf-8")))
        if (table := played.table) is not None:
            again, _ = decode_state(encode_state(table, Marks()))
            assert same_state(again, table), path
            assert same_state(fold(decode_event(encode(each)) for each in played.events), table), path


def test_what_is_no_state_is_refused() -> None:
    for body in (b"", b"\x80", b"\xff\xff", msgspec.msgpack.encode({"setup": 1})):
        with pytest.raises(BadState):
            decode_state(body)


def _shape(kind: object, seen: dict[str, list[str]]) -> str:
    """A type in words; the structs that it is made of are noted in `seen`, with their fields."""
    given = msgspec.inspect.type_info(kind)
    return _told(given, seen)


def _told(given: msgspec.inspect.Type, seen: dict[str, list[str]]) -> str:
    match given:
        case msgspec.inspect.StructType(cls=cls, fields=fields):
            if cls.__name__ not in seen:
                seen[cls.__name__] = []
                seen[cls.__name__] += [f"{each.encode_name}: {_told(each.type, seen)}" for each in fields]
            return str(cls.__name__)
        case msgspec.inspect.UnionType(types=types):
            return " | ".join(_told(each, seen) for each in types)
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return f"dict[{_told(key, seen)}, {_told(value, seen)}]"
        case msgspec.inspect.TupleType(item_types=items):
            return f"tuple[{', '.join(_told(each, seen) for each in items)}]"
        case msgspec.inspect.CollectionType(item_type=item):
            return f"{type(given).__name__.removesuffix('Type').lower()}[{_told(item, seen)}]"
        case msgspec.inspect.NamedTupleType(cls=cls, fields=fields):
            return f"{cls.__name__}[{', '.join(_told(each.type, seen) for each in fields)}]"
        case msgspec.inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case msgspec.inspect.EnumType(cls=cls):
            return f"one of {', '.join(str(each.value) for each in cls)}"
        case _:
            return type(given).__name__.removesuffix("Type").lower()


def test_the_shape_of_the_state_is_the_one_of_its_number() -> None:
    """If this fails the state has another shape: raise `STATE`, and write what is found to the file of its number."""
    seen: dict[str, list[str]] = {}
    _shape(KEPT_TABLE, seen)
    found = "".join(f"{name}\n" + "".join(f"    {line}\n" for line in seen[name]) for name in sorted(seen))
    kept = SHAPES / f"state-{STATE}.shape"
    assert kept.exists(), f"write this to {kept.name}:\n{found}"
    assert found == kept.read_text(encoding="utf-8")


# A start


def _settings(url: str, folder: Path) -> Settings:
    return quick(url, folder, checkpoint_every=EVERY)


def _stored(url: str, rounds: int = 3 * ROUNDS_A_SHOE) -> int:
    """A house with one table and a history behind it."""
    with closing(Journal(url)) as journal:
        journal.upgrade()
        reached = append_history(journal, "t", rounds)
        mark_released(journal, ["t"])
    return reached


def _loaded(url: str, folder: Path) -> Live:
    """A table as a start finds it."""

    async def story() -> Live:
        floor = Floor(Journal(url), key=partial(signing_key, folder / "punto.key", MASTER))
        found = await floor.live("t")
        await floor.stop()
        floor.journal.close()
        return found

    return asyncio.run(story())


def _run(url: str, folder: Path) -> None:
    """Start the house and stop it: where no snapshot is good, one is made."""

    async def story() -> None:
        async with Room(_settings(url, folder)) as room:
            assert room.holder.tables == {"t"}

    asyncio.run(story())


def _kept(url: str) -> list[KeptSnapshot]:
    with closing(Journal(url)) as journal:
        return kept_snapshots(journal, ["t"]).get("t", [])


def _folded(url: str) -> object:
    with closing(Journal(url)) as journal:
        return fold(events_of(journal, "t"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_reads_the_last_snapshot_and_what_follows(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = fresh(kind, tmp_path)
    reached = _stored(url)
    read: list[bytes] = []

    def noted(body: bytes) -> Event:
        read.append(body)
        return decode_event(body)

    monkeypatch.setattr(live_module, "decode_event", noted)
    first = _loaded(url, tmp_path)
    assert len(read) == reached == first.sequence
    _run(url, tmp_path)
    assert [each.sequence for each in _kept(url)] == [reached]
    read.clear()
    again = _loaded(url, tmp_path)
    assert len(read) < EVERY
    assert again.sequence == reached
    assert same_state(again.table, first.table)
    assert same_state(again.table, _folded(url))
    assert again.marks == first.marks


def test_what_is_worked_out_from_events_is_the_same_after_a_start_from_a_snapshot(tmp_path: Path) -> None:
    """In the middle of a shoe and of a round: past rounds, the cards seen, the clock, and the cards on the felt."""
    given = _settings(fresh("sqlite", tmp_path), tmp_path)

    async def worked_out(floor: Floor) -> tuple[object, ...]:
        live = await floor.live("t")
        assert live.table is not None
        seen = (await seen_since_shuffle(floor, "t")).cards
        return await rounds_over(floor, "t"), seen, clock(live, live.table, given), live.marks, live.table

    async def story() -> None:
        async with Room(given) as room:
            await room.open("t", "wu-song")
            await room.seat("t", "ann", 1)
            await room.until("t", lambda table: table.round is not None and table.round.number > 6)
            await room.bet("t", "ann", "player", 100_00)
            await room.holder._stop_dealing()
            live = await room.live("t")
            live.doubtful = True  # one is made at once
            await room.holder._tended("t", room.holder._checkpoint("t"))
            assert live.kept == live.sequence
            plain = Floor(room.journal)
            from_start = await worked_out(plain)
            snapped = Floor(room.journal, key=partial(signing_key, Path(given.key_file), MASTER))
            assert await worked_out(snapped) == from_start
            assert (await snapped.live("t")).kept == live.sequence
            await plain.stop()
            await snapped.stop()

    asyncio.run(story())


Forge = Callable[[Journal, KeptSnapshot], None]


def _write(journal: Journal, was: KeptSnapshot, **changed: object) -> None:
    keep_snapshot(journal, msgspec.structs.replace(was, **changed))


def _signed_anew(journal: Journal, was: KeptSnapshot, key: bytes, head: str, number: int, body: bytes) -> None:
    keep_snapshot(journal, new_snapshot(key, was.table, was.sequence, head, number, body))


def _richer(was: KeptSnapshot) -> bytes:
    table, marks = decode_state(was.body)
    return encode_state(msgspec.structs.replace(table, house=table.house - 1), marks)


FORGERIES: dict[str, Forge] = {
    "other bytes": lambda journal, was: _write(journal, was, body=_richer(was)),
    "other bytes with their digest": lambda journal, was: _write(
        journal, was, body=_richer(was), digest=sha256(_richer(was)).hexdigest()
    ),
    "the key of somebody else": lambda journal, was: _signed_anew(
        journal, was, new_key(), was.hash, STATE, _richer(was)
    ),
    "an entry that is not in the chain": lambda journal, was: _write(journal, was, hash="0" * 64),
    "an event that never was": lambda journal, was: _write(journal, was, sequence=was.sequence + 1000),
    "no state": lambda journal, was: _write(journal, was, body=b"\x00"),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_snapshot_that_does_not_fit_is_not_used_and_made_anew(how: str, tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    reached = _stored(url, ROUNDS_A_SHOE)
    _run(url, tmp_path)
    [was] = _kept(url)
    with closing(Journal(url)) as journal:
        FORGERIES[how](journal, was)
        with journal.transaction() as connection:
            good = "signature = :signature AND body = :body AND hash = :hash AND sequence = :sequence"
            connection.execute(text(f"DELETE FROM snapshots WHERE {good}"), msgspec.structs.asdict(was))
    found = _loaded(url, tmp_path)
    _run(url, tmp_path)
    assert found.kept == 0, "it was read from the beginning"
    assert same_state(found.table, _folded(url))
    assert [each.sequence for each in _kept(url)] == [reached], "made anew at the present head"
    assert same_state(decode_state(_kept(url)[0].body)[0], found.table)


def test_where_the_last_one_does_not_fit_the_one_before_it_is_used(tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    _stored(url, ROUNDS_A_SHOE)
    _run(url, tmp_path)
    [was] = _kept(url)
    with closing(Journal(url)) as journal:
        _write(journal, was, sequence=was.sequence + 1000)
    found = _loaded(url, tmp_path)
    _run(url, tmp_path)
    assert found.kept == was.sequence
    assert [each.sequence for each in _kept(url)] == [was.sequence], "and the bad one is gone"


def test_after_a_new_signing_key_a_start_goes_on_from_what_the_events_lead_to(tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    reached = _stored(url, ROUNDS_A_SHOE)
    _run(url, tmp_path)
    old = signing_key(tmp_path / "punto.key", MASTER)
    with closing(Journal(url)) as journal:
        journal.unlock(MASTER)
        [was] = _kept(url)
        _signed_anew(journal, was, old, was.hash, STATE, _richer(was))  # by somebody who has stolen the key
        replace_signing_key(journal, quick(url, tmp_path))
    found = _loaded(url, tmp_path)
    assert found.kept == reached, "nothing but the end was read"
    assert same_state(found.table, _folded(url))


def test_a_snapshot_of_another_format_is_left_to_others(tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    _stored(url, ROUNDS_A_SHOE)
    _run(url, tmp_path)
    [was] = _kept(url)
    key = signing_key(tmp_path / "punto.key", MASTER)
    with closing(Journal(url)) as journal:
        _signed_anew(journal, was, key, was.hash, STATE + 1, b"of another release")
        [chain] = verify(journal, "t", public_key(key))
        assert (chain.snapshots, chain.other_snapshots, chain.wrong) == (0, 1, None)
    found = _loaded(url, tmp_path)
    _run(url, tmp_path)
    assert found.kept == 0
    assert [each.format for each in _kept(url)] == [STATE]


def test_the_last_few_are_kept_and_whoever_lost_the_lease_keeps_none(tmp_path: Path) -> None:
    journal = Journal(fresh("sqlite", tmp_path))
    journal.upgrade()
    mark_released(journal, ["t"])
    for number in range(1, MOST + 4):
        assert keep_snapshot(journal, new_snapshot(bytes(32), "t", number, "00", STATE, b"x"), fence=1)
    assert [each.sequence for each in kept_snapshots(journal, ["t"])["t"]] == [6, 5, 4]
    assert not keep_snapshot(journal, new_snapshot(bytes(32), "t", 9, "00", STATE, b"x"), fence=2)
    assert [each.sequence for each in kept_snapshots(journal, ["t"])["t"]] == [6, 5, 4]
    journal.close()


# Verifying


def test_verify_compares_snapshots_with_what_the_events_lead_to(tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    reached = _stored(url, ROUNDS_A_SHOE)
    _run(url, tmp_path)
    [was] = _kept(url)
    key = signing_key(tmp_path / "punto.key", MASTER)
    told = punto_command("journal", "verify", "--database", url)
    assert told.returncode == 0
    assert "1 snapshot compared" in told.stdout
    for how in FORGERIES:
        with closing(Journal(url)) as journal:
            FORGERIES[how](journal, was)
            [chain] = verify(journal, "t", public_key(key))
            assert chain.wrong is not None, how
            assert "snapshot" in chain.wrong.why
            assert chain.wrong.sequence <= reached + 1
    with closing(Journal(url)) as journal:
        _signed_anew(journal, was, key, was.hash, STATE, _richer(was))
        [chain] = verify(journal, "t", public_key(key))
        assert chain.wrong is not None
        assert chain.wrong.why == "the snapshot on it is not what the events lead to"


# Memory


def test_what_a_table_takes_in_memory_does_not_grow_with_its_rounds() -> None:
    live, sequence, sizes = Live("t"), 0, []
    for entry in history(10 * ROUNDS_A_SHOE):
        for body in entry:
            sequence += 1
            event = decode_event(body)
            live.take(live_module.Said(sequence, event, b""), evolve(live.table, event))
        assert live.table is not None
        sizes.append(len(encode_state(live.table, live.marks)))
    a_shoe = len(sizes) // 10
    numbers = 64  # a number takes some bytes more when it is larger
    assert max(sizes[-a_shoe:]) <= max(sizes[: a_shoe + 1]) + numbers
    assert len(live.last) == KEPT


def test_many_young_tables_are_read_by_as_many_statements_as_few(tmp_path: Path) -> None:
    def statements(tables: int) -> int:
        """How many a start needs until everything is there."""
        url, names, seen = fresh("postgresql", tmp_path), [f"t{number}" for number in range(tables)], []
        with closing(Journal(url)) as journal:
            journal.upgrade()
            for name in names:
                append_history(journal, name, 0)
            mark_released(journal, names)

        def count(*given: object) -> None:
            seen.append(given[2])

        async def start() -> int:
            async with Room(quick(url, tmp_path)) as room:
                needed = len(seen)
                assert room.holder.tables == set(names)
            return needed

        sql_event.listen(Engine, "before_cursor_execute", count)
        try:
            return asyncio.run(start())
        finally:
            sql_event.remove(Engine, "before_cursor_execute", count)

    assert statements(100) == statements(3)
