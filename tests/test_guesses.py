"""Wrong passwords delay whoever gives them, and keep nobody else out; nobody learns by them which names there are."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from sqlalchemy import event

from patient_settings import settings
from punto.journal import Journal
from punto.service.accounts import passwords, registry
from punto.service.accounts.guesses import FREE, GuessLimit
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied
from punto.service.hourly import HourlyLimit
from punto.service.http.app import build

SECRET = "correct horse battery"
THERE = "192.0.2.66"


class House:
    """A house with one of its staff, to whom anybody may speak from any address."""

    def __init__(self, app: Litestar) -> None:
        self.app = app
        self.accounts: Accounts = app.state.casino.accounts
        self.accounts.make("lee", "staff", SECRET)
        app.state.casino.limits.guesses = GuessLimit(clock=lambda: 0.0)  # a busy machine takes no delay away

    async def ask(self, method: str, path: str, address: str, **more: Any) -> httpx.Response:
        app: Any = self.app  # the two libraries write the same type differently
        transport = httpx.ASGITransport(app, client=(address, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            return await client.request(method, path, **more)

    async def log_in(self, password: str, address: str, name: str = "lee", known: str = "") -> httpx.Response:
        head = {"Cookie": f"punto-known={known}"} if known else {}
        return await self.ask("POST", "/api/login", address, json={"name": name, "password": password}, headers=head)

    async def codes(self, addresses: Iterable[str], known: str = "") -> list[int]:
        """What each gets for a wrong password."""
        return [(await self.log_in("wrong horse", each, known=known)).status_code for each in addresses]


def attacked(folder: Path, story: Callable[[House], Awaitable[None]], rate: float = 1e4, burst: int = 10**4) -> None:
    """Run a story in a house."""
    given = {"rate": rate, "burst": burst, "guests": True}
    app = build(settings(None, {}, database=f"sqlite:///{folder}/g.db", key_file=f"{folder}/g.key", **given))

    async def run() -> None:
        async with app.lifespan():
            await story(House(app))

    asyncio.run(run())


def test_a_stranger_s_guesses_keep_the_stranger_out_and_not_the_staff(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        assert await house.codes([THERE] * (FREE + 3)) == [403] * FREE + [429] * 3
        assert "try again in" in (await house.log_in(SECRET, THERE)).json()["refused"]
        assert (await house.log_in(SECRET, "192.0.2.7")).status_code == 200, "the staff elsewhere"

    attacked(tmp_path, story)


def test_a_browser_that_is_known_comes_in_from_the_address_of_whoever_guesses(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        known = (await house.log_in(SECRET, THERE)).cookies["punto-known"]
        assert (await house.codes([THERE] * (FREE + 3)))[-1] == 429
        assert (await house.log_in(SECRET, THERE)).status_code == 429
        assert (await house.log_in(SECRET, THERE, known=known)).status_code == 200
        said = await house.codes([THERE] * (FREE + 1), known)
        assert said == [403] * FREE + [429], "it has no more guesses than anybody"
        for token in (known, f"{known}x"):
            head = {"Authorization": f"Bearer {token}"}
            assert (await house.ask("GET", "/api/me", THERE, headers=head)).status_code == 403, "it is no session"

    attacked(tmp_path, story)


def test_whoever_floods_the_door_keeps_no_known_browser_out(tmp_path: Path) -> None:
    """By as many attempts as an address has, and by passwords that are being compared without end."""

    async def story(house: House) -> None:
        known = (await house.log_in(SECRET, THERE)).cookies["punto-known"]
        said = [(await house.log_in("wrong horse", THERE, f"name-{number}")).status_code for number in range(5)]
        assert said[-1] == 429
        assert (await house.log_in(SECRET, THERE)).status_code == 429
        limits = house.app.state.casino.limits
        async with limits.passwords, limits.passwords:
            assert (await house.log_in(SECRET, THERE, known=known)).status_code == 200
            assert (await house.log_in(SECRET, THERE, "ann", known)).status_code == 429, "it is known by one name"

    attacked(tmp_path, story, rate=0.01, burst=30)


def test_one_subscriber_of_ipv6_is_one_address(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        said = await house.codes(f"2001:db8:1:2::{number}" for number in range(1, FREE + 4))
        assert said == [403] * FREE + [429] * 3
        assert (await house.log_in(SECRET, "2001:db8:1:3::1")).status_code == 200

    attacked(tmp_path, story)


@pytest.mark.parametrize("form", ["192.0.2.{}", "2001:db8:1:{}::1"])
def test_whoever_has_many_addresses_makes_ten_times_as_many_guests_and_no_more(form: str, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        casino = house.app.state.casino
        casino.limits.guests = HourlyLimit(casino.floor.journal, "few", 2, clock=lambda: 0.0)
        said = [(await house.ask("POST", "/api/guest", form.format(number))).status_code for number in range(1, 31)]
        assert said[:19] == [200] * 19
        assert said[20:] == [429] * 10, "tenths do not add up to the last digit, so the twentieth is either"
        assert (await house.ask("POST", "/api/guest", "198.51.100.1")).status_code == 200

    attacked(tmp_path, story)


def test_the_delay_grows_and_ends_when_the_password_is_right() -> None:
    now = [0.0]
    limit = GuessLimit(clock=lambda: now[0])
    waited = []
    for _ in range(14):
        began = now[0]
        while True:
            try:
                limit.begin("here", "lee")
                break
            except ValueError:
                now[0] += 1
        waited.append(now[0] - began)
    assert waited == [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]
    limit.begin("there", "lee")
    limit.begin("here", "ann")
    now[0] += 15 * 60
    limit.begin("here", "lee")
    limit.right("here", "lee")
    limit.begin("here", "lee")
    limit.begin("here", "lee")


def test_a_crowd_of_guesses_does_not_fill_the_memory() -> None:
    limit = GuessLimit(most=100)
    for number in range(1000):
        limit.begin(f"192.0.2.{number}", "lee")
    assert len(limit._failed) <= 100


def test_the_same_work_is_done_for_every_name_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the store is asked and how often a password is compared: that is the time that it takes."""
    journal = Journal(f"sqlite:///{tmp_path}/w.db")
    journal.upgrade()
    accounts = Accounts(journal)
    accounts.make("lee", "staff", SECRET)
    accounts.make("no-password", "staff")
    done: list[str] = []
    right = passwords.is_right

    def compared(hashed: str | None, password: str) -> bool:
        done.append("a password")
        return right(hashed, password)

    monkeypatch.setattr(registry, "is_right", compared)

    @event.listens_for(journal.engine, "before_cursor_execute")
    def asked(_: object, __: object, statement: str, *___: object) -> None:
        done.append(statement)

    work = {}
    for name in ("lee", "nobody", "no-password", "No Name!", "\0"):
        done.clear()
        with pytest.raises(Denied, match="Name or password is wrong"):
            accounts.log_in(name, "wrong horse")
        work[name] = list(done)
    assert work["lee"].count("a password") == 1
    assert all(each == work["lee"] for each in work.values()), work
    journal.close()
