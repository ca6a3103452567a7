"""A rulebook that has every key of the format, and a walk over it and the JSON Schema side by side."""

import tomllib
from collections.abc import Iterator
from typing import Any

from punto.rulebook import ids, source, vocabulary, whole
from punto.rulebook.json_schema import book_schema
from punto.rulebook.lines import Path
from punto.rulebook.patterns import GROUPS

Schema = dict[str, Any]
Shape = tuple[str, ...]
"""The keys down to a place, `*` for a name that the book gives and `#` for a place in a list."""

SCHEMA: Schema = book_schema()

MORE = """
decks = { counts = [6, 8], clause = "2.1", readings = ["HOUSE-1"], verified = true }

[terms."Cut card"]
clause = "1.1"
names = { zh-Hant = "切牌" }

[readings]
HOUSE-1 = "So it is read here."

[[expect]]
bet = "suited-h"
layout = "A"
decks = 8
hit = "26.1%"
edge = "1%"
variance = "1"
returns = "1"
source = "A list"

[bets.extra]
name = "Extra"
names = { zh-Hant = "加注" }
colour = "ivory"
clause = "3"
readings = ["HOUSE-1"]
loses = "3"
defined = "3"
area = "3"
offered = "3"
alone = "3"
wins = "3"
in-order = true
needs = { bets = ["player", "banker"], clause = "3", readings = ["HOUSE-1"] }
at-most = { bets = ["player", "banker"], share = "1/2", clause = "3", readings = ["HOUSE-1"] }
not-with = { bets = ["early", "late"], clause = "3", readings = ["HOUSE-1"] }

[bets.early]
name = "Early"
clause = "3"
loses = "3"
settled = { value = "first-four", clause = "3", readings = ["HOUSE-1"] }

[bets.late]
name = "Late"
clause = "3"
loses = "3"
placed = { value = "after-first-four", when = { player-two-card = "4-5" }, clause = "3", readings = ["HOUSE-1"] }

[bets.suited]
name = "Suited"
choose = "suit"
clause = "3"
loses = "3"

[bets.ranked]
name = "Ranked"
choose = "rank"
clause = "3"
loses = "3"

[bets.equal]
name = "Equal"
choose = "points"
clause = "3"
loses = "3"

[bets.red-suited]
name = "Red suited"
choose = { suits = "dh" }
clause = "3"
loses = "3"

[bets.courted]
name = "Courted"
choose = { ranks = "JQK" }
clause = "3"
loses = "3"

[bets.high-equal]
name = "High equal"
choose = { points = "6-9" }
clause = "3"
loses = "3"

[[pays.more]]
bet = "red-suited"
when = { player-first = { suits = "chosen" } }
odds = "2:1"
clause = "4"

[[pays.more]]
bet = "courted"
when = { player-first = { ranks = "chosen" } }
odds = "11:1"
clause = "4"

[[pays.more]]
bet = "high-equal"
when = { winner = "tie", points = "chosen" }
odds = "50:1"
clause = "4"

[[pays.more]]
bet = "suited"
when = { first-four = { suits = "chosen", count = "2-4" } }
by = "count"
odds = { 2 = "1:1", 3 = "5:1", 4 = "lost" }
clause = "4"

[[pays.more]]
bet = "ranked"
when = { player-first = { ranks = "chosen" } }
odds = "11:1"
clause = "4"

[[pays.more]]
bet = "equal"
when = { winner = "tie", points = "chosen" }
by = "chosen"
odds = { "0-3" = "50:1", 4 = "150:1", "5-9" = "60:1" }
commission = "5%"
clause = "4"
readings = ["HOUSE-1"]

[[pays.more]]
bet = "early"
when = { natural = ["player", "both"] }
odds = "3:1"
clause = "4"

[[pays.more]]
bet = "late"
when = { any = [{ margin = "5-9" }, { sum = [0, 1] }], not = [{ natural = "both" }, { winner = "tie" }] }
odds = "3:1"
clause = "4"

[[pays.more]]
bet = "extra"
when = { all-cards = [{ ranks = "7", count = [2, 3] }, { same = ["suit", "colour"] }, { colour = "red" }] }
odds = "9:1"
clause = "4"

[[pays.more]]
bet = "extra"
when = { all-cards = [{ of-a-kind = [2, 2], suits = "hd", kind = "suit" }, { run = 3, sum = 9, counting = "pips" }] }
odds = "9:1"
clause = "4"

[[pays.more]]
bet = "extra"
when = { player-start = [{ higher = "banker-start", aces = "high" }], banker-hand = { of-a-kind = 2, kind = "suit" } }
odds = "9:1"
clause = "4"

[[pays.more]]
bet = "extra"
when = { third-cards = { run = 2, sum = [7, 8], counting = "ranks" } }
odds = "9:1"
clause = "4"

[[pays.more]]
bet = "extra"
when = { player-start = { of-a-kind = 2, suits = "h", same = "rank", colour = "red" } }
odds = "9:1"
clause = "4"

[[pays.more]]
bet = "extra"
when = { player-first = { higher = "banker-first", aces = "high" } }
result = "stand-off"
clause = "4"
"""
"""What no shipped book has."""


