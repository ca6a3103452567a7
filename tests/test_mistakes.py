"""One mistake in a rulebook file is one fault or finding, with its line, and a sentence that says what to write.

`PUNTO_FULL=1`, which is what `make full` sets, tries every key and every value of all books; otherwise a slice.
"""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from book_mistakes import RUBBISH, Mistake, misspelt, replaced, rubbish
from punto.lint import lint
from punto.odds import bet_odds, full_shoe
from punto.rulebook import BadBook, Book, Fault, ids, load, menu, parse, source
from punto.rulebook.places import line_of
from punto.rulebook.references import references
from punto.rulebook.vocabulary import POLICIES

FULL = bool(os.environ.get("PUNTO_FULL"))
EZ = (Path(__file__).parent / "cases" / "ez-baccarat.toml").read_text(encoding="utf-8")
FIFTH = 199
"""Of the keys and values of the five books every so many are tried; of the small book all."""
PRICES = ("favourable", "rounding")


def read(text: str | bytes) -> Book | tuple[Fault, ...]:
    try:
        return parse(text if isinstance(text, bytes) else text.encode(), "mine.toml")
    except BadBook as bad:
        return bad.faults


def the_fault(text: str | bytes) -> Fault:
    faults = read(text)
    assert isinstance(faults, tuple)
    [fault] = faults
    assert fault.says.endswith(".")
    assert len(str(fault)) < 1000
    return fault


def changed(before: str, after: str, text: str = EZ) -> str:
    assert text.count(before) >= 1
    return text.replace(before, after, 1)


def line_with(part: str, text: str = EZ) -> int:
    return text[: text.index(part)].count("\n") + 1


def found(text: str) -> list[tuple[str, str, int, str]]:
    """What the linter says, without prices and without a word on the clause index."""
    book = read(text)
    assert isinstance(book, Book), book
    told = [each for each in lint(book) if each.kind not in (*PRICES, "no-index", "unverified", "print")]
    return [(each.severity, each.kind, each.line, each.says) for each in told]


# The small book


def test_the_small_book_lints_clean_and_has_the_published_edges() -> None:
    """EZ Baccarat with eight decks: Banker 1.02 %, Dragon 7 7.61 %, Panda 8 10.19 %."""
    book = read(EZ)
    assert isinstance(book, Book)
    assert [each.kind for each in lint(book)] == ["no-index"]
    edges = {name: f"{float(each.edge):.2%}" for name, each in bet_odds(menu(book), full_shoe(8)).items()}
    assert edges == {"player": "1.24%", "banker": "1.02%", "tie": "14.36%", "dragon-7": "7.61%", "panda-8": "10.19%"}


# Misspelt keys and sections


def check_misspelt(mistake: Mistake, text: str) -> None:
    """One fault, or one finding, at the line of the key, with the right word."""
    written = text.splitlines()[mistake.line - 1]
    outcome = read(mistake.text)
    if isinstance(outcome, Book):
        if mistake.header and written.lstrip("[").startswith("layouts."):
            return  # another layout: its name is free
        new = [each for each in found(mistake.text) if each not in found(text)]
        assert [(line, mistake.was in says) for _, _, line, says in new] == [(mistake.line, True)], (mistake, new)
        return
    assert len(outcome) == 1, (mistake, outcome)
    [fault] = outcome
    if mistake.header and written.lstrip("[").startswith(f"layouts.{mistake.was}"):
        assert fault.says == "positions, pays and clause are missing."
        return
    assert mistake.was in fault.says, (mistake, fault)
    assert fault.line == mistake.line or f"{mistake.now} (line {mistake.line})" in fault.says, (mistake, fault)


def test_every_misspelt_key_of_a_small_book_is_one_fault() -> None:
    mistakes = list(misspelt(EZ))
    assert len(mistakes) > 180
    for mistake in mistakes:
        check_misspelt(mistake, EZ)


@pytest.mark.parametrize("book", ids())
def test_a_misspelt_key_of_a_shipped_book_is_one_fault(book: str) -> None:
    text = source(book).decode()
    for mistake in list(misspelt(text))[:: 1 if FULL else FIFTH]:
        check_misspelt(mistake, text)


