"""Numbers of a rulebook file in ranges like `0-5,7-9`, and what is meant by those that are written otherwise."""

import re
from collections.abc import Sequence

_EVERY_OTHER = ("even", "odd")
_BOUND = re.compile(r"(>=|<=|[<>\u2264\u2265])\s*([0-9]{1,2})")


def members_of(value: object, allowed: Sequence[int] | Sequence[str]) -> set[int | str] | None:
    """What an element of a set names; None where it is not among what is allowed."""
    found: set[int | str] = set()
    if isinstance(value, bool):
        found = {"true" if value else "false"}
    elif isinstance(value, str) and isinstance(allowed[0], int):
        found |= _range(value) or set()
    elif isinstance(value, int | str):
        found = {value}
    return found if found and found <= set(allowed) else None


def named_twice(value: object) -> set[int | str]:
    """The numbers that stand in more than one range of a text.

    >>> named_twice("1-3,3-5"), named_twice("1-3,4"), named_twice(7)
    ({3}, set(), set())
    """
    seen: set[int] = set()
    twice: set[int | str] = set()
    for part in value.split(",") if isinstance(value, str) else ():
        numbers = _range(part) or set()
        twice |= seen & numbers
        seen |= numbers
    return twice


def _range(text: str) -> set[int] | None:
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or len(low + high) > 4:
            return None
        numbers = range(int(low), int(high if dash else low) + 1)
        if not numbers:
            return None
        found.update(numbers)
    return found


def range_meant(text: str, most: int) -> str | None:
    """How numbers are written that stand there with another dash, with spaces, backwards, as `2+` or in words.

    None where there are none.

    >>> range_meant("1 \N{EN DASH} 3, 8", 9), range_meant("6-1", 9), range_meant("2+", 6), range_meant("many", 9)
    ('1-3,8', '1-6', '2-6', None)
    >>> range_meant(">7", 9), range_meant("<= 3", 9), range_meant("odd", 6)
    ('8-9', '0-3', '1,3,5')
    """
    if text.strip().lower() in _EVERY_OTHER:
        return ",".join(map(str, range(_EVERY_OTHER.index(text.strip().lower()), most + 1, 2)))
    if bound := _BOUND.fullmatch(text.strip()):
        at = int(bound[2]) + {">": 1, "<": -1}.get(bound[1], 0)
        low, high = (at, most) if bound[1] in (">", ">=", "\u2265") else (0, at)
        return None if low > high else str(low) if low == high else f"{low}-{high}"
    parts = []
    text = re.sub(r"([0-9]+)\s*\+", rf"\1-{most}", text)
    for part in re.sub(r"\s", "", re.sub(r"\s*(?:[\u2010-\u2015\u2212~…]|\.\.+|to)\s*", "-", text)).split(","):
        found = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
        if found is None:
            return None
        numbers = sorted(int(each) for each in found.groups() if each)
        parts.append("-".join(map(str, numbers)))
    return ",".join(parts)
