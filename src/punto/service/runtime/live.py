"""A table in memory: how far its chain is known, its last events, and who waits for more."""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Protocol

import msgspec

from punto.journal import StoredEvent, events_of
from punto.service.snapshots import Found
from punto.table import Table, decode_event, events
from punto.table.snapshot import Marks

KEPT = 512
"""How many of a table's last events stay in memory for those who follow it."""


class Said(msgspec.Struct, frozen=True):
    """An event ready to be told: its number, the event, and the message as bytes."""

    sequence: int
    event: events.Event
    message: bytes


class Follower(Protocol):
    """Something that is worked out from the events of a table, one after the other."""

    sequence: int
    """The number of the last event that was taken."""

    @staticmethod
    def begins(marks: Marks) -> int:
        """The number of the event that it begins with: what was before does not change what it works out."""

    def take(self, said: Said) -> None:
        """Take the next event."""


class Live:
    """A table in memory: how far its chain is known, and who waits for more."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.table: Table | None = None
        self.sequence = 0
        self.stale = True
        self.lock = asyncio.Lock()
        self.last: deque[Said] = deque(maxlen=KEPT)
        self.marks = Marks()
        """Where the round on the felt and the shoe in use began."""
        self.kept = 0
        """The event after which its state is kept in a good snapshot; 0 if there is none."""
        self.doubtful = False
        """Whether the last snapshot that is kept could not be used."""
        self.moved = asyncio.Event()
        self.followers: dict[type[Follower], Follower] = {}
        """What is worked out from the events, by its class; brought up to date when it is asked for."""
        self.passed: tuple[tuple[int, int, int], frozenset[str]] | None = None
        """Who has let an offer pass, and the moment that it belongs to (see `passed_offers`)."""

    def take(self, said: Said, table: Table) -> None:
        """Go one event further."""
        self.table, self.sequence = table, said.sequence
        self.marks = self.marks.after(said.sequence, said.event)
        self.last.append(said)

    def begin(self, found: Found) -> None:
        """Go on from a snapshot, with as much of the round on the felt in memory as there would be."""
        self.table, self.sequence, self.marks = found.table, found.sequence, found.marks
        self.kept, self.doubtful = found.sequence, found.doubtful
        self.last.extend(told(each for each in events_of(found.entries) if each.sequence <= found.sequence))

    def wake(self) -> None:
        """Tell everybody who waits."""
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()


def told(found: Iterable[StoredEvent]) -> tuple[Said, ...]:
    """Events of the journal as they are told to people."""
    return tuple(
        Said(each.sequence, decode_event(each.body), message_of(each.sequence, each.at, each.who, each.body))
        for each in found
    )


def message_of(sequence: int, at: str, who: str, body: bytes) -> bytes:
    """`{"sequence": …, "at": …, "who": …, "event": {…}}`."""
    head = msgspec.json.encode({"sequence": sequence, "at": at, "who": who})
    return head[:-1] + b',"event":' + body + b"}"
