"""The route to a shoe that has ended, for whoever wants to check it."""

from litestar import get

from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.parameters import Name
from punto.service.runtime.ended_shoes import EndedShoe, last_ended


@get("/api/tables/{name:str}/shoes/last", responses=refusals(400, 404, 429, 503))
async def last_shoe(name: Name, casino: UsesCasino) -> EndedShoe | None:
    """The last shoe that has ended: what was promised of it, its seed, and the cards that left it; null if none has."""
    return await last_ended(casino.floor, name)


ROUTES = [last_shoe]
