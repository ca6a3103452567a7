"""From text to a history: every line is read, then laid into shoes and rounds, and all faults are told."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from punto.amounts import USUAL
from punto.coup import BadCards, deal
from punto.history.lines import BLANKS, BODY, CURRENCY, HEAD, KINDS, read_line
from punto.history.values import (
    Field,
    History,
    Limit,
    RecordedCover,
    RecordedEvent,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
)

MAGIC = "punto history 1"
"""The first line of every history: the name of the format and its version."""

T = TypeVar("T")


class LineFault(NamedTuple):
    """What is wrong, and in which line, counted from 1."""

    line: int
    sentence: str


class BadHistory(ValueError):
    """A text that is no history. `faults` holds every fault by line; the message lists them all."""

    def __init__(self, faults: tuple[LineFault, ...]) -> None:
        super().__init__(faults)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(f"line {fault.line}: {fault.sentence}" for fault in self.faults)


class BadRound(ValueError):
    """A recorded round whose cards no coup is made of. The message names shoe and round."""


def check_coups(history: History) -> None:
    r"""Refuse a history in which the cards of a round that was played do not make a coup.

    >>> check_coups(load("punto history 1\nrulebook wu-song\nround 1\ncards K 6\n"))
    Traceback (most recent call last):
    punto.history.reader.BadRound: Shoe 1, round 1: Too few cards: a coup begins with four; here are 2.
    """
    for at, shoe in enumerate(history.shoes, start=1):
        for each in shoe.rounds:
            if each.cards and not each.void:
                try:
                    deal(each.cards)
                except BadCards as error:
                    raise BadRound(f"Shoe {at}, round {each.number}: {error}") from None


def read(path: str | Path) -> History:
    """Load the history in a file of UTF-8 text."""
    return load(text_of(path))


def text_of(path: str | Path) -> str:
    """The text of a file, which is UTF-8; where it is not, `BadHistory` names the line."""
    raw = Path(path).read_bytes()
    try:
        return raw.decode()
    except UnicodeDecodeError as fault:
        line = len(raw[: fault.start + 1].splitlines())
        raise BadHistory((LineFault(line, "This line is not UTF-8 text."),)) from None


def load(text: str) -> History:
    """Read a history. Blank lines and comments (`# ...`) are passed over and not kept.

    >>> history = load('''punto history 1
    ... rulebook commission
    ... round 1
    ... cards 9 K 9 Q
    ... wager player 50 = 50
    ... ''')
    >>> history.shoes[0].rounds[0].wagers
    (RecordedWager(bet='player', stake=5000, net=5000, patron=None),)
    >>> load('''punto history 1
    ... rulebook commission
    ... round 1
    ... wager player ten
    ... ''')
    Traceback (most recent call last):
    punto.history.reader.BadHistory: line 3: This round has no outcome: add a line 'cards', \
