"""A restored copy of a house never deals cards that were seen; a restart keeps its shoe."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from databases import KINDS, fresh
from punto.audit import seed_name, verify
from punto.journal import Journal
from punto.rulebook import Refused
from punto.service.runtime.dealt_notes import MOST_FILES, RESTORED, notes_folder
from punto.service.runtime.timing import PACE
from punto.service.settings import Settings
from punto.table import Table, commands
from punto.table.events import CardDrawn, RoundEnded, ShoeEnded, ShoeLoaded, WordsInvited
from service_process import until
from service_room import Room, betting, quick
from test_words import CALLED, _second_shoe, hashed, revealed


class Copies:
    """A database that can be copied while it is in use, and put back as it was."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.url, self._folder = kind, fresh(kind, folder), folder

    def make(self) -> None:
        """Copy it."""
        if self.kind == "sqlite":
            with closing(sqlite3.connect(self._file)) as live, closing(sqlite3.connect(self._copy)) as copy:
                live.backup(copy)
        else:
            self._clone(self._name, f"{self._name}_copy")

    def restore(self) -> None:
        """Put the copy in its place."""
        if self.kind == "sqlite":
            for end in ("-wal", "-shm"):
                Path(f"{self._file}{end}").unlink(missing_ok=True)
            shutil.copy(self._copy, self._file)
        else:
            self._clone(f"{self._name}_copy", self._name)

    @property
    def _file(self) -> str:
        return self.url.removeprefix("sqlite:///")

    @property
    def _copy(self) -> str:
        return str(self._folder / "copy.db")

    @property
    def _name(self) -> str:
        return str(Journal(self.url).url.database)

    def _clone(self, source: str, name: str) -> None:
        server = Journal(self.url).url.set(drivername="postgresql", database="postgres")
        with psycopg.connect(server.render_as_string(hide_password=False), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {source}")


@pytest.fixture(params=KINDS)
def copies(request: pytest.FixtureRequest, tmp_path: Path) -> Copies:
    return Copies(request.param, tmp_path)


def rounds(least: int) -> Callable[[Table], bool]:
    """So many rounds of the shoe in use are over."""
    return lambda table: table.shoe is not None and table.shoe.rounds > least and table.running is None


async def played(given: Settings, until: Callable[[Table], bool]) -> Table:
    async with Room(given) as room:
        return await room.until("t", until)


def test_a_restart_keeps_the_shoe_and_a_restored_copy_ends_it(copies: Copies, tmp_path: Path) -> None:
    given = quick(copies.url, tmp_path, betting_seconds=0.05)

    async def story() -> None:
        async with Room(given) as room:
            await room.open("t", "wu-song")
            await room.until("t", rounds(1))
        copies.make()
        assert (await played(given, rounds(4))).shoes == 1
        assert (await played(given, rounds(5))).shoes == 1  # the house was restarted twice, and deals on
        copies.restore()
        async with Room(given) as room:
            table = await room.until("t", lambda table: table.shoes == 2 and rounds(1)(table))
            [ended] = await room.happened("t", ShoeEnded)
            assert ended.seed
            assert len(await room.happened("t", ShoeLoaded)) == 2
        assert (await played(given, rounds(table.shoe.rounds + 1 if table.shoe else 1))).shoes == 2

    asyncio.run(story())
    with closing(Journal(copies.url)) as journal:
        [chain] = verify(journal)
        assert chain.wrong is None
        assert chain.faces


@pytest.mark.parametrize("book", ["wu-song", "dragon-tiger-hoiana"])
def test_nobody_bets_on_cards_that_may_be_known(book: str, tmp_path: Path) -> None:
    """The copy was made while bets were open; the round was dealt, and its cards are known to whoever sat there."""
    copies = Copies("sqlite", tmp_path)
    given = quick(copies.url, tmp_path, betting_seconds=1)

    async def story() -> None:
        async with Room(given) as room:
            await room.open("t", book, **({} if book == "wu-song" else {"layout": "2"}))
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "player", 100_00)
            copies.make()
            await room.until("t", rounds(2))
        copies.restore()
        async with Room(given) as room:
            if book == "wu-song":  # the book voids the round
                assert [each.how for each in await room.happened("t", RoundEnded)] == ["void"]
                table = await room.until("t", lambda table: table.shoes == 2 and betting(table))
                assert table.patrons["ann"].balance == 5_000_00
                await room.bet("t", "ann", "banker", 100_00)
                return
            for _ in range(2):  # this one asks the house, which may let the round go on
                for bet in (commands.Place("ann", "player", 200_00, by="ann"), commands.Withdraw("ann", "player")):
                    with pytest.raises(Refused, match="restored from a copy"):
                        await room.do("t", bet)
                await room.until("t", lambda table: bool(table.questions))

    asyncio.run(story())


