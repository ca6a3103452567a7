"""Files that begin with a base: what a file says replaces or adds to what its base says, key by key."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from punto.messages import Sentence, say
from punto.rulebook.bookfile import BadBook, BookFile
from punto.rulebook.changes import path_of
from punto.rulebook.lines import Path
from punto.rulebook.nearest import meant, nearest
from punto.rulebook.shipped import games, ids, shipped_text
from punto.rulebook.toml_writer import write_toml

BASE = "base"
REMOVE = "remove"
OWN = ("id", "title", "operator", "approver", "version", "effective")
"""What says which book it is and who stands for it: no file has this from its base."""

ITS_OWN = (*OWN, "titles", "expect")
"""No file has these from its base; expected figures are of one game alone, and titles go with a title."""

_INSTEAD: Mapping[Path, tuple[tuple[str, tuple[str, ...]], ...]] = {
    ("decks",): (("counts", ("min", "max")), ("min", ("counts",)), ("max", ("counts",))),
}
"""Keys of a table that say the same in another way: a file that has one says it instead of its base."""
_OWN_FIRST: tuple[Path, ...] = (("layouts",),)
"""Tables in which what a file has goes before what its base has: the first layout is the usual one."""


def resolved(document: BookFile, data: dict[str, Any], source: bytes) -> tuple[dict[str, Any], bytes]:
    """What a file says as a whole, and the text of that whole; of a file without a base what it is itself.

    Faults are noted in the document, which learns what comes from the base. A base that is not there ends the reading.
    """
    _check_spelling(document, data)
    if BASE not in data:
        _check_no_base(document, data)
    if BASE not in data and REMOVE not in data:
        return data, source
    base = _base(document, data.get(BASE))
    for at, each in enumerate(_names(document, data.get(REMOVE, []))):
        if _take_away(base, path_of(each)):
            document.removed[tuple(path_of(each))] = (REMOVE, at)
        else:
            document.tell((REMOVE, at), _nothing_to_remove(base, each))
    own = {key: value for key, value in data.items() if key not in (BASE, REMOVE)}
    inherited: set[Path] = set()
    head = {key: own[key] for key in OWN if key in own}
    whole = {**head, **_merged(base, own, (), inherited)}
    document.inherited = frozenset(inherited)
    return whole, write_toml(whole).encode()


_FEW = 6
"""So many things are named where none is near."""

_NEVER_LEFT_OUT = ("cards", "drawing", "authority")
"""Sections that every file without a base has."""

_OF_A_GAME = ("bets", "pays", "layouts")


def _check_no_base(document: BookFile, data: dict[str, Any]) -> None:
    """Refuse a file that was meant to have a base: all that it does not say would be told as missing."""
    if REMOVE in data or (any(key in data for key in _OF_A_GAME) and not any(key in data for key in _NEVER_LEFT_OUT)):
        says = say(
            "base-missing",
            "is missing: write {example} to begin with classic punto banco, or {sections:and} of the file's own.",
            example='base = "punto-banco"',
            sections=[f"[{each}]" for each in _NEVER_LEFT_OUT],
        )
        document.fault((BASE,), says)
        raise BadBook(document.faults)


def _check_spelling(document: BookFile, data: dict[str, Any]) -> None:
    """Refuse a misspelt `base` or `remove`, without which the rest of the file cannot be judged."""
    known = (*ids(), *games())
    for key, value in data.items():
        named = isinstance(value, str) and value in known
        word = meant(key, (BASE,)) if named else meant(key, (REMOVE,)) if isinstance(value, list) else None
        if word is not None and word not in data:
            says = say("word-misspelt", "is not a word of the format here: perhaps {word} is meant.", word=word)
            document.fault((key,), says)
            raise BadBook(document.faults)


def _nothing_to_remove(base: dict[str, Any], name: str) -> Sentence:
    bare = name.strip("[] ")
    if bare != name and _take_away(base, path_of(bare)):
        return _misspelt(name, [bare])
    above, _, last = name.rpartition(".")
    at: Any = base
    for part in path_of(above) if above else ():
        at = at.get(part) if isinstance(at, dict) else None
    there = list(map(str, at)) if isinstance(at, dict) else []
    near = nearest(last, there)
    if near:
        return _misspelt(name, [f"{above}.{each}".lstrip(".") for each in near])
    if above and there and len(there) <= _FEW:
        others = [f"{above}.{each}" for each in there]
        return say("others-to-remove", "the base has no {thing:quoted}, but {others:and}.", thing=name, others=others)
    return say("nothing-to-remove", "the base has no {thing:quoted}.", thing=name)


def _misspelt(name: str, near: list[str]) -> Sentence:
    return say("remove-misspelt", "the base has no {thing:quoted}: perhaps {near:or} is meant.", thing=name, near=near)


def _base(document: BookFile, name: object) -> dict[str, Any]:
    """What the base says, without what each file says for itself."""
    near = nearest(name, (*ids(), *games())) if isinstance(name, str) else []
    if near and name not in near:
        says = say(
            "base-misspelt", "there is no book or game {name:quoted}: perhaps {near:or} is meant.", name=name, near=near
        )
        document.fault((BASE,), says)
        raise BadBook(document.faults)
    if isinstance(name, str) and name.endswith(".toml"):
        says = say(
            "base-is-no-file",
            "cannot be a file: begin with a book or a game that comes with Punto, {books:or}, or with the text that "
            "`punto show {file} --whole` prints.",
            books=_bases(),
            file=name,
        )
        document.fault((BASE,), says)
        raise BadBook(document.faults)
    if not isinstance(name, str) or name not in (*ids(), *games()):
        document.fault(
            (BASE,),
            say(
                "no-such-base",
                "must be the id of a book or a game that comes with Punto: {books:or}.",
                books=_bases(),
            ),
        )
        raise BadBook(document.faults)
    data = tomllib.loads(shipped_text(name).decode())
    if BASE in data:
        document.fault(
            (BASE,),
            say(
                "base-of-base",
                "{game} has a base itself: begin with {base}, or with the text that `punto show {game} --whole` "
                "prints.",
                game=name,
                base=data[BASE],
            ),
        )
        raise BadBook(document.faults)
    return {key: value for key, value in data.items() if key not in ITS_OWN}


@cache
def _bases() -> list[str]:
    """What a file can begin with: the books and games that come with Punto and have no base themselves."""
    every = (*ids(), *games())
    return [name for name in every if BASE not in tomllib.loads(shipped_text(name).decode())]


def _names(document: BookFile, said: object) -> list[str]:
    if isinstance(said, list) and all(isinstance(each, str) for each in said):
        return said
    document.tell((REMOVE,), say("must-name-removed", 'must be a list of what the base loses, like ["bets.tie"].'))
    return []


def _take_away(data: dict[str, Any], path: list[str | int]) -> bool:
    """Take a thing away, if it is there."""
    at: Any = data
    for part in path[:-1]:
        at = at.get(part) if isinstance(at, dict) else None
    if not path or not isinstance(at, dict) or path[-1] not in at:
        return False
    del at[path[-1]]
    return True


def _merged(base: dict[str, Any], own: dict[str, Any], path: Path, inherited: set[Path]) -> dict[str, Any]:
    """The keys of both: tables are merged, everything else is the file's where it says it."""
    found: dict[str, Any] = {}
    instead = {key for one, others in _INSTEAD.get(path, ()) if one in own for key in others}
    for key, value in base.items():
        if key in instead and key not in own:
            continue
        if key not in own:
            found[key] = value
            inherited.update(_paths(value, (*path, key)))
        elif isinstance(value, dict) and isinstance(own[key], dict):
            found[key] = _merged(value, own[key], (*path, key), inherited)
        else:
            found[key] = own[key]
    if path in _OWN_FIRST:
        return {**{key: found.get(key, value) for key, value in own.items()}, **found}
    return {**found, **{key: value for key, value in own.items() if key not in base}}


def _paths(value: object, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _paths(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _paths(each, (*path, at))
