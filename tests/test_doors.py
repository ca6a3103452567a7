"""What is malformed, too much or too long stays outside, and harms nobody inside."""

import asyncio
import io
import json
import logging
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from databases import fresh
from patient_settings import settings
from punto.journal import Append, Appended, Journal, Unfit
from punto.rulebook import Refused
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.http.app import build
from punto.service.run import FewOfAKind, JsonLines
from punto.service.runtime.committer import Committer
from punto.table import commands
from service_process import HOST, PATIENCE, People, Service, bearer, database, opening, until
from service_room import Room, quick
from warm_start import warm_starts

RANK = "table-game-shift-manager"
BAD_KEYS = ["a\x00", "\x00", "a\n", "\n", "a\tb", "\x7f", "é", "a\u2028b", " a", "a "]


class Doors:
    """A service with a table `t`, somebody of the staff and a patron."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client
        self.accounts: Accounts = client.app.state.casino.accounts
        lee = self.accounts.make("lee", "staff", posts={"*": HeldPost(RANK)}, person="lee")
        ann = self.accounts.make("ann", "patron", person="ann")
        self.lee, self.ann = bearer(self.accounts.token(lee)), bearer(self.accounts.token(ann))

    def do(self, who: dict[str, str], command: Mapping[str, object], table: str = "t") -> httpx.Response:
        return self.client.post(f"/api/tables/{table}/commands", headers=who, json=command)


def begin(folder: Path, **given: object) -> TestClient[Litestar]:
    more = {"rate": 10_000, "burst": 10_000, "money": "play", **given}
    return TestClient(
        build(settings(None, {}, database=f"sqlite:///{folder}/p.db", key_file=str(folder / "p.key"), **more))
    )


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    with begin(tmp_path) as client:
        made = Doors(client)
        assert made.do(made.lee, opening("wu-song")).status_code == 200
        yield made


def receive(line: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line.receive_text(timeout=PATIENCE))
    return found


# Keys


@pytest.mark.parametrize("key", [b"a\tb", b"\x7f", b"\xe9", b"a\xff"])
def test_a_key_that_is_not_printable_is_refused_in_a_header(doors: Doors, key: bytes) -> None:
    raw = [*((name.encode(), value.encode()) for name, value in doors.ann.items()), (b"idempotency-key", key)]
    answer = doors.client.post("/api/tables/t/commands", headers=raw, json={"do": "stand", "patron": "ann"})
    assert answer.status_code == 400
    assert answer.json()["refused"]


def test_a_key_that_is_not_printable_is_refused_on_a_socket(doors: Doors) -> None:
    with doors.client.websocket_connect("/api/tables/t/stream?after=1", headers=doors.ann) as line:
        for key in BAD_KEYS:
            line.send_text(json.dumps({"key": key, "command": {"do": "stand", "patron": "ann"}}))
            answer = receive(line)
            assert (answer["key"], answer["kind"]) == (None, "ValidationError"), key
        line.send_text(json.dumps({"key": "a good one", "command": {"do": "stand", "patron": "ann"}}))
        assert {"a good one", None} == {receive(line).get("key"), receive(line).get("key")}


def _given(table: str, key: str) -> Append:
    return Append(table, 0, key, "ann", "2026-11-15T08:00:00.000Z", (b"{}",))


@pytest.mark.parametrize(("kind", "bad"), [("sqlite", "\ud800"), ("postgresql", "\ud800"), ("postgresql", "a\x00")])
def test_what_the_store_cannot_keep_harms_nobody_who_came_with_it(kind: str, bad: str, tmp_path: Path) -> None:
    journal = Journal(fresh(kind, tmp_path))
    journal.upgrade()

    async def story() -> list[Any]:
        committer = Committer(journal)
        given = [_given("t1", "k1"), _given("t2", bad), _given("t3", "k3")]
        waiting = [asyncio.get_running_loop().create_future() for _ in given]
        await asyncio.to_thread(committer._commit, list(zip(given, waiting, strict=True)))
        found = await asyncio.gather(*waiting, return_exceptions=True)
        await committer.stop()
        return found

    first, second, third = asyncio.run(story())
    assert isinstance(first, Appended)
    assert isinstance(second, Unfit)
    assert isinstance(third, Appended)
    assert set(journal.tables()) == {"t1", "t3"}
    journal.close()


def test_what_the_store_cannot_keep_is_refused_and_not_to_be_sent_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with Room(quick(fresh("postgresql", tmp_path), tmp_path)) as room:
            await room.open("t", "wu-song", shoe="hand")
            with pytest.raises(Refused, match="cannot keep"):
                await room.floor.submit("t", commands.LoadShoe(), who="a\x00", key="k")
            await room.do("t", commands.LoadShoe())

    asyncio.run(story())


# Names


@pytest.mark.parametrize("name", ["zz%0A", "zz%00", "zz%0a%0a", "%0Azz", "zz%20"])
def test_a_name_of_a_table_ends_where_it_ends(doors: Doors, name: str) -> None:
    answer = doors.do(doors.lee, opening("wu-song"), name)
    assert answer.status_code in (400, 404), answer.text
    assert doors.client.get(f"/api/tables/{name}").status_code in (400, 404)
    assert [each["name"] for each in doors.client.get("/api/tables").json()] == ["t"]


# Sockets


def test_a_post_that_is_lost_is_lost_on_an_open_socket(doors: Doors) -> None:
    for command in ({"do": "sit", "patron": "ann", "box": 1}, {"do": "buy-in", "patron": "ann", "amount": 1000}):
        assert doors.do(doors.ann, command).status_code == 200
    with doors.client.websocket_connect("/api/tables/t/stream?after=2", headers=doors.lee) as line:
        assert receive(line)["event"]["event"] == "bought-in"
        doors.accounts.hold("lee", "*", None)
        end = time.monotonic() + PATIENCE
        told = {"event": "bought-in"}
        while told["event"] == "bought-in" and time.monotonic() < end:  # until the socket's post is looked up again
            assert doors.do(doors.ann, {"do": "buy-in", "patron": "ann", "amount": 1000}).status_code == 200
            told = receive(line)["event"]
        assert told == {"event": "private"}


def test_a_socket_of_a_session_that_is_over_is_closed_where_nothing_happens(doors: Doors) -> None:
    with doors.client.websocket_connect("/api/tables/t/stream", headers=doors.ann) as line:
        assert receive(line)["sequence"] == 1
        doors.accounts.revoke("ann")
        with pytest.raises(WebSocketDisconnect) as closed:
            line.receive_text(timeout=PATIENCE)
        assert closed.value.code == 4401


def test_what_goes_wrong_on_a_socket_is_logged(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a detail that is nobody's business")

    monkeypatch.setattr("punto.service.http.stream.message_for", broken)
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        doors.client.websocket_connect("/api/tables/t/stream", headers=doors.ann) as line,
    ):
        line.receive_text(timeout=PATIENCE)
    assert (closed.value.code, closed.value.detail) == (4500, "Something went wrong here.")
    assert [each.__dict__["table"] for each in caplog.records if each.getMessage() == "failed"] == ["t"]


def test_nobody_has_more_sockets_than_the_house_allows(tmp_path: Path) -> None:
    with begin(tmp_path, sockets=2) as client:
        doors = Doors(client)
        assert doors.do(doors.lee, opening("wu-song")).status_code == 200
        for head in (doors.ann, {}):
            with (
                client.websocket_connect("/api/tables/t/stream", headers=head) as one,
                client.websocket_connect("/api/tables/t/stream", headers=head) as two,
            ):
                assert (receive(one)["sequence"], receive(two)["sequence"]) == (1, 1)
                with (
                    pytest.raises(WebSocketDisconnect) as closed,
                    client.websocket_connect("/api/tables/t/stream", headers=head) as three,
                ):
                    three.receive_text(timeout=PATIENCE)
                assert closed.value.code == 4429
            until(partial(tells_again, client, head), "a socket that was closed to be free")


def tells_again(client: TestClient[Litestar], head: dict[str, str]) -> bool:
    """Whether there is room for one more socket: the house needs a moment to hear that one was closed."""
    try:
        with client.websocket_connect("/api/tables/t/stream", headers=head) as again:
            return bool(receive(again)["sequence"] == 1)
    except WebSocketDisconnect:
        return False


# How often one may ask


def test_reading_and_opening_sockets_is_rated_by_address(tmp_path: Path) -> None:
    with begin(tmp_path, read_rate=0.001, read_burst=5) as client:
        doors = Doors(client)
        assert [client.get("/api/tables").status_code for _ in range(6)] == [200] * 5 + [429]
        assert client.post("/api/drills/payout", json={}).status_code == 429
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect("/api/tables/t/stream", headers=doors.ann) as line,
        ):
            line.receive_text(timeout=PATIENCE)
        assert closed.value.code == 4429
        assert client.get("/health").status_code == 200
        assert doors.do(doors.lee, opening("wu-song")).status_code == 200


def test_past_rounds_are_read_once(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    floor = doors.client.app.state.casino.floor
    told = floor._told  # others read the journal too, whenever they look at what is new

    def counted(table: str, after: int, most: int) -> Any:
        found = told(table, after, most)
        read.append(len(found))
        return found

    for command in (
        {"do": "load-shoe"},
        {"do": "open-bets"},
        {"do": "close-bets"},
        {"do": "report", "fact": "foreign-card"},
    ):
        assert doors.do(doors.lee, command).status_code == 200
    monkeypatch.setattr(floor, "_told", counted)
    floor._tables["t"].last.clear()  # as if it had happened long ago
    assert doors.client.get("/api/tables/t/rounds").json()[0]["replay"] is True
    assert 0 < sum(read) <= len(floor.journal.read("t")), "nothing is read twice"
    read.clear()
    [first] = doors.client.get("/api/tables/t/rounds").json()
    assert (first["how"], read) == ("void", [])
    assert doors.do(doors.ann, {"do": "stand", "patron": "ann"}).status_code == 200
    assert doors.client.get("/api/tables/t/rounds").json() == [first]
    assert read == []


# What nobody foresaw


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/t/rounds/999999999999999999999999999999",
        "/api/tables/t/rounds/" + "9" * 5000,
        "/api/tables/t/rounds/-1",
        "/static/a%00.js",
        "/static/%00",
        "/static/" + "a" * 300 + ".js",
        "/static/a/../../../secret.js",
        "/api/books/%00/bets",
        "/api/tables/t%00/events",
    ],
)
def test_odd_paths_are_refused(doors: Doors, path: str) -> None:
    answer = doors.client.get(path)
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["refused"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_what_nobody_foresaw_is_a_sentence_with_our_headers_and_is_logged(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> list[str]:
        raise KeyError("a detail that is nobody's business")

    monkeypatch.setattr(doors.client.app.state.casino.floor, "names", broken)
    answer = doors.client.get("/api/tables")
    assert answer.status_code == 500
    says = "Something went wrong here; nothing was changed."
    assert answer.json() == {"refused": says, "clauses": [], "message": {"id": "went-wrong"}}
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    [said] = [each for each in caplog.records if each.getMessage() == "failed"]
    assert said.__dict__["path"] == "/api/tables"
    assert said.exc_info is not None


# Cookies


@pytest.mark.parametrize(
    ("given", "secure"),
    [
        ({}, False),
        ({"certificate": "house.pem"}, True),
        ({"certificate": "house.pem", "secure_cookies": False}, False),
        ({"secure_cookies": True}, True),
    ],
)
def test_cookies_are_for_tls_alone_where_there_is_a_certificate(
    given: dict[str, object], secure: bool, tmp_path: Path
) -> None:
    with begin(tmp_path, **given) as client:
        client.app.state.casino.accounts.make("pat", "patron", "correct horse")
        answer = client.post("/api/login", json={"name": "pat", "password": "correct horse"})
        assert ("secure" in answer.headers["set-cookie"].lower()) is secure


# The process itself


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, str]]:
    """The real service at its most talkative, and the token of a patron."""
    with database("sqlite") as store:
        people = People(store.url)
        lee, ann = people.staff("lee", RANK), people.patron("ann")
        people.close()
        folder = tmp_path_factory.mktemp("doors")
        with Service(folder, store.url, warm_starts(), log_level="debug", rate=0.01, burst=30) as service:
            service.start()
            path = f"{service.address}/api/tables/t/commands"
            assert httpx.post(path, json=opening("wu-song"), headers=bearer(lee), timeout=600).status_code == 200
            yield service, ann


def test_no_token_is_in_the_log_however_much_is_written(house: tuple[Service, str]) -> None:
    service, ann = house
    address = f"{service.address.replace('http', 'ws', 1)}/api/tables/t/stream"
    for head in (bearer(ann), {"Cookie": f"punto={ann}"}):
        with connect(address, additional_headers=head, open_timeout=600) as line:
            assert json.loads(line.recv(timeout=PATIENCE))["sequence"] == 1
        assert httpx.get(f"{service.address}/api/me", headers=head, timeout=600).status_code == 200
    said = service.said()
    assert said
    assert ann not in said
    assert ann.partition(".")[2] not in said


def test_a_message_that_is_no_text_ends_the_socket_and_is_no_fault_of_the_service(house: tuple[Service, str]) -> None:
    service, _ = house
    address = f"{service.address.replace('http', 'ws', 1)}/api/tables/t/stream"
    for _ in range(20):
        with connect(address, open_timeout=600) as line:
            line.send(b"\xff\xfe", text=True)
            with suppress(ConnectionClosed):
                while True:
                    line.recv(timeout=PATIENCE)
            assert line.close_code == 1007
    assert '"what": "failed"' not in service.said()


def test_whoever_makes_the_service_log_fills_no_disk() -> None:
    """A line that says the same is written a few hundred times, and then now and then with how many were left out."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    handler.addFilter(FewOfAKind())
    for number in range(10_000):
        for what in ("Invalid HTTP request received.", "a device was turned away"):
            handler.handle(logging.LogRecord("x", logging.WARNING, "", 0, what, (), None))
        if number == 9_000:
            handler.handle(logging.LogRecord("x", logging.ERROR, "", 0, "commit failed", (), None))
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert sum(line["what"] == "commit failed" for line in lines) == 1
    before = len(lines)
    for number in range(10_000):
        what = f"Exception in callback <Something object at {number:#x}>, the {number}th"
        handler.handle(logging.LogRecord("x", logging.ERROR, "", 0, what, (), None))
    assert len(written.getvalue().splitlines()) < before + 9_000, "an address in memory makes it no other line"
    for what in ("Invalid HTTP request received.", "a device was turned away"):
        said = [line for line in lines if line["what"] == what]
        assert 500 <= len(said) < 9_000
        assert len(said) + sum(line.get("left_out", 0) for line in said) <= 10_000


