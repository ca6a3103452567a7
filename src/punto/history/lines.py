"""The kinds of line, each with its shape and the value it is read into.

A reader of a line gathers what is wrong with its pieces instead of stopping at the first.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from punto.coup import PAIRS, Card, card
from punto.history import tokens
from punto.history.values import Cover, Event, Field, Limit, Result, Wager

T = TypeVar("T")
Pieces = tuple[str | None, ...]


class Pen:
    """What the readers of lines share: the longest amount allowed, and the faults found so far."""

    def __init__(self, digits: int) -> None:
        self.faults: list[str] = []
        self.stake = partial(tokens.stake, digits=digits)
        self.limit = partial(tokens.limit, digits=digits)
        self.amount = partial(tokens.amount, digits=digits)

    def take(self, read: Callable[[str], T], text: str | None, instead: T) -> T:
        """Read a piece; note what is wrong with it and go on. A piece left out is `instead`."""
        try:
            return instead if text is None else read(text)
        except ValueError as fault:
            self.faults.append(str(fault))
            return instead


def _one_of(*names: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"{tokens.quote(text)} is none of {', '.join(names)}.")
        return text

    return read


_WINNER = _one_of("player", "banker", "tie")
_HAND = _one_of("player", "banker")
_PAIRS = _one_of(*PAIRS)


def _name(pen: Pen, pieces: Pieces) -> str:
    return pen.take(tokens.word, pieces[0], "")


def _number(pen: Pen, pieces: Pieces) -> int:
    return pen.take(tokens.ordinal, pieces[0], 1)


def _mark(_pen: Pen, _pieces: Pieces) -> bool:
    return True


def _limit(pen: Pen, pieces: Pieces) -> Limit:
    name, most = pieces
    return Limit(pen.take(tokens.word, name, ""), pen.take(pen.limit, most, 0))


def _cards(pen: Pen, pieces: Pieces) -> tuple[Card, ...]:
    (drawn,) = pieces
    return tuple(pen.take(card, each, Card(1)) for each in re.split(r"[ \t]+", drawn or ""))


def _result(pen: Pen, pieces: Pieces) -> Result:
    winner, pairs, natural = pieces
    return Result(pen.take(_WINNER, winner, "tie"), pen.take(_PAIRS, pairs, "none"), natural is not None)


def _wager(pen: Pen, pieces: Pieces) -> Wager:
    bet, stake, net, patron = pieces
    return Wager(
        pen.take(tokens.word, bet, ""),
        pen.take(pen.stake, stake, 1),
        pen.take(pen.amount, net, None),
        pen.take(tokens.patron, patron, None),
    )


def _cover(pen: Pen, pieces: Pieces) -> Cover:
    stage, hand, stake, on, net, patron = pieces
    return Cover(
        pen.take(tokens.word, stage, ""),
        pen.take(_HAND, hand, "player"),
        pen.take(pen.stake, stake, 1),
        pen.take(tokens.ordinal, on, 1),
        pen.take(pen.amount, net, None),
        pen.take(tokens.patron, patron, None),
    )


def _event(pen: Pen, pieces: Pieces) -> Event:
    kind, after, text = pieces
    return Event(pen.take(tokens.word, kind, ""), text or "", pen.take(tokens.count, after, None))


class Kind(NamedTuple):
    """A kind of line: how it reads, the pattern of what follows its first word, and its reader."""

    usage: str
    pattern: re.Pattern[str]
    read: Callable[[Pen, Pieces], object]
    once: bool = True


def _kind(usage: str, pattern: str, read: Callable[[Pen, Pieces], object], once: bool = True) -> Kind:
    # In the patterns below a space stands for any run of spaces and tabs, and @ for one piece.
    shape = pattern.replace(" ", r"[ \t]+").replace("@", r"([^ \t]+)")
    return Kind(usage, re.compile(shape), read, once)


SHOE, ROUND = "shoe", "round"
STARTS = {
    SHOE: _kind("shoe", "", _mark),
    ROUND: _kind("round NUMBER", "@", _number),
}
HEAD = {
    "rulebook": _kind("rulebook NAME", "@", _name),
    "layout": _kind("layout NAME", "@", _name),
    "decks": _kind("decks NUMBER", "@", _number),
    "limit": _kind("limit NAME AMOUNT", "@ @", _limit, once=False),
}
BODY = {
    "cards": _kind("cards CARD CARD ...", "(.+)", _cards),
    "result": _kind("result WINNER [pairs PAIRS] [natural]", "@(?: pairs @)?( natural)?", _result),
    "void": _kind("void", "", _mark),
    "free": _kind("free", "", _mark),
    "wager": _kind("wager BET STAKE [= NET] [by PATRON]", "@ @(?: = @)?(?: by (.+))?", _wager, once=False),
    "cover": _kind(
        "cover STAGE HAND STAKE on WAGER [= NET] [by PATRON]",
        "@ @ @ on @(?: = @)?(?: by (.+))?",
        _cover,
        once=False,
    ),
    "event": _kind(
        "event KIND [after CARDS] [: TEXT]",
        r"([^\x20\t:]+)(?: after ([^\x20\t:]+))?[\x20\t]*(?::[\x20\t]*(.*))?",
        _event,
        once=False,
    ),
}
KINDS = STARTS | HEAD | BODY
FIELD = "_"


class Entry(NamedTuple):
    """A line that was understood as far as its kind; the value is None where the rest is at fault."""

    line: int
    kind: str
    value: object


def read_line(line: int, text: str, digits: int) -> tuple[Entry | None, list[str]]:
    """Read one line that is neither blank nor a comment, and say all that is wrong with it.

    >>> read_line(4, "decks 8", digits=12)
    (Entry(line=4, kind='decks', value=8), [])
    >>> read_line(4, "decks", digits=12)
    (Entry(line=4, kind='decks', value=None), ["A line 'decks' reads: decks NUMBER"])
    """
    first, rest = [*re.split(r"[ \t]+", text.strip(" \t"), maxsplit=1), ""][:2]
    kind = KINDS.get(first)
    broken = None if kind is None else Entry(line, first, None)
    forbidden = tokens.FORBIDDEN.search(text)
    if forbidden:
        return broken, [f"The character {forbidden.group()!r} cannot stand in a line."]
    if first.startswith(FIELD):
        if first == FIELD:
            return None, ["A field needs a name: write _name, then its value."]
        return Entry(line, FIELD, Field(first.removeprefix(FIELD), rest)), []
    if kind is None:
        known = ", ".join(KINDS)
        return None, [f"{tokens.quote(first)} starts no line: there are {known}, and _fields of your own."]
    pieces = kind.pattern.fullmatch(rest)
    if not pieces:
        return broken, [f"A line '{first}' reads: {kind.usage}"]
    pen = Pen(digits)
    value = kind.read(pen, pieces.groups())
    return (broken if pen.faults else Entry(line, first, value)), pen.faults
