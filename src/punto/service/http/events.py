"""The route to past events of a table."""

from typing import Any

import msgspec
from litestar import Request, get

from punto.service.accounts.at_table import viewer_of
from punto.service.http.authentication import account_of, counted_as
from punto.service.http.casino import UsesCasino
from punto.service.http.entries import ToldEntry, entry_for, page_of
from punto.service.http.errors import refusals
from punto.service.http.openapi import ANYBODY
from punto.service.http.parameters import After, Name

_MOST_AT_ONCE = 500


class Page(msgspec.Struct):
    """Entries of a chain, marked as a replay of what has been."""

    replay: bool
    last: int
    entries: list[ToldEntry]


@get("/api/tables/{name:str}/events", security=ANYBODY, responses=refusals(400, 403, 404, 429, 503))
async def past_events(name: Name, request: Request[Any, Any, Any], casino: UsesCasino, after: After = 0) -> Page:
    """Up to 500 entries after a number, and up to 512 KiB: a replay of what has been."""
    account = await account_of(request, casino)
    live = await casino.floor.live(name)
    assert live.table is not None
    viewer = viewer_of(account, live.table, name)
    found = page_of(await casino.floor.past(name, after, _MOST_AT_ONCE))
    casino.limits.told_past(counted_as(request), len(found))
    return Page(True, live.sequence, [entry_for(each, viewer) for each in found])


ROUTES = [past_events]
