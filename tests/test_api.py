"""The API as its users meet it: what they may do, what they see, and what bad input gets."""

import asyncio
import base64
import json
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient

from patient_settings import settings
from punto.journal import HOUSE
from punto.messages import Message, render
from punto.messages.catalogue import english
from punto.rulebook import ids, load
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.devices.simulated import Device
from punto.service.http.app import build
from punto.table.codec import COMMANDS
from service_process import PATIENCE

LIMITS = {"minimum": 1000, "maximum": 1000000, "differential": 100000000}
OPEN = {"do": "open-table", "book": "wu-song", "at": "2026-11-15T08:00:00+08:00", "decks": 8, "limits": LIMITS}
SECRET = "correct horse"


class House:
    """A service with people who have accounts, and a hand-dealt table `t1`."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client
        self.accounts: Accounts = client.app.state.casino.accounts
        self.tokens = {}
        for name, kind, posts in (
            ("ann", "patron", {}),
            ("bob", "patron", {}),
            ("lee", "staff", {"*": HeldPost("pit-manager")}),
            ("eve", "staff", {"t2": HeldPost("pit-manager")}),
            ("shoe-1", "device", {"*": HeldPost("dealer")}),
        ):
            account = self.accounts.make(name, kind, None, posts, person=name)
            self.tokens[name] = self.accounts.token(account)
        self.accounts.make("pat", "patron", SECRET, person="pat")

    def as_(self, name: str | None) -> dict[str, str]:
        return {} if name is None else {"Authorization": f"Bearer {self.tokens[name]}"}

    def get(self, path: str, name: str | None = None, **given: Any) -> httpx.Response:
        return self.client.get(path, headers=self.as_(name), **given)

    def ask(
        self, name: str | None, command: dict[str, Any], *, table: str = "t1", key: str | None = None
    ) -> httpx.Response:
        head = self.as_(name) | ({} if key is None else {"Idempotency-Key": key})
        return self.client.post(f"/api/tables/{table}/commands", headers=head, json=command)

    def do(self, name: str, do: str, *, table: str = "t1", **more: Any) -> dict[str, Any]:
        answer = self.ask(name, {"do": do, **more}, table=table)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def sequence(self, table: str = "t1") -> int:
        found: int = self.get(f"/api/tables/{table}").json()["sequence"]
        return found

    def seat(self) -> None:
        for box, name in enumerate(("ann", "bob"), 1):
            self.do(name, "sit", patron=name, box=box)
            self.do(name, "buy-in", patron=name, amount=100000)

    def bets(self) -> None:
        self.do("lee", "open-bets")
        self.do("ann", "place", patron="ann", bet="player", stake=2000)
        self.do("bob", "place", patron="bob", bet="banker", stake=2000)

    def play(self) -> None:
        """A round: nine against seven, the Player wins. Of eight decks the same cards come at most eight times."""
        self.bets()
        self.do("lee", "close-bets")
        number = self.get("/api/tables/t1").json()["view"]["round"]["number"] - 1
        suits = "hcds"[number // 2 % 4 :] + "hcds"[: number // 2 % 4]
        for rank, suit in zip(("92K5", "83A4")[number % 2], suits, strict=True):
            face = rank + suit
            self.do("lee", "draw")
            self.do("lee", "expose", faces=[face])
        self.do("lee", "announce", what="result")
        self.do("lee", "settle")


def begin(folder: Path, **given: object) -> TestClient[Litestar]:
    logging.getLogger("httpx").setLevel("WARNING")
    more = {"rate": 10_000, "burst": 10_000, "money": "play", **given}
    return TestClient(
        build(settings(None, {}, database=f"sqlite:///{folder}/p.db", key_file=str(folder / "p.key"), **more))
    )


def with_table(client: TestClient[Litestar]) -> House:
    """A house with a table that is open and has a shoe."""
    made = House(client)
    assert made.ask("lee", OPEN).status_code == 200
    made.do("lee", "load-shoe")
    return made


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with begin(tmp_path) as client:
        yield with_table(client)


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all the tests after which it is as it was."""
    with begin(tmp_path_factory.mktemp("house")) as client:
        made = House(client)
        assert made.ask("lee", OPEN).status_code == 200
        made.do("lee", "load-shoe")
        yield made


def sentence(answer: httpx.Response) -> str:
    """The sentence of a refusal, which its message says, too."""
    body = answer.json()
    assert {"refused", "clauses"} <= set(body) <= {"refused", "clauses", "message"}
    assert body["refused"]
    said: str = body["refused"]
    if "message" in body:
        assert said.startswith(render(Message(**body["message"]), english()))
    return said


# Bad input


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "body"),
        (b"{", "truncated"),
        (b'{"do":' + b"[" * 20_000, "nested too deeply"),
        (b"\xff\xfe", "utf-8|malformed|invalid"),
        (b"[]", "Expected `object`"),
        (b"null", "Expected `object`"),
        (b'"open-bets"', "Expected `object`"),
        (b"{}", "missing required field `do`"),
        (b'{"do":"rob"}', "Invalid value 'rob'"),
        (b'{"do":1}', "Expected `str`"),
        (b'{"do":"place"}', "missing required field"),
        (b'{"do":"place","patron":"ann","bet":"player","stake":"2000"}', "Expected `int`"),
        (b'{"do":"place","patron":"ann","bet":"player","stake":20.5}', "Expected `int`"),
        (b'{"do":"place","patron":"ann","bet":"player","stake":1e400}', "Expected `int`|out of range"),
        (b'{"do":"place","patron":null,"bet":"player","stake":2000}', "Expected `str`"),
        (b'{"do":"open-bets","cheat":true}', "unknown field `cheat`"),
        (b'{"do":"answer","question":1,"choice":"yes","count":[1]}', "Expected `object`"),
    ],
)
def test_a_body_that_is_no_command_is_refused_and_changes_nothing(open_house: House, body: bytes, says: str) -> None:
    import re

    before = open_house.sequence()
    head = open_house.as_("lee") | {"Content-Type": "application/json"}
    answer = open_house.client.post("/api/tables/t1/commands", headers=head, content=body)
    assert answer.status_code == 400, answer.text
    assert re.search(says, sentence(answer), re.IGNORECASE), sentence(answer)
    assert open_house.sequence() == before


