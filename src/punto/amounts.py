"""Exact money: whole minor units, read from and written as plain decimal text. No float comes near it."""

import re
from functools import lru_cache

from punto.messages import Sentence, say
from punto.messages.minor_units import OTHER_DIGITS, USUAL, amounts_in, digits_of, show_money, writer_here, writer_of

__all__ = [
    "MOST",
    "OTHER_DIGITS",
    "USUAL",
    "BadAmount",
    "amounts_in",
    "digits_of",
    "money",
    "show_money",
    "writer_here",
    "writer_of",
]

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
def money(text: str, currency: str = USUAL) -> int:
    """Read an amount into minor units of a currency.

    >>> money("100"), money("12.5"), money("100", "VND")
    (10000, 1250, 100)
    >>> money("0.005")
    Traceback (most recent call last):
    punto.amounts.BadAmount: '0.005' is finer than the minor unit, 0.01.
    >>> money("10.50", "JPY")
    Traceback (most recent call last):
    punto.amounts.BadAmount: '10.50' is finer than the minor unit, 1.
    """
    digits = digits_of(currency)
    minor: int = 10**digits
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise BadAmount(_no_amount(text, digits))
    whole, part = found.groups()
    if part is None:
        return int(whole) * minor
    if part[digits:].strip("0"):
        least = show_money(1, currency)
        raise BadAmount(
            say("amount-too-fine", "{text:quoted} is finer than the minor unit, {least}.", text=text, least=least)
        )
    return int(whole) * minor + int(part[:digits].ljust(digits, "0") or 0)


def _no_amount(text: str, digits: int) -> Sentence:
    """What is wrong with text that is not written like an amount."""
    shown = repr(text if len(text) <= 40 else text[:39] + "…")
    like = ["100", "12.50"] if digits else ["100"]
    if text.startswith("-") and _AMOUNT.fullmatch(text[1:]):
        return say("amount-negative", "{text} is negative; write an amount like {like:or}.", text=shown, like=like)
    if text.isascii() and text.isdecimal():
        return say(
            "amount-too-long",
            "{text} is too much: an amount has at most fifteen digits before its point.",
            text=shown,
        )
    return say("no-amount", "{text} is not an amount: write it like {like:or}.", text=shown, like=like)
