"""The lines that a card-reading shoe sends, as docs/feed.md describes them."""

import re

import msgspec

from punto.coup import BadCards, card

WORDS = ("CARD", "DRAW", "EMPTY", "RESET", "ERROR")
FOREIGN = "??"
"""In the place of a face: the card does not belong to the house."""

_LINE = re.compile(r"([0-9]{1,9})\.([0-9]{1,9}) ([A-Z]{1,10})(?: (.{1,160}))?")


class BadLine(ValueError):
    """A line that does not follow the protocol. The message is a sentence."""


class FeedLine(msgspec.Struct, frozen=True):
    """A numbered line: the device's own count of its shoes, the line within the shoe, a word and the rest."""

    shoe: int
    number: int
    word: str
    rest: str = ""

    @property
    def name(self) -> str:
        """The numbers by which answers name the line."""
        return f"{self.shoe}.{self.number}"


def parse(text: str) -> FeedLine:
    """Read a line, or say what is wrong with it.

    >>> parse("3.17 CARD 6h")
    FeedLine(shoe=3, number=17, word='CARD', rest='6h')
    >>> parse("0.1 CARD 6h")
    Traceback (most recent call last):
    punto.service.devices.protocol.BadLine: Shoes and lines are counted from 1.
    >>> parse("3.18 CARD 1h")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    punto.service.devices.protocol.BadLine: '1h' is not a card: write a rank of A23456789TJQK, ...
    """
    found = _LINE.fullmatch(text)
    if found is None:
        raise BadLine("A line is written like 3.17 CARD 6h: shoe, number, word, and what belongs to it.")
    line = FeedLine(int(found[1]), int(found[2]), found[3], found[4] or "")
    if not line.shoe or not line.number:
        raise BadLine("Shoes and lines are counted from 1.")
    if line.word not in WORDS:
        raise BadLine(f"There is no word {line.word}; they are {', '.join(WORDS)}.")
    if (line.word in ("CARD", "ERROR")) != bool(line.rest):
        raise BadLine(f"{line.word} comes with {'what it is about' if not line.rest else 'nothing more'}.")
    if line.word == "CARD" and line.rest != FOREIGN:
        try:
            return msgspec.structs.replace(line, rest=str(card(line.rest)))
        except BadCards as error:
            raise BadLine(str(error)) from None
    return line
