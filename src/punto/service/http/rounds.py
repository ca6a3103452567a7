"""Routes to the rounds of a table that are over."""

from typing import Any

import msgspec
from litestar import Request, get

from punto.messages import say
from punto.service.accounts.at_table import viewer_of
from punto.service.errors import Unknown
from punto.service.http.authentication import account_of, counted_as, signed_in
from punto.service.http.casino import UsesCasino
from punto.service.http.entries import entry_for
from punto.service.http.errors import refusals
from punto.service.http.openapi import ANYBODY, SIGNED_IN
from punto.service.http.parameters import AfterIfAny, Name, Number
from punto.service.runtime.own_rounds import OwnRounds, own_rounds
from punto.service.runtime.past_rounds import PastRound, rounds_over
from punto.settlement import Line
from punto.table import visible
from punto.table.events import RoundSettled


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


@get("/api/tables/{name:str}/rounds", responses=refusals(400, 404, 429, 503))
async def past_rounds(name: Name, casino: UsesCasino) -> list[PastRound]:
    """The rounds of the shoe in use that are over."""
    return await rounds_over(casino.floor, name)


@get("/api/tables/{name:str}/rounds/{sequence:int}", security=ANYBODY, responses=refusals(400, 403, 404, 429, 503))
async def recall(name: Name, sequence: Number, request: Request[Any, Any, Any], casino: UsesCasino) -> Recalled:
    """A settled round, by the number of the entry that settled it."""
    account = await account_of(request, casino)
    viewer = viewer_of(account, await casino.floor.table(name), name)
    found = await casino.floor.past(name, max(sequence, 1) - 1, 1)
    event = visible(found[0].event, viewer) if found else None
    if not isinstance(event, RoundSettled):
        raise Unknown(say("no-round-by-entry", "No round was settled by entry {sequence}.", sequence=sequence))
    at = entry_for(found[0], viewer).at
    return Recalled(True, found[0].sequence, at, event.winner, *event.cards, event.lines)


@get("/api/tables/{name:str}/own-rounds", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def rounds_of_ones_own(
    name: Name, request: Request[Any, Any, Any], casino: UsesCasino, before: AfterIfAny = None
) -> OwnRounds:
    """One's own rounds at a table over all shoes, with what each has brought: a stretch of the chain at a time."""
    account = await signed_in(request, casino)
    found, entries = await own_rounds(casino.floor, name, account.person, before)
    casino.limits.searched_past(counted_as(request), entries)
    return found


ROUTES = [past_rounds, recall, rounds_of_ones_own]
