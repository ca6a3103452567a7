"""Routes for the staff of a table: their desk, and what the book would do about a fact."""

from typing import Any

from litestar import Request, get, post
from litestar.params import JSONBody

from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by, viewer_of
from punto.service.accounts.tokens import Denied
from punto.service.desk.desk import Desk, Foreseen, desk_of, foreseen
from punto.service.http.authentication import signed_in
from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import SIGNED_IN
from punto.service.http.parameters import Name
from punto.service.runtime.floor import Live
from punto.table import act, commands


@get("/api/tables/{name:str}/desk", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def desk(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> Desk:
    """A table as its staff need it; for nobody else."""
    account, live = await _of_the_staff(request, casino, name)
    assert live.table is not None
    viewer = viewer_of(account, live.table, name)
    assert viewer.name is not None
    return desk_of(live.table, viewer.name, live.sequence)


@post(
    "/api/tables/{name:str}/foresee",
    status_code=200,
    security=SIGNED_IN,
    responses=refusals(400, 403, 404, 409, 413, 503),
)
async def foresee(
    name: Name, data: JSONBody[commands.Report], request: Request[Any, Any, Any], casino: UsesCasino
) -> Foreseen:
    """What the book would do about a fact. Nothing happens; a refusal says what is missing."""
    account, live = await _of_the_staff(request, casino, name)
    table = live.table
    assert table is not None
    *before, report = given_by(account, data, table, name)
    for each in before:
        table, _ = act(table, each)
    return foreseen(table, report)


async def _of_the_staff(request: Request[Any, Any, Any], casino: Casino, name: str) -> tuple[Account, Live]:
    """The account of a request and the table, if it holds a post there; `Denied` if not."""
    account = await signed_in(request, casino)
    live = await casino.floor.live(name)
    assert live.table is not None
    if not viewer_of(account, live.table, name).staff:
        raise Denied("You hold no post at this table.")
    return account, live


ROUTES = [desk, foresee]
