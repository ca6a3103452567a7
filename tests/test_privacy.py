"""By no route and no socket does anybody get another's money: random play at a table of every book, and a whitelist.

What a patron or the public may be told is written down a second time in whitelist.toml, field by field and path by
path, and held against everything that the service sends them. Purses are so large that no stake comes near them: a
number of that size in somebody else's traffic is a leak wherever it stands.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from msgspec import inspect

from patching import Watcher
from patient_settings import settings
from punto.rulebook import ids, load
from punto.service.accounts.account import HeldPost
from punto.service.http.app import build
from punto.service.runtime.live import Live
from punto.table import EVENTS, Table, commands, encode
from punto.table.events import Event
from punto.table.view import View
from punto.table.visible import SHOWN
from random_commands import Chance, an_opportunity, anything, open_it, play_on, something_goes_wrong
from seeds import seed_of
from service_process import PATIENCE

STEPS = 160
LOOK_EVERY = 8
LARGE = 10**10
PURSES = {"ann": 7 * LARGE, "bob": 8 * LARGE, "cat": 9 * LARGE}
"""What patrons buy in for; `dan` is poor, and may come to owe something."""

PATRONS = ("ann", "bob", "cat", "dan")
WATCHERS = ("eve", "max", "shoe-1", None)
"""A patron who never comes to the table, somebody of the staff of another one, a device, and nobody."""

ALWAYS_THERE = ("ann", "dan", "max", None)
"""Who has sockets open all the time."""

HOUSE_NAMES = ("dealer", "service")


def _names(fields: str) -> set[str]:
    """The fields of a row. Where a sentence may be told, so may its message: it says the same."""
    found = set(fields.split())
    return found | {f"{each.removesuffix('says')}message" for each in found if each.split(".")[-1] == "says"}


with (Path(__file__).parent / "whitelist.toml").open("rb") as _file:
    _ALLOWED = {
        part: {name: _names(fields) for name, fields in rows.items()} for part, rows in tomllib.load(_file).items()
    }
PUBLIC, EMPTY, OWN = _ALLOWED["public"], _ALLOWED["empty"], _ALLOWED["own"]
ANSWERS = _ALLOWED["answers"]
OPEN_TO_ALL = ("roads", "book", "bets", "odds")
"""What a table tells everybody alike."""

TIMES = ("opened_at", "closes_at", "asks_until")
"""Fields of a snapshot that are large numbers by nature."""

BY_NAME = (
    "view.limits.minimums",
    "view.limits.maximums",
    "view.steps",
    "view.questions.answers",
    "view.round.offer.most",
    "view.round.lines",
    "room",
)


# The house


class House:
    """A service with a table of every book, and people of every kind."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client
        accounts = client.app.state.casino.accounts
        self.tokens: dict[str | None, str] = {None: ""}
        for name in (*PATRONS, "eve"):
            self.tokens[name] = accounts.token(accounts.make(name, "patron", person=name))
        posts = {book: HeldPost(load(book).ranks[-1][-1]) for book in ids()}
        self.tokens["lee"] = accounts.token(accounts.make("lee", "staff", posts=posts, person="lee"))
        self.tokens["max"] = accounts.token(
            accounts.make("max", "staff", posts={"elsewhere": HeldPost("dealer")}, person="max")
        )
        accounts.make("shoe-1", "device", posts={"*": HeldPost("dealer")}, person="shoe-1")
        self.tokens["shoe-1"] = accounts.device_token("shoe-1")

    def head(self, name: str | None) -> dict[str, str]:
        return {} if name is None else {"Authorization": f"Bearer {self.tokens[name]}"}

    def get(self, path: str, name: str | None) -> httpx.Response:
        return self.client.get(path, headers=self.head(name))

    def give(self, table: str, name: str | None, command: commands.Command) -> httpx.Response:
        return self.client.post(f"/api/tables/{table}/commands", headers=self.head(name), content=encode(command))

    def live(self, name: str) -> Live:
        found: Live = self.client.blocking_portal.call(self.client.app.state.casino.floor.live, name)
        return found

    def table(self, name: str) -> Table:
        found = self.live(name).table
        assert found is not None
        return found

    def record(self, table: str) -> list[dict[str, Any]]:
        """What is on record, by the journal itself."""
        journal = self.client.app.state.casino.floor.journal
        return [
            {"who": entry.who, "at": entry.at, "event": msgspec.json.decode(entry.body)}
            for entry in journal.read(table)
        ]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("privacy")
    given = {
        "money": "play",
        "play_most": 10**15,
        "rate": 1e6,
        "burst": 1_000_000,
        "database": f"sqlite:///{folder}/p.db",
        "key_file": str(folder / "p.key"),
    }
    with TestClient(build(settings(None, {}, **given))) as client:
        yield House(client)