# Values that make no sense


def check_rubbish(mistake: Mistake) -> None:
    """It happens to be possible there, or it is one fault at its line."""
    outcome = read(mistake.text)
    if isinstance(outcome, Book):
        return
    assert len(outcome) == 1, (str(mistake), outcome)
    fault = outcome[0]
    assert fault.line == mistake.line or fault.key == "cards.values", (str(mistake), fault)
    assert fault.says.endswith("."), fault
    assert len(str(fault)) < 1000, fault


def wrong_values(text: str, every: int) -> Iterator[Mistake]:
    """Each value with one kind of rubbish after the other, or with every so many."""
    for number, span in enumerate(rubbish(text)):
        for kind, value in enumerate(RUBBISH):
            if (number + kind) % every == 0:
                yield replaced(text, span, value)


def test_rubbish_in_any_value_of_a_small_book_is_one_fault() -> None:
    tried = list(wrong_values(EZ, 1 if FULL else len(RUBBISH)))
    assert len(tried) >= 200
    for mistake in tried:
        check_rubbish(mistake)


@pytest.mark.parametrize("book", ids())
def test_rubbish_in_a_value_of_a_shipped_book_is_one_fault(book: str) -> None:
    for mistake in wrong_values(source(book).decode(), 1 if FULL else 20 * FIFTH):
        check_rubbish(mistake)


# The file itself


def test_a_byte_order_mark_and_other_encodings_are_named() -> None:
    assert "save it as UTF-8 without one" in the_fault(b"\xef\xbb\xbf" + EZ.encode()).says
    assert the_fault(EZ.encode("utf-16")).says == "is UTF-16 text: save it as UTF-8."
    assert the_fault(EZ.encode("utf-32")).says == "is UTF-32 text: save it as UTF-8."
    latin = the_fault(EZ.encode().replace(b"Panda 8", b"Caf\xe9"))
    assert latin.says.endswith(": save it as UTF-8.")
    assert "save it with line feeds" in the_fault(EZ.replace("\n", "\r")).says


def test_what_is_no_text_names_its_line() -> None:
    line = line_with("Panda 8")
    assert the_fault(EZ.encode().replace(b"Panda 8", b"Panda\xff8")).line == line
    assert the_fault(EZ.encode().replace(b"Panda 8", b"Panda\x008")).line == line
    assert the_fault(changed("max = 8", "max = " + "8" * 5000)).line == line_with("max = 8")
    nested = changed("[betting]", "[betting]\nx = " + "[" * 3000 + "]" * 3000)
    assert the_fault(nested).line == line_with("x = [[", nested)


def test_line_ends_of_another_system_change_nothing() -> None:
    text = changed("max = 8", "maxx = 8").replace("\n", "\r\n")
    assert the_fault(text).line == line_with("max = 8")
    assert isinstance(read(EZ.replace("\n", "\r\n")), Book)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('name = "Panda 8"', "name = \u201cPanda 8\u201d", "has \u201c here: write straight quotes"),
        ('name = "Panda 8"', 'name = "Panda 8\u201d', "has \u201d here: write straight quotes"),
        ('name = "Panda 8"', "name = \u2018Panda 8\u2019", "has \u2018 here: write straight quotes"),
        ('name = "Panda 8"', 'name = "Panda 8', "a text is not closed here"),
        ('name = "Panda 8"', "name = Panda", 'Panda needs quotes: write "Panda".'),
        ('name = "Panda 8"', 'name = "Panda 8"\nname = "Panda"', "name stands here twice: first on line"),
        ('odds = "40:1"', "odds = 40:1", '40:1 needs quotes: write "40:1".'),
        ("reason = true", "reason = True", "True is written true."),
        ("decks = { min", "decks = {\n min", "a table in braces stands on one line"),
        ('name = "Panda 8"', 'name\u00a0= "Panda 8"', "has a character here that is not seen (U+00A0): delete it."),
        ('name = "Panda 8"', '\ufeffname = "Panda 8"', "has a character here that is not seen (U+FEFF): delete it."),
        ('name = "Panda 8"', 'name = "Panda 8";', "ends in a semicolon: a line has nothing behind its value."),
        ('name = "Panda 8"', 'name: "Panda 8"', "has a colon behind name: write name = and the value."),
    ],
)
def test_what_is_not_toml_is_told_with_its_line_and_what_to_write(before: str, after: str, says: str) -> None:
    text = changed(before, after)
    fault = the_fault(text)
    first = line_with(after, text)
    assert says in fault.says
    assert first <= fault.line <= first + after.count("\n")


