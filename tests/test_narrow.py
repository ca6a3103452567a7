"""Tables fit the screen: those of every command in eighty columns, and long or Chinese names in less."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from json_shapes import EXAMPLES, printed_text
from punto.rulebook import source

WIDE = "1000"
LONG = "The bet that three of a kind come before the cut card"
CHINESE = "龙虎和七点闲家三张牌小老虎大老虎幸运六点"
RULE = re.compile(r"^ ─+ *$")


def tables(text: str) -> list[str]:
    """The lines of the tables in what was printed: around a line that divides heads from rows, to empty lines."""
    lines = text.split("\n")
    found = set[int]()
    for at, line in enumerate(lines):
        if RULE.match(line):
            for step in (-1, 1):
                place = at
                while 0 <= place < len(lines) and lines[place].strip():
                    found.add(place)
                    place += step
    return [lines[at] for at in sorted(found)]


def words(text: str) -> set[str]:
    """The words that no line of a table may break."""
    return {
        word
        for line in tables(text)
        if not RULE.match(line)
        for word in line.split()
        if len(word) <= 25 and cell_len(word) == len(word)
    }


CALLS = [(verb, example) for verb, examples in EXAMPLES.items() for example in examples if verb != "conformance make"]


@pytest.mark.parametrize(("verb", "example"), CALLS, ids=lambda part: part)
def test_every_table_fits_eighty_columns_and_breaks_no_word(verb: str, example: str) -> None:
    narrow, wide = (printed_text(verb, example, {"COLUMNS": columns}) for columns in ("80", WIDE))
    assert [line for line in tables(narrow) if cell_len(line) > 80] == []
    assert words(wide) <= words(narrow)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A book whose title and bets have long names, in two scripts."""
    text = source("commission-insurance").decode()
    text = re.sub(r'^title = ".*"', f'title = "{LONG}, or {CHINESE}"', text, count=1, flags=re.M)
    text = re.sub(r'^name = "Tie"', f'name = "{LONG}"', text, count=1, flags=re.M)
    text = re.sub(r'^name = "Player Pair"', f'name = "{CHINESE}"', text, count=1, flags=re.M)
    text = re.sub(r'^id = ".*"', f'id = "{"-".join(LONG.lower().split())}"', text, count=1, flags=re.M)
    file = tmp_path / "strange.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("columns", [30, 50, 80])
@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("show", ""),
        ("odds", ""),
        ("diff", " wu-song"),
        ("simulate", " --shoes 20"),
        ("exposure", " --shoes 20"),
        ("watch", " --once"),
    ],
)
def test_long_and_chinese_names_fit_narrow_screens(verb: str, more: str, columns: int, strange: Path) -> None:
    said = printed_text(verb, f"{strange}{more}", {"COLUMNS": str(columns)})
    squeezed = re.sub(r"[\s│]+", "", said)
    assert [line for line in tables(said) if cell_len(line) > columns] == []
    assert CHINESE[0] in squeezed
    if columns == 80:
        assert tables(said)


def test_on_a_screen_that_is_too_narrow_columns_stand_below_one_another() -> None:
    said = printed_text("show", "wu-song --layout A", {"COLUMNS": "24"})
    assert tables(said) == []
    assert "bet: Wu Dalang\nwhen: Player wins on 1\npays: 150 to 1\nclause: 4.1.10\nreadings: AMB-41\n" in said
