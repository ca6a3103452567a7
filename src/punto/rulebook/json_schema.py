"""The rulebook format as a JSON Schema, made from the vocabulary, for editors that complete and check TOML.

It is of draft 4, the newest that the TOML tools know. It says which keys and words may stand where; what depends on
other parts of a file (that a bet is declared, that a fact knows a guard, that cases are covered) the loader says.
"""

from collections.abc import Iterable, Mapping, Sequence

from punto.coup import MOST_DECKS, RANKS, STAGES, SUITS
from punto.rulebook.bases import BASE, OWN, REMOVE
from punto.rulebook.facts import FACTS, GUARDS, HANDS, IN_BOOKS
from punto.rulebook.patterns import GROUPS, LIKENESSES
from punto.rulebook.vocabulary import (
    ALL_OTHERS,
    ANY,
    BY,
    CAPS,
    CHOICES,
    CHOOSE,
    CHOSEN,
    DRAWING,
    EXPECTED,
    LIMITS,
    NEEDS_OBJECT,
    OTHERWISE,
    PATTERN,
    POINTS,
    ROW_RESULTS,
    SCOPES,
    SPANS,
    VERBS,
    WHOLE,
)

Schema = dict[str, object]

_MOST_CARDS = 6
_RANGE = "[0-9]+(-[0-9]+)?"
_RANGES = f"^ *{_RANGE} *(, *{_RANGE} *)*$"
_ID = "^[a-z0-9]+(-[a-z0-9]+)*$"
_BET_ID = "^[a-z0-9-]+$"

TEXT: Schema = {"type": "string", "pattern": r"\S"}
TEXTS: Schema = {"$ref": "#/definitions/texts"}
BASIS: Schema = {"$ref": "#/definitions/basis"}
ODDS: Schema = {"$ref": "#/definitions/odds"}
FLAG: Schema = {"type": "boolean"}
STEPS: Schema = {"$ref": "#/definitions/steps"}
WHEN: Schema = {"$ref": "#/definitions/when"}
GUARDED: Schema = {"$ref": "#/definitions/guards"}

_OWN_BASIS: Mapping[str, Schema] = {"clause": TEXTS, "readings": TEXTS}


def book_schema() -> Schema:
    """The whole format.

    >>> schema = book_schema()
    >>> whole, with_base = schema["anyOf"]
    >>> whole["properties"]["bets"]["required"], with_base["required"][:2]
    (['player', 'banker'], ['base', 'id'])
    """
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "A rulebook of Punto",
        "anyOf": [_whole_book(), _with_base()],
        "definitions": _definitions(),
    }


def _whole_book() -> Schema:
    """A file that says everything."""
    return {**_table({**_head(), **_sections()}, required=_REQUIRED), "not": _either(BASE, REMOVE)}


def _with_base() -> Schema:
    """A file that says what is different from its base: nothing is required but who the book is."""
    return {**_in_part(_table({**_head(), **_sections()})), "required": [BASE, *OWN]}


def _in_part(schema: Schema) -> Schema:
    """A table of which a file may say a part: its tables, too, but for those in lists, which are replaced whole."""
    if schema.get("type") != "object":
        return schema
    found = {key: each for key, each in schema.items() if key not in ("required", "anyOf", "dependencies")}
    for key in ("properties", "patternProperties"):
        tables = found.get(key)
        if isinstance(tables, dict):
            found[key] = {name: _in_part(each) for name, each in tables.items()}
    more = found.get("additionalProperties")
    if isinstance(more, dict):
        found["additionalProperties"] = _in_part(more)
    return found


def book_keys() -> tuple[str, ...]:
    """The keys of a file, head and sections, in the order of the format.

    >>> book_keys()[:2], book_keys()[-2:]
    (('base', 'id'), ('readings', 'expect'))
    """
    return (*_head(), *_sections())


_REQUIRED = (
    *("id", "title", "operator", "approver", "version", "effective", "front", "decks"),
    *("layouts-clause", "boxes-clause", "menu-clause", "cards", "drawing", "bets", "pays", "layouts", "authority"),
)


# Building blocks


def _table(
    properties: Mapping[str, Schema], required: Iterable[str] = (), says: str = "", more: Schema | None = None
) -> Schema:
    """A closed table: other keys are refused."""
    found: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    if names := list(required):
        found["required"] = names
    return {**found, **({"description": says} if says else {}), **(more or {})}


def _named(of: Schema, says: str, pattern: str | None = None, **more: object) -> Schema:
    """A table whose keys are names that the book gives."""
    keys: Schema = {"additionalProperties": of}
    if pattern is not None:
        keys = {"patternProperties": {pattern: of}, "additionalProperties": False}
    return {"type": "object", "description": says, **keys, **more}


