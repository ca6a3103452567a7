"""A wallet that answers late, over the death of the service: what is on its way arrives once, or goes back once.

The service is a process of its own, and is killed while the wallet has a request in its hands that is not answered.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Set
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from dying import spare, tell
from punto.amounts import money
from punto.audit import verify
from punto.service.days import start_of_days
from punto.service.money.acts import MoneyChain, MoneyState
from punto.service.money.count import Count, Counter
from service_process import PATIENCE, Database, People, Service, bearer, database, open_house, opening, until
from wallet_server import WalletServer, wallet_server
from warm_start import warm_starts

HUNDRED = money("100")
HAD = 10 * HUNDRED


@pytest.fixture(params=("sqlite", "postgresql"))
def store(request: pytest.FixtureRequest) -> Iterator[Database]:
    with database(request.param) as found:
        yield found


@pytest.fixture
def wallet() -> Iterator[WalletServer]:
    with wallet_server() as server:
        server.balances["ann"] = HAD
        yield server


class House:
    """A service whose patrons have a wallet elsewhere; ann sits at its one table."""

    def __init__(self, store: Database, wallet: WalletServer, folder: Path, dies_when_told: bool = False) -> None:
        self.store, self.wallet, self.folder = store, wallet, folder
        given: dict[str, object] = {"money": "wallet", "wallet": wallet.address, "wallet_seconds": PATIENCE}
        given |= {"stop_seconds": 3}  # it ends then, though the wallet does not answer
        self.services = [Service(folder, store.url, warm_starts(), rate=10_000, burst=10_000, **given)]
        if "postgresql" in store.url:
            self.services.append(Service(folder, store.url, warm_starts(), rate=10_000, burst=10_000, **given))
        self.first = self.services[0]
        self._threads = ThreadPoolExecutor(4)
        people = People(store.url)
        self.lee, self.ann = people.staff("lee", "table-game-shift-manager"), people.patron("ann")
        people.close()
        if dies_when_told:
            self.first.dies_when_told()
        self.first.start()
        self.must(self.lee, **dict[str, Any](opening("wu-song")))
        self.must(self.lee, do="load-shoe")
        self.must(self.ann, do="sit", patron="ann", box=1)

    def give(self, token: str, key: str = "", service: Service | None = None, **command: Any) -> httpx.Response:
        head = bearer(token) | ({"Idempotency-Key": key} if key else {})
        address = f"{(service or self.first).address}/api/tables/t1/commands"
        return httpx.post(address, json=command, headers=head, timeout=PATIENCE)

    def must(self, token: str, key: str = "", **command: Any) -> None:
        answer = self.give(token, key, **command)
        assert answer.status_code == 200, answer.text

    def begun(self, key: str, **command: Any) -> "Future[httpx.Response]":
        """A command of ann's that the wallet has in its hands and does not answer."""
        before = len(self.posted)
        waiting = self._threads.submit(self.give, self.ann, key, patron="ann", **command)
        until(lambda: len(self.posted) > before, "the wallet to be asked")
        return waiting

    @property
    def posted(self) -> list[str]:
        """The keys that the wallet was asked to move something under."""
        return [key for method, key in self.wallet.asked if method == "POST"]

    def chips(self) -> int:
        answer = httpx.get(f"{self.first.address}/api/tables/t1", headers=bearer(self.lee), timeout=PATIENCE)
        return sum(each["balance"] for each in answer.json()["view"]["patrons"] if each["name"] == "ann")

    def count(self) -> Count:
        with closing(open_house(self.store.url)) as journal:
            return Counter(journal, start_of_days("00:00+00:00")).count()

    def nothing_under_way(self) -> bool:
        with closing(open_house(self.store.url)) as journal:
            return not MoneyChain(journal).ask(lambda state: len(state.open))

    def settled(self, *, in_wallet: int, chips: int) -> None:
        """Everything has arrived, once, and what the wallet was still asked for moves nothing more."""
        until(self.nothing_under_way, "the transfer to be over")
        self.wallet.released.set()
        assert (self.wallet.balances["ann"], self.chips()) == (in_wallet, chips)
        found = self.count()
        assert found.zero
        assert not any(each.under_way for each in found.currencies)
        with closing(open_house(self.store.url)) as journal:
            assert all(each.wrong is None for each in verify(journal))

    def close(self) -> None:
        self.wallet.released.set()
        for each in self.services:
            each.kill()
        self._threads.shutdown()


