"""Figures for Prometheus: requests, connections and sockets, what became of commands, and commits."""

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
_COMMITS_FAILED = Counter("punto_commits_failed", "Commits that failed, or commands that waited too long.", ("why",))
FAILED_COMMITS, LATE_COMMITS = (_COMMITS_FAILED.labels(why) for why in ("failed", "late"))
CONNECTIONS = Gauge("punto_connections", "Connections that are open.")
TURNED_AWAY = Counter("punto_connections_turned_away", "Connections above a limit, by which one.", ("why",))
ENDED = Counter("punto_connections_ended", "Connections that took too long, by what they were late with.", ("late",))


class Measured(ASGIMiddleware):
    """Measures requests by the pattern of their path, and counts sockets; no name of a table or a person is used."""

    def __init__(self) -> None:
        self._children: dict[tuple[str, str, int], Histogram] = {}
        """By method, path and status: the histogram, which Prometheus's client would look up under a lock."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Measure one request, or count one socket while it is open."""
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
            self._child(scope["method"], scope["path_template"], status).observe(time.perf_counter() - began)

    def _child(self, method: str, path: str, status: int) -> Histogram:
        found = self._children.get((method, path, status))
        if found is None:
            found = self._children[method, path, status] = _REQUESTS.labels(method, path, status)
        return found
