"""Mistakes that people make in a file: each is one fault, with its line, what stands there and what to write."""

from pathlib import Path

import pytest

from own_head import head
from punto.lint import lint
from punto.rulebook import BadBook
from punto.rulebook.formatting import format_book
from punto.rulebook.loader import parse

GAME = (
    head()
    + """decks = { counts = [6, 8], clause = "D" }

[bets.flood]
name = "Flood"
clause = "B.flood"
loses = "B.flood"
[[pays.flood]]
bet = "flood"
when = { all-cards = { same = "colour" } }
by = "cards"
odds = { 4 = "8:1", 5 = "12:1", 6 = "30:1" }
clause = "P.flood"

[bets.ace]
name = "Black Ace"
clause = "B.ace"
loses = "B.ace"
[[pays.ace]]
bet = "ace"
when = { winner = "banker", points = 8, player-first = { ranks = "A", suits = "s" } }
odds = "45:1"
clause = "P.ace"

[layouts.mine]
clause = "L"
positions = { min = 1, max = 7 }
pays = ["player", "banker", "tie", "flood", "ace"]
"""
)
ODDS, WHEN = 'odds = "45:1"', 'when = { winner = "banker", points = 8, player-first = { ranks = "A", suits = "s" } }'
SEVERAL, BY_CHANCE = "one round decides every bet", "the cards alone decide what a bet pays"

