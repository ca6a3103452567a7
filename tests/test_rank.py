"""Rank is decided when a command is decided: by the posts that the store has then, on whichever process, under any key.

The enemy has a staff login that has just been demoted, and knows how the service names its own commands.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import printable

import httpx
import pytest
from hypothesis import given as given_
from hypothesis import strategies as st
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import update

from databases import KINDS, fresh
from patient_settings import settings
from punto.journal import Append, Appended, Journal, Outdated, Proviso
from punto.journal.schema import records
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.http.app import build
from punto.service.keys.master import opened_store
from punto.service.runtime.keys import client_key, house_key
from service_process import opening

MANAGER, DEALER = "table-game-shift-manager", "dealer"
TABLE = "t1"
ENOUGH = {"rate": 1e6, "burst": 1_000_000}


class House:
    """A service, and somebody who manages its accounts from another process."""

    def __init__(self, client: TestClient[Litestar], elsewhere: Accounts) -> None:
        self.client, self.elsewhere = client, elsewhere
        own = client.app.state.casino.accounts
        own.make("lee", "staff", person="lee", posts={"*": HeldPost(MANAGER)})
        own.make("max", "staff", person="max", posts={"*": HeldPost(DEALER)})
        self.tokens = {name: own.token(own.get(name)) for name in ("lee", "max")}
        assert self.do("lee", **opening("wu-song")).status_code == 200

    def do(self, name: str, /, **command: object) -> httpx.Response:
        key = command.pop("key", None)
        head = {"Authorization": f"Bearer {self.tokens[name]}"} | ({} if key is None else {"Idempotency-Key": str(key)})
        return self.client.post(f"/api/tables/{TABLE}/commands", json=command, headers=head)

    def rule(self, name: str, *, key: str | None = None) -> httpx.Response:
        """A ruling, which is for a high rank."""
        return self.do(name, key=key, do="rule", policy="return-scope", value="all", reason="So be it.")

    def posts(self) -> dict[str, str]:
        """The posts that the table knows."""
        table = self.client.blocking_portal.call(self.client.app.state.casino.floor.table, TABLE)
        return {name: post.rank for name, post in table.posts.items()}


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    url = fresh(request.param, tmp_path)
    given = settings(None, {}, database=url, key_file=str(tmp_path / "p.key"), **ENOUGH)
    with TestClient(build(given)) as client:
        journal = opened_store(given)
        yield House(client, Accounts(journal))
        journal.close()


# Keys


def test_a_demoted_manager_keeps_no_rank_by_a_key_of_the_service(house: House) -> None:
    """They had used the key beforehand under which the service would enter their new post."""
    for key in ("k/post", "post", "post/lee/3"):
        assert house.do("lee", key=key, do="load-shoe").status_code in (200, 409)
    house.client.app.state.casino.accounts.hold("lee", "*", DEALER)
    refused = house.rule("lee", key="k")
    assert refused.status_code == 409, refused.text
    assert "not for lee" in refused.json()["refused"]
    assert house.posts()["lee"] == DEALER


@given_(st.text(printable, min_size=1, max_size=50), st.lists(st.integers() | st.text("abc-/0"), min_size=1))
def test_no_client_can_write_a_key_of_the_house(chosen: str, parts: list[object]) -> None:
    assert client_key("lee", chosen) != house_key(*parts)


# Demotion elsewhere


def test_a_demotion_in_another_process_counts_for_the_very_next_command(house: House) -> None:
    assert house.rule("lee").status_code == 200
    house.elsewhere.hold("lee", "*", DEALER)
    assert house.rule("lee").status_code == 409
    assert house.posts()["lee"] == DEALER
    assert house.do("lee", do="load-shoe").status_code == 200, "as a dealer they go on"


def test_a_post_taken_away_in_another_process_is_gone(house: House) -> None:
    assert house.do("lee", do="load-shoe").status_code == 200
    house.elsewhere.hold("lee", "*", None)
    gone = house.do("lee", do="open-bets")
    assert gone.status_code == 403
    assert gone.json()["refused"] == "You hold no post at this table."


def test_revoked_and_removed_accounts_do_nothing_more(house: House) -> None:
    assert house.do("lee", do="load-shoe").status_code == 200
    assert house.do("max", do="open-bets").status_code == 200
    house.elsewhere.revoke("lee")
    house.elsewhere.remove("max")
    assert house.do("lee", do="close-bets").status_code == 403
    assert house.do("max", do="close-bets").status_code == 403


def test_a_promotion_in_another_process_counts_at_once(house: House) -> None:
    assert house.rule("max").status_code == 409
    house.elsewhere.hold("max", "*", MANAGER)
    assert house.rule("max").status_code == 200


def test_a_post_at_the_table_that_nobody_gave_in_the_house_counts_for_nothing(house: House) -> None:
    """A manager puts a friend into a high post at the table: the friend's own post counts when they act."""
    assert house.do("lee", do="assign", person="max", post=MANAGER).status_code == 200
    assert house.posts()["max"] == MANAGER
    assert house.rule("max").status_code == 409
    assert house.posts()["max"] == DEALER


