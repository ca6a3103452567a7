"""A book of few decks: where nobody says how many, it is dealt and priced by the allowed number next to eight."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from own_head import head
from punto.settlement.rounds import Faulty, Rounds
from whole_app import app

BOOK = (
    head()
    + """decks = { min = 1, max = 2, clause = "D" }
remove = ["layouts.plain"]

[bets.pair]
name = "Pair"
clause = "B"
loses = "B"
[[pays.pair]]
bet = "pair"
when = { pairs = ["player", "both", "twin"] }
odds = "?"
clause = "P"

[layouts.small]
clause = "L"
positions = { min = 1, max = 5 }
pays = ["player", "banker", "tie", "pair"]
"""
)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(BOOK.replace('"?"', '"11:1"'))
    return file


@pytest.mark.parametrize(
    "command",
    [
        ["odds", "--json"],
        ["simulate", "--shoes", "2", "--json"],
        ["exposure", "--shoes", "1", "--json"],
        ["watch", "--once"],
        ["demo", "--rounds", "1", "--seed", "1"],
    ],
    ids=lambda command: command[0],
)
def test_a_command_takes_the_decks_that_the_book_allows(command: list[str], book: Path) -> None:
    verb, *options = command
    done = CliRunner().invoke(app, [verb, str(book), *options])
    assert done.exit_code == 0, done.output
    if "--json" in options:
        assert json.loads(done.stdout)["decks"] == 2
    else:
        assert "2 decks" in done.stdout


def test_a_round_is_explained_and_settled_without_a_word_about_decks(book: Path) -> None:
    done = CliRunner().invoke(app, ["explain", str(book), "3h Kd Kc 4d 3s As", "player=5"])
    assert done.exit_code == 0, done.output
    given = {"rulebook": str(book), "cards": "3h Kd Kc 4d 3s As", "wagers": [{"bet": "player", "stake": "5"}]}
    assert not isinstance(Rounds().answer(json.dumps(given), 1), Faulty)
    refused = Rounds().answer(json.dumps(given | {"decks": 8}), 1)
    assert isinstance(refused, Faulty)
    assert "8 decks are not allowed: 1 to 2 are." in refused.error


def test_a_pay_table_is_made_for_decks_that_the_book_allows(tmp_path: Path) -> None:
    """Of two decks: after a first card seven of the other 103 are of its rank, so that 13 to 1 leaves 4.85%."""
    file = tmp_path / "open.toml"
    file.write_text(BOOK)
    done = CliRunner().invoke(app, ["design", str(file), "pair", "--number", "1", "--shoes", "0", "--json"])
    assert done.exit_code == 0, done.output
    [found] = json.loads(done.stdout)
    assert found["rows"][0]["odds"] == "13:1"
    assert found["edges"] == {"2": "5/103"}