# What may be told


def numbers(found: Any) -> Iterator[int]:
    """Every number in an answer, also where a sentence writes it as money."""
    if isinstance(found, dict):
        for each in found.values():
            yield from numbers(each)
    elif isinstance(found, list):
        for each in found:
            yield from numbers(each)
    elif isinstance(found, int):
        yield abs(found)
    elif isinstance(found, str):
        for whole, cents in re.findall(r"(\d{1,3}(?:,\d{3})+)(?:\.(\d\d))?", found):
            yield int(whole.replace(",", "") + (cents or "00"))
        for digits in re.findall(r"(?<![\w.:-])\d{11,}(?![\w:-])", found):
            yield int(digits)


def no_purse(found: Any, what: object) -> None:
    assert all(each < LARGE for each in numbers(found)), what


def paths(found: Any, at: str = "") -> Iterator[str]:
    """Every path in an answer; of what is kept by name the names are a star, and a message is a whole."""
    if isinstance(found, dict):
        for name, each in found.items():
            path = f"{at}.*" if at in BY_NAME else f"{at}.{name}".lstrip(".")
            yield path
            if name != "message":
                yield from paths(each, path)
    elif isinstance(found, list):
        for each in found:
            yield from paths(each, at)


class Teller:
    """Holds what somebody was told against the record and the whitelist."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.private = self.own = self.shown = 0

    def entry(self, told: dict[str, Any], real: dict[str, Any]) -> None:
        """One entry."""
        event, of = told["event"], real["event"]
        kind = of["event"]
        mine = self._mine(of)
        if event == {"event": "private"}:
            assert set(told) == {"sequence", "event"}
            assert kind not in PUBLIC, told
            assert not mine, told
            self.private += 1
            return
        assert event["event"] == kind
        assert set(told) <= {"sequence", "event", "at", "who"}
        assert mine or kind in PUBLIC, told
        allowed = PUBLIC.get(kind, set()) | (OWN.get(kind, set()) if mine else set())
        assert set(event) <= {*allowed, "event", "basis", "by"}, told
        patron = of.get("patron") if "patron" in PUBLIC.get(kind, ()) else None
        for said in (told.get("who", ""), event.get("by", "dealer")):
            assert said in {"", self.name, patron, *HOUSE_NAMES}, told
        self._fields(told, event, of, mine)

    def _fields(self, told: dict[str, Any], event: dict[str, Any], of: dict[str, Any], mine: bool) -> None:
        hidden = EMPTY.get(of["event"], set())
        for field in set(of) - {"event", "by", "acting"}:
            value: Any = event.get(field)
            if field == "question" and of["event"] == "asked":
                assert value["waiting"] == [self.name], told
                assert value["says"] == of[field]["says"]
            elif field in hidden and field == "message":
                assert value == (of[field] if mine else None), told
            elif field in hidden:
                self._own_part(told, value, of[field], mine)
            elif field in event:
                assert value == of[field], told
                self.shown += 1
            else:
                assert field not in PUBLIC.get(of["event"], ()), told
        self.own += mine
        if not mine:
            no_purse({name: each for name, each in event.items() if name not in hidden}, told)

    def _own_part(self, told: dict[str, Any], value: Any, real: Any, mine: bool) -> None:
        """Of a collection by patron exactly one's own part; of a sentence all or nothing."""
        if isinstance(real, dict):
            assert (value or {}) == {name: each for name, each in real.items() if name == self.name}, told
        elif isinstance(real, list):
            own = [each for each in real if self.name == (each if isinstance(each, str) else each[0])]
            assert (value or []) == own, told
        else:
            assert value == (real if mine else ""), told

    def _mine(self, of: dict[str, Any]) -> bool:
        if self.name not in PATRONS and self.name != "eve":
            return False
        if of["event"] == "asked":
            return self.name in of["question"].get("waiting", ())
        if of["event"] == "bound":
            return self.name in of["patrons"]
        if of["event"] == "choice-made":
            return self.name in (*of.get("on", ()), *of.get("back", ()))
        return bool((of.get("patron") or of.get("by", "dealer")) == self.name)

    def snapshot(self, told: dict[str, Any], table: Table) -> None:
        """A table as somebody sees it."""
        assert set(paths(told)) <= ANSWERS["snapshot"], sorted(set(paths(told)) - ANSWERS["snapshot"])
        view = told["view"]
        covers = dict.fromkeys(table.patrons, 0)
        if table.running is not None:
            for each in table.running.covers:
                covers[each.spot[0]] += each.stake
        for each in view["patrons"]:
            mine = each["name"] == self.name
            patron = table.patrons[each["name"]]
            assert each["balance"] == (patron.balance if mine else None), each
            assert each["owed"] == (patron.owed if mine else None), each
            laid = view["round"]["wagers"] if table.running is not None else []
            felt = sum(wager["stake"] for wager in laid if wager["patron"] == each["name"])
            assert each["held"] <= felt + covers[each["name"]], "what is held lies on the felt"
            if not mine:
                no_purse(each, each)
        questions = {question.id: question for question in table.questions}
        for each in view["questions"]:
            assert self.name in questions[each["id"]].waiting
            assert each["waiting"] == [self.name]
            assert set(each["answers"]) <= {self.name}
        own = {each["says"] for each in view["questions"]}
        assert all(each["says"] in {"", *own} for each in view["next"] if each["do"] == "answer")
        if view["round"] is not None:
            assert set(view["round"]["lines"]) <= {self.name}
            most = {} if view["round"]["offer"] is None else view["round"]["offer"]["most"]
            assert all(spot.partition("/")[0] == self.name for spot in most)
        rest = {name: each for name, each in view.items() if name not in ("patrons", "round")}
        no_purse(rest, told)
        no_purse({name: each for name, each in (view["round"] or {}).items() if name != "lines"}, told)


