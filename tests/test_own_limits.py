"""Limits that patrons set for themselves hold in the service: whoever acts, at every table, on every process."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from databases import fresh
from punto.journal import MONEY, first_broken
from punto.service.accounts.account import BadAccount
from punto.service.accounts.own_limits import MOST_CURRENCIES, WAIT
from punto.service.accounts.registry import Accounts
from punto.service.runtime.own_limits import CountAgain
from punto.table import act, commands
from service_process import PATIENCE
from test_money import HUNDRED, House, served

DAY = 24 * 60 * 60
PLAYER_WINS, BANKER_WINS = ("9c", "2d", "Kc", "Qd"), ("2d", "9c", "Qd", "Kc")
"""Faces in drawn order: Player, Banker, Player, Banker."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with served(fresh("sqlite", tmp_path), tmp_path, money="play") as found:
        found.open("t1", "t2")
        for table in ("t1", "t2"):
            found.must("ann", "buy-in", table=table, patron="ann", amount=20 * HUNDRED)
        yield found


def set_limits(house: House, lose: int | None, stake: int | None = None, who: str = "ann") -> httpx.Response:
    given = {"currency": "USD", "lose": lose, "stake": stake, "remind": 30}
    return house.client.put("/api/own-limits", headers=house.head(who), json=given)


def limits(house: House, who: str = "ann") -> dict[str, Any]:
    found: dict[str, Any] = house.get(who, "/api/own-limits")
    return found


def bet(house: House, amount: int, table: str = "t1", by: str = "ann", **more: Any) -> httpx.Response:
    return house.do(by, "place", table=table, patron="ann", bet="banker", stake=amount, **more)


def says(answer: httpx.Response) -> str:
    assert answer.status_code == 409, answer.text
    told: str = answer.json()["refused"]
    return told


def deal(house: House, faces: tuple[str, ...], table: str = "t1") -> None:
    house.must("lee", "close-bets", table=table)
    cards = list(faces)
    while cards:
        step = house.get("lee", f"/api/tables/{table}")["view"]["next"][0]["do"]
        if step == "expose":
            house.must("lee", "expose", table=table, faces=[cards.pop(0)])
        else:
            house.must("lee", step, table=table)


def sit(house: House, who: str, box: int, table: str = "t1") -> httpx.Response:
    return house.do(who, "sit", table=table, patron=who, box=box)


# A pause


def test_whoever_has_paused_lays_nothing_buys_nothing_and_sits_nowhere(house: House) -> None:
    """What lies plays to its end, and leaving with the money is always possible."""
    house.must("lee", "open-bets")
    assert bet(house, HUNDRED).status_code == 200
    before = time.time()
    answer = house.post("ann", "/api/pause", minutes=15)
    assert answer.status_code == 200, answer.text
    until = datetime.fromisoformat(answer.json()["paused"]).timestamp()
    assert before + 15 * 60 - 1 <= until <= time.time() + 15 * 60
    sentence = f"You have paused until {datetime.fromisoformat(answer.json()['paused']):%Y-%m-%d %H:%M} UTC."
    for refused in (
        bet(house, HUNDRED),
        house.buys("ann", HUNDRED),
        sit(house, "ann", 5),
        house.do("ann", "stand", table="t2", patron="ann"),
    ):
        assert says(refused).startswith(sentence)
    assert bet(house, HUNDRED, by="ann").json()["message"]["id"] == "you-have-paused"
    deal(house, BANKER_WINS)
    assert house.get("ann", "/api/tables/t1")["view"]["round"]["result"]["winner"] == "banker"
    assert house.chips("ann") > 20 * HUNDRED
    house.must("ann", "cash-out", patron="ann")
    house.must("ann", "leave", patron="ann")
    assert house.do("bob", "buy-in", patron="bob", amount=HUNDRED).status_code == 200, "nobody else has paused"


