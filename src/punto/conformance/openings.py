"""Ways to open a table of a book, each once: those that it refuses one after the other, the others with a round."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec

from punto.amounts import MOST
from punto.explore.alphabet import ANN
from punto.explore.starts import FOUR_CARDS, NATURAL, SEATED, THREE_BETS, openings
from punto.rulebook import Book, Library, Refused
from punto.table import AUTOMATION, act, read_command
from punto.table import commands as c

Json = dict[str, Any]

_ROUND = (
    *SEATED,
    *THREE_BETS,
    c.Place(ANN, "tie", 2500, by=ANN),
    c.CloseBets(),
    *FOUR_CARDS,
    *NATURAL,
    c.OpenBets(),
    c.CashOut(ANN, by=ANN),
    c.CloseTable(),
)
_LIMITS: tuple[Json, ...] = (
    {},
    {"minimum": 0},
    {"minimum": -1},
    {"maximum": 0},
    {"differential": 0},
    {"unit": 0},
    {"unit": -1},
    {"unit": 1000, "minimum": 1000},
    {"unit": 3000},
    {"unit": 100, "maximum": 1500},
    {"minimum": 100, "minimums": {}, "unit": 100, "maximum": 1500},
    {"minimum": 5, "unit": 5},
    {"minimum": 30, "unit": 30},
    {"minimum": 20_000, "unit": 200},
    {"maximum": 9000, "payout": 4000},
    {"payout": 0},
    {"minimum": 1001, "maximum": 1000},
    {"minimum": 1000, "maximum": 1000},
    {"maximum": MOST},
    {"maximum": MOST + 1},
    {"rounding": "up"},
    {"rounding": "down"},
    {"rounding": "nearest"},
    {"minimum": 1000, "minimums": {"tie": 1500}},
    {"maximum": 9000, "maximums": {"tie": 1200}},
    {"minimums": {"tie": 0}},
    {"maximums": {"tie": 0}},
    {"minimums": {"tie": 1500}, "maximums": {"tie": 1000}},
    {"minimum": 1000, "maximums": {"tie": 500}},
    {"minimums": {"nothing": 100}},
    {"maximums": {"nothing": 100}},
)
_COUNTS = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 100)


def opening_stories(book: Book, library: Library) -> Iterator[tuple[Json, ...]]:
    """Every opening that is accepted with a round played after it, and one story of those that are refused."""
    refused: list[Json] = []
    for usual in openings(book):
        opening: Json = msgspec.to_builtins(usual.command)
        for change in _changes(book, opening["limits"]):
            asked = {**opening, **change}
            try:
                act(None, read_command(asked), library)
            except Refused:
                refused.append(asked)
            else:
                yield asked, *msgspec.to_builtins(_ROUND)
        yield *refused, opening
        refused.clear()


def _changes(book: Book, limits: Json) -> Iterator[Json]:
    """What may be otherwise about an opening, one thing at a time; limits alone, and beside the usual ones."""
    yield from ({"limits": each} for each in _LIMITS)
    yield from ({"limits": {**limits, **each}} for each in _LIMITS[1:])
    yield from ({"decks": each} for each in _COUNTS)
    yield from ({"positions": each} for each in _COUNTS)
    yield from ({"layout": each, "acknowledged": told} for each in ("", "Q", *book.layouts) for told in (True, False))
    yield from ({"currency": each} for each in ("VND", "JPY", "US1", "dollars", ""))
    yield from ({"shoe": each} for each in ("hand", "read", "virtual", "nothing"))
    yield from ({"method": each, "face-down": down} for each in ("A", "B", "C", "D", None) for down in (True, False))
    yield from (
        {"method": "C", "shoe": each, "high-limit": high} for each in ("hand", "read") for high in (True, False)
    )
    yield from ({each: True} for each in ("private", "high-limit", "face-down", "acknowledged"))
    yield {"counter-clockwise": False}
    yield from ({"auto": each} for each in (*((word,) for word in AUTOMATION), AUTOMATION, ("nothing",)))
    ranks = [rank for tier in book.ranks for rank in tier]
    yield from ({"by": each} for each in (*ranks, "nobody"))
    for clause in (*book.house_ranks, "no clause"):
        yield from ({"house-ranks": {clause: rank}} for rank in (*ranks, "nobody"))
    begins = book.effective
    for at in (begins, begins - timedelta(seconds=1), begins.replace(tzinfo=None)):
        yield {"at": at.isoformat()}
    yield {"at": "yesterday"}
