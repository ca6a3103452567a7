"""Provisos: a record that must be as somebody has read it when what they decided by it is committed."""

from collections.abc import Callable, Iterable

import msgspec
from sqlalchemy import Connection, text

_ON_SQLITE = text("SELECT name, body FROM records WHERE kind = :kind AND name IN (SELECT value FROM json_each(:names))")
_ON_POSTGRESQL = text("SELECT name, body FROM records WHERE kind = :kind AND name = ANY(:names)")


class Proviso(msgspec.Struct, frozen=True):
    """A record of the store, and whether it is still as it was when something was decided by it; None if it is gone."""

    kind: str
    name: str
    holds: Callable[[str | None], bool]


def broken(connection: Connection, provisos: Iterable[Proviso | None], *, sqlite: bool) -> list[bool]:
    """Which of these provisos do not hold now, one look at the store for each kind of record."""
    asked = list(provisos)
    names: dict[str, set[str]] = {}
    for each in asked:
        if each is not None:
            names.setdefault(each.kind, set()).add(each.name)
    bodies: dict[tuple[str, str], str] = {}
    for kind, wanted in names.items():
        listed = sorted(wanted)
        given = {"kind": kind, "names": msgspec.json.encode(listed).decode() if sqlite else listed}
        for name, body in connection.execute(_ON_SQLITE if sqlite else _ON_POSTGRESQL, given):
            bodies[kind, name] = body
    return [each is not None and not each.holds(bodies.get((each.kind, each.name))) for each in asked]
