"""Running the service: the server, its logs as JSON lines, and a stop within five seconds."""

import asyncio
import gc
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import uvicorn

from punto.service.app import build
from punto.service.config import Settings

_PLAIN = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "asctime", "color_message"}
STOP = 5
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
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").setLevel("WARNING")  # a path may hold a token
    logging.getLogger("httpx").setLevel("WARNING")


def run(settings: Settings, *, demo: bool = False) -> None:
    """Serve until told to stop."""
    logs(settings.log_level)
    gc.set_threshold(*_RARELY)
    config = uvicorn.Config(
        build(settings, demo=demo),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=STOP,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.certificate_key,
        ws="websockets-sansio",
        ws_max_size=settings.largest,
    )
    uvicorn.Server(config).run()


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[uvicorn.Server]:
    """The server inside a running loop, for tests."""
    config = uvicorn.Config(build(settings), host=settings.host, port=settings.port, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        await task