MISTAKES = {
    # odds as people say them
    (ODDS, 'odds = "45 to 1"'): "'45 to 1' is not odds: write '45:1'.",
    (ODDS, 'odds = "45/1"'): "write '45:1'.",
    (ODDS, 'odds = "0,95:1"'): "write '0.95:1'.",
    (ODDS, 'odds = "1,000:1"'): "write '1000:1'.",
    (ODDS, 'odds = "45\u20131"'): "'45\u20131' is not odds: write '45:1'.",
    (ODDS, 'odds = "45\uff1a1"'): "write '45:1'.",
    (ODDS, 'odds = "45 for 1"'): "write '44:1'.",
    (ODDS, 'odds = "evens"'): "write '1:1'.",
    (ODDS, 'odds = "-1:1"'): "'-1:1' is not odds",
    (ODDS, 'odds = "1:0"'): "neither side may be nothing",
    (ODDS, 'odds = "0:1"'): 'Where the stake comes back, write result = "stand-off".',
    (f"[[pays.ace]]\nbet = \"ace\"\n{WHEN}\n{ODDS}", f"[[pays.ace]]\nbet = \"ace\"\n{WHEN}"):
        "odds is missing, or result where the bet does not win.",
    (ODDS, 'odds = 0.95'): 'must be odds in quotes, like "8:1"',
    (ODDS, "odds = 45:1"): '45:1 needs quotes: write "45:1".',
    (ODDS, 'odds = "half"'): "'half' is not odds: write '1:2'.",
    (ODDS, 'result = "half-lost"'): "A stake that is lost in part is not of this format",
    # what is said otherwise in other games, or put together as in other languages
    (WHEN, 'when = { and = [{ winner = "tie" }, { cards = 6 }] }'): "All that a pattern names must hold",
    (WHEN, 'when = { all = [{ winner = "tie" }, { cards = 6 }] }'): "All that a pattern names must hold",
    (WHEN, 'when = { winner = "tie", or = { winner = "player" } }'): "One of several patterns holds: write any = [",
    (WHEN, 'when = { player-third = ["J", "Q", "K"] }'): "all tests of a list must hold: write 'JQK'",
    (WHEN, 'when = { player-start = { suited = true } }'): 'write player-start = { same = "suit" }.',
    (WHEN, 'when = { player-hand = { pair = true } }'): "write player-hand = { of-a-kind = 2 }.",
    (WHEN, 'when = { first-four = { different = "suit" } }'): "Cards that all differ have no two of a kind",
    (WHEN, 'when = { all-cards = { at-least = 2, ranks = "8" } }'): "How many cards are meant is a count",
    (WHEN, 'when = { pair = "player" }'): "perhaps pairs is meant",
    (WHEN, "when = { player-total = 8 }"): "perhaps player-points is meant",
    (WHEN, "when = { player-hand = { total = 8 } }"): "perhaps sum is meant",
    (WHEN, 'when = { points = ">7" }'): "'>7' is no range: write '8-9'.",
    (WHEN, 'when = { points = "odd" }'): "write '1,3,5,7,9'.",
    (ODDS, 'odds = "jackpot"'): "A progressive pot is not of this format",
    (ODDS, 'odds = "random"'): BY_CHANCE,
    (ODDS, f'{ODDS}\nmultiplier = "2-8"'): BY_CHANCE,
    (WHEN, "when = { last-round = { winner = 'tie' } }"): SEVERAL,
    (WHEN, "when = { consecutive-wins = 3 }"): SEVERAL,
    # cards
    ('ranks = "A"', 'ranks = "ace"'): 'is not made of the letters A23456789TJQK: write "A".',
    ('ranks = "A"', 'ranks = 7'): 'must be text, in quotes: write "7".',
    ('ranks = "A"', 'ranks = ["7", "8"]'): 'write "78".',
    ('ranks = "A"', 'ranks = "7, 8"'): 'write "78".',
    ('ranks = "A"', 'ranks = "1"'): 'write "A".',
    ('suits = "s"', 'suits = "spades"'): 'write "s".',
    ('suits = "s"', 'suits = "♥♦"'): 'write "hd".',
    ('{ ranks = "A", suits = "s" }', '"As"'): 'write { ranks = "A", suits = "s" }.',
    ("player-first =", "player-1st ="): "the nearest are player-first, player-start and player-hand.",
    ("player-first =", "any-card ="): 'write all-cards = { ranks = "8", count = "1-6" }.',
    # tables
    ("[bets.flood]", "[[bets.flood]]"): "must be one table: write [bets.flood] above it, with single brackets.",
    ("[layouts.mine]", "[[layouts.mine]]"): "write [layouts.mine] above it, with single brackets.",
    ('decks = { counts = [6, 8], clause = "D" }', "decks = 8"): "must be a table, like { min = 6, max = 8",
    ('name = "Flood"', 'name = "Flood"\nneeds = "player"'): 'must be a table, like { bets = ["player", "banker"]',
    ('name = "Flood"', 'name = "Flood"\nnames = ["洪"]'): "must be a table, like { zh-Hant =",
    (WHEN, 'when = { not = "tie" }'): 'must be a table, like { winner = "tie" }.',
    (WHEN, '[when]\nwinner = "banker"'): "belongs in a pay row: write when = { … } there, in one line.",
    # names
    ("[bets.flood]", '[bets."my flood"]'): "not digits alone, like [bets.my-flood].",
    ("[bets.flood]", "[bets.7]"): "not digits alone, like [bets.bet-7].",
    ("[bets.flood]", "[bets.flo.od]"): "a dot in its name makes a table within a table: write [bets.flo-od].",
    ("[bets.flood]", "[bets.flöod]"): "bets.flöod is no name of a section: write letters of a to z",
    ('name = "Flood"', 'name = "Flood"\nneeds = { bets = "playr", clause = "N" }'): "'playr': perhaps player is meant.",
    ('id = "mine"', 'id = "mine"\nremove = ["[layouts.plain]"]'): "perhaps layouts.plain is meant.",
    ('id = "mine"', 'id = "mine"\nremove = ["layouts.plane"]'): "the base has no 'layouts.plane', but layouts.plain.",
    ('id = "mine"', 'id = "mine"\nremove = ["bets.tie"]'):
        "(line 3), where it is still named under \"pays.tie\": remove that, too, or write it anew.",
    ('id = "mine"', 'id = "mine"\nremove = ["bets.player"]'): "player is missing: every book has a bet on each hand.",
    # what is no TOML
    ("points = 8", "points: 8"): "has a colon behind points: write points = and the value.",
    ("points = 8", "points == 8"): "has == here: write one =.",
    (", points = 8", " and points = 8"): "has and between two keys: write a comma.",
    (", points = 8", " points = 8"): "a comma is missing here between two things.",
    ('"tie", "flood"', '"tie" "flood"'): "a comma is missing here between two things.",
    ('name = "Flood"', 'name = "Flood" // a flood'): "has // here: a comment begins with #.",
    ("2026-01-01T00:00:00+00:00", "01.03.2026"): "must be a date and time with its zone, like 2024-12-06T08:00",
    ("[bets.flood]", "[bets.flood"): "is no header: write [bets.flood]",
    ("[bets.flood]", "[bets flood]"): "write [bets.flood], with a dot between section and name.",
    ("[bets.flood]", "[bets.my flood]"): "is no header: write [bets.my-flood], without a space.",
    ("[bets.flood]", "[bets my flood]"): "write [bets.my-flood], with a dot between section and name.",
    ('name = "Flood"', 'name = "Flood"\nin-order = yes'): "yes is written true.",
    ('name = "Flood"', 'name = "Flood"\nin-order = Off'): "Off is written false.",
    ('name = "Flood"', "name ="): "has no value behind the =: write one.",
    ('name = "Flood"', '"Flood"'): "has no key: write a name, = and the value.",
    ("points = 8", "points = 08"): "has a number that begins with a zero: write 8.",
    ("points = 8", "points = 8, 9"): "has several numbers: write [8, 9].",
    ('"tie", "flood"', '"tie"\uff0c "flood"'): "has \uff0c here: write ,.",
    ('pays = ["player"', 'pays = \u3010"player"'): "has \u3010 here: write [.",
    # lists
    ('pays = ["player", "banker", "tie", "flood", "ace"]', 'pays = "player, banker"'):
        'must be a list: write ["player", "banker"].',
    ('name = "Flood"', 'name = "Flood"\nneeds = { bets = "player,banker", clause = "N" }'):
        'must be a list: write ["player", "banker"].',
    ('name = "Flood"', 'name = "Flood"\nchoose = ["rank", "suit"]'): "one thing is chosen with a bet: write one of",
    # choices
    ('name = "Flood"', 'name = "Flood"\nchoose = { ranks = "JQK", suits = "h" }'): "one thing is chosen with a bet",
    ('name = "Flood"', 'name = "Flood"\nchoose = { suits = "hearts" }'): 'letters cdhs: write "h".',
    ('name = "Flood"', 'name = "Flood"\nchoose = { suit = "h" }'): "perhaps suits is meant.",
    ('name = "Flood"', 'name = "Flood"\nchoose = {}'): 'must say what is chosen, like { points = "1-9" }.',
    # amounts, choices, numbers
    ("counts = [6, 8]", "min = 0, max = 8"): "must be a whole number from 1 to 12.",
    ("counts = [6, 8]", "min = 8, max = 6"): "is more than max: write min = 6, max = 8, if that is meant.",
    ("counts = [6, 8]", "min = 6, max = 13"): "13 decks are more than can be dealt: at most 12 are.",
    ('name = "Flood"', 'name = "Flood"\nminimum = 10'): "a table posts them when it opens, like minimum=10.",
    ('suits = "s"', 'suits = "choosen"'): "'choosen' is no word here: perhaps chosen is meant.",
    ('same = "colour"', "sum = 99"): "99 is not from 0 to 54.",
    (GAME, '{"id": "mine"}'): "is JSON, and no TOML",
    (GAME, "<html></html>"): "is HTML or XML, and no TOML",
}  # fmt: skip


