"""Loading rulebooks: all faults of a file at once, each with its line and key."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import punto.rulebook
from punto.rulebook import BadBook, Fault, UnknownBook, ids, load, parse, source

BOOKS = Path(punto.rulebook.__file__).parent / "books"
WU_SONG = (BOOKS / "wu-song.toml").read_text()


def faults(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(BadBook) as bad:
        parse(text.encode(), "mine.toml")
    assert str(bad.value).count("mine.toml:") == len(bad.value.faults)
    return [(fault.line, fault.key, fault.says) for fault in bad.value.faults]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_five_books_load_and_know_their_digest() -> None:
    assert len(ids()) == 5
    assert len({load(book).digest for book in ids()}) == 5
    for book in ids():
        assert load(book).id == book
        assert load(book) is load(book)


def test_a_file_loads_like_a_book(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(WU_SONG.replace('id = "wu-song"', 'id = "mine"'))
    assert load(str(mine)).id == "mine"


def test_an_unknown_book_is_a_sentence_that_names_the_known_ones() -> None:
    with pytest.raises(UnknownBook, match=r"There is no rulebook 'baccarat'.*wu-song\."):
        load("baccarat")


def test_all_faults_are_told_at_once_with_line_and_key() -> None:
    """Six different mistakes in one file, none hides another."""
    text = (
        WU_SONG.replace('odds = "10:1"', 'odds = "10-1"')
        .replace('title = "Wu Song', 'titel = "Wu Song', 1)
        .replace('bet = "wu-dalang"', 'bet = "wu-dalong"')
        .replace("points = 1 }", "points = 11 }")
        .replace('fact = "too-few-cards"', 'fact = "too-few-card"')
        .replace('begins = { value = "opening-call"', 'begins = { value = "sunrise"')
    )
    found = {key: (line, says) for line, key, says in faults(text)}
    assert found["titel"] == (line_of(text, "titel"), "is not a word of the format here: perhaps title is meant.")
    line, says = found["pays.tie-graded[0].odds"]
    assert (line, says) == (line_of(text, '"10-1"'), "'10-1' is not odds: write '10:1'.")
    assert found["pays.wu-dalang[0].bet"][0] == line_of(text, '"wu-dalong"')
    declared = line_of(text, "[bets.wu-dalang]")
    assert f"no bet 'wu-dalong': perhaps wu-dalang (line {declared}) is meant" in found["pays.wu-dalang[0].bet"][1]
    assert "'sunrise' is none of opening-call or first-card" in found["round.begins.value"][1]
    assert found["round.begins.value"][0] == line_of(text, "sunrise")
    assert "is not among" in found["pays.wu-dalang[0].when.points"][1]
    assert any(key.startswith("irregularity[") and key.endswith("].fact") for key in found)
    assert len(found) == 6


@pytest.mark.parametrize(
    ("before", "after", "key", "says"),
    [
        ("decks = { min = 4, max = 10", "decks = { min = 11, max = 10", "decks.min", "is more than max"),
        ("decks = { min = 4", 'decks = { min = "four"', "decks.min", "whole number"),
        ("effective = 2024-12-06T08:00:00+08:00", "effective = 2024-12-06", "effective", "with its zone"),
        (
            'pays = ["main", "tie-graded"',
            'pays = ["mane", "tie-graded"',
            "layouts.A.pays[0]",
            "no group of pay rows 'mane'",
        ),
        ('ranks = "JQK"', 'ranks = "JQ"', "cards.values", "thirteen ranks once"),
        (
            'ranks = "JQK", points = 0',
            'ranks = "JQK", points = 5',
            "cards.values[3].points",
            "counts 0 in the Table of Play",
        ),
        ('hand = "player"', 'hand = "house"', "bets.player.hand", "none of player or banker"),
        ("[[pays.wu-dalang]]\nbet", "[[pays.wu-dalang]]\nodd = 1\nbet", "pays.wu-dalang[0].odd", "not a word"),
        ('when = { winner = "player", points = 1 }', "when = { }", "pays.wu-dalang[0].when", "which outcomes"),
        ('do = ["stand"]', "do = []", "irregularity[1].do", "list of steps"),
        ('do = ["stand"]', 'do = ["stands"]', "irregularity[1].do[0]", "perhaps stand is meant"),
        ('do = ["stand"]', 'do = ["sit"]', "irregularity[1].do[0]", "exactly one verb"),
        ('do = ["stand"]', 'do = [{ stand = "tall" }]', "irregularity[1].do[0].stand", "none of earlier"),
        ('by = "table-game-shift-manager"', 'by = "boss"', "authority.residual.by", "no rank 'boss', only dealer"),
        ('"5.1" = "dealer"', '"5.1" = "boss"', 'authority.house-ranks."5.1"', "no rank 'boss'"),
        ('value = "layout", choices', 'value = "all", choices', "policy.outcome-scope.value", "none of layout"),
        ("noticed = [", "place = [", "irregularity[0].when.place", "does not tell the cases apart"),
        (
            'opens = { value = "opening-call", clause = "3.3" }',
            'opens = { value = "opening-call" }',
            "betting.opens",
            "neither",
        ),
        ('clause = "4.1.10#wu-dalang"\n', "", "pays.wu-dalang[0]", "clause is missing"),
    ],
)
def test_each_kind_of_fault(before: str, after: str, key: str, says: str) -> None:
    assert before in WU_SONG
    text = WU_SONG.replace(before, after, 1)
    found = {where: said for _, where, said in faults(text)}
    assert key in found, found
    assert says in found[key]


@pytest.mark.parametrize(
    "value", ["[[6, 7]]", "[{ }]", '"0-99999999999"', "[1.5]", "{ a = 1 }", "2024-01-01", '"-"', "true", "[]"]
)
def test_absurd_values_of_a_pattern_are_faults(value: str) -> None:
    text = WU_SONG.replace(
        'when = { winner = "player", points = 1 }', f'when = {{ winner = "player", points = {value} }}'
    )
    [(line, key, _)] = faults(text)
    assert key.partition("points")[0] == "pays.wu-dalang[0].when."
    assert line == line_of(text, f"points = {value} }}")


def test_a_file_that_is_nested_too_deeply_is_a_fault() -> None:
    assert "nested too deeply" in faults("a = " + "[" * 5000 + "]" * 5000)[0][2]


def test_a_bet_without_a_pay_row_is_a_fault() -> None:
    text = WU_SONG + '\n[bets.lucky]\nname = "Lucky"\nclause = "3.7"\nloses = "3.7"\n'
    assert faults(text) == [(line_of(text, "[bets.lucky]"), "bets.lucky", "Lucky has no pay row.")]


def test_text_that_is_no_toml_names_the_line() -> None:
    [(line, key, says)] = faults("id = 1\nx = = 2\n")
    assert (line, key) == (2, "the file")
    assert says.startswith("is not TOML")
    with pytest.raises(BadBook, match="is not UTF-8"):
        parse(b"id = \xff", "mine.toml")
    assert faults("")


@settings(max_examples=150)
@given(st.data())
def test_a_damaged_book_is_loaded_or_refused_but_never_breaks_the_loader(data: st.DataObject) -> None:
    """A line taken out, doubled or with another value: a Book, or a BadBook, and nothing else."""
    lines = WU_SONG.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    change = data.draw(st.sampled_from(["drop", "double", "number", "text", "list", "table", "swap"]))
    value = {"number": "7", "text": '"x"', "list": "[1, true]", "table": "{ a = 1 }"}.get(change)
    if change == "drop":
        del lines[at]
    elif change == "double":
        lines.insert(at, lines[at])
    elif change == "swap":
        other = data.draw(st.integers(0, len(lines) - 1))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = re.sub(r"=.*", f"= {value}", lines[at], count=1)
    text = "\n".join(lines)
    assert all(1 <= fault.line <= len(lines) + 1 for fault in damage(text))


def damage(text: str) -> tuple[Fault, ...]:
    """The faults of a text; none if it loads."""
    try:
        parse(text.encode(), "mine.toml")
    except BadBook as bad:
        return bad.faults
    return ()


@pytest.mark.parametrize(
    "given", ["../wu-song", "Wu Song", "wu_song", "-wu", "wu--song", "a" * 61, "f" * 64, "wu.toml"]
)
def test_the_id_of_a_book_is_a_plain_word(given: str) -> None:
    """It names files and tables, and is never taken for a digest."""
    text = source("wu-song").decode().replace('id = "wu-song"', f'id = "{given}"', 1)
    with pytest.raises(BadBook) as refused:
        parse(text.encode(), "mine.toml")
    [fault] = refused.value.faults
    assert (fault.line, fault.key) == (2, "id")
    assert fault.message is not None
    assert fault.message.id == "bad-book-id"


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    written = source("wu-song")
    file.write_bytes(written)
    first = load(str(file))
    file.write_bytes(written.replace(b'odds = "36:1"', b'odds = "38:1"', 1))
    assert load(str(file)).digest != first.digest
    file.write_bytes(written)
    assert load(str(file)) == first
