"""Guests whose session is over are let go with their play money: a table does not remember all who ever came."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

import databases
from patient_settings import settings
from punto.amounts import money
from punto.service.days import start_of_days
from punto.service.http.app import build
from punto.service.money.count import Counter
from punto.service.runtime import gone_guests
from punto.service.runtime.gone_guests import GoneGuests
from service_process import bearer, opening, until

RANK = "table-game-shift-manager"
HUNDRED = money("100")


class House:
    """A house where anybody comes in, and a table dealt by hand."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client, self.casino = client, client.app.state.casino
        accounts = self.casino.accounts
        self.lee = accounts.token(accounts.make("lee", "staff", person="lee"))
        accounts.hold("lee", "*", RANK)
        self.do(self.lee, **dict[str, Any](opening("wu-song", auto=["announce", "settle"])))
        self.do(self.lee, do="load-shoe")

    def do(self, token: str, **command: Any) -> httpx.Response:
        answer = self.client.post("/api/tables/t/commands", json=command, headers=bearer(token))
        assert answer.status_code == 200, answer.text
        return answer

    def guest(self, do: str, **more: Any) -> tuple[str, str]:
        """Somebody who comes in, goes to the table and has chips there: their token, and who they are."""
        token = self.client.post("/api/guest").json()["token"]
        self.client.cookies.clear()
        person = self.client.get("/api/me", headers=bearer(token)).json()["person"]
        self.do(token, do=do, patron=person, **more)
        self.do(token, do="buy-in", patron=person, amount=5 * HUNDRED)
        return token, person

    def end(self, token: str) -> None:
        assert self.client.post("/api/logout", headers=bearer(token)).status_code == 204

    def look(self) -> set[str]:
        """Who is at the table, or has something there, after a look."""
        guests = GoneGuests(self.casino.floor, self.casino.settings)
        self.client.blocking_portal.call(guests.look, "t", None)
        return set(self.client.blocking_portal.call(self.casino.floor.table, "t").patrons)


@pytest.mark.parametrize("kind", databases.KINDS)
def test_guests_who_cannot_come_back_are_let_go_with_their_play_money(kind: str, tmp_path: Path) -> None:
    given = {"guests": True, "money": "play", "rate": 1e4, "burst": 10**4}
    url = databases.fresh(kind, tmp_path)
    with TestClient(build(settings(None, {}, database=url, key_file=f"{tmp_path}/g.key", **given))) as client:
        house = House(client)
        sits, stands, left, stays = (
            house.guest("sit", box=1),
            house.guest("stand"),
            house.guest("sit", box=2),
            house.guest("sit", box=3),
        )
        house.do(left[0], do="leave", patron=left[1])
        everybody = {each[1] for each in (sits, stands, left, stays)}
        house.do(house.lee, do="sit", patron="walk-in", box=4)
        assert house.look() == everybody | {"walk-in"}, "all may act yet"
        house.do(house.lee, do="open-bets")
        house.do(sits[0], do="place", patron=sits[1], bet="player", stake=HUNDRED)
        for each in (sits, stands, left):
            house.end(each[0])
        assert house.look() == {sits[1], stays[1], "walk-in"}, "money at stake plays to its end"
        house.do(house.lee, do="withdraw", patron=sits[1], bet="player")
        assert house.look() == {stays[1], "walk-in"}
        assert Counter(house.casino.floor.journal, start_of_days("00:00+00:00")).count().zero


def test_whoever_holds_the_table_sees_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gone_guests, "_EVERY", 0.0)
    given = {"guests": True, "money": "play", "rate": 1e4, "burst": 10**4}
    url = databases.fresh("sqlite", tmp_path)
    with TestClient(build(settings(None, {}, database=url, key_file=f"{tmp_path}/g.key", **given))) as client:
        house = House(client)
        gone, stays = house.guest("stand"), house.guest("stand")
        house.end(gone[0])
        table = house.casino.floor.table
        until(lambda: set(client.blocking_portal.call(table, "t").patrons) == {stays[1]}, "the guest to be let go")


def test_where_money_is_real_nobody_is_let_go(tmp_path: Path) -> None:
    given = {"guests": True, "money": "cage", "rate": 1e4, "burst": 10**4}
    url = databases.fresh("sqlite", tmp_path)
    with TestClient(build(settings(None, {}, database=url, key_file=f"{tmp_path}/g.key", **given))) as client:
        house = House(client)
        token = client.post("/api/guest").json()["token"]
        person = client.get("/api/me", headers=bearer(token)).json()["person"]
        house.do(token, do="stand", patron=person)
        house.do(house.lee, do="buy-in", patron=person, amount=HUNDRED)
        house.end(token)
        assert house.look() == {person}
