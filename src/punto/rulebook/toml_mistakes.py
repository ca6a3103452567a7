"""What to write instead of what is not TOML, where it is plain."""

import re

from punto.messages import Sentence, say
from punto.rulebook.other_habits import other_habit

_CURLY = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a\u201b\u2033\u2032\uff02\uff07"
"""Quotes that a word processor writes."""
_UNSEEN = re.compile("[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\u3000\ufeff]")
"""Spaces and marks that look like a space, or like nothing."""
_IN_QUOTES = re.compile(r"""("[^"]*"|'[^']*')""")
_BARE = re.compile(r"""[^\s,=\[\]{}"'#]+""")
_DATE = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}")
_OPEN_TEXT = ("Illegal character '\\n'", "Unterminated string", 'Expected "\'"')
_OPEN_TABLE = ("Unclosed inline table", "Invalid initial character for a key part")
_DECLARED_TWICE = re.compile(r"Cannot (?:declare|mutate immutable namespace) \((.*)\)")
_TWICE_IN_BRACES = re.compile("Duplicate inline table key '(.*)'")
_WORDS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
"""What people write for true and false, without quotes."""


def toml_mistake(text: str, says: str, line: int, column: int) -> Sentence | None:
    r"""What is wrong at a place where a TOML reader stopped for a reason; None where that tells best.

    >>> print(toml_mistake("name = “Tie”", "Invalid value", 1, 8))
    has “ here: write straight quotes, like "Tie".
    >>> print(toml_mistake("odds = 8:1", "Expected newline or end of document after a statement", 1, 9))
    8:1 needs quotes: write "8:1".
    """
    lines = text.split("\n")
    written = lines[line - 1] if line <= len(lines) else ""
    if _is_curly(written, says, column):
        quote = next(each for each in written[column - 1 :] + written if each in _CURLY)
        return say(
            "typographic-quotes", "has {quote} here: write straight quotes, like {like}.", quote=quote, like='"Tie"'
        )
    plain = _IN_QUOTES.sub("", written)
    if unseen := _UNSEEN.search(plain):
        code = f"U+{ord(unseen[0]):04X}"
        return say("unseen-character", "has a character here that is not seen ({code}): delete it.", code=code)
    if plain.partition("#")[0].rstrip().endswith(";"):
        return say("semicolon-at-end", "ends in a semicolon: a line has nothing behind its value.")
    if (habit := other_habit(text, written, plain, says)) is not None:
        return habit
    if says.startswith("Cannot overwrite a value"):
        return _key_twice(lines, line)
    if (declared := _DECLARED_TWICE.match(says)) is not None:
        return say("table-said-twice", "{key} is said in two ways: leave one of them.", key=_dotted(declared[1]))
    if (twice := _TWICE_IN_BRACES.match(says)) is not None:
        return say("key-twice-in-braces", "{key} stands twice within these braces: leave one of them.", key=twice[1])
    if says.startswith(_OPEN_TEXT):
        return say("open-quote", "a text is not closed here: write a quote at its end, on the same line.")
    if says in _OPEN_TABLE and "{" in plain and column > len(written.rstrip()):
        return say("table-on-one-line", "a table in braces stands on one line, and is closed there.")
    return _unquoted(written, column)


def not_a_moment() -> Sentence:
    """That something is not the time from which a book holds."""
    return say("must-be-time-with-zone", "must be a date and time with its zone, like 2024-12-06T08:00:00+08:00.")


def _is_curly(written: str, says: str, column: int) -> bool:
    here = written[column - 1 : column]
    return (here != "" and here in _CURLY) or (says.startswith(_OPEN_TEXT) and any(each in written for each in _CURLY))


def _unquoted(written: str, column: int) -> Sentence | None:
    """That a word stands where a value should, without quotes."""
    if _DATE.match(written.partition("=")[2].strip()):
        return not_a_moment()
    for found in _BARE.finditer(written):
        before = written[: found.start()].rstrip()
        if found.start() < column <= found.end() and before.endswith(("=", "[", ",")):
            word = found[0]
            if word.lower() in _WORDS:
                return say("write-small", "{word} is written {right}.", word=word, right=_WORDS[word.lower()])
            if word.isdecimal():
                return None
            return say("needs-quotes", '{word} needs quotes: write "{word}".', word=word)
    return None


def _dotted(keys: str) -> str:
    """A table as a header names it, of the texts that the reader names it by."""
    return ".".join(each.strip(" '\"") for each in keys.split(",") if each.strip())


def _key_twice(lines: list[str], line: int) -> Sentence | None:
    """That a key stands in one section twice."""
    key = lines[line - 1].partition("=")[0].strip()
    for at in range(line - 1, 0, -1):
        earlier = lines[at - 1]
        if earlier.startswith("["):
            return None
        if key and earlier.partition("=")[0].strip() == key:
            return say("key-twice", "{key} stands here twice: first on line {line}.", key=key, line=at)
    return None
