"""Exact money: whole minor units, read from and written as plain decimal text. No float comes near it."""

import re
from functools import lru_cache

MINOR = 100
"""Minor units in one unit of currency."""

MOST = 10**15
"""More minor units than this are no amount at a table: every program reads a number up to here without loss."""

_SHOWN = 10**40
_AMOUNT = re.compile(r"(\d{1,15})(?:\.(\d+))?", re.ASCII)


class BadAmount(ValueError):
    """Text that is no amount of money. The message is a sentence."""


@lru_cache(maxsize=65536)
def money(text: str) -> int:
    """Read an amount into minor units.

    >>> money("100"), money("12.5")
    (10000, 1250)
    >>> money("0.005")
    Traceback (most recent call last):
    punto.amounts.BadAmount: '0.005' is finer than the minor unit, 0.01.
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        shown = repr(text if len(text) <= 40 else text[:39] + "…")
        if text.startswith("-") and _AMOUNT.fullmatch(text[1:]):
            raise BadAmount(f"{shown} is negative; write an amount like 100 or 12.50.")
        if text.isascii() and text.isdecimal():
            raise BadAmount(f"{shown} is too much: an amount has at most fifteen digits before its point.")
        raise BadAmount(f"{shown} is not an amount: write it like 100 or 12.50.")
    whole, part = found.groups()
    if part is None:
        return int(whole) * MINOR
    if part[2:].strip("0"):
        raise BadAmount(f"{text!r} is finer than the minor unit, 0.01.")
    return int(whole) * MINOR + int(part[:2].ljust(2, "0"))


@lru_cache(maxsize=65536)
def show_money(amount: int) -> str:
    """Write minor units as an amount with two decimals.

    >>> show_money(6000), show_money(-5)
    ('60.00', '-0.05')
    """
    if amount < 0:
        return "-" + show_money(-amount)
    if amount > _SHOWN:
        return "more than can be counted"
    return f"{amount // MINOR}.{amount % MINOR:02d}"
