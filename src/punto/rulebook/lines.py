"""On which line of a TOML file each key stands, so that a fault can name it.

The parser of the standard library keeps no positions. This walks the same text, which it has
already accepted, and needs to know only where values begin and end.
"""

import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping

Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')[ \t]*""")
_STRING = re.compile(
    "|".join([r'"""(?:[^\\]|\\.)*?"{3,5}', r"'''.*?'{3,5}", r'"(?:[^"\\\n]|\\.)*"', r"'[^'\n]*'"]), re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\n]+")
_TOKEN = re.compile(rf"{_STRING.pattern}|#[^\n]*|[\[\]{{}}]|[0-9_]+", re.DOTALL)

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_MOST_DOTS = 100
_DOTTED = re.compile(
    rf"(?P<dotted>(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*\.[ \t]*){{{_MOST_DOTS}}})|{_STRING.pattern}|#[^\n]*", re.DOTALL
)
"""A key or header of very many parts; texts and comments are passed over."""


def lines(text: str) -> dict[Path, int]:
    r"""The line of every key and array element of a valid TOML text.

    >>> lines('a = 1\n[[b.c]]\nd = [ 2,\n 3]\n')[("b", "c", 0, "d", 1)]
    4
    """
    return _Walk(text).found


def line_at(found: Mapping[Path, int], path: Path) -> int:
    r"""The line of a key, or of the nearest key above it.

    >>> line_at(lines('\n[a]\nb = 1'), ("a", "c"))
    2
    """
    while path and path not in found:
        path = path[:-1]
    return found.get(path, 1)


def deepest(text: str) -> int:
    r"""The line on which a text is nested most deeply, whether it is TOML or not.

    >>> deepest('a = 1\nb = [\n[1]]')
    3
    """
    depth, most, line = 0, 0, 1
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            depth += 1
            if depth > most:
                most, line = depth, text.count("\n", 0, token.start()) + 1
        elif token[0] in ("]", "}"):
            depth -= 1
    return line


def too_many_dots(text: str) -> int | None:
    r"""The line of a key or header with a hundred dots, or more; None where there is none.

    No book has so deep a thing, and whoever reads TOML takes very long over one.

    >>> too_many_dots("a = 1\n[b" + ".b" * 100 + "]"), too_many_dots('a = "' + "b." * 100 + '"')
    (2, None)
    """
    found = next((each for each in _DOTTED.finditer(text) if each["dotted"]), None)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def longest_number(text: str) -> int:
    r"""The line of the longest number of a text.

    >>> longest_number('a = 1\nb = 123456\nc = "12345678"')
    2
    """
    numbers = [token for token in _TOKEN.finditer(text) if token[0][0].isdigit()]
    longest = max(numbers, key=lambda token: len(token[0]), default=None)
    return 1 if longest is None else text.count("\n", 0, longest.start()) + 1


def _unescaped(key: str) -> str:
    return str(tomllib.loads(f'key = "{key}"')["key"]) if "\\" in key else key


class _Walk:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.starts = [0] + [found.end() for found in re.finditer("\n", text)]
        self.found: dict[Path, int] = {}
        self.arrays: Counter[Path] = Counter()
        table: Path = ()
        while self.skip() < len(text):
            if text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def skip(self) -> int:
        space = _SPACE.match(self.text, self.at)
        assert space
        self.at = space.end()
        return self.at

    def note(self, path: Path) -> None:
        self.found.setdefault(path, bisect_right(self.starts, self.at))

    def key(self) -> tuple[str, ...]:
        parts = []
        while True:
            found = _KEY.match(self.text, self.at)
            assert found
            bare, quoted, literal = found.groups()
            parts.append(_unescaped(quoted) if quoted is not None else bare or literal or "")
            self.at = found.end()
            if self.text[self.at : self.at + 1] != ".":
                return tuple(parts)
            self.at += 1

    def header(self) -> Path:
        start, double = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        parts = self.key()
        path: Path = ()
        for number, part in enumerate(parts):
            path = (*path, part)
            if double and number == len(parts) - 1:
                self.arrays[path] += 1
            if self.arrays[path]:
                path = (*path, self.arrays[path] - 1)
        end = self.at + (2 if double else 1)
        self.at = start
        for depth in range(1, len(path) + 1):
            self.note(path[:depth])
        self.at = end
        return path

    def pair(self, table: Path) -> None:
        start = self.at
        path = (*table, *self.key())
        end, self.at = self.at, start
        for depth in range(len(table) + 1, len(path) + 1):
            self.note(path[:depth])
        self.at = end + 1
        self.value(path)

    def value(self, path: Path) -> None:
        self.skip()
        self.note(path)
        opening = self.text[self.at]
        if opening == "[":
            self.several("]", path)
        elif opening == "{":
            self.several("}", path)
        else:
            scalar = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            assert scalar
            self.at = scalar.end()

    def several(self, closing: str, path: Path) -> None:
        self.at += 1
        number = 0
        while self.text[self.skip()] != closing:
            if self.text[self.at] == ",":
                self.at += 1
            elif closing == "]":
                self.value((*path, number))
                number += 1
            else:
                self.pair(path)
        self.at += 1
