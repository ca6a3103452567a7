"""The kinds of line: the shape of each, and the value it is read into.

Whatever is wrong with a line is one ValueError, with a sentence in its `args` for each piece at fault.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from punto.amounts import USUAL, money
from punto.coup import PAIRS, Card, card
from punto.history.values import Field, Limit, RecordedCover, RecordedEvent, RecordedResult, RecordedWager

BLANKS = re.compile(r"[ \t]+")
CURRENCY = "[A-Z]{3}"
# Whatever breaks a line or cannot be written as UTF-8; a tab is no more than a space.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


# The pieces of a line.


def _text(pattern: str, complaint: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{_quote(text)} {complaint}")
        return text

    return read


def _one_of(*names: str) -> Callable[[str], str]:
    return _text("|".join(names), f"is none of {', '.join(names)}.")


_word = _text(r"[A-Za-z0-9-]+", "is not a name: write letters a-z or A-Z, digits and hyphens.")
_digits = _text(r"[0-9]{1,9}", "is not a whole number of at most nine digits.")
_patron = _text(r"[^=]+", "is not a patron's name: the name comes last and has no '=' in it.")
_currency = _text(CURRENCY, "is not a currency: write three capital letters, like SGD.")
_hand = _one_of("player", "banker")
_winner = _one_of("player", "banker", "tie")
_pairs = _one_of(*PAIRS)


def _count(text: str) -> int:
    return int(_digits(text))


def _ordinal(text: str) -> int:
    number = _count(text)
    if number == 0:
        raise ValueError("0 is too low: this number starts at 1.")
    return number


def _stake(text: str, currency: str) -> int:
    minor = money(text, currency)
    if minor == 0:
        raise ValueError(f"{_quote(text)} is not a stake: a stake is more than 0.")
    return minor


def _net(text: str, currency: str) -> int:
    minor = money(text[1:] if re.match("[+-][0-9]", text) else text, currency)
    return -minor if text.startswith("-") else minor


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(_each(repeat(card), BLANKS.split(text)))


_OF_MONEY = frozenset((money, _stake, _net))
"""What reads an amount, and so needs to know the currency."""


def _each(readers: Iterable[Callable[..., Any]], pieces: Iterable[str | None], currency: str = USUAL) -> list[Any]:
    """Read every piece, even after one at fault; a piece left out is None."""
    values: list[Any] = []
    faults: list[str] = []
    for read, piece in zip(readers, pieces, strict=False):
        try:
            if piece is None:
                values.append(None)
            else:
                values.append(read(piece, currency) if read in _OF_MONEY else read(piece))
        except ValueError as fault:
            faults += fault.args
    if faults:
        raise ValueError(*faults)
    return values


# The lines made of them.


class LineKind(NamedTuple):
    """A kind of line: how it reads, the pattern of what follows its first word, and what is made of that."""

    usage: str
    pattern: re.Pattern[str]
    make: Callable[..., object]
    readers: Sequence[Callable[..., Any]]
    once: bool


def _kind(
    usage: str,
    pattern: str,
    make: Callable[..., object],
    readers: Sequence[Callable[..., Any]] = (),
    once: bool = False,
) -> LineKind:
    # In the patterns below a space stands for any run of spaces and tabs, and @ for one piece.
    shape = pattern.replace(" ", BLANKS.pattern).replace("@", r"([^ \t]+)")
    return LineKind(usage, re.compile(shape), make, readers, once)


def _mark() -> bool:
    return True


def _result(winner: str, pairs: str | None, natural: str | None) -> RecordedResult:
    return RecordedResult(winner, pairs or "none", natural is not None)


def _event(kind: str, after: int | None, text: str | None) -> RecordedEvent:
    return RecordedEvent(kind, text or "", after)


STARTS = {
    "shoe": _kind("shoe", "", _mark, once=True),
    "round": _kind("round NUMBER", "@", int, [_ordinal], once=True),
}
HEAD = {
    "rulebook": _kind("rulebook NAME", "@", str, [_word], once=True),
    "layout": _kind("layout NAME", "@", str, [_word], once=True),
    "decks": _kind("decks NUMBER", "@", int, [_ordinal], once=True),
    "currency": _kind("currency CODE", "@", str, [_currency], once=True),
    "limit": _kind("limit NAME AMOUNT", "@ @", Limit, [_word, money]),
}
BODY = {
    "cards": _kind("cards CARD CARD ...", "(.+)", tuple, [_cards], once=True),
    "result": _kind(
        "result WINNER [pairs PAIRS] [natural]",
        "@(?: pairs @)?( natural)?",
        _result,
        [_winner, _pairs, str],
        once=True,
    ),
    "void": _kind("void", "", _mark, once=True),
    "free": _kind("free", "", _mark, once=True),
    "wager": _kind(
        "wager BET STAKE [= NET] [by PATRON]",
        "@ @(?: = @)?(?: by (.+))?",
        RecordedWager,
        [_word, _stake, _net, _patron],
    ),
    "cover": _kind(
        "cover STAGE HAND STAKE on WAGER [= NET] [by PATRON]",
        "@ @ @ on @(?: = @)?(?: by (.+))?",
        RecordedCover,
        [_word, _hand, _stake, _ordinal, _net, _patron],
    ),
    "event": _kind(
        "event KIND [after CARDS] [: TEXT]",
        r"([^\x20\t:]+)(?: after ([^\x20\t:]+))?[\x20\t]*(?::[\x20\t]*(.*))?",
        _event,
        [_word, _count, str],
    ),
}
KINDS = STARTS | HEAD | BODY


def read_line(first: str, rest: str, currency: str = USUAL) -> object:
    """The value of a line, by its first word and what follows it; amounts are of the currency.

    >>> read_line("limit", "maximum 12.5")
    Limit(name='maximum', amount=1250)
    >>> read_line("limit", "1")
    Traceback (most recent call last):
    ValueError: A line 'limit' reads: limit NAME AMOUNT
    >>> read_line("limit", "the_most 1.005")
    Traceback (most recent call last):
    ValueError: ("'the_most' is not a name: write letters a-z or A-Z, digits and hyphens.", \
"'1.005' is finer than the minor unit, 0.01.")
    """
    forbidden = _FORBIDDEN.search(first + rest)
    if forbidden:
        raise ValueError(f"The character {forbidden.group()!r} cannot stand in a line.")
    if first == "_":
        raise ValueError("A field needs a name: write _name, then its value.")
    if first.startswith("_"):
        return Field(first.removeprefix("_"), rest)
    if first not in KINDS:
        known = ", ".join(KINDS)
        raise ValueError(f"{_quote(first)} starts no line: there are {known}, and _fields of your own.")
    kind = KINDS[first]
    pieces = kind.pattern.fullmatch(rest)
    if not pieces:
        raise ValueError(f"A line '{first}' reads: {kind.usage}")
    return kind.make(*_each(kind.readers, pieces.groups(), currency))
