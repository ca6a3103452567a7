"""Two books at two tables, command by command: the same things must happen."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from punto.rulebook import Book, Library, Odds, Refused
from punto.table import Table, act
from punto.table import commands as c
from punto.table import events as e

_NOT_COMPARED = frozenset(("basis", "message", "says", "row", "digest"))
"""What an event says only in words, or by the place of a row in its file."""

_IN_ANY_ORDER = frozenset(("choices",))


class Reaction(msgspec.Struct, frozen=True):
    """What became of a command: the table after it, and its events, or its refusal."""

    table: Table | None
    events: tuple[e.Event, ...] = ()
    refused: Refused | None = None

    @property
    def happened(self) -> Any:
        """What can be compared with another book's; None for a refusal."""
        return None if self.refused is not None else [_seen(each) for each in self.events]


class Pair(msgspec.Struct, frozen=True):
    """Two books under the same names, each in a library of its own."""

    a: Library
    b: Library

    @classmethod
    def of(cls, a: Book, b: Book) -> "Pair":
        """A pair of two books with one id."""
        return cls(Library().with_book(a), Library().with_book(b))


class Tables(msgspec.Struct, frozen=True):
    """The tables of two books after the same commands."""

    a: Table | None = None
    b: Table | None = None


class Both(msgspec.Struct, frozen=True):
    """What became of one command at two tables."""

    a: Reaction
    b: Reaction

    @property
    def alike(self) -> bool:
        """Whether the same happened, or both refused it."""
        if self.a.refused is None and self.b.refused is None and self.a.events == self.b.events:
            return True
        return bool(self.a.happened == self.b.happened)

    @property
    def tables(self) -> Tables:
        """Both tables afterwards."""
        return Tables(self.a.table, self.b.table)


def give(pair: Pair, tables: Tables, command: c.Command) -> Both:
    """Give a command at both tables."""
    return Both(answered(tables.a, command, pair.a), answered(tables.b, command, pair.b))


def answered(table: Table | None, command: c.Command, library: Library) -> Reaction:
    """What becomes of a command at one table."""
    try:
        return Reaction(*act(table, command, library))
    except Refused as refused:
        return Reaction(table, refused=refused)


def together(pair: Pair, story: Sequence[c.Command]) -> Iterator[tuple[c.Command, Both]]:
    """Play a story at both tables, up to the first command at which they part."""
    tables = Tables()
    for command in story:
        both = give(pair, tables, command)
        yield command, both
        if not both.alike:
            return
        tables = both.tables


def parts_at(pair: Pair, story: Sequence[c.Command]) -> int | None:
    """The place in a story at which two books part, or None."""
    for at, (_, both) in enumerate(together(pair, story)):
        if not both.alike:
            return at
    return None


def shortened(pair: Pair, story: tuple[c.Command, ...]) -> tuple[c.Command, ...]:
    """A story in which nothing can be left out if the books are still to part at its end."""
    before: tuple[c.Command, ...] = ()
    story = _accepted(pair, story)
    while story != before:
        before = story
        story = _with_less(pair, story)
    return story


def _accepted(pair: Pair, story: tuple[c.Command, ...]) -> tuple[c.Command, ...]:
    """A story without what both books refuse: that changes nothing at either table."""
    return tuple(command for command, both in together(pair, story) if both.a.refused is None or not both.alike)


def _with_less(pair: Pair, story: tuple[c.Command, ...]) -> tuple[c.Command, ...]:
    """A story from which every command was tried to be left out, the last ones first."""
    at = len(story) - 2
    while at >= 0:
        shorter = story[:at] + story[at + 1 :]
        parted = parts_at(pair, shorter)
        if parted is not None:
            story = _accepted(pair, shorter[: parted + 1])
            at = min(at, len(story) - 1)
        at -= 1
    return story


def _seen(event: e.Event) -> Any:
    """An event as it is compared; of a complaint the answer is all there is."""
    told = _plain(msgspec.to_builtins(event))
    if isinstance(event, e.ComplaintAnswered) and event.message is not None:
        told["answer"] = event.message.id
    return told


def _plain(value: Any) -> Any:
    """An event without words; odds as numbers."""
    if isinstance(value, dict):
        return {key: _valued(key, each) for key, each in value.items() if key not in _NOT_COMPARED}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _valued(key: str, value: Any) -> Any:
    if key == "odds" and isinstance(value, str):
        return Odds.of(value).fraction
    return sorted(value) if key in _IN_ANY_ORDER else _plain(value)
