"""The live table: immutable state, commands in, events out. No clock, no randomness and no storage in here."""

from punto.kinds import guard
from punto.table import commands, events
from punto.table.codec import COMMANDS, EVENTS, decode_command, decode_event, encode, read_command
from punto.table.decide import act, can, decide, why_not
from punto.table.evolve import evolve, fold
from punto.table.legal import Choice, Legal, Range, legal_commands, listed, why_none
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
from punto.table.turn import ENGINE
from punto.table.visible import PUBLIC, STAFF, Viewer, viewer_at, visible

__all__ = [
    "AUTOMATION",
    "COMMANDS",
    "ENGINE",
    "EVENTS",
    "PUBLIC",
    "STAFF",
    "Choice",
    "Legal",
    "Patron",
    "Placed",
    "Question",
    "Range",
    "Round",
    "Setup",
    "Shoe",
    "Table",
    "Viewer",
    "act",
    "can",
    "commands",
    "decide",
    "decode_command",
    "decode_event",
    "encode",
    "events",
    "evolve",
    "fold",
    "legal_commands",
    "listed",
    "read_command",
    "viewer_at",
    "visible",
    "why_none",
    "why_not",
]

guard(globals())