def test_nobody_says_themself_where_they_come_from(house: tuple[Service, str]) -> None:
    service, _ = house
    with httpx.Client(base_url=service.address, timeout=600) as client:
        said = [
            client.post("/api/link", json={"token": "x"}, headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code
            for number in range(5)
        ]
    assert said == [403, 403, 403, 429, 429]


def test_a_proxy_that_is_trusted_says_where_they_come_from(tmp_path: Path) -> None:
    with (
        database("sqlite") as store,
        Service(tmp_path, store.url, warm_starts(), rate=0.01, burst=10, trusted_proxies="127.0.0.1, ::1") as service,
    ):
        service.start()
        with httpx.Client(base_url=service.address, timeout=600) as client:
            said = [
                client.post("/api/link", json={"token": "x"}, headers={"X-Forwarded-For": address}).status_code
                for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.9, 10.0.0.2")
            ]
        assert said == [403, 403, 429, 429]


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 10_000_000,
        b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Many: abcdefghij\r\n" * 500_000,
        b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Many: abcdefghij\r\n" * 5_000 + b"\r\n",
        b"GET /" + b"a" * 10_000_000,
        b"POST /api/logout HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " + b"a" * 10_000_000,
    ],
    ids=["one", "many", "complete", "address", "after"],
)
def test_a_head_does_not_go_on_for_ever(house: tuple[Service, str], sent: bytes) -> None:
    service, _ = house
    with socket.create_connection((HOST, service.port), timeout=PATIENCE) as line:
        answer = b""
        with suppress(ConnectionError):
            line.sendall(sent)
        with suppress(ConnectionError):
            while part := line.recv(65536):  # it ends, because the service closes
                answer += part
    assert answer == b"" or answer.split()[1] in (b"431", b"204"), answer
    assert httpx.get(f"{service.address}/health", timeout=600).status_code == 200


def test_a_long_head_and_a_long_body_are_taken(house: tuple[Service, str]) -> None:
    service, ann = house
    with httpx.Client(base_url=service.address, headers={"X-Long": "a" * 60_000}, timeout=600) as client:
        assert client.get("/health").status_code == 200
        body = {"name": "a" * 100, "password": "b" * 200}
        assert client.post("/api/login", json=body).status_code in (403, 429)
        long = client.post("/api/tables/t/commands", content=b" " * 60_000 + b"{}", headers=bearer(ann))
        assert long.status_code == 400
        assert client.get("/health").status_code == 200
