"""The journal cannot be flooded: texts are short and few, pages of events are bounded."""

import asyncio
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from bulk import append_history
from patient_settings import settings
from punto.journal import Journal
from punto.service.hourly import HourlyLimit
from punto.service.http.app import build
from punto.service.http.casino import RequestLimits
from punto.service.http.entries import LONGEST_PAGE
from punto.service.limits import RateLimit, TooMany
from punto.service.runtime.live import KEPT, told
from punto.service.store_calls import StoreCalls
from service_process import PATIENCE, bearer, opening

RANK = "table-game-shift-manager"


class House:
    """A house with a table, somebody of the staff and a patron."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.journal: Journal = client.app.state.casino.floor.journal
        accounts = client.app.state.casino.accounts
        self.lee = accounts.token(accounts.make("lee", "staff", person="lee"))
        accounts.hold("lee", "*", RANK)
        self.ann = accounts.token(accounts.make("ann", "patron", person="ann"))
        assert self.say(self.lee, **dict[str, Any](opening("wu-song"))).status_code == 200
        assert self.say(self.ann, do="sit", patron="ann", box=1).status_code == 200

    def say(self, token: str, key: str | None = None, **command: Any) -> httpx.Response:
        head = {**bearer(token), **({} if key is None else {"Idempotency-Key": key})}
        return self.client.post("/api/tables/t/commands", json=command, headers=head)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    fast = {"rate": 1e4, "burst": 10**4, "texts_an_hour": 5, "money": "play"}
    given = settings(None, {}, database=f"sqlite:///{tmp_path}/f.db", key_file=f"{tmp_path}/f.key", **fast)
    with TestClient(build(given)) as client:
        yield House(client)


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({"do": "raise-dispute", "patron": "ann", "says": "x" * 2001}, "says"),
        ({"do": "report", "fact": "other", "note": "x" * 501}, "note"),
        ({"do": "report", "fact": "x" * 101}, "fact"),
        ({"do": "answer", "question": 1, "choice": "x", "reason": "x" * 501}, "reason"),
        ({"do": "answer", "question": 1, "choice": "x", "wagers": ["x" * 101]}, "wagers"),
        ({"do": "answer", "question": 1, "choice": "x", "patrons": ["x"] * 501}, "patrons"),
        ({"do": "answer", "question": 1, "choice": "x", "count": {"x" * 101: 1}}, "count"),
        ({"do": "answer", "question": 1, "choice": "x", "remedies": [{"do": "x" * 101}]}, "remedies"),
        ({"do": "complain", "patron": "ann", "about": "x" * 201}, "about"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_text_that_is_too_long_is_refused_on_every_way_in(house: House, command: dict[str, Any], field: str) -> None:
    before = house.client.get("/api/tables/t").json()["sequence"]
    refused = house.say(house.lee, **command)
    assert refused.status_code == 409, refused.text
    assert refused.json()["message"]["args"]["field"] == field
    with house.client.websocket_connect("/api/tables/t/stream?after=10000", headers=bearer(house.lee)) as line:
        line.send_json({"key": "k", "command": command})
        assert line.receive_json()["message"] == refused.json()["message"]
    assert house.client.get("/api/tables/t").json()["sequence"] == before


def dispute(says: str) -> dict[str, Any]:
    return {"do": "raise-dispute", "patron": "ann", "says": says}


def test_a_patron_brings_so_many_disputes_an_hour_and_plays_on(house: House) -> None:
    mine = dispute("That was mine.")
    first = house.say(house.ann, key="k0", **mine)
    assert first.status_code == 200, first.text
    assert all(house.say(house.ann, key="k0", **mine).json()["repeated"] for _ in range(9)), "it counts once"
    said = [house.say(house.ann, **mine).status_code for _ in range(6)]
    assert said == [200] * 4 + [429] * 2
    assert house.say(house.ann, do="buy-in", patron="ann", amount=1000).status_code == 200


def test_disputes_that_come_all_at_once_are_as_many_as_one_after_the_other(house: House) -> None:
    with ThreadPoolExecutor(30) as many:
        codes = list(many.map(lambda _: house.say(house.ann, **dispute("That was mine.")).status_code, range(30)))
    assert sorted(codes) == [200] * 5 + [429] * 25
    assert house.say(house.ann, **dispute("That, too.")).status_code == 429


def test_what_is_refused_counts_for_nothing(house: House) -> None:
    assert house.say(house.lee, do="close-table").status_code == 200
    assert {house.say(house.ann, **dispute("That was mine.")).status_code for _ in range(8)} == {409}


def test_the_staff_write_ten_times_as_much_and_not_without_end(house: House) -> None:
    codes = [house.say(house.lee, **dispute("x")).status_code for _ in range(60)]
    assert codes[:50] == [200] * 50
    assert 429 in codes[50:]


def test_a_page_of_events_is_bounded_in_bytes_and_the_next_one_goes_on(house: House) -> None:
    accounts = house.client.app.state.casino.accounts
    for number in range(4):
        token = accounts.token(accounts.make(f"lee-{number}", "staff", person=f"lee-{number}"))
        accounts.hold(f"lee-{number}", "*", RANK)
        for _ in range(50):
            assert house.say(token, **dispute("ü" * 2000)).status_code == 200
    whole, after = house.client.app.state.casino.floor.journal.tables()["t"], 0
    pages: list[list[int]] = []
    while after < whole:
        found = house.client.get(f"/api/tables/t/events?after={after}", headers=bearer(house.lee))
        assert len(found.content) < LONGEST_PAGE + 50_000
        pages.append([each["sequence"] for each in found.json()["entries"]])
        after = pages[-1][-1]
    assert len(pages) > 1
    assert [each for page in pages for each in page] == list(range(1, whole + 1))


def test_one_address_makes_so_many_guests_and_no_more(tmp_path: Path) -> None:
    fast = {"rate": 1e4, "burst": 10**4, "guests": True}
    given = settings(None, {}, database=f"sqlite:///{tmp_path}/g.db", key_file=f"{tmp_path}/g.key", **fast)
    with TestClient(build(given)) as client:
        codes = [client.post("/api/guest").status_code for _ in range(205)]
    assert codes[:200] == [200] * 200
    assert 429 in codes[200:]


BODIES: dict[str, dict[str, Any]] = {
    "/api/login": {"name": "ann", "password": "wrong"},
    "/api/link": {"token": "x"},
    "/api/tables/t/commands": {"do": "draw"},
    "/api/tables/t/foresee": {"do": "report", "fact": "other"},
    "/api/tables/t/requests": {"do": "cash-out"},
    "/api/tables/t/requests/0123456789abcdef": {"confirm": False},
    "/api/drills/payout": {"seed": 1, "book": "wu-song", "answers": {}},
    "/api/drills/irregularity": {"seed": 1, "book": "wu-song", "answer": "void"},
}
"""What is sent where something is to be sent."""

IN_A_PATH = {"name": "t", "book": "wu-song", "session": "0123456789abcdef", "number": "0123456789abcdef"}


def test_whatever_is_asked_too_often_is_refused_on_every_route(tmp_path: Path) -> None:
    slow = {"rate": 0.001, "burst": 2, "read_rate": 0.001, "read_burst": 1, "guests": True}
    given = settings(None, {}, database=f"sqlite:///{tmp_path}/f.db", key_file=f"{tmp_path}/f.key", **slow)
    with TestClient(build(given)) as client:
        house = House(client)
        client.get("/api/books")
        assert client.get("/api/books", headers=bearer(house.lee)).status_code == 200, "the staff count by themselves"
        client.post("/api/guest")
        house.say(house.lee, do="draw")
        asked, free = set(), set()
        for route in client.app.routes:
            for method in sorted(route.methods if isinstance(route, HTTPRoute) else ()):
                parts = [IN_A_PATH.get(each.partition(":")[0], "1") for each in re.findall(r"{(.*?)}", route.path)]
                path = re.sub(r"{.*?}", "%s", route.path) % tuple(parts)
                answer = client.request(method, path, headers=bearer(house.lee), json=BODIES.get(path))
                asked.add((method, path))
                if answer.status_code != 429:
                    free.add((method, path, answer.status_code))
    assert len(asked) > 40
    assert {path for _, path, _ in free} == {"/health"}, free


def test_a_guest_who_reads_without_end_keeps_nobody_of_the_staff_from_reading(tmp_path: Path) -> None:
    """They share an address, as behind one router. Each of the staff is counted for what they read, by themself."""
    slow = {"read_rate": 0.001, "read_burst": 20}
    given = settings(None, {}, database=f"sqlite:///{tmp_path}/f.db", key_file=f"{tmp_path}/f.key", **slow)
    with TestClient(build(given)) as client:
        house = House(client)
        said = [client.get("/api/tables/t", headers=bearer(house.ann)).status_code for _ in range(40)]
        assert said == [200] * 20 + [429] * 20
        for head in ({}, bearer("x.y"), bearer(house.ann)):
            assert client.get("/api/tables/t", headers=head).status_code == 429
        assert client.get("/api/tables/t", headers=bearer(house.lee)).status_code == 200
        with client.websocket_connect("/api/tables/t/screen", headers=bearer(house.lee)) as line:
            assert line.receive_json()["whole"]
        pages = [client.get("/api/tables/t/events", headers=bearer(house.lee)).status_code for _ in range(30)]
        assert pages[0] == 200
        assert pages[-1] == 429, "what the past takes is counted for them, too"
        assert pages.count(200) < 18


def test_whoever_has_no_session_is_counted_where_accounts_are(tmp_path: Path) -> None:
    """On routes that count by account a stranger has none: without a token, or with one that is not good."""
    slow = {"rate": 0.001, "burst": 2, "read_rate": 0.001, "read_burst": 10}
    given = settings(None, {}, database=f"sqlite:///{tmp_path}/f.db", key_file=f"{tmp_path}/f.key", **slow)
    with TestClient(build(given)) as client:
        house = House(client)
        client.app.state.casino.accounts.revoke("ann")
        heads: tuple[dict[str, str], ...] = ({}, bearer("x.y"), bearer(house.ann), {"Cookie": "punto=x"})
        for path in ("commands", "pass", "requests", "requests/0123456789abcdef", "foresee"):
            body = BODIES.get(f"/api/tables/t/{path}", {"confirm": True})
            said = [client.post(f"/api/tables/t/{path}", json=body, headers=head).status_code for head in heads * 4]
            assert said[-1] == 429, (path, said)
            assert 200 not in said


COSTLY = ("/api/drills/payout", "/api/drills/irregularity", "/api/schema/openapi.json", "/api/schema/openapi.yaml")


@pytest.mark.parametrize("path", COSTLY)
def test_what_takes_long_is_asked_for_less_often(path: str, tmp_path: Path) -> None:
    """One address asks for a fiftieth of what it may ask for else; everything else is answered meanwhile."""
    given = {"read_rate": 0.001, "read_burst": 150}
    found = settings(None, {}, database=f"sqlite:///{tmp_path}/f.db", key_file=f"{tmp_path}/f.key", **given)
    with TestClient(build(found)) as client:
        assert [client.get(path).status_code for _ in range(4)] == [200] * 3 + [429]
        assert client.get("/api/books").status_code == 200


def with_a_past(folder: Path, **given: Any) -> TestClient[Any]:
    """A house with a table `long` that has seen sixty rounds, where an address reads almost nothing a second."""
    found = settings(
        None, {}, database=f"sqlite:///{folder}/p.db", key_file=f"{folder}/p.key", read_rate=0.001, **given
    )
    journal = Journal(found.database)
    journal.upgrade()
    assert append_history(journal, "long", 60) > 1000
    journal.close()
    return TestClient(build(found))


def test_the_past_counts_for_what_it_takes_to_tell(tmp_path: Path) -> None:
    """A page of five hundred entries is as much as 125 requests; whoever has read too much reads nothing then."""
    with with_a_past(tmp_path, read_burst=300) as client:
        codes = [client.get("/api/tables/long/events?after=0").status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        assert client.get("/api/books").status_code == 429
        assert client.get("/health").status_code == 200


def test_rounds_of_one_s_own_count_for_what_was_looked_through(tmp_path: Path) -> None:
    with with_a_past(tmp_path, read_burst=150) as client:
        accounts = client.app.state.casino.accounts
        eve = bearer(accounts.token(accounts.make("eve", "patron")))
        codes = [client.get("/api/tables/long/own-rounds", headers=eve).status_code for _ in range(4)]
        assert codes[0] == 200
        assert codes[-1] == 429


def test_a_long_lobby_and_the_figures_count_for_more(tmp_path: Path) -> None:
    with with_a_past(tmp_path, read_burst=40) as client:
        assert [client.get("/metrics").status_code for _ in range(5)] == [200] * 4 + [429]
        client.app.state.casino.limits.listed("testclient-2", 800)
        with pytest.raises(TooMany):
            client.app.state.casino.limits.reads.take("testclient-2")


@pytest.mark.parametrize("path", ["stream?after=0", "screen?after=0"])
def test_a_socket_is_told_the_past_when_it_is_its_turn(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few hundred entries at a time, each of which counts for the address, however many sockets it has."""
    told_of: list[int] = []
    with with_a_past(tmp_path, read_burst=10**6) as client:
        limits = client.app.state.casino.limits
        turn = limits.turn_to_read

        async def counted(address: str, entries: int) -> None:
            told_of.append(entries)
            await turn(address, entries)

        monkeypatch.setattr(limits, "turn_to_read", counted)
        whole = client.app.state.casino.floor.journal.tables()["long"]
        with client.websocket_connect(f"/api/tables/long/{path}") as line:
            last = 0
            while last < whole:
                said = line.receive_json()
                entries = said.get("entries", [said])
                assert [each["sequence"] for each in entries] == list(range(last + 1, last + 1 + len(entries)))
                last += len(entries)
        in_memory = 0 if path.startswith("stream") else KEPT
        assert sum(told_of) >= whole - in_memory
        assert max(told_of) <= 500


