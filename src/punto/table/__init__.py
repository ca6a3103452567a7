"""The live table: immutable state, commands in, events out. This room knows no time, chance or storage."""

from punto.table import commands, events
from punto.table.books import book_for, register
from punto.table.codec import COMMANDS, EVENTS, decode_command, decode_event, encode, read_command
from punto.table.decide import ENGINE, act, can, decide, why_not
from punto.table.evolve import evolve, fold
from punto.table.state import (
    AUTOMATION,
    Patron,
    Placed,
    Question,
    Round,
    Setup,
    Shoe,
    Table,
)

__all__ = [
    "AUTOMATION",
    "COMMANDS",
    "ENGINE",
    "EVENTS",
    "Patron",
    "Placed",
    "Question",
    "Round",
    "Setup",
    "Shoe",
    "Table",
    "act",
    "book_for",
    "can",
    "commands",
    "decide",
    "decode_command",
    "decode_event",
    "encode",
    "events",
    "evolve",
    "fold",
    "read_command",
    "register",
    "why_not",
]
