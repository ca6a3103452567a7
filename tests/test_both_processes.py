"""Attacks on two processes of the service at once: whatever holds at one of them holds at both together."""

from base64 import b32decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import time
from typing import Any

import httpx
import pytest

from punto.audit import verify
from punto.service.accounts.account import BadAccount, HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.accounts.totp import STEP, code_of
from punto.service.days import start_of_days
from punto.service.money.count import Counter
from punto.table import Table, decode_event, events, fold
from service_process import PATIENCE, Database, Service, bearer, database, open_house, opening
from warm_start import warm_starts

RANK = "table-game-shift-manager"
PASSWORD = "a long enough password"
PERSON_DAY, TABLE_DAY, MOST = 50_000, 120_000, 20_000


class TwoProcesses:
    """Two processes, accounts that log in by password, and a shift manager (lee)."""

    def __init__(self, store: Database, services: tuple[Service, Service]) -> None:
        self.store, self.services = store, services
        self.journal = open_house(store.url)
        self.accounts = Accounts(self.journal)
        self.tokens: dict[str, str] = {}
        self.add("lee", "staff", {"*": HeldPost(RANK)})

    def add(self, name: str, kind: str = "patron", posts: dict[str, HeldPost] | None = None) -> None:
        made = self.accounts.make(name, kind, PASSWORD, posts, person=name)
        self.tokens[name] = self.accounts.token(made)

    def give(self, number: int, table: str, who: str, /, **command: Any) -> httpx.Response:
        path = f"{self.services[number % 2].address}/api/tables/{table}/commands"
        return httpx.post(path, json=command, headers=bearer(self.tokens[who]), timeout=PATIENCE)

    def must(self, table: str, who: str, /, **command: Any) -> None:
        answer = self.give(0, table, who, **command)
        assert answer.status_code == 200, answer.text

    def open(self, *tables: str) -> None:
        for name in tables:
            self.must(name, "lee", **dict[str, Any](opening("wu-song", auto=["announce", "settle"])))
            self.must(name, "lee", do="load-shoe")

    def at_once(self, number: int, do: Callable[[int], httpx.Response]) -> list[int]:
        """Statuses of what is sent to both at the same time."""
        with ThreadPoolExecutor(number) as many:
            return sorted(answer.status_code for answer in many.map(do, range(number)))

    def table(self, name: str) -> Table:
        return fold(decode_event(each.body) for each in self.journal.read(name))

    def all_is_well(self, *tables: str) -> None:
        """All money sums to zero, and every chain is whole by its rules."""
        assert Counter(self.journal, start_of_days("00:00+00:00")).count().zero
        for each in verify(self.journal):
            assert each.wrong is None or each.table not in tables, each.wrong


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoProcesses]:
    folder: Path = tmp_path_factory.mktemp("both")
    given = {"rate": 10_000, "burst": 10_000, "buy_in_person_day": PERSON_DAY}
    given |= {"buy_in_table_day": TABLE_DAY, "buy_in_most": MOST}
    with (
        database("postgresql") as store,
        Service(folder, store.url, warm_starts(), **given) as one,
        Service(folder, store.url, warm_starts(), **given) as other,
    ):
        one.start()
        other.start()
        made = TwoProcesses(store, (one, other))
        yield made
        made.journal.close()


def test_a_session_that_was_ended_at_one_does_nothing_at_the_other(processes: TwoProcesses) -> None:
    processes.open("ended")
    processes.add("sue")
    [one, _] = processes.services
    for number in range(8):
        session = httpx.post(
            f"{one.address}/api/login", json={"name": "sue", "password": PASSWORD}, timeout=PATIENCE
        ).json()["token"]
        processes.tokens["sue"] = session
        do = {"do": "sit", "patron": "sue", "box": 1} if number % 2 == 0 else {"do": "leave", "patron": "sue"}
        assert processes.give(1, "ended", "sue", **do).status_code == 200, "the other process knows the session"
        before = processes.journal.head("ended")
        assert httpx.post(f"{one.address}/api/logout", headers=bearer(session), timeout=PATIENCE).status_code == 204
        undo = {"do": "leave", "patron": "sue"} if number % 2 == 0 else {"do": "sit", "patron": "sue", "box": 1}
        assert processes.give(1, "ended", "sue", **undo).status_code == 403
        assert processes.journal.head("ended") == before


