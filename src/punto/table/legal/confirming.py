"""From a candidate to what the table confirms of it: entries of which every combination would be accepted."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from punto.rulebook import Refused
from punto.table import commands as c
from punto.table.decide import why_not
from punto.table.legal.entry import Legal
from punto.table.legal.fields import Choice, Field, Range, Unseen
from punto.table.state import Table

_ANY_FACE = "2c"
"""Stands in for unseen faces when the table is asked: what they are does not decide whether they may be opened."""

Values = dict[str, Any]


class Amounts(msgspec.Struct, frozen=True):
    """Amounts of which the table is asked which it accepts: on steps from `start` to `most`.

    `near` are amounts at which the answer may change; where it does is found between them.
    """

    start: int
    most: int
    step: int
    near: tuple[int, ...] = ()


class Candidate(msgspec.Struct, frozen=True):
    """Commands of one kind that might be accepted.

    The table is asked about every combination of choices. Fields named in `apart` have nothing to do with the others:
    each of their values is asked about once.
    """

    kind: type[c.Command]
    fields: Mapping[str, Field | Amounts] = {}
    apart: tuple[str, ...] = ()


class _Parts(msgspec.Struct, frozen=True):
    """The fields of a candidate by how the table is asked about them."""

    choices: dict[str, tuple[Any, ...]]
    """Asked about in every combination."""
    first: Values
    """One value of each other field, which stands for all of it."""
    amounts: tuple[str, Amounts] | None


def _parts(candidate: Candidate) -> _Parts:
    choices, first, amounts = {}, {}, None
    for name, field in candidate.fields.items():
        if isinstance(field, Amounts):
            amounts = name, field
        elif isinstance(field, Choice) and name not in candidate.apart:
            choices[name] = field.options
        else:
            first[name] = (_ANY_FACE,) * field.cards if isinstance(field, Unseen) else next(field.values())
    return _Parts(choices, first, amounts)


class Asking:
    """Somebody who asks a table what it would accept from them."""

    def __init__(self, table: Table, who: str) -> None:
        self.table, self.who = table, who

    def why_not(self, kind: type[c.Command], values: Values) -> Refused | None:
        """The refusal of a command, or None."""
        return why_not(self.table, kind(by=self.who, **values))

    def accepts(self, kind: type[c.Command], values: Values) -> bool:
        """Whether a command would be accepted."""
        return self.why_not(kind, values) is None


def confirmed(asking: Asking, candidate: Candidate) -> Iterator[Legal]:
    """What the table confirms of a candidate; dependent fields are split into several entries."""
    parts = _parts(candidate)
    found: dict[tuple[Range | None, ...], set[tuple[Any, ...]]] = {}
    for combination in product(*parts.choices.values()):
        base = {**dict(zip(parts.choices, combination, strict=True)), **parts.first}
        ranges = _accepted(asking, candidate.kind, base, parts.amounts)
        if ranges:
            found.setdefault(ranges, set()).add(combination)
    for ranges, combinations in found.items():
        for chosen in _products(tuple(parts.choices.values()), combinations):
            fields: dict[str, Field] = {
                name: Choice(values) for name, values in zip(parts.choices, chosen, strict=True)
            }
            for each in ranges:
                if parts.amounts is not None and each is not None:
                    fields[parts.amounts[0]] = each
                yield Legal(candidate.kind, asking.who, _narrowed(asking, candidate, fields, parts.first))


def refusals(asking: Asking, candidate: Candidate) -> Iterator[Refused | None]:
    """What the table says to each combination of a candidate: a refusal, or None."""
    parts = _parts(candidate)
    for combination in product(*parts.choices.values()):
        base = {**dict(zip(parts.choices, combination, strict=True)), **parts.first}
        if parts.amounts is None:
            yield asking.why_not(candidate.kind, base)
            continue
        name, amounts = parts.amounts
        for at in _indexes(amounts):
            yield asking.why_not(candidate.kind, {**base, name: amounts.start + at * amounts.step})


def _accepted(
    asking: Asking, kind: type[c.Command], base: Values, amounts: tuple[str, Amounts] | None
) -> tuple[Range | None, ...]:
    """The ranges of amounts that are accepted; without an amount, one None if the command is; nothing if not."""
    if amounts is None:
        return (None,) if asking.accepts(kind, base) else ()
    name, given = amounts
    return tuple(_ranges(given, lambda amount: asking.accepts(kind, {**base, name: amount})))


def _narrowed(asking: Asking, candidate: Candidate, fields: Mapping[str, Field], first: Values) -> dict[str, Field]:
    """All fields of an entry, with those values of independent choices that the table accepts."""
    base = {**{name: next(field.values()) for name, field in fields.items()}, **first}
    found: dict[str, Field] = {}
    for name, field in candidate.fields.items():
        if name in fields:
            found[name] = fields[name]
        elif name in candidate.apart and isinstance(field, Choice):
            accepted = (
                each
                for each in field.options
                if each is first[name] or asking.accepts(candidate.kind, {**base, name: each})
            )
            found[name] = Choice(tuple(accepted))
        elif not isinstance(field, Amounts):
            found[name] = field
    return found


# Amounts


def _indexes(amounts: Amounts) -> list[int]:
    """The steps at which the table is asked first."""
    last = (amounts.most - amounts.start) // amounts.step
    if last < 0:
        return []
    near = ((each - amounts.start) // amounts.step for each in amounts.near)
    return sorted({0, last, *(min(max(at, 0), last) for at in near)})


def _ranges(amounts: Amounts, accepts: Callable[[int], bool]) -> Iterator[Range]:
    """The stretches of accepted amounts. Between two steps with the same answer it is taken not to change."""

    def at(index: int) -> int:
        return amounts.start + index * amounts.step

    begun: int | None = None
    before: tuple[int, bool] | None = None
    for index in _indexes(amounts):
        answer = accepts(at(index))
        turn = index if before is None or before[1] == answer else _turning(before[0], index, before[1], accepts, at)
        if answer and begun is None:
            begun = turn
        elif not answer and begun is not None:
            yield Range(at(begun), at(turn - 1), amounts.step)
            begun = None
        before = index, answer
    if begun is not None and before is not None:
        yield Range(at(begun), at(before[0]), amounts.step)


def _turning(low: int, high: int, answer: bool, accepts: Callable[[int], bool], at: Callable[[int], int]) -> int:
    """The first step between two with different answers that has the answer of the later one."""
    while high - low > 1:
        middle = (low + high) // 2
        if accepts(at(middle)) == answer:
            low = middle
        else:
            high = middle
    return high


# Combinations


def merged(entries: list[Legal], names: tuple[str, ...]) -> Iterator[Legal]:
    """Entries that differ in one of the named choices alone, as one."""
    for name in names:
        alike: dict[Any, list[Legal]] = {}
        for entry in entries:
            rest = tuple(field for other, field in entry.fields.items() if other != name)
            alike.setdefault((entry.kind, rest), []).append(entry)
        entries = [_joined(group, name) for group in alike.values()]
    yield from entries


def _joined(entries: list[Legal], name: str) -> Legal:
    options = tuple(dict.fromkeys(value for entry in entries for value in entry.fields[name].values()))
    return Legal(entries[0].kind, entries[0].by, {**entries[0].fields, name: Choice(options)})


def _products(options: tuple[tuple[Any, ...], ...], accepted: set[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Accepted combinations as products of independent choices, which do not overlap.

    >>> list(_products(((1, 2, 3), ("a", "b")), {(1, "a"), (1, "b"), (2, "a"), (2, "b"), (3, "b")}))
    [((1, 2), ('a', 'b')), ((3,), ('b',))]
    """
    if not options:
        if accepted:
            yield ()
        return
    alike: dict[frozenset[tuple[Any, ...]], list[Any]] = {}
    for value in options[0]:
        rest = frozenset(each[1:] for each in accepted if each[0] == value and type(each[0]) is type(value))
        if rest:
            alike.setdefault(rest, []).append(value)
    for rest, values in alike.items():
        for others in _products(options[1:], set(rest)):
            yield (tuple(values), *others)