def test_no_race_between_two_commands_wins_a_rank(house: House) -> None:
    """Many at once: a friend is put into a high post again and again, while the friend tries to use it."""
    assert house.do("max", do="load-shoe").status_code == 200
    start = threading.Barrier(8)

    def act(number: int) -> list[int]:
        start.wait()
        if number % 2:
            return [house.do("lee", do="assign", person="max", post=MANAGER).status_code for _ in range(8)]
        return [house.rule("max").status_code for _ in range(8)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(act, range(8)))
    assert {status for each in found[1::2] for status in each} == {200}
    assert {status for each in found[::2] for status in each} == {409}


# In the store


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_is_added_only_while_its_proviso_holds(kind: str, tmp_path: Path) -> None:
    journal = Journal(fresh(kind, tmp_path))
    journal.upgrade()
    journal.put_record("account", "lee", "manager")

    def append(key: str, expected: int, was: str | None) -> object:
        proviso = Proviso("account", "lee", lambda body: body == was)
        given = Append("t1", expected, key, "lee", "2026-11-15T08:00:00Z", (b"e",), provisos=(proviso,))
        [result] = journal.append([given])
        return result

    assert isinstance(append("a", 0, "manager"), Appended)
    journal.put_record("account", "lee", "dealer")
    assert append("b", 1, "manager") == Outdated()
    assert isinstance(append("b", 1, "dealer"), Appended)
    journal.drop_record("account", "lee")
    assert append("c", 2, "dealer") == Outdated()
    assert len(journal.read("t1")) == 2
    journal.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_held_proviso_is_not_decided_by_a_record_that_is_being_changed(kind: str, tmp_path: Path) -> None:
    journal = Journal(fresh(kind, tmp_path))
    journal.upgrade()
    journal.put_record("account", "ann", "open")
    proviso = Proviso("account", "ann", lambda body: body == "open", held=True)
    given = Append("t1", 0, "buy-in", "ann", "2026-11-15T08:00:00Z", (b"e",), provisos=(proviso,))
    with ThreadPoolExecutor(1) as pool:
        with journal.transaction() as connection:
            connection.execute(update(records).values(body="closed"))
            buying = pool.submit(journal.append, [given])
            with pytest.raises(TimeoutError):
                buying.result(0.2)  # it waits for what becomes of the record
        assert buying.result() == [Outdated()]
    journal.close()


def test_what_is_asked_of_tables_that_are_not_there_leaves_nothing_behind(house: House) -> None:
    floor = house.client.app.state.casino.floor
    for number in range(5):
        for command in ({"do": "open-bets"}, {**opening("wu-song"), "decks": 0}):
            head = {"Authorization": f"Bearer {house.tokens['lee']}"}
            answer = house.client.post(f"/api/tables/x{number}/commands", json=command, headers=head)
            assert answer.status_code in (404, 409)
    assert not any(floor.behind(f"x{number}", 1) for number in range(5))