def test_an_oversized_body_is_refused(open_house: House) -> None:
    before = open_house.sequence()
    answer = open_house.ask("lee", {"do": "report", "fact": "other", "note": "x" * 70_000})
    assert answer.status_code == 413
    assert sentence(answer)
    assert open_house.sequence() == before


@pytest.mark.parametrize("after", ["-1", "x", "1.5", str(2**53 + 1)])
def test_a_number_that_is_none_is_refused(open_house: House, after: str) -> None:
    answer = open_house.get(f"/api/tables/t1/events?after={after}")
    assert answer.status_code == 400
    assert "after" in sentence(answer)


@pytest.mark.parametrize("key", ["", "k" * 51])
def test_a_key_of_another_length_is_refused(open_house: House, key: str) -> None:
    answer = open_house.ask("ann", {"do": "stand", "patron": "ann"}, key=key)
    assert answer.status_code == 400
    assert sentence(answer)


@pytest.mark.parametrize("name", ["nope", HOUSE, "9-9"])
def test_an_unknown_table(open_house: House, name: str) -> None:
    for path in ("", "/events", "/rounds", "/roads"):
        answer = open_house.get(f"/api/tables/{name}{path}")
        assert answer.status_code == 404
        assert name in sentence(answer)
    answer = open_house.ask("lee", {"do": "open-bets"}, table=name)
    assert answer.status_code == 404
    assert [each["name"] for each in open_house.get("/api/tables").json()] == ["t1"]


def test_no_table_takes_the_name_of_the_house(house: House) -> None:
    assert house.ask("lee", OPEN, table=HOUSE).status_code == 404
    assert house.ask("lee", OPEN, table="UPPER").status_code == 400


def test_a_table_that_could_not_be_opened_is_still_unknown(house: House) -> None:
    answer = house.ask("lee", {**OPEN, "book": "none"}, table="t2")
    assert answer.status_code == 409
    assert "no book" in sentence(answer)
    assert house.get("/api/tables/t2").status_code == 404
    assert house.ask("lee", {"do": "open-bets"}, table="t2").status_code == 404
    assert house.ask("lee", OPEN, table="t2").status_code == 200


def test_out_of_turn_is_refused_with_the_clause(house: House) -> None:
    house.seat()
    before = house.sequence()
    answer = house.ask("ann", {"do": "place", "patron": "ann", "bet": "player", "stake": 2000})
    assert answer.status_code == 409
    assert sentence(answer)
    for command in ("draw", "settle", "close-bets"):
        answer = house.ask("lee", {"do": command})
        assert answer.status_code == 409
        assert sentence(answer)
    house.do("lee", "open-bets")
    answer = house.ask("lee", {"do": "draw"})
    assert answer.status_code == 409
    assert answer.json()["clauses"]
    assert house.sequence() == before + 1


@pytest.mark.parametrize("path", ["/api/nothing", "/api/books/none/odds", "/api/books/none/bets"])
def test_what_is_not_there(open_house: House, path: str) -> None:
    answer = open_house.get(path)
    assert answer.status_code == 404
    assert sentence(answer)


def test_a_layout_or_a_number_of_decks_that_a_book_does_not_have(open_house: House) -> None:
    assert open_house.get("/api/books/wu-song/odds?layout=Z").status_code in (404, 409)
    assert sentence(open_house.get("/api/books/wu-song/bets?layout=Z"))
    assert open_house.get("/api/books/wu-song/odds?decks=13").status_code == 400
    assert open_house.get("/api/books/wu-song/odds?decks=x").status_code == 400


# Who may


def test_without_a_token_nothing_is_changed(open_house: House) -> None:
    before = open_house.sequence()
    answer = open_house.ask(None, {"do": "open-bets"})
    assert answer.status_code == 403
    assert sentence(answer) == "Log in first."
    assert open_house.get("/api/me").status_code == 403
    assert open_house.sequence() == before


def _forged(house: House) -> list[str]:
    body, _, mac = house.tokens["ann"].partition(".")
    said = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    as_lee = base64.urlsafe_b64encode(json.dumps(["lee", *said[1:]]).encode()).decode().rstrip("=")
    return [f"{as_lee}.{mac}", f"{body}.{mac[::-1]}", body, f"{body}.", "x", "a.b", "null", body * 50]


def test_a_forged_token_is_refused_everywhere(open_house: House) -> None:
    before = open_house.sequence()
    for forged in _forged(open_house):
        head = {"Authorization": f"Bearer {forged}"}
        for answer in (
            open_house.client.post("/api/tables/t1/commands", headers=head, json={"do": "open-bets"}),
            open_house.client.get("/api/me", headers=head),
            open_house.client.get("/api/tables/t1", headers=head),
            open_house.client.get("/api/tables/t1/events", headers=head),
        ):
            assert answer.status_code == 403
            assert "not ours" in sentence(answer)
    assert open_house.sequence() == before


