"""The examples of the page on the format load, put into a small game."""

import re
import tomllib
from pathlib import Path

import pytest

from punto.rulebook import parse

PAGE = (Path(__file__).parent.parent / "docs" / "rulebook.md").read_text(encoding="utf-8")
EXAMPLES = [each for each in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[[pays." in each]
HEAD = """base = "punto-banco"
id = "mine"
title = "Mine"
operator = "A house"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
"""


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
