"""One mistake at any key of the format is one fault: over all keys of the JSON Schema.

`PUNTO_FULL=1`, which is what `make full` sets, tries every key; otherwise a slice, a different one of each mistake.
"""

import copy
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from every_key import Schema, Shape, forms, samples, shapes, walk
from punto.rulebook import BadBook, Fault, parse
from punto.rulebook.lines import Path
from punto.rulebook.toml_writer import write_toml

EVERY = 1 if os.environ.get("PUNTO_FULL") else 24
SEQUENCES = {"do", "else", "then", "all-back", "of-a-kind"}
"""Lists in which one thing may stand twice: steps are done in order, and two pairs are two of a kind and two."""
FOR_BASES = {("base",), ("remove",)}
GONE = object()


class Place:
    """A key of a sample, with what the schema says of it."""

    def __init__(self, book: dict[str, Any], shape: Shape, path: Path, schema: Schema) -> None:
        self.book, self.shape, self.path = book, shape, path
        self.forms = [form for form, _ in forms(schema)]
        at: Any = book
        for part in path:
            at = at[part]
        self.value = at

    def faults(self, value: object) -> tuple[Fault, ...]:
        """What the loader says with another value there, or none."""
        book = copy.deepcopy(self.book)
        at: Any = book
        for part in self.path[:-1]:
            at = at[part]
        if value is GONE:
            del at[self.path[-1]]
        else:
            at[self.path[-1]] = value
        return read(book)

    @property
    def is_list(self) -> bool:
        return any(form.get("type") == "array" for form in self.forms)

    @property
    def can_be_doubled(self) -> bool:
        """Whether its value may stand in a list; a basis that is a table may not."""
        items = [item for form in self.forms if form.get("type") == "array" for item, _ in forms(form["items"])]
        return not isinstance(self.value, dict) or any(item.get("type") == "object" for item in items)

    @property
    def is_word(self) -> bool:
        """Whether just some words may stand there."""
        return isinstance(self.value, str) and all("enum" in form or form.get("type") == "array" for form in self.forms)


def read(book: dict[str, Any]) -> tuple[Fault, ...]:
    try:
        parse(write_toml(book).encode(), "mine.toml")
    except BadBook as bad:
        return bad.faults
    return ()


@pytest.fixture(scope="module")
def places() -> list[Place]:
    found: dict[Shape, Place] = {}
    for name, book in samples():
        assert read(book) == (), name
        for shape, path, schema in walk(book):
            if shape not in found:
                found[shape] = Place(book, shape, path, schema)
    return list(found.values())


def some(places: list[Place], mistake: Callable[..., object]) -> Iterator[Place]:
    first = sum(mistake.__name__.encode()) % EVERY
    yield from places[first::EVERY]


def test_the_samples_have_every_key_of_the_format(places: list[Place]) -> None:
    missing = {shape for shape in shapes() - {place.shape for place in places} if shape[-1] != "#"}
    assert missing == FOR_BASES


def test_an_empty_list_is_one_fault(places: list[Place]) -> None:
    for place in some([each for each in places if each.is_list], test_an_empty_list_is_one_fault):
        assert len(place.faults([])) == 1, (place.path, place.faults([]))


def test_what_stands_in_a_list_twice_is_one_fault_at_the_second(places: list[Place]) -> None:
    lists = [each for each in places if each.is_list and each.can_be_doubled and each.shape[-1] not in SEQUENCES]
    for place in some(lists, test_what_stands_in_a_list_twice_is_one_fault_at_the_second):
        several = place.value if isinstance(place.value, list) else [place.value]
        faults = place.faults([*several, copy.deepcopy(several[-1])])
        assert len(faults) == 1, (place.path, faults)
        assert "twice" in faults[0].says or "says the same as line" in faults[0].says, (place.path, faults)


def test_an_unknown_word_is_one_fault_that_names_those_that_may_stand_there(places: list[Place]) -> None:
    words = [each for each in places if each.is_word]
    for place in some(words, test_an_unknown_word_is_one_fault_that_names_those_that_may_stand_there):
        for wrong in ("strange", place.value + place.value[-1]):
            faults = place.faults(wrong)
            assert len(faults) == 1, (place.path, faults)
        assert place.value in faults[0].says, (place.path, faults)


def test_a_key_that_is_not_there_is_one_fault_at_most(places: list[Place]) -> None:
    for place in some(places, test_a_key_that_is_not_there_is_one_fault_at_most):
        assert len(place.faults(GONE)) <= 1, (place.path, place.faults(GONE))


def test_a_table_with_nothing_in_it_is_one_fault_at_most(places: list[Place]) -> None:
    tables = [each for each in places if isinstance(each.value, dict)]
    for place in some(tables, test_a_table_with_nothing_in_it_is_one_fault_at_most):
        assert len(place.faults({})) <= 1, (place.path, place.faults({}))


def test_a_value_of_another_kind_is_one_fault(places: list[Place]) -> None:
    for place in some(places, test_a_value_of_another_kind_is_one_fault):
        assert len(place.faults(1.5)) == 1, (place.path, place.faults(1.5))


# Those that were met


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("decks", "counts"), [], "must name at least one: write it in the brackets."),
        (("decks", "counts"), [6, 6], "6 stands here twice."),
        (("decks", "counts"), ["6-8", 7], "7 stands here twice."),
        (("decks", "counts"), "6-8,8-9", "8 stands here twice."),
        (("decks", "countss"), True, "is not a word of the format here: perhaps counts is meant."),
        (("layouts", "A", "pays"), ["main", "tigers", "tiger-pair", "more", "main"], "'main' stands here twice."),
        (("bets", "suited", "choose"), GONE, 'there is nothing to choose: write choose = "suit".'),
        (("pays", "more", 0, "when"), {"first-four": "77"}, "7 stands here twice: it is a set of ranks."),
        (("pays", "more", 0, "when"), {"first-four": []}, "must say what holds of the cards"),
        (("bets",), {}, "must not be empty."),
    ],
)
def test_mistakes_that_were_none_or_many_faults(path: Path, value: object, says: str) -> None:
    book = next(book for _, book in samples())
    at: Any = book
    for part in path[:-1]:
        at = at[part]
    if value is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    [fault] = read(book)
    assert says in fault.says
