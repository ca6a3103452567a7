"""The server's connections, held to the limits of its doors: requests, sockets, and TLS before either."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import uvicorn
import uvloop
from litestar import Litestar
from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from punto.service.http.doors import ALL_TAKEN, Doors
from punto.service.http.gathered import GatheredWrites
from punto.service.http.request_head import LimitedHead
from punto.service.limits import RateLimit, TooMany

ALWAYS_ANSWERED = (b"/health", b"/metrics")
"""What is answered in the reserve, when all other connections are taken."""

_NO_PLACE = {
    ALL_TAKEN: ("503 Service Unavailable", "All connections are taken: try again in a moment."),
    "of one address": ("429 Too Many Requests", "There are too many connections from this address."),
    "of one account": ("429 Too Many Requests", "There are too many connections of this account."),
}
"""Why a connection has no place, and what it is told."""

_MANY_BYTES = ("429 Too Many Requests", "That is too much at once on one connection.")
_MANY_WAITING = ("429 Too Many Requests", "Too many requests were sent before an answer was there.")
_SECONDS_AT_ONCE = 16
"""The bytes of so many seconds may come at once."""

MOST_WAITING = 16
"""Requests of one connection that wait for the answer to an earlier one: each takes memory, however short it is."""

_PIECE = 4096
"""Bytes of a socket that are taken at a time: there may be a frame in every six of them."""

_FRAMES = (50.0, 1000)
"""Frames of a socket that are no message, a second and at once: each takes time, and says nothing."""

_MESSAGE = 512
"""Bytes that every message of a socket takes while it waits, however short it is."""

_MOST_WAITING = 4
"""Messages of the greatest length, or what takes as much room, that wait on a socket."""

_POLICY, _LATER = 1008, 1013
"""The codes of a socket that is closed because it sends too much, and of one that gives way."""

_GIVES_WAY = "All connections are taken, and most of them from here: come back in a moment."


class DoorsConfig(uvicorn.Config):
    """The server's configuration, with its doors."""

    def __init__(self, app: Litestar, *, doors: Doors, bytes_a_second: int, **more: Any) -> None:
        super().__init__(app, http=HttpConnection, ws=SocketConnection, **more)
        self.doors = doors
        self.bytes_a_second = bytes_a_second

    def get_loop_factory(self) -> Callable[[], asyncio.AbstractEventLoop]:
        """A loop in which the TLS handshake of a connection has to be over in the time of a head."""
        if not self.is_ssl:  # a class of our own makes every call to the loop slower
            return uvloop.Loop
        seconds = self.doors.limits.head

        class Loop(uvloop.Loop):
            async def create_server(self, *given: Any, **more: Any) -> Any:
                if more.get("ssl") is not None:
                    more = {"ssl_handshake_timeout": seconds, "ssl_shutdown_timeout": seconds, **more}
                return await super().create_server(*given, **more)

        return Loop


class _Unsent:
    """How long something has been waiting to be sent on a connection."""

    def __init__(self) -> None:
        self._since: float | None = None

    def moved(self) -> None:
        """The other side has taken something."""
        self._since = None

    def waits(self, transport: asyncio.Transport, now: float) -> float:
        """The seconds for which the other side has taken nothing of what waits."""
        if not transport.get_write_buffer_size():
            self._since = None
            return 0.0
        if self._since is None:
            self._since = now
        return now - self._since


def _budget(config: DoorsConfig) -> RateLimit:
    """Bytes that one connection may send."""
    return RateLimit(config.bytes_a_second, _SECONDS_AT_ONCE * config.bytes_a_second, time.monotonic)


