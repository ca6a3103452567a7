"""Routes about tables: the lobby, a table as one sees it, its scoreboard, and the cards that one squeezes."""

from typing import Any

import msgspec
from litestar import Request, get

from punto.amounts import OTHER_DIGITS, digits_of
from punto.roads import Roads
from punto.roads import roads as draw_roads
from punto.service.accounts.at_table import viewer_of
from punto.service.http.authentication import account_of, counted_as, signed_in
from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import ANYBODY, SIGNED_IN
from punto.service.http.parameters import Name
from punto.service.runtime.screens import SeenTable, seen
from punto.service.runtime.timing import now
from punto.settlement import enforced
from punto.table import Table


class OwnPlace(msgspec.Struct):
    """What the viewer has at a table: a box, where they sit at one, chips, and money at stake."""

    box: int | None
    chips: int
    at_stake: int


class Listed(msgspec.Struct):
    """A table in the lobby."""

    name: str
    book: str
    layout: str
    currency: str
    open: bool
    phase: str | None
    round: int | None
    patrons: int
    positions: int
    minimum: int | None
    maximum: int | None
    cards_left: int | None
    results: str
    title: str
    decks: int
    differential: int | None
    digits: int
    """How many digits the minor unit of the currency has after the point."""
    own: OwnPlace | None
    """Where the viewer is, if they are at this table or have money there."""
    titles: dict[str, str]
    """The title of the book in other languages, as it gives them."""


class Snapshot(SeenTable):
    """A table as the viewer sees it, and the time by the house's clock, in milliseconds."""

    now: int


@get("/api/tables", security=ANYBODY, responses=refusals(403, 429, 503))
async def tables(request: Request[Any, Any, Any], casino: UsesCasino) -> list[Listed]:
    """Every table of the house, and what the viewer has there."""
    account = await account_of(request, casino)
    person = account.person if account is not None and account.kind == "patron" else None
    names = await casino.floor.names()
    casino.limits.listed(counted_as(request), len(names))
    return [_listed(name, await casino.floor.table(name), person) for name in names]


def _own(table: Table, person: str | None) -> OwnPlace | None:
    patron = None if person is None else table.patrons.get(person)
    if patron is None or (patron.away and not (patron.balance or patron.held)):
        return None
    return OwnPlace(patron.box, patron.balance, patron.held)


def _listed(name: str, table: Table, person: str | None) -> Listed:
    shoe, round, limits = table.shoe, table.round, enforced(table.book, table.setup.limits)
    return Listed(
        name,
        table.book.id,
        table.setup.layout,
        table.setup.currency,
        table.open,
        None if round is None else round.phase,
        None if round is None else round.number,
        len(table.patrons),
        table.setup.positions,
        limits.minimum,
        limits.maximum,
        None if shoe is None else shoe.left,
        "".join(each.winner[0].upper() for each in shoe.results) if shoe else "",
        table.book.title,
        table.setup.decks,
        limits.differential,
        digits_of(table.setup.currency),
        _own(table, person),
        dict(table.book.titles),
    )


@get("/api/currencies", responses=refusals(429))
async def currencies() -> dict[str, int]:
    """How many digits the minor unit of a currency has, for every one of which it is not a hundredth."""
    return OTHER_DIGITS


@get("/api/tables/{name:str}", security=ANYBODY, responses=refusals(400, 403, 404, 429, 503))
async def snapshot(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> Snapshot:
    """A table as one sees it now."""
    account = await account_of(request, casino)
    live = await casino.floor.live(name)
    assert live.table is not None
    viewer = viewer_of(account, live.table, name).name
    found = seen(live, viewer, casino.settings, casino.accounts.shown_names)
    return Snapshot(**msgspec.structs.asdict(found), now=now())


@get("/api/tables/{name:str}/roads", responses=refusals(400, 404, 429, 503))
async def table_roads(name: Name, casino: UsesCasino) -> Roads:
    """The scoreboard of the shoe in use. It informs; the cards count."""
    table = await casino.floor.table(name)
    return draw_roads(table.shoe.results if table.shoe else ())


@get("/api/tables/{name:str}/held", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def held(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> dict[str, str]:
    """The faces of the cards that one squeezes, by place on the felt; nobody else is told."""
    account = await signed_in(request, casino)
    live = await casino.floor.live(name)
    return {str(at): face for at, face in (await casino.faces.held_by(live, account.person)).items()}


ROUTES = [tables, currencies, snapshot, table_roads, held]
