"""The dealer of a virtual table: keeps to the time that was announced, and waits for people, but not for ever."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from punto.audit import Verified, verify
from punto.rulebook import Refused
from punto.service.runtime.dealer import Dealer
from punto.service.runtime.floor import Committed, Floor
from punto.service.runtime.passed_offers import insurable, let_pass, may_ask, passed
from punto.service.runtime.speakers import HouseSpeaker, Speaker
from punto.service.runtime.timing import PACE, told_at
from punto.shoe import commit
from punto.table import Table, commands
from punto.table.events import (
    Answered,
    BetsClosed,
    BetsOpened,
    CardsExposed,
    Delivered,
    InsuranceOffered,
    Reported,
    ShoeEnded,
    ShoeLoaded,
    WindowClosed,
)
from service_process import PATIENCE
from service_room import Room, quick

LONG = 80_000.0
"""Seconds that nobody here has: what comes to pass all the same did not wait for them."""

MBS, HOIANA, WU_SONG, INSURED = "dragon-tiger-mbs", "dragon-tiger-hoiana", "wu-song", "commission-insurance"


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/room.db"


def settled(table: Table) -> bool:
    return table.round is not None and table.round.phase == "settled"


# The betting time


def test_bets_close_when_it_was_announced_also_after_a_restart(tmp_path: Path) -> None:
    slow = quick(url(tmp_path), tmp_path, betting_seconds=LONG)

    async def story() -> float:
        async with Room(slow) as room:
            await room.open("t", WU_SONG)
            await room.until("t", lambda table: table.running is not None)
        async with Room(slow, clock=_later(LONG - 2)) as room:  # a time begun anew would not end here
            await room.until("t", lambda table: table.running is not None and table.running.phase == "closed")
            [(opened, _)], [(closed, _)] = await room.said("t", BetsOpened), await room.said("t", BetsClosed)
            return (told_at(closed) - told_at(opened)) / 1000

    assert asyncio.run(story()) >= LONG - 0.05


def test_bets_close_at_once_if_their_time_ran_out_while_nobody_dealt(tmp_path: Path) -> None:
    slow = quick(url(tmp_path), tmp_path, betting_seconds=LONG)

    async def story() -> None:
        async with Room(slow) as room:
            await room.open("t", WU_SONG)
            await room.until("t", lambda table: table.running is not None)
        async with Room(slow, clock=_later(LONG + 1)) as room:
            await room.until("t", lambda table: table.running is not None and table.running.phase == "closed")

    asyncio.run(story())


def test_a_clock_that_is_set_back_keeps_nobody_waiting(tmp_path: Path) -> None:
    async def story() -> None:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=1)) as room:
            await room.open("t", WU_SONG)
            await room.until("t", lambda table: table.running is not None)
        set_back = Room(quick(url(tmp_path), tmp_path, betting_seconds=1), clock=lambda: "2001-01-01T00:00:00Z")
        async with set_back as room:
            await room.until("t", lambda table: table.running is not None and table.running.phase == "closed")

    asyncio.run(story())


def _later(seconds: float) -> Callable[[], str]:
    """A clock that is so far ahead."""
    return lambda: (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


# Cards that somebody holds


@pytest.mark.parametrize("opens", [True, False])
def test_method_a_whoever_holds_the_cards_opens_them_or_the_dealer_does_by_the_book(
    opens: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if opens:
        monkeypatch.setitem(PACE, "squeeze", LONG / 0.02)

    async def story() -> tuple[list[CardsExposed], list[Reported], Table]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=0.5)) as room:
            await room.open("t", MBS, face_down=True, method="A")
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "player", 100_00)
            while opens and not settled(table := await room.until("t", _held_or_settled)):
                assert table.running is not None
                down = [at for at, each in enumerate(table.running.cards) if each.area == "player" and not each.face]
                await room.do("t", commands.Expose((), at=down[0], by="ann"))
            table = await room.until("t", settled)
            return await room.happened("t", CardsExposed), await room.happened("t", Reported), table

    exposed, reported, table = asyncio.run(story())
    assert table.round is not None
    by = {at: each.by for each in exposed for at in each.at}
    players = [at for at, each in enumerate(table.round.cards) if each.area == "player"]
    if opens:
        assert not reported
        assert {by[at] for at in players} == {"ann"}
        assert {by[at] for at in by if at not in players} == {"dealer"}
    else:
        assert [(each.fact, each.basis.clauses[0]) for each in reported] == [("absent-handler", "5.10")]
        assert set(by.values()) == {"dealer"}


def _held_or_settled(table: Table) -> bool:
    round = table.running
    held = round is not None and any(not each.face and each.area in round.squeezers for each in round.cards)
    return settled(table) or (held and not any(each.blocks for each in table.questions))


def test_whoever_holds_the_cards_and_goes_away_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACE, "squeeze", LONG / 0.02)

    async def story() -> list[Reported]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=0.5)) as room:
            await room.open("t", MBS, face_down=True, method="A")
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "banker", 100_00)
            await room.until("t", lambda table: table.running is not None and bool(table.running.squeezers))
            await room.do("t", commands.Leave("ann", by="ann"))
            await room.until("t", settled)
            return await room.happened("t", Reported)

    assert [each.fact for each in asyncio.run(story())] == ["absent-handler"]


def test_whoever_opens_the_cards_in_the_last_moment_is_not_called_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the dealer had planned meanwhile is not done: nobody is asked about a round that is over."""
    carry_out, opened = Floor.carry_out, []

    async def overtaken(self: Floor, name: str, speaker: Speaker, key: str) -> Committed:
        reports = isinstance(speaker, HouseSpeaker) and isinstance(speaker.given[0], commands.Report)
        if reports:
            round = (await self.table(name)).running
            assert round is not None
            for at, each in enumerate(round.cards):
                if each.face is None and each.area == "player":
                    opened.append(at)
                    await self.submit(name, commands.Expose((), at=at, by="ann"), who="ann", key=uuid4().hex)
        return await carry_out(self, name, speaker, key)

    monkeypatch.setattr(Floor, "carry_out", overtaken)

    async def story() -> tuple[list[Reported], Table]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=0.5)) as room:
            await room.open("t", MBS, face_down=True, method="A")
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "player", 100_00)
            table = await room.until("t", settled)
            return await room.happened("t", Reported), table

    reported, table = asyncio.run(story())
    assert opened
    assert not reported
    assert not table.questions