class Screen:
    """A screen that somebody has open all the time: every message to it is held against what it may show."""

    def __init__(self, house: House, book: str, name: str | None, socket: Any) -> None:
        self.house, self.book, self.name, self.socket = house, book, name, socket
        self.watcher, self.teller = Watcher(), Teller(name)

    def check(self) -> None:
        """Take what was sent since the last time: the screen shows nothing that it may not."""
        live = self.house.live(self.book)
        if self.watcher.sequence < live.sequence:
            while self.watcher.sequence < live.sequence:
                self._take(self.socket.receive_text(timeout=PATIENCE))
            assert live.table is not None
            self.teller.snapshot(self.watcher.snapshot, live.table)

    def compare(self) -> None:
        """The screen shows exactly what its viewer would be answered."""
        answer = self.house.get(f"/api/tables/{self.book}", self.name).json()
        del answer["now"]
        assert self.watcher.snapshot == answer

    def _take(self, message: str) -> None:
        """One message: of what everybody is sent nothing is anybody's own, and who is nobody gets nothing else."""
        said = json.loads(message)
        assert set(said) <= {"now", "whole", "after", "patch", "own", "entries"}
        whole = {name: value for name, value in said.get("whole", {}).items() if name not in TIMES}
        patch = [each for each in said.get("patch", []) if each["path"].lstrip("/") not in TIMES]
        no_purse([whole, patch], said)
        assert whole.get("you") is None
        if self.name is None:
            assert not said.get("own")
        self.watcher.take(message)


# Play


def opened(house: House, book: str, luck: Chance) -> None:
    """A hand-dealt table of a book, set up at random."""
    for _ in range(50):
        asked = open_it(luck, load(book))
        given = msgspec.structs.replace(asked, shoe="hand", at="2026-11-15T08:00:00+08:00", house_ranks={})
        if house.give(book, "lee", given).status_code == 200:
            return
    raise AssertionError("no table could be opened")


