"""Figures that a book expects its bets to have, as somebody printed them."""

from fractions import Fraction

import msgspec

_LONGEST_FIGURE = 30


class Figure(msgspec.Struct, frozen=True):
    """A printed figure: its text, its value, and by how much the exact one may differ by rounding.

    >>> Figure.of("7.6113%").within, Figure.of("0.95").shown(Fraction(1, 3))
    (Fraction(1, 2000000), '0.33')
    """

    text: str
    value: Fraction
    within: Fraction

    @classmethod
    def of(cls, text: str) -> "Figure":
        """Read `7.6113%` or `0.076113`; anything else is a ValueError."""
        number, per_cent = text.removesuffix("%").strip(), text.endswith("%")
        digits = number.removeprefix("-")
        if not digits.replace(".", "", 1).isdecimal() or len(digits) > _LONGEST_FIGURE:
            raise ValueError(f"{text!r} is no figure: write it like 7.6113% or 0.076113.")
        unit = Fraction(1, 10 ** len(digits.partition(".")[2])) / (100 if per_cent else 1)
        return cls(text, Fraction(number) / (100 if per_cent else 1), unit / 2)

    def shown(self, exact: Fraction) -> str:
        """An exact value as this figure is printed."""
        places = len(self.text.removesuffix("%").partition(".")[2])
        return f"{float(exact):.{places}%}" if self.text.endswith("%") else f"{float(exact):.{places}f}"


class ExpectedFigures(msgspec.Struct, frozen=True):
    """Figures that a bet is expected to have with a full shoe, and where they come from."""

    bet: str
    layout: str | None
    decks: int
    figures: tuple[tuple[str, Figure], ...]
    source: str | None
