"""The bytes of a rulebook file as text and TOML, or the fault for which they are neither."""

import codecs
import re
import tomllib
from typing import Any

from punto.messages import Sentence, say
from punto.rulebook.bookfile import BadBook, Fault
from punto.rulebook.lines import deepest, longest_number, too_many_dots
from punto.rulebook.toml_mistakes import toml_mistake

_OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""The marks that files in other encodings begin with; that of UTF-32 begins with one of UTF-16."""

_LONE_RETURN = re.compile(r"\r(?!\n)")

_LISTS = (r"pays\..+", "irregularity", "expect", r"insurance\.(row|cap-at)", r"layouts\..+\.print")
"""Headers of which a file may have several, each with double brackets."""


def read_text(source: bytes, file: str) -> str:
    """The text of a file; `BadBook` where it is not UTF-8, or begins with a byte order mark."""
    for mark, encoding in _OTHER_ENCODINGS.items():
        if source.startswith(mark):
            says = say("other-encoding", "is {encoding} text: save it as UTF-8.", encoding=encoding)
            raise of_file(file, 1, says)
    if source.startswith(codecs.BOM_UTF8):
        raise of_file(
            file, 1, say("byte-order-mark", "begins with a byte order mark: save it as UTF-8 without one (no BOM).")
        )
    try:
        return source.decode()
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        says = say("not-utf-8", "is not UTF-8 text ({fault}): save it as UTF-8.", fault=error.reason)
        raise of_file(file, line, says) from None


def read_toml(text: str, file: str) -> dict[str, Any]:
    """What a text says; `BadBook` where it is not TOML."""
    dotted = too_many_dots(text)
    if dotted is not None:
        raise _too_deep(file, dotted)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        says, _, where = str(error).removesuffix(" (at end of document)").partition(" (at line ")
        line = int(where.partition(",")[0]) if where[:1].isdecimal() else max(1, len(text.splitlines()))
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise of_file(file, line, say("nul-in-text", "has a NUL byte here: it is no text.")) from None
        if _LONE_RETURN.search(text):
            returned = say("lone-carriage-return", "has a carriage return that ends no line: save it with line feeds.")
            raise of_file(file, text.count("\n", 0, text.index("\r")) + 1, returned) from None
        twice = _header_twice(text, line)
        if twice is not None:
            raise of_file(file, *twice) from None
        instead = toml_mistake(text, says, line, _column(where))
        if instead is not None:
            raise of_file(file, line, instead) from None
        raise of_file(file, line, say("not-toml", "is not TOML: {fault}.", fault=says)) from None
    except ValueError:  # more digits than Python makes a number of
        says = say("number-too-long", "has a number of more digits than can be read.")
        raise of_file(file, longest_number(text), says) from None
    except RecursionError:
        raise nested_too_deeply(text, file) from None


def _column(where: str) -> int:
    """The column of `12, column 8)`; 1 where there is none."""
    column = where.rpartition(" ")[2].rstrip(")")
    return int(column) if column.isdecimal() else 1


def _header_twice(text: str, line: int) -> tuple[int, Sentence] | None:
    """The line and the fault of a header that stands there twice; None where the line has none of these."""
    lines = [each.partition("#")[0].strip() for each in text.splitlines()]
    name = lines[line - 1].strip("[]").strip() if lines[line - 1 : line] else ""
    first = next((at for at, each in enumerate(lines, start=1) if each == f"[{name}]"), None)
    if first is None or not lines[line - 1].startswith("["):
        return None
    if any(re.fullmatch(each, name) for each in _LISTS):
        return first, say(
            "write-double-brackets-each", "must be a list of tables: write [[{name}]] above each of them.", name=name
        )
    if first == line:
        return None
    return line, say("section-twice", "[{name}] stands here twice: first on line {line}.", name=name, line=first)


def nested_too_deeply(text: str, file: str) -> BadBook:
    """The fault of a file that nobody could read for its brackets."""
    return _too_deep(file, deepest(text))


def _too_deep(file: str, line: int) -> BadBook:
    return of_file(file, line, say("nested-too-deeply", "is nested too deeply."))


def of_file(file: str, line: int, says: Sentence) -> BadBook:
    """A fault of the file as a whole: nothing else in it can be looked at."""
    return BadBook([Fault(file, line, "the file", str(says), says.message)])
