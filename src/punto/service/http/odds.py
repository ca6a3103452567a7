"""Routes to exact odds: of a book with a full shoe, and of a table with the cards that nobody has seen."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from punto.coup import card
from punto.messages import Message, Sentence, say
from punto.rulebook import Refused, menu
from punto.service.books import Edition, in_use
from punto.service.http.books import DIGEST_HEADER, digest_of
from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.parameters import Name
from punto.service.runtime.seen_cards import seen_since_shuffle
from punto.table import Table

# punto.odds is imported by the functions that use it: Numba takes about a second, and a start need not wait for it.

_MOST_CARDS = 6
"""Cards that a coup may need."""


class Edge(msgspec.Struct):
    """The edge of the house, as a fraction and in per cent."""

    edge: str
    per_cent: str


class BetNow(msgspec.Struct):
    """The exact odds of a bet: the edge of the house as a fraction, the rest in per cent."""

    edge: str
    per_cent: str
    hit: str
    full_per_cent: str
    against_house: bool


class CoverNow(msgspec.Struct):
    """The exact odds of the cover on offer, in per cent."""

    hand: str
    odds: str
    win: str
    stand_off: str
    per_cent: str


class OddsNow(msgspec.Struct):
    """The odds as of an entry: how many cards are left and were seen, and why they are those of a full shoe if so."""

    sequence: int
    cards: int
    seen: int
    bets: dict[str, BetNow]
    offer: CoverNow | None
    why_not: str | None
    message: Message | None
    """Why they are those of a full shoe, for other languages."""


class _BetOdds(msgspec.Struct, frozen=True):
    """A bet's edge as a fraction and in per cent, and how often it wins."""

    edge: str
    per_cent: str
    hit: str


@get("/api/books/{book:str}/odds", response_headers=[DIGEST_HEADER], responses=refusals(400, 404, 409, 429))
async def book_odds(
    book: FromPath[str],
    casino: UsesCasino,
    layout: FromQuery[str | None] = None,
    decks: Annotated[int | None, QueryParameter(ge=1, le=12)] = None,
) -> Response[dict[str, Edge]]:
    """The exact house edge of every bet with a full shoe, as fractions and per cent."""
    rules = in_use(casino.floor.library, book)
    found = await casino.work_out(
        _full_shoe_edges, Edition.of(rules), layout, rules.decks.usual if decks is None else decks
    )
    return Response(found, headers=digest_of(rules))


@get("/api/tables/{name:str}/odds", responses=refusals(400, 404, 429, 503))
async def live_odds(name: Name, casino: UsesCasino) -> OddsNow:
    """The exact odds of every bet from the cards that nobody has seen this shoe, and of the cover on offer."""
    seen = await seen_since_shuffle(casino.floor, name)
    sequence, cards = seen.sequence, tuple(seen.cards)  # a copy: play goes on while the odds are worked out
    table = await casino.floor.table(name)
    return await casino.work_out(_odds_now, table, sequence, cards)


def _full_shoe_edges(book: Edition, layout: str | None, decks: int) -> dict[str, Edge]:
    from punto.odds import full_shoe

    found = _bet_odds(book, layout, full_shoe(decks))
    return {bet: Edge(each.edge, each.per_cent) for bet, each in found.items()}


def _odds_now(table: Table, sequence: int, faces: tuple[str, ...]) -> OddsNow:
    from punto.odds import full_shoe

    full = full_shoe(table.setup.decks, by_suit=table.menu.by_suit)
    left, why_not = _left(full, faces)
    book = Edition.of(table.book)
    now = _bet_odds(book, table.setup.layout, left)
    fresh = _bet_odds(book, table.setup.layout, full)
    bets = {
        bet: BetNow(each.edge, each.per_cent, each.hit, fresh[bet].per_cent, each.edge.startswith("-"))
        for bet, each in now.items()
    }
    says, message = (None, None) if why_not is None else (str(why_not), why_not.message)
    return OddsNow(sequence, sum(left), len(faces), bets, _cover_now(table, left), says, message)


def _cover_now(table: Table, left: tuple[int, ...]) -> CoverNow | None:
    """The odds of the cover on offer, where one is and the cards tell them."""
    from punto.odds import offer_odds, without

    round = table.running
    if round is None or round.window is None or round.window.drawn:
        return None
    hand = round.window.hand
    felt = [each.face for each in round.cards if each.face is not None]
    with suppress(Refused, ValueError):
        cell = offer_odds(table.book, felt, hand, without(left, ()))
        return CoverNow(hand, cell.row.odds.text, _per_cent(cell.win), _per_cent(cell.stand_off), _per_cent(cell.edge))
    return None


def _left(full: tuple[int, ...], faces: Iterable[str]) -> tuple[tuple[int, ...], Sentence | None]:
    """The cards that can still come; where that cannot be told, a full shoe and the reason."""
    from punto.odds import BadComposition, without

    try:
        left = without(full, [card(face) for face in faces])
    except BadComposition as error:
        return full, _full(Sentence(str(error), error.message))
    if sum(left) < _MOST_CARDS:
        return full, _full(say("too-few-for-round", "Too few cards are left for a round."))
    return left, None


def _full(why: Sentence) -> Sentence:
    return say("odds-of-full-shoe", "{why} These are the odds of a full shoe.", why=why)


@lru_cache(maxsize=512)
def _bet_odds(book: Edition, layout: str | None, shoe: tuple[int, ...]) -> dict[str, _BetOdds]:
    """The odds of every bet of a book's layout."""
    from punto.odds import bet_odds

    return {
        bet: _BetOdds(str(each.edge), _per_cent(each.edge), _per_cent(each.hit))
        for bet, each in bet_odds(menu(book.book, layout), shoe).items()
    }


def _per_cent(part: Any) -> str:
    return f"{float(part) * 100:.4f}"


ROUTES = [book_odds, live_odds]
