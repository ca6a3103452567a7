"""On which line of a TOML file each key stands, so that a fault can name it.

The parser of the standard library keeps no positions. This walks the same text, which it has
already accepted, and needs to know only where values begin and end.
"""

import re
from bisect import bisect_right
from collections import Counter

Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')[ \t]*""")
_STRING = re.compile(
    "|".join([r'"""(?:[^\\]|\\.)*?"{3,5}', r"'''.*?'{3,5}", r'"(?:[^"\\\n]|\\.)*"', r"'[^'\n]*'"]), re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


def lines(text: str) -> dict[Path, int]:
    r"""The line of every key and array element of a valid TOML text.

    >>> lines('a = 1\n[[b.c]]\nd = [ 2,\n 3]\n')[("b", "c", 0, "d", 1)]
    4
    """
    return _Walk(text).found


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
            parts.append(next(group for group in found.groups() if group is not None))
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
        self.note(path)
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
