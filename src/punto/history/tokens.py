"""The smallest pieces of a line: words, whole numbers and exact amounts, each refused with a sentence."""

import re

DIGITS = 12
"""How many digits an amount has before its point, at most, unless the caller says otherwise."""

WORD = re.compile(r"[A-Za-z0-9-]+")
WHOLE = re.compile(r"[0-9]{1,9}")
AMOUNT = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]{1,2}))?")
FORBIDDEN = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Whatever breaks a line or cannot be written as UTF-8; a tab is no more than a space."""


def quote(text: str) -> str:
    """A piece of a line as an error shows it.

    >>> quote("a" * 60)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    return repr(text if len(text) <= 40 else text[:39] + "…")


def word(text: str) -> str:
    """Read a name: letters, digits and hyphens.

    >>> word("player-pair")
    'player-pair'
    >>> word("player_pair")
    Traceback (most recent call last):
    ValueError: 'player_pair' is not a name: write letters a-z or A-Z, digits and hyphens.
    """
    if not WORD.fullmatch(text):
        raise ValueError(f"{quote(text)} is not a name: write letters a-z or A-Z, digits and hyphens.")
    return text


def count(text: str) -> int:
    """Read a whole number, 0 or more.

    >>> count("3")
    3
    """
    if not WHOLE.fullmatch(text):
        raise ValueError(f"{quote(text)} is not a whole number of at most nine digits.")
    return int(text)


def ordinal(text: str) -> int:
    """Read a whole number that counts from 1.

    >>> ordinal("0")
    Traceback (most recent call last):
    ValueError: 0 is too low: this number starts at 1.
    """
    number = count(text)
    if number < 1:
        raise ValueError("0 is too low: this number starts at 1.")
    return number


def amount(text: str, digits: int = DIGITS) -> int:
    """Read an exact amount, at most two decimals, into whole minor units.

    >>> amount("100"), amount("0.5"), amount("-12.50")
    (10000, 50, -1250)
    >>> amount("1.005")
    Traceback (most recent call last):
    ValueError: '1.005' is not an amount: write digits, and at most two after a point, like 100 or 12.50.
    """
    found = AMOUNT.fullmatch(text)
    if not found:
        raise ValueError(
            f"{quote(text)} is not an amount: write digits, and at most two after a point, like 100 or 12.50."
        )
    sign, units, cents = found.groups()
    if len(units) > digits:
        raise ValueError(
            f"{quote(text)} is too long: an amount has at most {digits} digits before its point."
        )
    minor = int(units) * 100 + int((cents or "").ljust(2, "0"))
    return -minor if sign == "-" else minor


def show_amount(minor: int) -> str:
    """Write minor units as `amount` reads them.

    >>> show_amount(10000), show_amount(1250), show_amount(-50)
    ('100', '12.50', '-0.50')
    """
    units, cents = divmod(abs(minor), 100)
    return ("-" if minor < 0 else "") + str(units) + (f".{cents:02}" if cents else "")


def stake(text: str, digits: int = DIGITS) -> int:
    """Read an amount that somebody put down: more than nothing.

    >>> stake("0.50")
    50
    >>> stake("-5")
    Traceback (most recent call last):
    ValueError: '-5' is not a stake: a stake is more than 0.
    """
    minor = amount(text, digits)
    if minor <= 0:
        raise ValueError(f"{quote(text)} is not a stake: a stake is more than 0.")
    return minor


def limit(text: str, digits: int = DIGITS) -> int:
    """Read an amount that a limit may have: not below 0.

    >>> limit("0")
    0
    """
    minor = amount(text, digits)
    if minor < 0:
        raise ValueError(f"{quote(text)} is not a limit: a limit is not below 0.")
    return minor


def patron(text: str) -> str:
    """Read a patron's name: any text without `=`, since the name ends its line.

    >>> patron("Ann = -100")
    Traceback (most recent call last):
    ValueError: 'Ann = -100' is not a patron's name: the name comes last and has no '=' in it.
    """
    if "=" in text:
        raise ValueError(f"{quote(text)} is not a patron's name: the name comes last and has no '=' in it.")
    return text