PRINTED = """
base = "punto-banco"
id = "printed"
title = "Printed"
operator = "O"
approver = "A"
version = "1"
effective = 2026-01-01T00:00:00Z

[cards]
printed = { PLACE = "7", clause = "3", readings = ["AMB-01"] }
"""


def samples() -> Iterator[tuple[str, dict[str, Any]]]:
    """Books that together have every key of the format."""
    yield "rich", _rich()
    for place in vocabulary.PRINTED:
        text = PRINTED.replace("PLACE", place).encode()
        yield place, tomllib.loads(whole(text, place).decode())
    for name in ids():
        yield name, tomllib.loads(source(name).decode())


def _rich() -> dict[str, Any]:
    data = tomllib.loads(source("da-hu-ying-xiong").decode())
    _add(data, tomllib.loads(MORE))
    for section, points in vocabulary.POINTS.items():
        for name, allowed in points.items():
            said = data.setdefault(section, {}).setdefault(name, {"value": _value(allowed)})
            for key, value in _OF_POINTS.items():
                said.setdefault(key, value)
    data["money"].update({"commission": {"value": "at-once", **_OF_POINTS}})
    data["money"].update({"commission-rounding": {"value": "up", **_OF_POINTS}})
    data["titles"] = {"zh-Hant": "大"}
    data["layouts"]["A"]["titles"] = {"zh-Hant": "大"}
    data["layouts"]["A"]["pays"].append("more")
    data["insurance"]["row"][0]["readings"] = ["HOUSE-1"]
    rows: list[object] = data["pays"]["more"]
    rows += [_row({name: [*values[:2]]}) for name, values in vocabulary.PATTERN.items()]
    rows += [_row({name: "78"}) for name in GROUPS]
    data["irregularity"].append(
        {"fact": "cut-card", "do": [{verb: True} for verb in _ALONE], "clause": "9", "readings": ["HOUSE-1"]}
    )
    data["silent"].remove("cut-card")
    return data


_OF_POINTS = {"by": "dealer", "reason": True, "clause": ["3", "4"], "readings": ["HOUSE-1"]}
_ALONE = ("burn", "dealer-opens", "note", "remove-wagers", "retrieve")


def _value(allowed: tuple[str, ...]) -> object:
    if allowed is vocabulary.WHOLE:
        return 3
    return "tie" if allowed is vocabulary.BETS else allowed[0]


def _row(when: dict[str, object]) -> dict[str, object]:
    return {"bet": "extra", "when": when, "odds": "1:1", "clause": "4"}


def _add(data: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if key != "decks" and isinstance(value, dict) and isinstance(data.get(key), dict):
            _add(data[key], value)
        else:
            data[key] = value


def walk(data: object, schema: Schema = SCHEMA["anyOf"][0], path: Path = (), shape: Shape = ()) -> Iterator[Any]:
    """Every key of a document, and place in its lists: its shape, its path, and what the schema says of it."""
    kind = "object" if isinstance(data, dict) else "array" if isinstance(data, list) else ""
    for form, at in forms(schema, shape):
        if not kind or form.get("type") != kind:
            continue
        known = {key: (name, of) for name, of, key in _parts(form, at)}
        for key, value in _items(data):
            name, of = known.get(key) or known[None]
            yield name, (*path, key), of
            yield from walk(value, of, (*path, key), name)
        return


def _items(data: Any) -> Iterator[tuple[Any, Any]]:
    yield from data.items() if isinstance(data, dict) else enumerate(data)


def shapes() -> set[Shape]:
    """Every key of the format."""
    todo: list[tuple[Schema, Shape]] = [(SCHEMA["anyOf"][0], ())]
    found: set[Shape] = set()
    while todo:
        for form, at in forms(*todo.pop()):
            for name, of, _ in _parts(form, at):
                if name not in found:
                    found.add(name)
                    todo.append((of, name))
    return found


def forms(schema: Schema, shape: Shape = ()) -> Iterator[tuple[Schema, Shape]]:
    """The forms that a value may have; what several keys share has a shape of its own."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from forms(SCHEMA["definitions"][name], (f"@{name}",))
    elif "allOf" in schema:
        yield from forms(schema["allOf"][0], shape)
    elif "anyOf" in schema and "properties" not in schema:
        for each in schema["anyOf"]:
            yield from forms(each, shape)
    else:
        yield schema, shape


def _parts(form: Schema, shape: Shape) -> Iterator[tuple[Shape, Schema, str | None]]:
    for key, of in form.get("properties", {}).items():
        yield (*shape, key), of, key
    for of in (*form.get("patternProperties", {}).values(), form.get("additionalProperties")):
        if isinstance(of, dict):
            yield (*shape, "*"), of, None
    if form.get("type") == "array":
        yield (*shape, "#"), form["items"], None
