"""The parts that the JSON Schema of the rulebook format is put together from."""

from collections.abc import Iterable, Mapping, Sequence

from punto.rulebook.vocabulary import CHOSEN

Schema = dict[str, object]

_RANGE = "[0-9]+(-[0-9]+)?"
RANGES = f"^ *{_RANGE} *(, *{_RANGE} *)*$"


def table(
    properties: Mapping[str, Schema], required: Iterable[str] = (), says: str = "", more: Schema | None = None
) -> Schema:
    """A closed table: other keys are refused."""
    found: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    if names := list(required):
        found["required"] = names
    return {**found, **({"description": says} if says else {}), **(more or {})}


def named(of: Schema, says: str, pattern: str | None = None, **more: object) -> Schema:
    """A table whose keys are names that the book gives."""
    keys: Schema = {"additionalProperties": of}
    if pattern is not None:
        keys = {"patternProperties": {pattern: of}, "additionalProperties": False}
    return {"type": "object", "description": says, **keys, **more}


def list_of(of: Schema, says: str = "") -> Schema:
    """A list with at least one element."""
    return {"type": "array", "items": of, "minItems": 1, **({"description": says} if says else {})}


def one_or_list(of: Schema) -> Schema:
    """One value, or a list of such."""
    return {"anyOf": [of, list_of(of)]}


def either(*keys: str) -> Schema:
    """A table with at least one of some keys."""
    return {"anyOf": [{"required": [key]} for key in keys]}


def one_of(words: Sequence[str]) -> Schema:
    """One of some words."""
    return {"enum": list(words)}


def numbers(allowed: Sequence[int]) -> Schema:
    """A number, a text with ranges such as `1-6,8`, or a list of these."""
    number = {"type": "integer", "minimum": min(allowed), "maximum": max(allowed)}
    return one_or_list({"anyOf": [number, {"type": "string", "pattern": RANGES}]})


def letters(allowed: str) -> Schema:
    """Some of the allowed letters, or what the patron has chosen."""
    both = "".join(dict.fromkeys(allowed + allowed.lower() + allowed.upper()))
    return {"anyOf": [{"type": "string", "pattern": f"^[{both}]+$"}, one_of([CHOSEN])]}
