"""The cards of a rulebook as values: what they count, how many decks there are, and the one that is printed."""

from typing import Literal

import msgspec

from punto.coup import MOST_DECKS, Card
from punto.rulebook.basis import Basis


class CardValue(msgspec.Struct, frozen=True):
    """What some ranks count; `face` means the number on the card, an ace being one."""

    ranks: str
    points: int | Literal["face"]
    basis: Basis
    pairs_clause: str | None


class PrintedCard(msgspec.Struct, frozen=True):
    """A card that is printed on the layout and counts in a hand: it comes from no shoe.

    `place` is the one in which it would have been drawn, counted from 0.
    """

    place: int
    card: Card
    basis: Basis

    def among(self, drawn: tuple[Card, ...]) -> tuple[Card, ...]:
        """Drawn cards with the printed one at its place.

        >>> from punto.coup import card, cards, show
        >>> show(PrintedCard(0, card("7"), Basis()).among(cards("K 2 5")))
        '7 K 2 5'
        """
        return (*drawn[: self.place], self.card, *drawn[self.place :])

    def apart(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The drawn ones of all cards of a coup.

        >>> from punto.coup import card, cards, show
        >>> show(PrintedCard(0, card("7"), Basis()).apart(cards("7 K 2 5")))
        'K 2 5'
        """
        return (*cards[: self.place], *cards[self.place + 1 :])


class Cards(msgspec.Struct, frozen=True):
    """The clauses about card values and hand totals."""

    values: tuple[CardValue, ...]
    clause: str
    to_nine: Basis
    over_nine: Basis
    printed: PrintedCard | None = None


class Decks(msgspec.Struct, frozen=True):
    """How many decks the book allows; no bounds where it does not say."""

    min: int | None
    max: int | None
    basis: Basis
    verified: bool
    named: tuple[int, ...] = ()
    """The numbers, where the book names them one by one."""

    @property
    def counts(self) -> tuple[int, ...]:
        """All numbers of decks that are allowed, of those that can be dealt.

        >>> Decks(4, 8, Basis(), True).counts, Decks(6, 8, Basis(), True, (6, 8)).counts
        ((4, 5, 6, 7, 8), (6, 8))
        """
        return self.named or tuple(range(self.min or 1, min(self.max or MOST_DECKS, MOST_DECKS) + 1))

    def nearest(self, decks: int) -> int:
        """The allowed number of decks that is nearest to a number, the greater of two."""
        return min(reversed(self.counts), key=lambda count: abs(count - decks))

    @property
    def usual(self) -> int:
        """Eight, or the nearest number that is allowed: what is meant where nobody says how many decks."""
        return self.nearest(8)

    @property
    def in_words(self) -> str:
        """`4 to 8`, or `6 or 8`, or `8` alone."""
        if self.named:
            return " or ".join(map(str, self.named))
        return str(self.min) if self.min == self.max else f"{self.min} to {self.max}"

    @property
    def noun(self) -> str:
        """`4 to 8 decks`, or `1 deck`."""
        return f"{self.in_words} deck{'s' * (self.in_words != '1')}"
