"""Card-reading shoes: the protocol on TCP and on a serial line, and what the table makes of what they say."""

import asyncio
import os
import select
import sys
import time
import tty
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest

from punto.coup import RANKS, SUITS
from punto.journal import Journal, first_broken
from punto.rulebook import Refused
from punto.service.accounts.account import HeldPost
from punto.service.accounts.at_table import given_by
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied
from punto.service.devices.feed import LONGEST, MOST, MOST_STRANGERS, Feed
from punto.service.devices.line_handler import expected
from punto.service.devices.protocol import BadLine, FeedLine, parse
from punto.service.devices.simulated import Device, Unheard
from punto.service.runtime.faces import UNREAD, Faces
from punto.service.runtime.floor import Floor
from punto.service.settings import BadSettings, settings
from punto.settlement import Limits
from punto.shoe import commit, shuffle
from punto.table import Table, commands, events
from punto.table.felt import unexposed
from service_process import PATIENCE

T = TypeVar("T")
LIMITS = Limits(minimum=1000, maximum=1000000, differential=100000000)
AT = "2026-11-15T08:00:00+08:00"


class House:
    """A table with a read shoe, its dealer, two patrons, a device, and the feed between them."""

    def __init__(self, journal: Journal, accounts: Accounts, floor: Floor, faces: Faces, feed: Feed) -> None:
        self.journal, self.accounts, self.floor, self.faces, self.feed = journal, accounts, floor, faces, feed
        self._keys = count()
        self.token = ""

    async def do(self, command: commands.Command, floor: Floor | None = None) -> None:
        await (floor or self.floor).submit("t1", command, who="lee", key=f"lee {next(self._keys)}")

    async def open(self, book: str = "wu-song", **given: object) -> None:
        more = {"shoe": "read", "auto": ("announce", "settle"), "limits": LIMITS, **given}
        await self.do(commands.OpenTable(book, AT, 8, by="pit-manager", **more))  # type: ignore[arg-type]  # as given
        if more["shoe"] != "virtual":
            await self.do(commands.LoadShoe())
        for box, name in enumerate(("ann", "bob"), 1):
            await self.do(commands.Sit(name, box, by=name))
            await self.do(commands.BuyIn(name, 10_000_00, by=name))

    async def bets(self, *, close: bool = True) -> None:
        await self.do(commands.OpenBets())
        await self.do(commands.Place("ann", "player", 100_00, by="ann"))
        await self.do(commands.Place("bob", "banker", 100_00, by="bob"))
        if close:
            await self.do(commands.CloseBets())

    def device(self, name: str = "shoe-1", **given: int) -> Device:
        token = self.accounts.device_token(name)
        return Device(lambda: asyncio.open_connection("127.0.0.1", self.feed.port), "t1", token, **given)

    @property
    def chain(self) -> list[events.Event]:
        from punto.table import decode_event

        return [decode_event(entry.body) for entry in self.journal.read("t1")]

    async def table(self) -> Table:
        return await self.floor.table("t1")

    def faces_shown(self) -> list[str]:
        return [face for each in self.chain if isinstance(each, events.CardsExposed) for face in each.faces]

    def drawn(self) -> int:
        return sum(isinstance(each, events.CardDrawn) for each in self.chain)

    def reported(self) -> list[str]:
        return [each.fact for each in self.chain if isinstance(each, events.Reported)]


@asynccontextmanager
async def house(folder: Path, **given: object) -> AsyncIterator[House]:
    journal = Journal(f"sqlite:///{folder}/punto.db")
    journal.upgrade()
    accounts, floor = Accounts(journal), Floor(journal)
    faces = Faces(floor)
    feed = Feed(floor, accounts, faces, settings(None, {}, feed_port=0, **given))
    accounts.make("shoe-1", "device", None, {"t1": HeldPost("dealer")}, person="shoe-1")
    await feed.start()
    try:
        yield House(journal, accounts, floor, faces, feed)
    finally:
        await feed.stop()
        await floor.stop()
        journal.close()


def run(play: Callable[[House], Awaitable[T]], folder: Path, **given: object) -> T:
    async def all_of_it() -> T:
        async with house(folder, **given) as made:
            return await asyncio.wait_for(play(made), PATIENCE * 3)

    return asyncio.run(all_of_it())


