"""The rulebook format as a JSON Schema, made from the vocabulary, for editors that complete and check TOML.

It is of draft 4, the newest that the TOML tools know. It says which keys and words may stand where; what depends on
other parts of a file (that a bet is declared, that a fact knows a guard, that cases are covered) the loader says.
"""

from collections.abc import Mapping

from punto.coup import MOST_DECKS, RANKS, STAGES, SUITS
from punto.rulebook.bases import BASE, OWN, REMOVE
from punto.rulebook.facts import FACTS, GUARDS, HANDS, IN_BOOKS
from punto.rulebook.pattern_schema import card_test, pattern
from punto.rulebook.schema_blocks import (
    RANGES,
    Schema,
    either,
    letters,
    list_of,
    named,
    numbers,
    one_of,
    one_or_list,
    table,
)
from punto.rulebook.vocabulary import (
    AFTER_FIRST_FOUR,
    ALL_OTHERS,
    AMOUNT,
    ANY,
    BETS,
    BY,
    CAPS,
    CHOICES,
    CHOOSE,
    COLOURS,
    DRAWING,
    EXPECTED,
    FIRST_FOUR,
    LIMITS,
    NEEDS_OBJECT,
    OTHERWISE,
    POINTS,
    PRINTED,
    ROW_RESULTS,
    SCOPES,
    SPANS,
    VERBS,
    WHOLE,
)

_ID = "^[a-z0-9]+(-[a-z0-9]+)*$"
_BET_ID = "^[a-z0-9-]*[a-z-][a-z0-9-]*$"

TEXT: Schema = {"type": "string", "pattern": r"\S"}
TEXTS: Schema = {"$ref": "#/definitions/texts"}
BASIS: Schema = {"$ref": "#/definitions/basis"}
ODDS: Schema = {"$ref": "#/definitions/odds"}
FLAG: Schema = {"type": "boolean"}
_SHARE: Schema = {"type": "string", "pattern": "^[0-9][0-9./]*$"}
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
    return {**table({**_head(), **_sections()}, required=_REQUIRED), "not": either(BASE, REMOVE)}


def _with_base() -> Schema:
    """A file that says what is different from its base: nothing is required but who the book is."""
    return {**_in_part(table({**_head(), **_sections()})), "required": [BASE, *OWN]}


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
        "titles": named(TEXT, "The title in other languages, by their tags."),
        "operator": TEXT,
        "approver": TEXT,
        "version": TEXT,
        "effective": {"type": "string", "format": "date-time", "description": "When it takes effect, with its zone."},
        REMOVE: {**TEXTS, "description": "What is taken away from the base first, like bets.tie."},
        "front": table({"title": BASIS, "approval": BASIS}, ("title", "approval"), "The clauses of the front page."),
        "decks": _decks(),
        "layouts-clause": TEXT,
        "boxes-clause": TEXT,
        "menu-clause": TEXT,
        "silent": {
            **one_or_list(one_of((*IN_BOOKS, ALL_OTHERS))),
            "description": "The facts of which the book says nothing.",
        },
    }


def _decks() -> Schema:
    number: Schema = {"type": "integer", "minimum": 1}
    counts = numbers(range(1, MOST_DECKS + 1))
    keys = {"min": number, "max": number, "counts": counts, "verified": FLAG, **_OWN_BASIS}
    forms = [
        {"required": ["min", "max", "clause"], "not": either("counts")},
        {"required": ["counts", "clause"], "not": either("min", "max")},
        {"required": ["verified"], "properties": {"verified": {"enum": [False]}}},
    ]
    return table(keys, says="How many decks the book allows.", more={"anyOf": forms})


# Sections


