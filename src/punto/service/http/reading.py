"""Around a table: past rounds, cards held, exact odds now, and what the books say.

Nothing here decides anything; it is what a page shows beside the table.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from punto.coup import card
from punto.rulebook import Book, Refused, clauses, ids, load, menu
from punto.rulebook.words import cover_in_words
from punto.service.accounts.registry import Denied
from punto.service.http.routes import Me, Name, Number, State, needed, signed_in
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Unknown
from punto.service.runtime.seen_cards import seen_since_shuffle
from punto.settlement import Line
from punto.table import Table
from punto.table.events import RoundSettled

Casino = NamedDependency[State]


# Who one is


@get("/api/who")
async def who(request: Request[Any, Any, Any], casino: Casino) -> Me | None:
    """Who one is, or nobody: for a page that has yet to find out."""
    try:
        account = await signed_in(request, casino)
    except Denied:
        return None
    if account is None:
        return None
    return Me(account.name, account.kind, {table: held.rank for table, held in account.posts.items()})


# Past rounds


class Recalled(msgspec.Struct):
    """A settled round as it was paid: the cards, and the lines of the viewer, or of everybody for the staff.

    It is marked as a replay of what has been.
    """

    replay: bool
    sequence: int
    at: str
    winner: str
    player: tuple[str, ...]
    banker: tuple[str, ...]
    lines: dict[str, tuple[Line, ...]]


@get("/api/tables/{name:str}/rounds/{sequence:int}")
async def recall(name: Name, sequence: Number, request: Request[Any, Any, Any], casino: Casino) -> Recalled:
    """A settled round, by the number of the entry that settled it."""
    account = await signed_in(request, casino)
    staff = account is not None and account.post_at(name) is not None
    found = await casino.floor.past(name, max(sequence, 1) - 1, 1)
    event = found[0].event if found else None
    if not isinstance(event, RoundSettled):
        raise Unknown(f"No round was settled by entry {sequence}.")
    lines = {who: each for who, each in event.lines.items() if staff or (account is not None and account.name == who)}
    at = msgspec.json.decode(found[0].message)["at"]
    return Recalled(True, found[0].sequence, at, event.winner, *event.cards, lines)


# Cards that one holds alone


@get("/api/tables/{name:str}/held")
async def held(name: Name, request: Request[Any, Any, Any], casino: Casino) -> dict[str, str]:
    """The faces of the cards that one squeezes, by place on the felt; nobody else is told."""
    account = await needed(request, casino)
    faces: Faces = request.app.state.faces
    live = await casino.floor.live(name)
    return {str(at): face for at, face in (await faces.held_by(live, account.name)).items()}


# Odds


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


@get("/api/tables/{name:str}/odds")
async def live_odds(name: Name, casino: Casino) -> OddsNow:
    """The exact odds of every bet from the cards that nobody has seen this shoe, and of the cover on offer."""
    seen = await seen_since_shuffle(casino.floor, name)
    sequence, cards = seen.sequence, tuple(seen.cards)  # as of now: it goes on while the odds are worked out
    return await asyncio.to_thread(_odds_now, await casino.floor.table(name), sequence, cards)


def _odds_now(table: Table, sequence: int, faces: tuple[str, ...]) -> OddsNow:
    from punto.odds import full_shoe, offer_odds, without

    full = full_shoe(table.setup.decks)
    left, why_not = _left(full, faces)
    now = _bet_odds(table.book.id, table.setup.layout, left)
    fresh = _bet_odds(table.book.id, table.setup.layout, full)
    bets = {
        bet: BetNow(edge, per_cent, hit, fresh[bet][1], edge.startswith("-"))
        for bet, (edge, per_cent, hit) in now.items()
    }
    offer: CoverNow | None = None
    round = table.running
    if round is not None and round.window is not None and not round.window.drawn:
        felt = [each.face for each in round.cards if each.face is not None]
        with suppress(Refused, ValueError):
            cell = offer_odds(table.book, felt, round.window.hand, without(left, ()))
            parts = _per_cent(cell.win), _per_cent(cell.stand_off), _per_cent(cell.edge)
            offer = CoverNow(round.window.hand, cell.row.odds.text, *parts)
    return OddsNow(sequence, sum(left), len(faces), bets, offer, why_not)


def _left(full: tuple[int, ...], faces: Iterable[str]) -> tuple[tuple[int, ...], str | None]:
    """What can still come; where that cannot be told, a full shoe and the reason."""
    from punto.odds import BadComposition, without

    try:
        left = without(full, [card(face) for face in faces])
    except BadComposition as error:
        return full, f"{error} These are the odds of a full shoe."
    if sum(left) < 6:  # a coup may need six
        return full, "Too few cards are left for a round. These are the odds of a full shoe."
    return left, None


@lru_cache(maxsize=256)
def _bet_odds(book: str, layout: str, shoe: tuple[int, ...]) -> dict[str, tuple[str, str, str]]:
    """By bet: the edge as a fraction and in per cent, and how often it wins."""
    from punto.odds import bet_odds

    return {
        bet: (str(each.edge), _per_cent(each.edge), _per_cent(each.hit))
        for bet, each in bet_odds(menu(load(book), layout), shoe).items()
    }


def _per_cent(part: Any) -> str:
    return f"{float(part) * 100:.4f}"


# What the books say


class AboutLayout(msgspec.Struct):
    """A layout: what it is called, where it is written, and what its areas say."""

    title: str | None
    clause: str
    labels: dict[str, str]
    verified: bool


class AboutCover(msgspec.Struct):
    """A row of the insurance table: when it applies, in words, and what it pays."""

    when: str
    odds: str
    clause: str | None


class AboutBook(msgspec.Struct):
    """A book: what it is called, who approved it, its layouts, ranks and insurance."""

    id: str
    title: str
    operator: str
    approver: str
    version: str
    effective: str
    ranks: tuple[tuple[str, ...], ...]
    layouts: dict[str, AboutLayout]
    insurance: list[AboutCover] | None


@get("/api/books/{book:str}")
async def about_book(book: FromPath[str]) -> AboutBook:
    """A book: what it is called, who approved it, its layouts, ranks and insurance."""
    found = _book(book)
    layouts = {
        each.id: AboutLayout(each.title, each.clause, dict(each.labels), each.verified)
        for each in found.layouts.values()
    }
    cover = None
    if found.insurance is not None:
        cover = [AboutCover(cover_in_words(row), row.odds.text, row.basis.clause) for row in found.insurance.rows]
    named = found.id, found.title, found.operator, found.approver, found.version, found.effective.isoformat()
    return AboutBook(*named, found.ranks, layouts, cover)


@get("/api/books/{book:str}/clauses")
async def about_clauses(book: FromPath[str], of: FromQuery[str] = "") -> dict[str, str]:
    """What clauses are about, by number; `of` is a list with commas, and nothing means all of them."""
    found = clauses(_book(book).id)
    wanted = [each for each in of.split(",") if each]
    return {each: found[each].summary for each in (wanted or found) if each in found}


def _book(book: str) -> Book:
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    return load(book)


AROUND = [who, recall, held, live_odds, about_book, about_clauses]
