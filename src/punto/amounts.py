"""Exact money: whole minor units, read from and written as plain decimal text. No float comes near it."""

import re
from functools import lru_cache

from punto.messages import Sentence, say
from punto.messages.minor_units import MINOR, show_money

__all__ = ["MINOR", "MOST", "BadAmount", "money", "show_money"]

MOST = 10**15
"""More minor units than this are no amount at a table: every program reads a number up to here without loss."""

_AMOUNT = re.compile(r"(\d{1,15})(?:\.(\d+))?", re.ASCII)


class BadAmount(ValueError):
    """Text that is no amount of money. `says` is a sentence."""

    def __init__(self, says: Sentence) -> None:
        super().__init__(says)
        self.says = says
        self.message = says.message


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
            raise BadAmount(
                say("amount-negative", "{text} is negative; write an amount like 100 or 12.50.", text=shown)
            )
        if text.isascii() and text.isdecimal():
            raise BadAmount(
                say(
                    "amount-too-long",
                    "{text} is too much: an amount has at most fifteen digits before its point.",
                    text=shown,
                )
            )
        raise BadAmount(say("no-amount", "{text} is not an amount: write it like 100 or 12.50.", text=shown))
    whole, part = found.groups()
    if part is None:
        return int(whole) * MINOR
    if part[2:].strip("0"):
        raise BadAmount(say("amount-too-fine", "{text:quoted} is finer than the minor unit, 0.01.", text=text))
    return int(whole) * MINOR + int(part[:2].ljust(2, "0"))
