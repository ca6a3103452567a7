"""Rulebooks as data: the model, the loader, the five books, their clauses and differences."""

from punto.kinds import guard, takes_text
from punto.rulebook.admission import (
    Step,
    check_box,
    check_currency,
    check_day,
    check_decks,
    check_layout,
    check_positions,
    stated,
    step,
)
from punto.rulebook.bookfile import BadBook, Fault
from punto.rulebook.card_model import PrintedCard
from punto.rulebook.clauses import (
    STATUSES,
    BadIndex,
    Clause,
    cite,
    clauses,
    index_for,
    printed,
    readings,
    record,
    recording,
    share,
    status,
    tests,
    trace,
)
from punto.rulebook.library import SHIPPED, BadFolder, Library, texts_in
from punto.rulebook.loader import UnknownBook, load, parse, source, whole
from punto.rulebook.menu import EVERY_LAYOUT, Menu, Priced, Verdict, menu, whole_menu
from punto.rulebook.model import Basis, Bet, Book, CoverRow, Insurance, Layout, Point, Row
from punto.rulebook.patterns import Pattern
from punto.rulebook.prices import Odds
from punto.rulebook.printed_card import deal_by
from punto.rulebook.proofs import ClauseProof, proofs
from punto.rulebook.refusal import Refused
from punto.rulebook.shipped import games, ids
from punto.rulebook.standing import established, standing

__all__ = [
    "EVERY_LAYOUT",
    "SHIPPED",
    "STATUSES",
    "BadBook",
    "BadFolder",
    "BadIndex",
    "Basis",
    "Bet",
    "Book",
    "Clause",
    "ClauseProof",
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
    "PrintedCard",
    "Refused",
    "Row",
    "Step",
    "UnknownBook",
    "Verdict",
    "check_box",
    "check_currency",
    "check_day",
    "check_decks",
    "check_layout",
    "check_positions",
    "cite",
    "clauses",
    "deal_by",
    "established",
    "games",
    "ids",
    "index_for",
    "load",
    "menu",
    "parse",
    "printed",
    "proofs",
    "readings",
    "record",
    "recording",
    "share",
    "source",
    "standing",
    "stated",
    "status",
    "step",
    "tests",
    "texts_in",
    "trace",
    "whole",
    "whole_menu",
]

takes_text(Book, load)
guard(globals())