def test_neither_the_staff_nor_a_cashier_play_for_somebody_who_has_paused(house: House) -> None:
    house.must("lee", "open-bets")
    house.post("ann", "/api/pause", minutes=60)
    said = "ann has paused: no seat, chips or wagers."
    assert says(bet(house, HUNDRED, by="lee")) == said
    assert says(house.buys("ann", HUNDRED, by="lee")) == says(house.buys("ann", HUNDRED, by="cas")) == said
    assert says(house.do("lee", "sit", table="t2", patron="ann", box=5)) == said
    assert house.do("lee", "place", patron="bob", bet="banker", stake=HUNDRED).json()["message"]["id"] != (
        "patron-has-paused"
    )
    house.must("lee", "sit", patron="walk-in", box=4)  # a patron without an account has no limits
    house.must("lee", "sit", patron="Ms Chan", box=5)  # nor has one by a name that no account has


def test_a_pause_is_made_longer_and_never_shorter(house: House) -> None:
    first = house.post("ann", "/api/pause", minutes=7 * 24 * 60).json()["paused"]
    assert house.post("ann", "/api/pause", minutes=15).json()["paused"] == first == limits(house)["paused"]
    assert house.post("ann", "/api/pause", minutes=30 * 24 * 60).json()["paused"] > first
    for minutes in (0, 14, -15, 10**7, 15.5, None, 1e300):
        answer = house.post("ann", "/api/pause", minutes=minutes)
        assert answer.status_code == 400, (minutes, answer.text)
    assert set_limits(house, None).json()["paused"] > first, "limits do not touch it"
    with pytest.raises(BadAccount, match=r"ann has paused until .*: the account stays until then"):
        house.accounts.remove("ann", hold=True)


def test_nobody_is_kept_from_a_pause_by_the_limits_that_they_changed_before(house: House) -> None:
    answers = {set_limits(house, amount * HUNDRED).status_code for amount in range(40, 9, -1)}
    assert answers == {200, 429}
    assert house.post("ann", "/api/pause", minutes=15).status_code == 200


def test_a_pause_is_over_when_it_is_over(tmp_path: Path) -> None:
    url = fresh("sqlite", tmp_path)
    with served(url, tmp_path, money="play") as house:
        house.open("t1")
        past = Accounts(house.journal, clock=lambda: time.time() - 16 * 60)
        past.pause("ann", 15)
        assert limits(house)["paused"] is None
        assert house.buys("ann", HUNDRED).status_code == 200


def test_somebody_else_neither_sets_nor_sees_it(house: House) -> None:
    given = {"currency": "USD", "lose": 1, "stake": 1, "remind": 0}
    for who in ("lee", "cas"):
        assert house.client.get("/api/own-limits", headers=house.head(who)).status_code == 403
        assert house.client.put("/api/own-limits", headers=house.head(who), json=given).status_code == 403
        assert house.post(who, "/api/pause", minutes=15).status_code == 403
    assert house.client.put("/api/own-limits", json=given).status_code == 403
    assert house.client.post("/api/pause", json={"minutes": 15}).status_code == 403
    for more in ({"person": "ann"}, {"name": "ann"}, {"patron": "ann"}):
        answer = house.client.put("/api/own-limits", headers=house.head("bob"), json={**given, **more})
        assert answer.status_code == 400
    foreign = {"Cookie": f"punto={house.tokens['ann']}", "Origin": "https://elsewhere.example"}
    assert house.client.post("/api/pause", headers=foreign, json={"minutes": 15}).status_code == 403
    assert limits(house)["paused"] is None
    assert limits(house)["currencies"]["USD"]["lose"] == {"most": None, "then": None, "at": None}
    with pytest.raises(BadAccount, match="Patrons set limits for themselves"):
        house.accounts.pause("lee", 15)


# Amounts