def test_the_highest_bettor_has_time_to_ask_for_the_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACE, "ask", LONG / 0.02)

    async def story() -> tuple[list[Delivered], list[Reported]]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=LONG)) as room:
            await room.open("t", HOIANA, face_down=True)
            await room.seat("t", "ann", 1)
            await room.seat("t", "bob", 2)
            await room.bet("t", "ann", "player", 200_00)
            await room.bet("t", "bob", "player", 100_00)
            await room.do("t", commands.CloseBets())
            table = await room.until("t", lambda table: bool(may_ask(table)))
            assert may_ask(table) == {"ann"}
            await room.do("t", commands.AskSqueeze("ann", "player", by="ann"))
            let_pass(await room.live("t"), "ann")  # the other hand
            await room.until("t", settled)
            return await room.happened("t", Delivered), await room.happened("t", Reported)

    delivered, reported = asyncio.run(story())
    assert (delivered[0].hand, delivered[0].patron) == ("player", "ann")
    assert [(each.fact, each.basis.clauses[0]) for each in reported] == [("absent-handler", "7.14")]


def test_where_the_book_is_silent_about_slow_hands_the_dealer_opens_and_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACE, "ask", LONG / 0.02)

    async def story() -> tuple[list[CardsExposed], list[Reported], Table]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=0.5)) as room:
            await room.open("t", WU_SONG, face_down=True)
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "player", 200_00)
            await room.until("t", lambda table: bool(may_ask(table)))
            await room.do("t", commands.AskSqueeze("ann", "player", by="ann"))
            [question] = (await room.floor.table("t")).questions
            await room.do("t", commands.Answer(question.id, "yes", by="pit-supervisor"))
            let_pass(await room.live("t"), "ann")  # the other hand
            table = await room.until("t", settled)
            return await room.happened("t", CardsExposed), await room.happened("t", Reported), table

    exposed, reported, table = asyncio.run(story())
    assert not reported
    assert not table.questions
    assert table.round is not None
    assert table.round.squeezers == {"player": "ann"}
    assert {each.by for each in exposed} == {"dealer"}


def test_nobody_is_waited_for_who_does_not_want_the_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACE, "ask", LONG / 0.02)

    async def story() -> None:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=0.5)) as room:
            await room.open("t", HOIANA, face_down=True)
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "player", 200_00)
            await room.until("t", lambda table: bool(may_ask(table)))
            let_pass(await room.live("t"), "ann")
            await room.until("t", lambda table: table.running is not None and bool(table.running.cards))

    asyncio.run(story())


# Insurance


