"""Whole minor units of a currency, and how they are written.

An amount is a whole number of the smallest units that its currency has: cents of a dollar, fils of a dinar, and whole
yen or dong, which have no smaller unit. How many digits that is stands here and nowhere else. Within one table all
amounts are of one currency: whoever speaks for a table says so once (`amounts_in`), and its sentences are written so.
"""

from collections.abc import Callable
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

Writer = Callable[[int], str]
"""How the amounts of a currency are written."""


def _writer(digits: int) -> Writer:
    """How amounts with so many digits after the point are written; what was written once is remembered."""
    unit: int = 10**digits

    @lru_cache(maxsize=65536)
    def written(amount: int) -> str:
        if amount < 0:
            return "-" + written(-amount)
        if amount > _SHOWN:
            return "more than can be counted"
        return f"{amount // unit}.{amount % unit:0{digits}d}" if digits else str(amount)

    return written


_WRITERS = {digits: _writer(digits) for digits in (*_BY_DIGITS, _USUAL_DIGITS)}

_here: ContextVar[Writer] = ContextVar("writer", default=_WRITERS[_USUAL_DIGITS])

writer_here: Callable[[], Writer] = _here.get
"""How amounts are written where no currency is named: in the one of `amounts_in`. For code that writes many."""


def digits_of(currency: str) -> int:
    """How many digits the minor unit of a currency has after the point, by ISO 4217.

    >>> digits_of("SGD"), digits_of("VND"), digits_of("KWD")
    (2, 0, 3)
    """
    return OTHER_DIGITS.get(currency.upper(), _USUAL_DIGITS)


@lru_cache(maxsize=1024)
def writer_of(currency: str) -> Writer:
    """How the amounts of a currency are written.

    >>> writer_of("VND")(50000)
    '50000'
    """
    return _WRITERS[digits_of(currency)]


class amounts_in:  # noqa: N801  # reads as a word: with amounts_in("VND"): ...
    """Within it, amounts are of this currency where none is named; sentences are told with them so.

    >>> with amounts_in("VND"):
    ...     show_money(50000)
    '50000'
    >>> show_money(50000)
    '500.00'
    """

    __slots__ = ("_before", "_writer")

    def __init__(self, currency: str) -> None:
        self._writer = writer_of(currency)

    def __enter__(self) -> None:
        self._before: Token[Writer] = _here.set(self._writer)

    def __exit__(self, *_: object) -> None:
        _here.reset(self._before)


def show_money(amount: int, currency: str | None = None) -> str:
    """Write minor units as an amount, with as many decimals as its currency has.

    >>> show_money(6000), show_money(-5), show_money(6000, "JPY"), show_money(6000, "KWD")
    ('60.00', '-0.05', '6000', '6.000')
    """
    return (writer_here() if currency is None else writer_of(currency))(amount)