def _list(of: Schema, says: str = "") -> Schema:
    return {"type": "array", "items": of, "minItems": 1, **({"description": says} if says else {})}


def _one_or_list(of: Schema) -> Schema:
    return {"anyOf": [of, _list(of)]}


def _either(*keys: str) -> Schema:
    """A table with at least one of some keys."""
    return {"anyOf": [{"required": [key]} for key in keys]}


def _words(words: Sequence[str]) -> Schema:
    return {"enum": list(words)}


def _numbers(allowed: Sequence[int]) -> Schema:
    """A number, a text with ranges such as `1-6,8`, or a list of these."""
    number = {"type": "integer", "minimum": min(allowed), "maximum": max(allowed)}
    return _one_or_list({"anyOf": [number, {"type": "string", "pattern": _RANGES}]})


def _letters(letters: str) -> Schema:
    both = "".join(dict.fromkeys(letters + letters.lower() + letters.upper()))
    return {"anyOf": [{"type": "string", "pattern": f"^[{both}]+$"}, _words([CHOSEN])]}


# The head of the file


def _head() -> dict[str, Schema]:
    return {
        BASE: {**TEXT, "description": "The book or game that this file begins with."},
        "id": {
            "type": "string",
            "pattern": _ID,
            "maxLength": 60,
            "description": "The name of the book: small letters, digits and hyphens.",
        },
        "title": TEXT,
        "operator": TEXT,
        "approver": TEXT,
        "version": TEXT,
        "effective": {"type": "string", "format": "date-time", "description": "When it takes effect, with its zone."},
        REMOVE: {**TEXTS, "description": "What is taken away from the base first, like bets.tie."},
        "front": _table({"title": BASIS, "approval": BASIS}, ("title", "approval"), "The clauses of the front page."),
        "decks": _decks(),
        "layouts-clause": TEXT,
        "boxes-clause": TEXT,
        "menu-clause": TEXT,
        "silent": {
            **_one_or_list(_words((*IN_BOOKS, ALL_OTHERS))),
            "description": "The facts of which the book says nothing.",
        },
    }


def _decks() -> Schema:
    number: Schema = {"type": "integer", "minimum": 1}
    counts = _numbers(range(1, MOST_DECKS + 1))
    keys = {"min": number, "max": number, "counts": counts, "verified": FLAG, **_OWN_BASIS}
    forms = [
        {"required": ["min", "max", "clause"], "not": _either("counts")},
        {"required": ["counts", "clause"], "not": _either("min", "max")},
        {"required": ["verified"], "properties": {"verified": {"enum": [False]}}},
    ]
    return _table(keys, says="How many decks the book allows.", more={"anyOf": forms})


# Sections


def _sections() -> dict[str, Schema]:
    points = {section: _table(_points(section)) for section in POINTS if section != "insurance"}
    return {
        "terms": _named(TEXT, "What the book defines, and in which clause."),
        "cards": _cards(),
        "drawing": _table(dict.fromkeys(DRAWING, BASIS), DRAWING, "The clause of each case of the Table of Play."),
        "bets": _named(_bet(), "The bets, by their ids.", _BET_ID, required=list(HANDS)),
        "pays": _named(_list(_pay_row()), "The rows of the pay tables, in groups.", minProperties=1),
        "layouts": _named(_layout(), "The approved layouts.", minProperties=1),
        "insurance": _insurance(),
        **points,
        "authority": _authority(),
        "policy": _named(_policy(), "Readings that a ruling may change for a table."),
        "offers": _named(_offer(), "Choices put to patrons after an irregularity."),
        "irregularity": _list(_irregularity(), "Facts in, steps out: the first row whose guards hold applies."),
        "readings": _named(TEXT, "Readings of the book's own, by name."),
        "expect": _list(_expected(), "Figures that a bet is expected to have."),
    }


def _cards() -> Schema:
    points: Schema = {"anyOf": [{"type": "integer", "minimum": 0}, _words(["face"])]}
    ranks: Schema = {"type": "string", "pattern": f"^[{RANKS}]+$"}
    value = _table(
        {"ranks": ranks, "points": points, **_OWN_BASIS, "pairs-clause": TEXT}, ("ranks", "points", "clause")
    )
    keys = {"values": _list(value), "values-clause": TEXT, "total-to-nine": BASIS, "total-over-nine": BASIS}
    return _table(keys, keys, "What cards and hands count.")


