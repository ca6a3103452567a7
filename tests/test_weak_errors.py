"""What people write who have the words of another game, and what the file is then told: the word that is meant."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from punto.cli.output import percent
from punto.cli.simulate import rounds_told
from punto.lint import lint
from punto.rulebook import BadBook, Refused, games, ids, parse
from punto.rulebook.differences import differences
from punto.rulebook.shipped import shipped_text
from punto.rulebook.starter import SIDE_BETS
from punto.rulebook.words import pattern_in_words
from punto.settlement import Limits
from punto.settlement.chips import chips_of

from test_cli import ok

GAME = """
base = "punto-banco"
id = "w"
title = "W"
operator = "o"
approver = "a"
version = "1"
effective = 2026-01-01T00:00:00+00:00

[bets.x]
name = "X"
clause = "9.1"
loses = "9.1"

[[pays.x]]
bet = "x"
when = { winner = "tie" }
odds = "2:1"
clause = "9.1"

[layouts.Z]
clause = "9.2"
positions = { min = 1, max = 7 }
pays = ["player", "banker", "tie", "x"]
"""
WHEN = 'when = { winner = "tie" }'
WON = 'odds = "2:1"'


def with_changes(*changes: tuple[str, str]) -> bytes:
    text = GAME
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return text.encode()


WEAK = {
    "a push": ((WON, 'result = "push"'), "write stand-off."),
    "money back": ((WON, 'result = "Returned"'), "write stand-off."),
    "a loss": ((WON, 'result = "lose"'), "write lost."),
    "a win": ((WON, 'result = "win"'), 'A bet that wins has odds in the place of result: write odds = "1:1".'),
    "a number twice": (
        (WHEN + "\n" + WON, f'{WHEN}\nby = "cards"\nodds = {{ 4 = "2:1", 4 = "3:1" }}'),
        "4 stands twice within these braces: leave one of them.",
    ),
    "a property twice": ((WHEN, 'when = { winner = "tie", winner = "banker" }'), "winner stands twice within these"),
    "a table said in two ways": (
        ('loses = "9.1"', 'loses = "9.1"\nneeds = { bets = ["player"] }\nneeds.clause = "9.1"'),
        "bets.x.needs is said in two ways: leave one of them.",
    ),
    "a total": ((WHEN, "when = { total = 6 }"), "perhaps points or sum is meant."),
    "a total of cards": ((WHEN, "when = { player-hand = { total = 6 } }"), "perhaps sum is meant."),
    "several patterns": (
        (WHEN, 'when = [{ winner = "tie" }, { cards = 6 }]'),
        'One of several patterns holds: write when = { any = [{ winner = "tie" }, { cards = 6 }] }.',
    ),
    "no pattern": ((WHEN, "when = {}"), 'every coup, or every other one, is when = "otherwise".'),
    "a version": (('version = "1"', "version = 5"), 'must be text, in quotes: write "5".'),
    "a clause that ends in nought": (('loses = "9.1"', "loses = 4.10"), 'must be text, in quotes: write "4.10".'),
    "a file as a base": (
        ('base = "punto-banco"', 'base = "mine.toml"'),
        "cannot be a file: begin with a book or a game",
    ),
}


@pytest.mark.parametrize("weak", WEAK.values(), ids=WEAK)
def test_the_word_that_is_meant_is_named(weak: tuple[tuple[str, str], str]) -> None:
    change, says = weak
    with pytest.raises(BadBook) as bad:
        parse(with_changes(change), "w.toml")
    [fault] = bad.value.faults
    assert says in str(fault)


TEN = '[cards]\nvalues = [{ ranks = "10JQK", points = 0, clause = "3.1" }]\n\n[bets.x]'


def test_a_ten_is_told_alike_in_the_card_values_and_in_a_test_of_cards() -> None:
    for change in (("[bets.x]", TEN), (WHEN, 'when = { player-first = "10JQK" }')):
        with pytest.raises(BadBook) as bad:
            parse(with_changes(change), "w.toml")
        assert "a ten is the letter T: write 'TJQK'." in [each.says for each in bad.value.faults]


def test_small_letters_are_ranks_in_both_places_too() -> None:
    """Written by hand: the values of a shoe, and a bet on a picture card."""
    whole = shipped_text("punto-banco").decode()
    small = whole.replace('"TJQK"', '"tjqk"')
    assert small != whole
    assert parse(small.encode(), "w.toml").cards == parse(whole.encode(), "w.toml").cards
    low, high = (
        parse(with_changes((WHEN, f'when = {{ player-first = "{ranks}" }}')), "w.toml") for ranks in ("jqk", "JQK")
    )
    assert low.pays["x"] == high.pays["x"]


def test_only_what_can_be_a_base_is_offered_as_one() -> None:
    """A game that begins with a base of its own cannot be one."""
    with pytest.raises(BadBook) as bad:
        parse(with_changes(('base = "punto-banco"', 'base = "nothing-like-it"')), "w.toml")
    [fault] = bad.value.faults
    for name in (*ids(), *games()):
        assert (name in fault.says.replace(",", "").replace(".", "").split()) == (
            "base" not in tomllib.loads(shipped_text(name).decode())
        ), name


def test_a_row_that_takes_every_coup_is_one_fault_however_many_stand_behind_it() -> None:
    others = "".join(
        f'[[pays.x]]\nbet = "x"\nwhen = {when}\n{WON}\nclause = "9.1"\n\n'
        for when in (
            '{ winner = "banker", points = 6 }',
            '{ winner = "player", points = 6 }',
            '{ player-first = { higher = "banker-first" } }',
        )
    )
    first = f'[[pays.x]]\nbet = "x"\nwhen = "otherwise"\nresult = "lost"\nclause = "9.1"\n\n{others}[[pays.x]]'
    book = parse(with_changes(("[[pays.x]]", first)), "w.toml")
    lines = [at for at, line in enumerate(book.text.splitlines(), start=1) if line == "[[pays.x]]"]
    [fault] = [each for each in lint(book) if each.severity == "fault"]
    assert fault.line == lines[0]
    assert [number for number in lines[1:] if str(number) not in fault.says] == []
    behind = parse(
        with_changes(
            (
                "[layouts.Z]",
                f'{others}[[pays.x]]\nbet = "x"\nwhen = "otherwise"\nresult = "lost"\nclause = "9.1"\n\n[layouts.Z]',
            )
        ),
        "w.toml",
    )
    assert not [each for each in lint(behind) if "leaves nothing" in each.says]


TAGS = {"chinese": "zh-Hant", "cn": "zh-Hant", "jp": "ja", "klingon": None, "zh-Hant-TW": "", "vi": "", "pt-BR": ""}


@pytest.mark.parametrize("tag", TAGS)
def test_a_text_under_a_tag_that_no_screen_looks_for_is_a_finding(tag: str) -> None:
    """A language has two or three letters; what is meant is named where that is known."""
    right = TAGS[tag]
    for place in ('loses = "9.1"', 'clause = "9.2"'):
        key = "names" if "9.1" in place else "titles"
        book = parse(with_changes((place, f'{place}\n{key} = {{ {tag} = "皇冠" }}')), "w.toml")
        found = [each for each in lint(book) if each.kind == "language"]
        assert len(found) == (right != "")
        for each in found:
            assert each.severity == "finding"
            assert (f"write {right}." if right else "like zh-Hant, vi or pt-BR") in each.says
            assert tag in book.text.splitlines()[each.line - 1]


# What patrons read of a row, and what people read of two books


def words_of(when: str, odds: str) -> list[str]:
    book = parse(with_changes((f"{WHEN}\n{WON}", f"when = {when}\n{odds}")), "w.toml")
    return [str(pattern_in_words(row.when)) for row in book.pays["x"]]


def test_what_every_coup_has_is_not_told_of_a_row() -> None:
    """There are four, five or six cards on the table in every coup; only in some there are six."""
    every = 'by = "cards"\nodds = { "4-6" = "2:1" }'
    assert words_of('"otherwise"', every) == ["Otherwise"]
    assert words_of('{ winner = "tie" }', every) == ["Tie"]
    assert words_of('{ winner = "tie", points = "0-9" }', WON) == ["Tie"]
    assert words_of('{ winner = "tie", cards = [5, 6] }', WON) == ["Tie with five or six cards on the table"]
    assert words_of("{ winner-cards = [2, 3] }", WON) != ["Otherwise"]  # a tie has no winner
    assert words_of('"otherwise"', 'by = "margin"\nodds = { 0 = "2:1", "1-9" = "1:1" }') == [
        "A margin of 0",
        "A margin of 1-9",
    ]


def test_rows_by_a_number_are_compared_in_the_order_of_the_number() -> None:
    """Whatever their order in the file: four, five, six, and never five, four, six."""
    one, other = (
        parse(with_changes((WON, f'by = "cards"\nodds = {{ {odds} }}')), "w.toml")
        for odds in ('6 = "7:1", 4 = "10:1", 5 = "8:1"', '4 = "10:1", 5 = "8:1", 6 = "7:1"')
    )
    assert differences(one, other) == []
    [bet] = [each for each in differences(one, parse(with_changes(), "w.toml")) if each.point == "bet x"]
    numbers = [word for word in bet.a.value.split() if word in ("four", "five", "six")]
    assert numbers == ["four", "five", "six"]


@pytest.mark.parametrize(("chip", "steps"), [(100, 100), (500, 500), (25, 100), (1, 100), (30, None), (150, None)])
def test_a_chip_and_the_unit_of_rounding_make_one_another(chip: int, steps: int | None) -> None:
    """Payments in whole units of 1.00: by chips of 5.00 in those, by 0.25 or 0.01 in units; 0.30 makes none."""
    text = with_changes(("[bets.x]", '[money]\npayout-unit = { value = "1", clause = "4.4" }\n\n[bets.x]'))
    book = parse(text, "w.toml")
    if steps is None:
        with pytest.raises(Refused, match="in which the book rounds"):
            chips_of(book, Limits(minimum=1000, unit=chip))
        return
    assert chips_of(book, Limits(minimum=1000, unit=chip)).paid_in == steps


def test_the_side_bets_that_a_new_game_can_have_are_named_in_its_help() -> None:
    told = " ".join(ok("new", "--help").split()).replace("- ", "-")
    assert [name for name in SIDE_BETS if name not in told] == []


def test_what_favours_the_patron_is_marked_wherever_edges_are_printed() -> None:
    assert percent(Fraction(-1, 100)) == "-1.0000% *"
    assert percent(Fraction(1, 100)) == "1.0000%"


def test_a_pay_table_that_favours_the_patron_is_marked(tmp_path: Path) -> None:
    """Paid whatever is dealt, a bet has an edge of less than nothing."""
    open_odds = 'by = "cards"\nodds = { 4 = "?", 5 = "?", 6 = "?" }'
    file = tmp_path / "open.toml"
    file.write_bytes(with_changes((f"{WHEN}\n{WON}", f'when = "otherwise"\n{open_odds}')))
    assert "House edge -100.0000% * with" in ok("design", str(file), "x", "--edge=-5%", "--number", "1", "--shoes", "0")


@pytest.mark.parametrize(
    ("rate", "told"),
    [
        (340.4, "340"),
        (85_123.0, "85,000"),
        (532_000.0, "530,000"),
        (1_230_000.0, "1.2 million"),
        (43_210_000.0, "43 million"),
    ],
)
def test_the_speed_of_a_run_has_two_digits(rate: float, told: str) -> None:
    assert rounds_told(rate) == told


def test_how_many_edges_chance_alone_leaves_outside_is_said() -> None:
    """Of ten intervals of 95 %, 10 times 5 %. Which bets are outside is counted in the figures for programs."""
    for seed in ("2", "3"):
        dealt = ("simulate", "wu-song", "--shoes", "1000", "--seed", seed, "--rounds", "69")
        bets = json.loads(ok(*dealt, "--json"))["bets"].values()
        missed = sum(not each["low"] <= each["exact_edge"] <= each["high"] for each in bets)
        assert (missed > 0) == (seed == "3")
        said = (
            f"{missed} of 10 outside: by chance alone, 0.5 of so many intervals of 95% miss the exact edge on average."
        )
        assert (said in ok(*dealt)) == (missed > 0)
