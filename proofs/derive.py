"""Which changes break which clauses.

A change of a book is derived from the book itself: whatever stands beside a clause in its file is altered to something
else that a book may say. Clauses and readings are never altered, so nothing fails merely because another number is
cited. What no book can say otherwise (the Table of Play, what a card counts) is a line of the engine, and the change of
that line is stated in `changes.toml`.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from punto.rulebook import clauses, ids, printed, vocabulary

from changes import BookChange, Edit, EngineChange, Place, found_at, tree

STATED = Path(__file__).parent / "changes.toml"

_NOT_RULES = frozenset(
    (
        *("clause", "readings", "reading", "choices", "name", "title", "operator", "approver", "version"),
        *("verified", "says", "id", "file", "silent", "terms", "fact", "bet"),
    )
)
"""Keys that say nothing about what happens."""
_ROWS_OF_BET = ("defined", "wins", "loses")
_TABLE_OF_COVER = ("clause", "defined", "table", "notes", "windows", "tie")
_OFFERED = ("clause", "area", "offered")
_ELSEWHERE = ("bets", "cards", "drawing", "policy")
"""Sections whose clauses are about something that stands elsewhere."""


_MOST = 5
"""So many other values are tried at one place."""


# Where a book names a clause


def references(book: str) -> Iterator[tuple[Place, str]]:
    """Every place of a book's file that names a clause of its index, with the clause."""
    for at, value in _leaves(tree(book)):
        if isinstance(value, str) and value in clauses(book) and at[-1] != "version":
            yield at, value
    for clause in tree(book).get("authority", {}).get("house-ranks", {}):
        yield ("authority", "house-ranks", clause), clause


@cache
def _naming(book: str) -> frozenset[Place]:
    """The places where a clause is named instead of something said."""
    return frozenset(at for at, _ in references(book) if "house-ranks" not in at)


def _leaves(thing: Any, here: Place = ()) -> Iterator[tuple[Place, Any]]:
    parts = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else None
    if parts is None:
        yield here, thing
        return
    for key, value in parts:
        yield from _leaves(value, (*here, key))


# What can be altered there


def derived(book: str) -> list[tuple[BookChange, set[str]]]:
    """Changes of a book, and which clauses each would break: those that stand beside what is altered."""
    found: dict[str, tuple[BookChange, set[str]]] = {}
    named = sorted(references(book), key=lambda each: _distance(book, each[0]))
    breaking = [(edits, clause) for at, clause in named for edits in alterations(book, at)]
    for place in _by_hand()["place"]:
        if place["book"] == book:
            breaking += [(edits, each) for each in place["clauses"] for edits in _within(book, tuple(place["at"]))]
    for edits, clause in breaking:
        change = BookChange(book, edits)
        found.setdefault(change.key(), (change, set()))[1].update(_with_printed(book, clause))
    return list(found.values())


def _distance(book: str, at: Place) -> tuple[bool, bool, int]:
    """How far a place is from being about its clause alone: the more clauses stand there, the farther.

    What a ruling may change is only a reading of the clause, so it comes last; before it come cases of an irregularity
    in which nothing is done.
    """
    beside = found_at(tree(book), at[:-1]) if isinstance(at[-1], int) else ()
    nothing_done = at[0] == "irregularity" and found_at(tree(book), at[:2])["do"] == ["note"]
    return at[0] == "policy", nothing_done, len(beside)


@cache
def _by_hand() -> dict[str, list[dict[str, Any]]]:
    """The changes that are stated by hand."""
    return tomllib.loads(STATED.read_text(encoding="utf-8"))


def _with_printed(book: str, clause: str) -> set[str]:
    """A row of a printed clause, and the clause itself."""
    return {each for each in (clause, printed(clause)) if each in clauses(book)}


def alterations(book: str, at: Place) -> Iterator[tuple[Edit, ...]]:
    """What can be altered so that the clause named at a place no longer holds."""
    yield from _rewritten(tree(book), at)
    for site in _sites(tree(book), at):
        yield from _within(book, site)
    if at[0] == "pays":
        yield from _carried(tree(book), str(at[1]))