async def _restored_in_a_round(copies: Copies, tmp_path: Path) -> int:
    """A copy with bets open, restored after rounds were dealt from its shoe; the number of the last event then."""
    async with Room(quick(copies.url, tmp_path, betting_seconds=600)) as room:
        await room.open("t", "dragon-tiger-hoiana", layout="2")  # the book asks the house what becomes of the round
        await room.seat("t", "ann", 1)
        await room.bet("t", "ann", "player", 10_00)
    copies.make()
    async with Room(quick(copies.url, tmp_path, betting_seconds=0.05)) as room:
        await room.until("t", rounds(2))
        last = (await room.live("t")).sequence
    copies.restore()
    return last


BET = commands.Place("ann", "banker", 500_00, by="ann")


def test_no_process_takes_a_bet_on_a_shoe_that_may_be_known(tmp_path: Path) -> None:
    copies = Copies("postgresql", tmp_path)

    async def story() -> None:
        await _restored_in_a_round(copies, tmp_path)
        given = quick(copies.url, tmp_path, betting_seconds=600)
        async with Room(given) as holder, Room(given) as other:
            await holder.until("t", lambda table: bool(table.questions))
            for room in (holder, other, other):
                with pytest.raises(Refused, match="restored from a copy"):
                    await room.do("t", BET)

    asyncio.run(story())


@pytest.mark.parametrize("forgets", [False, True])
def test_what_happens_at_a_restored_table_does_not_make_it_another(forgets: bool, tmp_path: Path) -> None:
    """Not even once its chain is longer than that which was seen; nor if somebody takes the record of it away."""
    copies = Copies("sqlite", tmp_path)

    async def story() -> None:
        last = await _restored_in_a_round(copies, tmp_path)
        given = quick(copies.url, tmp_path, betting_seconds=600)
        async with Room(given) as room:
            await room.until("t", lambda table: bool(table.questions))
            while (await room.live("t")).sequence <= last:
                await room.do("t", commands.Sit("bob", 2, by="bob"), commands.Leave("bob", by="bob"))
        if forgets:
            with closing(Journal(copies.url)) as journal:
                journal.drop_record(RESTORED, "t")
        async with Room(given) as room:
            with pytest.raises(Refused, match="restored from a copy"):
                await room.do("t", BET)
            [question] = (await room.floor.table("t")).questions
            await room.do("t", commands.Answer(question.id, "void", "known", by=question.to))
            await room.until("t", lambda table: table.shoes == 2 and betting(table))
            await room.do("t", BET)

    asyncio.run(story())


def test_a_seed_that_was_drawn_before_the_copy_is_not_dealt_from(tmp_path: Path) -> None:
    copies = Copies("sqlite", tmp_path)
    given = quick(copies.url, tmp_path, betting_seconds=0.05)
    known = bytes(range(32))

    async def story() -> bytes | None:
        async with Room(given) as room:
            await room.open("t", "wu-song")
            await room.until("t", rounds(1))
            room.journal.keep_secret("t", seed_name(2), known)
        copies.make()
        await played(given, rounds(3))
        copies.restore()
        async with Room(given) as room:
            await room.until("t", lambda table: table.shoes == 2)
            return room.journal.secret("t", seed_name(2))

    assert asyncio.run(story()) not in (None, known)