@pytest.fixture
def house(store: Database, wallet: WalletServer, tmp_path: Path) -> Iterator[House]:
    made = House(store, wallet, tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize("fault", ["later", "late"])
def test_a_buy_in_whose_payment_was_under_way_when_the_service_died(house: House, fault: str) -> None:
    """The wallet has taken the money already, or takes it when the service has asked once more after its restart."""
    house.wallet.faults.append(fault)
    heard = house.begun("k", do="buy-in", amount=HUNDRED)
    house.first.kill()
    assert isinstance(heard.exception(PATIENCE), httpx.TransportError)
    house.first.start()
    again = until(lambda: _answered(house.give(house.ann, "k", do="buy-in", patron="ann", amount=HUNDRED)), "an answer")
    assert again.status_code == 200, again.text
    house.settled(in_wallet=HAD - HUNDRED, chips=HUNDRED)
    assert house.give(house.ann, "k", do="buy-in", patron="ann", amount=HUNDRED).json()["repeated"]
    assert len(set(house.posted)) == 1
    house.settled(in_wallet=HAD - HUNDRED, chips=HUNDRED)


def _answered(answer: httpx.Response) -> httpx.Response | None:
    return None if answer.status_code == 503 else answer


@pytest.mark.parametrize("fault", ["later", "late"])
def test_a_cash_out_whose_payment_was_under_way_when_the_service_died(house: House, fault: str) -> None:
    house.must(house.ann, do="buy-in", patron="ann", amount=3 * HUNDRED)
    house.wallet.faults.append(fault)
    heard = house.begun("c", do="cash-out", amount=2 * HUNDRED)
    house.first.kill()
    assert isinstance(heard.exception(PATIENCE), httpx.TransportError)
    house.first.start()
    again = house.give(house.ann, "c", do="cash-out", patron="ann", amount=2 * HUNDRED)
    assert again.json()["repeated"], again.text
    house.settled(in_wallet=HAD - HUNDRED, chips=HUNDRED)


@pytest.mark.parametrize("fault", ["later", "late"])
def test_money_on_its_way_back_when_the_service_died_twice(house: House, fault: str) -> None:
    """The patron is gone before the payment is known; it goes back, and the service dies over that as well."""
    house.wallet.faults.append("late")
    house.begun("k", do="buy-in", amount=HUNDRED)
    house.first.kill()
    house.wallet.faults_of_questions.extend(["fail"] * 100_000)  # what became of it is not told yet
    house.first.start()
    house.must(house.ann, do="leave", patron="ann")
    house.wallet.faults.append(fault)
    asked = len(house.posted)
    house.wallet.faults_of_questions.clear()
    until(lambda: len(house.posted) > asked, "the money to be on its way back")
    house.first.kill()
    house.first.start()
    house.settled(in_wallet=HAD, chips=0)
    assert house.give(house.ann, "k", do="buy-in", patron="ann", amount=HUNDRED).status_code == 409


def test_a_wallet_that_was_emptied_elsewhere_meanwhile(house: House) -> None:
    """The request of before the death comes to the wallet after the one that it has refused by then."""
    house.wallet.faults.append("later")
    house.begun("k", do="buy-in", amount=HUNDRED)
    house.first.kill()
    with house.wallet.lock:
        house.wallet.balances["ann"] = 0
    house.first.start()
    until(house.nothing_under_way, "the refusal")
    house.wallet.balances["ann"] = HAD
    house.wallet.released.set()
    house.settled(in_wallet=HAD, chips=0)


@pytest.mark.parametrize("fault", ["later", "late"])
def test_told_to_stop_while_the_wallet_does_not_answer(house: House, fault: str) -> None:
    house.wallet.faults.append(fault)
    waiting = house.begun("k", do="buy-in", amount=HUNDRED)
    house.first.stop()
    failed = waiting.exception(PATIENCE)
    assert isinstance(failed, httpx.TransportError) or waiting.result().status_code >= 500
    house.first.start()
    house.settled(in_wallet=HAD - HUNDRED, chips=HUNDRED)


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
@pytest.mark.parametrize("fault", ["later", "late"])
def test_another_process_takes_up_what_one_has_left(house: House, fault: str) -> None:
    """Both are busy with it for a while: the one that waits for the wallet, and the one that looks after it.

    The other one starts when the first waits for the wallet: else it might be the one that is not answered.
    """
    other = house.services[1]
    house.wallet.faults.append(fault)
    waiting = house.begun("k", do="buy-in", amount=HUNDRED)
    other.start()
    at_other = house.give(house.ann, "k", other, do="buy-in", patron="ann", amount=HUNDRED)
    assert at_other.status_code == 200, at_other.text
    house.wallet.released.set()
    assert waiting.result(PATIENCE).status_code == 200
    other.kill()
    house.wallet.released.clear()
    house.wallet.faults.append(fault)
    house.begun("c", do="cash-out")
    other.start()
    house.first.kill()
    until(house.nothing_under_way, "the other process to pay it out")
    house.first.start()
    house.settled(in_wallet=HAD, chips=0)


class Dies:
    """The house whose service is killed at one moment after the other, while something is done over and over."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.left_at: Tally[str] = Tally()
        """How far transfers had come when the service was killed."""

    def at_every_moment(self, do: Callable[[int], None], is_well: Callable[[int], None], stages: Set[str]) -> None:
        """Do it and be killed at the next moment each time, until it is done without.

        What else the service writes meanwhile counts as a moment too, so one may be skipped: then it is all done again,
        until the service was killed at every one of these stages of a transfer.
        """
        turns = count(1)
        while not stages <= set(self.left_at):
            assert any(not self._is_killed_at(moment, next(turns), do, is_well) for moment in range(1, 200))

    def _is_killed_at(self, moment: int, turn: int, do: Callable[[int], None], is_well: Callable[[int], None]) -> bool:
        """Do it, and once more after a start if the service was killed; whether it was."""
        tell(self.house.folder, moment, turn)
        do(turn)
        spare(self.house.folder)
        killed = not self.answers()
        if killed:
            until(self.house.first.has_died, "its end")
            with closing(open_house(self.house.store.url)) as journal:
                self.left_at.update(MoneyChain(journal).ask(_stages))
            self.house.first.start()
            do(turn)
        until(self.house.nothing_under_way, "the transfers to be over")
        is_well(turn)
        assert self.house.count().zero
        return killed

    def answers(self) -> bool:
        """Whether the service is there."""
        try:
            return httpx.get(f"{self.house.first.address}/health", timeout=PATIENCE).status_code == 200
        except httpx.TransportError:
            return False

    def give(self, key: str, **command: Any) -> int:
        """Give a command of ann's until it is answered or the service is dead: the status, or 0."""
        while True:
            try:
                status = self.house.give(self.house.ann, key, patron="ann", **command).status_code
            except httpx.TransportError:
                return 0
            if status != 503:
                return status


def _stages(state: MoneyState) -> list[str]:
    return [each.stage for each in state.open.values()]


@pytest.fixture
def dies(store: Database, wallet: WalletServer, tmp_path: Path) -> Iterator[Dies]:
    made = House(store, wallet, tmp_path, dies_when_told=True)
    try:
        yield Dies(made)
    finally:
        if made.first.process is not None and made.first.has_died():
            made.services.remove(made.first)
        made.close()


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_at_whichever_moment_the_service_dies_money_moves_once(dies: Dies) -> None:
    """A buy-in and a cash-out, each under a key of its own, with a death before and after whatever is done for them."""
    house = dies.house

    def buy_and_cash(moment: int) -> None:
        if dies.give(f"buy {moment}", do="buy-in", amount=3 * HUNDRED) == 200:
            dies.give(f"cash {moment}", do="cash-out", amount=2 * HUNDRED)

    def moved_once(moment: int) -> None:
        chips = moment * HUNDRED
        house.wallet.balances["ann"] += HUNDRED  # so that there is always enough
        assert (house.wallet.balances["ann"], house.chips()) == (HAD, chips)

    dies.at_every_moment(buy_and_cash, moved_once, {"begun", "debited", "moved"})
    house.settled(in_wallet=HAD, chips=house.chips())


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_at_whichever_moment_the_service_dies_money_that_is_not_taken_goes_back_once(dies: Dies) -> None:
    """The patron leaves while the wallet pays, so that the table does not take it."""
    house = dies.house
    house.wallet.meanwhile = lambda: dies.give("", do="leave")

    def buy(moment: int) -> None:
        dies.give(f"sit {moment}", do="sit", box=1)
        dies.give(f"buy {moment}", do="buy-in", amount=3 * HUNDRED)

    def is_back(moment: int) -> None:
        chips = house.chips()
        assert (house.wallet.balances["ann"], chips) in ((HAD, 0), (HAD - 3 * HUNDRED, 3 * HUNDRED))
        if chips:  # the service had died before she had left
            assert dies.give(f"cash {moment}", do="cash-out") == 200
        assert dies.give(f"leave {moment}", do="leave") in (200, 409)

    dies.at_every_moment(buy, is_back, {"begun", "debited", "returning"})
    house.settled(in_wallet=HAD, chips=0)
