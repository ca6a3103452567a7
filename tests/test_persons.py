"""A name is not a person: who somebody is at a table is an id that is never used again, and no login name is told."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient

import databases
from bulk import append_history
from patient_settings import settings
from punto.amounts import money
from punto.journal import HOUSE, MONEY, Append, Entry, Journal, JournalError, first_broken
from punto.rulebook import Refused
from punto.service.accounts import directory
from punto.service.accounts.account import BadAccount, HeldPost, read_account
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied
from punto.service.days import start_of_days
from punto.service.http.app import build
from punto.service.money import purses
from punto.service.money.acts import MoneyChain
from punto.service.money.count import Counter
from punto.service.money.own_wallet import OwnWallet
from punto.service.money.purses import PurseNotEmpty, check_empty, leave_tables, pay_out, tables_with
from punto.service.money.standing import FoundTable
from punto.table import commands, encode
from punto.table.events import PatronStood
from service_process import opening, until

MIDNIGHT = start_of_days("00:00+00:00")
AT = "2026-11-15T20:00:00Z"


@pytest.fixture(params=databases.KINDS)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    found = Journal(databases.fresh(request.param, tmp_path))
    found.upgrade()
    yield found
    found.close()


class House:
    """A service whose accounts have the persons that it gave them."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client
        self.accounts: Accounts = client.app.state.casino.accounts
        self.journal: Journal = client.app.state.casino.floor.journal
        self.tokens: dict[str, str] = {}
        self.persons: dict[str, str] = {}
        self.add("boss-login", "staff", {"*": HeldPost("pit-manager")})

    def add(self, name: str, kind: str = "patron", posts: dict[str, HeldPost] | None = None, **more: str) -> str:
        made = self.accounts.make(name, kind, None, posts, **more)
        self.tokens[name], self.persons[name] = self.accounts.token(made), made.person
        return made.person

    def ask(self, name: str, path: str) -> httpx.Response:
        return self.client.get(path, headers={"Authorization": f"Bearer {self.tokens[name]}"})

    def do(self, name: str, **command: Any) -> httpx.Response:
        head = {"Authorization": f"Bearer {self.tokens[name]}"}
        return self.client.post("/api/tables/t1/commands", headers=head, json=command)

    def must(self, name: str, **command: Any) -> None:
        answer = self.do(name, **command)
        assert answer.status_code == 200, answer.text

    def open(self) -> None:
        self.must("boss-login", **opening("wu-song", auto=["announce", "settle"]))
        self.must("boss-login", do="load-shoe")

    def sit(self, name: str, box: int, amount: str) -> None:
        self.must(name, do="sit", patron=self.persons[name], box=box)
        self.must(name, do="buy-in", patron=self.persons[name], amount=money(amount))


def served(database: str, folder: Path, **given: object) -> TestClient[Litestar]:
    more = {"rate": 10_000, "burst": 10_000, "money": "play", **given}
    return TestClient(build(settings(None, {}, database=database, key_file=str(folder / "p.key"), **more)))


@pytest.fixture(params=databases.KINDS)
def any_house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    with served(databases.fresh(request.param, tmp_path), tmp_path) as client:
        yield House(client)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with served(databases.fresh("sqlite", tmp_path), tmp_path) as client:
        yield House(client)


def test_a_person_is_an_id_that_says_nothing(house: House) -> None:
    found = house.add("ann-login", shown="Ms Chan 陳")
    assert re.fullmatch(r"p-[a-z2-7]{10}", found)
    me = house.ask("ann-login", "/api/me").json()
    who = {"name": "ann-login", "kind": "patron", "posts": {}, "person": found, "shown": "Ms Chan 陳"}
    assert me == {**who, "remind": 0}


def test_who_gets_the_name_of_somebody_who_was_removed_inherits_nothing(any_house: House) -> None:
    house = any_house
    house.open()
    first = house.add("ann-login")
    house.sit("ann-login", 1, "7777")
    house.accounts.remove("ann-login", hold=True, by="console")
    second = house.add("ann-login")
    assert second != first
    view = house.ask("ann-login", "/api/tables/t1").json()
    assert view["you"] == second
    assert not any(each["balance"] for each in view["view"]["patrons"])
    assert house.do("ann-login", do="cash-out", patron=first).status_code == 409
    house.must("ann-login", do="sit", patron=second, box=1)
    [own] = [each for each in house.ask("ann-login", "/api/tables/t1").json()["view"]["patrons"] if each["box"] == 1]
    assert (own["name"], own["balance"]) == (second, 0)