def something(luck: Chance, table: Table) -> commands.Command:
    """What play needs next, mostly; or anything at all."""
    makers = [play_on] * 6 + [
        an_opportunity,
        something_goes_wrong,
        anything,
    ]
    while True:
        command = luck.one(makers)(luck, table)
        if not isinstance(command, commands.OpenTable | commands.CloseTable | commands.ChangeBook):
            return command


def enrich(house: House, book: str, table: Table) -> None:
    """Whoever sits down buys in for a sum that nobody stakes."""
    for name, amount in PURSES.items():
        patron = table.patrons.get(name)
        if patron is not None and patron.balance < LARGE:
            house.give(book, name, commands.BuyIn(name, amount, by=name))


def look_round(house: House, book: str, viewer: str | None) -> None:
    """Ask for everything that there is about a table, and hold it against what is allowed."""
    teller, at = Teller(viewer), f"/api/tables/{book}"
    snapshot = house.get(at, viewer).json()
    teller.snapshot(snapshot, house.table(book))
    assert snapshot["you"] in (None, viewer)
    for path in OPEN_TO_ALL:
        answer = house.get(f"{at}/{path}", viewer)
        assert answer.content == house.get(f"{at}/{path}", None).content
        if path != "odds":  # exact fractions have large numbers of their own
            no_purse(answer.json(), path)
    rounds = house.get(f"{at}/rounds", viewer).json()
    for each in rounds:
        assert set(each) == ANSWERS["round"]
        no_purse(each, each)
    for each in [each for each in rounds if each["winner"]][-2:]:
        recalled = house.get(f"{at}/rounds/{each['last']}", viewer).json()
        assert set(recalled) == ANSWERS["recalled"]
        assert set(recalled["lines"]) <= {viewer}
        no_purse({name: value for name, value in recalled.items() if name != "lines"}, recalled)
    for listed in house.get("/api/tables", viewer).json():
        assert set(listed) == ANSWERS["listed"]
        patron = house.table(listed["name"]).patrons.get(viewer or "")
        there = patron is not None and (not patron.away or patron.balance or patron.held)
        assert listed.pop("own") == (
            {"box": patron.box, "chips": patron.balance, "at_stake": patron.held} if patron and there else None
        )
        no_purse(listed, listed)
    assert house.get(f"{at}/desk", viewer).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect, match=r"You hold no post at this table\.|Log in first\."),
        house.client.websocket_connect(f"{at}/screen?desk=true", headers=house.head(viewer)) as socket,
    ):
        socket.receive_text(timeout=PATIENCE)
    report = {"do": "report", "fact": "other", "note": "?"}
    assert house.client.post(f"{at}/foresee", headers=house.head(viewer), json=report).status_code == 403
    passed = house.client.post(f"{at}/pass", headers=house.head(viewer))
    assert passed.status_code in (204, 403, 409)
    no_purse(passed.text, passed.text)
    for path in ("/health", "/metrics"):
        text = house.get(path, viewer).text
        assert not any(f'"{name}"' in text for name in (*PATRONS, "lee"))
    held = house.get(f"{at}/held", viewer)
    assert held.status_code == (403 if viewer is None else 200)


def meddle(house: House, book: str, luck: Chance) -> None:
    """Ask in another's name: the refusal tells nothing of them."""
    who, other = luck.sample(list(PURSES), 2)
    for command in (
        commands.CashOut(other, 10**14, by=who),
        commands.PayOwed(other, 10**14, by=who),
        commands.BuyIn(other, 10**15 - 1, by=who),
        commands.Place(other, "player", 10**14, 1, by=who),
        commands.Insure(other, "player", 10**14, by=who),
        commands.CloseTable(by=who),
    ):
        answer = house.give(book, who, command)
        assert answer.status_code in (403, 409), answer.text
        said = [each for each in numbers(answer.json()["refused"]) if each not in (10**14, 10**15, 10**15 - 1)]
        no_purse(said and " ".join(f"{each:,}" for each in said), answer.text)


