"""Recorded shoes as plain text: `load` and `dump` mirror each other, and nothing here judges a bet."""

from punto.history.reader import BadHistory, LineFault, load, read
from punto.history.values import (
    Field,
    History,
    Limit,
    RecordedCover,
    RecordedEvent,
    RecordedResult,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
)
from punto.history.writer import dump, write
from punto.kinds import guard

__all__ = [
    "BadHistory",
    "Field",
    "History",
    "Limit",
    "LineFault",
    "RecordedCover",
    "RecordedEvent",
    "RecordedResult",
    "RecordedRound",
    "RecordedShoe",
    "RecordedWager",
    "dump",
    "load",
    "read",
    "write",
]

guard(globals())
