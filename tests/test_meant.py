"""A command that says for which round it is meant is done in that round, and in no other, however late it arrives."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service_process import opening
from test_api import House, begin, with_table

WAGER: dict[str, Any] = {"do": "place", "patron": "ann", "bet": "player", "stake": 2000}
MEANT_FOR_FIRST = "This was meant for round 1, and the table is at round 2: nothing was done."


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with begin(tmp_path) as client:
        made = with_table(client)
        made.seat()
        yield made


def ask(house: House, command: dict[str, Any], key: str = "k", table: str = "t1", **meant: Any) -> httpx.Response:
    head = {**house.as_("ann"), "Idempotency-Key": key}
    return house.client.post(f"/api/tables/{table}/commands", headers=head, json=command, params=meant)


def wagers_of_ann(house: House) -> list[tuple[str, int]]:
    view = house.get("/api/tables/t1", "ann").json()["view"]
    return [(each["bet"], each["stake"]) for each in view["round"]["wagers"] if each["patron"] == "ann"]


def test_a_wager_of_one_round_is_not_laid_in_the_next(house: House) -> None:
    house.play()
    house.do("lee", "open-bets")
    refused = ask(house, WAGER, round=1)
    assert (refused.status_code, refused.json()["refused"]) == (409, MEANT_FOR_FIRST)
    assert refused.json()["message"]["args"] == {"meant": 1, "now": 2}
    assert wagers_of_ann(house) == []
    assert ask(house, WAGER, round=2).status_code == 200  # the key of a refusal may be tried again
    assert wagers_of_ann(house) == [("player", 2000)]


def test_what_was_done_in_its_round_is_answered_again_in_the_next(house: House) -> None:
    house.do("lee", "open-bets")
    first = ask(house, WAGER, round=1).json()
    house.do("lee", "close-bets")
    for face in ("9h", "2c", "Kd", "5s"):
        house.do("lee", "draw")
        house.do("lee", "expose", faces=[face])
    house.do("lee", "announce", what="result")
    house.do("lee", "settle")
    house.do("lee", "open-bets")
    again = ask(house, WAGER, round=1).json()
    assert (again["first"], again["last"], again["repeated"]) == (first["first"], first["last"], True)
    assert wagers_of_ann(house) == []


@pytest.mark.parametrize("socket", ["stream?after=100000", "screen"])
def test_a_socket_takes_it_as_well(house: House, socket: str) -> None:
    house.play()
    house.do("lee", "open-bets")
    with house.client.websocket_connect(f"/api/tables/t1/{socket}", headers=house.as_("ann")) as line:
        for do in (WAGER, {"do": "withdraw", "patron": "ann", "bet": "player"}):
            line.send_json({"key": "late", "command": do, "round": 1})
            said = line.receive_json()
            while "key" not in said:  # a screen first shows the table
                said = line.receive_json()
            assert said["refused"] == MEANT_FOR_FIRST
    assert wagers_of_ann(house) == []


def test_before_the_first_round_it_is_round_nought(house: House) -> None:
    head = house.as_("lee")
    path = "/api/tables/t1/commands"
    assert house.client.post(path, headers=head, json={"do": "open-bets"}, params={"round": 3}).status_code == 409
    assert house.client.post(path, headers=head, json={"do": "open-bets"}, params={"round": 0}).status_code == 200


@pytest.mark.parametrize("meant", [{"round": -1}, {"round": "one"}, {"stage": "first-four"}])
def test_rubbish_is_no_round(house: House, meant: dict[str, Any]) -> None:
    house.do("lee", "open-bets")
    assert ask(house, WAGER, **meant).status_code == 400
    assert wagers_of_ann(house) == []


def test_cover_is_struck_at_the_offer_that_it_is_meant_for_alone(house: House) -> None:
    """Da Hu Ying Xiong offers after four cards, and again after the Player's third card, at other odds."""
    assert house.ask("lee", opening("da-hu-ying-xiong"), table="t2").status_code == 200
    house.do("lee", "load-shoe", table="t2")
    house.do("ann", "sit", patron="ann", box=1, table="t2")
    house.do("ann", "buy-in", patron="ann", amount=1_000_00, table="t2")
    house.do("lee", "open-bets", table="t2")
    house.do("ann", "place", patron="ann", bet="banker", stake=100_00, table="t2")
    house.do("lee", "close-bets", table="t2")
    house.do("lee", "expose", faces=["2c", "2d", "2h", "5s"], table="t2")  # 4 against 7
    cover = {"do": "insure", "patron": "ann", "hand": "banker", "stake": 10_00}
    over = ask(house, cover, table="t2", round=1, stage="third-card")
    assert (over.status_code, over.json()["message"]["id"]) == (409, "meant-for-another-offer")
    assert ask(house, cover, table="t2", round=1, stage="four-cards").status_code == 200