'result' or 'void'.
    line 4: 'ten' is not an amount: write it like 100 or 12.50.
    """
    return read_lines(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")))


class ReadLine(NamedTuple):
    """A line that was understood as far as its kind; the value is None where the rest is at fault."""

    line: int
    kind: str
    value: Any


def read_lines(lines: Iterable[str]) -> History:
    """Read the lines of a history, or tell all their faults.

    >>> read_lines(["punto history 1", "rulebook commission"]).shoes[0].rulebook
    'commission'
    """
    first, *others = lines
    if BLANKS.split(first.strip(" \t")) != MAGIC.split():
        # Nothing is known of the other lines: in another version they may be right.
        raise BadHistory((LineFault(1, f"The first line must be '{MAGIC}'; no other version is read here."),))
    entries, faults = _entries(others)
    implicit, *blocks = _split(entries, "shoe")
    if implicit or not blocks:
        # The line `shoe` was left out before the first shoe.
        blocks.insert(0, implicit)
    shoes = [_split(block, "round") for block in blocks]
    for head, *rounds in shoes:
        faults += _head_faults(head)
        faults += _number_faults(rounds)
        for each in rounds:
            faults += _round_faults(each)
    if faults:
        raise BadHistory(tuple(sorted(faults, key=lambda fault: fault.line)))
    return History(tuple(_shoe(*parts) for parts in shoes))


def _entries(lines: Iterable[str]) -> tuple[list[ReadLine], list[LineFault]]:
    entries, faults = [], []
    parts = [(line, *_parts(text)) for line, text in enumerate(lines, start=2)]
    currencies = _currencies((line, kind, rest) for line, kind, rest in parts)
    currency = currencies.get(1, USUAL)
    for line, kind, rest in parts:
        if not kind or kind.startswith("#"):
            continue
        if kind == "shoe":
            currency = currencies.get(line, USUAL)
        try:
            entries.append(ReadLine(line, kind, read_line(kind, rest, currency)))
        except ValueError as fault:
            faults += [LineFault(line, sentence) for sentence in fault.args]
            if kind in KINDS:
                entries.append(ReadLine(line, kind, None))
    return entries, faults


def _parts(text: str) -> tuple[str, str]:
    """The first word of a line, and what follows it."""
    kind, _, rest = BLANKS.sub(" ", text.strip(" \t"), count=1).partition(" ")
    return kind, rest


def _currencies(parts: Iterable[tuple[int, str, str]]) -> dict[int, str]:
    """The currency of each shoe that names one, by the line on which the shoe begins; it may stand after amounts."""
    found: dict[int, str] = {}
    start = 1
    for line, kind, rest in parts:
        if kind == "shoe":
            start = line
        elif kind == "currency" and re.fullmatch(CURRENCY, rest):
            found.setdefault(start, rest)
    return found


def _split(entries: list[ReadLine], kind: str) -> list[list[ReadLine]]:
    """Cut before every entry of a kind; the first part is what comes before any."""
    parts: list[list[ReadLine]] = [[]]
    for entry in entries:
        if entry.kind == kind:
            parts.append([])
        parts[-1].append(entry)
    return parts


# Lines at fault count here too: what they lack is told once, not again as something missing.


def _head_faults(head: list[ReadLine]) -> Iterator[LineFault]:
    yield from _repeated(head, "head of a shoe")
    limits: set[str] = set()
    for line, kind, value in head:
        if kind in BODY:
            yield LineFault(line, f"A line '{kind}' belongs to a round, and no round has begun.")
        elif isinstance(value, Limit):
            if value.name in limits:
                yield LineFault(line, f"The limit '{value.name}' stands a second time in this head of a shoe.")
            limits.add(value.name)
    if not any(entry.kind == "rulebook" for entry in head):
        start = head[0].line if head and head[0].kind == "shoe" else 1
        yield LineFault(start, "The shoe that begins here names no rulebook: add a line 'rulebook NAME'.")


def _number_faults(rounds: list[list[ReadLine]]) -> Iterator[LineFault]:
    known = [start for start, *_ in rounds if start.value]
    for before, after in pairwise(known):
        if after.value <= before.value:
            sentence = f"Round {after.value} comes after round {before.value}: numbers rise within a shoe."
            yield LineFault(after.line, sentence)


def _round_faults(entries: list[ReadLine]) -> Iterator[LineFault]:
    yield from _repeated(entries, "round")
    line_of = {entry.kind: entry.line for entry in entries}
    wagers = sum(entry.kind == "wager" for entry in entries)
    if not line_of.keys() & {"cards", "result", "void"}:
        yield LineFault(line_of["round"], "This round has no outcome: add a line 'cards', 'result' or 'void'.")
    for line, kind, value in entries:
        if kind in HEAD:
            yield LineFault(line, f"A line '{kind}' belongs to the head of a shoe, before its first round.")
        elif kind == "result" and "cards" in line_of:
            yield LineFault(line, "This round has cards, so its result follows from them: leave it out.")
        elif kind == "result" and "void" in line_of:
            yield LineFault(line, "This round is void, so it has no result.")
        elif kind in ("wager", "cover") and "free" in line_of:
            yield LineFault(line, f"This round is a free hand, so it has no {kind}.")
        elif isinstance(value, RecordedCover) and value.on > wagers:
            held = {0: "no wager", 1: "1 wager"}.get(wagers, f"{wagers} wagers")
            yield LineFault(line, f"There is no wager {value.on} to cover: this round has {held}.")


def _repeated(entries: list[ReadLine], place: str) -> Iterator[LineFault]:
    seen: set[str] = set()
    for line, kind, _ in entries:
        if kind in seen and kind in KINDS and KINDS[kind].once:
            yield LineFault(line, f"The line '{kind}' stands a second time in this {place}.")
        seen.add(kind)


# From here on there are no faults.


def _shoe(head: list[ReadLine], *rounds: list[ReadLine]) -> RecordedShoe:
    once = {kind: value for _, kind, value in head}
    return RecordedShoe(
        once["rulebook"],
        once.get("layout"),
        once.get("decks"),
        _all(head, Limit),
        _all(head, Field),
        tuple(map(_round, rounds)),
        once.get("currency"),
    )


def _round(entries: list[ReadLine]) -> RecordedRound:
    once = {kind: value for _, kind, value in entries}
    return RecordedRound(
        once["round"],
        once.get("cards", ()),
        once.get("result"),
        "void" in once,
        "free" in once,
        _all(entries, RecordedWager),
        _all(entries, RecordedCover),
        _all(entries, RecordedEvent),
        _all(entries, Field),
    )


def _all(entries: list[ReadLine], kind: type[T]) -> tuple[T, ...]:
    return tuple(value for _, _, value in entries if isinstance(value, kind))