def test_an_expired_and_a_revoked_token(house: House) -> None:
    ann = house.accounts.get("ann")
    assert ann is not None
    stale = house.accounts.token(ann, seconds=-1)
    good = house.accounts.token(ann)
    for token, status in ((stale, 403), (good, 200)):
        assert house.client.get("/api/me", headers={"Authorization": f"Bearer {token}"}).status_code == status
    house.accounts.revoke("ann")
    answer = house.client.get("/api/me", headers={"Authorization": f"Bearer {good}"})
    assert answer.status_code == 403
    assert sentence(answer) == "The token is not good any more."


def test_logging_in_and_out(house: House) -> None:
    for body, status in (
        ({"name": "pat", "password": "wrong horse"}, 403),
        ({"name": "nobody", "password": "wrong horse"}, 403),
        ({"name": "pat"}, 400),
        ({"name": "pat", "password": SECRET, "more": 1}, 400),
        ({"name": "p" * 101, "password": SECRET}, 400),
        ({"name": "pat\u0000", "password": SECRET}, 403),
    ):
        answer = house.client.post("/api/login", json=body)
        assert answer.status_code == status, answer.text
        assert SECRET not in answer.text
        assert sentence(answer)
    answer = house.client.post("/api/login", json={"name": "pat", "password": SECRET})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    token = answer.json()["token"]
    me = {"name": "pat", "kind": "patron", "posts": {}, "person": "pat", "shown": "", "remind": 0}
    assert house.client.get("/api/me").json() == me
    assert house.client.post("/api/logout").status_code == 204
    house.client.cookies.clear()
    answer = house.client.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    assert sentence(answer) == "The token is not good any more."


def test_the_cookie_is_for_tls_alone_where_that_is_set(tmp_path: Path) -> None:
    with begin(tmp_path, secure_cookies=True) as client:
        client.app.state.casino.accounts.make("pat", "patron", SECRET)
        answer = client.post("/api/login", json={"name": "pat", "password": SECRET})
        assert "secure" in answer.headers["set-cookie"].lower()


def test_a_link_is_good_once(house: House) -> None:
    link = house.accounts.link("pat")
    answer = house.client.post("/api/link", json={"token": link})
    assert answer.status_code == 200
    assert house.client.get("/api/me").json()["name"] == "pat"
    house.client.cookies.clear()
    answer = house.client.post("/api/link", json={"token": link})
    assert answer.status_code == 403
    assert sentence(answer) == "This link has been used."
    assert house.client.get("/api/me", headers={"Authorization": f"Bearer {link}"}).status_code == 403


def test_a_patron_does_not_act_for_another_nor_as_staff(house: House) -> None:
    house.seat()
    house.do("lee", "open-bets")
    before = house.sequence()
    for command in (
        {"do": "place", "patron": "bob", "bet": "player", "stake": 2000},
        {"do": "place", "patron": "bob", "bet": "player", "stake": 2000, "by": "bob"},
        {"do": "cash-out", "patron": "bob"},
        {"do": "close-bets", "by": "dealer"},
        {"do": "close-bets", "by": "lee"},
        {"do": "draw", "by": "dealer"},
        {"do": "assign", "person": "ann", "post": "dealer", "by": "pit-manager"},
        {"do": "report", "fact": "exposed-card", "faces": ["9h"]},
        {"do": "expose", "faces": ["9h"]},
        {"do": "rule", "policy": "outcome-scope", "value": "main", "by": "table-game-shift-manager"},
        {**OPEN, "do": "change-book", "by": "pit-manager"},
    ):
        answer = house.ask("ann", command)
        assert answer.status_code in (403, 409), command
        assert sentence(answer)
    assert house.sequence() == before


def test_a_patron_opens_no_table(house: House) -> None:
    answer = house.ask("ann", {**OPEN, "by": "pit-manager"}, table="t2")
    assert answer.status_code == 403
    assert sentence(answer) == "The staff open a table."
    assert house.get("/api/tables/t2").status_code == 404


def test_staff_act_only_where_they_hold_a_post_and_only_as_what_it_allows(house: House) -> None:
    before = house.sequence()
    answer = house.ask("eve", {"do": "open-bets"})
    assert answer.status_code == 403
    assert sentence(answer) == "You hold no post at this table."
    house.accounts.hold("eve", "t1", "dealer")
    house.do("eve", "open-bets")
    answer = house.ask("eve", {"do": "rule", "policy": "outcome-scope", "value": "main", "reason": "so"})
    assert answer.status_code == 409
    assert answer.json()["clauses"]
    house.accounts.hold("eve", "t1", None)
    assert house.ask("eve", {"do": "close-bets"}).status_code == 403
    assert house.sequence() == before + 2
    assert house.get("/api/tables/t1", "eve").json()["view"]["questions"] == []


def test_an_acting_post_is_recorded_as_such(house: House) -> None:
    house.accounts.hold("eve", "t1", "table-game-shift-manager", acting=True)
    house.do("eve", "open-bets")
    told = [each["event"] for each in house.get("/api/tables/t1/events", "lee").json()["entries"]]
    [assigned] = [each for each in told if each["event"] == "post-assigned" and each["person"] == "eve"]
    assert (assigned["post"], assigned["as-acting"]) == ("table-game-shift-manager", True)
    [opened] = [each for each in told if each["event"] == "bets-opened"]
    assert (opened["by"], opened["acting"]) == ("eve", True)


