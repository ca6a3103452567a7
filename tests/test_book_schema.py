"""The rulebook format as a JSON Schema: what books say passes, and what the format does not have is refused."""

import importlib.resources
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import Files

from punto.rulebook import BadBook, games, ids, parse, source, whole
from punto.rulebook.json_schema import book_schema
from punto.rulebook.superseded import superseded
from test_patterns import BASE, bet

from console import DOCS

Key = tuple[str | int, ...]

FREE = re.compile(
    r"terms\.[^.]+|(bets|pays|layouts|policy|offers|readings)\.[^.]+|layouts\.\*\.labels\.[^.]+"
    r"|authority\.house-ranks\..+|pays\.\*\.#\.odds\.[^.]+"
)
"""Where the keys are names that the book gives."""


@cache
def validator() -> jsonschema_rs.Draft4Validator:
    return jsonschema_rs.Draft4Validator(book_schema())


def as_json(text: str) -> dict[str, Any]:
    """A book as an editor holds it against the schema: TOML has dates, JSON has none."""
    found: dict[str, Any] = json.loads(json.dumps(tomllib.loads(text), default=lambda moment: moment.isoformat()))
    return found


def faults(data: dict[str, Any]) -> list[str]:
    return [f"{each.instance_path}: {each.message}" for each in validator().iter_errors(data)]


def keys(data: object, path: Key = (), shape: str = "") -> Iterator[tuple[dict[str, Any], str, str]]:
    """Every key of a document: the table that it stands in, the key, and its path with names and numbers left out."""
    if isinstance(data, dict):
        for key in list(data):
            here = f"{shape}.{key}".lstrip(".")
            yield data, key, here
            yield from keys(data[key], (*path, key), f"{shape}.*".lstrip(".") if FREE.fullmatch(here) else here)
    elif isinstance(data, list):
        for at, each in enumerate(data):
            yield from keys(each, (*path, at), f"{shape}.#")


@pytest.mark.parametrize("book", ids())
def test_the_five_books_are_of_the_format(book: str) -> None:
    assert faults(as_json(source(book).decode())) == []


@pytest.mark.parametrize("game", games())
def test_games_and_what_they_come_to_with_their_base_are_of_the_format(game: str) -> None:
    text = source(game)
    assert faults(as_json(text.decode())) == []
    assert faults(as_json(whole(text, game).decode())) == []


def test_a_file_with_a_base_says_who_it_is_and_nothing_that_the_format_does_not_have() -> None:
    head = 'id = "a"\ntitle = "A"\noperator = "O"\napprover = "P"\nversion = "1"\neffective = 2026-01-01T00:00:00Z\n'
    small = f'base = "wu-song"\n{head}decks = {{ max = 9 }}\n[bets.tie]\nnames = {{ zh-Hant = "和" }}\n'
    assert faults(as_json(small)) == []
    assert faults(as_json(small.replace('version = "1"\n', "")))
    assert faults(as_json(small.replace("names =", "nmaes =")))
    assert faults(as_json(head)), "without a base everything is needed"


def test_earlier_editions_that_can_be_read_are_of_the_format() -> None:
    read = 0
    for each in superseded().values():
        try:
            parse(each.text, "edition.toml")
        except BadBook:
            continue
        if each.digest not in SUPPLEMENTED:
            assert faults(as_json(each.text.decode())) == []
            read += 1
    assert read > 10


SUPPLEMENTED = tomllib.loads(
    (importlib.resources.files("punto.rulebook") / "supplements.toml").read_text(encoding="utf-8")
)
"""Editions that lack what their release took for granted."""

SIDE_BETS = (
    *(
        f'when = {when}\nodds = "1:1"'
        for when in (
            '{ player-start = { same = ["rank", "suit"] } }',
            '{ player-start = [{ same = "suit" }, { ranks = "K", count = 1 }, { ranks = "Q", count = 1 }] }',
            '{ player-third = "8" }',
            "{ all-cards = { of-a-kind = [3, 2] } }",
            '{ all-cards = { of-a-kind = 4, kind = "suit", run = 3, sum = "4-60", counting = "pips" } }',
            '{ player-first = { higher = "banker-first", aces = "high" } }',
            '{ third-cards = { suits = "s" }, banker-two-card = "1-3, 5" }',
            '{ any = [{ winner = "banker", winner-cards = 3 }, { sum = 0 }], not = { natural = "both" } }',
            '"otherwise"',
        )
    ),
    'when = { winner = "player" }\nby = "margin"\nodds = { 4 = "1:1", "5-9" = "2:1", 0 = "lost" }',
    'when = { cards = 4 }\nresult = "lost"',
)