def _sections() -> dict[str, Schema]:
    points = {section: table(_points(section)) for section in POINTS if section != "insurance"}
    return {
        "terms": named(_term(), "What the book defines, and in which clause."),
        "cards": _cards(),
        "drawing": table(dict.fromkeys(DRAWING, BASIS), DRAWING, "The clause of each case of the Table of Play."),
        "bets": named(_bet(), "The bets, by their ids.", _BET_ID, required=list(HANDS)),
        "pays": named(list_of(_pay_row()), "The rows of the pay tables, in groups.", minProperties=1),
        "layouts": named(_layout(), "The approved layouts.", minProperties=1),
        "insurance": _insurance(),
        **points,
        "authority": _authority(),
        "policy": named(_policy(), "Readings that a ruling may change for a table."),
        "offers": named(_offer(), "Choices put to patrons after an irregularity."),
        "irregularity": list_of(_irregularity(), "Facts in, steps out: the first row whose guards hold applies."),
        "readings": named(TEXT, "Readings of the book's own, by name."),
        "expect": list_of(_expected(), "Figures that a bet is expected to have."),
    }


def _term() -> Schema:
    names = named(TEXT, "What it is called in other languages, by their tags.")
    return {"anyOf": [TEXT, table({"clause": TEXT, "names": names}, ("clause",))]}


def _cards() -> Schema:
    points: Schema = {"anyOf": [{"type": "integer", "minimum": 0}, one_of(["face"])]}
    ranks: Schema = {"type": "string", "pattern": f"^[{RANKS}{RANKS.lower()}]+$"}
    value = table({"ranks": ranks, "points": points, **_OWN_BASIS, "pairs-clause": TEXT}, ("ranks", "points", "clause"))
    keys = {"values": list_of(value), "values-clause": TEXT, "total-to-nine": BASIS, "total-over-nine": BASIS}
    card: Schema = {"type": "string", "pattern": f"^[{RANKS}][{SUITS}]?$"}
    places = dict.fromkeys(PRINTED, card)
    printed = table({**places, **_OWN_BASIS}, ("clause",), more={"oneOf": [{"required": [place]} for place in PRINTED]})
    return table({**keys, "printed": printed}, keys, "What cards and hands count.")


def _bet() -> Schema:
    clauses = dict.fromkeys(("defined", "area", "offered", "alone", "wins"), TEXT)
    others = table({"bets": TEXTS, **_OWN_BASIS}, ("bets", "clause"))
    keys: dict[str, Schema] = {
        "name": {**TEXT, "description": "The name that a patron knows."},
        "hand": one_of(HANDS),
        **_OWN_BASIS,
        "loses": BASIS,
        **clauses,
        "choose": {
            "anyOf": [
                one_of(CHOOSE),
                table(
                    {"points": numbers(range(10)), "ranks": letters(RANKS), "suits": letters(SUITS)},
                    more={"minProperties": 1, "maxProperties": 1},
                ),
            ],
            "description": "The patron names one with the wager.",
        },
        "names": named(TEXT, "The name in other languages, by their tags."),
        "colour": {**one_of(COLOURS), "description": "Of its field on the felt."},
        "needs": {**others, "description": "It lies only with a wager on one of these, in the same box."},
        "at-most": {
            **table({"bets": TEXTS, "share": _SHARE, **_OWN_BASIS}, ("bets", "clause")),
            "description": "It is no more than this share of what lies on these together.",
        },
        "not-with": {**others, "description": "It never lies with a wager on one of these, in the same box."},
        "settled": table(
            {"value": one_of([FIRST_FOUR]), **_OWN_BASIS},
            ("value", "clause"),
            "It is paid when the first four cards lie open.",
        ),
        "placed": table(
            {"value": one_of([AFTER_FIRST_FOUR]), "when": WHEN, **_OWN_BASIS},
            ("value", "clause"),
            "It is placed when the first four cards lie open.",
        ),
        "in-order": {**FLAG, "description": "Its rows overlap on purpose: the first that matches counts."},
    }
    return table(keys, ("name", "clause", "loses"))


