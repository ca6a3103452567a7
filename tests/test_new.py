"""`punto new`: whatever is answered, the file loads, has no fault, is of the schema, and its story goes as told."""

import re
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from punto.cli.new import NotWritten
from punto.lint import lint
from punto.odds import bet_odds, full_shoe
from punto.rulebook import load, menu
from punto.rulebook.figures import Figure
from punto.rulebook.starter import BANKER, SIDE_BETS
from punto.scenario import play, read
from test_book_schema import as_json, faults
from whole_app import app

from console import DOCS


def new(file: Path, *words: str, answers: str | None = None) -> str:
    done = CliRunner().invoke(app, ["new", str(file), *words], input=answers)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0
    return done.output


def check(file: Path) -> None:
    """The file and the story beside it are in order."""
    book = load(str(file))
    assert [each for each in lint(book) if each.severity == "fault" or each.kind == "no-index"] == []
    assert faults(as_json(file.read_text(encoding="utf-8"))) == []
    story = file.with_suffix(".scenario")
    played = play(read(story.read_text(encoding="utf-8"), str(story)))
    assert played.differences == ()


@pytest.mark.parametrize(("banker", "sides"), [*product(BANKER, (0, 1))])
def test_every_way_makes_a_book_without_faults(banker: str, sides: int, tmp_path: Path) -> None:
    file = tmp_path / "my-game.toml"
    chosen = [f"--side={name}" for name in SIDE_BETS] if sides else []
    new(file, "--banker", banker, *chosen)
    check(file)
    assert (load(str(file)).id, load(str(file)).title) == ("my-game", "My Game")


PUBLISHED = {
    "seven": {"banker": "1.0183%", "dragon-7": "7.6113%"},
    "six": {"banker": "1.4581%", "lucky-6": "16.6836%"},
    "commission": {"banker": "1.0579%", "player-pair": "10.361%", "dragon-bonus-player": "2.6517%"},
}
"""House edges with eight decks: 888casino AP Heat (Jacobson) for Banker and pairs, Wizard of Odds for the others."""

WINS = {"tie": "0.095156", "either-pair": "0.143816871867", "small": "0.378868490880"}
"""How often a bet wins: Wizard of Odds, appendix 3, and the figures of zeekrs/baccarat-calculator."""


@pytest.mark.parametrize("banker", PUBLISHED)
def test_edges_are_those_that_are_published(banker: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    new(file, "--banker", banker, *(f"--side={name}" for name in SIDE_BETS))
    odds = bet_odds(menu(load(str(file))), full_shoe(8))
    for name, figure in PUBLISHED[banker].items():
        assert Figure.of(figure).shown(odds[name].edge) == figure, name
    for name, figure in WINS.items():
        assert Figure.of(figure).shown(odds[name].hit) == figure, name


def test_it_asks_what_no_option_says_and_shows_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "two words.toml"
    told = new(file, "--ask", "--tie", "9:1", answers='ours-2\nOurs "#2"\nseven\nbig, small\n')
    assert "[two words]" in told
    assert "[Ours 2]" in told
    assert "[commission]" in told
    assert "[none]" in told
    assert "What Tie pays" not in told
    check(file)
    book = load(str(file))
    assert (book.id, book.title, list(book.bets)[3:]) == ("ours-2", 'Ours "#2"', ["big", "small"])


def test_the_page_names_every_side_bet_and_every_way() -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith("| `--side BET`")]
    assert re.findall("`([a-z0-9-]+)`", row) == list(SIDE_BETS)
    [row] = [line for line in page.splitlines() if line.startswith("| `--banker WAY`")]
    assert all(f"`{name}`, {each.says.partition(':')[0]}" in row for name, each in BANKER.items())


def test_nothing_is_written_where_an_answer_makes_no_book(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for words in (("--id", "Not An Id"), ("--tie", "much"), ("--banker", "free"), ("--side", "roulette")):
        with pytest.raises(NotWritten):
            new(file, *words)
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(NotWritten, match=r"does not end in \.toml"):
        new(tmp_path / "mine")
    (tmp_path / "mine.scenario").write_text("mine")
    with pytest.raises(NotWritten, match="is there already"):
        new(file)
