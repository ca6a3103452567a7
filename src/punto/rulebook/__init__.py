"""Rulebooks as data: the model, the loader, the five books, their clauses and differences."""

from punto.rulebook.admission import (
    Step,
    check_box,
    check_day,
    check_decks,
    check_layout,
    check_positions,
    stated,
    step,
)
from punto.rulebook.clauses import (
    BadIndex,
    Clause,
    cite,
    clauses,
    index_for,
    printed,
    readings,
    record,
    recording,
    status,
    tests,
    trace,
)
from punto.rulebook.document import BadBook, Fault
from punto.rulebook.library import SHIPPED, Library
from punto.rulebook.loader import UnknownBook, ids, load, parse, source
from punto.rulebook.menu import EVERY_LAYOUT, Menu, Priced, Verdict, menu, whole_menu
from punto.rulebook.model import Basis, Bet, Book, CoverRow, Insurance, Layout, Odds, Pattern, Point, Row
from punto.rulebook.refusal import Refused
from punto.rulebook.standing import established, standing

__all__ = [
    "EVERY_LAYOUT",
    "SHIPPED",
    "BadBook",
    "BadIndex",
    "Basis",
    "Bet",
    "Book",
    "Clause",
    "CoverRow",
    "Fault",
    "Insurance",
    "Layout",
    "Library",
    "Menu",
    "Odds",
    "Pattern",
    "Point",
    "Priced",
    "Refused",
    "Row",
    "Step",
    "UnknownBook",
    "Verdict",
    "check_box",
    "check_day",
    "check_decks",
    "check_layout",
    "check_positions",
    "cite",
    "clauses",
    "established",
    "ids",
    "index_for",
    "load",
    "menu",
    "parse",
    "printed",
    "readings",
    "record",
    "recording",
    "source",
    "standing",
    "stated",
    "status",
    "step",
    "tests",
    "trace",
    "whole_menu",
]