async def until(asked: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not asked():
        assert time.monotonic() < end, f"waited for {what}"
        await asyncio.sleep(0.01)


async def deal(house: House, device: Device) -> list[str]:
    """Pull cards until none is due; their faces."""
    pulled = []
    while expected(await house.table()) != "none":
        face = device.card(device.line + 1)
        assert face is not None
        assert (await device.pull()).startswith("OK")
        pulled.append(face)
    return pulled


# Too much


def test_a_device_reports_so_much_an_hour(tmp_path: Path) -> None:
    """Whatever it reports above that is heard, and leads to nothing."""

    async def play(house: House) -> None:
        await house.open()
        device = house.device()
        await device.log_in()
        said = [await device.say("CARD", "??") for _ in range(12)]
        assert [each.startswith("OK") for each in said] == [True] * 10 + [False] * 2
        assert said[-1].endswith("The shoe has reported too much: nothing is noted.")
        assert house.reported() == ["foreign-card"] * 10
        await device.close()

    run(play, tmp_path, texts_an_hour=1)


def test_a_device_sends_so_many_lines_at_once(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        device = house.device()
        await device.log_in()
        assert [await device._ask("PING") for _ in range(3)] == ["OK 0.0"] * 3
        assert await device._ask("PING") == "REFUSED Too many at once: wait a moment."
        await device.close()

    run(play, tmp_path, rate=0.001, burst=3)


# Lines


def test_lines_are_read() -> None:
    assert parse("3.17 CARD 10H") == FeedLine(3, 17, "CARD", "Th")
    assert parse("1.1 ERROR the lid is open").rest == "the lid is open"
    assert parse("1.2 CARD ??").rest == "??"
    assert parse("1.2 EMPTY") == FeedLine(1, 2, "EMPTY")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("CARD 6h", "written like"),
        ("1 CARD 6h", "written like"),
        ("1.1  CARD 6h", "written like"),
        ("-1.1 CARD 6h", "written like"),
        ("1.1 card 6h", "written like"),
        ("9999999999.1 CARD 6h", "written like"),
        ("1.1 PLACE ann", "no word"),
        ("1.1 CARD", "what it is about"),
        ("1.1 DRAW 6h", "nothing more"),
        ("1.1 EMPTY now", "nothing more"),
        ("1.1 CARD 1h", "not a card"),
        ("1.1 CARD 6h 7h", "not a card"),
    ],
)
def test_other_lines_are_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(BadLine, match=says):
        parse(text)


# What is expected


