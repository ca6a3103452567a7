"""A kept file altered in one place: what a seal over all of it must notice."""

from collections.abc import Iterator
from typing import Any


def altered(value: Any) -> Iterator[Any]:
    """A value of JSON with one thing changed, left out or added, place by place; of a long list the first and the last.

    >>> list(altered({"seed": 1}))
    [{'seed': 2}, {}, {'seed': 1, 'more': 1}]
    """
    if isinstance(value, dict):
        for key, part in value.items():
            yield from ({**value, key: other} for other in altered(part))
            yield {each: kept for each, kept in value.items() if each != key}
        yield {**value, "more": 1}
    elif isinstance(value, list):
        for at in sorted({0, len(value) - 1} if value else ()):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in altered(value[at]))
        yield [*value, *value[-1:]] if value else [1]
    elif isinstance(value, str):
        yield str(int(value) + 1) if value.lstrip("-").isdigit() else value[:-1] + ("0" if value[-1] != "0" else "1")
        yield f" {value}"
    elif value is not None:
        yield value + 1