def test_a_misspelt_base_and_what_is_taken_from_it_name_the_nearest() -> None:
    head = game("", head='remove = ["bets.tei"]\n')
    assert the_fault(head).says == "the base has no 'bets.tei': perhaps bets.tie is meant."
    assert the_fault(head.replace("punto-banco", "punto-bank", 1)).says == (
        "there is no book or game 'punto-bank': perhaps punto-banco is meant."
    )


# Each with a sentence that says what to write


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('points = "1-6,8-9"', 'points = "1\N{EN DASH}6,8-9"', "write '1-6,8-9'"),
        ('points = "1-6,8-9"', 'points = "1 - 6, 8-9"', "write '1-6,8-9'"),
        ('points = "1-6,8-9"', 'points = "6-1,8-9"', "write '1-6,8-9'"),
        ('odds = "40:1"', f'odds = "{"4" * 5000}:1"', "at most 9 digits on each side"),
        ('pays = ["main", "sides"]', "pays = []", "must name at least one"),
        ("max = 8", "max = 13", "13 decks are more than can be dealt: at most 12 are."),
        ('odds = "40:1"', 'odds = "40:1"\nresult = "stand-off"', "stands beside result: write odds where the bet wins"),
        ('clause = "8.1"\nscope', 'all-back = [{ offer = "go-on" }]\nclause = "8.1"\nscope', "cannot name another"),
        ("[[pays.sides]]", "[pays.other]\n[[pays.sides]]", "write [[pays.other]]"),
        ("[card", "[crad", "perhaps cards is meant"),
        ("[authority]", "", "ranks"),
        ("reason = true", 'reason = "true"', "must be true or false, without quotes"),
        ('points = "1-6,8-9"', 'points = 1, player-start = "10JQK"', "a ten is the letter T: write 'TJQK'."),
        ('points = "1-6,8-9"', "points = 1, any = { cards = 4 }", "write any = [{ … }, { … }]."),
        ('name = "Panda 8"', 'name = "Panda \\u202e8"', "has a character that cannot be printed."),
        ("[bets.panda-8]", "[bets.8]", "other lines name the bet 'panda-8', which is not there: perhaps it is meant."),
        ("[bets.panda-8]", '[bets.""]', "other lines name the bet 'panda-8', which is not there: perhaps it is meant."),
        ('clause = "5.4"', "clause = 5.4", "must be text, in quotes"),
    ],
)
def test_each_common_mistake_has_a_sentence_of_its_own(before: str, after: str, says: str) -> None:
    assert says in the_fault(changed(before, after)).says


def test_a_section_whose_name_is_missing_is_one_fault() -> None:
    """All of `[limits]` of the book stands under `[betting]` then."""
    text = source("wu-song").decode()
    fault = the_fault(changed("[limits]", "", text))
    assert "belong under [limits]" in fault.says
    assert fault.line == line_with("displayed = ", text)


def test_what_is_wrong_in_a_misspelt_section_is_told_as_well() -> None:
    """Two mistakes are two faults, though the section was not read by its name."""
    faults = read(changed("[cards]", "[card]").replace("values-clause =", "values-cluase ="))
    assert isinstance(faults, tuple)
    assert [(each.line, each.key) for each in faults] == [
        (line_with("[cards]"), "card"),
        (line_with("values-clause"), "card.values-cluase"),
    ]


def test_a_name_that_is_nowhere_given_is_one_fault_however_often_it_is_used() -> None:
    text = EZ.replace('bet = "banker"', 'bet = "house"')
    fault = the_fault(text)
    assert fault.line == line_with('bet = "house"', text)
    assert fault.says == "there is no bet 'house', only player, banker, tie, dragon-7, panda-8."