def test_cards_of_a_face_up_table_are_open_at_once(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        device = house.device(seed=3)
        await device.log_in()
        pulled: list[str] = []
        for _ in range(5):
            await house.bets()
            await until(lambda: device.due == "player", "a card to be due")
            pulled += await deal(house, device)
            table = await house.table()
            assert table.round is not None
            assert table.round.phase == "settled"
            await until(lambda: device.due == "none", "no card to be due")
        assert house.faces_shown() == pulled
        assert house.drawn() == len(pulled)
        assert house.reported() == []
        first = next(entry for entry in house.journal.read("t1") if b'"card-drawn"' in entry.body)
        assert first.who == "shoe-1"
        assert first_broken(house.journal.entries("t1")) is None
        await device.close()

    run(play, tmp_path)


def test_what_the_device_is_told(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        device = house.device()
        await device.log_in()
        assert device.log == ["> PUNTO 1 t1 …", "< OK 0.0", "< SHOE 1", "< DUE none"]
        await house.bets()
        await until(lambda: device.due == "player", "a card to be due")
        assert await device.say("CARD", "6h") == "OK 1.1"
        await until(lambda: device.due == "banker", "the next card to be due")
        assert device.log[4:] == ["< DUE player", "> 1.1 CARD 6h", "< OK 1.1", "< DUE banker"] or device.log[4:] == [
            "< DUE player",
            "> 1.1 CARD 6h",
            "< DUE banker",
            "< OK 1.1",
        ]
        await device.close()

    run(play, tmp_path)


def test_a_face_down_table_learns_a_face_when_the_card_is_opened_and_not_before(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(face_down=True, auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        for face in ("9h", "2c", "Kd", "3s"):
            assert (await device.say("CARD", face)).startswith("OK")
        table = await house.table()
        assert table.running is not None
        assert unexposed(table.running) == (0, 1, 2, 3)
        said = b"".join(entry.body + entry.key.encode() for entry in house.journal.read("t1"))
        assert not any(face.encode() in said for face in ("9h", "2c", "Kd", "3s"))
        await house.do(commands.Expose(("2c",), at=0))  # whatever is said, the card is what was read
        assert house.faces_shown() == ["9h"]
        await house.do(commands.Expose((), at=3))
        await house.do(commands.Expose(("?", "?")))
        assert house.faces_shown() == ["9h", "3s", "2c", "Kd"]
        with pytest.raises(Refused, match="does not lie face down"):
            await house.do(commands.Expose(("3s",), at=3))
        await device.close()

    run(play, tmp_path)


def test_who_squeezes_opens_their_own_cards_as_they_are(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open("dragon-tiger-mbs", face_down=True, auto=(), method="A")
        device = house.device()
        await device.log_in()
        await house.bets()
        for face in ("9h", "2c", "Kd", "3s"):
            assert (await device.say("CARD", face)).startswith("OK")
        live = await house.floor.live("t1")
        assert live.table is not None
        assert live.table.running is not None
        assert live.table.running.squeezers == {"player": "ann", "banker": "bob"}
        assert await house.faces.held_by(live, "ann") == {0: "9h", 2: "Kd"}
        assert await house.faces.held_by(live, "eve") == {}
        with pytest.raises(Refused):
            await house.do(commands.Expose(("9c",), at=0, by="bob"))
        await house.do(commands.Expose(("9c", "9d"), by="bob"))  # would like a natural
        assert house.faces_shown() == ["2c", "3s"]
        await house.do(commands.Expose((), by="ann"))
        assert house.faces_shown() == ["2c", "3s", "9h", "Kd"]
        assert await house.faces.held_by(await house.floor.live("t1"), "ann") == {}
        await device.close()

    run(play, tmp_path)


def test_another_process_knows_the_faces_too(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(face_down=True, auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        for face in ("9h", "2c", "Kd", "3s"):
            assert (await device.say("CARD", face)).startswith("OK")
        other = Floor(house.journal)
        Faces(other)
        await house.do(commands.Expose(()), other)
        await house.do(commands.Draw(to="banker"), other) if expected(await other.table("t1")) == "banker" else None
        assert house.faces_shown() == ["9h", "2c", "Kd", "3s"]
        await other.stop()
        await device.close()

    run(play, tmp_path)


def test_a_virtual_shoe_opens_its_own_cards_whoever_asks(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(shoe="virtual", face_down=True, auto=())
        seed = bytes(range(32))
        house.journal.keep_secret("t1", "shoe 1", seed)
        await house.do(commands.LoadShoe(commitment=commit(seed, 8, "t1, shoe 1")))
        await house.bets()
        for _ in range(4):
            await house.do(commands.Draw())
        await house.do(commands.Expose(("9h", "9d", "9s", "9c")))
        assert house.faces_shown() == [str(each) for each in shuffle(seed, 8)[:4]]

    run(play, tmp_path)


def test_a_card_that_was_not_read_is_named_by_the_dealer(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        assert await device.say("CARD", "9h") == "OK 1.1"
        assert await device.say("DRAW") == "OK 1.2"
        assert await device.say("CARD", "Kd") == "OK 1.3"
        assert house.faces_shown() == ["9h", "Kd"]
        with pytest.raises(Refused, match="was not read"):
            await house.do(commands.Expose((), at=1))
        await house.do(commands.Expose(("2c",), at=1))
        assert house.faces_shown() == ["9h", "Kd", "2c"]
        await device.close()

    run(play, tmp_path)


def test_if_the_reader_is_wrong_the_cards_count(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        for face in ("9h", "2c", "Kd", "5s"):
            await device.say("CARD", face)
        await house.do(commands.Report("wrong-call", (2,), ("Qd",), note="It is a queen."))
        table = await house.table()
        assert table.running is not None
        assert [str(each.face) for each in table.running.cards] == ["9h", "2c", "Qd", "5s"]
        await device.close()

    run(play, tmp_path)


def test_no_report_brings_a_card_of_a_virtual_shoe_to_light(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(shoe="virtual", auto=())
        await house.do(commands.LoadShoe())
        await house.bets()
        await house.do(commands.Draw())
        for report in (
            commands.Report("exposed-card", faces=("?",)),
            commands.Report("shown-in-movement", (0,), ("?",)),
            commands.Report("other", (0,), ("?",), note="Seen."),
        ):
            with pytest.raises(Refused, match="committed seed"):
                await house.do(report)
        assert house.faces_shown() == []

    run(play, tmp_path)


def test_a_card_that_the_dealer_counted_first_is_counted_once(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        await house.do(commands.Draw())
        assert await device.say("CARD", "9h") == "OK 1.1"
        assert (house.drawn(), house.faces_shown()) == (1, ["9h"])
        assert await device.say("CARD", "2c") == "OK 1.2"
        assert (house.drawn(), house.faces_shown()) == (2, ["9h", "2c"])
        await device.close()

    run(play, tmp_path)


def test_burned_cards_go_by(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open("dragon-tiger-hoiana")
        device = house.device()
        await device.log_in()
        assert await device.say("CARD", "2h") == "OK 1.1"
        await house.do(commands.Burn(2))
        assert await device.say("CARD", "3h") == "OK 1.2"
        assert (house.drawn(), house.reported()) == (0, [])
        await house.bets()
        assert await device.say("CARD", "9h") == "OK 1.3"
        assert house.faces_shown() == ["9h"]
        await device.close()

    run(play, tmp_path)


# Each line once


def test_a_line_said_again_is_counted_once(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        assert await device.say("CARD", "9h") == "OK 1.1"
        assert await device.again() == "OK 1.1"
        assert await device.break_off("CARD", "2c") == "OK 1.2"
        assert await device.say("CARD", "Kd") == "OK 1.3"
        assert house.faces_shown() == ["9h", "2c", "Kd"]
        assert house.drawn() == 3
        await device.close()

    run(play, tmp_path)


@pytest.mark.parametrize("lost", [("feed",), ("feed", "faces")])
@pytest.mark.parametrize("face_down", [False, True])
def test_a_line_that_was_half_done_when_the_service_died_is_finished(
    tmp_path: Path, lost: tuple[str, ...], face_down: bool
) -> None:
    """The draw was durable; what came after it was not yet: the same line, said again, does the rest only."""

    async def play(house: House) -> None:
        await house.open(auto=(), face_down=face_down)
        device = house.device()
        await device.log_in()
        await house.bets()
        assert await device.say("CARD", "9h") == "OK 1.1"
        for kind in lost:
            house.journal.drop_record(kind, "t1 shoe-1" if kind == "feed" else "t1")
        again = house.device()
        again.shoe = 1
        await again.log_in()
        assert (again.shoe, again.line) == (1, 0)
        assert await again.say("CARD", "9h") == "OK 1.1"
        assert house.drawn() == 1
        await house.do(commands.Draw())
        if face_down:
            await house.do(commands.Expose((), at=0))
        assert house.faces_shown() == ["9h"]
        await device.close()
        await again.close()

    run(play, tmp_path)


def test_a_missing_line_is_asked_for(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(auto=())
        device = house.device()
        await device.log_in()
        await house.bets()
        assert await device.say("CARD", "9h") == "OK 1.1"
        device.line = 2
        assert await device.say("CARD", "Kd") == "REFUSED 1.3 Lines are missing: the last one here was 1.1."
        device.line = 1
        assert await device.say("CARD", "2c") == "OK 1.2"
        assert house.faces_shown() == ["9h", "2c"]
        await device.close()

    run(play, tmp_path)


def test_a_device_that_connects_again_ends_its_first_line(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        first, second = house.device(), house.device()
        await first.log_in()
        await second.log_in()
        with pytest.raises(ConnectionError):
            await first._ask("PING")
        assert await second._ask("PING") == "OK 0.0"
        await first.close()
        await second.close()

    run(play, tmp_path)


# What is not expected


async def _ready(house: House, *, close: bool = True, book: str = "wu-song", **given: object) -> Device:
    await house.open(book, **given)
    device = house.device()
    await device.log_in()
    await house.bets(close=close)
    return device


def test_a_card_while_bets_are_open_is_an_exposed_card(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, close=False)
        assert await device.say("CARD", "9h") == "OK 1.1"
        assert (house.reported(), house.drawn()) == (["exposed-card"], 0)
        [report] = [each for each in house.chain if isinstance(each, events.Reported)]
        assert (report.faces, report.by) == (("9h",), "dealer")
        assert "5.8" in report.basis.clauses
        await device.close()

    run(play, tmp_path)


def test_a_card_that_begins_the_next_round_is_laid_before_the_one_that_is_drawn_then(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, close=False, auto=())
        assert await device.say("CARD", "9h") == "OK 1.1"
        for _ in range(20):
            table = await house.table()
            if not table.questions:
                break
            question = table.questions[-1]
            who = question.waiting[0] if question.waiting else "table-game-shift-manager"
            choice = "yes" if "yes" in question.choices else question.choices[0]
            await house.do(commands.Answer(question.id, choice, reason="It was seen.", by=who))
        table = await house.table()
        assert table.shoe is not None
        assert [str(each) for each in table.shoe.carried] == ["9h"]
        if table.running is None:
            await house.bets()
        else:
            await house.do(commands.CloseBets())
        assert await device.say("CARD", "2c") == "OK 1.2"
        table = await house.table()
        assert table.running is not None
        assert [str(each.face) for each in table.running.cards] == ["9h", "2c"]
        await device.close()

    run(play, tmp_path)


def test_where_the_first_card_closes_the_bets_it_is_no_error(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open("dragon-tiger-hoiana", auto=())
        await house.do(commands.Burn())
        device = house.device()
        await device.log_in()
        await house.bets(close=False)
        assert await device.say("CARD", "9h") == "OK 1.1"
        table = await house.table()
        assert table.running is not None
        assert table.running.phase == "closed"
        assert (house.reported(), house.faces_shown()) == ([], ["9h"])
        await device.close()

    run(play, tmp_path)


def test_a_card_when_none_is_due_is_in_excess(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, auto=())
        for face in ("9h", "2c", "Kd", "5s"):  # a natural nine: nobody draws
            await device.say("CARD", face)
        assert await device.say("CARD", "4d") == "OK 1.5"
        assert house.reported() == ["excess-card"]
        table = await house.table()
        assert table.running is not None
        assert [(each.area, str(each.face)) for each in table.running.cards[4:]] == [("aside", "4d")]
        await device.close()

    run(play, tmp_path)


def test_a_card_in_excess_of_a_face_down_table_stays_closed(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, face_down=True, auto=())
        for face in ("9h", "2c", "Kd", "5s"):
            await device.say("CARD", face)
        assert await device.say("CARD", "4d") == "OK 1.5"
        assert house.reported() == ["excess-card"]  # it waits aside until the four are open
        said = b"".join(entry.body for entry in house.journal.read("t1"))
        assert b'"4d"' not in said
        await device.close()

    run(play, tmp_path)


def test_a_card_between_rounds(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        device = house.device()
        await device.log_in()
        assert await device.say("CARD", "9h") == "OK 1.1"
        assert house.reported() == ["exposed-card"]
        await device.close()

    run(play, tmp_path)


def test_more_of_a_card_than_there_are_decks(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        device = house.device()
        await device.log_in()
        answers: list[str] = []
        while "deck-count" not in house.reported():
            await house.bets()
            while expected(await house.table()) != "none" and len(answers) < 20:
                answers.append(await device.say("CARD", "9h"))
        assert len(answers) == 9
        assert all(each.startswith("OK") for each in answers)
        [report] = [each for each in house.chain if isinstance(each, events.Reported)]
        assert "9h lies there 9 times" in report.note
        assert "5.5.2" in report.basis.clauses
        table = await house.table()
        assert table.running is None
        await device.close()

    run(play, tmp_path)


def test_a_card_of_another_house_an_empty_shoe_a_reset_and_an_error(tmp_path: Path) -> None:
    for line, fact in (
        (("CARD", "??"), "foreign-card"),
        (("EMPTY",), "deck-count"),  # by the table's count 415 are left
        (("RESET",), "other"),
        (("ERROR", "the lid is open"), "other"),
    ):
        folder = tmp_path / line[0]
        folder.mkdir()

        async def play(house: House, line: tuple[str, ...] = line, fact: str = fact) -> None:
            device = await _ready(house, auto=())
            await device.say("CARD", "9h")
            assert await device.say(*line) == "OK 1.2"
            assert house.reported() == [fact]
            assert house.drawn() == 1
            await device.close()

        run(play, folder)


def test_a_reset_is_what_the_book_calls_it_where_it_does(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, book="dragon-tiger-mbs", auto=(), method="B")
        assert await device.say("RESET") == "OK 1.1"
        assert house.reported() == ["device-reset"]
        await device.close()

    run(play, tmp_path)


def test_an_empty_shoe_between_rounds_is_short_of_cards_unless_it_should_be_empty(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        device = house.device()
        await device.log_in()
        assert await device.say("EMPTY") == "OK 1.1"
        [report] = [each for each in house.chain if isinstance(each, events.Reported)]
        assert (report.fact, report.note) == (
            "deck-count",
            "The shoe is empty, and by the table's count 416 cards are left.",
        )
        await device.close()

    run(play, tmp_path)


def test_new_cards_at_the_table_only_or_in_the_shoe_only(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, auto=("announce", "settle"))
        await deal(house, device)
        await house.do(commands.EndShoe())
        assert (await device.say("CARD", "9h")).endswith("No cards are in use at this table.")
        await house.do(commands.LoadShoe())
        await until(lambda: device.of == 2, "the new cards")
        assert (device.shoe, device.line) == (2, 0)
        await house.bets()
        assert await device.say("CARD", "9h") == "OK 2.1"
        assert house.reported() == []
        device.shoe, device.line = 3, 0
        assert await device.say("CARD", "2c") == "OK 3.1"
        assert house.reported() == ["other"]
        [report] = [each for each in house.chain if isinstance(each, events.Reported)]
        assert "was given other cards" in report.note
        await device.close()

    run(play, tmp_path)


def test_what_is_being_dealt_with_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house, auto=())
        assert await device.say("ERROR", "the lid is open") == "OK 1.1"
        says = "REFUSED 1.2 That is being dealt with. (wu-song 5.18, AMB-79)"
        assert await device.say("ERROR", "the lid is open") == says
        assert await device.again() == says
        assert house.reported() == ["other"]
        await device.close()

    run(play, tmp_path)


# Who may speak


async def _answers(house: House, *lines: bytes) -> list[str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.feed.port)
    with suppress(OSError):
        for line in lines:
            writer.write(line)
            await writer.drain()
        writer.write_eof()
    said = (await asyncio.wait_for(reader.read(), PATIENCE)).decode().splitlines()
    writer.close()
    return said


def test_who_is_no_device_of_the_table_is_turned_away(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        accounts = house.accounts
        ann = accounts.token(accounts.make("ann", "patron", person="ann"))
        lee = accounts.token(accounts.make("lee", "staff", None, {"*": HeldPost("dealer")}, person="lee"))
        accounts.make("shoe-2", "device", None, {"t2": HeldPost("dealer")}, person="shoe-2")
        stray, good = accounts.device_token("shoe-2"), accounts.device_token("shoe-1")
        revoked = accounts.device_token("shoe-1")
        accounts.revoke("shoe-1")
        good = accounts.device_token("shoe-1")
        before = len(house.chain)
        for line, says in (
            (f"PUNTO 1 t1 {ann}", "no device of that table"),
            (f"PUNTO 1 t1 {lee}", "no device of that table"),
            (f"PUNTO 1 t1 {stray}", "no device of that table"),
            (f"PUNTO 1 t1 {revoked}", "not good any more"),
            (f"PUNTO 1 t1 {good[:-3]}AAA", "not ours"),
            (f"PUNTO 2 t1 {good}", "version 1"),
            ("1.1 CARD 6h", "Say first who you are"),
            ("GET / HTTP/1.1", "Say first who you are"),
            ("\xff\xfe\x00", "Say first who you are"),
            ("x" * (LONGEST + 10), "too long"),
        ):
            [said] = await _answers(house, line.encode("latin-1") + b"\n")
            assert said.startswith("REFUSED ")
            assert says in said
            assert good not in said
        assert await _answers(house, b"PUNTO 1 t1 ") == []
        assert len(house.chain) == before
        lines = await _answers(house, f"PUNTO 1 t1 {good}\r\n\r\nPING\nnonsense\n".encode())
        assert lines[0] == "OK 0.0"
        assert [each for each in lines if each.startswith(("OK", "REFUSED"))][1:] == [
            "OK 0.0",
            "REFUSED A line is written like 3.17 CARD 6h: shoe, number, word, and what belongs to it.",
        ]

    run(play, tmp_path)


def test_a_token_that_is_revoked_ends_the_line_at_the_next_word(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        device = await _ready(house)
        assert await device.say("CARD", "9h") == "OK 1.1"
        house.accounts.revoke("shoe-1")
        assert (await device._ask("1.2 CARD 2c")).endswith("The token is not good any more.")
        assert house.drawn() == 1
        with pytest.raises(Unheard, match="not good any more"):
            await device.log_in()
        await device.close()

    run(play, tmp_path)


def test_a_table_whose_shoe_is_not_read_takes_no_device(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open(shoe="hand")
        device = house.device()
        with pytest.raises(Unheard, match="No device reads"):
            await device.log_in()
        await device.close()

    run(play, tmp_path)


def test_strangers_keep_no_device_out_however_many_come(tmp_path: Path) -> None:
    """Neither by connections that say nothing, nor by tokens that are not good, from the very address of the device."""

    async def play(house: House) -> None:
        await house.open()
        silent = [await asyncio.open_connection("127.0.0.1", house.feed.port) for _ in range(MOST + MOST_STRANGERS)]
        for _ in range(25):
            await _answers(house, b"PUNTO 1 t1 abc\n")
        device = house.device()
        await device.log_in()
        assert await device._ask("PING") == "OK 0.0"
        await until(lambda: len(house.feed._sessions) <= MOST_STRANGERS + 1, "the first of them to be gone")
        for _, writer in silent:
            writer.close()
        await device.close()

    run(play, tmp_path)


def test_whoever_says_nothing_of_use_has_no_more_time_to_log_in(tmp_path: Path) -> None:
    """An empty line is no word: the connection ends when the time to log in is over, however many of them come."""

    async def play(house: House) -> None:
        house.feed.patience = 0.1
        reader, writer = await asyncio.open_connection("127.0.0.1", house.feed.port)

        async def empty_lines() -> None:
            with suppress(OSError):
                while True:
                    writer.write(b"\n")
                    await writer.drain()
                    await asyncio.sleep(0.01)

        talking = asyncio.create_task(empty_lines())
        with suppress(OSError):
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        talking.cancel()
        writer.close()

    run(play, tmp_path)


def test_a_connection_of_nothing_but_empty_lines_ends(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        house.feed.patience = 2 * PATIENCE
        reader, writer = await asyncio.open_connection("127.0.0.1", house.feed.port)
        with suppress(OSError):
            writer.write(b"\n" * 50_000)
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        writer.close()

    run(play, tmp_path)


def test_too_many_log_ins_are_slowed_down(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        said = [(await _answers(house, b"PUNTO 1 t1 abc\n"))[0] for _ in range(25)]
        assert said[0] == "REFUSED The token is not ours."
        assert said[-1] == "REFUSED Too many at once: wait a moment."

    run(play, tmp_path)


def test_a_patron_never_says_what_a_card_is(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        ann = house.accounts.make("ann", "patron", person="ann")
        await house.open(shoe="hand", face_down=True, auto=())
        table = await house.table()
        for command, says in (
            (commands.Report("exposed-card", faces=("9h",)), "The staff say"),
            (commands.Expose(("9h",)), "the dealer says"),
        ):
            with pytest.raises(Denied, match=says):
                given_by(ann, command, table, "t1")

    run(play, tmp_path)


# A serial line


class Port:
    """The device's end of a serial line."""

    def __init__(self) -> None:
        self.ours, theirs = os.openpty()
        tty.setraw(self.ours)
        self.path = os.ttyname(theirs)
        self._theirs, self._rest = theirs, b""

    def ask(self, line: str) -> str:
        os.write(self.ours, line.encode() + b"\r\n")
        return self.answer()

    def answer(self) -> str:
        """The next line that is no notice."""
        end = time.monotonic() + PATIENCE
        while True:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                if not line.startswith((b"DUE", b"SHOE")):
                    return line.decode()
                continue
            assert select.select([self.ours], [], [], max(end - time.monotonic(), 0))[0], "no answer"
            self._rest += os.read(self.ours, 1000)

    def close(self) -> None:
        os.close(self.ours)
        os.close(self._theirs)


def test_a_shoe_on_a_serial_line(tmp_path: Path) -> None:
    port = Port()

    async def play(house: House) -> None:
        await house.open()
        token = house.accounts.device_token("shoe-1")
        assert await asyncio.to_thread(port.ask, f"PUNTO 1 t1 {token}") == "OK 0.0"
        await house.bets()
        assert await asyncio.to_thread(port.ask, "1.1 CARD 9h") == "OK 1.1"
        assert await asyncio.to_thread(port.ask, "1.1 CARD 9h") == "OK 1.1"
        assert (await asyncio.to_thread(port.ask, "~~~~")).startswith("REFUSED A line")
        assert await asyncio.to_thread(port.ask, f"PUNTO 1 t1 {token}") == "OK 1.1"  # switched off and on
        assert await asyncio.to_thread(port.ask, "1.2 CARD 2c") == "OK 1.2"
        assert house.faces_shown() == ["9h", "2c"]

    run(play, tmp_path, feed_serial=f"{port.path}:9600")
    port.close()


def test_a_serial_line_that_is_not_there_yet_is_opened_when_it_is(tmp_path: Path) -> None:
    port, name = Port(), tmp_path / "tty"

    async def play(house: House) -> None:
        await house.open()
        token = house.accounts.device_token("shoe-1")
        name.symlink_to(port.path)
        answer = asyncio.create_task(asyncio.to_thread(port.answer))
        while not answer.done():
            os.write(port.ours, f"PUNTO 1 t1 {token}\n".encode())
            await asyncio.wait({answer}, timeout=0.5)
        assert answer.result() == "OK 0.0"

    run(play, tmp_path, feed_serial=str(name))
    port.close()


def test_a_file_is_no_serial_line_and_a_speed_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    async def play(house: House) -> None:
        await asyncio.sleep(0)
        assert house.feed.port

    run(play, tmp_path, feed_serial=str(tmp_path / "file"))
    (tmp_path / "other").mkdir()
    with pytest.raises(BadSettings, match="not the speed"):
        run(play, tmp_path / "other", feed_serial="/dev/ttyS0:12345")


# The simulated device


def test_the_simulated_shoe_holds_the_cards_of_its_decks() -> None:
    device = Device(lambda: asyncio.open_connection("127.0.0.1", 1), "t1", "", seed=5, decks=2)
    device.shoe = 1
    pulled = [device.card(number) for number in range(1, 106)]
    assert pulled[-1] is None
    assert sorted(each for each in pulled if each) == sorted([rank + suit for rank in RANKS for suit in SUITS] * 2)
    assert [device.card(number) for number in range(1, 106)] == pulled


async def _keep_dealing(house: House) -> None:
    """A dealer who calls for bets and closes them, and a manager who answers whatever is asked."""
    while True:
        table = await house.table()
        with suppress(Refused):
            if table.questions:
                question = table.questions[-1]
                who = question.waiting[0] if question.waiting else "table-game-shift-manager"
                choice = "void" if "void" in question.choices else question.choices[-1]
                answer = commands.Answer(question.id, choice, reason="So be it.", by=who)
                await house.do(answer)
            elif table.shoe is not None and table.shoe.replace is not None and table.running is None:
                await house.do(commands.EndShoe())
            elif table.shoe is None:
                await house.do(commands.LoadShoe())
            elif table.running is None:
                await house.bets()
            elif expected(table) == "none" and table.running.phase == "closed":
                known = await house.faces._faces_at(await house.floor.live("t1"), range(9))
                down = unexposed(table.running)
                if down and known.get(down[0]) == UNREAD:
                    await house.do(commands.Expose(("2c",), at=down[0]))
                elif not down:
                    await house.do(commands.Settle())
            elif table.running.phase == "betting":
                await house.do(commands.CloseBets())
        await asyncio.sleep(0.01)


def test_the_simulator_plays_at_a_table(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        dealing = asyncio.create_task(_keep_dealing(house))
        command = ["-m", "punto", "feed", "simulate", "--to", f"127.0.0.1:{house.feed.port}", "--table", "t1"]
        more = ["--seed", "7", "--cards", "30", "--pace", "0"]
        simulator = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            *more,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PUNTO_DEVICE_TOKEN": house.accounts.device_token("shoe-1")},
        )
        said, wrong = await simulator.communicate()
        dealing.cancel()
        assert (simulator.returncode, wrong.decode()) == (0, "")
        lines = said.decode().splitlines()
        assert lines[-1] == "30 cards."
        told = [line.split()[3] for line in lines if line.startswith("> 1.")]
        assert len(told) == 30
        assert house.faces_shown() == told
        assert house.reported() == []

    run(play, tmp_path)


def test_the_simulator_s_mistakes_become_irregularities_and_every_card_is_counted_once(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        await house.open()
        dealing = asyncio.create_task(_keep_dealing(house))
        device = house.device(seed=11)
        wrong = ["surplus", "unread", "foreign", "repeat", "drop", "error"]
        pulled = await device.play(60, 0, wrong, chance=0.3)
        await device.close()
        assert pulled == 60
        dealing.cancel()
        assert {"exposed-card", "foreign-card", "other"} & set(house.reported())
        assert first_broken(house.journal.entries("t1")) is None
        keys = {entry.key for entry in house.journal.read("t1") if entry.key.startswith("feed/")}
        told = {line.split()[1] for line in device.log if line.startswith("> 1.")}
        assert {key.split("/")[2] for key in keys} <= told

    run(play, tmp_path)


def test_what_the_simulator_refuses(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from punto.cli.feed import app

    for words, says in (
        (("--to", "nowhere"), "not an address"),
        (("--to", "127.0.0.1:1", "--errors", "sing"), "does not do 'sing'"),
    ):
        done = CliRunner().invoke(app, ["simulate", "--table", "t1", "--token", "x", *words])
        assert isinstance(done.exception, Unheard)
        assert says in str(done.exception)
    assert not list(tmp_path.iterdir())
