"""Running the service: the server, its log, and a stop in time whatever hangs."""

import asyncio
import gc
import json
import logging
import os
import re
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType

import msgspec
import uvicorn
from litestar import Litestar

from punto.interrupts import answered
from punto.journal import Journal
from punto.journal.one_process import one_process
from punto.service.accounts.directory import check_ranks
from punto.service.books import own_library
from punto.service.http.app import build
from punto.service.http.doors import Doors, limits_of, raise_file_limit
from punto.service.http.protocols import DoorsConfig
from punto.service.http.recognised import account_shown
from punto.service.keys.master import opened_store
from punto.service.keys.signing import check_signing_key
from punto.service.limits import RateLimit
from punto.service.listening import listen, port_of
from punto.service.runtime.dealt_notes import notes_folder
from punto.service.settings import BadSettings, Settings, unknown_names

_STANDARD = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "asctime", "color_message"}
GRACE = 2
"""Seconds that running requests get when the service stops; the rest of `stop_seconds` is for the tables."""

_LINES_A_SECOND, _LINES_AT_ONCE = 10, 500
"""Lines of the log that say the same: so many a second for as long as it lasts, and so many at once."""

_NUMBERS = re.compile(r"0x[0-9a-f]+|[0-9]+")
"""What differs in lines that say the same: numbers, and addresses in memory."""

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


class PlainLines(logging.Formatter):
    """Formats a log record for somebody who watches: the time of day, the message, and what was added with `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line; an error's traceback follows it."""
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        added = ", ".join(f"{name} {value}" for name, value in record.__dict__.items() if name not in _STANDARD)
        line = f"{at} {level}{record.getMessage()}" + (f" ({added})" if added else "")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class FewOfAKind(logging.Filter):
    """Leaves lines out where there are too many that say the same: whoever makes the service log fills no disk.

    The next line that says so has their number as `left_out`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._limit = RateLimit(_LINES_A_SECOND, _LINES_AT_ONCE)
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        what = f"{record.levelname} {_NUMBERS.sub('#', str(record.msg))}"
        if not self._limit.has(what):
            self._left_out[what] += 1
            return False
        self._limit.take(what)
        left_out = self._left_out.pop(what, 0)
        if left_out:
            record.left_out = left_out
        return True


def logs(level: str, form: str) -> None:
    """Write the log to standard error: one JSON object a line, or plain lines for a terminal."""
    plain = form == "plain" or (form == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainLines() if plain else JsonLines())
    handler.addFilter(FewOfAKind())
    chosen = logging.getLevelNamesMapping()[level.upper()]
    others = max(chosen, logging.WARNING if plain else logging.INFO)  # at debug, libraries log headers, and so tokens
    logging.basicConfig(level=others, handlers=[handler], force=True)
    logging.getLogger("punto").setLevel(chosen)
    logging.getLogger("uvicorn.access").setLevel("WARNING")  # a path may hold a token
    logging.getLogger("httpx").setLevel("WARNING")
    logging.getLogger("alembic.runtime.plugins").setLevel("WARNING")  # which parts of it there are


class StoppingServer(uvicorn.Server):
    """A server that has ended so many seconds after it is told to, also if the store or the loop hangs."""

    def __init__(self, config: uvicorn.Config, stop_seconds: float) -> None:
        super().__init__(config)
        self._stop_seconds = stop_seconds

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in good order, and without it when the time is over."""
        if not self.should_exit:
            watch = threading.Timer(self._stop_seconds, _end_at_once)
            watch.daemon = True
            watch.start()
        super().handle_exit(sig, frame)


def _end_at_once() -> None:
    logging.getLogger("punto").error("stopped while something hung")
    os._exit(1)


def run(settings: Settings, *, demo: bool = False) -> None:
    """Serve until told to stop; `BadSettings` before anything starts if the settings cannot be used."""
    logs(settings.log_level, settings.log_format)
    for sentence in unknown_names(os.environ):
        logging.getLogger("punto").warning("unknown setting", extra={"why": sentence})
    gc.set_threshold(*_COLLECTION)
    with ExitStack() as held:
        sockets = listen(settings.host, settings.port)
        for each in sockets:
            held.enter_context(each)
        settings = msgspec.structs.replace(settings, port=port_of(sockets[0]))
        config = served(settings, build(settings, demo=demo))
        try:
            config.load()
        except OSError as error:  # the errors of the TLS library are such
            raise BadSettings(f"The certificate cannot be used: {error}.") from None
        check_signing_key(Path(settings.key_file))
        notes_folder(settings)
        journal = Journal(settings.database)
        held.callback(journal.close)
        held.enter_context(one_process(journal))
        with closing(opened_store(settings)) as store:
            check_ranks(store, own_library(settings))
        try:
            StoppingServer(config, settings.stop_seconds).run(sockets)
        except KeyboardInterrupt:  # raised again by the server after everything was put in order
            answered()


def served(settings: Settings, app: Litestar) -> DoorsConfig:
    """The server's configuration for an application."""
    return DoorsConfig(
        app,
        doors=Doors(limits_of(settings, raise_file_limit()), partial(account_shown, app)),
        bytes_a_second=settings.bytes_a_second,
        host=settings.host,
        port=settings.port,
        ws_max_size=settings.largest,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.ping_seconds,
        timeout_keep_alive=settings.idle_seconds,
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
