"""Whole minor units of a currency, and how they are written.

An amount is a whole number of the smallest units that its currency has: cents of a dollar, fils of a dinar, and whole
yen or dong, which have no smaller unit. How many digits that is stands here and nowhere else. Within one table all
amounts are of one currency: whoever speaks for a table says so once (`amounts_in`), and its sentences are written so.
"""

from contextvars import ContextVar, Token
from functools import lru_cache

USUAL = "USD"
"""The currency where none is named."""

_USUAL_DIGITS = 2

_BY_DIGITS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""The currencies of ISO 4217 whose minor unit is not a hundredth, by the digits that it has."""

OTHER_DIGITS = {code: digits for digits, codes in _BY_DIGITS.items() for code in codes.split()}
"""The same by their codes; every other currency has two."""

_SHOWN = 10**40

_digits: ContextVar[int] = ContextVar("digits", default=_USUAL_DIGITS)


def digits_of(currency: str) -> int:
    """How many digits the minor unit of a currency has after the point, by ISO 4217.

    >>> digits_of("SGD"), digits_of("VND"), digits_of("KWD")
    (2, 0, 3)
    """
    return OTHER_DIGITS.get(currency.upper(), _USUAL_DIGITS)


class amounts_in:  # noqa: N801  # reads as a word: with amounts_in("VND"): ...
    """Within it, amounts are of this currency where none is named; sentences are told with them so.

    >>> with amounts_in("VND"):
    ...     show_money(50000)
    '50000'
    >>> show_money(50000)
    '500.00'
    """

    __slots__ = ("_before", "_here")

    def __init__(self, currency: str) -> None:
        self._here = digits_of(currency)

    def __enter__(self) -> None:
        self._before: Token[int] = _digits.set(self._here)

    def __exit__(self, *_: object) -> None:
        _digits.reset(self._before)


def show_money(amount: int, currency: str | None = None) -> str:
    """Write minor units as an amount, with as many decimals as its currency has.

    >>> show_money(6000), show_money(-5), show_money(6000, "JPY"), show_money(6000, "KWD")
    ('60.00', '-0.05', '6000', '6.000')
    """
    return _written(amount, _digits.get() if currency is None else digits_of(currency))


@lru_cache(maxsize=65536)
def _written(amount: int, digits: int) -> str:
    if amount < 0:
        return "-" + _written(-amount, digits)
    if amount > _SHOWN:
        return "more than can be counted"
    if not digits:
        return str(amount)
    whole, part = divmod(amount, 10**digits)
    return f"{whole}.{part:0{digits}d}"