def test_a_device_draws_and_reads_and_does_nothing_else(open_house: House) -> None:
    before = open_house.sequence()
    for command in (
        {"do": "place", "patron": "ann", "bet": "player", "stake": 2000},
        {"do": "open-bets"},
        {"do": "buy-in", "patron": "ann", "amount": 1000},
        {"do": "answer", "question": 1, "choice": "yes"},
        {"do": "load-shoe"},
    ):
        answer = open_house.ask("shoe-1", command)
        assert answer.status_code == 403
        assert sentence(answer) == "A device only draws, exposes and reports."
    answer = open_house.ask("shoe-1", {"do": "draw"})
    assert sentence(answer) == "No device reads the cards of this table."
    assert open_house.sequence() == before


def test_a_page_of_another_house_may_not_speak(house: House) -> None:
    before = house.sequence()
    for origin in ("https://evil.example", "null", "http://testserver.local.evil.example"):
        head = house.as_("lee") | {"Origin": origin}
        answer = house.client.post("/api/tables/t1/commands", headers=head, json={"do": "open-bets"})
        assert answer.status_code == 403
        assert "may not speak" in sentence(answer)
        answer = house.client.post("/api/login", headers={"Origin": origin}, json={"name": "pat", "password": SECRET})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert house.sequence() == before
    head = house.as_("lee") | {"Origin": "http://testserver.local"}
    answer = house.client.post("/api/tables/t1/commands", headers=head, json={"do": "open-bets"})
    assert answer.status_code == 200


# Keys


def test_a_key_gets_its_first_answer_and_nothing_happens_twice(house: House) -> None:
    house.do("ann", "sit", patron="ann", box=1)
    first = house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 5000}, key="k1").json()
    before = house.sequence()
    again = house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 5000}, key="k1").json()
    assert again == {**first, "repeated": True}
    assert house.sequence() == before
    [ann] = house.get("/api/tables/t1", "ann").json()["view"]["patrons"]
    assert ann["balance"] == 5000


def test_a_key_is_its_owner_s_alone(house: House) -> None:
    house.seat()
    first = house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 5000}, key="k1").json()
    other = house.ask("bob", {"do": "buy-in", "patron": "bob", "amount": 7000}, key="k1").json()
    assert other["repeated"] is False
    assert other["first"] == first["last"] + 1
    assert other["events"][0]["event"]["amount"] == 7000


def test_a_refusal_is_not_remembered(house: House) -> None:
    assert house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 5000}, key="k1").status_code == 409
    house.do("ann", "sit", patron="ann", box=1)
    assert house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 5000}, key="k1").status_code == 200


def test_a_refusal_of_the_rules_says_its_message_for_other_languages(house: House) -> None:
    """Over HTTP and on a socket alike; the English is one way to say it."""
    command = {"do": "sit", "patron": "ann", "box": 99}
    answer = house.ask("ann", command).json()
    assert (answer["message"]["id"], answer["message"]["args"]["box"]) == ("no-box-on-layout", 99)
    with house.client.websocket_connect("/api/tables/t1/stream", headers=house.as_("ann")) as socket:
        socket.send_json({"key": "k9", "command": command})
        told = next(each for each in iter(socket.receive_json, None) if each.get("key") == "k9")
    assert told["message"] == answer["message"]
    assert render(Message(**told["message"]), english()) == told["refused"].partition(" (")[0]


def test_a_refusal_of_the_house_says_its_message_too(house: House) -> None:
    """Who may not, and what there is not: each has its id, whoever refuses it."""
    told = {
        "log-in-first": house.ask(None, {"do": "open-bets"}),
        "staff-open-table": house.ask("ann", OPEN, table="t9"),
        "log-in-wrong": house.client.post("/api/login", json={"name": "pat", "password": "something else"}),
        "no-such-table": house.get("/api/tables/none"),
        "unknown-book": house.get("/api/books/none"),
        "no-such-file": house.get("/static/none.js"),
    }
    assert {name: answer.json()["message"]["id"] for name, answer in told.items()} == {name: name for name in told}
    for answer in told.values():
        assert sentence(answer)


# Rates


def test_too_many_commands_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    with begin(tmp_path, rate=0.001, burst=5) as client:
        house = House(client)
        answers = [house.ask("lee", OPEN)]
        answers += [house.ask("lee", {"do": "load-shoe"}) for _ in range(6)]
        assert [each.status_code for each in answers] == [200, 200, 409, 409, 409, 429, 429]
        assert sentence(answers[-1]) == "Too many at once: wait a moment."
        assert house.ask("ann", {"do": "stand", "patron": "ann"}).status_code == 200  # a bucket each


def test_too_many_log_ins_are_refused(tmp_path: Path) -> None:
    with begin(tmp_path, rate=0.01, burst=30) as client:
        house = House(client)
        said = [client.post("/api/login", json={"name": "x", "password": "y"}).status_code for _ in range(5)]
        assert said == [403, 403, 403, 429, 429]
        assert client.post("/api/link", json={"token": "x"}).status_code == 429
        assert house.get("/api/me", "ann").status_code == 200


# What one sees