@pytest.mark.parametrize(("right", "wrong"), MISTAKES)
def test_a_mistake_is_one_fault_that_says_what_to_write(right: str, wrong: str) -> None:
    assert right in GAME
    with pytest.raises(BadBook) as refused:
        parse(GAME.replace(right, wrong, 1).encode(), "mine.toml")
    [fault] = refused.value.faults
    assert MISTAKES[right, wrong] in fault.says
    before = GAME[: GAME.index(right)].count("\n") + 1
    if "remove" not in wrong and right != 'id = "mine"':
        assert fault.line in range(before, before + wrong.count("\n") + 2)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ('bas = "punto-banco"', "bas: is not a word of the format here: perhaps base is meant."),
        ('Base = "punto-banco"', "Base: is not a word of the format here: perhaps base is meant."),
        ("", 'base: is missing: write base = "punto-banco" to begin with classic punto banco'),
        ('base = "punto-banco"\nremov = ["layouts.plain"]', "remov: is not a word of the format here: perhaps remove"),
        ('base = "punto-banco"\nodds = "8:1"', "odds: is not a word of the format here"),
    ],
)
def test_a_file_without_its_base_is_told_so_and_nothing_else(wrong: str, says: str) -> None:
    with pytest.raises(BadBook) as refused:
        parse(GAME.replace('base = "punto-banco"', wrong).encode(), "mine.toml")
    [fault] = refused.value.faults
    assert says in str(fault)


