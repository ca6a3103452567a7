"""A rulebook's TOML written from its data: the same data always give the same bytes."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, time

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}
_WIDEST = 110
_HEADED = ("bets", "pays", "layouts", "offers")
"""Sections in which every entry has a heading of its own."""


def write_toml(data: Mapping[str, object]) -> str:
    r"""The text of a rulebook file. Keys keep their order, but values go before tables, as TOML wants it.

    >>> print(write_toml({"bets": {"tie": {"name": "Tie"}}, "id": "mine"}), end="")
    id = "mine"
    <BLANKLINE>
    [bets.tie]
    name = "Tie"
    """
    plain = {key: value for key, value in data.items() if not _is_section(value)}
    parts = ["".join(_pairs(plain))] if plain else []
    for key, value in data.items():
        if _is_section(value):
            parts += _section(key, value)
    return "\n".join(parts)


def _is_section(value: object) -> bool:
    return isinstance(value, Mapping) or (_is_tables(value) and bool(value))


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def _section(key: str, value: object) -> Iterator[str]:
    """The parts of a section of the file, each with its heading."""
    name = _key(key)
    if isinstance(value, list):
        yield from (f"[[{name}]]\n{''.join(_pairs(each))}" for each in value)
    elif isinstance(value, Mapping) and key in _HEADED and value and all(map(_is_section, value.values())):
        for entry, within in value.items():
            yield from _section_of(f"{name}.{_key(entry)}", within)
    elif isinstance(value, Mapping):
        yield f"[{name}]\n{''.join(_pairs(value))}"


def _section_of(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield f"[{name}]\n{''.join(_pairs(value))}"
    elif isinstance(value, list):
        yield from (f"[[{name}]]\n{''.join(_pairs(each))}" for each in value)


def _pairs(table: Mapping[str, object]) -> Iterator[str]:
    for key, value in table.items():
        line = f"{_key(key)} = {_value(value)}"
        if len(line) > _WIDEST and isinstance(value, list):
            within = "".join(f"    {_value(each)},\n" for each in value)
            line = f"{_key(key)} = [\n{within}]"
        yield f"{line}\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    shown = "".join(
        _ESCAPED.get(each) or (f"\\u{ord(each):04x}" if ord(each) < 0x20 or ord(each) == 0x7F else each)
        for each in text
    )
    return f'"{shown}"'


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | time):  # a date with a time is a date, too
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        within = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {within} }}" if within else "{}"
    return repr(value)
