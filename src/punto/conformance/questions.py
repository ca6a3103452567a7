"""What the rounds of a kit are made of: a question with what it shows, and the coup that meets a pay row."""

from functools import cache, lru_cache
from itertools import islice
from random import Random
from typing import Any

import msgspec

from punto.coup import Card, Coup, deal_from, outcome, show
from punto.explore.coups import coups, few_cards, with_printed
from punto.rulebook import Book, Priced, PrintedCard, Row
from punto.settlement import in_window

Json = dict[str, Any]

_TRIED = 10_000
"""So many coups are tried for a row about single cards, or a late bet, where the shortest coups do not meet it."""


class KitQuestion(msgspec.Struct, frozen=True):
    """A question of a kit, and what of the book it shows."""

    shows: tuple[str, ...]
    ask: Json


def a_round(book: Book, coup: Coup | str, wagers: list[tuple[str, str]], **more: Any) -> Json:
    """The question about a round: its cards, and its wagers as bets and stakes."""
    cards = coup if isinstance(coup, str) else show(drawn_cards(book, coup))
    told = [{"bet": bet, "stake": stake} for bet, stake in wagers]
    return {"round": {"rulebook": book.id, "cards": cards, "wagers": told, "decks": book.decks.nearest(8), **more}}


def drawn_cards(book: Book, coup: Coup) -> tuple[Card, ...]:
    """The cards of a coup that come from the shoe."""
    printed = book.cards.printed
    return coup.cards if printed is None else printed.apart(coup.cards)


@lru_cache(4096)
def coup_of(priced: Priced, row: Row | None) -> Coup | None:
    """The shortest coup in which a bet can be laid and a row is the first to match; for no row, one that loses."""
    found = [coup for coup in coups(priced.printed).values() if _first(priced, coup) is row and in_window(priced, coup)]
    if not found and not priced.plain:
        others = (
            coup for coup in _by_chance(priced.printed) if _first(priced, coup) is row and in_window(priced, coup)
        )
        found = [*islice(others, 1)]
    return min(found, key=lambda coup: len(coup.cards), default=None)


def _first(priced: Priced, coup: Coup) -> Row | None:
    seen = outcome(coup.outcome)
    return next((row for row in priced.rows if row.when.holds(coup, seen)), None)


@cache
def _by_chance(printed: PrintedCard | None) -> tuple[Coup, ...]:
    """Coups of few ranks and suits, always the same ones."""
    chance = Random(0)
    return tuple(deal_from(with_printed(printed, few_cards(chance))) for _ in range(_TRIED))
