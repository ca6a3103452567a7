"""Routes for the staff of a table: their desk, and what the book would do about a fact."""

from typing import Any

from litestar import Request, get, post
from litestar.params import JSONBody

from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by, viewer_of
from punto.service.accounts.tokens import Denied
from punto.service.desk.desk import Desk, Foreseen, desk_of, foreseen
from punto.service.http.authentication import COUNTED, signed_in
from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import SIGNED_IN
from punto.service.http.parameters import Name
from punto.service.runtime.live import Live
from punto.table import Viewer, act, commands


@get("/api/tables/{name:str}/desk", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def desk(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> Desk:
    """A table as its staff need it; for nobody else."""
    account = await signed_in(request, casino)
    return desk_for(account, await casino.floor.live(name))


@post(
    "/api/tables/{name:str}/foresee",
    status_code=200,
    security=SIGNED_IN,
    responses=refusals(400, 403, 404, 409, 413, 429, 503),
    opt=COUNTED,
)
async def foresee(
    name: Name, data: JSONBody[commands.Report], request: Request[Any, Any, Any], casino: UsesCasino
) -> Foreseen:
    """What the book would do about a fact. Nothing happens; a refusal says what is missing."""
    account = await signed_in(request, casino)
    casino.limits.commands.take(account.name)
    live = await casino.floor.live(name)
    _staff_viewer(account, live)
    table = live.table
    assert table is not None
    *before, report = given_by(account, data, table, name)
    for each in before:
        table, _ = act(table, each)
    return foreseen(table, report)


def desk_for(account: Account, live: Live) -> Desk:
    """The desk of a table for an account that holds a post there; `Denied` if it holds none."""
    viewer = _staff_viewer(account, live)
    assert live.table is not None
    assert viewer.name is not None
    return desk_of(live.table, viewer.name, live.sequence)


def _staff_viewer(account: Account, live: Live) -> Viewer:
    """As whom an account of the staff looks at a table; `Denied` if it holds no post there."""
    assert live.table is not None
    viewer = viewer_of(account, live.table, live.name)
    if not viewer.staff:
        raise Denied(say("no-post-at-table", "You hold no post at this table."))
    return viewer


ROUTES = [desk, foresee]