@pytest.mark.parametrize("called", [False, True])
def test_words_whose_seed_is_gone_are_asked_for_anew(
    called: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process found a restored copy in the middle of the words, and was killed when it had forgotten the seed."""
    given = quick(fresh("sqlite", tmp_path), tmp_path, betting_seconds=0.05)
    monkeypatch.setitem(PACE, "word", 1e6)

    async def story() -> list[WordsInvited]:
        async with Room(given) as room:
            promised = await _second_shoe(room)
            if called:
                await room.do("t", hashed("ann", promised), CALLED)
            room.journal.drop_secret("t", seed_name(2))
        async with Room(given) as room:
            if called:
                await room.do("t", revealed("ann"))
                await room.until("t", lambda table: table.words is not None and not table.words.called)
        monkeypatch.setitem(PACE, "word", 0.0)
        async with Room(given) as room:
            await room.until("t", lambda table: table.shoes == 2 and table.shoe is not None and table.shoe.rounds > 0)
            return await room.happened("t", WordsInvited)

    first, *_, last = asyncio.run(story())
    assert first.commitment != last.commitment


def test_where_it_cannot_be_noted_no_card_is_dealt_until_it_can(tmp_path: Path) -> None:
    """A restored copy could not know that these cards were seen. The disk of the notes is full."""
    given = quick(fresh("sqlite", tmp_path), tmp_path, betting_seconds=0.05)

    async def story() -> None:
        async with Room(given) as room:
            await room.open("t", "wu-song")
            await room.until("t", rounds(1))
        [file] = notes_folder(given).iterdir()
        noted = file.read_bytes()
        file.unlink()
        file.symlink_to("/dev/full")
        async with Room(given) as room:
            dealt = len(await room.happened("t", CardDrawn))
            await room.until("t", lambda table: table.running is not None and not betting(table))
            with pytest.raises(Refused, match="no card is dealt"):
                await room.do("t", commands.Draw(by="dealer"))
            assert "cannot be noted" in (room.holder.trouble() or "")
            assert len(await room.happened("t", CardDrawn)) == dealt
            file.unlink()
            file.write_bytes(noted)
            await room.until("t", rounds(3))
            assert room.holder.trouble() is None

    asyncio.run(story())


def test_a_table_at_which_nothing_happens_is_noted_when_it_can_be(tmp_path: Path) -> None:
    """Else the house would say for ever that something is wrong."""
    given = quick(fresh("sqlite", tmp_path), tmp_path, betting_seconds=600)

    async def story() -> None:
        async with Room(given) as room:
            await room.open("t", "wu-song")
            await room.until("t", betting)
        [file] = notes_folder(given).iterdir()
        noted = file.read_bytes()
        file.unlink()
        file.symlink_to("/dev/full")
        async with Room(given) as room:
            await asyncio.to_thread(until, lambda: room.holder.trouble() is not None, "the full disk to be told")
            file.unlink()
            file.write_bytes(noted)
            await asyncio.to_thread(until, lambda: room.holder.trouble() is None, "the note")

    asyncio.run(story())


def test_however_many_tables_there_are_few_files_of_notes_are_open(tmp_path: Path) -> None:
    """Files that tables take are none for the connections of people; and every table has its note all the same."""
    given = quick(fresh("sqlite", tmp_path), tmp_path, betting_seconds=600)
    names = [f"t{number}" for number in range(MOST_FILES + 8)]
    folder = notes_folder(given)

    def opened() -> list[str]:
        links = (os.path.realpath(each) for each in Path("/dev/fd").iterdir())
        return [each for each in links if Path(each).parent == folder.resolve()]

    async def story() -> None:
        for _ in range(2):
            async with Room(given) as room:
                for name in names:
                    if name not in await room.floor.names():
                        await room.open(name, "wu-song")
                for name in names:
                    await room.until(name, betting)
                assert len(opened()) == MOST_FILES
            assert not opened()

    asyncio.run(story())
    noted = [int(each.read_text(encoding="ascii").partition(" ")[0]) for each in folder.iterdir()]
    with closing(Journal(given.database)) as journal:
        assert sorted(noted) == sorted(journal.tables()[name] for name in names)


def test_a_new_store_with_the_same_tables_is_no_restored_one(tmp_path: Path) -> None:
    async def story(number: int) -> int:
        given = quick(f"sqlite:///{tmp_path}/{number}.db", tmp_path, betting_seconds=0.05)
        async with Room(given) as room:
            await room.open("t", "wu-song")
            return (await room.until("t", rounds(3 - number))).shoes

    assert [asyncio.run(story(number)) for number in range(2)] == [1, 1]
    folder = notes_folder(quick("sqlite://", tmp_path))
    assert len(list(folder.iterdir())) == 2
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert {oct(file.stat().st_mode & 0o777) for file in folder.iterdir()} == {"0o600"}