def test_the_most_in_a_round_counts_everything_that_lies(house: House) -> None:
    house.must("lee", "open-bets")
    assert set_limits(house, None, 3 * HUNDRED).status_code == 200
    assert bet(house, 2 * HUNDRED).status_code == 200
    refused = bet(house, 2 * HUNDRED)
    assert says(refused) == "Your own limit is 300.00 in a round: 100.00 more may be laid."
    assert says(bet(house, 2 * HUNDRED, by="lee")) == "ann has set a limit that does not allow this."
    assert bet(house, HUNDRED).status_code == 200
    assert says(bet(house, HUNDRED)) == "Your own limit is 300.00 in a round: 0.00 more may be laid."
    house.must("ann", "withdraw", patron="ann", bet="banker", box=1)
    assert bet(house, 3 * HUNDRED).status_code == 200


def test_the_most_to_lose_in_a_day_counts_every_table_and_what_lies(house: House) -> None:
    """500.00 may be lost: 200.00 are at one table, 100.00 lie at the other, so 200.00 more may be laid."""
    assert set_limits(house, 5 * HUNDRED).status_code == 200
    house.must("lee", "open-bets")
    assert bet(house, 2 * HUNDRED).status_code == 200
    deal(house, PLAYER_WINS)
    house.must("lee", "open-bets", table="t2")
    assert bet(house, HUNDRED, "t2").status_code == 200
    now = limits(house)["currencies"]["USD"]
    assert (now["lost"], now["at_stake"]) == (2 * HUNDRED, HUNDRED)
    said = "Your own limit is to lose 500.00 in a day: 200.00 more may be laid."
    assert says(bet(house, 3 * HUNDRED, "t2")) == said
    house.must("lee", "open-bets")
    assert says(bet(house, 3 * HUNDRED)) == said
    assert says(bet(house, 3 * HUNDRED, by="lee")) == "ann has set a limit that does not allow this."
    assert bet(house, 2 * HUNDRED).status_code == 200
    assert says(bet(house, HUNDRED, "t2")).endswith("0.00 more may be laid.")
    deal(house, BANKER_WINS)  # 200.00 come back, and 200.00 or less are won
    house.must("lee", "open-bets")
    assert bet(house, 2 * HUNDRED).status_code == 200


def test_what_was_lost_before_the_limit_was_set_counts(house: House) -> None:
    house.must("lee", "open-bets")
    assert bet(house, 5 * HUNDRED).status_code == 200
    deal(house, PLAYER_WINS)
    house.must("ann", "cash-out", patron="ann")
    house.must("ann", "leave", patron="ann")
    set_limits(house, 5 * HUNDRED)
    house.must("lee", "open-bets", table="t2")
    assert says(bet(house, HUNDRED, "t2")) == "Your own limit is to lose 500.00 in a day: 0.00 more may be laid."


def test_a_limit_is_lowered_at_once_and_raised_after_a_day(house: House) -> None:
    house.must("lee", "open-bets")
    set_limits(house, None, 5 * HUNDRED)
    set_limits(house, None, 2 * HUNDRED)
    for higher in (None, 9 * HUNDRED):
        now = set_limits(house, None, higher).json()["currencies"]["USD"]["stake"]
        in_a_day = datetime.fromisoformat(now["at"]).timestamp() - time.time()
        assert (now["most"], now["then"]) == (2 * HUNDRED, higher)
        assert DAY - 120 < in_a_day <= DAY
        assert says(bet(house, 3 * HUNDRED)).startswith("Your own limit is 200.00 in a round")
    again = set_limits(house, None, 9 * HUNDRED).json()["currencies"]["USD"]["stake"]
    assert again == now, "who asks again does not wait longer"
    lower = set_limits(house, None, HUNDRED).json()["currencies"]["USD"]["stake"]
    assert lower == {"most": HUNDRED, "then": None, "at": None}


def set_ago(house: House, seconds: float, stake: int) -> None:
    """Set the most in a round, so many seconds ago."""
    Accounts(house.journal, clock=lambda: time.time() - seconds).set_own_limits("ann", "USD", None, stake, 0)