# What is legal and surely not meant


@pytest.mark.parametrize(
    ("before", "after", "kind", "at", "says"),
    [
        ('pays = ["main", "sides"]', 'pays = ["main"]', "uncarried", "[[pays.sides]]", "on Dragon 7 and Panda 8"),
        ('name = "Panda 8"', 'name = "dragon 7"', "same-name", 'name = "dragon 7"', "also the name of dragon-7"),
        ("payout-rounding", "payout-roundings", "policy", "payout-roundings", "perhaps payout-rounding is meant"),
        ('offer = "go-on"', "void = true", "unreachable", "[offers.go-on]", "no step makes this offer"),
        (
            '"late-error", ',
            '"late-error", "interruption", ',
            "open-case",
            '"interruption"',
            "silent, yet has rows",
        ),
    ],
)
def test_what_would_disappear_is_found(before: str, after: str, kind: str, at: str, says: str) -> None:
    text = changed(before, after)
    if kind == "uncarried":
        text = changed('labels = { "龍" = "dragon-7" }\n', "", text)
    [(_, of_kind, line, said)] = found(text)
    assert (of_kind, line) == (kind, line_with(at, text))
    assert says in said


def test_a_label_and_a_print_of_a_bet_that_the_layout_does_not_carry_are_found() -> None:
    printed = '\n[[layouts.B.print]]\nbet = "panda-8"\nwhen = { winner = "player" }\nodds = "25:1"\nclause = "9"\n'
    layout = '\n[layouts.B]\nclause = "B"\npositions = { min = 1, max = 9 }\npays = ["main"]\n'
    text = EZ + layout + 'labels = { "龍" = "dragon-7" }\n' + printed
    [(severity, _, line, says)] = found(text)
    assert (severity, line) == ("finding", line_with("[layouts.B]", text) + 4)
    assert "龍 means Dragon 7" in says
    book = read(text)
    assert isinstance(book, Book)
    [wrong] = [each for each in lint(book) if each.kind == "print"]
    assert wrong.line == line_with("[[layouts.B.print]]", text)
    assert "no group of pay rows that it carries pays that bet" in wrong.says


def test_a_bet_on_a_hand_that_a_tie_loses_is_found() -> None:
    row = '[[pays.main]]\nbet = "player"\nwhen = { winner = "tie" }\nresult = "stand-off"\nclause = "5.1"\n'
    text = changed(row, "")
    [(severity, kind, line, says)] = found(text)
    assert (severity, kind, line) == ("finding", "tie", line_with("[[pays.main]]", text))
    assert says.startswith("no row says what a tie does")
    some = changed(row, row.replace('"tie" }', '"tie", points = "0-8" }'))
    assert [says for _, _, _, says in found(some)] == ["no row says what a tie at 9 does, so that it loses."]


# Lines of what was read


@pytest.mark.parametrize("book", ids())
def test_every_reference_to_a_clause_is_found_again_in_the_file(book: str) -> None:
    """The key that the linter names has the clause in it, and the line has its first word."""
    tree, lines = tomllib.loads(source(book).decode()), source(book).decode().splitlines()
    for key, clause in references(load(book)):
        at: Any = tree
        for part in key:
            if (isinstance(at, dict) and part in at) or (isinstance(at, list) and part != "clause"):
                at = at[part]  # type: ignore[index]  # a number where it is a list
            else:
                assert part in ("clause", 0), key
        assert at == clause or "house-ranks" in key, key
        assert clause in lines[line_of(load(book), key) - 1], key


@pytest.mark.parametrize("book", ids())
def test_policies_of_the_books_are_read(book: str) -> None:
    assert set(load(book).policies) <= set(POLICIES)


# A small game with a base


def game(more: str, *, head: str = "", pays: str = '"player", "banker", "tie"') -> str:
    """A file that begins with punto-banco, with a bet on which something is wrong."""
    return (
        f'base = "punto-banco"\n{head}id = "mine"\ntitle = "Mine"\noperator = "A house"\napprover = "nobody"\n'
        f'version = "1"\neffective = 2026-01-01T00:00:00+00:00\n{more}\n'
        f'[layouts.mine]\nclause = "L"\npositions = {{ min = 1, max = 7 }}\npays = [{pays}, "flag"]\n'
    )


