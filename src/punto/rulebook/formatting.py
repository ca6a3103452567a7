"""Puts a rulebook file into one style: sections in the order of the format, one way of spacing and quoting.

Comments stay with what they stand above or behind. What a file means is compared before and after: it never changes.
"""

import json
import re
import tomllib

import msgspec

from punto.messages import Sentence, say
from punto.rulebook.json_schema import book_keys
from punto.rulebook.toml_text import read_toml

_WIDTH = 120
_INDENT = "    "
_KEY = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')[ \t]*""")
_STRING = re.compile(
    "|".join([r'"""(?:[^\\]|\\.)*?"{3,5}', r"'''.*?'{3,5}", r'"(?:[^"\\\n]|\\.)*"', r"'[^'\n]*'"]), re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\n]+")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Unformatted(ValueError):
    """A file that cannot be put into form. The message is a sentence."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(str(reason))


class _Item(msgspec.Struct):
    """An element of a list, or a key with its value: with the comments above it and the one behind it."""

    value: "_Value"
    key: str = ""
    above: list[str] = []
    behind: str = ""
    apart: bool = False
    """An empty line goes before it."""


class _Value(msgspec.Struct):
    """A value: its text, or the elements of a list or of an inline table."""

    text: str = ""
    kind: str = ""
    items: list[_Item] = []
    left: list[str] = []
    """Comments before the closing bracket."""
    spread: bool = False
    """It stands on several lines."""


class _Section(msgspec.Struct):
    """A header with its keys, and the comments above it, behind it and at its end. The head of a file has no header."""

    header: str = ""
    name: str = ""
    above: list[str] = []
    behind: str = ""
    items: list[_Item] = []
    end: list[str] = []


def format_book(text: str, file: str = "the book") -> str:
    r"""A rulebook file in the one style; `BadBook` where it is not TOML.

    >>> print(format_book("[authority]\nranks=[['dealer'] , ['boss',],]\n\n\n# Mine.\n[terms]\n 'A' = '1'  # so\n"))
    # Mine.
    [terms]
    A = "1"  # so
    <BLANKLINE>
    [authority]
    ranks = [["dealer"], ["boss"]]
    <BLANKLINE>
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    before = read_toml(plain, file)
    done = _written(*_Reader(plain).read())
    if not _same(before, done):
        raise Unformatted(say("format-would-change", "would mean something else when formatted, and is left as it is."))
    return done


def _same(before: dict[str, object], text: str) -> bool:
    try:
        return _ordered(tomllib.loads(text)) == _ordered(before)
    except tomllib.TOMLDecodeError:
        return False


def _ordered(data: dict[str, object]) -> list[tuple[str, str]]:
    """A document with the order of everything but its sections, which is free."""
    return sorted((key, repr(value)) for key, value in data.items())


