"""Supplements: what a later release demands of a book and an edition that an earlier release shipped does not say.

A journal keeps the very text of the book that a table was opened by. It is read for ever, so what the loader has come
to demand since then is supplied here, as the earlier release decided it. The digest stays that of the text.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _supplements() -> dict[str, dict[str, Any]]:
    """Supplements by the digest of the edition that they belong to."""
    return tomllib.loads((files("punto.rulebook") / "supplements.toml").read_text(encoding="utf-8"))


def with_supplement(data: dict[str, Any], digest: str) -> dict[str, Any]:
    """What a book says, with what its edition has to be supplied with; what it says itself goes first.

    >>> with_supplement({"id": "my-game"}, "0" * 64)
    {'id': 'my-game'}
    """
    supplement = _supplements().get(digest)
    return data if supplement is None else _filled_in(data, supplement)


def _filled_in(data: dict[str, Any], supplement: dict[str, Any]) -> dict[str, Any]:
    """The keys of both, at any depth."""
    filled = dict(data)
    for key, value in supplement.items():
        if key not in data:
            filled[key] = value
        elif isinstance(value, dict) and isinstance(data[key], dict):
            filled[key] = _filled_in(data[key], value)
    return filled
