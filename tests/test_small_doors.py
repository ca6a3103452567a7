"""Small doors that stood open: keys used twice, bodies that are no text, settings, ports, cookies, second processes."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from sqlalchemy import text

from punto.journal import Entry, Journal
from punto.service.http.app import build
from punto.service.settings import RANGES, BadSettings, Settings, settings
from punto.table import commands, encode
from service_process import HOST, Service, bearer, free_port, opening

ROOT = Path(__file__).parent.parent
RANK = "table-game-shift-manager"


def wu_song(**more: object) -> dict[str, Any]:
    return opening("wu-song", **more)


class House:
    """A house with tables, one of the staff and a patron."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        accounts = client.app.state.casino.accounts
        self.lee = accounts.token(accounts.make("lee", "staff", person="lee"))
        accounts.hold("lee", "*", RANK)
        self.ann = accounts.token(accounts.make("ann", "patron", "correct horse", person="ann"))
        for table, more in (("t", {}), ("v", {"shoe": "virtual"})):
            assert self.say(self.lee, "open", table, **wu_song(**more)).status_code == 200

    def say(self, token: str, key: str, table: str = "t", **command: Any) -> httpx.Response:
        head = {**bearer(token), "Idempotency-Key": key}
        return self.client.post(f"/api/tables/{table}/commands", json=command, headers=head)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    slow = {"betting_seconds": 600, "rate": 1e4, "burst": 10**4, "money": "play"}
    given = settings(None, {}, database=f"sqlite:///{folder}/h.db", key_file=f"{folder}/h.key", **slow)
    with TestClient(build(given)) as client:
        yield House(client)


# Keys


def test_a_used_key_with_another_command_is_refused(house: House) -> None:
    sit: dict[str, Any] = {"do": "sit", "patron": "ann", "box": 1}
    first = house.say(house.ann, "k1", **sit)
    assert first.status_code == 200, first.text
    before = house.client.get("/api/tables/t").json()["sequence"]
    others: list[dict[str, Any]] = [
        {"do": "sit", "patron": "ann", "box": 2},
        {"do": "buy-in", "patron": "ann", "amount": 5000},
        {"do": "sit", "patron": "ann", "box": 99},
    ]
    for other in others:
        refused = house.say(house.ann, "k1", **other)
        assert refused.status_code == 409, refused.text
        assert refused.json()["refused"] == "This key was used for another command: choose a new one."
    with house.client.websocket_connect("/api/tables/t/stream?after=10000", headers=bearer(house.ann)) as line:
        line.send_json({"key": "k1", "command": others[1]})
        assert line.receive_json()["refused"] == "This key was used for another command: choose a new one."
        line.send_json({"key": "k1", "command": sit})
        assert line.receive_json()["repeated"]
    assert house.say(house.ann, "k1", **sit).json() == {**first.json(), "repeated": True}
    assert house.client.get("/api/tables/t").json()["sequence"] == before


def test_what_the_service_fills_in_makes_no_other_command(house: House) -> None:
    """The opening of a table says a book's id and is kept by its digest; a shoe is loaded with a commitment."""
    assert house.say(house.lee, "open", **wu_song()).json()["repeated"]
    assert house.say(house.lee, "open", **wu_song(decks=6)).status_code == 409
    assert house.say(house.lee, "s1", do="load-shoe").status_code == 200
    assert house.say(house.lee, "s1", do="load-shoe").json()["repeated"]
    assert house.say(house.lee, "e1", do="end-shoe").status_code == 200
    assert house.say(house.lee, "e1", do="end-shoe").json()["repeated"]


def test_what_somebody_reports_to_have_seen_is_part_of_the_command(house: House) -> None:
    """Also at a shoe that is read, where the service fills in the faces of cards that are opened."""
    assert house.say(house.lee, "open", "r", **wu_song(shoe="read")).status_code == 200
    assert house.say(house.lee, "s1", "r", do="load-shoe").status_code == 200
    seen: dict[str, Any] = {"do": "report", "fact": "exposed-card", "faces": ["6h"]}
    first = house.say(house.lee, "r1", "r", **seen)
    assert first.status_code == 200, first.text
    assert house.say(house.lee, "r1", "r", **seen).json()["repeated"]
    other = house.say(house.lee, "r1", "r", **{**seen, "faces": ["7h"]})
    assert (other.status_code, other.json()["message"]["id"]) == (409, "key-of-another-command")


@pytest.mark.parametrize("kind", [commands.LoadShoe, commands.InviteWords])
def test_a_commitment_that_the_service_fills_in_makes_no_other_command(
    kind: type[commands.LoadShoe | commands.InviteWords], house: House
) -> None:
    kept = encode(kind(commitment="ab" * 32, by="lee"))
    entry = Entry("v", 1, "2026-11-16T00:00:00Z", "lee", "lee k", (), "", "", command=kept)
    floor = house.client.app.state.casino.floor
    with house.client.portal() as portal:
        assert portal.call(floor._commands.is_kept, "v", None, kind(by="lee"), entry)


# Requests


@pytest.mark.parametrize("body", [b'{"name":"\xff\xfe","password":"x"}', b'{"name":"a","password":"\xc3"}'])
def test_a_log_in_that_is_no_text_is_a_sentence(house: House, body: bytes) -> None:
    head = {"Content-Type": "application/json"}
    for path in ("/api/login", "/api/link", "/api/tables/t/commands"):
        answer = house.client.post(path, content=body, headers=head | bearer(house.ann))
        assert (answer.status_code, answer.json()["refused"]) == (400, "The request is not text in UTF-8."), path


