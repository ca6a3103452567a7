"""Whole minor units of a currency, and how they are written."""

from functools import lru_cache

MINOR = 100
"""Minor units in one unit of currency."""

_SHOWN = 10**40


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