class _Reader:
    """Reads a text that is known to be TOML into sections, keeping its comments."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def read(self) -> tuple[list[str], list[_Section]]:
        """The comments at the top of the file, and its sections, the head first."""
        top: list[str] = []
        sections = [_Section()]
        waiting, apart = [], False
        while self.at < len(self.text):
            line = self._line_ahead()
            if not line or line.startswith("#"):
                self.at = self._end_of_line() + 1
                if line.startswith("#:"):
                    top.append(line)
                elif line:
                    waiting.append(line)
                elif waiting:
                    first = len(sections) == 1 and not sections[0].items
                    (top if first else sections[-1].end).extend(waiting)
                    waiting, apart = [], True
                else:
                    apart = True
                continue
            if line.startswith("["):
                sections.append(self._header(waiting))
            else:
                item = self._pair()
                item.above, item.apart = sections[-1].end + waiting, apart and bool(sections[-1].items)
                sections[-1].end = []
                item.behind = self._comment_behind()
                sections[-1].items.append(item)
            waiting, apart = [], False
        sections[-1].end += waiting
        return top, sections

    def _line_ahead(self) -> str:
        return self.text[self.at : self._end_of_line()].strip()

    def _end_of_line(self) -> int:
        end = self.text.find("\n", self.at)
        return len(self.text) if end < 0 else end

    def _comment_behind(self) -> str:
        """What stands behind a value or a header on its line: a comment, or nothing."""
        line = self._line_ahead()
        self.at = self._end_of_line() + 1
        return line

    def _header(self, above: list[str]) -> _Section:
        self.at = self.text.index("[", self.at)
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        key = self._key()
        self.at = self.text.index("]", self.at) + (2 if double else 1)
        section = _Section(f"[[{key}]]" if double else f"[{key}]", _first(key), above)
        section.behind = self._comment_behind()
        return section

    def _key(self) -> str:
        parts = []
        while True:
            found = _KEY.match(self.text, self.at)
            assert found
            parts.append(_shown_key(found[1]))
            self.at = found.end()
            if self.text[self.at : self.at + 1] != ".":
                return ".".join(parts)
            self.at += 1

    def _pair(self) -> _Item:
        key = self._key()
        self.at = self.text.index("=", self.at) + 1
        return _Item(self._value(), key)

    def _value(self) -> _Value:
        while self.text[self.at] in " \t":
            self.at += 1
        if self.text[self.at] in "[{":
            return self._several(self.text[self.at])
        string = _STRING.match(self.text, self.at)
        found = string or _SCALAR.match(self.text, self.at)
        assert found
        self.at = found.end()
        return _Value(_quoted(tomllib.loads(f"value = {found[0]}")["value"]) if string else found[0].strip())

    def _several(self, opening: str) -> _Value:
        closing = "]" if opening == "[" else "}"
        value = _Value(kind=opening, items=[], left=[])
        self.at += 1
        value.spread = opening == "[" and self._line_ahead() == ""
        above: list[str] = []
        last: _Item | None = None  # the element whose line goes on
        while self.text[self.at] != closing:
            sign = self.text[self.at]
            if sign == "#":
                comment = self._line_ahead()
                self.at = self._end_of_line()
                value.spread = True
                if last is not None:
                    last.behind = comment
                else:
                    above.append(comment)
            elif sign == "\n":
                last = None
                self.at += 1
            elif sign in " \t,":
                self.at += 1
            else:
                last = self._pair() if opening == "{" else _Item(self._value())
                last.above, above = above, []
                value.items.append(last)
        self.at += 1
        value.left = above
        return value


def _first(key: str) -> str:
    return key.partition(".")[0].strip('"')


def _shown_key(key: str) -> str:
    """A key as it is written: bare where that is possible."""
    name = tomllib.loads(f"{key} = 0").popitem()[0]
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


# Writing


def _written(top: list[str], sections: list[_Section]) -> str:
    order = {name: at for at, name in enumerate(book_keys())}
    head, *others = sections
    head.items.sort(key=lambda item: order.get(_first(item.key), len(order)))
    if head.items:
        head.items[0].apart = False
    others.sort(key=lambda section: order.get(section.name, len(order)))
    blocks = [top, *(_section(each) for each in (head, *others))]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _section(section: _Section) -> list[str]:
    """The lines of a section. Its keys are bare, or all in quotes where one must be."""
    lines = [*section.above, *([_behind(section.header, section.behind)] if section.header else [])]
    quoted = any(item.key.startswith('"') for item in section.items)
    for item in section.items:
        if item.apart:
            lines.append("")
        lines += item.above
        key = _quoted(item.key) if quoted and _BARE.fullmatch(item.key) else item.key
        lines += _behind(f"{key} = {_text(item.value, '', len(key) + 3)}", item.behind).split("\n")
    if section.end:
        lines += ["", *section.end] if lines else section.end
    return lines


def _behind(text: str, comment: str) -> str:
    return f"{text}  {comment}" if comment else text


def _text(value: _Value, indent: str, before: int) -> str:
    """A value; a list is spread over lines where it was, where it has comments, and where it is too long for one."""
    line = _line(value)
    spread = value.kind == "[" and value.items and (value.spread or before + len(line or "") > _WIDTH)
    if line is not None and not spread:
        return line
    inner = indent + _INDENT
    lines = ["["]
    for item in value.items:
        lines += [inner + comment for comment in item.above]
        lines.append(inner + _behind(f"{_text(item.value, inner, len(inner) + 1)},", item.behind))
    lines += [inner + comment for comment in value.left]
    return "\n".join((*lines, f"{indent}]"))


def _line(value: _Value) -> str | None:
    """A value on one line; None where a comment in it makes that impossible."""
    if not value.kind:
        return value.text
    found = []
    for item in value.items:
        inner = _line(item.value)
        if inner is None or item.above or item.behind:
            return None
        found.append(f"{item.key} = {inner}" if value.kind == "{" else inner)
    if value.left:
        return None
    if value.kind == "{":
        return f"{{ {', '.join(found)} }}" if found else "{}"
    return f"[{', '.join(found)}]"