def test_nothing_of_the_api_is_kept_by_a_browser_and_the_pages_are(house: House) -> None:
    answers = [house.client.get(path, headers=bearer(house.ann)) for path in ("/api/me", "/api/tables/t", "/health")]
    answers.append(house.client.post("/api/login", json={"name": "ann", "password": "correct horse"}))
    answers.append(house.client.get("/api/tables/none"))
    assert [each.headers["cache-control"] for each in answers] == ["no-store"] * 5
    assert house.client.get("/").headers["cache-control"] == "no-cache"
    house.client.cookies.clear()


@pytest.mark.parametrize("cookie", ["x", "a.b", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "Zm9v." + "a" * 43])
def test_a_cookie_that_another_wrote_is_no_cookie(house: House, cookie: str) -> None:
    head = {"Cookie": f"punto={cookie}"}
    for path in ("/api/tables", "/api/tables/t", "/api/tables/t/events", "/api/tables/t/roads", "/api/books"):
        assert house.client.get(path, headers=head).status_code == 200, path
    assert house.client.get("/api/me", headers=head).json()["refused"] == "Log in first."
    with house.client.websocket_connect("/api/tables/t/stream", headers=head) as line:
        assert line.receive_json()["sequence"] == 1
    assert house.client.get("/api/tables/t", headers=bearer(cookie)).status_code == 403, "a header is meant for us"


# Settings


@pytest.mark.parametrize("name", sorted(RANGES))
def test_a_number_out_of_its_range_is_a_sentence(name: str) -> None:
    least, most = RANGES[name]
    for value in (least - 1, most + 1):
        with pytest.raises(BadSettings, match=name):
            settings(None, {}, **{name: int(value)})


def test_every_number_has_a_range_and_the_defaults_are_in_it() -> None:
    numbers = {
        name for name, kind in Settings.__annotations__.items() if kind in (int, float, int | None, float | None)
    }
    assert numbers == set(RANGES)
    assert Settings()
    for value in ("nan", "inf", "-1"):
        with pytest.raises(BadSettings):
            settings(None, {"PUNTO_PACE": value})


# The process


def serve(folder: Path, *words: str, **given: str) -> subprocess.CompletedProcess[str]:
    """`punto serve`, which is expected to end by itself."""
    told = {"PORT": str(free_port()), "KEY_FILE": f"{folder}/s.key", "DATABASE": f"sqlite:///{folder}/s.db", **given}
    environment = {**os.environ, **{f"PUNTO_{name}": value for name, value in told.items()}}
    command = [sys.executable, "-c", "from punto.cli import main; main()", "serve", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


def test_a_busy_port_is_told_before_anything_is_open_with_the_way_out(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        done = serve(tmp_path, "--demo", PORT=str(port))
    assert done.returncode == 1
    says = f"Port {port} of {HOST} is in use by another program: stop that one, or choose another one with --port, or "
    assert done.stderr.strip() == f"punto: {says}the setting port."
    assert done.stdout == ""
    assert not (tmp_path / "s.db").exists()


def test_a_second_process_on_one_file_refuses_to_start_and_a_wrong_name_is_told(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/s.db"
    with Service(tmp_path, database, prot=1) as first:
        first.start()
        assert "PUNTO_PROT is no setting: it is ignored. Is it PUNTO_PORT?" in first.said()
        done = serve(tmp_path)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == (
            f"punto: Another process serves {tmp_path}/s.db: stop that one, or take PostgreSQL, which is for several."
        )
        assert httpx.get(f"{first.address}/health", timeout=600).status_code == 200
        assert (tmp_path / "s.db.lock").stat().st_mode & 0o777 == 0o600
        first.kill()
        first.start()  # whoever died holds nothing


def test_a_database_of_a_newer_release_gets_a_sentence(tmp_path: Path) -> None:
    journal = Journal(f"sqlite:///{tmp_path}/s.db")
    journal.upgrade()
    with journal.transaction() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    journal.close()
    done = serve(tmp_path)
    assert done.returncode == 1
    assert done.stderr.strip() == "punto: This journal was written by a later release of Punto: install that one."
    for words in (["users", "list"], ["users", "add", "ann", "--no-password"], ["journal", "verify"]):
        command = [sys.executable, "-c", "from punto.cli import main; main()", *words]
        told = subprocess.run(
            [*command, "--database", f"sqlite:///{tmp_path}/s.db"], capture_output=True, text=True, timeout=600
        )
        assert (told.returncode, told.stderr.strip()) == (1, done.stderr.strip()), words


def test_the_container_runs_as_its_user_where_that_may_write() -> None:
    steps = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    said = [step.split(maxsplit=1) for step in steps if step and not step.startswith("#")]
    place = [what for word, what in said if word == "WORKDIR"][-1]
    users = [number for number, (word, _) in enumerate(said) if word == "USER"]
    [user] = [what for word, what in said if word == "USER"]
    assert user not in ("root", "0")
    assert all(word != "RUN" for word, _ in said[users[0] :]), "nothing is installed by the user"
    made = [what for word, what in said if word == "RUN" and "chown" in what]
    assert any(f"chown {user}:{user}" in each and f" {place} " in f"{each} " for each in made)