def _bet() -> Schema:
    clauses = dict.fromkeys(("defined", "area", "offered", "alone", "wins"), TEXT)
    keys: dict[str, Schema] = {
        "name": {**TEXT, "description": "The name that a patron knows."},
        "hand": _words(HANDS),
        **_OWN_BASIS,
        "loses": BASIS,
        **clauses,
        "choose": {**_words(CHOOSE), "description": "The patron names one with the wager."},
        "names": _named(TEXT, "The name in other languages, by their tags."),
        "in-order": {**FLAG, "description": "Its rows overlap on purpose: the first that matches counts."},
    }
    return _table(keys, ("name", "clause", "loses"))


def _pay_row() -> Schema:
    result = _words(ROW_RESULTS)
    by_number: Schema = {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {f"{_RANGES}|^[A-Za-z]+$": {"anyOf": [ODDS, result]}},
        "additionalProperties": False,
    }
    keys: dict[str, Schema] = {
        "bet": TEXT,
        "when": WHEN,
        "odds": {"anyOf": [ODDS, by_number], "description": "What one unit earns: 8:1, or a table by number."},
        "by": _words(BY),
        "result": {**result, "description": "Instead of odds."},
        **_OWN_BASIS,
    }
    forms = [
        {"required": ["result"], "not": _either("odds", "by")},
        {"required": ["odds"], "properties": {"odds": {"type": "string"}}, "not": _either("result", "by")},
        {"required": ["odds"], "properties": {"odds": {"type": "object"}}, "not": _either("result")},
    ]
    return _table(keys, ("bet", "when", "clause"), more={"anyOf": forms})


def _layout() -> Schema:
    whole: Schema = {"type": "integer", "minimum": 1}
    keys: dict[str, Schema] = {
        "clause": TEXT,
        "pays": {**TEXTS, "description": "The groups of pay rows that it carries."},
        "positions": _table({"min": whole, "max": whole, "verified": FLAG, "readings": TEXTS}, ("min",)),
        "title": TEXT,
        "titles": _named(TEXT, "The title in other languages, by their tags."),
        "version": TEXT,
        "version-clause": BASIS,
        "areas-clause": TEXT,
        "labels": _named(TEXT, "Labels in its print, and the bets that they mean."),
        "labels-clause": TEXT,
        "chinese": TEXT,
        "verified": FLAG,
        "readings": TEXTS,
        "notice": _table({"says": TEXT, **_OWN_BASIS}, ("says", "clause")),
        "print": _list(
            _table({"bet": TEXT, "when": WHEN, "odds": ODDS, **_OWN_BASIS}, ("bet", "when", "odds", "clause"))
        ),
    }
    return _table(keys, ("clause", "pays", "positions"), more={"dependencies": {"version": ["version-clause"]}})


def _insurance() -> Schema:
    totals = _numbers(range(10))
    texts = dict.fromkeys(("clause", "defined", "original", "windows", "table"), TEXT)
    share: Schema = {"type": "string", "pattern": "^[0-9][0-9./]*$"}
    row = {"stage": _words(STAGES), "hand": _words(HANDS), "own": totals, "opposite": totals, "odds": ODDS}
    needed: dict[str, Schema] = {
        **texts,
        "live": BASIS,
        "cap": _table({"on": _words(CAPS), "over": _words(SPANS), **_OWN_BASIS}, ("on", "over", "clause")),
        "tie": BASIS,
        "won": BASIS,
        "row": _list(_table({**row, "tie-pays": BASIS, **_OWN_BASIS}, (*row, "clause"))),
    }
    cap_at = _table(
        {"odds": ODDS, "share": share, "of": _words(LIMITS), **_OWN_BASIS}, ("odds", "share", "of", "clause")
    )
    keys = {**needed, "cap-at": _list(cap_at), "notes": TEXTS, **_points("insurance")}
    return _table(keys, (*needed, "lapses"), "Left out where the game has none.")


def _points(section: str) -> dict[str, Schema]:
    return {name: _point(allowed) for name, allowed in POINTS[section].items()}


def _point(allowed: tuple[str, ...]) -> Schema:
    """A question on which books differ: what holds, who decides it, and what it rests on."""
    value: Schema = _one_or_list(_words(allowed))
    if allowed is WHOLE:
        value = {"type": "integer", "minimum": 1}
    elif allowed is ANY:
        value = TEXTS
    keys = {"value": value, "by": TEXT, "reason": FLAG, **_OWN_BASIS}
    return _table(keys, ("value",), more=_either("clause", "readings"))


def _authority() -> Schema:
    ranks: Schema = {"type": "array", "minItems": 2, "items": _list({"type": "string"})}
    keys: dict[str, Schema] = {
        "ranks": {**ranks, "description": "Tiers, the lowest first, which has the dealer."},
        "house-ranks": _named(TEXT, "By clause, the rank that speaks for the house."),
        **_points("authority"),
    }
    return _table(keys, ("ranks", "residual"))