@pytest.mark.parametrize("row", SIDE_BETS)
def test_the_words_of_pay_rows_are_of_the_format(row: str) -> None:
    text = BASE + bet("extra", row, more="in-order = true")
    parse(text.replace("pays = [", 'pays = ["side", ', 1).encode(), "side.toml")  # the loader says so, too
    assert faults(as_json(text)) == []


@pytest.mark.parametrize(
    "added",
    [
        bet("egalite", 'when = { points = "chosen" }\nby = "chosen"\nodds = { 0 = "150:1" }', more='choose = "points"'),
        bet("lucky", 'when = { player-first = { ranks = "chosen" } }\nodds = "11:1"', more='choose = "rank"'),
        '\n[readings]\nHOUSE-1 = "So."\n[[expect]]\nbet = "banker"\ndecks = 8\nedge = "1.0579%"\nsource = "March"\n',
    ],
)  # fmt: skip
def test_choices_readings_and_expected_figures_are_of_the_format(added: str) -> None:
    assert faults(as_json(BASE + added)) == []


@pytest.mark.parametrize("book", ids())
def test_every_key_of_every_book_misspelt_is_refused_where_the_format_is_closed(book: str) -> None:
    data, tried = as_json(source(book).decode()), set()
    for table, key, shape in keys(data):
        if shape in tried or FREE.fullmatch(shape):
            continue
        tried.add(shape)
        table[f"{key}x"] = table.pop(key)
        assert not validator().is_valid(data), shape
        table[key] = table.pop(f"{key}x")
    assert len(tried) > 200
    assert faults(data) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('winner = "player"', 'winner = "playr"'),
        ('odds = "8:1"', 'odds = "8"'),
        ('odds = "8:1"', "odds = 8"),
        ('odds = "8:1"', 'odds = "8:1"\nresult = "lost"'),
        ('odds = "8:1"', 'odds = "8:1"\nby = "margin"'),
        ("points = 7 }", "points = 10 }"),
        ('points = "1-6,8-9"', 'points = "1 to 6"'),
        ('fact = "foreign-card"', 'fact = "strange-card"'),
        ('"opening-call", clause', '"opening-cal", clause'),
        ('do = ["void"]', 'do = ["avoid"]'),
        ('do = ["void"]', 'do = [{ void = "round", stand = "earlier" }]'),
        ('do = ["void"]', 'do = ["offer"]'),
        ('do = ["void"]', "do = []"),
        ('scope = "undecided"', 'scope = "some"'),
        ('id = "wu-song"', 'id = "Wu Song"'),
        ('stage = "', 'stage = "five-'),
        ("reconstructible = false", 'reconstructible = "no"'),
        ("decks = { min = 4, max = 10,", "decks = { min = 4,"),
        ("decks = { min = 4, max = 10,", "decks = { min = 4, max = 10, counts = [6],"),
        ("loses = ", "looses = "),
        ("effective = 2024-12-06T08:00:00+08:00", "effective = 2024"),
    ],
)
def test_other_words_than_those_of_the_format_are_refused(before: str, after: str) -> None:
    """The loader refuses each of them, and so does the schema."""
    text = next(text for text in (source(book).decode() for book in ("wu-song", *ids())) if before in text)
    changed = text.replace(before, after, 1)
    with pytest.raises(BadBook):
        parse(changed.encode(), "mine.toml")
    assert faults(as_json(changed)) != []


def test_the_site_publishes_what_is_generated() -> None:
    config = load_config(str(DOCS.parent / "mkdocs.yml"))
    files = config.plugins.on_files(Files([]), config=config)
    [schema] = [file for file in files if file.src_uri == "rulebook.schema.json"]
    assert json.loads(schema.content_string) == book_schema()