def flag(row: str, choose: str = "") -> str:
    """A bet with one pay row."""
    bet = f'[bets.flag]\nname = "Flag"\n{choose}clause = "B"\nloses = "B"\n'
    return f'{bet}[[pays.flag]]\nbet = "flag"\n{row}\nclause = "P"\n'


CHOICE = 'choose = "suit"\n'


@pytest.mark.parametrize(
    ("row", "choose", "says"),
    [
        ('when = { margin = "5-9" }\nodds = { 5 = "2:1" }', "", 'Write by = "margin"'),
        ('when = { first-four = { suits = "h", count = "2-4" } }\nodds = { 2 = "1:1" }', "", 'Write by = "count"'),
        ('when = { all-cards = "7" }\nodds = { 4 = "9:1" }', "", 'Write by = "count"'),
        ('when = { player-points = "chosen" }\nodds = { 4 = "9:1" }', 'choose = "points"\n', 'Write by = "chosen"'),
        ('when = { any = [{ sum = "3-9" }] }\nodds = { 4 = "9:1" }', "", 'Write by = "sum"'),
        ('when = { winner = "tie" }\nby = "margn"\nodds = { 9 = "1:1" }', "", "perhaps margin is meant"),
        ('when = { winner = "tie" }\nby = "count"\nodds = { 9 = "1:1" }', "", "count needs one test of cards"),
        ('when = { winner = "tie" }\nodds = { "5-0" = "2:1" }', "", "write '0-5'"),
        ('when = { winner = "tie" }\nodds = 0.5', "", 'must be odds in quotes, like "8:1"'),
        ('when = { all-cards = { ranks = "7", count = "2+" } }\nodds = "1:1"', "", "write '2-6'"),
        ('when = { first-four = { color = "red", count = 2 } }\nodds = "1:1"', CHOICE, "perhaps colour is meant"),
        ('when = { or = [{ winner = "tie" }, { cards = 6 }] }\nodds = "1:1"', "", "perhaps any is meant"),
        (
            'when = { winner-hand = { suits = "chosen", count = "2-3" } }\nby = "count"\nodds = { 2 = "1:1" }',
            CHOICE,
            'write any = [{ winner = "player", player-hand',
        ),
        ('when = { player-start = { straight = true } }\nodds = "1:1"', "", "Runs of ranks"),
        ('when = { first-four = { suits = "chosen" } }\nodds = "1:1"', 'choose = "colour"\n', "none of points, rank"),
        ('when = { winner = "tie" }\nodds = "1:1"\ncommission = "5%"', "", "commission is missing under [money]"),
    ],
)
def test_a_mistake_in_a_pay_row_is_one_fault_that_says_what_to_write(row: str, choose: str, says: str) -> None:
    assert says in the_fault(game(flag(row, choose))).says


def test_odds_go_by_points_where_a_row_leaves_no_other_number_open() -> None:
    book = read(game(flag('when = { winner = "banker", winner-cards = 3 }\nodds = { 6 = "9:1" }')))
    assert isinstance(book, Book)
    [row] = book.pays["flag"]
    assert dict(row.when.fields)["points"] == {6}


def test_a_bet_with_the_name_of_a_choice_is_a_fault() -> None:
    more = flag('when = { first-four = { suits = "chosen", count = 2 } }\nodds = "1:1"', CHOICE)
    text = game(more + '[bets.flag-h]\nname = "X"\nclause = "B"\nloses = "B"\n')
    fault = the_fault(text)
    assert (fault.line, fault.key) == (line_with("[bets.flag-h]", text), "bets.flag-h")
    assert "patrons choose it with flag" in fault.says


def test_a_bet_that_was_removed_and_is_still_paid_names_the_line_that_removes_it() -> None:
    row = '[[pays.tie]]\nbet = "tie"\nwhen = { winner = "tie" }\nodds = "9:1"\nclause = "P"\n'
    text = game(flag('when = { cards = 6 }\nodds = "1:1"') + row, head='remove = ["bets.tie", "layouts.plain"]\n')
    assert the_fault(text).says.startswith("the file removes 'tie' from its base (line 2)")


