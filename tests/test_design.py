"""Pay tables found for open odds: edges counted anew from the finished file, and published tables found again."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from own_head import head
from punto.design import BadDesign, OpenBook, designs, pay_tables, wanted_odds
from punto.design.search import STEPS
from punto.odds import bet_odds, full_shoe
from punto.rulebook import BadBook, menu
from punto.rulebook.figures import Figure
from punto.rulebook.loader import parse
from test_patterns import BASE, bet

from test_cli import punto_command

PANDA = bet("panda", 'when = { winner = "player", points = 8, winner-cards = 3 }\nodds = "?"')
BONUS = bet(
    "bonus",
    'when = { winner = "player", natural = ["player", "both"] }\nodds = "1:1"',
    'when = { winner = "player" }\nby = "margin"\nodds = { 4 = "1:1", 5 = "2:1", 6 = "?", 7 = "?", 8 = "?", 9 = "?" }',
    'when = { winner = "tie", natural = "both" }\nresult = "stand-off"',
    more="in-order = true",
)

NEVER = bet("never", 'when = { winner = "tie", margin = 3 }\nodds = "?"')


def text_with(added: str) -> str:
    named = BASE.replace('id = "commission-insurance"', 'id = "designed"', 1)
    at = named.index("pays = [", named.index("[layouts."))
    return named[: at + 8] + '"side", ' + named[at + 8 :] + added


def opened(added: str) -> OpenBook:
    return OpenBook.of(text_with(added).encode(), "mine.toml")


def test_a_file_that_is_no_text_is_a_fault_and_its_line_is_told() -> None:
    with pytest.raises(BadBook, match=r"mine\.toml:1: the file: is not UTF-8 text"):
        OpenBook.of(b'odds = "?" \xff', "mine.toml")


def test_panda_8_is_found_at_25_to_1_for_its_published_edge() -> None:
    """Published: 25 to 1, 10.1876% with eight decks."""
    [first, *_] = designs(opened(PANDA), "panda", Fraction("0.101876"))
    assert first.greatest.text == "25:1"
    assert f"{float(first.edges[8]):.4%}" == "10.1876%"


def test_the_file_that_is_written_has_the_edge_that_was_told() -> None:
    book = opened(BONUS + PANDA)
    for each in designs(book, "bonus", Fraction(3, 100), number=3):
        text = book.filled_with("bonus", None, each)
        assert text.count('"?"') == 1, "the other bet is open as before"
        finished = parse(text.replace('"?"', '"25:1"').encode(), "finished.toml")
        for decks in (8, 6):
            assert bet_odds(menu(finished), full_shoe(decks))["bonus"].edge == each.edges[decks]
        assert abs(each.edges[8] - Fraction(3, 100)) < Fraction(1, 100)
        odds = [row.odds.fraction for row in each.rows[3:7] if row.odds]
        assert odds == sorted(odds), "what is rarer never pays less"


def test_no_table_of_two_rows_comes_nearer() -> None:
    """By trying every pair of odds, the rarer one any whole number."""
    chances, wanted = (0.031, 0.0044), 0.93
    [best] = pay_tables(chances, wanted, number=1)
    pairs = ((one, other) for one, other in product(STEPS, range(1, 400)) if one <= other)
    nearest = min(abs(one * chances[0] + other * chances[1] - wanted) for one, other in pairs)
    missed = abs(best[0] * chances[0] + best[1] * chances[1] - wanted)
    assert missed <= max(nearest, 0.001)


def test_a_wanted_spread_and_a_greatest_payout_are_kept() -> None:
    book = opened(BONUS)
    wild, tame = (designs(book, "bonus", Fraction(3, 100), sd=sd, number=1)[0] for sd in (6.0, 2.0))
    assert wild.sd > tame.sd
    for sd, number in ((3.0, 1), (3.0, 20), (5.0, 3)):
        found = designs(book, "bonus", Fraction(3, 100), sd=sd, number=number)
        assert all(abs(each.edges[8] - Fraction(3, 100)) <= Fraction(1, 500) for each in found), "the edge goes first"
        assert abs(found[0].sd - sd) < 0.1
    assert all(each.greatest.fraction <= 20 for each in designs(book, "bonus", Fraction(3, 100), most=20))


def test_a_wanted_spread_moves_no_edge_where_one_row_is_open() -> None:
    """Panda 8 pays 25 to 1 for an edge of 10%, whatever spread is wanted besides."""
    for sd in (2.0, 4.7, 30.0):
        [found] = designs(opened(PANDA), "panda", Fraction(1, 10), sd=sd, number=1)
        assert [row.odds.text for row in found.rows if row.odds] == ["25:1"]


def test_a_limit_on_what_a_counter_wins_leaves_tables_out() -> None:
    """Panda 8: the better it pays, the more a counter wins by it."""
    book, edge = opened(PANDA), Fraction(1, 10)
    free = designs(book, "panda", edge, number=5, shoes=20)
    won = sorted(each.counted for each in free if each.counted is not None)
    kept = designs(book, "panda", edge, number=5, shoes=20, counted=won[2])
    assert {each.counted for each in free if each.counted is not None and each.counted > won[2]}
    assert all(each.counted is not None and each.counted <= won[2] for each in kept)
    assert [each.rows for each in kept[:3]] == [each.rows for each in free if (each.counted or 0) <= won[2]]
    with pytest.raises(BadDesign, match=r"A perfect counter wins .* units a shoe at least"):
        designs(book, "panda", edge, number=1, shoes=20, counted=-1.0)


LIGHT = bet(
    "light",
    'when = { first-four = { ranks = "chosen", count = "1-4" } }\nby = "count"\n'
    'odds = { 1 = "2:1", 2 = "?", 3 = "?", 4 = "?" }',
    more='choose = "rank"',
)
CALM = bet("calm", 'when = { natural = "none", pairs = "none" }\nodds = "?"')


def test_a_bet_with_a_choice_is_designed_under_its_own_name(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text(text_with(LIGHT), encoding="utf-8")
    told = punto_command("design", str(source), "light", "--number", "1", "--shoes", "0", "-o", str(source))
    assert told.returncode == 0, told.stderr
    finished = bet_odds(menu(parse(source.read_bytes(), "mine.toml")), full_shoe(8))
    assert len({each.edge for name, each in finished.items() if name.startswith("light-")}) == 1
    assert f"{float(finished['light-k'].edge):.4%} with 8 decks" in told.stdout


def test_where_no_whole_odds_come_near_the_odds_that_would_are_told(tmp_path: Path) -> None:
    """A bet that wins more often than not: even money is already too much."""
    book, edge = opened(CALM), Fraction(1, 20)
    odds = wanted_odds(book, "calm", edge, None, 8)
    [first] = designs(book, "calm", edge, number=1)
    assert odds is not None
    assert first.hit * odds - (1 - first.hit) == -edge
    source = tmp_path / "mine.toml"
    source.write_text(text_with(CALM), encoding="utf-8")
    told = punto_command("design", str(source), "calm", "--number", "1", "--shoes", "0").stdout
    assert f"No whole odds come nearer to an edge of 5.00% than the first. Odds of {float(odds):.2f}:1" in told
    told = punto_command("design", str(source), "calm", "--shoes", "0", "--counted", "1").stderr
    assert "write --shoes with a number" in told


@pytest.mark.parametrize(
    ("added", "bet_id", "edge", "says"),
    [
        (PANDA, "tie", "0.05", 'Tie has no open odds: write odds = "?" in a row of it.'),
        (BONUS, "bonus", "0.6", "The fixed odds alone leave the house less than 60.00%."),
        (NEVER, "never", "0.05", "A row that no deal meets cannot be priced."),
    ],
)
def test_what_cannot_be_designed_is_told(added: str, bet_id: str, edge: str, says: str) -> None:
    with pytest.raises(BadDesign, match=says.replace("?", r"\?")):
        designs(opened(added), bet_id, Fraction(edge))


def test_the_command_prints_tables_and_writes_the_file(tmp_path: Path) -> None:
    source, target, drawing = tmp_path / "mine.toml", tmp_path / "done.toml", tmp_path / "design.svg"
    source.write_text(text_with(PANDA), encoding="utf-8")
    said = punto_command(
        "design", str(source), "panda", "--edge", "10%", "--number", "2", "--shoes", "20", "-o", str(target),
        "--plot", str(drawing), "--json",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    first, second = json.loads(said.stdout)
    assert (first["greatest"], second["greatest"]) == ("25:1", "26:1")
    assert first["counted"] < second["counted"]
    assert 'odds = "25:1"' in target.read_text(encoding="utf-8")
    assert drawing.read_bytes().startswith(b"<?xml")
    wrong = punto_command("design", str(source), "panda", "--edge", "little")
    assert "'little' is no figure: write it like 7.6113% or 0.076113." in wrong.stderr


def test_open_odds_in_a_book_that_is_played_name_the_verb_that_finds_them() -> None:
    with pytest.raises(BadBook, match=r"leaves the odds open: `punto design` finds some, or write them like 8:1"):
        parse((BASE + PANDA).encode(), "mine.toml")


SEVENS = """
[bets.sevens]
name = "Sevens"
clause = "B.sevens"
loses = "B.sevens"
[[pays.sevens]]
bet = "sevens"
when = { all-cards = { ranks = "7" } }
by = "count"
odds = { 1 = "?", 2 = "?", "3-6" = "?" }
clause = "P.sevens"
[[pays.sevens]]
bet = "sevens"
when = { winner = "tie", sum = 0 }
odds = "?"
clause = "P.sevens#nothing"
[layouts.sevens]
clause = "L.sevens"
positions = { min = 1, max = 9 }
pays = ["player", "banker", "tie", "sevens"]
"""


@pytest.mark.parametrize("often", ["33%", "5%", "0.3%", "1%", "28%", "60%"])
def test_of_open_rows_those_win_that_are_met_most_nearly_as_often_as_is_wanted(often: str) -> None:
    opened = OpenBook.of((head() + SEVENS).encode(), "sevens.toml")
    wanted = Figure.of(often).value
    [found] = designs(opened, "sevens", Fraction(1, 10), layout="sevens", hit=wanted, number=1)
    carried = menu(opened.book, "sevens")
    chances = [each.probability for each in bet_odds(carried, full_shoe(8))["sevens"].rows]
    some = [list(each) for each in product((0, 1), repeat=len(chances)) if any(each)]
    nearest = min(abs(sum(win * chance for win, chance in zip(each, chances, strict=True)) - wanted) for each in some)
    assert abs(found.hit - wanted) == nearest
    exact = bet_odds(carried.with_rows("sevens", found.rows), full_shoe(8))["sevens"]
    assert (exact.hit, exact.edge) == (found.hit, found.edges[8])


def test_rows_that_do_not_win_are_written_as_lost() -> None:
    opened = OpenBook.of((head() + SEVENS).encode(), "sevens.toml")
    [found] = designs(opened, "sevens", Fraction(1, 10), layout="sevens", hit=Fraction(5, 100), number=1)
    written = opened.filled_with("sevens", "sevens", found)
    assert '1 = "lost"' in written
    book = parse(written.encode(), "sevens.toml")
    assert [(row.result, row.odds) for row in menu(book, "sevens")["sevens"].rows] == [
        (row.result, row.odds) for row in found.rows
    ]