def test_another_s_purse_is_hidden(house: House) -> None:
    house.seat()

    def amounts(name: str | None) -> list[int]:
        told = [each["event"] for each in house.get("/api/tables/t1/events", name).json()["entries"]]
        assert [each["event"] for each in told].count("private") + len(
            [each for each in told if each["event"] == "bought-in"]
        ) == 2
        return [each["amount"] for each in told if each["event"] == "bought-in"]

    assert [len(amounts(name)) for name in ("ann", "bob", "lee", "eve", None)] == [1, 1, 2, 0, 0]
    for name, seen in (("ann", [100000, None]), ("lee", [100000, 100000]), ("eve", [None, None]), (None, [None, None])):
        view = house.get("/api/tables/t1", name).json()["view"]
        assert [each["balance"] for each in view["patrons"]] == seen
    answer = house.do("lee", "buy-in", patron="ann", amount=1000)
    assert answer["events"][-1]["event"]["amount"] == 1000


def _told(house: House, name: str | None) -> list[dict[str, Any]]:
    """The events of the table as somebody is told of them, by the page of past events and by a socket alike."""
    entries: list[dict[str, Any]] = house.get("/api/tables/t1/events", name).json()["entries"]
    with house.client.websocket_connect("/api/tables/t1/stream", headers=house.as_(name)) as socket:
        assert [receive(socket) for _ in entries] == entries
    return [each["event"] for each in entries]


def test_what_others_won_and_what_somebody_owes_is_told_to_nobody_else(house: House) -> None:
    """Ann wins 20.00 and cashes out; then the round turns out void, and she owes what she was paid."""
    house.accounts.hold("eve", "t1", load("wu-song").ranks[-1][-1])
    house.seat()
    house.play()
    house.do("ann", "cash-out", patron="ann")
    house.do("lee", "report", fact="foreign-card")
    [question] = house.get("/api/tables/t1", "eve").json()["view"]["questions"]
    house.do("eve", "answer", question=question["id"], choice=question["choices"][0], reason="A card too many.")
    settled, ended = {}, {}
    for name in ("ann", "bob", "lee", None):
        told = _told(house, name)
        [settled[name]] = [each for each in told if each["event"] == "round-settled"]
        [ended[name]] = [each for each in told if each["event"] == "round-ended"]
    assert {name: set(each["lines"]) for name, each in settled.items()} == {
        "ann": {"ann"},
        "bob": {"bob"},
        "lee": {"ann", "bob"},
        None: set(),
    }
    assert all(set(each["moves"]) == set(each["spots"]) == set(each["lines"]) for each in settled.values())
    assert {name: each.get("owed", {}) for name, each in ended.items()} == {
        "ann": {"ann": 2000},
        "bob": {},
        "lee": {"ann": 2000},
        None: {},
    }
    for name, owed in (("ann", [2000, None]), ("bob", [None, 0]), ("lee", [2000, 0]), (None, [None, None])):
        view = house.get("/api/tables/t1", name).json()["view"]
        assert [each["owed"] for each in view["patrons"]] == owed


def test_the_names_of_the_staff_are_for_the_staff(house: House) -> None:
    house.seat()
    house.do("lee", "open-bets")
    for name in ("ann", None):
        assert "lee" not in json.dumps(house.get("/api/tables/t1/events", name).json())
    assert "lee" in json.dumps(house.get("/api/tables/t1/events", "lee").json())
    entries = house.get("/api/tables/t1/events", "ann").json()["entries"]
    own = next(each for each in entries if each.get("who") == "ann")
    assert own["event"]["patron"] == "ann"


def test_a_device_sees_what_the_public_sees(house: House) -> None:
    house.seat()
    assert house.get("/api/tables/t1/events", "shoe-1").json() == house.get("/api/tables/t1/events").json()
    view, seen = (house.get("/api/tables/t1", name).json()["view"] for name in (None, "shoe-1"))
    assert seen == view
    assert sentence(house.get("/api/tables/t1/desk", "shoe-1")) == "You hold no post at this table."


def test_a_rank_that_the_book_does_not_know_is_no_post_at_its_table(house: House) -> None:
    house.seat()
    house.accounts.hold("eve", "t1", "gaming-shift-manager")
    assert house.get("/api/tables/t1/events", "eve").json() == house.get("/api/tables/t1/events").json()
    assert house.get("/api/tables/t1/desk", "eve").status_code == 403


def test_staff_without_a_post_see_what_anybody_sees(house: House) -> None:
    house.seat()
    house.accounts.hold("eve", "t1", "pit-manager")
    house.do("eve", "open-bets")
    house.accounts.hold("eve", "t1", None)
    assert house.get("/api/tables/t1", "eve").json()["view"] == house.get("/api/tables/t1").json()["view"]


def test_snapshots_past_events_rounds_roads(house: House) -> None:
    house.seat()
    house.play()
    house.play()
    snapshot = house.get("/api/tables/t1", "ann").json()
    page = house.get("/api/tables/t1/events", "ann").json()
    assert page["replay"] is True
    assert page["last"] == snapshot["sequence"] == len(page["entries"])
    assert [each["sequence"] for each in page["entries"]] == list(range(1, page["last"] + 1))
    rest = house.get(f"/api/tables/t1/events?after={page['last'] - 2}", "ann").json()["entries"]
    assert rest == page["entries"][-2:]
    assert house.get(f"/api/tables/t1/events?after={page['last']}", "ann").json()["entries"] == []
    rounds = house.get("/api/tables/t1/rounds").json()
    assert [(each["number"], each["winner"], each["how"]) for each in rounds] == [
        (1, "player", "settled"),
        (2, "player", "settled"),
    ]
    assert (rounds[0]["player"], rounds[0]["banker"]) == (["9h", "Kd"], ["2c", "5s"])
    first, last = rounds[0]["first"], rounds[0]["last"]
    assert page["entries"][first - 1]["event"]["event"] == "bets-opened"
    assert page["entries"][last - 1]["event"]["event"] == "round-settled"
    assert house.get("/api/tables/t1/roads").json()
    [listed] = house.get("/api/tables").json()
    assert (listed["name"], listed["results"], listed["patrons"]) == ("t1", "PP", 2)