def test_single_brackets_and_a_section_that_stands_there_twice_are_named() -> None:
    text = game(flag('when = { cards = 6 }\nodds = "1:1"'))
    single = text.replace("[[pays.flag]]", "[pays.flag]") + '[[pays.flag]]\nbet = "flag"\n'
    fault = the_fault(single)
    assert (fault.line, "write [[pays.flag]]" in fault.says) == (line_with("[pays.flag]", single), True)
    twice = text + "[bets.flag]\n"
    assert the_fault(twice).says == f"[bets.flag] stands here twice: first on line {line_with('[bets.flag]', text)}."


def test_positions_that_are_a_number_are_told_how_they_are_written() -> None:
    text = game(flag('when = { cards = 6 }\nodds = "1:1"')).replace("{ min = 1, max = 7 }", "7")
    assert the_fault(text).says == "must be a table, like { min = 1, max = 9 }."


def test_counts_stand_instead_of_the_least_and_most_of_the_base_and_own_layouts_come_first() -> None:
    more = 'decks = { counts = [6, 8], clause = "D" }\n' + flag('when = { cards = 6 }\nodds = "1:1"')
    book = read(game(more))
    assert isinstance(book, Book)
    assert (book.decks.counts, list(book.layouts)) == ((6, 8), ["mine", "plain"])


def test_a_figure_for_decks_that_the_book_does_not_allow_is_a_fault_and_not_compared() -> None:
    text = changed("min = 6, max = 8", "counts = [6, 8]") + '\n[[expect]]\nbet = "banker"\ndecks = 7\nedge = "99%"\n'
    [(severity, _, line, says)] = [each for each in found(text) if each[1] == "expected"]
    assert (severity, line) == ("fault", line_with("decks = 7", text))
    assert says == "the book does not allow 7 decks, but 6 or 8: nothing is expected of others."


def test_a_figure_of_a_bet_with_a_choice_and_an_unknown_reading_are_told_once() -> None:
    row = 'when = { first-four = { suits = "chosen", count = "2-4" } }\nby = "count"\nreadings = ["HOUSE-9"]\n'
    more = flag(row + 'odds = { 2 = "1:1", 3 = "5:1", 4 = "50:1" }', CHOICE)
    text = game(more) + '[[expect]]\nbet = "flag"\ndecks = 8\nhit = "0.2612"\n'
    told = [each for each in found(text) if each[1] in ("expected", "unknown-reading")]
    assert sorted((line, says) for _, _, line, says in told) == [
        (line_with("HOUSE-9", text), "there is no reading HOUSE-9: a reading of your own stands under [readings]."),
        (line_with("[[expect]]", text), "patrons choose one of several: name flag-c, flag-d, flag-h or flag-s."),
    ]


def test_an_index_lists_what_the_file_adds_and_a_missing_clause_is_told_once(tmp_path: Path) -> None:
    """The clauses of the base are known, and a row of a clause goes with the clause."""
    row = 'when = { winner = "tie" }\nodds = { 6 = "9:1", 7 = "8:1" }'
    text = game(flag(row).replace('clause = "P"', 'clause = "P#six"'))
    mine, index = tmp_path / "mine.toml", tmp_path / "mine.clauses.csv"
    mine.write_text(text, encoding="utf-8")
    head = "clause,kind,nature,summary\nL,layout,rule,x\n"

    def told(rows: str) -> list[tuple[int, str]]:
        index.write_text(head + rows, encoding="utf-8")
        return [(each.line, each.says) for each in lint(load(str(mine))) if each.severity == "fault"]

    assert told("B,bet,rule,x\nP,pay,rule,x\n") == []
    assert told("B,bet,rule,x\n") == [(line_with("P#six", text), "the book has no clause P#six.")]
    [(_, wrong)] = told("B,bet,regel,x\nP,pay,rule,x\n")
    assert "line 3, clause B: nature is 'regel', and must be one of rule, physical, heading or drawing." in wrong
