"""Money comes from somewhere: a cage, a wallet, or nowhere where a house says so; and all of it sums to zero."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count as count_from
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient

import databases
from patient_settings import settings
from punto.amounts import money
from punto.journal import MONEY, WALLET, Entry, Journal, JournalError, StoredEvent, Unavailable, first_broken
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.days import start_of_days
from punto.service.hourly import HourlyLimit
from punto.service.http.app import build
from punto.service.money import chain_fold
from punto.service.money.acts import MoneyAct, MoneyChain
from punto.service.money.chain_fold import KEPT, KeptFold
from punto.service.money.count import Count, Counter
from punto.service.money.http_wallet import HttpWallet
from punto.service.money.own_wallet import OwnWallet
from punto.service.money.wallet import WalletRefused, WalletUnclear
from punto.service.settings import BadSettings
from service_process import open_house, opening, until
from wallet_server import WalletServer, wallet_server

MIDNIGHT = start_of_days("00:00+00:00")
HUNDRED = money("100")


class House:
    """A service with two tables, a pit manager (lee), a cashier (cas) and patrons, each with their own name as id."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client
        self.casino = client.app.state.casino
        self.accounts: Accounts = self.casino.accounts
        self.journal: Journal = self.casino.floor.journal
        self.tokens: dict[str, str] = {}
        self.add("lee", "staff", {"*": HeldPost("table-game-shift-manager")})
        self.add("cas", "staff", {"*": HeldPost("cashier")})
        self.add("ann")
        self.add("bob")

    def add(self, name: str, kind: str = "patron", posts: dict[str, HeldPost] | None = None) -> None:
        known = self.accounts.get(name)
        made = known or self.accounts.make(name, kind, None, posts, person=name)
        self.tokens[name] = self.accounts.token(made)

    def head(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def do(self, name: str, do: str, *, table: str = "t1", key: str = "", **more: Any) -> httpx.Response:
        head = self.head(name) | ({"Idempotency-Key": key} if key else {})
        return self.client.post(f"/api/tables/{table}/commands", headers=head, json={"do": do, **more})

    def must(self, name: str, do: str, **more: Any) -> None:
        answer = self.do(name, do, **more)
        assert answer.status_code == 200, answer.text

    def get(self, name: str, path: str) -> Any:
        answer = self.client.get(path, headers=self.head(name))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, name: str, path: str, **body: Any) -> httpx.Response:
        return self.client.post(path, headers=self.head(name), json=body)

    def open(self, *names: str) -> None:
        for name in names or ("t1",):
            given = opening("wu-song", auto=["announce", "settle"])
            self.must("lee", str(given.pop("do")), table=name, **given)
            self.must("lee", "load-shoe", table=name)
            for box, who in enumerate(("ann", "bob"), 1):
                self.must(who, "sit", table=name, patron=who, box=box)

    def buys(self, who: str, amount: int, by: str = "", **more: Any) -> httpx.Response:
        return self.do(by or who, "buy-in", patron=who, amount=amount, **more)

    def chips(self, who: str, table: str = "t1") -> int:
        found = self.get("lee", f"/api/tables/{table}")["view"]["patrons"]
        chips: int = next(each["balance"] + each["held"] for each in found if each["name"] == who)
        return chips

    def count(self) -> Count:
        return Counter(self.journal, MIDNIGHT).count()


@contextmanager
def served(database: str, folder: Path, **given: object) -> Iterator[House]:
    more = {"rate": 10_000, "burst": 10_000, **given}
    app = build(settings(None, {}, database=database, key_file=str(folder / "p.key"), **more))
    with TestClient(app) as client:
        yield House(client)