def test_nobody_is_removed_who_owns_or_owes_something(house: House) -> None:
    house.open()
    ann = house.add("ann-login")
    house.sit("ann-login", 1, "500")
    with pytest.raises(BadAccount, match=r"500\.00 USD at t1. Cash that out first, or let the house hold it"):
        house.accounts.remove("ann-login")
    house.must("boss-login", do="open-bets")
    house.must("ann-login", do="place", patron=ann, bet="player", stake=money("100"))
    with pytest.raises(BadAccount, match=r"100\.00 USD at stake at t1"):
        house.accounts.remove("ann-login", hold=True)
    house.must("ann-login", do="withdraw", patron=ann, bet="player")
    house.must("ann-login", do="cash-out", patron=ann)
    house.accounts.remove("ann-login")
    assert house.accounts.get("ann-login", fresh=True) is None


def test_whoever_sat_at_a_table_that_was_closed_can_be_removed(house: House) -> None:
    house.open()
    ann = house.add("ann-login")
    house.must("ann-login", do="sit", patron=ann, box=1)
    house.must("boss-login", do="end-shoe")
    house.must("boss-login", do="close-table")
    house.accounts.remove("ann-login", hold=True)
    assert house.accounts.get("ann-login", fresh=True) is None


def test_a_table_that_does_not_let_somebody_go_is_a_sentence(house: House) -> None:
    """It is closed between the look at it and the act."""
    house.open()
    ann = house.add("ann-login")
    house.must("ann-login", do="sit", patron=ann, box=1)
    [found] = tables_with(house.journal, ann)
    closed = msgspec.structs.replace(found, table=msgspec.structs.replace(found.table, open=False))
    with pytest.raises(PurseNotEmpty, match=r"^t1 does not let them go. The table is closed.$"):
        purses._append(house.journal, closed, commands.Leave(ann, by=ann), "console", lambda: AT)


def test_an_account_is_open_again_after_a_removal_that_failed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open()
    ann = house.add("ann-login")

    def fail() -> None:
        raise JournalError("The store is away.")

    between_the_looks(monkeypatch, fail, at=2)
    with pytest.raises(JournalError):
        house.accounts.remove("ann-login")
    assert not house.accounts.existing("ann-login").closed
    house.tokens["ann-login"] = house.accounts.token(house.accounts.existing("ann-login"))
    house.sit("ann-login", 1, "500")
    assert house.accounts.of_person(ann) == house.accounts.existing("ann-login")


def between_the_looks(monkeypatch: pytest.MonkeyPatch, what: Callable[[], object], *, at: int = 1) -> None:
    """Let something happen in the middle of a removal, after one of its looks at what the person owns."""
    looked = iter(range(1, 9))

    def then(journal: Journal, person: str, **given: Any) -> None:
        if next(looked) == at:
            what()
        leave_tables(journal, person, **given)

    monkeypatch.setattr(directory, "leave_tables", then)


@pytest.mark.parametrize("hold", [False, True])
def test_what_is_bought_in_while_an_account_is_removed_is_seen(
    any_house: House, monkeypatch: pytest.MonkeyPatch, hold: bool
) -> None:
    house = any_house
    house.open()
    ann = house.add("ann-login")
    between_the_looks(monkeypatch, lambda: house.sit("ann-login", 1, "500"))
    if hold:
        house.accounts.remove("ann-login", hold=True)
        assert MoneyChain(house.journal).ask(lambda state: state.held[ann]) == {"USD": money("500")}
        check_empty(house.journal, ann)
        assert all(each.table.patrons[ann].away for each in tables_with(house.journal, ann))
        return
    with pytest.raises(BadAccount, match=r"500\.00 USD at t1"):
        house.accounts.remove("ann-login")
    assert house.do("ann-login", do="cash-out", patron=ann).status_code == 403  # the sessions have ended
    house.tokens["ann-login"] = house.accounts.token(house.accounts.existing("ann-login"))
    house.must("ann-login", do="cash-out", patron=ann)


