"""The service put together: handlers, errors as sentences, headers, metrics, start and stop."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException

from punto.audit import keep_books
from punto.journal import Journal, JournalError, new_key, public_key
from punto.rulebook import Refused
from punto.service.accounts.registry import Accounts, BadAccount, Denied
from punto.service.demo.casino import Demo
from punto.service.devices.feed import Feed
from punto.service.http.desk import DESK
from punto.service.http.openapi import Entries, Metrics, Strict, documented, openapi
from punto.service.http.pushing import screen
from punto.service.http.rate_limit import TooMany
from punto.service.http.reading import AROUND
from punto.service.http.routes import HANDLERS, State, host_of, ours
from punto.service.http.static import PAGES, PRECOMPRESSED, PageFiles
from punto.service.metrics import Measured
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Floor, NotDurable, Unknown
from punto.service.runtime.following import following
from punto.service.runtime.passed_offers import PASSING
from punto.service.runtime.tending import Tending
from punto.service.settings import BadSettings, Settings
from punto.service.training import DRILLS

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
_COMPRESSION = CompressionConfig(backend="gzip", gzip_compress_level=6, exclude_opt_key=PRECOMPRESSED)
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
        await asyncio.to_thread(keep_books, journal)
        floor = Floor(journal)
        accounts = await asyncio.to_thread(Accounts, journal)
        shared["state"] = app.state.casino = State(floor, accounts, settings)
        tending = Tending(floor, settings, await asyncio.to_thread(signing_key, Path(settings.key_file)))
        app.state.tending = tending
        app.state.pages = PageFiles.shipped()
        faces = app.state.faces = Faces(floor)
        feed = app.state.feed = Feed(floor, accounts, faces, settings)
        await tending.start()
        await feed.start()
        show = Demo(shared["state"]) if demo else None
        if show is not None:
            await show.start()
        log.info("open", extra={"database": journal.url.render_as_string(hide_password=True)})
        try:
            async with following(journal, floor):
                yield
        finally:
            if show is not None:
                await show.stop()
            await feed.stop()
            await tending.stop()
            await floor.stop()
            journal.close()
            log.info("closed")

    async def casino() -> State:
        return shared["state"]

    async def our_page(request: Request[Any, Any, Any]) -> None:
        reads, path = request.method in ("GET", "HEAD", "OPTIONS"), request.scope["path"]
        if not reads and not ours(request, settings):
            raise Denied("This page may not speak to the house.")
        if path != "/health" and (reads or path.startswith("/api/drills/")):
            shared["state"].reads.take(host_of(request))

    return Litestar(
        [*documented([*HANDLERS, *AROUND, *DESK, *DRILLS, *PASSING, screen]), *PAGES, Metrics],
        plugins=[Strict(), Entries()],
        lifespan=[life],
        dependencies={"casino": Provide(casino)},
        before_request=our_page,
        exception_handlers={Exception: sentence, HTTPException: fault, RecursionError: too_deep},
        middleware=[Measured()],
        compression_config=_COMPRESSION,
        logging_config=None,
        response_headers=_HEADERS,
        request_max_body_size=settings.largest,
        openapi_config=openapi(),
    )


def sentence(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """What the rules or the service refuse, as a sentence with its clauses; what nobody foresaw is logged."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
    if status == 500:
        log.error("failed", exc_info=error, extra={"path": request.url.path})
        said = {"refused": "Something went wrong here; nothing was changed.", "clauses": []}
        return Response(said, status_code=500, headers=_HEADERS)
    said = {"refused": str(error), "clauses": list(getattr(error, "clauses", ()))}
    return Response(said, status_code=status, headers=_HEADERS)


def fault(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """What is wrong with a request, as a sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    faults = [f"{each.get('key', 'body')}: {each.get('message', '')}" for each in extra if isinstance(each, dict)]
    says = "; ".join(faults) or str(error.detail)
    if says == "data: 'data'":
        says = "The request has no body."
    headers = {**_HEADERS, **(error.headers or {})}
    return Response({"refused": says, "clauses": []}, status_code=error.status_code, headers=headers)


def too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[dict[str, Any]]:
    """A body that goes on and on inwards."""
    said = {"refused": "The request is nested too deeply.", "clauses": []}
    return Response(said, status_code=400, headers=_HEADERS)


def signing_key(file: Path) -> bytes:
    """The key that signs checkpoints; made on first use, readable by its owner only."""
    if not file.exists():
        new = file.with_name(f"{file.name}.{os.getpid()}")
        new.touch(mode=0o600)
        new.write_bytes(new_key())
        with suppress(FileExistsError):  # another process was quicker
            file.hardlink_to(new)
        new.unlink()
    key = file.read_bytes()
    try:
        public_key(key)
    except ValueError:
        raise BadSettings(f"{file} holds no key that signs: it has {len(key)} bytes, and a key has 32.") from None
    return key