def _pay_row() -> Schema:
    result = one_of(ROW_RESULTS)
    by_number: Schema = {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {f"{RANGES}|^[A-Za-z]+$": {"anyOf": [ODDS, result]}},
        "additionalProperties": False,
    }
    keys: dict[str, Schema] = {
        "bet": TEXT,
        "when": WHEN,
        "odds": {"anyOf": [ODDS, by_number], "description": "What one unit earns: 8:1, or a table by number."},
        "by": one_of(BY),
        "result": {**result, "description": "Instead of odds."},
        "commission": {
            "type": "string",
            "pattern": "^[0-9][0-9./]*%?$",
            "description": "The share of what is won that the house takes: 5%.",
        },
        **_OWN_BASIS,
    }
    forms = [
        {"required": ["result"], "not": either("odds", "by", "commission")},
        {"required": ["odds"], "properties": {"odds": {"type": "string"}}, "not": either("result", "by")},
        {"required": ["odds"], "properties": {"odds": {"type": "object"}}, "not": either("result")},
    ]
    return table(keys, ("bet", "when", "clause"), more={"anyOf": forms})


def _layout() -> Schema:
    whole: Schema = {"type": "integer", "minimum": 1}
    keys: dict[str, Schema] = {
        "clause": TEXT,
        "pays": {**TEXTS, "description": "The groups of pay rows that it carries."},
        "positions": table({"min": whole, "max": whole, "verified": FLAG, "readings": TEXTS}, ("min",)),
        "title": TEXT,
        "titles": named(TEXT, "The title in other languages, by their tags."),
        "version": TEXT,
        "version-clause": BASIS,
        "areas-clause": TEXT,
        "labels": named(TEXT, "Labels in its print, and the bets that they mean."),
        "labels-clause": TEXT,
        "chinese": TEXT,
        "verified": FLAG,
        "readings": TEXTS,
        "notice": table({"says": TEXT, **_OWN_BASIS}, ("says", "clause")),
        "print": list_of(
            table({"bet": TEXT, "when": WHEN, "odds": ODDS, **_OWN_BASIS}, ("bet", "when", "odds", "clause"))
        ),
    }
    return table(keys, ("clause", "pays", "positions"), more={"dependencies": {"version": ["version-clause"]}})


def _insurance() -> Schema:
    totals = numbers(range(10))
    texts = dict.fromkeys(("clause", "defined", "original", "windows", "table"), TEXT)
    row = {"stage": one_of(STAGES), "hand": one_of(HANDS), "own": totals, "opposite": totals, "odds": ODDS}
    needed: dict[str, Schema] = {
        **texts,
        "live": BASIS,
        "cap": table({"on": one_of(CAPS), "over": one_of(SPANS), **_OWN_BASIS}, ("on", "over", "clause")),
        "tie": BASIS,
        "won": BASIS,
        "row": list_of(table({**row, "tie-pays": BASIS, **_OWN_BASIS}, (*row, "clause"))),
    }
    cap_at = table(
        {"odds": ODDS, "share": _SHARE, "of": one_of(LIMITS), **_OWN_BASIS}, ("odds", "share", "of", "clause")
    )
    keys = {**needed, "cap-at": list_of(cap_at), "notes": TEXTS, **_points("insurance")}
    return table(keys, (*needed, "lapses"), "Left out where the game has none.")


def _points(section: str) -> dict[str, Schema]:
    return {name: _point(allowed) for name, allowed in POINTS[section].items()}


def _point(allowed: tuple[str, ...]) -> Schema:
    """A question on which books differ: what holds, who decides it, and what it rests on."""
    value: Schema = one_or_list(one_of(allowed))
    if allowed is WHOLE:
        value = {"type": "integer", "minimum": 1}
    elif allowed is AMOUNT:
        value = {"type": "string", "pattern": r"^\d{1,9}(\.\d{1,4})?$"}
    elif allowed in (ANY, BETS):
        value = TEXTS
    keys = {"value": value, "by": TEXT, "reason": FLAG, **_OWN_BASIS}
    return table(keys, ("value",), more=either("clause", "readings"))