def _rewritten(whole: dict[str, Any], at: Place) -> Iterator[tuple[Edit, ...]]:
    """Alterations of more than what stands beside the clause: a bet less, a layout more, labels exchanged."""
    section = at[0]
    if section == "bets" and at[2] in _OFFERED:
        yield _without_bet(whole, str(at[1]))
    elif section == "menu-clause":
        yield from (_without_bet(whole, bet) for bet in whole["bets"])
    elif section == "layouts-clause":
        yield (Edit(("layouts", "Z"), next(iter(whole["layouts"].values()))),)
    elif section == "layouts" and at[-1] == "labels-clause":
        labels = whole["layouts"][at[1]]["labels"]
        yield (Edit((*at[:2], "labels"), dict(zip(labels, reversed(labels.values()), strict=True))),)
    elif section == "policy":
        yield from ((Edit((*at[:2], "value"), other),) for other in whole["policy"][at[1]]["choices"])


def _sites(whole: dict[str, Any], at: Place) -> Iterator[Place]:
    """The parts of the file that state what the clause named at a place says."""
    section = at[0]
    if section == "bets" and at[2] in _ROWS_OF_BET:
        yield from _rows(whole, str(at[1]))
    elif section == "layouts" and at[2] == "print":
        printed_row = whole["layouts"][at[1]]["print"][at[3]]
        rows = _rows(whole, printed_row["bet"])
        yield from [row for row in rows if found_at(whole, row)["when"] == printed_row["when"]] or rows
    elif section == "front" and at[1] == "title":
        yield ("effective",)
    elif section == "authority" and at[1] == "house-ranks":
        yield at
    elif section == "authority" and at[1] == "house":
        yield from (("authority", "house-ranks", clause) for clause in whole["authority"]["house-ranks"])
    elif section == "insurance" and len(at) < 4 and at[1] in _TABLE_OF_COVER:
        yield from (("insurance", "row", number) for number in range(len(whole["insurance"]["row"])))
    else:
        yield from _beside(at)


def _beside(at: Place) -> Iterator[Place]:
    """The part of the file that a clause stands in."""
    if at[:3] == ("disputes", "references", "clause") and at[3] != 0:
        yield (
            "disputes",
            "references",
            "value",
            int(at[3]) - 1,
        )  # each value has a clause of its own
    elif "clause" in at and at[0] not in _ELSEWHERE:
        yield at[: at.index("clause")]
    elif at[0] == "offers" or at[-1] == "areas-clause":
        yield at[:-1]


def _rows(whole: dict[str, Any], bet: str) -> list[Place]:
    """Where the pay rows of a bet stand."""
    return [
        ("pays", group, number)
        for group, rows in whole["pays"].items()
        for number, row in enumerate(rows)
        if row["bet"] == bet
    ]


def _carried(whole: dict[str, Any], group: str) -> Iterator[tuple[Edit, ...]]:
    """A group of pay rows on a layout that does not carry it, or missing from one that does."""
    for name, layout in whole["layouts"].items():
        others = [each for each in layout["pays"] if each != group]
        yield (Edit(("layouts", name, "pays"), [*others, group] if others == layout["pays"] else others),)


def _without_bet(whole: dict[str, Any], bet: str) -> tuple[Edit, ...]:
    """A book without one of its bets."""
    edits = [Edit(("bets", bet), None)]
    for group, rows in whole["pays"].items():
        kept = [row for row in rows if row["bet"] != bet]
        if kept != rows:
            edits.append(Edit(("pays", group), kept or None))
            if not kept:
                edits += [
                    Edit(("layouts", name, "pays"), [each for each in layout["pays"] if each != group])
                    for name, layout in whole["layouts"].items()
                    if group in layout["pays"]
                ]
    for name, layout in whole["layouts"].items():
        if any(each["bet"] == bet for each in layout.get("print", [])):
            edits.append(
                Edit(("layouts", name, "print"), [each for each in layout["print"] if each["bet"] != bet] or None)
            )
        if bet in layout.get("labels", {}).values():
            edits.append(
                Edit(("layouts", name, "labels"), {key: each for key, each in layout["labels"].items() if each != bet})
            )
    return tuple(edits)


