"""One's own rounds at a table over shoes: what they come to is what one has more or less in chips."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from databases import fresh
from punto.service.runtime import own_rounds
from test_money import HUNDRED, House, served
from test_own_limits import BANKER_WINS, PLAYER_WINS, bet, deal

BOUGHT = 20 * HUNDRED


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with served(fresh("sqlite", tmp_path), tmp_path, money="play") as found:
        found.open("t1")
        found.must("ann", "buy-in", patron="ann", amount=BOUGHT)
        yield found


def play(house: House, faces: tuple[str, ...], stake: int = HUNDRED) -> None:
    house.must("lee", "open-bets")
    if stake:
        assert bet(house, stake).status_code == 200
    deal(house, faces)


def next_shoe(house: House) -> None:
    house.must("lee", "end-shoe")
    house.must("lee", "load-shoe")


def rounds(house: House, who: str = "ann") -> list[dict[str, Any]]:
    """All of them, page by page."""
    found: list[dict[str, Any]] = []
    before: int | None = None
    while True:
        asked = "" if before is None else f"?before={before}"
        page = house.get(who, f"/api/tables/t1/own-rounds{asked}")
        found += page["rounds"]
        assert page["before"] is None or before is None or page["before"] < before
        before = page["before"]
        if before is None:
            return found


@pytest.mark.parametrize("span", [2000, 30, 9])
def test_rounds_of_several_shoes_come_to_what_one_has_won(
    house: House, span: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three rounds in the first shoe, one of them without her, and two in the second; however short a page is."""
    monkeypatch.setattr(own_rounds, "SPAN", span)
    play(house, PLAYER_WINS)
    play(house, BANKER_WINS, 0)
    play(house, BANKER_WINS, 3 * HUNDRED)
    next_shoe(house)
    play(house, PLAYER_WINS, 2 * HUNDRED)
    play(house, BANKER_WINS)
    found = rounds(house)
    staked = [each["staked"] for each in found]
    assert staked == [HUNDRED, 2 * HUNDRED, 3 * HUNDRED, HUNDRED]
    assert [each["winner"] for each in found] == ["banker", "player", "banker", "player"]
    assert [each["net"] < 0 for each in found] == [False, True, False, True]
    assert sum(each["net"] for each in found) == house.chips("ann") - BOUGHT
    assert [each["at"] for each in found] == sorted((each["at"] for each in found), reverse=True)
    assert rounds(house, "bob") == []


def test_a_round_that_is_void_brings_nothing_and_is_told(house: House) -> None:
    play(house, PLAYER_WINS)
    house.must("lee", "open-bets")
    assert bet(house, HUNDRED).status_code == 200
    house.must("lee", "close-bets")
    house.must("lee", "report", fact="interruption")
    assert [(each["winner"], each["net"]) for each in rounds(house)] == [(None, 0), ("player", -HUNDRED)]
    assert house.chips("ann") == BOUGHT - HUNDRED


def test_nobody_is_told_of_the_rounds_of_others(house: House) -> None:
    play(house, PLAYER_WINS)
    assert house.client.get("/api/tables/t1/own-rounds").status_code == 403
    assert house.get("lee", "/api/tables/t1/own-rounds")["rounds"] == []
    assert house.client.get("/api/tables/no/own-rounds", headers=house.head("ann")).status_code == 404
    for wrong in ("-1", "x", str(2**60)):
        answer = house.client.get(f"/api/tables/t1/own-rounds?before={wrong}", headers=house.head("ann"))
        assert answer.status_code == 400
    for early in (0, 1, 2):
        assert house.get("ann", f"/api/tables/t1/own-rounds?before={early}") == {"rounds": [], "before": None}
