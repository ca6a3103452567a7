"""A book with some of its values changed, as the text of a file: a change can be looked at before it is made."""

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from punto.messages import say
from punto.rulebook.toml_writer import write_toml

_PART = re.compile(r"""\.?(?:([A-Za-z0-9_-]+)|"([^"]*)"|\[(\d+)\])""")


class BadChange(ValueError):
    """A change that names no value of the book, or gives none. The message is a sentence."""


def with_changes(source: bytes, changes: Iterable[str]) -> bytes:
    """The text of a book after changes like `pays.main[4].odds="9:1"`: the path of a key, and a value as in TOML.

    A key is named as the loader names it in a fault. Lists are counted from 0.

    >>> from punto.rulebook import parse, source
    >>> book = parse(with_changes(source("wu-song"), ['decks.max=9']), "mine.toml")
    >>> book.decks.max
    9
    """
    data = tomllib.loads(source.decode())
    for change in changes:
        _make(data, change)
    return write_toml(data).encode()


def _make(data: dict[str, Any], change: str) -> None:
    key, equals, value = change.partition("=")
    path = path_of(key.strip())
    if not equals or not path:
        raise BadChange(
            say(
                "change-not-key-and-value",
                "{change:quoted} is no change: write KEY=VALUE, like decks.max=9.",
                change=change,
            )
        )
    at: Any = data
    for part in path[:-1]:
        at = _child(at, part, change)
    _child(at, path[-1], change)
    try:
        at[path[-1]] = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError as error:
        raise BadChange(
            say("change-value-not-toml", "{value:quoted} is no value of TOML: {fault}.", value=value, fault=str(error))
        ) from None


def path_of(key: str) -> list[str | int]:
    """The parts of a key as a fault names it; none where it is no name of a key.

    >>> path_of('pays.main[4]."1-6"')
    ['pays', 'main', 4, '1-6']
    """
    found: list[str | int] = []
    at = 0
    while at < len(key):
        part = _PART.match(key, at)
        if part is None:
            return []
        name, quoted, number = part.groups()
        found.append(int(number) if number else name or quoted)
        at = part.end()
    return found


def _child(at: Any, part: str | int, change: str) -> Any:
    if isinstance(at, dict) and part in at:
        return at[part]
    if isinstance(at, list) and isinstance(part, int) and part < len(at):
        return at[part]
    raise BadChange(say("change-names-nothing", "{change:quoted} names no value of the book.", change=change))
