"""Recorded shoes as plain text: `load` and `dump` mirror each other, and nothing here judges a bet."""

from punto.history.files import read, write
from punto.history.reader import BadHistory, Fault, load
from punto.history.tokens import DIGITS, amount, show_amount
from punto.history.values import Cover, Event, Field, History, Limit, Result, Round, Shoe, Wager
from punto.history.writer import dump

__all__ = [
    "DIGITS",
    "BadHistory",
    "Cover",
    "Event",
    "Fault",
    "Field",
    "History",
    "Limit",
    "Result",
    "Round",
    "Shoe",
    "Wager",
    "amount",
    "dump",
    "load",
    "read",
    "show_amount",
    "write",
]
