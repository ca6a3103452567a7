"""Cards: a rank, and a suit where one is known."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from punto.messages import Sentence, say

RANKS = "A23456789TJQK"
SUITS = "cdhs"
CARDS_IN_A_DECK = 52
MOST_DECKS = 12
"""No shoe here has more decks than this."""


class BadCards(ValueError):
    """Cards that are no cards, or that no coup is made of."""

    def __init__(self, says: Sentence) -> None:
        self.says = says
        super().__init__(str(says))


class Card(NamedTuple):
    """One card. The rank runs from 1 (ace) to 13 (king); the suit may be unknown.

    >>> Card(6, "h"), str(Card(10, None)), Card(13, "d").value
    (Card(rank=6, suit='h'), 'T', 0)
    """

    rank: int
    suit: str | None = None

    @property
    def value(self) -> int:
        """What the card adds to a hand, modulo ten: a ten and a picture count nothing."""
        return self.rank if self.rank < 10 else 0

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + (self.suit or "")


def _tokens() -> dict[str, Card]:
    tokens: dict[str, Card] = {}
    for rank, letter in enumerate(RANKS, start=1):
        for name in {letter, letter.lower(), "10" if letter == "T" else letter}:
            tokens[name] = Card(rank)
            for suit in SUITS:
                tokens[name + suit] = tokens[name + suit.upper()] = Card(rank, suit)
    return tokens


_TOKENS = _tokens()
_TEXTS = {each: str(each) for each in _TOKENS.values()}
_ONE_CARD = "(?:10|[A23456789TJQKatjqk])[cdhsCDHS]?"


def card(text: str) -> Card:
    """Read one card, `6h`, `Td` or `10d`; `6` where the suit is not known.

    >>> card("Td")
    Card(rank=10, suit='d')
    >>> card("1h")
    Traceback (most recent call last):
    punto.coup.cards.BadCards: '1h' is not a card: write a rank of A23456789TJQK, then perhaps a suit of cdhs.
    """
    found = _TOKENS.get(text)
    if found is None:
        raise BadCards(
            say(
                "not-a-card",
                "{text:quoted} is not a card: write a rank of {ranks}, then perhaps a suit of {suits}.",
                text=text,
                ranks=RANKS,
                suits=SUITS,
            )
        )
    return found


def cards(text: str) -> tuple[Card, ...]:
    """Read cards divided by spaces, in drawn order.

    >>> [str(each) for each in cards("6h 10 Kd")]
    ['6h', 'T', 'Kd']
    >>> cards("6h,10,Kd")
    Traceback (most recent call last):
    punto.coup.cards.BadCards: '6h,10,Kd' is not a card: write spaces between cards, like '6h T Kd'.
    """
    try:
        return tuple([_TOKENS[token] for token in text.split()])
    except KeyError:
        for token in text.split():
            _check_apart(token)
        return tuple(card(token) for token in text.split())


def _check_apart(text: str) -> None:
    """Refuse several cards with no space between them."""
    if text not in _TOKENS and re.fullmatch(f"{_ONE_CARD}([,;/-]?{_ONE_CARD})+", text):
        meant = show(_TOKENS[each] for each in re.findall(_ONE_CARD, text))
        raise BadCards(
            say(
                "cards-run-together",
                "{text:quoted} is not a card: write spaces between cards, like {meant:quoted}.",
                text=text,
                meant=meant,
            )
        )


def show(hand: Iterable[Card]) -> str:
    """Write cards as `cards` reads them.

    >>> show(cards("10h k"))
    'Th K'
    """
    return " ".join([_TEXTS[each] for each in hand])


def check_decks(drawn: Iterable[Card], decks: int) -> None:
    """Refuse cards that so many decks cannot hold.

    >>> check_decks(cards("6h 6h"), decks=1)
    Traceback (most recent call last):
    punto.coup.cards.BadCards: 6h lies there 2 times, but 1 deck holds it only once.
    """
    drawn = tuple(drawn)
    if len(drawn) <= decks:
        return
    for each, count in Counter(each for each in drawn if each.suit).items():
        if count > decks:
            raise BadCards(_too_often(str(each), count, decks))
    for rank, count in Counter(each.rank for each in drawn).items():
        if count > 4 * decks:
            raise BadCards(_too_many(RANKS[rank - 1], count, decks))


def _too_often(card: str, count: int, decks: int) -> Sentence:
    if decks == 1:
        return say(
            "card-twice-in-a-deck",
            "{card} lies there {count} times, but 1 deck holds it only once.",
            card=card,
            count=count,
        )
    return say(
        "card-too-often",
        "{card} lies there {count} times, but {decks} decks hold it only {decks} times.",
        card=card,
        count=count,
        decks=decks,
    )


def _too_many(rank: str, count: int, decks: int) -> Sentence:
    if decks == 1:
        return say(
            "rank-too-often-in-a-deck", "{rank} lies there {count} times, but 1 deck holds 4.", rank=rank, count=count
        )
    return say(
        "rank-too-often",
        "{rank} lies there {count} times, but {decks} decks hold {held}.",
        rank=rank,
        count=count,
        decks=decks,
        held=4 * decks,
    )
