"""What a winning stake earns, and what the house takes of it."""

from fractions import Fraction

import msgspec


class Odds(msgspec.Struct, frozen=True):
    """What a winning stake earns: `numerator` for every `denominator` staked.

    >>> Odds.of("0.95:1").fraction, Odds.of("3:2").in_words
    (Fraction(19, 20), '3 to 2')
    """

    text: str
    numerator: int
    denominator: int

    @classmethod
    def of(cls, text: str) -> "Odds":
        """Read `8:1` or `0.95:1`; anything else is a ValueError."""
        left, colon, right = text.partition(":")
        if not colon or not left.replace(".", "", 1).isdecimal() or not right.isdecimal():
            raise ValueError(f"{text!r} is not odds: write them like 8:1 or 0.95:1.")
        if not int(right) or not Fraction(left):
            raise ValueError(
                f"{text!r} is not odds: neither side may be nothing. "
                'Where the stake comes back, write result = "stand-off".'
            )
        ratio = Fraction(left) / int(right)
        return cls(text, ratio.numerator, ratio.denominator)

    @property
    def fraction(self) -> Fraction:
        """The odds as an exact number."""
        return Fraction(self.numerator, self.denominator)

    @property
    def in_words(self) -> str:
        """As a pay table prints them."""
        return self.text.replace(":", " to ")


class Commission(msgspec.Struct, frozen=True):
    """Commission on what a row wins: its share, the odds before it, and how it is rounded to the chip."""

    share: Fraction
    gross: Odds
    rounding: str

    def of(self, won: int, unit: int) -> int:
        """The commission on an amount won, in whole chips, where it is rounded.

        >>> [Commission(Fraction(1, 20), Odds.of("1:1"), how).of(1050, 25) for how in ("up", "down", "nearest")]
        [75, 50, 50]
        """
        chips, rest = divmod(won * self.share.numerator, self.share.denominator * unit)
        whole = self.share.denominator * unit
        more = {"up": rest > 0, "down": False, "nearest": 2 * rest >= whole}[self.rounding]
        return (chips + more) * unit
