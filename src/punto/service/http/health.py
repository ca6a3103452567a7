"""Routes for whoever watches over the service: whether the store commits, and figures for Prometheus."""

import msgspec
from litestar import MediaType, Response, get
from litestar.openapi import ResponseSpec
from litestar.plugins.prometheus import PrometheusController

from punto.service.http.authentication import COUNTS_AS
from punto.service.http.casino import UsesCasino


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
    tables, settings = casino.store_health.tables, casino.settings
    return Response(Health(True, tables, guests=settings.guests, sign_in=casino.sign_in is not None))


class Metrics(PrometheusController):
    """The figures for Prometheus, which are no part of the API."""

    include_in_schema = False
    opt = {COUNTS_AS: 10}  # noqa: RUF012 # as the library has it


ROUTES = [health, Metrics]