@pytest.fixture(params=databases.KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return databases.fresh(request.param, tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> str:
    return databases.fresh("sqlite", tmp_path)


# The cage


def test_with_a_cage_nobody_helps_themself(url: str, tmp_path: Path) -> None:
    assert settings(None, {}).money == "cage"
    with served(url, tmp_path) as house:
        house.open()
        asked: dict[str, dict[str, Any]] = {"buy-in": {"amount": 10**12}, "cash-out": {}, "pay-owed": {"amount": 100}}
        for do, more in asked.items():
            refused = house.do("ann", do, patron="ann", **more)
            assert refused.status_code == 409
            assert refused.json()["message"]["id"] == "ask-the-cashier"
        with house.client.websocket_connect("/api/tables/t1/stream", headers=house.head("ann")) as socket:
            socket.send_json({"key": "k", "command": {"do": "buy-in", "patron": "ann", "amount": 1000}})
            told = socket.receive_json()
            while told.get("key") != "k":
                told = socket.receive_json()
            assert told["message"]["id"] == "ask-the-cashier"
        assert house.chips("ann") == 0
        assert house.buys("ann", HUNDRED, by="cas").status_code == 200
        assert house.buys("ann", HUNDRED, by="lee").status_code == 200
        assert house.buys("ann", HUNDRED, by="bob").status_code == 409
        assert house.chips("ann") == 2 * HUNDRED
        assert house.do("ann", "cash-out", patron="ann").status_code == 409
        house.must("cas", "cash-out", patron="ann", amount=HUNDRED)
        assert house.chips("ann") == HUNDRED
        given_by = [entry.who for entry in house.journal.entries("t1") if b"bought-in" in entry.events[0]]
        assert given_by[0] == "cas"
        assert house.count().zero


def test_a_cashier_does_nothing_but_money(file: str, tmp_path: Path) -> None:
    with served(file, tmp_path) as house:
        house.open()
        for do, more in (
            ("open-bets", {}),
            ("place", {"patron": "ann", "bet": "player", "stake": 1000}),
            ("leave", {"patron": "ann"}),
            ("assign", {"person": "cas", "post": "dealer"}),
        ):
            assert house.do("cas", do, **more).status_code == 403
        house.must("lee", "assign", person="cashier", post="dealer")  # nobody's rank, and nobody of that name
        house.add("sid", "staff", {"t2": HeldPost("cashier")})
        assert house.buys("ann", HUNDRED, by="sid").status_code == 403
        assert house.client.get("/api/tables/t1/desk", headers=house.head("cas")).status_code == 403
        assert all(each["balance"] is None for each in house.get("cas", "/api/tables/t1")["view"]["patrons"])


@pytest.mark.parametrize("error", [Unavailable("The store has not answered."), JournalError("It is full.")])
def test_what_the_store_does_not_take_now_is_told_to_be_sent_again(
    error: JournalError, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page sends again what is refused as a `JournalError`, whichever it is."""
    with served(file, tmp_path) as house:
        house.open()

        async def fail(*_: Any) -> None:
            raise error

        monkeypatch.setattr(house.casino.teller, "give", fail)
        with house.client.websocket_connect("/api/tables/t1/stream", headers=house.head("ann")) as socket:
            socket.send_json({"key": "k", "command": {"do": "buy-in", "patron": "ann", "amount": 1000}})
            told = socket.receive_json()
            while told.get("key") != "k":
                told = socket.receive_json()
        assert (told["kind"], told["refused"]) == ("JournalError", str(error))


def test_a_patron_asks_and_staff_confirm_once(file: str, tmp_path: Path) -> None:
    with served(file, tmp_path) as house:
        house.open("t1", "t2")
        path = "/api/tables/t1/requests"
        assert house.post("ann", path, do="buy-in").status_code == 400
        assert house.post("lee", path, do="buy-in", amount=100).status_code == 403
        first = house.post("ann", path, do="buy-in", amount=5 * HUNDRED).json()
        asked = house.post("ann", path, do="buy-in", amount=HUNDRED).json()
        assert house.post("bob", path, do="cash-out").status_code == 409  # who has no chips
        assert house.post("bob", path, do="cash-out", amount=HUNDRED).status_code == 200
        assert [each["person"] for each in house.get("cas", path)] == ["ann", "bob"]
        assert house.get("ann", path) == [asked]
        assert house.get("lee", "/api/tables/t2/requests") == []
        assert house.post("cas", f"{path}/{first['id']}", confirm=True).status_code == 404
        assert house.post("ann", f"{path}/{asked['id']}", confirm=True).status_code == 403
        assert house.post("bob", f"{path}/{asked['id']}", confirm=True).status_code == 404
        with ThreadPoolExecutor(4) as pool:
            sent = [pool.submit(house.post, who, f"{path}/{asked['id']}", confirm=True) for who in ("cas", "lee") * 2]
            statuses = [each.result().status_code for each in sent]
        assert 204 in statuses
        assert set(statuses) <= {204, 404, 409}
        assert house.chips("ann") == HUNDRED
        [bobs] = house.get("lee", path)
        assert house.post("bob", f"{path}/{bobs['id']}", confirm=False).status_code == 204
        assert house.get("lee", path) == []
        assert house.count().zero


@pytest.mark.parametrize("wins", [False, True])
def test_the_cage_pays_what_it_was_shown_whatever_a_second_tab_does_meanwhile(
    file: str, tmp_path: Path, wins: bool
) -> None:
    with served(file, tmp_path) as house:
        house.open()
        house.buys("ann", 5 * HUNDRED, by="cas")
        path = "/api/tables/t1/requests"
        assert house.post("ann", path, do="cash-out").status_code == 200
        [asked] = house.get("cas", path)
        assert asked["amount"] == 5 * HUNDRED
        if wins:
            house.buys("ann", 2 * HUNDRED, by="lee")
        else:
            house.must("lee", "open-bets")
            house.must("ann", "place", patron="ann", bet="player", stake=HUNDRED)
        answer = house.post("cas", f"{path}/{asked['id']}", confirm=True)
        assert answer.status_code == (204 if wins else 409)
        assert house.chips("ann") == (2 * HUNDRED if wins else 5 * HUNDRED)
        assert house.count().zero


# Play money, and limits


def test_play_money_has_an_end(file: str, tmp_path: Path) -> None:
    with served(file, tmp_path, money="play", play_most=3 * HUNDRED) as house:
        house.open()
        assert house.get("ann", "/api/tables/t1")["money"] == "play"
        assert house.buys("ann", 2 * HUNDRED, key="k").status_code == 200
        refused = house.buys("ann", 2 * HUNDRED)
        assert (refused.status_code, refused.json()["message"]["id"]) == (409, "play-money-enough")
        assert house.buys("ann", 2 * HUNDRED, key="k").json()["repeated"]
        assert house.buys("ann", HUNDRED).status_code == 200
        assert house.buys("ann", 10**12).status_code == 409
        assert house.chips("ann") == 3 * HUNDRED


def test_buy_ins_are_limited_by_amount_person_and_table(file: str, tmp_path: Path) -> None:
    limits = {"buy_in_most": 5 * HUNDRED, "buy_in_person_day": 8 * HUNDRED, "buy_in_table_day": 10 * HUNDRED}
    with served(file, tmp_path, **limits) as house:
        house.open("t1", "t2")

        def refused(who: str, amount: int, table: str = "t1") -> str:
            answer = house.buys(who, amount, by="cas", table=table)
            assert answer.status_code == 409
            found: str = answer.json()["message"]["id"]
            return found

        assert refused("ann", 6 * HUNDRED) == "buy-in-above-most"
        assert house.buys("ann", 5 * HUNDRED, by="cas", key="k").status_code == 200
        assert house.buys("ann", 5 * HUNDRED, by="cas", key="k").json()["repeated"]
        assert refused("ann", 4 * HUNDRED, "t2") == "buy-in-above-persons-day"
        assert house.buys("ann", 3 * HUNDRED, by="lee", table="t2").status_code == 200
        assert refused("ann", HUNDRED) == "buy-in-above-persons-day"
        assert house.buys("bob", 5 * HUNDRED, by="lee").status_code == 200
        assert refused("bob", HUNDRED) == "buy-in-above-tables-day"
        assert (
            "0.00 more can be bought in at this table today" in house.buys("bob", HUNDRED, by="cas").json()["refused"]
        )
        assert house.buys("bob", HUNDRED, by="cas", table="t2").status_code == 200
        house.casino.floor.clock = lambda: "2100-01-01T00:00:00Z"
        house.casino.teller._limits._clock = house.casino.floor.clock
        assert house.buys("bob", 5 * HUNDRED, by="cas").status_code == 200, "another day"
        assert house.count().zero


def test_limits_hold_when_everything_comes_at_once(url: str, tmp_path: Path) -> None:
    with served(url, tmp_path, buy_in_person_day=5 * HUNDRED) as house, ThreadPoolExecutor(8) as pool:
        house.open("t1", "t2")
        sent = [
            pool.submit(house.buys, "ann", HUNDRED, by=by, table=table)
            for by, table in (("cas", "t1"), ("lee", "t2")) * 6
        ]
        statuses = [each.result().status_code for each in sent]
        assert statuses.count(200) == 5
        assert house.chips("ann") + house.chips("ann", "t2") == 5 * HUNDRED


def test_a_second_process_does_not_get_around_the_limits(tmp_path: Path) -> None:
    url = databases.fresh("postgresql", tmp_path)
    with served(url, tmp_path, buy_in_person_day=3 * HUNDRED) as one:
        one.open()
        with served(url, tmp_path, buy_in_person_day=3 * HUNDRED) as other, ThreadPoolExecutor(6) as pool:
            sent = [pool.submit(each.buys, "ann", HUNDRED, by="cas") for each in (one, other) * 3]
            assert [each.result().status_code for each in sent].count(200) == 3
        assert one.count().zero


def test_clocks_that_differ_at_the_end_of_a_day_give_no_more_than_both_days(file: str, tmp_path: Path) -> None:
    with served(file, tmp_path, buy_in_person_day=3 * HUNDRED) as house:
        house.open()

        def bought(at: str) -> int:
            house.casino.floor.clock = house.casino.teller._limits._clock = lambda: at
            return house.buys("ann", HUNDRED, by="cas").status_code

        ahead, behind = "2027-01-02T00:00:01Z", "2027-01-01T23:59:59Z"
        statuses = [bought(at) for _ in range(5) for at in (ahead, behind)]
        assert statuses == [200] * 6 + [409] * 4  # three of each day, in turn


def test_settings_that_contradict_each_other() -> None:
    for given in ({"money": "gold"}, {"day_starts": "noon"}, {"day_starts": "06:00"}, {"wallet": "http://w"}):
        with pytest.raises(BadSettings):
            settings(None, {}, **given)


# The house's own wallet


def test_a_wallet_pays_for_chips_and_is_paid_for_them(file: str, tmp_path: Path) -> None:
    with served(file, tmp_path, money="wallet") as house:
        house.open()
        wallet = OwnWallet(house.journal)
        wallet.deposit("d1", "ann", 10 * HUNDRED, "USD", who="cas")
        refused = house.buys("ann", 11 * HUNDRED)
        assert (refused.status_code, refused.json()["message"]["id"]) == (409, "wallet-refused")
        assert house.buys("bob", HUNDRED).status_code == 409
        assert house.buys("ann", 4 * HUNDRED, key="k").status_code == 200
        assert house.buys("ann", 4 * HUNDRED, key="k").json()["repeated"]
        assert (wallet.balance("ann"), house.chips("ann")) == ({"USD": 6 * HUNDRED}, 4 * HUNDRED)
        assert house.buys("bob", HUNDRED, by="ann").status_code == 409
        house.must("ann", "cash-out", patron="ann", amount=HUNDRED)
        assert (wallet.balance("ann"), house.chips("ann")) == ({"USD": 7 * HUNDRED}, 3 * HUNDRED)
        house.must("ann", "cash-out", patron="ann")
        assert wallet.balance("ann") == {"USD": 10 * HUNDRED}
        assert house.do("ann", "cash-out", patron="ann").status_code == 409
        assert house.buys("ann", HUNDRED, by="lee").status_code == 200, "the dealer takes money, too"
        count = house.count()
        assert count.zero
        assert count.wallets == {"ann": {"USD": 10 * HUNDRED}}
        assert house.casino.teller.transfers._chain.ask(lambda state: dict(state.open)) == {}
        assert first_broken(house.journal.entries(WALLET)) is None


def test_who_is_refused_by_their_wallet_again_and_again_fills_no_journal(file: str, tmp_path: Path) -> None:
    with served(file, tmp_path, money="wallet") as house:
        house.open()
        house.casino.teller.transfers._refused = HourlyLimit(house.journal, "few", 3, clock=lambda: 0.0)
        assert [house.buys("ann", HUNDRED).status_code for _ in range(5)] == [409] * 3 + [429] * 2
        before = house.casino.floor.journal.head(MONEY)
        assert house.buys("ann", HUNDRED).status_code == 429
        assert house.casino.floor.journal.head(MONEY) == before


def test_the_same_command_at_once_is_paid_for_once(url: str, tmp_path: Path) -> None:
    with served(url, tmp_path, money="wallet") as house, ThreadPoolExecutor(6) as pool:
        house.open()
        OwnWallet(house.journal).deposit("d1", "ann", 10 * HUNDRED, "USD", who="cas")
        sent = [pool.submit(house.buys, "ann", HUNDRED, key="k") for _ in range(6)]
        assert {each.result().status_code for each in sent} == {200}
        assert house.chips("ann") == HUNDRED
        assert OwnWallet(house.journal).balance("ann") == {"USD": 9 * HUNDRED}
        assert house.count().zero


def test_the_own_wallet_moves_each_key_once(file: str) -> None:
    journal = Journal(file)
    journal.upgrade()
    one, other = OwnWallet(journal), OwnWallet(journal)
    one.deposit("d", "ann", 100, "USD", who="cas")
    for wallet in (one, other, OwnWallet(journal)):
        wallet.debit("k", "ann", 100, "USD")
        with pytest.raises(WalletRefused, match=r"There is 0\.00 USD in the wallet"):
            wallet.debit(f"more-{id(wallet)}", "ann", 1, "USD")
    for wallet in (one, other):
        wallet.credit("back", "ann", 100, "USD")
    assert other.balance("ann") == {"USD": 100}
    for amount in (0, -5, 10**16):
        with pytest.raises(WalletRefused):
            one.deposit("bad", "ann", amount, "USD", who="cas")
    journal.close()


def test_the_own_wallet_answers_a_key_as_it_did_first(file: str) -> None:
    """As it is demanded of every wallet: what it has refused, it does not do when it is asked again."""
    journal = Journal(file)
    journal.upgrade()
    one, other = OwnWallet(journal), OwnWallet(journal)
    with pytest.raises(WalletRefused, match=r"There is 0\.00 USD in the wallet"):
        one.debit("k", "ann", 100, "USD")
    other.deposit("d", "ann", 100, "USD", who="cas")
    for wallet in (one, other, OwnWallet(journal)):
        with pytest.raises(WalletRefused, match=r"There is 0\.00 USD in the wallet"):
            wallet.debit("k", "ann", 100, "USD")
        assert not wallet.has("k")
    one.debit("another", "ann", 100, "USD")
    assert other.balance("ann") == {}
    head = journal.head(WALLET)
    with pytest.raises(WalletRefused):
        one.withdraw("w", "ann", 1, "USD", who="cas")
    assert journal.head(WALLET) == head, "what the cage cannot pay is told there, and not kept"
    journal.close()


def test_what_one_process_was_refused_the_other_does_not_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Money comes to the wallet between the refusal and the record of it, while another process asks for the same."""
    database = databases.fresh("postgresql", tmp_path)
    with served(database, tmp_path, money="wallet") as one, served(database, tmp_path, money="wallet") as other:
        one.open()
        wallet, refused = one.casino.teller.transfers._wallet, []
        real = wallet.debit

        def slow(key: str, person: str, amount: int, currency: str) -> None:
            try:
                real(key, person, amount, currency)
            except WalletRefused as error:
                refused.append(str(error))
                OwnWallet(other.journal).deposit("d1", "ann", HUNDRED, "USD", who="cas")
                other.client.blocking_portal.call(other.casino.teller.transfers.finish_all)
                raise

        monkeypatch.setattr(wallet, "debit", slow)
        assert one.buys("ann", HUNDRED, key="k").status_code == 409
        assert refused
        assert (one.chips("ann"), OwnWallet(one.journal).balance("ann")) == (0, {"USD": HUNDRED})
        assert one.count().zero


def test_what_was_kept_of_a_chain_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_fold, "KEEP_EVERY", 20)
    journal = Journal(databases.fresh("sqlite", tmp_path))
    journal.upgrade()
    wallet = OwnWallet(journal)
    for number in range(23):
        wallet.deposit(f"d{number}", "ann", 1, "USD", who="cas")
    kept = journal.record(KEPT, WALLET)
    assert kept is not None
    reads: list[int] = []
    read = journal.read

    def noted(chain: str, after: int, limit: int | None = None) -> list[StoredEvent]:
        reads.append(after)
        return read(chain, after, limit)

    monkeypatch.setattr(journal, "read", noted)
    assert OwnWallet(journal).balance("ann") == {"USD": 23}
    assert reads[0] == 20, "only the rest is read"
    journal.put_record(KEPT, WALLET, kept.replace('"form":1', '"form":0'))
    assert OwnWallet(journal).balance("ann") == {"USD": 23}
    journal.close()


def test_nobody_who_can_write_to_the_database_puts_money_into_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A richer state with deposits to match would sum to zero, and no chain would tell of it."""
    monkeypatch.setattr(chain_fold, "KEEP_EVERY", 20)
    journal = open_house(databases.fresh("sqlite", tmp_path))
    wallet, chain = OwnWallet(journal), MoneyChain(journal)
    for number in range(25):
        wallet.deposit(f"d{number}", "ann", 1, "USD", who="cas")
        chain.note(MoneyAct("held", "2026-11-16T00:00:00Z", "cas", "bob", 1, "USD"), lambda _: True)
    body, of_money = journal.record(KEPT, WALLET), journal.record(KEPT, MONEY)
    assert body is not None
    assert of_money is not None
    kept = msgspec.json.decode(body, type=KeptFold)
    richer = msgspec.structs.replace(kept, state=msgspec.Raw(bytes(kept.state).replace(b"20}", b"9999}")))
    assert richer != kept
    planted = [
        msgspec.json.encode(richer).decode(),
        msgspec.json.encode(msgspec.structs.replace(richer, seal=richer.sealed(bytes(32), WALLET))).decode(),
        bytes(richer.state).decode(),  # as earlier releases have kept it
        of_money,
        "{}",
    ]
    for each in planted:
        journal.put_record(KEPT, WALLET, each)
        assert OwnWallet(journal).balance("ann") == {"USD": 25}
        assert Counter(journal, MIDNIGHT).count().wallets == {"ann": {"USD": 25}}
    journal.put_record(KEPT, WALLET, body)
    assert OwnWallet(journal).balance("ann") == {"USD": 25}
    locked = Journal(journal.address)  # without the master key all is read from the beginning
    assert OwnWallet(locked).balance("ann") == {"USD": 25}
    locked.close()
    journal.close()


@pytest.mark.parametrize("do", ["cash-out", "buy-in"])
def test_one_key_at_two_processes_is_one_transfer_however_slow_one_of_them_is(
    do: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process finds the key unused, waits until the other has done all of it, goes on, and then its store is away.

    Whoever looks after open transfers must find nothing of it.
    """
    database = databases.fresh("postgresql", tmp_path)
    with served(database, tmp_path, money="wallet") as one, served(database, tmp_path, money="wallet") as other:
        one.open()
        wallet = OwnWallet(one.journal)
        wallet.deposit("d1", "ann", 10 * HUNDRED, "USD", who="cas")
        one.must("ann", "buy-in", patron="ann", amount=5 * HUNDRED)
        real, asked = other.journal.by_key, count_from()

        def slow(table: str, key: str) -> list[Entry]:
            if key != "ann k":
                return real(table, key)
            number = next(asked)
            if number == 0:
                found = real(table, key)
                assert one.do("ann", do, patron="ann", amount=HUNDRED, key="k").status_code == 200
                return found
            raise Unavailable("The store is away.")

        with monkeypatch.context() as patched:
            patched.setattr(other.journal, "by_key", slow)
            assert other.do("ann", do, patron="ann", amount=HUNDRED, key="k").status_code == 503
        for house in (one, other):
            house.client.blocking_portal.call(house.casino.teller.transfers.finish_all)
        assert not MoneyChain(one.journal).ask(lambda state: state.open)
        moved = HUNDRED if do == "cash-out" else -HUNDRED
        assert wallet.balance("ann") == {"USD": 5 * HUNDRED + moved}
        assert one.chips("ann") == 5 * HUNDRED - moved
        assert one.count().zero
        assert other.do("ann", do, patron="ann", amount=HUNDRED, key="k").json()["repeated"]


# A wallet of somebody else


@pytest.fixture
def wallet() -> Iterator[WalletServer]:
    with wallet_server() as server:
        server.balances["ann"] = 10 * HUNDRED
        yield server


def elsewhere(wallet: WalletServer, seconds: float = 10) -> dict[str, object]:
    return {"money": "wallet", "wallet": wallet.address, "wallet_seconds": seconds}


FAULTS = ("fail", "die before", "die after", "late", "nonsense", "other", "less", "twice")


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_the_wallet_does_nothing_is_bought_twice_or_lost(
    fault: str, wallet: WalletServer, tmp_path: Path
) -> None:
    patience = 0.5 if fault == "late" else 10
    with served(databases.fresh("sqlite", tmp_path), tmp_path, **elsewhere(wallet, patience)) as house:
        house.open()
        wallet.faults.append(fault)
        answer = house.buys("ann", HUNDRED, key="k")
        assert answer.status_code == (200 if fault == "twice" else 503), answer.text
        until(lambda: house.buys("ann", HUNDRED, key="k").status_code == 200, "the buy-in")
        assert house.buys("ann", HUNDRED, key="k").json()["repeated"]
        assert (wallet.balances["ann"], house.chips("ann")) == (9 * HUNDRED, HUNDRED)
        wallet.faults.append(fault)
        house.must("ann", "cash-out", patron="ann", key="c")
        house.must("ann", "cash-out", patron="ann", key="c")
        assert house.chips("ann") == 0
        until(lambda: wallet.balances["ann"] == 10 * HUNDRED, "the money to arrive")
        until(lambda: not house.count().currencies[0].under_way, "the transfer to be over")
        assert house.count().zero


def test_an_unclear_debit_is_finished_after_a_restart(url: str, wallet: WalletServer, tmp_path: Path) -> None:
    with served(url, tmp_path, **elsewhere(wallet, 0.5)) as house:
        house.open()
        wallet.faults.extend(["late"])
        wallet.faults_of_questions.extend([""] + ["fail"] * 1000)
        assert house.buys("ann", HUNDRED, key="k").status_code == 503
        assert house.chips("ann") == 0
        assert wallet.balances["ann"] == 9 * HUNDRED
        assert house.buys("ann", HUNDRED, key="k").status_code == 503, "it is still not known"
    wallet.faults_of_questions.clear()
    with served(url, tmp_path, **elsewhere(wallet, 0.5)) as house:
        until(lambda: house.chips("ann") == HUNDRED, "the chips")
        assert house.buys("ann", HUNDRED, key="k").json()["repeated"]
        assert wallet.balances["ann"] == 9 * HUNDRED
        assert house.count().zero


def test_what_the_table_does_not_take_goes_back_to_the_wallet(wallet: WalletServer, tmp_path: Path) -> None:
    """The patron is gone when the wallet's payment is known at last."""
    url = databases.fresh("sqlite", tmp_path)
    with served(url, tmp_path, **elsewhere(wallet)) as house:
        house.open()
        wallet.faults.append("die after")
        wallet.faults_of_questions.extend([""] + ["fail"] * 1000)
        assert house.buys("ann", HUNDRED, key="k").status_code == 503
        house.must("ann", "leave", patron="ann")
        wallet.faults_of_questions.clear()
        until(lambda: wallet.balances["ann"] == 10 * HUNDRED, "the money to come back")
        until(lambda: not house.count().currencies[0].under_way, "the transfer to be over")
        assert house.count().zero
        assert house.buys("ann", HUNDRED, key="k").status_code == 409
        house.must("ann", "sit", patron="ann", box=1)
        assert house.buys("ann", HUNDRED, key="k").status_code == 200, "a refusal is not remembered"
        assert wallet.balances["ann"] == 9 * HUNDRED


@pytest.mark.parametrize("dies_at", range(1, 6))
def test_chips_and_the_record_of_them_are_one_commit(
    dies_at: int, wallet: WalletServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store dies at each of its commits in turn, while money is under way: in the end all of it is somewhere."""
    with served(databases.fresh("sqlite", tmp_path), tmp_path, **elsewhere(wallet)) as house:
        house.open()
        real, numbers = Journal.append, count_from(1)

        def dying(journal: Journal, batch: Any) -> Any:
            if next(numbers) == dies_at:
                raise Unavailable("The store did not answer.")
            return real(journal, batch)

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", dying)
            statuses = [house.buys("ann", HUNDRED, key="k").status_code for _ in range(2)]
            statuses.append(house.do("ann", "cash-out", patron="ann", amount=HUNDRED, key="c").status_code)
        assert set(statuses) <= {200, 409, 503}
        until(lambda: _done(house, "buy-in", "k"), "the buy-in")
        until(lambda: _done(house, "cash-out", "c"), "the cash-out")
        until(lambda: wallet.balances["ann"] == 10 * HUNDRED, "the money to arrive")
        until(lambda: not house.count().currencies[0].under_way, "the transfer to be over")
        assert house.chips("ann") == 0
        assert house.count().zero


def _done(house: House, do: str, key: str) -> bool:
    return house.do("ann", do, patron="ann", amount=HUNDRED, key=key).status_code == 200


def test_money_that_a_wallet_does_not_take_is_held(wallet: WalletServer, tmp_path: Path) -> None:
    with served(databases.fresh("sqlite", tmp_path), tmp_path, **elsewhere(wallet)) as house:
        house.open()
        assert house.buys("ann", HUNDRED).status_code == 200
        wallet.takes_money = False
        house.must("ann", "cash-out", patron="ann")
        count = house.count()
        assert count.zero
        assert count.held == {"ann": {"USD": HUNDRED}}


def test_an_answer_that_is_not_clear_is_none(wallet: WalletServer) -> None:
    speaks = HttpWallet(wallet.address, "secret", seconds=10)
    for fault in ("fail", "die before", "nonsense", "other", "less"):
        wallet.faults.append(fault)
        with pytest.raises(WalletUnclear):
            speaks.debit(f"k {fault}", "ann", 1, "USD")
    with pytest.raises(WalletRefused, match="Too little is there"):
        speaks.debit("k1", "nobody", 1, "USD")
    with pytest.raises(WalletRefused, match="Too little is there"):
        speaks.debit("k1", "nobody", 1, "USD")
    with pytest.raises(WalletUnclear):
        HttpWallet("http://127.0.0.1:1", seconds=0.3).debit("k2", "ann", 1, "USD")
    assert [method for method, key in wallet.asked if key == "k1"] == ["GET", "POST", "GET"]


def test_an_answer_that_comes_a_byte_at_a_time_is_none_when_the_time_is_over(wallet: WalletServer) -> None:
    """Each byte is in time, and all of them together would take minutes: nobody waits for that."""
    speaks = HttpWallet(wallet.address, seconds=1)
    wallet.faults.append("drips")
    with pytest.raises(WalletUnclear, match="not within 1 seconds"):
        speaks.debit("k", "ann", 1, "USD")
    wallet.faults_of_questions.append("drips")
    with pytest.raises(WalletUnclear, match="not within 1 seconds"):
        speaks.debit("k", "ann", 1, "USD")
    speaks.debit("k", "ann", 1, "USD")
    assert wallet.balances["ann"] == 10 * HUNDRED - 1


# The count


@pytest.mark.parametrize(
    ("kind", "store"), [("cage", "sqlite"), ("play", "sqlite"), ("wallet", "sqlite"), ("wallet", "postgresql")]
)
def test_everything_sums_to_zero_after_every_step(kind: str, store: str, tmp_path: Path) -> None:
    """Random rounds at two tables, with buy-ins and cash-outs between and in them."""
    chance = random.Random(kind)
    with served(databases.fresh(store, tmp_path), tmp_path, money=kind) as house:
        house.open("t1", "t2")
        for who in ("ann", "bob"):
            OwnWallet(house.journal).deposit(who, who, 100 * HUNDRED, "USD", who="cas")
        counter = Counter(house.journal, MIDNIGHT)
        decks = {name: _cards(chance) for name in ("t1", "t2")}
        bought = 0
        for _ in range(8):
            name, who = chance.choice(("t1", "t2")), chance.choice(("ann", "bob"))
            by = chance.choice(("cas", "lee")) if kind == "cage" else who
            amount = HUNDRED * chance.randint(1, 5)
            assert house.buys(who, amount, by=by, table=name).status_code == 200
            bought += amount
            _round(house, name, decks[name], chance)
            house.do(by, "cash-out", table=name, patron=who, amount=HUNDRED)
            count = counter.count()
            assert count.zero, count
        assert sum(table.bought for table in count.tables) == bought
        assert any(table.won for table in count.tables)
        assert count.currencies[0].under_way == 0
        told = house.get("lee", "/api/count")
        assert (told["zero"], told["tables"][0]["table"]) == (True, "t1")
        today = house.casino.floor.clock()[:10]
        assert house.get("lee", f"/api/count?day={today}")["tables"][0]["bought"] == count.tables[0].bought
        now = house.get("lee", "/api/count?day=today")
        assert now["day"] in (today, house.casino.floor.clock()[:10])
        assert house.get("lee", f"/api/count?day={now['day']}")["tables"] == now["tables"]
        assert house.get("lee", "/api/count?day=2001-01-01")["tables"][0]["bought"] == 0
        assert house.client.get("/api/count", headers=house.head("ann")).status_code == 403


def _cards(chance: random.Random) -> list[str]:
    cards = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] * 8
    chance.shuffle(cards)
    return cards


def _round(house: House, name: str, cards: list[str], chance: random.Random) -> None:
    house.must("lee", "open-bets", table=name)
    for who in ("ann", "bob"):
        bet = chance.choice(("player", "banker", "tie"))
        house.do(who, "place", table=name, patron=who, bet=bet, stake=money("50"))
    house.must("lee", "close-bets", table=name)
    while True:
        step = house.get("lee", f"/api/tables/{name}")["view"]["next"][0]["do"]
        if step == "draw":
            house.must("lee", "draw", table=name)
            house.must("lee", "expose", table=name, faces=[cards.pop()])
        elif step == "expose":
            house.must("lee", "expose", table=name, faces=[cards.pop()])
        elif step in ("announce", "settle"):
            house.must("lee", step, table=name, **({"what": "result"} if step == "announce" else {}))
        else:
            return


def test_the_count_finds_money_that_came_from_nowhere(tmp_path: Path) -> None:
    with served(databases.fresh("sqlite", tmp_path), tmp_path, money="wallet") as house:
        house.open()
        wallet = OwnWallet(house.journal)
        wallet.deposit("d", "ann", HUNDRED, "USD", who="cas")
        assert house.count().zero
        wallet.credit("from-nowhere", "ann", 5, "USD")
        count = house.count()
        assert not count.zero
        assert count.currencies[0].sum == 5


def test_the_chain_of_money_is_verified_with_the_others(url: str, tmp_path: Path) -> None:
    from punto.audit import verify

    with served(url, tmp_path, money="wallet", buy_in_person_day=10 * HUNDRED) as house:
        house.open()
        OwnWallet(house.journal).deposit("d", "ann", HUNDRED, "USD", who="cas")
        assert house.buys("ann", HUNDRED).status_code == 200
        found = {each.table: each for each in verify(house.journal)}
        assert {MONEY, WALLET, "house", "t1"} == set(found)
        assert all(each.wrong is None for each in found.values())
        assert MoneyChain(house.journal).ask(lambda state: state.open) == {}
        assert house.client.get("/api/tables").json()[0]["name"] == "t1"
        assert len(house.client.get("/api/tables").json()) == 1
