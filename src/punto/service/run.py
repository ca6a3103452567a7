"""Running the service: the server, its logs as JSON lines, and a stop within five seconds."""

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

from punto.journal import Journal
from punto.service.http.app import build, signing_key
from punto.service.http.head_limit import ShortHeads
from punto.service.settings import BadSettings, Settings

_PLAIN = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "asctime", "color_message"}
GRACE = 2
"""Seconds for requests to end in good order; what is left of the five is for the tables."""

_RARELY = (100_000, 50, 100)
"""Tables are values without cycles: looking for cycles among thousands of them only holds everybody up."""


class JsonLines(logging.Formatter):
    """A log line is a JSON object: time, level, what, and whatever was added."""

    def format(self, record: logging.LogRecord) -> str:
        """One record as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"at": at, "level": record.levelname.lower(), "what": record.getMessage()}
        said |= {name: value for name, value in record.__dict__.items() if name not in _PLAIN}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)


def logs(level: str) -> None:
    """Write the log to standard error, one JSON object a line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    chosen = logging.getLevelNamesMapping()[level.upper()]
    others = max(chosen, logging.INFO)  # below that, libraries write headers down, and tokens with them
    logging.basicConfig(level=others, handlers=[handler], force=True)
    logging.getLogger("punto").setLevel(chosen)
    logging.getLogger("uvicorn.access").setLevel("WARNING")  # a path may hold a token
    logging.getLogger("httpx").setLevel("WARNING")


def run(settings: Settings, *, demo: bool = False) -> None:
    """Serve until told to stop. What cannot be used of the settings is said before anything begins."""
    logs(settings.log_level)
    gc.set_threshold(*_RARELY)
    config = served(settings, build(settings, demo=demo))
    try:
        config.load()
    except OSError as error:  # as those of the TLS library are
        raise BadSettings(f"The certificate cannot be used: {error}.") from None
    signing_key(Path(settings.key_file))
    journal = Journal(settings.database)
    try:
        journal.upgrade()
    finally:
        journal.close()
    uvicorn.Server(config).run()


def served(settings: Settings, app: Litestar) -> uvicorn.Config:
    """How an application is served."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=ShortHeads,
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
    """The server inside a running loop, for tests."""
    server = uvicorn.Server(served(settings, build(settings)))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        await task