def test_the_game_itself_has_no_fault() -> None:
    assert [each for each in lint(parse(GAME.encode(), "mine.toml")) if each.severity == "fault"] == []


def test_rows_that_overlap_are_told_with_what_to_write() -> None:
    rows = ('when = { winner = "banker", points = "7-8" }', "when = { points = [1, 8] }")
    more = f'[[pays.ace]]\nbet = "ace"\n{rows[1]}\nodds = "2:1"\nclause = "P.ace#more"\n\n[layouts.mine]'
    text = GAME.replace(WHEN, rows[0]).replace("[layouts.mine]", more)
    [overlap] = [each for each in lint(parse(text.encode(), "mine.toml")) if each.kind == "overlap"]
    assert overlap.says.endswith("If that is meant, write in-order = true under [bets.ace].")
    meant = text.replace('name = "Black Ace"', 'name = "Black Ace"\nin-order = true')
    assert [each for each in lint(parse(meant.encode(), "mine.toml")) if each.kind == "overlap"] == []


def test_a_bet_without_an_edge_is_told_so_and_not_put_down_to_rounding() -> None:
    """Half of all cards are red, whatever the number of decks: a bet on that colour at 1 to 1 is even."""
    red = GAME.replace(WHEN, 'when = { player-first = { colour = "red" } }').replace(ODDS, 'odds = "1:1"')
    [told] = [each for each in lint(parse(red.encode(), "mine.toml")) if "ace" in each.where]
    assert (told.kind, told.says) == ("favourable", "the house has no edge with 8 decks.")


def test_a_group_that_no_layout_carries_is_put_down_to_a_name_only_where_that_one_pays_the_same_bet() -> None:
    """A group of a bet's own that was forgotten is not a misspelt one of another bet."""
    tied = GAME.replace("flood", "tied").replace('"tie", "tied", "ace"', '"tie", "ace"')
    [told] = [each for each in lint(parse(tied.encode(), "mine.toml")) if each.kind == "uncarried"]
    assert told.says == "no layout carries this group of pay rows, so nobody can bet on Flood."
    misspelt = GAME.replace("[[pays.ace]]", "[[pays.aces]]").replace(
        "[layouts.mine]",
        '[[pays.ace]]\nbet = "ace"\nwhen = { winner = "tie" }\nodds = "9:1"\nclause = "P"\n[layouts.mine]',
    )
    [told] = [each for each in lint(parse(misspelt.encode(), "mine.toml")) if each.kind == "uncarried"]
    assert told.says == "no layout carries this group of pay rows: perhaps ace is meant."


