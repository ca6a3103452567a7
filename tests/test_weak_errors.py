"""What people write who have the words of another game, and what the file is then told: the word that is meant."""

import tomllib

import pytest

from punto.lint import lint
from punto.rulebook import BadBook, games, ids, parse
from punto.rulebook.shipped import shipped_text

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
    small, large = (
        parse(with_changes((WHEN, f'when = {{ player-first = "{ranks}" }}')), "w.toml") for ranks in ("jqk", "JQK")
    )
    assert small.pays["x"] == large.pays["x"]


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
