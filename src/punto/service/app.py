"""The service put together: handlers, errors as sentences, headers, metrics, start and stop."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.plugins.prometheus import PrometheusConfig, PrometheusController

from punto.journal import Journal, JournalError, new_key
from punto.rulebook import Refused
from punto.service.accounts import Accounts, BadAccount, Denied
from punto.service.api import HANDLERS, State
from punto.service.config import Settings
from punto.service.demo import Demo
from punto.service.floor import Floor, NotDurable, Unknown
from punto.service.following import Listener
from punto.service.limits import TooMany
from punto.service.tending import Tending

log = logging.getLogger("punto")
_STATUS: dict[type[Exception], int] = {
    Refused: 409,
    Denied: 403,
    Unknown: 404,
    TooMany: 429,
    NotDurable: 503,
    JournalError: 503,
    BadAccount: 400,
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def build(settings: Settings, *, demo: bool = False) -> Litestar:
    """The application, ready to be served; with patrons that play by themselves if it is a demonstration."""
    shared: dict[str, State] = {}

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        journal = Journal(settings.database)
        await asyncio.to_thread(journal.upgrade)
        floor = Floor(journal)
        accounts = await asyncio.to_thread(Accounts, journal)
        shared["state"] = app.state.casino = State(floor, accounts, settings)
        listener = Listener(journal, floor)
        tending = Tending(floor, settings, await asyncio.to_thread(signing_key, Path(settings.key_file)))
        app.state.tending = tending
        await listener.start()
        await tending.start()
        show = Demo(shared["state"]) if demo else None
        if show is not None:
            await show.start()
        log.info("open", extra={"database": journal.url.render_as_string(hide_password=True)})
        try:
            yield
        finally:
            if show is not None:
                await show.stop()
            await tending.stop()
            await listener.stop()
            await floor.stop()
            journal.close()
            log.info("closed")

    async def casino() -> State:
        return shared["state"]

    metrics = PrometheusConfig(app_name="punto", prefix="punto", group_path=True)
    return Litestar(
        [*HANDLERS, PrometheusController],
        lifespan=[life],
        dependencies={"casino": Provide(casino)},
        exception_handlers={ValueError: sentence, HTTPException: fault},
        middleware=[metrics.middleware],
        logging_config=None,
        response_headers=_HEADERS,
        request_max_body_size=settings.largest,
        openapi_config=OpenAPIConfig(title="Punto", version="1", path="/api/schema"),
    )


def sentence(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """What the rules or the service refuse, as a sentence with its clauses."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
    if status == 500:
        log.exception("failed", extra={"path": request.url.path})
        return Response({"refused": "Something went wrong here; nothing was changed."}, status_code=500)
    said = {"refused": str(error), "clauses": list(getattr(error, "clauses", ()))}
    return Response(said, status_code=status)


def fault(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """What is wrong with a request, as a sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    faults = [f"{each.get('key', 'body')}: {each.get('message', '')}" for each in extra if isinstance(each, dict)]
    says = "; ".join(faults) or str(error.detail)
    return Response({"refused": says, "clauses": []}, status_code=error.status_code)


def signing_key(file: Path) -> bytes:
    """The key that signs checkpoints; made on first use, readable by its owner only."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_bytes(new_key())
    return file.read_bytes()
