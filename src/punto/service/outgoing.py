"""Requests that the house itself makes: to the addresses of its settings, and nowhere else.

Whoever is asked has so many seconds for the whole answer. The time limit of a socket alone is one for each piece of it:
an answer that comes a byte at a time would never be late.
"""

import http.client
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple


class Unanswered(OSError):
    """Nobody has answered, or not all of it in time. The message says why."""


class OutsideAnswer(NamedTuple):
    """An answer: its status, and its body as far as it was to be read."""

    status: int
    body: bytes


class _Deadline:
    """The moment at which a connection is cut, whatever it is waiting for."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._until, self.over = seconds, time.monotonic() + seconds, False
        self._timer: threading.Timer | None = None
        self._watched: socket.socket | None = None

    def watch(self, connected: socket.socket) -> None:
        """Cut a connection when the time is over, by a socket of our own: TLS takes the first one away."""
        self._watched = connected.dup()
        self._timer = threading.Timer(max(self._until - time.monotonic(), 0), self._cut, [self._watched])
        self._timer.daemon = True
        self._timer.start()

    def _cut(self, connected: socket.socket) -> None:
        self.over = True
        with suppress(OSError):  # it has ended by itself
            connected.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Watch no longer."""
        if self._timer is not None and self._watched is not None:
            self._timer.cancel()
            self._timer.join()  # it may be cutting just now
            self._watched.close()


class _TimedRequest(urllib.request.Request):
    """A request, and until when it is answered."""

    deadline: _Deadline


class _Plain(http.client.HTTPConnection):
    """A connection that is watched as soon as there is one."""

    deadline: _Deadline

    def connect(self) -> None:
        super().connect()
        self.deadline.watch(self.sock)


class _Tls(http.client.HTTPSConnection, _Plain):
    """The same with TLS, which is spoken once `_Plain` has connected: its handshake is watched, too."""


def _connection(kind: type[_Plain], deadline: _Deadline, host: str, **more: Any) -> _Plain:
    made = kind(host, **more)
    made.deadline = deadline
    return made


class _PlainHandler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        assert isinstance(req, _TimedRequest)
        return self.do_open(partial(_connection, _Plain, req.deadline), req)


class _TlsHandler(urllib.request.HTTPSHandler):
    def __init__(self) -> None:
        self._checked = ssl.create_default_context()
        super().__init__(context=self._checked)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        assert isinstance(req, _TimedRequest)
        return self.do_open(partial(_connection, _Tls, req.deadline), req, context=self._checked)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Money, secrets and codes are not sent elsewhere because somebody says so."""

    def redirect_request(self, *_: object) -> None:
        """None: the redirect itself is the answer, and that is not a clear one."""


class Outgoing:
    """Asks without a proxy of the environment and without following redirects.

    Where money goes, whom the house asks who somebody is, and who is shown its journal, is for the settings to say.
    """

    def __init__(self, seconds: float, longest: int) -> None:
        """`seconds` are for a whole answer, of which no more than `longest` bytes are read."""
        self._seconds, self._longest = seconds, longest
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), _NoRedirects(), _PlainHandler(), _TlsHandler()
        )

    def ask(
        self,
        address: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        method: str | None = None,
    ) -> OutsideAnswer:
        """The answer, whatever its status; `Unanswered` if there is none in time. It waits: call it from a thread."""
        deadline = _Deadline(self._seconds)
        try:
            heard = self._heard(_TimedRequest(address, data, dict(headers or {}), method=method), deadline)
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = getattr(error, "reason", error)  # what lies behind the error of the library
            raise Unanswered(self._late() if deadline.over else str(why)) from error
        finally:
            deadline.end()
        if deadline.over:  # what was cut off may look like an answer
            raise Unanswered(self._late())
        return heard

    def _heard(self, asked: _TimedRequest, deadline: _Deadline) -> OutsideAnswer:
        if asked.type not in ("http", "https"):
            raise ValueError(f"{asked.type} is no way to ask somebody")
        asked.deadline = deadline
        try:
            with self._opener.open(asked, timeout=self._seconds) as answer:
                return OutsideAnswer(answer.status, answer.read(self._longest))
        except urllib.error.HTTPError as error:
            with error:
                return OutsideAnswer(error.code, error.read(self._longest))

    def _late(self) -> str:
        return f"not within {self._seconds:g} seconds"