@pytest.mark.parametrize("answers", [True, False])
def test_an_offer_of_insurance_stays_open_until_everybody_has_answered(
    answers: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = LONG if answers else 1.2
    monkeypatch.setitem(PACE, "window", seconds / 0.02)

    async def story() -> list[float]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=LONG)) as room:
            await room.open("t", INSURED)
            for box, who in enumerate(("ann", "bob"), start=1):
                await room.seat("t", who, box)
            while not await room.happened("t", InsuranceOffered):
                for who in ("ann", "bob"):
                    for hand in ("player", "banker"):
                        await room.bet("t", who, hand, 100_00)
                await room.do("t", commands.CloseBets())
                table = await room.until("t", lambda table: settled(table) or bool(insurable(table)))
                if insurable(table):
                    assert insurable(table) == {"ann", "bob"}
                    live = await room.live("t")
                    if answers:
                        let_pass(live, "ann")
                        assert passed(live) == {"ann"}
                        assert table.running is not None
                        assert table.running.window is not None
                        await room.do("t", commands.Insure("bob", table.running.window.hand, 10_00, by="bob"))
                    await room.until("t", lambda table: not insurable(table) and _window_over(table))
                else:
                    await room.until("t", lambda table: table.running is not None)
            return await _windows(room)

    [took, *_] = asyncio.run(story())
    assert took < LONG if answers else took >= seconds - 0.05


def _window_over(table: Table) -> bool:
    return table.running is None or table.running.window is None or table.running.window.drawn


async def _windows(room: Room) -> list[float]:
    """How long each offer stayed open."""
    offered, closed = await room.said("t", InsuranceOffered), await room.said("t", WindowClosed)
    return [(told_at(end) - told_at(start)) / 1000 for (start, _), (end, _) in zip(offered, closed, strict=False)]


# Questions


def test_silence_is_entered_when_the_time_for_an_answer_is_over(tmp_path: Path) -> None:
    async def story() -> tuple[list[Answered], Table]:
        async with Room(quick(url(tmp_path), tmp_path, betting_seconds=LONG)) as room:
            await room.open("t", MBS, method="B", auto=("announce", "offer", "deal"))
            await room.seat("t", "ann", 1)
            await room.bet("t", "ann", "player", 200_00)
            power_cut = commands.Report("interruption", cause="power")
            await asyncio.gather(room.do("t", commands.CloseBets()), room.do("t", power_cut))
            table = await room.until("t", settled)
            return await room.happened("t", Answered), table

    answered, table = asyncio.run(story())
    assert [(each.patron, each.choice) for each in answered] == [("ann", "continue")]
    assert not table.questions


# The shoe


def test_nobody_can_say_what_a_virtual_shoe_is_bound_to(tmp_path: Path) -> None:
    """Whatever the staff give along, the commitment is to the seed that is kept, and that seed is revealed."""

    async def story() -> list[Verified]:
        async with Room(quick(url(tmp_path), tmp_path, pace=50)) as room:
            await room.open("t", WU_SONG)
            await room.until("t", lambda table: table.shoe is not None)
            with pytest.raises(Refused, match="End the shoe first"):
                await room.do("t", commands.CloseTable())
            await room.do("t", commands.EndShoe("de" * 32), commands.LoadShoe("ab" * 32), commands.EndShoe())
            loaded, ended = await room.happened("t", ShoeLoaded), await room.happened("t", ShoeEnded)
            assert len({each.commitment for each in loaded}) == len(loaded) >= 2
            for number, (promise, end) in enumerate(zip(loaded, ended, strict=False), start=1):
                assert commit(bytes.fromhex(end.seed), 8, f"t, shoe {number}") == promise.commitment
            return verify(room.journal)

    assert [each.wrong for each in asyncio.run(story())] == [None]


def test_after_a_restore_no_shoe_is_dealt_from_that_was_in_use(tmp_path: Path) -> None:
    async def story() -> tuple[int, Table]:
        async with Room(quick(url(tmp_path), tmp_path)) as room:
            await room.open("t", WU_SONG)
            before = await room.until("t", settled)
        async with Room(quick(url(tmp_path), tmp_path, fresh_shoes=True)) as room:
            await room.until("t", lambda table: table.shoes == before.shoes + 1 and settled(table))
            return before.shoes, await room.until("t", lambda now: now.shoe is not None and now.shoe.rounds > 1)

    first, table = asyncio.run(story())
    assert table.shoes == first + 1


# Going home


def test_a_dealer_who_is_sent_home_while_something_happens_goes(tmp_path: Path) -> None:
    async def story() -> bool:
        async with Room(quick(url(tmp_path), tmp_path)) as room:
            await room.open("t", WU_SONG, shoe="hand")
            await room.do("t", commands.LoadShoe(), commands.OpenBets(), commands.CloseBets())
            await room.do("t", commands.Report("other", note="A glass fell over."))
            task = asyncio.create_task(Dealer(room.floor, "t", room.settings, fence=1).deal())
            await asyncio.sleep(0.1)  # it waits for the answer
            (await room.live("t")).wake()
            task.cancel()
            done, _ = await asyncio.wait({task}, timeout=PATIENCE)
            return task in done

    assert asyncio.run(story())