def test_the_limits_of_a_day_are_one_for_both(processes: TwoProcesses) -> None:
    processes.open("day", "night")
    names = [f"buyer{number}" for number in range(3)]
    for box, name in enumerate(names, 1):
        processes.add(name)
        for table in ("day", "night"):
            processes.must(table, name, do="sit", patron=name, box=box)
    tables = ("day", "night")

    def buy(number: int) -> httpx.Response:
        name = names[number % 3]
        return processes.give(number // 3, tables[number // 6 % 2], "lee", do="buy-in", patron=name, amount=10_000)

    codes = processes.at_once(36, buy)
    assert codes.count(200) == 3 * PERSON_DAY // 10_000
    bought = [
        event
        for table in tables
        for event in map(decode_event, (each.body for each in processes.journal.read(table)))
        if isinstance(event, events.BoughtIn)
    ]
    assert {name: sum(each.amount for each in bought if each.patron == name) for name in names} == dict.fromkeys(
        names, PERSON_DAY
    )
    assert processes.give(1, "day", "lee", do="buy-in", patron=names[0], amount=MOST + 100).status_code == 409
    processes.all_is_well(*tables)


def test_a_limit_of_one_s_own_is_one_for_both(processes: TwoProcesses) -> None:
    """Chips at two tables, laid at both processes at the same moment: no more lies than may be lost in a day."""
    tables = ("own1", "own2")
    processes.open(*tables)
    processes.add("max")
    for table in tables:
        processes.must(table, "max", do="sit", patron="max", box=1)
        processes.must(table, "lee", do="buy-in", patron="max", amount=20_000)
        processes.must(table, "lee", do="open-bets")
    limits = {"currency": "USD", "lose": 5_000, "stake": None}
    address = f"{processes.services[0].address}/api/own-limits"
    head = bearer(processes.tokens["max"])
    assert httpx.put(address, json=limits, headers=head, timeout=PATIENCE).status_code == 200
    bet = {"do": "place", "patron": "max", "bet": "player", "stake": 1_000}
    codes = processes.at_once(16, lambda number: processes.give(number, tables[number // 2 % 2], "max", **bet))
    assert set(codes) <= {200, 409, 503}
    again = [processes.give(number, tables[number % 2], "max", **bet).status_code for number in range(8)]
    assert sum(processes.table(table).patrons["max"].held for table in tables) == 5_000
    assert (*codes, *again).count(200) == 5
    assert again[-1] == 409
    processes.all_is_well(*tables)


def test_nobody_cashes_chips_that_are_laid_at_the_other(processes: TwoProcesses) -> None:
    processes.open("race")
    names = [f"racer{number}" for number in range(3)]
    for box, name in enumerate(names, 1):
        processes.add(name)
        processes.must("race", name, do="sit", patron=name, box=box)
        processes.must("race", "lee", do="buy-in", patron=name, amount=5_000)
    processes.must("race", "lee", do="open-bets")

    def act(number: int) -> httpx.Response:
        name = names[number % 3]
        if number // 3 % 2:
            return processes.give(number, "race", "lee", do="cash-out", patron=name, amount=1_000)
        return processes.give(number, "race", name, do="place", patron=name, bet="player", stake=1_000)

    assert processes.at_once(48, act).count(200) == 15
    assert all((each.balance, each.owed) == (0, 0) for each in processes.table("race").patrons.values())
    processes.all_is_well("race")


def test_nobody_is_left_with_chips_whose_account_is_removed_meanwhile(processes: TwoProcesses) -> None:
    processes.open("gone")
    for number in range(4):
        name = f"goner{number}"
        processes.add(name)
        processes.must("gone", name, do="sit", patron=name, box=1)
        with ThreadPoolExecutor(9) as many:
            removed = many.submit(processes.accounts.remove, name, hold=True)
            buy = {"do": "buy-in", "patron": name, "amount": 1_000}
            buys = [many.submit(processes.give, at, "gone", "lee", **buy) for at in range(8)]
            assert {each.result().status_code for each in buys} <= {200, 409}
            try:
                removed.result()
            except BadAccount:
                processes.accounts.remove(name, hold=True)
        assert not any(each.balance for each in processes.table("gone").patrons.values())
        assert processes.give(1, "gone", "lee", do="sit", patron="bystander", box=2).status_code == 200
        processes.must("gone", "lee", do="leave", patron="bystander")
    processes.all_is_well("gone")


def test_a_code_opens_one_session_at_both(processes: TwoProcesses) -> None:
    processes.add("pit", "staff", {"*": HeldPost("pit-manager")})
    address, _ = processes.accounts.set_second_factor("pit")
    secret = httpx.URL(address).params["secret"]
    raw = b32decode(secret + "=" * (-len(secret) % 8))
    body = {"name": "pit", "password": PASSWORD, "code": code_of(raw, int(time()) // STEP)}
    codes = processes.at_once(
        6, lambda at: httpx.post(f"{processes.services[at % 2].address}/api/login", json=body, timeout=PATIENCE)
    )
    assert codes.count(200) == 1
    assert set(codes[1:]) <= {403, 429}
