"""Routes for the staff of a table: their desk, and what the book would do about a fact."""

from typing import Any

from litestar import Request, get, post
from litestar.params import JSONBody

from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by, viewer_of
from punto.service.accounts.tokens import Denied
from punto.service.desk.desk import Desk
from punto.service.desk.foreseen import Foreseen, foreseen
from punto.service.http.authentication import COUNTED, signed_in
from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import SIGNED_IN
from punto.service.http.parameters import Name
from punto.service.runtime.live import Live
from punto.table import act, commands


@get("/api/tables/{name:str}/desk", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def desk(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> Desk:
    """A table as its staff need it; for nobody else."""
    account = await signed_in(request, casino)
    live = await casino.floor.live(name)
    viewer = staff_viewer(account, live)
    if not casino.desks.has(live, viewer):
        casino.limits.costly.take(f"account {account.name}")
    return await casino.desks.of(live, viewer)


@post(
    "/api/tables/{name:str}/foresee",
    status_code=200,
    security=SIGNED_IN,
    responses=refusals(400, 403, 404, 409, 413, 429, 503),
    opt=COUNTED,
)
async def foresee(
    name: Name, data: JSONBody[commands.Report | commands.Answer], request: Request[Any, Any, Any], casino: UsesCasino
) -> Foreseen:
    """What the book would do about a fact, or upon an answer. Nothing happens; a refusal says what is missing."""
    account = await signed_in(request, casino)
    casino.limits.commands.take(account.name)
    live = await casino.floor.live(name)
    staff_viewer(account, live)
    table = live.table
    assert table is not None
    *before, command = given_by(account, data, table, name)
    for each in before:
        table, _ = act(table, each)
    return foreseen(table, command)


def staff_viewer(account: Account, live: Live) -> str:
    """As whom an account of the staff looks at a table; `Denied` if it holds no post there."""
    assert live.table is not None
    viewer = viewer_of(account, live.table, live.name)
    if not viewer.staff or viewer.name is None:
        raise Denied(say("no-post-at-table", "You hold no post at this table."))
    return viewer.name


ROUTES = [desk, foresee]
