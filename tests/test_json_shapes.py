"""What commands print as JSON is what their schemas say, and every such command has one."""

import json
from pathlib import Path

import jsonschema_rs
import pytest

from json_shapes import EXAMPLES, ROOT, SCHEMAS, examples, file_of, printed, untold
from punto.rulebook import games, ids, load
from test_front import COMMANDS

from test_cli import ok, punto_command

WORDS = sorted((*EXAMPLES, "settle"))


def test_every_command_that_prints_json_has_a_schema_and_no_other() -> None:
    printing = {words for words, each in COMMANDS.items() if any("--json" in option.opts for option in each.params)}
    assert printing == set(EXAMPLES)
    assert {file.name for file in SCHEMAS.iterdir()} == {file_of(words).name for words in WORDS}


@pytest.mark.parametrize("words", WORDS)
def test_what_a_command_prints_is_what_its_schema_says(words: str) -> None:
    """If keys were added, `python tests/json_shapes.py` adds them to the schemas; none may go."""
    kept = jsonschema_rs.validator_for(json.loads(file_of(words).read_text(encoding="utf-8")))
    for value in examples(words):
        kept.validate(value)


EVERY_BOOK = [*ids(), *games(), *sorted(map(str, (ROOT / "mutants/books").glob("*.toml")))]
OF_ANY_BOOK = {
    "show": "{book} --layout {layout}",
    "explain": "{book} 'K 6 7 K' player=100 banker=40 tie=10 --layout {layout}",
    "lint": "{book}",
    "odds": "{book} --layout {layout} --decks 1",
    "simulate": "{book} --layout {layout} --shoes 2",
}


@pytest.mark.parametrize("book", EVERY_BOOK, ids=lambda book: Path(book).stem)
@pytest.mark.parametrize("words", OF_ANY_BOOK)
def test_so_it_is_for_any_book(words: str, book: str) -> None:
    """The schemas were made by examples: what another book says may be nothing, or something besides."""
    kept = jsonschema_rs.validator_for(json.loads(file_of(words).read_text(encoding="utf-8")))
    first, *_, last = [*load(book).layouts] * 2
    for layout in {first, last}:
        kept.validate(printed(words, OF_ANY_BOOK[words].format(book=book, layout=layout)))


NOT_SHOWN = {
    "cage report": {"/tables/*/asked/*", "/dealers/*/hold"},  # no open question; dealers sell no chips
}
"""Places of which no example tells what stands there."""


@pytest.mark.parametrize("words", WORDS)
def test_a_schema_tells_the_whole_shape(words: str) -> None:
    """An example with rows belongs in `json_shapes.EXAMPLES` where a list or an object would be told as empty."""
    kept = json.loads(file_of(words).read_text(encoding="utf-8"))
    assert set(untold(kept)) == NOT_SHOWN.get(words, set())


def test_a_schema_refuses_what_lacks_a_key_or_has_another_kind_there() -> None:
    kept = jsonschema_rs.validator_for(json.loads(file_of("roads").read_text(encoding="utf-8")))
    [value, *_] = examples("roads")
    assert kept.is_valid(value | {"new": 1})
    assert not kept.is_valid(value | {"big_eye": 1})
    del value["big_eye"]
    assert not kept.is_valid(value)


def test_the_schemas_are_printed_by_command() -> None:
    assert ok("schema", "--list").splitlines() == WORDS
    assert json.loads(ok("schema", "history", "show"))["title"] == "punto history show --json"
    done = punto_command("schema", "poker")
    assert done.returncode == 2
    assert "punto schema --list" in done.stderr