def test_what_is_wrong_with_the_base_hides_nothing_else() -> None:
    """All faults of a file are told at once, also beside something that the base has not got."""
    text = GAME.replace('id = "mine"', 'id = "mine"\nremove = ["insurance"]').replace(ODDS, 'odds = "45"')
    text = text.replace('name = "Flood"', 'nam = "Flood"')
    with pytest.raises(BadBook) as refused:
        parse(text.encode(), "mine.toml")
    assert [fault.key for fault in refused.value.faults] == ["remove[0]", "bets.flood.nam", "pays.ace[0].odds"]


def test_a_row_that_is_read_otherwise_than_it_is_written_is_not_held_against_the_time_of_its_bet() -> None:
    """`third` may not be what was meant: that the first four cards do not tell it is no second mistake."""
    early = GAME.replace('name = "Black Ace"', 'name = "Black Ace"\nsettled = { value = "first-four", clause = "S" }')
    for when, keys in (
        ('when = { third = "8" }', ["pays.ace[0].when.third"]),
        ('when = { third-cards = "8" }', ["bets.ace.settled"]),
        ('when = { natural = "both" }', []),
    ):
        found = []
        try:
            parse(early.replace(WHEN, when).encode(), "mine.toml")
        except BadBook as refused:
            found = [fault.key for fault in refused.faults]
        assert found == keys


@pytest.mark.parametrize(
    "wrong",
    ["a" + ".a" * 50_000 + " = 1", "[a" + '."a"' * 50_000 + "]", "a = {b" + ". b" * 50_000 + "=1}"],
    ids=["key", "header", "braces"],
)
def test_a_file_of_very_many_dots_is_refused_before_anybody_reads_it(wrong: str, tmp_path: Path) -> None:
    """It is looked at once: TOML readers and the walk over its lines take a minute for such a key."""
    file = tmp_path / "deep.toml"
    file.write_text(f'id = "deep"\n{wrong}\n')
    with pytest.raises(BadBook, match=r"deep\.toml:2: the file: is nested too deeply\."):
        parse(file.read_bytes(), str(file))
    with pytest.raises(BadBook, match="is nested too deeply"):
        format_book(file.read_text(), str(file))


CHOOSE = 'choose = { points = "1-9" }\n'
MARGIN = 'when = { not = { winner = "tie" }, margin = "chosen" }\nby = "chosen"\nodds = { "1-8" = "9:1", 9 = "60:1" }'


def test_a_patron_chooses_one_of_some_values_alone() -> None:
    """Nobody wins by nothing: there is no bet on a margin of 0, and odds for it would be a mistake."""
    text = GAME.replace(f"{WHEN}\n{ODDS}", MARGIN).replace('name = "Black Ace"', f'{CHOOSE}name = "Margin"')
    book = parse(text.encode(), "mine.toml")
    assert [each for each in book.bets if each.startswith("ace")] == [f"ace-{points}" for points in range(1, 10)]
    assert [each for each in lint(book) if each.kind == "unreachable"] == []
    for right, wrong, says in (
        ("{ points = ", "{ ranks = ", "'1-9' is not made of the letters A23456789TJQK"),
        ('"1-8" = "9:1"', '"0-8" = "9:1"', "nobody can choose 0"),
        (', 9 = "60:1"', "", "has no odds for ace-9: write them, or under the bet what there is to choose"),
        (CHOOSE, 'choose = "points"\n', "has no odds for ace-0"),
    ):
        with pytest.raises(BadBook) as refused:
            parse(text.replace(right, wrong).encode(), "mine.toml")
        [fault] = refused.value.faults
        assert says in fault.says
    for key, letters, ends in (("ranks", "JQK", "jqk"), ("suits", "hs", "hs")):
        some = text.replace(CHOOSE, f'choose = {{ {key} = "{letters}" }}\n')
        some = some.replace(MARGIN, f'when = {{ player-first = {{ {key} = "chosen" }} }}\nodds = "3:1"')
        bets = parse(some.encode(), "mine.toml").bets
        assert [each for each in bets if each.startswith("ace")] == [f"ace-{end}" for end in ends]
