"""Exact numbers as a person reads them. A decimal here is the fraction rounded once, never a float."""

from fractions import Fraction


def decimal(number: Fraction, places: int = 10) -> str:
    """A fraction as a decimal.

    >>> decimal(Fraction(2, 3), 4), decimal(Fraction(-1, 8), 2), decimal(Fraction(0), 2)
    ('0.6667', '-0.12', '0.00')
    """
    scaled = round(number * 10**places)
    digits = f"{abs(scaled):0{places + 1}d}"
    return f"{'-' if scaled < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def percent(number: Fraction, places: int = 4) -> str:
    """A fraction in percent.

    >>> percent(Fraction(43, 415))
    '10.3614%'
    """
    return f"{decimal(number * 100, places)}%"


def exact(number: Fraction) -> str:
    """A fraction in lowest terms; nothing where it is a whole number, which its decimal already tells.

    >>> exact(Fraction(62, 830)), exact(Fraction(0))
    ('31/415', '')
    """
    return "" if number.denominator == 1 else str(number)


def listed(names: list[str]) -> str:
    """Names as a sentence has them; three or more in a row of single letters or digits become a span.

    >>> listed(["A", "B", "C", "D"]), listed(["A", "B", "D"]), listed(["C"])
    ('A to D', 'A, B and D', 'C')
    """
    if len(names) > 2 and all(len(each) == 1 for each in names):
        codes = [ord(each) for each in names]
        if codes == list(range(codes[0], codes[0] + len(codes))):
            return f"{names[0]} to {names[-1]}"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def deck_count(decks: int) -> str:
    """`1 deck`, `8 decks`."""
    return f"{decks} deck{'s' * (decks != 1)}"
