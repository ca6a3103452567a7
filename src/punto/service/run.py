"""Running the service: the server, its log as JSON lines, and a stop within five seconds."""

import asyncio
import gc
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import uvicorn
from litestar import Litestar

from punto.service.http.app import build
from punto.service.http.request_head import LimitedHead
from punto.service.keys.master import opened_store
from punto.service.keys.signing import check_signing_key
from punto.service.runtime.dealt_notes import notes_folder
from punto.service.settings import BadSettings, Settings

_STANDARD = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "asctime", "color_message"}
GRACE = 2
"""Seconds that running requests get when the service stops; the rest of the five is for the tables."""

_COLLECTION = (100_000, 50, 100)
"""Thresholds of the garbage collector: tables are values without cycles, so searching them only costs time."""


class JsonLines(logging.Formatter):
    """Formats a log record as a JSON object: time, level, message, and what was added with `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"at": at, "level": record.levelname.lower(), "what": record.getMessage()}
        said |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)


def logs(level: str) -> None:
    """Write the log to standard error, one JSON object a line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    chosen = logging.getLevelNamesMapping()[level.upper()]
    others = max(chosen, logging.INFO)  # at debug, libraries log headers, and so tokens
    logging.basicConfig(level=others, handlers=[handler], force=True)
    logging.getLogger("punto").setLevel(chosen)
    logging.getLogger("uvicorn.access").setLevel("WARNING")  # a path may hold a token
    logging.getLogger("httpx").setLevel("WARNING")


def run(settings: Settings, *, demo: bool = False) -> None:
    """Serve until told to stop; `BadSettings` before anything starts if the settings cannot be used."""
    logs(settings.log_level)
    gc.set_threshold(*_COLLECTION)
    config = served(settings, build(settings, demo=demo))
    try:
        config.load()
    except OSError as error:  # the errors of the TLS library are such
        raise BadSettings(f"The certificate cannot be used: {error}.") from None
    check_signing_key(Path(settings.key_file))
    notes_folder(settings)
    opened_store(settings).close()
    uvicorn.Server(config).run()


def served(settings: Settings, app: Litestar) -> uvicorn.Config:
    """The server's configuration for an application."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=LimitedHead,
        ws="websockets-sansio",
        ws_max_size=settings.largest,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.certificate_key,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
    )


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[uvicorn.Server]:
    """Run the server inside a running loop, for tests."""
    server = uvicorn.Server(served(settings, build(settings)))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        await task
