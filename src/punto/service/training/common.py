"""What all drills share: seeds, limits, layouts and random cards."""

from random import Random
from typing import Annotated

from litestar.params import QueryParameter

from punto.coup import RANKS, SUITS, Card, card
from punto.rulebook import Book, Menu, ids, load, menu
from punto.service.runtime.floor import Unknown
from punto.settlement import Limits

LIMITS = Limits(minimum=10_00, maximum=5_000_00, differential=10_000_00, unit=50)
SEEDS = 2**53
CHOICES = 4
Seed = Annotated[int | None, QueryParameter(ge=0, lt=SEEDS)]


def layout_of(book: str, layout: str | None) -> tuple[Book, Menu]:
    """A book and one of its layouts; `Unknown` if it does not ship."""
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    rules = load(book)
    return rules, menu(rules, layout)


def any_card(chance: Random) -> Card:
    """A random card, independent of those before it."""
    return card(chance.choice(RANKS) + chance.choice(SUITS))
