"""The demonstration: tables of every book, some of them face down, and patrons that play by themselves."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from litestar.testing import TestClient

from punto.journal import Journal
from punto.rulebook import ids, load
from punto.service.accounts.account import Account
from punto.service.accounts.registry import Accounts
from punto.service.days import start_of_days
from punto.service.demo.demonstration import BOTS, BY_HAND, RANKS, SQUEEZED, Demonstration, opening
from punto.service.http.app import build
from punto.service.money.acts import MoneyChain
from punto.service.money.count import Counter
from punto.service.money.own_wallet import OwnWallet
from punto.service.runtime.counting import Counting
from punto.service.runtime.teller import Teller
from punto.service.runtime.timing import PACE
from punto.service.settings import Settings
from punto.table import Table, act, commands
from punto.table.authority import holds
from punto.table.events import Answered, CardsExposed, Reported, RoundSettled
from punto.table.state import Post
from service_process import bearer, until
from service_room import Room, betting, quick


def test_some_tables_deal_face_up_and_some_can_be_squeezed() -> None:
    tables = {book: act(None, _by_the_house(book))[0] for book in ids()}
    down = {book for book, table in tables.items() if table.setup.face_down}
    assert down == set(SQUEEZED)
    assert {"dragon-tiger-mbs"} < down < set(ids())
    assert tables["dragon-tiger-mbs"].method == "A"


def _by_the_house(book: str) -> commands.OpenTable:
    return msgspec.structs.replace(opening(load(book)), by="pit-manager")


def _people(room: Room, given: Settings) -> tuple[Teller, Accounts]:
    accounts = Accounts(room.journal)
    counter = Counter(room.journal, start_of_days(given.day_starts))
    chain, wallet = MoneyChain(room.journal), OwnWallet(room.journal)
    counting = Counting(counter, room.floor.ask_store)
    return Teller(room.floor, accounts, given, chain, wallet, counting), accounts


def _person(folder: Path, name: str) -> str:
    """Who somebody of the demonstration is at its tables."""
    found = Accounts(Journal(f"sqlite:///{folder}/room.db")).get(name)
    assert found is not None
    return found.person


def _rounds(many: int, table: Table) -> bool:
    return table.shoe is not None and len(table.shoe.results) >= many


def test_the_bots_play_squeeze_and_insure_and_no_table_stands_still(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for patience in ("squeeze", "ask"):  # whoever is asked to open cards has all the time that a busy machine takes
        monkeypatch.setitem(PACE, patience, 1e6)
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path, betting_seconds=0.5, pace=0.05, rate=1e4, burst=10_000)

    async def story() -> dict[str, Table]:
        async with Room(given) as room:
            demo = Demonstration(room.floor, *_people(room, given), given, random.Random(1))
            await demo.start()
            try:
                tables = {book: await room.until(book, lambda table: _rounds(4, table)) for book in ids()}
            finally:
                await demo.stop()
            for book in ids():
                assert not await room.happened(book, Reported), "nobody was slow"
                assert len(await room.happened(book, RoundSettled)) >= 4
                opened_by = {each.by for each in await room.happened(book, CardsExposed)}
                bots = {_person(tmp_path, bot) for bot in BOTS}
                assert bool(opened_by & bots) == (book == "dragon-tiger-mbs") or book == "dragon-tiger-hoiana"
            return tables

    tables = asyncio.run(story())
    for table in tables.values():
        assert {_person(tmp_path, bot) for bot in BOTS} == set(table.patrons)
        assert table.setup.positions > sum(each.box is not None for each in table.patrons.values()), "a seat is free"
    assert capsys.readouterr().out.count("once: http") == 5


def test_the_house_decides_what_nobody_else_may(tmp_path: Path) -> None:
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path, betting_seconds=0.5, rate=1e4, burst=10_000)

    async def story() -> list[Answered]:
        async with Room(given) as room:
            demo = Demonstration(room.floor, *_people(room, given), given, random.Random(1))
            await demo.start()
            try:
                name = "dragon-tiger-mbs"
                await room.until(name, betting)
                await room.do(name, commands.Report("interruption", cause="other"))
                await room.until(name, lambda table: not table.questions and _rounds(1, table))
                return await room.happened(name, Answered)
            finally:
                await demo.stop()

    [answered, *_] = asyncio.run(story())
    assert (answered.choice, answered.by) == ("void", _person(tmp_path, "house-staff"))


# A person beside the bots


@contextmanager
def _house(folder: Path, **more: object) -> Iterator[tuple[TestClient[Any], dict[str, str]]]:
    app = build(quick(f"sqlite:///{folder}/house.db", folder, pace=0.2, betting_seconds=0.5, **more))
    with TestClient(app) as client:
        accounts = app.state.casino.accounts
        lee = accounts.token(accounts.make("lee", "staff", posts={}, person="lee"))
        accounts.hold("lee", "*", "pit-manager")
        yield client, {"lee": lee, "ann": accounts.token(accounts.make("ann", "patron", person="ann"))}


def test_whoever_lets_an_offer_pass_is_not_waited_for(tmp_path: Path) -> None:
    with _house(tmp_path, rate=1e4, burst=10_000) as (client, tokens):
        ann = bearer(tokens["ann"])

        def do(who: str, **given: object) -> int:
            return client.post("/api/tables/t/commands", json=given, headers=bearer(tokens[who])).status_code

        def look() -> dict[str, Any]:
            found: dict[str, Any] = client.get("/api/tables/t", headers=ann).json()
            return found

        opened = {"do": "open-table", "book": "commission-insurance", "at": "2026-11-15T08:00:00+08:00", "decks": 8}
        limits = {"minimum": 1000, "maximum": 1000000, "differential": 100000000}
        assert do("lee", **opened, shoe="virtual", limits=limits, auto=["announce", "offer"]) == 200
        assert do("ann", do="sit", patron="ann", box=1) == 200
        assert do("ann", do="buy-in", patron="ann", amount=10_000_000) == 200
        assert client.post("/api/tables/t/pass").status_code == 403
        assert client.post("/api/tables/t/pass", headers=bearer(tokens["lee"])).status_code == 409
        assert client.post("/api/tables/none/pass", headers=ann).status_code == 404

        def offered() -> dict[str, Any] | None:
            for hand in ("player", "banker"):
                do("ann", do="place", patron="ann", bet=hand, stake=10000)
            found = look()
            round = found["view"]["round"]
            return found if round and round["offer"] and any(round["offer"]["most"].values()) else None

        found = until(offered, "an offer")
        assert found["asks_until"] > found["now"] + 500
        number = len([*found["view"]["round"]["player"]["cards"], *found["view"]["round"]["banker"]["cards"]])
        assert client.post("/api/tables/t/pass", headers=ann).status_code == 204

        def drawn() -> int | None:
            now = look()
            hands = now["view"]["round"]["player"]["cards"] + now["view"]["round"]["banker"]["cards"]
            return now["now"] if len(hands) > number else None

        assert until(drawn, "the next card") < found["asks_until"] - 200
        assert client.post("/api/tables/t/pass", headers=ann).status_code == 409


def test_one_table_is_dealt_by_hand_and_anything_can_go_wrong_there(tmp_path: Path) -> None:
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path, rate=1e4, burst=10_000)

    async def story() -> None:
        async with Room(given) as room:
            teller, accounts = await asyncio.to_thread(_people, room, given)
            demo = Demonstration(room.floor, teller, accounts, given, random.Random(1))
            await demo.start()
            try:
                dealer = await asyncio.to_thread(_come_in, accounts, "demo-dealer")

                async def say(*spoken: commands.Command) -> None:
                    for each in spoken:
                        await teller.give(dealer, BY_HAND, each, uuid4().hex)

                await say(commands.LoadShoe(), commands.OpenBets())
                await room.until(BY_HAND, lambda table: bool(table.running and table.running.wagers))
                await say(commands.CloseBets(), commands.Draw(), commands.Report("exposed-card", faces=("9c",)))
                assert await room.happened(BY_HAND, Reported)
            finally:
                await demo.stop()

    asyncio.run(story())


def test_somebody_of_the_demonstration_may_answer_whatever_is_asked(tmp_path: Path) -> None:
    """At every table there is a person of the demonstration for every rank that its book may ask."""
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path, rate=1e4, burst=10_000)

    async def story() -> None:
        async with Room(given) as room:
            teller, accounts = await asyncio.to_thread(_people, room, given)
            demo = Demonstration(room.floor, teller, accounts, given, random.Random(1))
            await demo.start()
            try:
                for name in await room.floor.names():
                    book = (await room.floor.table(name)).book
                    staff = [accounts.get(f"demo-{who}") for who, rank in RANKS.items() if rank]
                    posts = [Post(held.rank) for each in staff if each and (held := each.post_at(name))]
                    residual = book.point("authority", "residual")
                    assert residual is not None
                    asked = [residual.by, *(rank for tier in book.ranks[:3] for rank in tier)]
                    assert all(any(holds(book, post, rank) for post in posts) for rank in asked if rank), name
            finally:
                await demo.stop()

    asyncio.run(story())


def _come_in(accounts: Accounts, name: str) -> Account:
    return accounts.holder(accounts.spend(accounts.link(name)))