def test_a_round_that_came_to_nothing_is_among_those_that_are_over(house: House) -> None:
    house.seat()
    house.bets()
    house.do("lee", "close-bets")
    house.do("lee", "report", fact="foreign-card")
    house.play()
    rounds = house.get("/api/tables/t1/rounds").json()
    assert [(each["number"], each["how"], each["winner"]) for each in rounds] == [
        (1, "void", None),
        (2, "settled", "player"),
    ]


def test_a_long_chain_comes_in_pages(house: House) -> None:
    house.do("ann", "stand", patron="ann")
    for _ in range(510):
        house.do("ann", "buy-in", patron="ann", amount=100)
    told: list[int] = []
    while True:
        page = house.get(f"/api/tables/t1/events?after={len(told)}").json()
        assert len(page["entries"]) <= 500
        if not page["entries"]:
            break
        told += [each["sequence"] for each in page["entries"]]
    assert told == list(range(1, page["last"] + 1))
    assert len(told) > 510


def test_a_book_tells_its_terms_and_says_its_coups_in_the_language_asked_for(open_house: House) -> None:
    natural = open_house.get("/api/books/wu-song/terms").json()["Natural"]
    assert natural == {"clause": "1.12", "names": {}}
    told = {}
    for tag in ("en", "zh-Hant", "xx"):
        answer = open_house.client.get("/api/books/wu-song/bets", headers={"Accept-Language": tag})
        told[tag] = answer.json()["wu-song"]["pays"][0]["when"]
    assert told == {
        "en": "Player wins on 6 with three cards",
        "zh-Hant": "閒贏6 點（3 張牌）",  # noqa: RUF001  # Chinese has its own brackets
        "xx": "Player wins on 6 with three cards",
    }


def test_the_odds_of_a_book(open_house: House) -> None:
    found = open_house.get("/api/books/wu-song/odds").json()
    assert set(found) == set(open_house.get("/api/books/wu-song/bets").json())
    assert float(found["player"]["per_cent"]) > 0
    assert open_house.get("/api/books/wu-song/odds?decks=4").json() != found
    assert open_house.get("/api/books").json() == list(ids())


def test_questions_go_to_whom_they_are_for(house: House) -> None:
    house.seat()
    house.bets()
    house.do("lee", "close-bets")
    house.do("lee", "draw")
    house.do("lee", "expose", faces=["9h"])
    house.do("lee", "report", fact="other", note="A glass fell over.")
    top = load("wu-song").ranks[-1][-1]
    house.accounts.hold("eve", "t1", top)
    asked = {name: house.get("/api/tables/t1", name).json()["view"]["questions"] for name in ("ann", "lee", "eve")}
    assert [len(each) for each in asked.values()] == [0, 0, 1]
    question = asked["eve"][0]
    answer = {"do": "answer", "question": question["id"], "choice": "continue", "reason": "Nothing was seen."}
    assert house.ask("ann", answer).status_code == 409
    assert house.ask("lee", answer).status_code == 409
    assert house.ask("eve", answer).status_code == 200


def test_only_where_guests_are_welcome_they_come_in(house: House, tmp_path: Path) -> None:
    assert not house.get("/health").json().get("guests", False)
    assert house.client.post("/api/guest").status_code == 403
    (tmp_path / "open").mkdir()
    with begin(tmp_path / "open", guests=True) as client:
        assert client.get("/health").json()["guests"] is True
        came = client.post("/api/guest")
        who = client.get("/api/me", headers={"Authorization": f"Bearer {came.json()['token']}"}).json()
    assert who["kind"] == "patron"
    assert who["name"].startswith("guest-")
    assert who["posts"] == {}


# Headers, documents


@pytest.mark.parametrize("path", ["/api/tables", "/health", "/api/tables/none", "/api/nothing", "/api/me", "/metrics"])
def test_every_answer_carries_the_headers_of_the_house(open_house: House, path: str) -> None:
    answer = open_house.get(path)
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_figures_tell_what_became_of_commands_and_name_nobody(house: House) -> None:
    def figure(name: str) -> float:
        lines = house.get("/metrics").text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))

    house.do("ann", "sit", patron="ann", box=1)
    counted = 'punto_commands_total{became="accepted"}', 'punto_commands_total{became="refused"}', "punto_commits_total"
    before = [figure(each) for each in counted]
    assert house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 1000}).status_code == 200
    assert house.ask("ann", {"do": "cash-out", "patron": "ann", "amount": 10**12}).status_code == 409
    assert [figure(each) - was for each, was in zip(counted, before, strict=True)] == [1, 1, 1]
    said = house.get("/metrics").text
    path = 'path="/api/tables/{name}/commands"'
    assert f'punto_request_seconds_count{{method="POST",{path},status="409"}}' in said
    assert '"ann"' not in said
    assert "t1" not in said


def test_the_openapi_document_names_every_command_and_every_path(open_house: House) -> None:
    document = open_house.get("/api/schema/openapi.json").json()
    body = document["paths"]["/api/tables/{name}/commands"]["post"]["requestBody"]
    text = json.dumps(document)
    for tag in COMMANDS:
        assert f'"{tag}"' in text, tag
    assert json.dumps(body).count("$ref") + json.dumps(body).count('"do"') >= 1
    for path in ("/api/login", "/api/tables", "/api/tables/{name}/events", "/api/books/{book}/odds", "/health"):
        assert path in document["paths"]