def _authority() -> Schema:
    ranks: Schema = {"type": "array", "minItems": 2, "items": list_of({"type": "string"})}
    keys: dict[str, Schema] = {
        "ranks": {**ranks, "description": "Tiers, the lowest first, which has the dealer."},
        "house-ranks": named(TEXT, "By clause, the rank that speaks for the house."),
        **_points("authority"),
    }
    return table(keys, ("ranks", "residual"))


def _policy() -> Schema:
    keys = {"value": TEXT, "choices": TEXTS, "reading": TEXT, "clause": TEXT}
    return table(keys, ("value", "choices", "reading"))


def _offer() -> Schema:
    choice = table({"do": one_of(CHOICES), "when": GUARDED, "clause": TEXT}, ("do",))
    keys = {
        **_OWN_BASIS,
        "scope": one_of(SCOPES),
        "bound": TEXT,
        "divided": TEXT,
        "choices": list_of(choice),
        "all-back": STEPS,
    }
    return table(keys, ("clause", "scope", "choices"))


def _irregularity() -> Schema:
    meanings = [FACTS[fact].meaning for fact in IN_BOOKS]
    fact: Schema = {**one_of(IN_BOOKS), "x-taplo": {"docs": {"enumValues": meanings}}}
    return table({"fact": fact, "when": GUARDED, "do": STEPS, **_OWN_BASIS}, ("fact", "do", "clause"))


def _expected() -> Schema:
    figure: Schema = {"type": "string", "pattern": "^-?[0-9]*[.]?[0-9]+ *%?$"}
    decks = numbers(range(1, MOST_DECKS + 1))
    keys = {"bet": TEXT, "layout": TEXT, "decks": decks, **dict.fromkeys(EXPECTED, figure), "source": TEXT}
    return table(keys, ("bet", "decks"), more=either(*EXPECTED))


# What is named in several places


def _definitions() -> dict[str, Schema]:
    return {
        "texts": one_or_list(TEXT),
        "basis": {"anyOf": [TEXTS, table(_OWN_BASIS, ("clause",))], "description": "The clauses it rests on."},
        "odds": {"type": "string", "pattern": "^([0-9]+[.]?[0-9]*|[.][0-9]+):[0-9]*[1-9][0-9]*$"},
        "when": {
            "anyOf": [one_of([OTHERWISE]), {"allOf": [{"$ref": "#/definitions/pattern"}, {"minProperties": 1}]}],
            "description": "Which coups are meant.",
        },
        "pattern": pattern(),
        "cards": card_test(),
        "guards": table({name: _guard(guard.values, guard.meaning) for name, guard in GUARDS.items()}),
        "steps": list_of({"$ref": "#/definitions/step"}, "What is done, in order."),
        "step": _step(),
    }


def _guard(values: tuple[str, ...], meaning: str) -> Schema:
    bare = [value == "true" for value in values if value in ("true", "false")]
    return {**one_or_list({"enum": [*values, *bare]}), "description": meaning}


def _step() -> Schema:
    alone = [verb for verb in VERBS if verb not in NEEDS_OBJECT]
    modifiers: dict[str, Schema] = {"by": TEXT, "reason": FLAG, "when": GUARDED, "clause": TEXT}
    further = dict.fromkeys(("else", "then", "all-back"), STEPS)
    verbs = {verb: _object(verb, objects) for verb, objects in VERBS.items()}
    one_verb = [{"required": [verb]} for verb in VERBS]
    return {"anyOf": [one_of(alone), table({**verbs, **modifiers, **further}, more={"oneOf": one_verb})]}


def _object(verb: str, objects: tuple[str, ...]) -> Schema:
    if objects is WHOLE:
        return {"type": "integer"}
    bare = [] if verb in NEEDS_OBJECT else [True]
    if objects is ANY:
        return {"anyOf": [TEXT, *({"enum": bare} for _ in bare)]}
    return {"enum": [*objects, *bare]}
