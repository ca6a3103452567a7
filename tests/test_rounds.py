"""Rounds as lines of JSON: what is asked and what is answered."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.settlement.rounds import settle_lines

BOOKS = Path(__file__).parent.parent / "src/punto/rulebook/books"
ROUND: dict[str, Any] = {
    "rulebook": "commission-insurance",
    "cards": "6h 2c Kd As 5h",
    "wagers": [{"bet": "player", "stake": "100"}],
}
COVER = {"stage": "four-cards", "hand": "player", "stake": "20"}


def answers(*rounds: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in rounds]
    found = list(settle_lines(lines))
    assert [settled for _, settled in found] == ["lines" in json.loads(answer) for answer, _ in found]
    return [json.loads(answer) for answer, _ in found]


def test_an_answer_has_both_hands_the_winner_and_a_line_for_each_wager_and_cover() -> None:
    """4.1.3: Player 6 against Banker 3 is covered at 3 to 1; Player 6 loses to Banker 8 by 3.16."""
    [answer] = answers({**ROUND, "insurance": [COVER]})
    assert answer["player"] == {"cards": "6h Kd", "points": 6}
    assert answer["banker"] == {"cards": "2c As 5h", "points": 8}
    assert answer["winner"] == "banker"
    wager, cover = answer["lines"]
    assert (wager["stake"], wager["effective"], wager["returned"], wager["net"]) == (
        "100.00",
        "100.00",
        "0.00",
        "-100.00",
    )
    assert (wager["result"], wager["clause"], wager["row"], wager["odds"]) == ("lose", "3.16", None, None)
    assert (cover["bet"], cover["net"], cover["odds"]) == ("player-insurance", "60.00", "3:1")
    assert (cover["clause"], cover["row"]) == ("4.1.3", "4.1.3#S4-P6-B0-5")


def test_an_amount_is_text_or_a_whole_number() -> None:
    [text, number] = answers(*({**ROUND, "wagers": [{"bet": "player", "stake": stake}]} for stake in ("100", 100)))
    assert text == number


def test_cover_is_on_the_wager_that_is_named_else_on_the_only_one() -> None:
    wagers = [{"bet": "player", "stake": "10"}, {"bet": "player", "stake": "100"}]
    named, unnamed = answers(
        {**ROUND, "wagers": wagers, "insurance": [{**COVER, "on": 1}]},
        {**ROUND, "wagers": wagers, "insurance": [COVER]},
    )
    assert named["lines"][2]["net"] == "60.00"
    assert "2 wagers on player" in unnamed["error"]


def test_posted_limits_cut_a_stake() -> None:
    """5.1.1: with a differential of 60, and with a maximum of 60, 60 of 100 play; a minimum changes nothing."""
    for name in ("differential", "maximum"):
        [answer] = answers({**ROUND, "limits": {name: "60"}})
        [line] = answer["lines"]
        assert (line["effective"], line["returned"], line["net"]) == ("60.00", "40.00", "-60.00")
    [answer] = answers({**ROUND, "limits": {"minimum": 500}})
    assert answer["lines"][0]["net"] == "-100.00"
    [answer] = answers({**ROUND, "limits": {"minimum": 500, "maximum": 400}})
    assert "over the maximum" in answer["error"]


def test_a_posted_rounding_is_to_the_chip_and_without_a_chip_to_the_cent() -> None:
    """AMB-30: 0.22 on Banker at 0.95 is 0.209, up to the cent 0.21; 22 is 20.90, up to a chip of 1 it is 21.

    0.22 is no chip of 1, so that rounding makes no money of it.
    """
    given = {**ROUND, "wagers": [{"bet": "banker", "stake": "0.22"}]}
    chips = {**ROUND, "wagers": [{"bet": "banker", "stake": "22"}]}
    posted = {"limits": {"rounding": "up", "unit": "1"}}
    cent, chip, less = answers({**given, "limits": {"rounding": "up"}}, {**chips, **posted}, {**given, **posted})
    assert [cent["lines"][0]["net"], chip["lines"][0]["net"]] == ["0.21", "21.00"]
    assert less["error"] == "0.22 cannot be laid in chips: the smallest is 1.00. (AMB-30)"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"rulebook": "wu-song"}', "This is not a round"),
        (b'{"rulebook": "\xff"}', "This is not UTF-8"),
        (b"{", "This is not JSON"),
        (json.dumps({**ROUND, "decks": 9}).encode(), "9 decks are not allowed"),
        (json.dumps({**ROUND, "cards": "6h"}).encode(), "Too few cards"),
    ],
)
def test_a_fault_is_an_answer_with_its_line_and_the_next_round_is_settled(line: bytes, says: str) -> None:
    fault, settled = answers(b"\n", line, b"   ", ROUND)
    assert says in fault["error"]
    assert fault["line"] == 2
    assert settled["winner"] == "banker"


def test_a_book_of_ones_own_is_read_once(tmp_path: Path) -> None:
    """What becomes of the file while rounds are settled changes nothing."""
    file = tmp_path / "mine.toml"
    file.write_text((BOOKS / "commission-insurance.toml").read_text())

    def rounds() -> Iterator[str]:
        yield json.dumps({**ROUND, "rulebook": str(file)})
        file.write_text("nothing of use")
        yield json.dumps({**ROUND, "rulebook": str(file)})

    assert [settled for _, settled in settle_lines(rounds())] == [True, True]
