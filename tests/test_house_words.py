"""What a house says of its game besides pays: numbers of decks one by one, readings of its own, expected figures."""

import pytest

from punto.lint import lint
from punto.rulebook import BadBook, Book, Refused, check_decks, source
from punto.rulebook.loader import parse
from punto.rulebook.model import PatronChoice

BASE = source("commission-insurance").decode()
DECKS = next(line for line in BASE.splitlines() if line.startswith("decks ="))


def changed(old: str, new: str, added: str = "") -> Book:
    assert old in BASE
    return parse((BASE.replace(old, new, 1) + added).encode(), "mine.toml")


def test_decks_may_be_named_one_by_one() -> None:
    book = changed(DECKS, 'decks = { counts = [6, 8], clause = "2.2.1" }')
    assert (book.decks.min, book.decks.max, book.decks.counts) == (6, 8, (6, 8))
    assert check_decks(book, 6).says == "6 decks: 6 or 8 are allowed."
    with pytest.raises(Refused, match=r"7 decks are not allowed: 6 or 8 are\. \(commission-insurance 2\.2\.1\)"):
        check_decks(book, 7)
    with pytest.raises(BadBook, match=r"decks\.min: counts says it already"):
        changed(DECKS, 'decks = { counts = [6, 8], min = 6, clause = "2.2.1" }')


def test_a_book_has_readings_of_its_own_and_none_of_ours() -> None:
    own = '\n[readings]\nHOUSE-1 = "Six decks are meant."\n'
    book = changed(DECKS, 'decks = { counts = 6, clause = "2.2.1", readings = ["HOUSE-1"] }', own)
    assert book.readings == {"HOUSE-1": "Six decks are meant."}
    assert not [each for each in lint(book) if each.kind == "unknown-reading"]
    unknown = changed(DECKS, 'decks = { counts = 6, clause = "2.2.1", readings = ["HOUSE-2"] }', own)
    assert [each.kind for each in lint(unknown) if each.kind == "unknown-reading"] == ["unknown-reading"]
    with pytest.raises(BadBook, match=r"AMB-30.*is the name of a reading that comes with Punto"):
        changed(DECKS, DECKS, '\n[readings]\nAMB-30 = "Another."\n')


BIG = """
[bets.big]
name = "Big"
clause = "3.4"
loses = "3.16"
names = {names}
[[pays.main]]
bet = "big"
when = {{ cards = "5-6" }}
odds = "1:2"
clause = "3.4"
"""


def test_bets_have_names_in_other_languages() -> None:
    book = changed(DECKS, DECKS, BIG.format(names='{ zh-Hant = "大", pt-BR = "Grande", es-419 = "Grande" }'))
    assert book.bets["big"].names == (("zh-Hant", "大"), ("pt-BR", "Grande"), ("es-419", "Grande"))
    assert changed(DECKS, DECKS).bets["tie"].names == ()


def test_each_choice_has_the_names_of_its_bet_and_a_mark_for_any_language() -> None:
    added = BIG.format(names='{ zh-Hant = "花色" }\nchoose = "suit"')
    bets = changed(DECKS, DECKS, added).bets
    clubs = bets["big-c"]
    assert (clubs.name, clubs.names, clubs.choice_of) == ("Big Clubs", (("zh-Hant", "花色 ♣"),), "big")
    choices = [bets[f"big-{suit}"].choice for suit in "cdhs"]
    assert choices == [PatronChoice("big", "Big", (("zh-Hant", "花色"),), mark) for mark in "♣♦♥♠"]


def test_layouts_have_titles_in_other_languages() -> None:
    head = next(line for line in BASE.splitlines() if line.startswith("[layouts."))
    book = changed(head, f'{head}\ntitles = {{ zh-Hant = "甲" }}')
    assert book.layouts[book.first_layout].titles == (("zh-Hant", "甲"),)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ('{ "zh Hant" = "大" }', r'big\.names\."zh Hant": is not the tag of a language, like zh-Hant'),
        ('{ "" = "大" }', r"is not the tag of a language"),
        ('{ zh-Hant = "" }', r"big\.names\.zh-Hant: must not be empty"),
        ('{ zh-Hant = "  " }', r"big\.names\.zh-Hant: must not be empty"),
        ("{ zh-Hant = 7 }", r"big\.names\.zh-Hant: must be text"),
        ('{ vi = "Lon", VI = "Lon" }', r"big\.names\.VI: stands here twice"),
        ('"大"', r"big\.names: must be a table"),
    ],
)
def test_names_that_are_none_are_faults_with_their_line(names: str, says: str) -> None:
    with pytest.raises(BadBook, match=rf"mine\.toml:\d+: bets\.{says}|{says}") as refused:
        changed(DECKS, DECKS, BIG.format(names=names))
    assert len(refused.value.faults) == 1


