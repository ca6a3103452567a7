"""The application: routes, errors, headers, metrics, and what runs behind it."""

from contextlib import AbstractAsyncContextManager

import msgspec
from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException

from punto.service.accounts.second_factor import ranks_for_factor
from punto.service.books import own_library
from punto.service.http import (
    books,
    commands,
    drills,
    events,
    health,
    money,
    odds,
    oidc,
    own_limits,
    own_sessions,
    reports,
    rounds,
    screen,
    session,
    shoes,
    staff,
    static,
    stream,
    tables,
)
from punto.service.http.authentication import check_request
from punto.service.http.casino import Casino
from punto.service.http.errors import HEADERS, malformed, not_text, refused, too_deep
from punto.service.http.lifespan import running
from punto.service.http.openapi import openapi
from punto.service.metrics import Measured
from punto.service.settings import Settings, check_addresses
from punto.table import COMMANDS

FAMILIES = (
    session,
    oidc,
    own_sessions,
    own_limits,
    tables,
    commands,
    events,
    stream,
    screen,
    rounds,
    shoes,
    odds,
    books,
    staff,
    money,
    reports,
    drills,
    health,
    static,
)
BODIES: tuple[type[msgspec.Struct], ...] = (
    *COMMANDS.values(),
    session.LogIn,
    session.Session,
    money.AskMoney,
    money.SeenTo,
    own_limits.SetOwnLimits,
    own_limits.Pause,
    drills.PayoutAnswer,
    drills.IrregularityAnswer,
)
"""The structs that requests carry in their bodies."""

_COMPRESSION = CompressionConfig(backend="gzip", gzip_compress_level=6, exclude_opt_key=static.COMPRESSED_ALREADY)


def build(settings: Settings, *, demo: bool = False) -> Litestar:
    """The application, ready to be served; a demonstration takes guests and has patrons that play by themselves."""
    if demo:
        settings = msgspec.structs.replace(settings, guests=True, money="play", wallet=None, second_factor=())
        settings = msgspec.structs.replace(settings, oidc_issuer=None, oidc_client_id=None)
    check_addresses(settings)
    ranks_for_factor(settings.second_factor, own_library(settings))  # what cannot be used is told at once

    def life(app: Litestar) -> AbstractAsyncContextManager[None]:
        return running(app, settings, demo=demo)

    async def casino() -> Casino:
        found: Casino = app.state.casino
        return found

    app = Litestar(
        [route for family in FAMILIES for route in family.ROUTES],
        lifespan=[life],
        dependencies={"casino": Provide(casino)},
        before_request=check_request,
        exception_handlers={
            Exception: refused,
            HTTPException: malformed,
            RecursionError: too_deep,
            UnicodeDecodeError: not_text,
        },
        middleware=[Measured()],
        compression_config=_COMPRESSION,
        logging_config=None,
        response_headers=HEADERS,
        request_max_body_size=settings.largest,
        openapi_config=openapi(BODIES),
    )
    return app
