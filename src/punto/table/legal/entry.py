"""One kind of command that somebody can give, with what is open in each of its fields."""

from collections.abc import Iterator, Mapping
from math import prod
from random import Random
from typing import Any

import msgspec

from punto.table import commands as c
from punto.table.legal.fields import Field


class Legal(msgspec.Struct, frozen=True):
    """Commands that somebody can give now: of one kind, with any combination of what its fields hold.

    Fields that are not named keep their defaults. Only a command with `Unseen` faces is not ready to be decided: the
    faces of a virtual shoe are put in by whoever has it.
    """

    kind: type[c.Command]
    by: str
    fields: Mapping[str, Field] = {}

    def commands(self) -> Iterator[c.Command]:
        """Every command of the entry, made one by one: there may be very many."""
        for values in _combinations(tuple(self.fields.items())):
            yield self.kind(by=self.by, **values)

    def pick(self, chance: Random) -> c.Command:
        """Any one command of the entry."""
        return self.kind(by=self.by, **{name: field.pick(chance) for name, field in self.fields.items()})

    def count(self) -> int:
        """How many commands the entry has; free words count once."""
        return prod(field.count() for field in self.fields.values())

    def __contains__(self, command: object) -> bool:
        """Whether a command is one of the entry's."""
        if type(command) is not self.kind or command.by != self.by:
            return False
        rest = {each.name: each for each in msgspec.structs.fields(self.kind) if each.name not in self.fields}
        return all(field.holds(getattr(command, name)) for name, field in self.fields.items()) and all(
            getattr(command, name) == _default(each) for name, each in rest.items() if name != "by"
        )


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _combinations(fields: tuple[tuple[str, Field], ...]) -> Iterator[dict[str, Any]]:
    if not fields:
        yield {}
        return
    (name, field), *rest = fields
    for value in field.values():
        for others in _combinations(tuple(rest)):
            yield {name: value, **others}
