"""Sessions are listed and ended by their owner and by the house, and nobody else's are seen or ended."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from typer.testing import CliRunner

from databases import KINDS, fresh
from patient_settings import settings
from punto.cli.users import app as users
from punto.journal import HOUSE, Journal, first_broken
from punto.service.accounts.registry import SESSION, Accounts
from punto.service.accounts.sessions import KEPT_AFTER, SEEN_EVERY
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.hourly import HourlyLimit, forget_full
from punto.service.http.app import build
from punto.service.runtime import forgetting as runtime_forgetting
from service_process import MASTER, bearer, open_house, until

SECRET = "correct horse battery"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/s.db"


@pytest.fixture
def client(tmp_path: Path, url: str) -> Iterator[TestClient[Litestar]]:
    given = settings(None, {}, database=url, key_file=f"{tmp_path}/s.key", master_key=MASTER.text, guests=True)
    with TestClient(build(given)) as found:
        accounts: Accounts = found.app.state.casino.accounts
        accounts.make("ann", "patron", SECRET)
        accounts.make("bob", "patron", SECRET)
        yield found


def log_in(client: TestClient[Litestar], name: str) -> dict[str, str]:
    token = client.post("/api/login", json={"name": name, "password": SECRET}).json()["token"]
    client.cookies.clear()
    return bearer(token)


def listed(client: TestClient[Litestar], head: dict[str, str]) -> list[dict[str, Any]]:
    answer = client.get("/api/sessions", headers=head)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_an_owner_sees_their_sessions_and_ends_one(client: TestClient[Litestar]) -> None:
    here, lost, other = log_in(client, "ann"), log_in(client, "ann"), log_in(client, "bob")
    shown = listed(client, here)
    assert len(shown) == 2
    assert [each["present"] for each in listed(client, other)] == [True]
    assert {(each["place"], each["way"]) for each in shown} == {("testclient", "password")}
    assert all(each["since"] <= each["seen"] < each["until"] for each in shown)
    assert not any(head["Authorization"].split(".")[0][7:] in json.dumps(shown) for head in (here, lost))
    [gone] = [each["id"] for each in shown if not each["present"]]
    assert client.delete(f"/api/sessions/{gone}", headers=here).status_code == 204
    assert client.get("/api/me", headers=lost).status_code == 403
    assert [each["present"] for each in listed(client, here)] == [True]
    assert client.get("/api/me", headers=other).status_code == 200


def test_nobody_ends_or_sees_the_session_of_somebody_else(client: TestClient[Litestar]) -> None:
    ann, bob = log_in(client, "ann"), log_in(client, "bob")
    [own] = listed(client, ann)
    for session in (own["id"], "0" * 16):
        answer = client.delete(f"/api/sessions/{session}", headers=bob)
        assert (answer.status_code, answer.json()["refused"]) == (404, "There is no such session.")
    assert client.delete(f"/api/sessions/{own['id']}").status_code == 403
    assert client.get("/api/sessions").status_code == 403
    assert client.delete("/api/sessions/x'--", headers=bob).status_code == 400
    foreign = {**ann, "Origin": "https://elsewhere.example"}
    assert client.delete(f"/api/sessions/{own['id']}", headers=foreign).status_code == 403
    assert client.get("/api/me", headers=ann).status_code == 200


def test_every_way_in_is_listed(client: TestClient[Litestar]) -> None:
    link = client.app.state.casino.accounts.link("ann")
    for path, body, way in (("/api/link", {"token": link}, "link"), ("/api/guest", None, "guest")):
        head = bearer(client.post(path, json=body).json()["token"])
        client.cookies.clear()
        assert [(each["way"], each["present"]) for each in listed(client, head)] == [(way, True)]


def test_a_token_from_before_sessions_were_listed_is_good_until_it_ends(client: TestClient[Litestar]) -> None:
    accounts: Accounts = client.app.state.casino.accounts
    head = bearer(accounts.token(accounts.existing("ann")))
    assert listed(client, head) == []
    assert client.get("/api/me", headers=head).status_code == 200
    client.post("/api/logout", headers=head)
    assert client.get("/api/me", headers=head).status_code == 403


def test_logging_out_a_new_password_and_revoking_leave_nothing_on_the_list(client: TestClient[Litestar]) -> None:
    accounts: Accounts = client.app.state.casino.accounts
    here = log_in(client, "ann")
    client.post("/api/logout", headers=log_in(client, "ann"))
    assert len(listed(client, here)) == 1
    accounts.set_password("ann", SECRET, by="lee")
    here = log_in(client, "ann")
    assert len(listed(client, here)) == 1
    accounts.revoke("ann")
    assert accounts.sessions.open(accounts.all()) == []


def command(url: str, *words: str) -> str:
    done = CliRunner().invoke(users, [*words, "--database", url], env={"PUNTO_MASTER_KEY": MASTER.text})
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_the_house_lists_and_ends_sessions_of_a_running_service(client: TestClient[Litestar], url: str) -> None:
    ann, bob = log_in(client, "ann"), log_in(client, "bob")
    assert "2 sessions." in command(url, "sessions")
    [found] = json.loads(command(url, "sessions", "ann", "--json"))
    assert (found["account"], found["place"], found["way"]) == ("ann", "testclient", "password")
    assert "The session of ann is over." in command(url, "end-session", found["id"])
    until(lambda: client.get("/api/me", headers=ann).status_code == 403, "the service to hear of it")
    assert client.get("/api/me", headers=bob).status_code == 200
    with pytest.raises(Unknown, match="no such session"):
        command(url, "end-session", found["id"])
    acts = [(act.who.partition(":")[0], act.what, act.account) for _, act in Accounts(open_house(url)).house.acts()]
    assert acts[-1] == ("console", "logged-out", "ann")


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("kind", KINDS)
def test_sessions_on_both_databases(kind: str, tmp_path: Path) -> None:
    clock, journal = Clock(), Journal(fresh(kind, tmp_path))
    journal.upgrade()
    here, elsewhere = Accounts(journal, clock), Accounts(journal, clock)
    ann = here.make("ann", "patron")
    first, second = here.enter(ann, "192.0.2.7", "password"), here.enter(ann, "2001:db8:1:2::/64", "link")
    clock.now += SEEN_EVERY + 1
    assert asyncio.run(used(elsewhere, second)) == "ann"
    own, found = elsewhere.own_sessions(second)
    by_id = {each.id: each for each in found}
    assert len(by_id) == 2
    assert by_id[own].seen == int(clock.now) > by_id[own].since
    [other] = by_id.keys() - {own}
    assert by_id[other].seen == by_id[other].since
    here.end_session(other, name="ann", by="ann")
    elsewhere._updated -= 2  # as if a moment had passed
    with pytest.raises(Denied, match="not good any more"):
        elsewhere.holder(first)
    assert [each.id for each in elsewhere.sessions.open([ann])] == [own]
    clock.now += SESSION
    assert here.sessions.open([ann]) == []
    here.enter(ann, "192.0.2.7", "password")
    assert here.sessions.find(own) is None
    assert first_broken(journal.entries(HOUSE)) is None
    journal.close()


async def used(accounts: Accounts, token: str) -> str:
    """Use a session, and wait until that is noted."""
    account = await accounts.bearer(token)
    own, _ = await asyncio.to_thread(accounts.own_sessions, token)
    await accounts.sessions._notes.get(own)
    return account.name


@pytest.mark.parametrize("kind", KINDS)
def test_what_counted_for_a_time_is_forgotten_when_that_is_over(kind: str, tmp_path: Path) -> None:
    """Else a start would read every log-out that there ever was, and the store keep every address."""
    journal, clock = open_house(fresh(kind, tmp_path)), Clock()
    accounts = Accounts(journal, clock)
    ann = accounts.make("ann", "patron", SECRET)
    first, limit = accounts.enter(ann, "here", "password"), HourlyLimit(journal, "guests", 10, clock)
    accounts.log_out(first)
    limit.take("192.0.2.1")
    clock.now += SESSION + KEPT_AFTER - 60
    second = accounts.enter(ann, "here", "password")
    accounts.log_out(second)
    limit.take("192.0.2.2")
    accounts.sessions.forget()
    forget_full(journal, clock)
    assert len(journal.records("ended")) == 2, "a clock may be set back"
    assert list(journal.records("hourly")) == ["guests 192.0.2.2"]
    clock.now += 120
    accounts.sessions.forget()
    assert len(journal.records("ended")) == 1
    for each in (accounts, Accounts(journal, clock)):
        with pytest.raises(Denied):
            each.holder(second)
    assert len(accounts.sessions._ended) == 1
    journal.close()


def test_a_count_that_was_changed_meanwhile_is_not_forgotten(tmp_path: Path) -> None:
    journal = open_house(fresh("sqlite", tmp_path))
    for name in ("ann", "bob"):
        journal.put_record("hourly", name, "[1,0]")
    seen = journal.records("hourly")
    journal.put_record("hourly", "bob", "[0,9]")
    journal.forget_records("hourly", seen)
    assert journal.records("hourly") == {"bob": "[0,9]"}
    journal.close()


def test_the_house_forgets_while_it_is_open(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_forgetting, "EVERY", 0.01)
    given = settings(None, {}, database=url, key_file=f"{tmp_path}/s.key", master_key=MASTER.text)
    with TestClient(build(given)) as found:
        journal: Journal = found.app.state.casino.floor.journal
        journal.put_record("ended", "long ago", "1.0")
        journal.put_record("hourly", "guests 192.0.2.1", "[1,0]")
        until(lambda: not journal.records("ended") and not journal.records("hourly"), "both to be forgotten")
