"""Around a table: past rounds, cards held, exact odds now, and what the books say.

Nothing here decides anything; it is what a page shows beside the table.
"""

import asyncio
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from punto.coup import card
from punto.rulebook import Book, Refused, clauses, ids, load, menu
from punto.rulebook.words import cover_in_words
from punto.service.accounts import Denied
from punto.service.api import Me, Name, State, needed, signed_in
from punto.service.faces import Faces
from punto.service.floor import Unknown
from punto.service.seen import seen_since_shuffle
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
    """A settled round as it was paid: the cards, and the lines of the viewer, or of everybody for the staff."""

    sequence: int
    at: str
    winner: str
    player: tuple[str, ...]
    banker: tuple[str, ...]
    lines: dict[str, tuple[Line, ...]]


@get("/api/tables/{name:str}/rounds/{sequence:int}")
async def recall(name: Name, sequence: FromPath[int], request: Request[Any, Any, Any], casino: Casino) -> Recalled:
    """A settled round, by the number of the entry that settled it."""
    account = await signed_in(request, casino)
    staff = account is not None and account.post_at(name) is not None
    found = await casino.floor.past(name, max(sequence, 1) - 1, 1)
    event = found[0].event if found else None
    if not isinstance(event, RoundSettled):
        raise Unknown(f"No round was settled by entry {sequence}.")
    lines = {who: each for who, each in event.lines.items() if staff or (account is not None and account.name == who)}
    at = msgspec.json.decode(found[0].message)["at"]
    return Recalled(found[0].sequence, at, event.winner, *event.cards, lines)


# Cards that one holds alone


@get("/api/tables/{name:str}/held")
async def held(name: Name, request: Request[Any, Any, Any], casino: Casino) -> dict[str, str]:
    """The faces of the cards that one squeezes, by place on the felt; nobody else is told."""
    account = await needed(request, casino)
    faces: Faces = request.app.state.faces
    live = await casino.floor.live(name)
    return {str(at): face for at, face in (await faces.held_by(live, account.name)).items()}


# Odds


@get("/api/tables/{name:str}/odds")
async def live_odds(name: Name, casino: Casino) -> dict[str, Any]:
    """The exact odds of every bet from the cards that nobody has seen this shoe, and of the cover on offer."""
    table = await casino.floor.table(name)
    seen = await seen_since_shuffle(casino.floor, name)
    found = await asyncio.to_thread(_odds_now, table, tuple(seen.cards))
    return {"sequence": seen.sequence, **found}


def _odds_now(table: Table, faces: tuple[str, ...]) -> dict[str, Any]:
    from punto.odds import full_shoe, offer_odds, without

    full = full_shoe(table.setup.decks)
    left, why_not = _left(full, faces)
    now = _bet_odds(table.book.id, table.setup.layout, left)
    fresh = _bet_odds(table.book.id, table.setup.layout, full)
    bets = {
        bet: {**each, "full_per_cent": fresh[bet]["per_cent"], "against_house": each["edge"].startswith("-")}
        for bet, each in now.items()
    }
    offer: dict[str, Any] | None = None
    round = table.running
    if round is not None and round.window is not None and not round.window.drawn:
        felt = [each.face for each in round.cards if each.face is not None]
        try:
            cell = offer_odds(table.book, felt, round.window.hand, without(left, ()))
            offer = {
                "hand": round.window.hand,
                "odds": cell.row.odds.text,
                "win": _per_cent(cell.win),
                "stand_off": _per_cent(cell.stand_off),
                "per_cent": _per_cent(cell.edge),
            }
        except (Refused, ValueError):
            offer = None
    return {"cards": sum(left), "seen": len(faces), "bets": bets, "offer": offer, "why_not": why_not}


def _left(full: tuple[int, ...], faces: Iterable[str]) -> tuple[tuple[int, ...], str | None]:
    """What can still come; where that cannot be told, a full shoe and the reason."""
    from punto.odds import BadShoe, without

    try:
        left = without(full, [card(face) for face in faces])
    except BadShoe as error:
        return full, f"{error} These are the odds of a full shoe."
    if sum(left) < 6:  # a coup may need six
        return full, "Too few cards are left for a round. These are the odds of a full shoe."
    return left, None


@lru_cache(maxsize=256)
def _bet_odds(book: str, layout: str, shoe: tuple[int, ...]) -> dict[str, dict[str, Any]]:
    from punto.odds import bet_odds

    return {
        bet: {"edge": str(each.edge), "per_cent": _per_cent(each.edge), "hit": _per_cent(each.hit)}
        for bet, each in bet_odds(menu(load(book), layout), shoe).items()
    }


def _per_cent(part: Any) -> str:
    return f"{float(part) * 100:.4f}"


# What the books say


@get("/api/books/{book:str}")
async def about_book(book: FromPath[str]) -> dict[str, Any]:
    """A book: what it is called, who approved it, its layouts, ranks and insurance."""
    found = _book(book)
    return {
        "id": found.id,
        "title": found.title,
        "operator": found.operator,
        "approver": found.approver,
        "version": found.version,
        "effective": found.effective.isoformat(),
        "ranks": [list(tier) for tier in found.ranks],
        "layouts": {
            each.id: {
                "title": each.title,
                "clause": each.clause,
                "labels": dict(each.labels),
                "verified": each.verified,
            }
            for each in found.layouts.values()
        },
        "insurance": None
        if found.insurance is None
        else [
            {"when": cover_in_words(row), "odds": row.odds.text, "clause": row.basis.clause}
            for row in found.insurance.rows
        ],
    }


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