def test_a_raise_counts_once_a_day_is_over(house: House) -> None:
    house.must("lee", "open-bets")
    set_ago(house, DAY + 120, HUNDRED)
    set_ago(house, WAIT - 600, 4 * HUNDRED)
    assert says(bet(house, 2 * HUNDRED)).startswith("Your own limit is 100.00 in a round"), "ten minutes too early"
    set_ago(house, DAY + 120, HUNDRED)
    set_ago(house, WAIT + 60, 4 * HUNDRED)
    assert limits(house)["currencies"]["USD"]["stake"] == {"most": 4 * HUNDRED, "then": None, "at": None}
    assert bet(house, 4 * HUNDRED).status_code == 200


def test_malformed_limits_change_nothing(house: House) -> None:
    good = {"currency": "USD", "lose": HUNDRED, "stake": None, "remind": 0}
    for wrong in (
        {"lose": -1},
        {"lose": 1.5},
        {"lose": 10**16},
        {"currency": "usd"},
        {"currency": "USD\n"},
        {"currency": "US"},
        {"remind": -1},
        {"remind": 10**6},
        {"paused": None},
    ):
        answer = house.client.put("/api/own-limits", headers=house.head("ann"), json={**good, **wrong})
        assert answer.status_code == 400, (wrong, answer.text)
    assert limits(house)["currencies"]["USD"]["lose"]["most"] is None
    for letter in "ABCDEFGH"[:MOST_CURRENCIES]:
        house.accounts.set_own_limits("ann", f"XX{letter}", HUNDRED, None, 0)
    with pytest.raises(BadAccount, match="too many currencies"):
        house.accounts.set_own_limits("ann", "XXZ", HUNDRED, None, 0)


def test_the_same_command_again_gets_its_first_answer_in_a_pause_too(house: House) -> None:
    house.must("lee", "open-bets")
    first = bet(house, HUNDRED, key="once")
    house.post("ann", "/api/pause", minutes=15)
    again = bet(house, HUNDRED, key="once")
    assert (again.status_code, again.json()["repeated"], again.json()["first"]) == (200, True, first.json()["first"])
    assert says(bet(house, HUNDRED, key="twice")).startswith("You have paused")


def test_many_bets_at_once_at_two_tables_never_pass_the_limit(house: House) -> None:
    """Forty chips of 100.00 at two tables against a limit of 500.00: five of them lie in the end."""
    set_limits(house, 5 * HUNDRED)
    for table in ("t1", "t2"):
        house.must("lee", "open-bets", table=table)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: bet(house, HUNDRED, f"t{number % 2 + 1}"), range(40)))
    assert {each.status_code for each in answers} <= {200, 409, 503}
    assert sum(each.status_code == 200 for each in answers) == 5
    assert limits(house)["currencies"]["USD"]["at_stake"] == 5 * HUNDRED
    assert first_broken(house.journal.entries(MONEY)) is None
    assert house.count().zero


# A count that takes long


class LongCount:
    """In the place of the lock of whoever counts: a count that comes to its end when it is told to."""

    def __init__(self, house: House) -> None:
        self.begun, self.go_on, self.number = threading.Event(), threading.Event(), 0
        house.casino.counting.counter._lock = self
        house.casino.counting._limit.seconds = PATIENCE

    def __enter__(self) -> None:
        self.number += 1
        self.begun.set()
        assert self.go_on.wait(PATIENCE)

    def __exit__(self, *_: object) -> None:
        """Nothing to let go."""


def test_while_somebody_s_day_is_counted_nobody_else_at_the_table_waits(house: House) -> None:
    """Neither with their bets, nor at the cage, nor the dealer; the bet that was counted for lies there in the end."""
    set_limits(house, 5 * HUNDRED)
    house.must("bob", "buy-in", patron="bob", amount=5 * HUNDRED)
    house.must("lee", "open-bets")
    count = LongCount(house)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(bet, house, HUNDRED)
        try:
            assert count.begun.wait(PATIENCE)
            house.must("bob", "place", patron="bob", bet="player", stake=HUNDRED)
            house.must("cas", "buy-in", patron="bob", amount=HUNDRED)
            house.must("lee", "sit", patron="walk-in", box=4)
            assert not waiting.done()
        finally:
            count.go_on.set()
        assert waiting.result().status_code == 200, waiting.result().text