def test_no_secret_is_in_any_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    link = house.accounts.link("pat")
    house.client.post("/api/login", json={"name": "pat", "password": SECRET})
    house.client.post("/api/link", json={"token": link})
    house.ask("ann", {"do": "open-bets"})
    for forged in _forged(house):
        house.client.get("/api/me", headers={"Authorization": f"Bearer {forged}"})
    said = " ".join(f"{each.getMessage()} {each.__dict__}" for each in caplog.records if each.name != "httpcore")
    for secret in (SECRET, link, *house.tokens.values()):
        assert secret not in said


def test_what_goes_wrong_inside_is_a_sentence_without_details(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> list[str]:
        raise ValueError("a detail that is nobody's business")

    monkeypatch.setattr(house.client.app.state.casino.floor, "names", broken)
    answer = house.get("/api/tables")
    assert answer.status_code == 500
    assert "nobody's business" not in answer.text


# Sockets


def receive(socket: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(socket.receive_text(timeout=PATIENCE))
    return found


def until(socket: Any, asked: Callable[[dict[str, Any]], bool]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The first message that is what was asked for, and those before it."""
    before = []
    while not asked(found := receive(socket)):
        before.append(found)
    return found, before


def stand_up(socket: Any, start: int) -> None:
    """A good command, whatever came before it."""
    key = uuid4().hex
    socket.send_text(json.dumps({"key": key, "command": {"do": "stand", "patron": "ann"}}))
    assert until(socket, lambda each: each.get("key") == key)[0]["first"] == start + 1


def test_commands_and_events_on_a_socket(house: House) -> None:
    start = house.sequence()
    with house.client.websocket_connect(f"/api/tables/t1/stream?after={start}", headers=house.as_("ann")) as socket:
        socket.send_text(json.dumps({"key": "k1", "command": {"do": "stand", "patron": "ann"}}))
        both = [receive(socket), receive(socket)]
        [answer] = [each for each in both if "key" in each]
        [told] = [each for each in both if "event" in each]
        assert answer == {"key": "k1", "first": start + 1, "last": start + 1, "repeated": False}
        assert (told["sequence"], told["who"], told["event"]["event"]) == (start + 1, "ann", "patron-stood")
        socket.send_text(json.dumps({"key": "k1", "command": {"do": "stand", "patron": "ann"}}))
        assert receive(socket) == {**answer, "repeated": True}
        socket.send_text(json.dumps({"key": "k2", "command": {"do": "open-bets"}}))
        refused = receive(socket)
        assert (refused["key"], refused["kind"], refused["clauses"]) == ("k2", "Refused", ["3.3"])
    assert house.sequence() == start + 1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", "DecodeError"),
        ("nonsense", "DecodeError"),
        ("{}", "ValidationError"),
        ("[1]", "ValidationError"),
        ('{"key":"k","command":"x"}', "Refused"),
        ('{"key":"k","command":{"do":"rob"}}', "Refused"),
        ('{"key":"k","command":{"do":"open-bets"},"more":1}', "ValidationError"),
        ('{"key":"","command":{"do":"open-bets"}}', "ValidationError"),
        ('{"key":"k","command":{"do":"stand","patron":"ann","x":1}}', "Refused"),
        ('{"key":"k","command":' + "[" * 2000 + "}", "RecursionError"),
        ('{"key":"k","command":"' + "x" * 70_000 + '"}', "TooMany"),
    ],
)
def test_garbage_on_a_socket_is_answered_and_the_socket_lives(open_house: House, said: str, kind: str) -> None:
    start = open_house.sequence()
    with open_house.client.websocket_connect(
        f"/api/tables/t1/stream?after={start}", headers=open_house.as_("ann")
    ) as socket:
        socket.send_text(said)
        answer = receive(socket)
        assert answer["kind"] in kind.split("|")
        assert answer["refused"]
        stand_up(socket, start)


def test_bytes_on_a_socket_are_no_text_but_do_no_harm(open_house: House) -> None:
    start = open_house.sequence()
    with open_house.client.websocket_connect(
        f"/api/tables/t1/stream?after={start}", headers=open_house.as_("ann")
    ) as socket:
        socket.send_bytes(b"\xff\x00")
        assert receive(socket)["kind"] == "DecodeError"
        stand_up(socket, start)


@pytest.mark.parametrize(
    ("path", "head", "code"),
    [
        ("/api/tables/t1/stream", {"Origin": "https://evil.example"}, 4403),
        ("/api/tables/t1/stream", {"Origin": "null"}, 4403),
        ("/api/tables/none/stream", {}, 4404),
        (f"/api/tables/{HOUSE}/stream", {}, 4404),
        ("/api/tables/t1/stream", {"Authorization": "Bearer forged"}, 4401),
    ],
)
def test_a_socket_that_is_turned_away(open_house: House, path: str, head: dict[str, str], code: int) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        open_house.client.websocket_connect(path, headers=open_house.as_("ann") | head) as socket,
    ):
        socket.receive_text(timeout=PATIENCE)
    assert closed.value.code == code


def test_a_socket_of_our_own_page_and_of_a_named_one(tmp_path: Path) -> None:
    with begin(tmp_path, origins=("https://screens.example",)) as client:
        house = House(client)
        assert house.ask("lee", OPEN).status_code == 200
        for origin in ("http://testserver.local", "https://screens.example"):
            head = {"Origin": origin}
            with client.websocket_connect("/api/tables/t1/stream", headers=head) as socket:
                assert receive(socket)["sequence"] == 1


def test_whoever_is_not_logged_in_follows_and_does_not_act(house: House) -> None:
    with house.client.websocket_connect("/api/tables/t1/stream?after=1") as socket:
        assert receive(socket)["sequence"] == 2
        socket.send_text(json.dumps({"key": "k", "command": {"do": "open-bets"}}))
        answer, _ = until(socket, lambda each: each.get("key") == "k")
        assert (answer["kind"], answer["refused"]) == ("Denied", "Log in first.")


def test_a_session_that_is_revoked_does_not_act_on_its_open_socket(house: House) -> None:
    start = house.sequence()
    with house.client.websocket_connect(f"/api/tables/t1/stream?after={start - 1}", headers=house.as_("ann")) as socket:
        assert receive(socket)["sequence"] == start
        house.accounts.revoke("ann")
        socket.send_text(json.dumps({"key": "k", "command": {"do": "stand", "patron": "ann"}}))
        answer = receive(socket)
        assert (answer["kind"], answer["refused"]) == ("Denied", "The token is not good any more.")
    assert house.sequence() == start


def test_a_session_that_is_revoked_follows_no_longer(house: House) -> None:
    with house.client.websocket_connect("/api/tables/t1/stream?after=0", headers=house.as_("lee")) as socket:
        start = house.sequence()
        until(socket, lambda each: each["sequence"] == start)
        house.accounts.revoke("lee")
        with pytest.raises(WebSocketDisconnect) as closed:
            _follow_on(house, socket)
    assert closed.value.code == 4401


def _follow_on(house: House, socket: Any) -> None:
    """Let something happen, and hear of it, for as long as one is told."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        house.do("ann", "stand", patron="ann")
        socket.receive_text(timeout=PATIENCE)


def test_purses_on_a_socket(house: House) -> None:
    house.seat()
    last = house.sequence()
    for name, seen in (("ann", 1), ("lee", 2), (None, 0)):
        with house.client.websocket_connect("/api/tables/t1/stream", headers=house.as_(name)) as socket:
            told = [receive(socket)["event"]["event"] for _ in range(last)]
        assert told.count("bought-in") == seen
        assert told.count("private") == 2 - seen


def test_who_comes_back_misses_nothing_and_gets_nothing_twice(house: House) -> None:
    told: list[int] = []
    after = 0
    house.seat()
    for number in range(6):
        with house.client.websocket_connect(f"/api/tables/t1/stream?after={after}", headers=house.as_("bob")) as socket:
            house.do("ann", "buy-in", patron="ann", amount=100 * (number + 1))
            for _ in range(2 + number % 3):
                if after == house.sequence():
                    break
                after = receive(socket)["sequence"]
                told.append(after)
        house.do("bob", "buy-in", patron="bob", amount=100)
    last = house.sequence()
    with house.client.websocket_connect(f"/api/tables/t1/stream?after={after}", headers=house.as_("bob")) as socket:
        while after < last:
            after = receive(socket)["sequence"]
            told.append(after)
    assert told == list(range(1, last + 1))


def test_socket_messages_are_rated_too(tmp_path: Path) -> None:
    with begin(tmp_path, rate=0.001, burst=4) as client:
        house = House(client)
        assert house.ask("lee", OPEN).status_code == 200
        for head in (house.as_("ann"), {}):
            with client.websocket_connect("/api/tables/t1/stream?after=1", headers=head) as socket:
                for _ in range(6):
                    socket.send_text("nonsense")
                kinds = [receive(socket)["kind"] for _ in range(6)]
            assert kinds == ["DecodeError"] * 4 + ["TooMany"] * 2


# Everything together


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    with begin(tmp_path) as client:
        house = House(client)
        assert house.ask("lee", OPEN).status_code == 200
        house.do("lee", "load-shoe")
        house.seat()
        house.play()
        before = house.get("/api/tables/t1", "ann").json()
        tokens = house.tokens
        first = house.ask("ann", {"do": "buy-in", "patron": "ann", "amount": 100}, key="kept").json()
    with begin(tmp_path) as client:
        ann = {"Authorization": f"Bearer {tokens['ann']}"}
        after = client.get("/api/tables/t1", headers=ann).json()
        assert after["sequence"] == before["sequence"] + 1
        assert after["view"]["results"] == before["view"]["results"]
        again = client.post(
            "/api/tables/t1/commands",
            headers=ann | {"Idempotency-Key": "kept"},
            json={"do": "buy-in", "patron": "ann", "amount": 100},
        )
        assert again.json() == {**first, "repeated": True}


def test_a_read_shoe_beside_the_api(tmp_path: Path) -> None:
    with begin(tmp_path, feed_port=0) as client:
        house = House(client)
        opening = {**OPEN, "shoe": "read", "auto": ["announce", "settle"]}
        assert house.ask("lee", opening).status_code == 200
        house.do("lee", "load-shoe")
        house.seat()
        house.bets()
        house.do("lee", "close-bets")
        port, token = client.app.state.feed.port, house.accounts.device_token("shoe-1")

        async def deal() -> str:
            device = Device(lambda: asyncio.open_connection("127.0.0.1", port), "t1", token)
            await device.log_in()
            for face in ("9h", "2c", "Kd", "5s"):
                answer = await device.say("CARD", face)
            await device.close()
            return answer

        assert asyncio.run(deal()) == "OK 1.4"
        [round] = house.get("/api/tables/t1/rounds").json()
        assert (round["winner"], round["player"], round["banker"]) == ("player", ["9h", "Kd"], ["2c", "5s"])
