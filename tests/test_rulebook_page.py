"""The examples of the page on the format load, put into a small game."""

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from own_head import head
from punto.lint.pays import check_rows
from punto.odds import bet_odds, full_shoe
from punto.rulebook import menu, parse
from punto.rulebook.toml_writer import write_toml

PAGE = (Path(__file__).parent.parent / "docs" / "rulebook.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = [each for each in BLOCKS if "[[pays." in each]
SECTIONS = [each for each in BLOCKS if "[[pays." not in each and re.search(r"^\[", each, re.MULTILINE)]
LINES = [line for each in BLOCKS if each not in (*EXAMPLES, *SECTIONS) for line in each.splitlines() if " = " in line]
HEAD = head()


def in_a_game(example: str) -> str:
    """The example, with the bets that it names and a layout that carries its rows."""
    said = tomllib.loads(example)
    rows = [row for group in said["pays"].values() for row in group]
    more = ""
    for name in dict.fromkeys(row["bet"] for row in rows):
        if name not in ("player", "banker", "tie", *said.get("bets", ())):
            choose = 'choose = "points"\n' if any("chosen" in str(row) for row in rows if row["bet"] == name) else ""
            more += f'[bets.{name}]\nname = "{name}"\n{choose}clause = "B"\nloses = "B"\n'
    groups = ", ".join(f'"{name}"' for name in ("player", "banker", "tie", *said["pays"]))
    layout = f'[layouts.mine]\nclause = "L"\npositions = {{ min = 1, max = 7 }}\npays = [{groups}]\n'
    return f"{HEAD}{example}{more}{layout}"


def test_the_page_has_examples_of_pay_rows() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_pay_rows_loads(example: str) -> None:
    book = parse(in_a_game(example).encode(), "mine.toml")
    assert set(tomllib.loads(example)["pays"]) <= set(book.pays)
    of_the_base = (", player", ", banker", ", tie")  # which has rows of its own for them
    faults = [
        str(each) for each in check_rows(book) if each.severity == "fault" and not each.where.endswith(of_the_base)
    ]
    assert faults == []


def bets_named(said: dict[str, Any]) -> list[str]:
    """The bets that an example gives a section or names, and the base does not have."""
    found = [*said.get("bets", ()), *said.get("limits", {}).get("payout-bets", {}).get("value", ())]
    return [name for name in dict.fromkeys(found) if name not in ("player", "banker", "tie")]


def with_what_it_needs(said: dict[str, Any]) -> dict[str, Any]:
    """An example with what else a game must have for it: bets and their rows, ranks, offers, a commission."""
    game = {**tomllib.loads(HEAD), **said}
    pays: dict[str, Any] = {}
    for name in bets_named(said):
        own = game.setdefault("bets", {}).setdefault(name, {})
        game["bets"][name] = {"name": name, "clause": "B", "loses": "B", **own}
        pays[name] = [{"bet": name, "when": {"natural": "player"}, "odds": "2:1", "clause": "P"}]
    if "commission-unit" in said.get("money", {}):
        won = {"bet": "banker", "when": {"winner": "banker"}, "odds": "1:1", "commission": "5%", "clause": "P"}
        pays["banker"] = [won, {"bet": "banker", "when": {"winner": "tie"}, "result": "stand-off", "clause": "P"}]
        game["money"] = {**said["money"], "commission": {"value": "at-once", "clause": "M"}}
    if pays:
        game["pays"] = pays
        game["layouts"] = {"plain": {"pays": list(dict.fromkeys(("player", "banker", "tie", *pays)))}}
    if "pit-manager" in str(said):
        game["authority"] = {"ranks": [["dealer"], ["floor-manager"], ["pit-manager"]]}
    if "irregularity" in said:
        game["offers"] = {"order-fixed": {"clause": "O", "scope": "undecided", "choices": [{"do": "continue"}]}}
    return game


@pytest.mark.parametrize("example", SECTIONS)
def test_an_example_without_pay_rows_loads(example: str) -> None:
    said = tomllib.loads(example)
    book = parse(write_toml(with_what_it_needs(said)).encode(), "mine.toml")
    for section in book.points:
        for name in said.get(section, {}):
            assert book.point(section, name) is not None


@pytest.mark.parametrize("line", LINES)
def test_an_example_of_one_key_loads(line: str) -> None:
    [key] = tomllib.loads(line)
    section = {"tie": "drawing", "ranks": "authority"}.get(key)
    residual = 'residual = { value = "uncovered", by = "pit-manager", clause = "A" }\n' if key == "ranks" else ""
    text = f"{line}\n" if key == "id" else HEAD + (f"[{section}]\n" if section else "") + f"{line}\n{residual}"
    if key == "id":
        text += HEAD.replace('id = "mine"\n', "")
    assert parse(text.encode(), "mine.toml").id


WHEN = dict(re.findall(r"^\| ([^|`]+) \| `(\{ .* \})` \|$", PAGE, re.M))
"""The table of examples of card tests: a bet in words, and its pattern."""
TWO_HEARTS = Fraction(104 * 103, 416 * 415)
NO_HEART = Fraction(312 * 311 * 310 * 309, 416 * 415 * 414 * 413)


@pytest.mark.parametrize("bet", WHEN)
def test_an_example_of_a_card_test_is_a_pattern(bet: str) -> None:
    book = parse(
        in_a_game(f'[[pays.mine]]\nbet = "mine"\nwhen = {WHEN[bet]}\nodds = "2:1"\nclause = "P"\n').encode(),
        "mine.toml",
    )
    probability = bet_odds(menu(book), full_shoe(8))["mine"].rows[0].probability
    assert 0 < probability < 1
    counted = {
        "both first cards of the Player are hearts": TWO_HEARTS,
        "the first card of each hand is a heart": TWO_HEARTS,
        "a heart lies among the first four cards": 1 - NO_HEART,
    }
    assert counted.get(bet, probability) == probability


def test_every_example_of_the_page_is_loaded() -> None:
    assert len(WHEN) >= 11
    assert len(LINES) >= 8
    assert len(SECTIONS) >= 9