@pytest.mark.parametrize("kind", ["play", "wallet"])
@pytest.mark.parametrize("database", databases.KINDS)
def test_nobody_buys_in_by_an_account_that_is_being_removed(
    database: str, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with served(databases.fresh(database, tmp_path), tmp_path, money=kind) as client:
        house = House(client)
        house.open()
        ann = house.add("ann-login")
        house.accounts.set_password("ann-login", "correct horse")
        house.tokens["ann-login"] = house.accounts.log_in("ann-login", "correct horse")
        house.must("ann-login", do="sit", patron=ann, box=1)
        OwnWallet(house.journal).credit("first", ann, money("900"), "USD")
        known, casino = house.accounts.existing("ann-login"), client.app.state.casino
        answers: list[object] = []

        def try_everything() -> None:
            answers.append(house.do("ann-login", do="buy-in", patron=ann, amount=money("500")).status_code)
            given = {"name": "ann-login", "password": "correct horse"}
            answers.append(client.post("/api/login", json=given).status_code)
            for who, command in (
                ("boss-login", "sit"),
                ("boss-login", "buy-in"),
            ):  # staff, for the person who is leaving
                more = {"box": 2} if command == "sit" else {"amount": money("500")}
                answers.append(house.do(who, do=command, patron=ann, **more).status_code)
            late = commands.BuyIn(ann, money("500"))
            with pytest.raises((Denied, Refused)):  # of a process that has not heard of it, or knows that ann has left
                client.blocking_portal.call(casino.teller.give, known, "t1", late, "late")

        between_the_looks(monkeypatch, try_everything, at=2)
        house.accounts.remove("ann-login", hold=True)
        assert answers == [403, 403, 200, 409]
        assert house.do("boss-login", do="sit", patron=ann, box=2).status_code == 200
        assert "no chips are bought" in house.do("boss-login", do="buy-in", patron=ann, amount=money("500")).text
        assert OwnWallet(house.journal).balance(ann) == {"USD": money("900")}
        assert not any(each.table.patrons[ann].balance for each in tables_with(house.journal, ann))


def test_what_is_held_is_on_record_and_paid_out_once(any_house: House) -> None:
    house = any_house
    house.open()
    ann = house.add("ann-login")
    house.sit("ann-login", 1, "500")
    house.accounts.remove("ann-login", hold=True, by="console:eve")
    count = Counter(house.journal, MIDNIGHT).count()
    assert count.zero
    assert count.held == {ann: {"USD": money("500")}}
    assert house.journal.entries(MONEY)[-1].who == "console:eve"
    with pytest.raises(PurseNotEmpty, match=r"The house holds 500\.00 USD"):
        pay_out(house.journal, ann, money("500.01"), "USD", by="console:eve", at=AT)
    pay_out(house.journal, ann, money("500"), "USD", by="console:eve", at=AT)
    with pytest.raises(PurseNotEmpty, match=r"The house holds 0\.00 USD"):
        pay_out(house.journal, ann, 1, "USD", by="console:eve", at=AT)
    count = Counter(house.journal, MIDNIGHT).count()
    assert (count.zero, count.held, count.currencies[0].cage) == (True, {}, 0)
    assert first_broken(house.journal.entries(MONEY)) is None
    # The running service has gone on with the table that was cashed out beside it.
    house.must("boss-login", do="open-bets")


def test_what_a_removal_does_at_a_table_is_not_dated_before_what_happened_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table goes on while it is looked for: the patron's chips leave it after that, also by the clock."""
    house.open()
    house.add("ann-login")
    house.sit("ann-login", 1, "500")

    def meanwhile(*given: Any) -> list[FoundTable]:
        began = house.accounts.house.now()
        until(lambda: house.accounts.house.now() > began, "the clock to go on")
        house.must("boss-login", do="post-limits", limits={"minimum": 1000, "maximum": 1000000, "differential": 10**8})
        return tables_with(*given)

    monkeypatch.setattr(purses, "tables_with", meanwhile)
    house.accounts.remove("ann-login", hold=True)
    dated = [each.at for each in house.journal.entries("t1")]
    assert dated == sorted(dated)


def test_no_login_name_is_in_anything_that_is_told(house: House) -> None:
    house.open()
    for box, name in enumerate(("ann-login", "bob-login"), 1):
        house.add(name, shown="Bob" if name == "bob-login" else "")
        house.sit(name, box, "1000")
    house.must("boss-login", do="open-bets")
    house.must("ann-login", do="place", patron=house.persons["ann-login"], bet="player", stake=money("100"))
    told = []
    for path in ("", "/events", "/rounds", "/desk", "/requests"):
        told += [house.ask(name, f"/api/tables/t1{path}").text for name in ("ann-login", "bob-login", "boss-login")]
        told.append(house.client.get(f"/api/tables/t1{path}").text)
    for head in ({}, *({"Authorization": f"Bearer {house.tokens[name]}"} for name in ("ann-login", "boss-login"))):
        for way in ("stream?after=0", "screen?after=0"):
            with house.client.websocket_connect(f"/api/tables/t1/{way}", headers=head) as socket:
                told.append(json.dumps(socket.receive_json()))
    told += [entry.who for entry in house.journal.entries("t1")]
    told += [body.decode() for entry in house.journal.entries("t1") for body in (*entry.events, entry.command or b"")]
    assert len(told) > 30
    assert [each for each in told if "-login" in each] == []
    assert house.client.get("/api/tables/t1").json()["shown"] == {house.persons["bob-login"]: "Bob"}


def test_names_of_the_staff_are_shown_to_the_staff_alone(house: House) -> None:
    house.accounts.show_as("boss-login", "Mr Wong")
    house.open()
    assert house.ask("boss-login", "/api/tables/t1").json()["shown"] == {house.persons["boss-login"]: "Mr Wong"}
    assert house.client.get("/api/tables/t1").json()["shown"] == {}
    house.accounts.show_as("boss-login", "")
    assert house.accounts.shown(house.persons["boss-login"]) == house.persons["boss-login"]


def test_the_id_of_a_person_is_never_used_again(journal: Journal) -> None:
    accounts = Accounts(journal)
    accounts.make("ann", "patron", person="p-ann")
    with pytest.raises(BadAccount, match="never used again"):
        accounts.make("bob", "patron", person="p-ann")
    accounts.remove("ann")
    for again in (accounts, Accounts(journal)):
        with pytest.raises(BadAccount, match="never used again"):
            again.make("bob", "patron", person="p-ann")
    with pytest.raises(BadAccount, match="a word of the books or of the house"):
        accounts.make("bob", "patron", person="pit-manager")
    with pytest.raises(BadAccount, match="small letters"):
        accounts.make("bob", "patron", person="P ann")
    assert accounts.get("bob", fresh=True) is None


def test_an_account_of_the_first_releases_is_the_person_of_its_name(journal: Journal) -> None:
    journal.add_record("account", "ann", '{"name": "ann", "kind": "patron", "version": 7}')
    accounts = Accounts(journal)
    found = accounts.get("ann")
    assert found is not None
    assert (found.person, found.version) == ("ann", 7)
    with pytest.raises(BadAccount, match="never used again"):
        accounts.make("bob", "patron", person="ann")
    accounts.remove("ann")
    with pytest.raises(BadAccount, match="never used again"):
        accounts.make("ann", "patron", person="ann")
    assert accounts.make("ann", "patron").person != "ann"
    assert read_account(json.dumps({"name": "x", "kind": "staff", "person": "p-1"})).person == "p-1"


def test_other_processes_learn_the_names_that_are_shown(journal: Journal) -> None:
    one, other = Accounts(journal), Accounts(journal)
    ann = one.make("ann", "patron", shown="Ann").person
    one.make("bob", "patron")
    one.show_as("bob", "Bob")
    one.show_as("ann", "Ms Chan")
    other._updated -= 10
    asyncio.run(other.bearer(one.token(one.existing("bob"))))
    assert other.shown(ann) == "Ms Chan"
    assert Accounts(journal).shown(ann) == "Ms Chan"
    one.remove("ann")
    assert Accounts(journal).shown(ann) == ann
    with pytest.raises(BadAccount, match="printable"):
        one.show_as("bob", "B\u202eb")
    assert first_broken(journal.entries(HOUSE)) is None


def test_an_id_that_staff_have_seated_somebody_under_is_taken(house: House) -> None:
    house.open()
    house.must("boss-login", do="sit", patron="walk-in", box=3)
    house.must("boss-login", do="leave", patron="walk-in")
    with pytest.raises(BadAccount, match="never used again"):
        house.accounts.check_never_used("walk-in")
    house.accounts.check_never_used("somebody-new")


def test_what_was_read_of_a_table_once_is_not_read_again_for_a_new_id(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts = Accounts(journal)
    reached = append_history(journal, "t1", 60)
    read: list[int] = []
    entries = Journal.entries

    def counted(self: Journal, table: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        found = entries(self, table, after, limit)
        read.append(len(found) if table == "t1" else 0)
        return found

    monkeypatch.setattr(Journal, "entries", counted)
    accounts.check_never_used("somebody-new")
    assert sum(read) == len(entries(journal, "t1")) + 1, "what is kept is bound to the last entry"
    read.clear()
    accounts.check_never_used("somebody-new")
    assert sum(read) == 1
    read.clear()
    journal.append([Append("t1", reached, "later", "dealer", AT, (encode(PatronStood("walk-in")),))])
    with pytest.raises(BadAccount, match="never used again"):
        accounts.check_never_used("walk-in")
    assert sum(read) == 2
    with pytest.raises(BadAccount, match="never used again"):
        accounts.check_never_used("ann")