EXPECT = '\n[[expect]]\nbet = "{bet}"\ndecks = {decks}\n{figures}\nsource = "an analysis"\n'


@pytest.mark.parametrize(
    ("bet", "decks", "figures", "found"),
    [
        ("banker", 8, 'edge = "1.0579%"', []),
        ("banker", 8, 'edge = "0.010579"\nhit = "45.8597%"', []),
        ("banker", 8, 'edge = "1.06%"', []),
        ("banker", 6, 'edge = "1.0579%"', ["edge of 1.0579% with 6 decks is expected, and it is 1.0558%."]),
        ("tie", 8, 'edge = "14.36%"\nhit = "9.6%"', ["hit of 9.6% with 8 decks is expected, and it is 9.5%."]),
    ],
)
def test_expected_figures_are_held_against_the_exact_ones(bet: str, decks: int, figures: str, found: list[str]) -> None:
    """Edges as published: Banker 1.0579% with eight decks and 1.0558% with six, a tie at 8 to 1 14.36%."""
    book = changed(DECKS, DECKS, EXPECT.format(bet=bet, decks=decks, figures=figures))
    said = [each for each in lint(book) if each.kind == "expected"]
    assert [each.says for each in said] == found
    assert all(each.severity == "fault" and each.where == f"expect, {bet}, an analysis" for each in said)


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        ('edge = "about one"', "'about one' is no figure: write it like 7.6113% or 0.076113."),
        ("", "names no figure: edge, hit, variance or returns."),
    ],
)
def test_an_expectation_without_a_figure_is_a_fault(figures: str, says: str) -> None:
    with pytest.raises(BadBook) as refused:
        changed(DECKS, DECKS, EXPECT.format(bet="tie", decks=8, figures=figures))
    assert [each.says for each in refused.value.faults] == [says]


def test_terms_have_names_in_other_languages() -> None:
    text = BASE.replace("[terms]\n", '[terms]\n"Squeeze" = { clause = "3.4", names = { zh-Hant = "咪牌" } }\n', 1)
    book = parse(text.encode(), "mine.toml")
    assert book.terms["Squeeze"] == "3.4"
    assert book.term_names == {"Squeeze": (("zh-Hant", "咪牌"),)}
    assert (book.define("squeeze"), book.define("咪牌"), book.define("頂牌")) == ("3.4", "3.4", None)


@pytest.mark.parametrize(
    ("term", "says"),
    [
        ('{ names = { zh-Hant = "咪牌" } }', r"terms\.Squeeze: clause is missing"),
        ('{ clause = "3.4", name = { zh-Hant = "咪牌" } }', r"terms\.Squeeze\.name: is not a word .* names is meant"),
        ("3", r"terms\.Squeeze: must be text"),
    ],
)
def test_a_term_that_is_none_is_one_fault(term: str, says: str) -> None:
    with pytest.raises(BadBook, match=says) as refused:
        parse(BASE.replace("[terms]\n", f'[terms]\n"Squeeze" = {term}\n', 1).encode(), "mine.toml")
    assert len(refused.value.faults) == 1


def test_the_field_of_a_bet_has_the_colour_that_the_file_says() -> None:
    book = changed(DECKS, DECKS, BIG.format(names='{ zh-Hant = "大" }\ncolour = "ivory"'))
    assert (book.bets["big"].colour, book.bets["tie"].colour) == ("ivory", None)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[bets.tie]\n", '[bets.tie]\ncolour = "grren"\n', r"bets\.tie\.colour: 'grren' is none of red, blue, green"),
        ("[bets.player]\n", '[bets.player]\ncolour = "red"\n', r"bets\.player\.colour: .* the colour of that hand"),
    ],
)
def test_a_colour_that_is_none_is_one_fault(old: str, new: str, says: str) -> None:
    with pytest.raises(BadBook, match=says) as refused:
        changed(old, new)
    assert len(refused.value.faults) == 1


def test_a_bet_is_not_called_by_digits_alone() -> None:
    """Programs that read JSON put such names before all others, whatever the order of the file."""
    with pytest.raises(BadBook, match=r"'77' is not a bet's name: .*, not digits alone"):
        changed(DECKS, DECKS, BIG.format(names='{ zh-Hant = "大" }').replace("big", "77"))
