"""Routes about one's own sessions: where one is logged in, and ending one of them."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get
from litestar.params import PathParameter

from punto.service.http.authentication import COUNTED, signed_in, token_of
from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import DONE, SIGNED_IN

SessionId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{16}$(?!\n)", description="The session.")]


class OpenSession(msgspec.Struct):
    """A session: when it began, about when it was last used, until when it is good, from where and how one logged in.

    `present` is the one that asks.
    """

    id: str
    since: str
    seen: str
    until: str
    place: str
    way: str
    present: bool


@get("/api/sessions", security=SIGNED_IN, responses=refusals(403, 429, 503))
async def sessions(request: Request[Any, Any, Any], casino: UsesCasino) -> list[OpenSession]:
    """One's own sessions that are good, the latest first."""
    await signed_in(request, casino)
    own, found = await casino.floor.ask_store(casino.accounts.own_sessions, token_of(request) or "")
    return [
        OpenSession(each.id, _at(each.since), _at(each.seen), _at(each.until), each.place, each.way, each.id == own)
        for each in found
    ]


@delete(
    "/api/sessions/{session:str}",
    status_code=204,
    security=SIGNED_IN,
    responses={**DONE, **refusals(400, 403, 404, 429, 503)},
    opt=COUNTED,
)
async def end_session(session: SessionId, request: Request[Any, Any, Any], casino: UsesCasino) -> Response[None]:
    """End one of one's own sessions: its token is worthless from now on."""
    name = (await signed_in(request, casino)).name
    casino.limits.commands.take(name)
    await casino.floor.ask_store(partial(casino.accounts.end_session, session, name=name, by=name))
    return Response(None)


def _at(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


ROUTES = [sessions, end_session]
