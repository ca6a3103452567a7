"""From text to a history: every line is read, then laid into shoes and rounds, and all faults are told."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypeVar

from punto.history.lines import BODY, FIELD, HEAD, KINDS, ROUND, SHOE, Entry, read_line
from punto.history.tokens import DIGITS, quote
from punto.history.values import Cover, Event, Field, History, Limit, Result, Round, Shoe, Wager

MAGIC = "punto history 1"
"""The first line of every history: the name of the format and its version."""

T = TypeVar("T")


class Fault(NamedTuple):
    """What is wrong, and in which line, counted from 1."""

    line: int
    sentence: str


class BadHistory(ValueError):
    """A text that is no history. `faults` holds every fault by line; the message lists them all."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(faults)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(f"line {fault.line}: {fault.sentence}" for fault in self.faults)


def load(text: str, *, digits: int = DIGITS) -> History:
    """Read a history. Blank lines and comments (`# ...`) are passed over and not kept.

    `digits` is how many digits an amount may have before its point.

    >>> history = load('''punto history 1
    ... rulebook commission
    ... round 1
    ... cards 9 K 9 Q
    ... wager player 50 = 50
    ... ''')
    >>> history.shoes[0].rounds[0].wagers
    (Wager(bet='player', stake=5000, net=5000, patron=None),)
    >>> load('''punto history 1
    ... rulebook commission
    ... round 1
    ... wager player ten
    ... ''')
    Traceback (most recent call last):
    punto.history.reader.BadHistory: line 3: This round has no outcome: add a line 'cards', \
'result' or 'void'.
    line 4: 'ten' is not an amount: write digits, and at most two after a point, like 100 or 12.50.
    """
    history, faults = read_lines(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), digits)
    if faults:
        raise BadHistory(faults)
    return history


def read_lines(lines: Iterable[str], digits: int) -> tuple[History, tuple[Fault, ...]]:
    """Read lines into a history as far as they make one, with the faults in the order of the lines.

    >>> read_lines(["punto history 1", "rulebook commission"], digits=12)[0].shoes[0].rulebook
    'commission'
    """
    first, *others = lines
    fault = _version_fault(first)
    if fault:
        # Nothing is known of the other lines: in another version they may be right.
        return History(()), (Fault(1, fault),)
    faults: list[Fault] = []
    entries: list[Entry] = []
    for line, text in enumerate(others, start=2):
        bare = text.strip(" \t")
        if bare and not bare.startswith("#"):
            entry, sentences = read_line(line, text, digits)
            faults += [Fault(line, sentence) for sentence in sentences]
            if entry:
                entries.append(entry)
    implicit, *started = _split(entries, SHOE)
    # The line `shoe` may be left out before the first shoe.
    blocks = started if started and not implicit else [implicit, *started]
    shoes = tuple(_shoe(block, faults) for block in blocks)
    return History(shoes), tuple(sorted(faults, key=lambda fault: fault.line))


def _version_fault(first: str) -> str | None:
    match re.split(r"[ \t]+", first.strip(" \t")):
        case ["punto", "history", "1"]:
            return None
        case ["punto", "history", version]:
            return f"This is version {quote(version)} of the format; only version 1 can be read here."
    return f"The first line must be: {MAGIC}"


def _split(entries: list[Entry], kind: str) -> list[list[Entry]]:
    """Cut before every entry of a kind; the first part is what comes before any."""
    parts: list[list[Entry]] = [[]]
    for entry in entries:
        if entry.kind == kind:
            parts.append([])
        parts[-1].append(entry)
    return parts


def _values(entries: list[Entry], kind: str, of: type[T]) -> tuple[T, ...]:
    """The values of the sound lines of a kind, in order."""
    return tuple(entry.value for entry in entries if entry.kind == kind and isinstance(entry.value, of))


def _last(entries: list[Entry], kind: str, of: type[T]) -> T | None:
    """The value of a kind that may stand once; a second one has been told as a fault."""
    return next(reversed(_values(entries, kind, of)), None)


def _shoe(block: list[Entry], faults: list[Fault]) -> Shoe:
    head, *rounds = _split(block, ROUND)
    faults.extend(_head_faults(head))
    faults.extend(_number_faults([first for first, *_ in rounds]))
    return Shoe(
        _last(head, "rulebook", str) or "",
        _last(head, "layout", str),
        _last(head, "decks", int),
        _values(head, "limit", Limit),
        _values(head, FIELD, Field),
        tuple(_round(entries, faults) for entries in rounds),
    )


def _round(entries: list[Entry], faults: list[Fault]) -> Round:
    faults.extend(_round_faults(entries))
    return Round(
        _last(entries, ROUND, int) or 1,
        _last(entries, "cards", tuple) or (),
        _last(entries, "result", Result),
        bool(_values(entries, "void", bool)),
        bool(_values(entries, "free", bool)),
        _values(entries, "wager", Wager),
        _values(entries, "cover", Cover),
        _values(entries, "event", Event),
        _values(entries, FIELD, Field),
    )


def _head_faults(head: list[Entry]) -> Iterator[Fault]:
    yield from _repeated(head, "head of a shoe")
    limits: set[str] = set()
    for line, kind, value in head:
        if kind in BODY:
            yield Fault(line, f"A line '{kind}' belongs to a round, and no round has begun.")
        elif isinstance(value, Limit):
            if value.name in limits:
                yield Fault(line, f"The limit '{value.name}' stands a second time in this head of a shoe.")
            limits.add(value.name)
    if not any(entry.kind == "rulebook" for entry in head):
        start = head[0].line if head and head[0].kind == SHOE else 1
        yield Fault(start, "The shoe that begins here names no rulebook: add a line 'rulebook NAME'.")


def _number_faults(starts: list[Entry]) -> Iterator[Fault]:
    known = [(entry.line, entry.value) for entry in starts if isinstance(entry.value, int)]
    for (_, before), (line, number) in pairwise(known):
        if number <= before:
            yield Fault(line, f"Round {number} comes after round {before}: numbers rise within a shoe.")


def _round_faults(entries: list[Entry]) -> Iterator[Fault]:
    yield from _repeated(entries, "round")
    # Lines at fault count here too: what they lack is told once, not again as something missing.
    line_of = {entry.kind: entry.line for entry in entries}
    wagers = sum(entry.kind == "wager" for entry in entries)
    if not line_of.keys() & {"cards", "result", "void"}:
        yield Fault(line_of[ROUND], "This round has no outcome: add a line 'cards', 'result' or 'void'.")
    if "result" in line_of:
        if "cards" in line_of:
            yield Fault(
                line_of["result"], "This round has cards, so its result follows from them: leave it out."
            )
        if "void" in line_of:
            yield Fault(line_of["result"], "This round is void, so it has no result.")
    for line, kind, value in entries:
        if kind in HEAD:
            yield Fault(line, f"A line '{kind}' belongs to the head of a shoe, before its first round.")
        elif kind in ("wager", "cover") and "free" in line_of:
            yield Fault(line, f"This round is a free hand, so it has no {kind}.")
        elif isinstance(value, Cover) and value.on > wagers:
            held = {0: "no wager", 1: "1 wager"}.get(wagers, f"{wagers} wagers")
            yield Fault(line, f"There is no wager {value.on} to cover: this round has {held}.")


def _repeated(entries: list[Entry], place: str) -> Iterator[Fault]:
    seen: set[str] = set()
    for line, kind, _ in entries:
        if kind in seen and kind != FIELD and KINDS[kind].once:
            yield Fault(line, f"The line '{kind}' stands a second time in this {place}.")
        seen.add(kind)