def play(house: House, book: str, luck: Chance, tellers: dict[str | None, Teller], screens: list[Screen]) -> None:
    """Anything that may happen at a table, on screens all the time; every so often somebody looks round."""
    for step in range(STEPS):
        table = house.table(book)
        enrich(house, book, table)
        command = something(luck, house.table(book))
        by = command.by if command.by in PATRONS else "lee"
        answer = house.give(book, by, command)
        assert answer.status_code in (200, 400, 403, 409), answer.text
        if by != "lee" and answer.status_code == 200:
            record = house.record(book)
            for told in answer.json()["events"]:
                tellers[by].entry(told, record[told["sequence"] - 1])
        elif by != "lee":
            others = {name: each.balance for name, each in house.table(book).patrons.items() if name != by}
            assert not {*others.values()} & {each for each in numbers(answer.json()) if each >= LARGE}
        for screen in screens:
            screen.check()
        if step % LOOK_EVERY == 0:
            look_round(house, book, luck.one((*PATRONS, *WATCHERS)))
            meddle(house, book, luck)
            for screen in screens:
                screen.compare()


@pytest.mark.parametrize("book", ids())
def test_nobody_is_told_of_another_s_money(house: House, book: str) -> None:
    luck = Chance(seed_of(f"A table of {book}"))
    opened(house, book, luck)
    tellers = {name: Teller(name) for name in (*PATRONS, *WATCHERS)}
    with ExitStack() as stack:

        def connect(socket: str, name: str | None) -> Any:
            path = f"/api/tables/{book}/{socket}?after=0"
            return stack.enter_context(house.client.websocket_connect(path, headers=house.head(name)))

        live = {name: connect("stream", name) for name in ALWAYS_THERE}
        screens = {name: Screen(house, book, name, connect("screen", name)) for name in ALWAYS_THERE}
        play(house, book, luck, tellers, list(screens.values()))
        record = house.record(book)
        heard = {
            name: [json.loads(socket.receive_text(timeout=PATIENCE)) for _ in record] for name, socket in live.items()
        }
    for name, teller in tellers.items():
        look_round(house, book, name)
        told: list[dict[str, Any]] = []
        while len(told) < len(record):
            told += house.get(f"/api/tables/{book}/events?after={len(told)}", name).json()["entries"]
        for entry, real in zip(told, record, strict=True):
            teller.entry(entry, real)
        if name in heard:
            assert heard[name] == told, "a socket tells the same"
            assert screens[name].watcher.entries == told, "and so does a screen"
    assert all(teller.shown for teller in tellers.values())
    assert not any(tellers[name].own for name in ("max", "shoe-1", None))
    bought = [each for each in record if each["event"]["event"] == "bought-in"]
    assert tellers[None].private >= len(bought) > 0
    staff = house.get(f"/api/tables/{book}/events", "lee").json()["entries"]
    assert [each["event"] for each in staff] == [each["event"] for each in record[: len(staff)]]


def test_the_whitelist_knows_every_event() -> None:
    assert {*PUBLIC, *OWN, "post-left", "steps-ruled"} == set(EVENTS)


@pytest.mark.parametrize("event", SHOWN)
def test_the_whitelist_knows_every_field_that_is_shown(event: type[Event]) -> None:
    """Held field by field, and not only when play by chance comes to an event with that field."""
    kind = str(event.__struct_config__.tag)
    spelt = {field.name: field.encode_name for field in msgspec.structs.fields(event)}
    shown = SHOWN[event]
    assert {spelt[name] for name in shown.public} <= PUBLIC.get(kind, set())
    assert {spelt[name] for name in (*shown.own, *shown.each)} <= PUBLIC.get(kind, set()) | OWN.get(kind, set())


def shapes(of: Any, at: str) -> Iterator[str]:
    """Every path that an answer of a type can have."""
    if isinstance(of, inspect.StructType):
        for field in of.fields:
            path = f"{at}.{field.encode_name}"
            yield path
            if field.encode_name != "message":
                yield from shapes(field.type, path)
    elif isinstance(of, inspect.UnionType):
        for each in of.types:
            yield from shapes(each, at)
    elif isinstance(of, inspect.VarTupleType):
        yield from shapes(of.item_type, at)
    elif isinstance(of, inspect.DictType):
        yield f"{at}.*"
        yield from shapes(of.value_type, f"{at}.*")


def test_the_whitelist_knows_every_path_of_a_view() -> None:
    known = {path for path in ANSWERS["snapshot"] if path.startswith("view.")}
    assert set(shapes(inspect.type_info(View), "view")) == known
