"""Routes for whoever watches over the service: whether the store commits, and figures for Prometheus."""

import asyncio

import msgspec
from litestar import MediaType, Response, get
from litestar.openapi import ResponseSpec
from litestar.plugins.prometheus import PrometheusController

from punto.service.http.authentication import COUNTS_AS
from punto.service.http.casino import UsesCasino
from punto.service.runtime.store_health import WAIT


class Health(msgspec.Struct, omit_defaults=True):
    """Whether the store commits: how many tables there are, or why not."""

    ok: bool
    tables: int | None = None
    why: str | None = None
    guests: bool = False
    sign_in: bool = False
    """Whether the staff may sign in by a provider."""


_AWAY = {503: ResponseSpec(Health, False, "The store does not answer, or takes nothing.")}


@get("/health", media_type=MediaType.JSON, responses=_AWAY)
async def health(casino: UsesCasino) -> Response[Health]:
    """Whether the store takes what it is given; the answer comes within seconds, also if the store does not."""
    trouble = await casino.store_health.trouble()
    if trouble is not None:
        return Response(Health(False, why=trouble), status_code=503)
    try:
        async with asyncio.timeout(WAIT):  # the store may hang after it has committed
            names = await casino.floor.names()
    except TimeoutError:
        return Response(Health(False, why=f"The store has not answered for {WAIT:g} seconds."), status_code=503)
    except ValueError as error:
        return Response(Health(False, why=str(error)), status_code=503)
    return Response(Health(True, len(names), guests=casino.settings.guests, sign_in=casino.sign_in is not None))


class Metrics(PrometheusController):
    """The figures for Prometheus, which are no part of the API."""

    include_in_schema = False
    opt = {COUNTS_AS: 10}  # noqa: RUF012 # as the library has it


ROUTES = [health, Metrics]
