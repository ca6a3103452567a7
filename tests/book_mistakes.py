"""Mistakes in the text of a rulebook file, one at a time: a misspelt key or section, a value that is rubbish."""

import re
from collections.abc import Iterator

import msgspec

RUBBISH = (
    "7",
    "-1",
    "1.5",
    "true",
    "2024-01-01",
    '""',
    '"?"',
    '"1\N{EN DASH}6"',
    '"1 - 6"',
    '"\\u0000"',
    "[]",
    "[[]]",
    "[{}]",
    "[1.5]",
    "{}",
    "{ a = 1 }",
    "9" * 5000,
    "0x" + "f" * 5000,
    '"' + "9" * 5000 + '"',
    '"' + "9" * 5000 + ':1"',
)
"""Values of every kind, none of which makes sense in many places."""


class Mistake(msgspec.Struct, frozen=True):
    """A text with one thing wrong: on which line, what stood there, and what stands there now."""

    text: str
    line: int
    was: str
    now: str
    header: bool = False
    """It is a part of the name of a section."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.was[:40]} -> {self.now[:40]}"


def misspelt(text: str) -> Iterator[Mistake]:
    """Each bare key and each part of a section's name with two of its letters swapped, or one too many."""
    for header, start, end in _keys(_masked(text)):
        word = text[start:end]
        yield _with(text, start, end, misspell(word), header)


def misspell(word: str) -> str:
    """The word with its first two letters swapped where that makes another word, else with its last one doubled."""
    letters = [at for at in range(len(word) - 1) if word[at] != word[at + 1] and word[at : at + 2].isalpha()]
    if len(word) < 4 or not letters:
        return word + word[-1]
    at = letters[len(word) % len(letters)]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def rubbish(text: str) -> Iterator[tuple[int, int]]:
    """Where each value stands, those inside lists and tables as well."""
    masked = _masked(text)
    for header, _, end in _keys(masked):
        if not header:
            yield from _values(masked, masked.index("=", end) + 1)
    for found in re.finditer(r'^"[^"\n]*"\s*=', masked, re.MULTILINE):
        yield from _values(masked, found.end())


def replaced(text: str, span: tuple[int, int], value: str) -> Mistake:
    """A text with another value."""
    return _with(text, *span, value, False)


def _with(text: str, start: int, end: int, now: str, header: bool) -> Mistake:
    line = text.count("\n", 0, start) + 1
    return Mistake(text[:start] + now + text[end:], line, text[start:end], now, header)


def _masked(text: str) -> str:
    """The text with the letters of its strings and comments out of the way."""
    return re.sub(r'"[^"\n]*"|#[^\n]*', lambda found: _mask(found[0]), text)


def _mask(part: str) -> str:
    return f'"{"·" * (len(part) - 2)}"' if part.startswith('"') else " " * len(part)


def _keys(masked: str) -> Iterator[tuple[bool, int, int]]:
    for found in re.finditer(r"^\[+([^\]\n]+)\]+|([A-Za-z0-9_-]+)(?=[ ]*=)", masked, re.MULTILINE):
        if found[2]:
            yield False, *found.span(2)
            continue
        at = found.start(1)
        for part in found[1].split("."):
            yield True, at, at + len(part)
            at += len(part) + 1


def _values(masked: str, at: int) -> Iterator[tuple[int, int]]:
    """The span of the value behind an equals sign, and of the elements of a list."""
    while masked[at] in " \n":
        at += 1
    end = _end(masked, at)
    yield at, end
    if masked[at] == "[":
        inside = at + 1
        while True:
            while masked[inside] in " \n,":
                inside += 1
            if masked[inside] == "]":
                return
            yield inside, _end(masked, inside)
            inside = _end(masked, inside)


def _end(masked: str, at: int) -> int:
    if masked[at] == '"':
        return masked.index('"', at + 1) + 1
    if masked[at] not in "[{":
        found = re.compile(r"[,\]}\n]| [},]").search(masked, at)
        assert found
        return found.start()
    depth = 0
    while True:
        depth += (masked[at] in "[{") - (masked[at] in "]}")
        at += 1
        if not depth:
            return at