def _within(book: str, site: Place) -> Iterator[tuple[Edit, ...]]:
    """Every alteration of one thing in a part of the file; last of all, the part left out.

    What has a clause of its own within it is not altered: that would break the other clause.
    """
    part = found_at(tree(book), site)
    later: list[Edit] = []
    for at, value in sorted(_parts(part, site), key=lambda each: each[0][-1] != "odds"):
        if any(key in _NOT_RULES or str(key).endswith("-clause") for key in at[len(site) :]):
            continue
        if at in _naming(book):
            later.append(Edit(at, None))
            continue
        for other in islice(_others(book, at, value), _MOST):
            yield (Edit(at, other),)
        if at != site:
            later.append(Edit(at, None))
    for each in later:
        yield (each,)
    if len(site) > 1:
        yield (Edit(site, None),)


def _parts(thing: Any, here: Place) -> Iterator[tuple[Place, Any]]:
    yield here, thing
    parts = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, value in parts:
        if not (isinstance(value, dict) and "clause" in value):
            yield from _parts(value, (*here, key))


def _others(book: str, at: Place, value: Any) -> Iterator[Any]:
    """What may stand at a place instead of what stands there; whether a book can say it is for the loader to tell."""
    if isinstance(value, bool | dict):
        return
    if isinstance(value, datetime):
        yield value + timedelta(days=1)
        yield value - timedelta(days=1)
    elif isinstance(value, int):
        yield value + 1
        yield value - 1
    elif at[-1] == "do":
        own = [step for step in value if isinstance(step, dict) and "clause" in step]
        rest = [step for step in value if step not in own]
        yield from ([step, *own] for step in ("void", "stand", "continue") if rest and rest != [step])
    elif at[-1] == "odds" or at[-1] == "share":
        yield from (other for other in _said()[_kind(at)] if other != value)
    elif isinstance(value, list):
        words = vocabulary.POINTS.get(str(at[0]), {}).get(str(at[1]), ()) if at[-1] == "value" else ()
        yield from ([each for each in value if each != word] for word in value if len(value) > 1)
        yield from ([*value, word] for word in words if word not in value and word not in "*#")
    elif isinstance(value, str):
        yield from _other_words(book, at, value)


def _other_words(book: str, at: Place, value: str) -> Iterable[str]:
    """Other words that may stand at a place: in a list none twice, and one of its own where all others stand there."""
    beside = found_at(tree(book), at[:-1]) if isinstance(at[-1], int) else [value]
    others = [other for other in _words_for(book, at) if other not in beside]
    return others or ([f"other-than-{value}"] if isinstance(at[-1], int) else [])


def _words_for(book: str, at: Place) -> Iterable[str]:
    if at[-1] == "by" or at[-2:-1] == ("house-ranks",) or at[-1] in ("divided", "attend"):
        return [rank for tier in tree(book)["authority"]["ranks"] for rank in tier]
    words = vocabulary.POINTS.get(str(at[0]), {}).get(str(at[1]), ()) if at[-1] == "value" else ()
    return dict.fromkeys((*(word for word in words if word not in "*#"), *_said()[_kind(at)]))


def _kind(at: Place) -> Place:
    """What places in different rows and books have in common: their section and their last keys."""
    words = [key for key in at if isinstance(key, str)]
    if at[0] in vocabulary.POINTS and at[0] != "insurance":
        return tuple(words[:3])
    if at[0] in ("irregularity", "offers"):
        return ("step", *words[-2:]) if "when" in words else ("step", words[-1])
    return (words[0], *words[-1:])


@cache
def _said() -> Mapping[Place, list[Any]]:
    """What the five books say at each kind of place."""
    found: dict[Place, list[Any]] = defaultdict(list)
    for book in ids():
        for at, value in _leaves(tree(book)):
            if isinstance(value, str) and value not in found[_kind(at)]:
                found[_kind(at)].append(value)
    for words in found.values():
        words.sort()
    return found


# What is stated by hand


def stated(book: str) -> list[tuple[EngineChange, set[str]]]:
    """The changes of the engine, and which clauses of a book each would break.

    A change names clauses by themselves, or the keys under which the books state them: `drawing.banker-3` are the
    clauses that stand there, in every book.
    """
    named: dict[str, set[str]] = defaultdict(set)
    for at, clause in references(book):
        for length in range(1, len(at) + 1):
            named[".".join(map(str, at[:length]))] |= _with_printed(book, clause)
    found = []
    for each in _by_hand()["engine"]:
        breaks = set(each.get("clauses", {}).get(book, ()))
        for key in each.get("keys", ()):
            breaks |= named[key]
        found.append((EngineChange(each["name"], each["module"], each["before"], each["after"]), breaks))
    return found
