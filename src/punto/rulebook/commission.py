"""Commission on what a pay row wins: its share, how it is rounded, and the odds that it leaves."""

from fractions import Fraction

import msgspec

from punto.messages import say
from punto.rulebook.document import TomlTable
from punto.rulebook.model import Row
from punto.rulebook.prices import Commission, Odds

_LONGEST = 12


def read_commission(section: TomlTable) -> Fraction | None:
    """The share of a pay row that is commission, like `5%` or `1/20`; None where it has none."""
    text = section.text("commission", required=False)
    if not text:
        return None
    number, per_cent = text.removesuffix("%"), text.endswith("%")
    try:
        share = Fraction(number) / (100 if per_cent else 1) if len(text) <= _LONGEST else Fraction(0)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share < 1:
        says = say("not-a-commission", "{text:quoted} is no commission: write it like 5%.", text=text[:_LONGEST])
        section.fault("commission", says)
        return None
    if "odds" not in section:
        section.fault("commission", say("commission-without-odds", "goes with odds: it is taken of what is won."))
        return None
    return share


def with_commission(row: Row, share: Fraction | None, rounding: str) -> Row:
    """A row whose odds are what is left after commission; as it is where it wins nothing.

    >>> from punto.rulebook import load
    >>> player = load("commission-insurance").pays["main"][0]
    >>> player.odds.text, with_commission(player, Fraction(1, 20), "exact").odds.text
    ('1:1', '0.95:1')
    """
    if share is None or row.odds is None:
        return row
    commission = Commission(share, row.odds, rounding)
    return msgspec.structs.replace(row, odds=net_odds(row.odds, share), commission=commission)


def net_odds(gross: Odds, share: Fraction) -> Odds:
    """What is left of odds after a share of the winnings: as a decimal to 1 where that is exact.

    >>> net_odds(Odds.of("1:1"), Fraction(1, 20)).text, net_odds(Odds.of("1:3"), Fraction(1, 20)).text
    ('0.95:1', '19:60')
    """
    left = gross.fraction * (1 - share)
    digits = 0
    while digits < _LONGEST and (left * 10**digits).denominator != 1:
        digits += 1
    if digits == _LONGEST:
        return Odds.of(f"{left.numerator}:{left.denominator}")
    whole, rest = divmod(int(left * 10**digits), 10**digits)
    return Odds.of(f"{whole}.{rest:0{digits}}:1" if digits else f"{whole}:1")
