"""The part of the JSON Schema that says which coups a row means: by outcome and by cards."""

from punto.coup import RANKS, SUITS
from punto.rulebook.patterns import GROUPS, LIKENESSES
from punto.rulebook.rank_tests import ACES, COUNTING, VALUES
from punto.rulebook.schema_blocks import Schema, letters, list_of, numbers, one_of, one_or_list, table
from punto.rulebook.vocabulary import CHOSEN, PATTERN

_MOST_CARDS = 6


def pattern() -> Schema:
    """A pattern of `when`: what is said of outcomes and cards, and patterns within it."""
    itself: Schema = {"$ref": "#/definitions/pattern"}
    fields: dict[str, Schema] = {
        name: {"anyOf": [_field(values), one_of([CHOSEN])]} for name, values in PATTERN.items()
    }
    cards: Schema = {"$ref": "#/definitions/cards"}
    several = {"any": list_of(itself), "not": one_or_list(itself)}
    return table({**fields, **dict.fromkeys(GROUPS, cards), **several})


def _field(values: tuple[int, ...] | tuple[str, ...]) -> Schema:
    whole = [value for value in values if isinstance(value, int)]
    return numbers(whole) if whole else one_or_list(one_of([str(value) for value in values]))


def card_test() -> Schema:
    """What is asked of some cards."""
    kind: Schema = {"type": "integer", "minimum": 2, "maximum": _MOST_CARDS}
    keys = {
        "ranks": letters(RANKS),
        "suits": letters(SUITS),
        "colour": one_of(("red", "black")),
        "count": numbers(range(_MOST_CARDS + 1)),
        "same": one_or_list(one_of(LIKENESSES)),
        "of-a-kind": one_or_list(kind),
        "kind": one_of(LIKENESSES),
        "run": kind,
        "sum": numbers(range(_MOST_CARDS * max(VALUES["ranks"]) + 1)),
        "counting": one_of(COUNTING),
        "higher": one_of(GROUPS),
        "aces": one_of(ACES),
    }
    return one_or_list({"anyOf": [letters(RANKS), table(keys, more={"minProperties": 1})]})
