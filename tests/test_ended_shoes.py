"""The last shoe of a table that has ended is told, and nothing of the one in use, however long the history."""

import asyncio
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

from bulk import ROUNDS_A_SHOE, append_history
from punto.audit import events_of, seed_name, verify_shoe
from punto.journal import Journal
from punto.rulebook import Refused
from punto.service.http.app import build
from punto.service.keys.signing import signing_key
from punto.service.runtime import live as live_module
from punto.service.runtime.ended_shoes import EndedShoe, last_ended
from punto.service.runtime.floor import Floor
from punto.service.runtime.past_rounds import rounds_over
from punto.service.runtime.timing import PACE
from punto.shoe import check_dealt
from punto.table import commands, decode_event
from punto.table.events import Event
from service_room import MASTER, Room, quick
from test_leaks import encodings
from test_words import CALLED, hashed, revealed


async def _end(room: Room) -> None:
    """End the shoe in use as soon as some rounds of it are over."""
    shoes = (await room.floor.table("t")).shoes
    await room.until("t", lambda table: table.shoe is not None and table.shoe.rounds > 2)
    while (await room.floor.table("t")).shoe is not None and (await room.floor.table("t")).shoes == shoes:
        try:
            await room.do("t", commands.EndShoe(by="pit-manager"))
        except Refused:
            await room.until("t", lambda table: table.running is None or table.shoes > shoes)


def _checked(shoe: EndedShoe) -> int:
    """Hold what was told against the commitment; how many faces were seen."""
    words = None if shoe.words is None else [each.word for each in shoe.words]
    return check_dealt(shoe.commitment, shoe.seed, shoe.decks, shoe.context, shoe.cards, words)


def test_a_shoe_is_told_when_it_has_ended_and_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shoe 1 has no words, shoe 2 has two of them; Eve's hash came first, and so her word counts first."""
    url = f"sqlite:///{tmp_path}/room.db"
    given = quick(url, tmp_path)
    monkeypatch.setitem(PACE, "word", 1e6)

    async def story() -> list[EndedShoe | None]:
        told = []
        async with Room(given) as room:
            await room.open("t", "wu-song")
            await room.until("t", lambda table: table.shoes == 1)
            for box, who in enumerate(("ann", "eve"), start=1):
                await room.do("t", commands.Sit(who, box, by=who))
            told.append(await last_ended(room.floor, "t"))
            await _end(room)
            table = await room.until("t", lambda table: table.words is not None)
            assert table.words is not None
            told.append(await last_ended(room.floor, "t"))
            promised = table.words.commitment
            await room.do("t", hashed("eve", promised), hashed("ann", promised), CALLED)
            await room.do("t", revealed("ann"), revealed("eve"))
            await room.until("t", lambda table: table.shoe is not None and table.shoe.rounds > 2)
            told.append(await last_ended(room.floor, "t"))
            sent = msgspec.json.encode(told[-1])
            secret = room.journal.secret("t", seed_name(2))
            assert secret is not None
            assert not any(form in sent for form in (*encodings(secret), promised.encode()))
            await _end(room)
            told.append(await last_ended(room.floor, "t"))
        async with Room(given) as room:
            told.append(await last_ended(room.floor, "t"))
        return told

    none, first, then, second, again = asyncio.run(story())
    assert none is None
    assert first is not None
    assert first == then
    assert (first.number, first.words, first.context) == (1, None, "t, shoe 1")
    assert second is not None
    assert second == again
    assert second.words is not None
    assert [(each.patron, bool(each.hash)) for each in second.words] == [("eve", True), ("ann", True)]
    with closing(Journal(url)) as journal:
        for shoe in (first, second):
            by_journal = verify_shoe("t", shoe.number, events_of(journal, "t"))
            assert (len(shoe.cards), _checked(shoe)) == (by_journal.dealt, by_journal.seen)
            assert by_journal.seen > 8


def _long(url: str, shoes: int) -> None:
    with closing(Journal(url)) as journal:
        journal.upgrade()
        append_history(journal, "t", shoes * ROUNDS_A_SHOE)


def _floor(url: str, folder: Path) -> Floor:
    return Floor(Journal(url), key=partial(signing_key, folder / "punto.key", MASTER))


def test_a_long_history_is_not_read_for_the_last_shoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/room.db"
    _long(url, shoes=6)
    read: list[bytes] = []

    def noted(body: bytes) -> Event:
        read.append(body)
        return decode_event(body)

    monkeypatch.setattr(live_module, "decode_event", noted)

    async def story() -> None:
        floor = _floor(url, tmp_path)
        live = await floor.live("t")
        whole = len(read)
        read.clear()
        shoe = await last_ended(floor, "t")
        assert shoe is not None
        assert (shoe.number, shoe.commitment, shoe.seed, shoe.cards) == (6, "", "", [])  # dealt by hand
        assert len(read) < whole / 4

        # Whoever looked once at the beginning makes nobody read all that came since.
        await rounds_over(floor, "t")
        for follower in live.followers.values():
            follower.sequence = 1
        read.clear()
        again = await last_ended(floor, "t")
        await rounds_over(floor, "t")
        assert again == shoe
        assert len(read) < whole / 2
        await floor.stop()
        floor.journal.close()

    asyncio.run(story())


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/room.db"
    given = quick(url, tmp_path)

    async def story() -> None:
        async with Room(given) as room:
            await room.open("by-hand", "wu-song", shoe="hand")

    asyncio.run(story())
    with TestClient(build(given)) as client:
        answer = client.get("/api/tables/by-hand/shoes/last")
        assert (answer.status_code, answer.json()) == (200, None)
        assert client.get("/api/tables/nowhere/shoes/last").status_code == 404
        assert client.get("/api/tables/UPPER/shoes/last").status_code == 400
        assert client.get("/shoe").status_code == client.get("/shoe/by-hand").status_code == 200
