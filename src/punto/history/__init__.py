"""Recorded shoes as plain text: `load` and `dump` mirror each other, and nothing here judges a bet."""

from punto.history.reader import BadHistory, LineFault, load, read
from punto.history.values import Cover, Event, Field, History, Limit, Result, Round, Shoe, Wager
from punto.history.writer import dump, write

__all__ = [
    "BadHistory",
    "Cover",
    "Event",
    "Field",
    "History",
    "Limit",
    "LineFault",
    "Result",
    "Round",
    "Shoe",
    "Wager",
    "dump",
    "load",
    "read",
    "write",
]