class HttpConnection(LimitedHead):
    """A connection that speaks HTTP: it has a time for a head, for a body, and for taking what it is sent."""

    def __init__(self, config: DoorsConfig, *given: Any, **more: Any) -> None:
        super().__init__(config, *given, **more)
        self._doors, self._budget = config.doors, _budget(config)
        self._unsent = _Unsent()
        self._reads: str | None = "head"
        """What of a request has begun to come and is not complete."""
        self._since = 0.0
        self._refusal: tuple[str, str] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as the server has it
        """Come in."""
        super().connection_made(GatheredWrites(transport, self.loop))
        self._since = self.loop.time()
        self._doors.come(self, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._doors.go(self)
        super().connection_lost(exc)

    def overdue(self, now: float) -> str | None:
        """What should have been over by now: a head, a body, or taking the answer."""
        limits = self._doors.limits
        if self._unsent.waits(self.transport, now) > limits.unsent:
            return "answer"
        if self._reads is None or self.transport.is_closing():
            return None
        if self.flow.read_paused:  # it is not let to go on
            self._since = now
        late = now - self._since > (limits.head if self._reads == "head" else limits.body)
        return self._reads if late else None

    def end(self) -> None:
        """Drop the connection."""
        self.transport.abort()

    def give_way(self) -> None:
        """Drop the connection, for its place is another's now."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what has come, if it is not too much."""
        if self.transport.is_closing():
            return
        try:
            self._budget.take("", len(data))
        except TooMany:
            self._refuse(_MANY_BYTES)
            return
        if self._reads is None:
            self._begin("head")
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Refuse a request, for the reason that was found."""
        if self._refusal is None:
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def on_message_begin(self) -> None:
        """A head begins."""
        self._begin("head")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A body begins; without a place only of what is always answered, and nowhere of requests without end."""
        self._begin("body")
        if len(self.pipeline) >= MOST_WAITING:
            self._refusal = _MANY_WAITING
            raise ValueError(_MANY_WAITING[1])  # ends the parser's work on this connection
        if self.url.partition(b"?")[0] not in ALWAYS_ANSWERED:
            why = self._doors.recognise(self, self.headers)
            if why is not None:
                self._refusal = _NO_PLACE[why]
                raise ValueError(self._refusal[1])  # ends the parser's work on this connection
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A request is complete."""
        self._reads = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer is complete; the reserve is for others then."""
        super().on_response_complete()
        if self._doors.in_reserve(self):
            self.transport.close()

    def resume_writing(self) -> None:
        """What was sent has been taken, for the most part."""
        self._unsent.moved()
        super().resume_writing()

    def _begin(self, part: str) -> None:
        self._reads, self._since = part, self.loop.time()

    def _refuse(self, why: tuple[str, str]) -> None:
        """Say why, unless another answer is under way, and close."""
        status, says = why
        if self.cycle is None or self.cycle.response_complete:
            lines = [f"HTTP/1.1 {status}", "content-type: text/plain; charset=utf-8", "retry-after: 5"]
            lines += [f"content-length: {len(says)}", "connection: close", "", says]
            self.transport.write("\r\n".join(lines).encode())
        self.transport.close()


class SocketConnection(WebSocketsSansIOProtocol):
    """A connection that has become a socket: it has a time for being opened, and for taking what it is sent."""

    def __init__(self, config: DoorsConfig, *given: Any, **more: Any) -> None:
        super().__init__(config, *given, **more)
        self._doors, self._budget = config.doors, _budget(config)
        self._frames = RateLimit(*_FRAMES)
        """Frames that are no message: pings, answers to pings, and pieces."""
        self._waiting = 0
        """What waits to be answered, in bytes."""
        self._unsent = _Unsent()
        self._since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Go on in the place of the request by which it was asked for."""
        assert isinstance(transport, GatheredWrites)
        asked_by = transport.get_protocol()
        assert isinstance(asked_by, HttpConnection)
        super().connection_made(transport.flushed())
        self._since = self.loop.time()
        self._doors.go_on(asked_by, self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._doors.go(self)
        super().connection_lost(exc)

    def overdue(self, now: float) -> str | None:
        """What should have been over by now: being opened, or taking what was sent."""
        limits = self._doors.limits
        if self._unsent.waits(self.transport, now) > limits.unsent:
            return "messages"
        opening = not self.handshake_complete and now - self._since > limits.head
        return "handshake" if opening else None

    def end(self) -> None:
        """Drop the connection."""
        self.transport.abort()

    def give_way(self) -> None:
        """Say why, and close at once, whether or not that is taken: the place is another's now."""
        if not self.transport.get_write_buffer_size():
            self._fail(_GIVES_WAY, _LATER)
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what has come, if it is not too much; a little at a time, so that little is done about too much."""
        try:
            self._budget.take("", len(data))
        except TooMany as error:
            self._fail(str(error))
        for at in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + _PIECE])

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._counted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take the answer to a ping."""
        if self._counted():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Take a further piece of a message."""
        if self._counted():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Let a message wait until those before it are answered, if not too much waits."""
        self._waiting += _MESSAGE + sum(map(len, self.frames))
        if self._waiting > _MOST_WAITING * self.config.ws_max_size:
            self.frames = []
            self._fail(_MANY_WAITING[1])
            return
        super().send_receive_event_to_app()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message, when it is there."""
        message = await super().receive()
        if self.queue.empty():
            self._waiting = 0
        return message

    def _counted(self) -> bool:
        """Count a frame that says nothing by itself; False if there were too many."""
        try:
            self._frames.take("")
        except TooMany as error:
            self._fail(str(error))
            return False
        return True

    def _fail(self, why: str, code: int = _POLICY) -> None:
        """Say why, and close."""
        if self.handshake_complete and not self.transport.is_closing():
            self.conn.fail(code, why)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def resume_writing(self) -> None:
        """What was sent has been taken, for the most part."""
        self._unsent.moved()
        super().resume_writing()
