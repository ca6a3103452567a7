"""Coups of a book: the cards of a shoe, and the one that its layout has in print."""

from punto.coup import BadCards, Card, Coup, check_decks, deal
from punto.coup import cards as read_cards
from punto.messages import say
from punto.rulebook.model import Book


def deal_by(book: Book, cards: str | tuple[Card, ...], decks: int | None = None) -> Coup:
    """Lay drawn cards into a finished coup of a book, with its printed card where it has one.

    >>> from punto.rulebook import load
    >>> deal_by(load("wu-song"), "9 2 K 4").winner
    'player'
    """
    printed = book.cards.printed
    if printed is None:
        return deal(cards, decks)
    drawn = read_cards(cards) if isinstance(cards, str) else cards
    if decks is not None:
        check_decks(drawn, decks)
    try:
        return deal(printed.among(drawn))
    except BadCards as error:
        card = str(printed.card)
        raise BadCards(
            say("printed-card-counts", "{says} The printed card, {card}, is among them.", says=error.says, card=card)
        ) from None
