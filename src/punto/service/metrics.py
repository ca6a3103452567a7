"""Figures for Prometheus: requests and sockets, what became of commands, and how they were committed."""

import time

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Counter, Gauge, Histogram

_REQUESTS = Histogram("punto_request_seconds", "How long requests took.", ("method", "path", "status"))
_SOCKETS = Gauge("punto_sockets", "Sockets that are open.")
_COMMANDS = Counter("punto_commands", "Commands to tables, by what became of them.", ("became",))
ACCEPTED, REFUSED, REPEATED = (_COMMANDS.labels(became) for became in ("accepted", "refused", "repeated"))
COMMITS = Counter("punto_commits", "Commits: commands that arrive together share one.")
_KNOWN: dict[tuple[str, str, int], Histogram] = {}


class Measured(ASGIMiddleware):
    """Counts requests by their path's pattern, and sockets; no name of a table or a person is among it."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """One request or socket."""
        if scope["type"] == ScopeType.WEBSOCKET:
            with _SOCKETS.track_inprogress():
                await next_app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await next_app(scope, receive, watched)
        finally:
            key = (scope["method"], scope["path_template"], status)
            kept = _KNOWN.get(key)
            if kept is None:
                kept = _KNOWN[key] = _REQUESTS.labels(*key)
            kept.observe(time.perf_counter() - began)