def _policy() -> Schema:
    keys = {"value": TEXT, "choices": TEXTS, "reading": TEXT, "clause": TEXT}
    return _table(keys, ("value", "choices", "reading"))


def _offer() -> Schema:
    choice = _table({"do": _words(CHOICES), "when": GUARDED, "clause": TEXT}, ("do",))
    keys = {
        **_OWN_BASIS,
        "scope": _words(SCOPES),
        "bound": TEXT,
        "divided": TEXT,
        "choices": _list(choice),
        "all-back": STEPS,
    }
    return _table(keys, ("clause", "scope", "choices"))


def _irregularity() -> Schema:
    meanings = [FACTS[fact].meaning for fact in IN_BOOKS]
    fact: Schema = {**_words(IN_BOOKS), "x-taplo": {"docs": {"enumValues": meanings}}}
    return _table({"fact": fact, "when": GUARDED, "do": STEPS, **_OWN_BASIS}, ("fact", "do", "clause"))


def _expected() -> Schema:
    figure: Schema = {"type": "string", "pattern": "^-?[0-9]*[.]?[0-9]+ *%?$"}
    decks = _numbers(range(1, MOST_DECKS + 1))
    keys = {"bet": TEXT, "layout": TEXT, "decks": decks, **dict.fromkeys(EXPECTED, figure), "source": TEXT}
    return _table(keys, ("bet", "decks"), more=_either(*EXPECTED))


# What is named in several places


def _definitions() -> dict[str, Schema]:
    return {
        "texts": _one_or_list(TEXT),
        "basis": {"anyOf": [TEXTS, _table(_OWN_BASIS, ("clause",))], "description": "The clauses it rests on."},
        "odds": {"type": "string", "pattern": "^([0-9]+[.]?[0-9]*|[.][0-9]+):[0-9]*[1-9][0-9]*$"},
        "when": {
            "anyOf": [_words([OTHERWISE]), {"allOf": [{"$ref": "#/definitions/pattern"}, {"minProperties": 1}]}],
            "description": "Which coups are meant.",
        },
        "pattern": _pattern(),
        "cards": _card_test(),
        "guards": _table({name: _guard(guard.values, guard.meaning) for name, guard in GUARDS.items()}),
        "steps": _list({"$ref": "#/definitions/step"}, "What is done, in order."),
        "step": _step(),
    }


def _pattern() -> Schema:
    itself: Schema = {"$ref": "#/definitions/pattern"}
    fields: dict[str, Schema] = {
        name: {"anyOf": [_field(values), _words([CHOSEN])]} for name, values in PATTERN.items()
    }
    cards: Schema = {"$ref": "#/definitions/cards"}
    several = {"any": _list(itself), "not": _one_or_list(itself)}
    return _table({**fields, **dict.fromkeys(GROUPS, cards), **several})


def _field(values: tuple[int, ...] | tuple[str, ...]) -> Schema:
    numbers = [value for value in values if isinstance(value, int)]
    return _numbers(numbers) if numbers else _one_or_list(_words([str(value) for value in values]))


def _card_test() -> Schema:
    kind: Schema = {"type": "integer", "minimum": 2, "maximum": _MOST_CARDS}
    keys = {
        "ranks": _letters(RANKS),
        "suits": _letters(SUITS),
        "colour": _words(("red", "black")),
        "count": _numbers(range(_MOST_CARDS + 1)),
        "same": _one_or_list(_words(LIKENESSES)),
        "of-a-kind": _one_or_list(kind),
    }
    return _one_or_list({"anyOf": [_letters(RANKS), _table(keys, more={"minProperties": 1})]})


def _guard(values: tuple[str, ...], meaning: str) -> Schema:
    bare = [value == "true" for value in values if value in ("true", "false")]
    return {**_one_or_list({"enum": [*values, *bare]}), "description": meaning}


def _step() -> Schema:
    alone = [verb for verb in VERBS if verb not in NEEDS_OBJECT]
    modifiers: dict[str, Schema] = {"by": TEXT, "reason": FLAG, "when": GUARDED, "clause": TEXT}
    further = dict.fromkeys(("else", "then", "all-back"), STEPS)
    verbs = {verb: _object(verb, objects) for verb, objects in VERBS.items()}
    one_verb = [{"required": [verb]} for verb in VERBS]
    return {"anyOf": [_words(alone), _table({**verbs, **modifiers, **further}, more={"oneOf": one_verb})]}


def _object(verb: str, objects: tuple[str, ...]) -> Schema:
    if objects is WHOLE:
        return {"type": "integer"}
    bare = [] if verb in NEEDS_OBJECT else [True]
    if objects is ANY:
        return {"anyOf": [TEXT, *({"enum": bare} for _ in bare)]}
    return {"enum": [*objects, *bare]}
