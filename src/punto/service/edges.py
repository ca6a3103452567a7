"""For the pit: the exact edge of every bet in the next round, given the cards seen since the shuffle."""

import asyncio
from fractions import Fraction
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from litestar import Request, get

from punto.coup import Card, card
from punto.rulebook import load, menu
from punto.service.api import Casino, Name
from punto.service.desk import of_the_staff
from punto.service.floor import Floor, Live
from punto.table.events import BetsOpened, CardsCarried, CardsExposed, Event, FacesCorrected, ShoeLoaded


class Edge(msgspec.Struct):
    """A bet: the house's edge now and from a full shoe, in per cent, and whether it has turned against the house."""

    edge: str
    per_cent: float
    full: float
    against_house: bool


class Edges(msgspec.Struct):
    """Every bet of the layout, for the next round of this shoe."""

    sequence: int
    seen: int
    decks: int
    bets: dict[str, Edge]
    why_not: str | None = None


class Seen:
    """The faces that were shown since the shuffle, each card once."""

    def __init__(self) -> None:
        self.sequence = 0
        self.cards: list[str] = []
        self._round: dict[int, str] = {}

    def take(self, event: Event) -> None:
        """Note what an event shows."""
        if isinstance(event, ShoeLoaded):
            self.cards, self._round = [], {}
        elif isinstance(event, BetsOpened):
            self._round = {}
        elif isinstance(event, CardsExposed):
            for at, face in zip(event.at, event.faces, strict=True):
                self._round[at] = face
                self.cards.append(face)
        elif isinstance(event, FacesCorrected):
            for at, face in zip(event.at, event.faces, strict=True):
                if self._round.get(at) in self.cards:
                    self.cards.remove(self._round[at])
                self._round[at] = face
                self.cards.append(face)
        elif isinstance(event, CardsCarried):
            self.cards += event.seen


_KEPT: WeakKeyDictionary[Live, Seen] = WeakKeyDictionary()


async def seen_since_shuffle(floor: Floor, name: str) -> Seen:
    """What has been seen at a table; only what is new is read."""
    live = await floor.live(name)
    seen = _KEPT.setdefault(live, Seen())
    while seen.sequence < live.sequence:
        for said in await floor.past(name, seen.sequence, 1000):
            if said.sequence == seen.sequence + 1:  # another request may have been quicker
                seen.take(said.event)
                seen.sequence = said.sequence
    return seen


@get("/api/tables/{name:str}/edges")
async def edges(name: Name, request: Request[Any, Any, Any], casino: Casino) -> Edges:
    """The house's edge of every bet in the next round; for the staff."""
    await of_the_staff(request, casino, name)
    table = await casino.floor.table(name)
    seen = await seen_since_shuffle(casino.floor, name)
    setup, shown, sequence = table.setup, tuple(seen.cards), seen.sequence
    try:
        now = await asyncio.to_thread(_edges, setup.book, setup.layout, setup.decks, shown)
    except ValueError as error:
        return Edges(sequence, len(shown), setup.decks, {}, str(error))
    full = await asyncio.to_thread(_edges, setup.book, setup.layout, setup.decks, ())
    bets = {bet: Edge(str(-edge), float(-edge) * 100, float(-full[bet]) * 100, edge > 0) for bet, edge in now.items()}
    return Edges(sequence, len(shown), setup.decks, bets)


@lru_cache(256)
def _edges(book: str, layout: str, decks: int, shown: tuple[str, ...]) -> dict[str, Fraction]:
    """The patron's edge of every bet."""
    from punto.exposure import next_round

    exposed: list[Card] = [card(each) for each in shown]
    return next_round(menu(load(book), layout), exposed, decks)


EDGES = [edges]