def test_bets_of_a_patron_that_the_staff_lay_meanwhile_are_counted_too(house: House) -> None:
    """What was counted before somebody else laid chips for the same patron is counted again."""
    set_limits(house, 5 * HUNDRED)
    house.must("lee", "open-bets")
    house.must("lee", "open-bets", table="t2")
    guard, account = house.casino.teller.own_limits, house.accounts.existing("ann")
    place = commands.Place("ann", "banker", 4 * HUNDRED)
    call = house.client.blocking_portal.call
    before = call(guard.risked, account, place)
    assert bet(house, 4 * HUNDRED, "t2").status_code == 200
    live = call(house.casino.floor.live, "t1")
    made = act(live.table, msgspec.structs.replace(place, by="ann"))[1]
    with pytest.raises(CountAgain):
        call(guard.along(place, before), account, live, made)
    assert says(bet(house, 4 * HUNDRED)).endswith("100.00 more may be laid.")


def test_however_many_ask_what_they_have_lost_it_is_counted_once(house: House) -> None:
    count = LongCount(house)
    count.go_on.set()
    guard = house.casino.teller.own_limits

    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*(guard.play_today(f"p-{number}") for number in range(100)))

    assert house.client.blocking_portal.call(all_at_once) == [{}] * 100
    assert count.number == 1


# Other processes


def test_limits_hold_on_every_process_at_once(tmp_path: Path) -> None:
    """What was set at one process is refused at another in the next moment, and after a new start."""
    url = fresh("postgresql", tmp_path)
    with served(url, tmp_path, money="play") as one, served(url, tmp_path, money="play") as other:
        one.open("t1", "t2")
        for table in ("t1", "t2"):
            one.must("ann", "buy-in", table=table, patron="ann", amount=20 * HUNDRED)
            one.must("lee", "open-bets", table=table)
        assert bet(other, HUNDRED, "t2").status_code == 200  # the other process knows the account by now
        set_limits(one, 5 * HUNDRED)
        assert says(bet(other, 5 * HUNDRED)) == "Your own limit is to lose 500.00 in a day: 400.00 more may be laid."
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda at: bet(at[0], HUNDRED, at[1]), [(one, "t1"), (other, "t2")] * 10))
        assert sum(each.status_code == 200 for each in answers) == 4
        one.post("ann", "/api/pause", minutes=15)
        assert says(bet(other, HUNDRED)).startswith("You have paused")
        assert says(other.buys("ann", HUNDRED)).startswith("You have paused")
    with served(url, tmp_path, money="play") as later:
        assert says(bet(later, HUNDRED)).startswith("You have paused")


def test_with_a_wallet_nothing_is_taken_from_it_in_a_pause(tmp_path: Path) -> None:
    with served(fresh("sqlite", tmp_path), tmp_path, money="wallet") as house:
        house.open("t1")
        assert house.post("ann", "/api/pause", minutes=15).status_code == 200
        assert says(house.buys("ann", HUNDRED)).startswith("You have paused")
        assert house.journal.tables().get(MONEY) is None, "no transfer has begun"


def test_what_was_set_is_on_record_without_the_amounts(house: House) -> None:
    set_limits(house, 5 * HUNDRED)
    house.post("ann", "/api/pause", minutes=15)
    acts = [act for _, act in house.accounts.house.acts()][-2:]
    assert [(each.who, each.what, each.account) for each in acts] == [
        ("ann", "own-limits-set", "ann"),
        ("ann", "paused", "ann"),
    ]