def test_whoever_has_read_too_much_waits_for_their_turn_and_nobody_else_does() -> None:
    async def story() -> None:
        now = [0.0]
        limits = RequestLimits(settings(None, {}), Journal("sqlite://"), StoreCalls())
        limits.reads = RateLimit(1, 10, clock=lambda: now[0])
        await limits.turn_to_read("here", 40)
        waiting = [asyncio.create_task(limits.turn_to_read("here", 40)) for _ in range(3)]
        await limits.turn_to_read("elsewhere", 40)
        assert not any(each.done() for each in waiting)
        for moved in (1, 2, 3):
            now[0] += 20
            await asyncio.wait_for(waiting[moved - 1], PATIENCE)
            assert sum(each.done() for each in waiting) == moved

    asyncio.run(story())


def test_the_openapi_document_is_written_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {path: house.client.get(path).content for path in COSTLY[2:]}

    def again(*_: Any, **__: Any) -> bytes:
        raise AssertionError("the document is written a second time")

    monkeypatch.setattr(JsonRenderPlugin, "render", again)
    monkeypatch.setattr(YamlRenderPlugin, "render", again)
    assert {path: house.client.get(path).content for path in COSTLY[2:]} == first


def test_pages_of_the_past_are_made_by_the_threads_that_read_them(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is five hundred entries, whoever asks: the loop does not take them apart."""
    threads: list[str] = []

    def counted(found: Any) -> Any:
        threads.append(threading.current_thread().name)
        return told(found)

    monkeypatch.setattr("punto.service.runtime.floor.told", counted)
    entries = house.client.get("/api/tables/t/events").json()["entries"]
    assert [each["sequence"] for each in entries] == list(range(1, len(entries) + 1))
    assert threads
    assert all(name.startswith("store") for name in threads)


def test_a_session_that_has_ended_does_not_bother_the_store_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    sessions = house.client.app.state.casino.accounts.sessions
    end = sessions.end

    def counted(session: str, *given: Any, **more: Any) -> None:
        ended.append(session)
        end(session, *given, **more)

    monkeypatch.setattr(sessions, "end", counted)
    for _ in range(3):
        assert house.client.post("/api/logout", headers=bearer(house.ann)).status_code == 204
    assert len(ended) == 1


def test_an_account_opens_so_many_tables_an_hour(house: House) -> None:
    def opened(name: str) -> int:
        answer = house.client.post(f"/api/tables/{name}/commands", json=opening("wu-song"), headers=bearer(house.lee))
        return answer.status_code

    house.client.app.state.casino.limits.opened = HourlyLimit(house.journal, "few", 3, clock=lambda: 0.0)
    assert [opened(f"n{number}") for number in range(5)] == [200, 200, 200, 429, 429]
    assert house.say(house.lee, do="open-bets").status_code == 409  # everything else goes on: there is no shoe yet
