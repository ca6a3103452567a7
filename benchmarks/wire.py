"""HTTP and WebSocket as bytes, so that generating load costs little: no more than the benchmark needs."""

import asyncio
import json
import struct
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound="Wire")


class Wire(asyncio.Protocol):
    """A connection that waits for one thing at a time."""

    def __init__(self, *_: Any) -> None:
        self.transport: asyncio.Transport | None = None
        self.buffer = bytearray()
        self.waiting: asyncio.Future[Any] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        """It is gone."""
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_exception(error or EOFError("the service went away"))

    def wait(self) -> "asyncio.Future[Any]":
        """Wait for the next thing."""
        self.waiting = asyncio.get_running_loop().create_future()
        return self.waiting

    def done(self, value: Any) -> None:
        """It has come."""
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(value)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        assert self.transport is not None
        self.transport.write(data)

    def close(self) -> None:
        """Hang up."""
        if self.transport is not None:
            self.transport.abort()

    async def begin(self) -> None:
        """Whatever comes before the first word."""


async def opened(kind: type[_T], host: str, port: int, *more: Any) -> _T:
    """A new connection."""
    _, made = await asyncio.get_running_loop().create_connection(lambda: kind(*more), host, port)
    await made.begin()
    return made


class Http(Wire):
    """HTTP/1.1 on a connection that is kept: a request, then its answer."""

    async def get(self, path: str) -> int:
        """The status of a GET."""
        self.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        status: int = await self.wait()
        return status

    async def post(self, path: str, token: str, body: bytes) -> int:
        """The status of a POST."""
        head = (
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self.write(head.encode() + body)
        status: int = await self.wait()
        return status

    def data_received(self, data: bytes) -> None:
        """Take what comes."""
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self.buffer[:end]).lower()
        at = head.index(b"content-length:") + 15
        length = int(head[at : (head + b"\r\n").index(b"\r\n", at)])
        if len(self.buffer) >= end + 4 + length:
            status = int(head[9:12])
            self.buffer.clear()
            self.done(status)


class Socket(Wire):
    """A WebSocket without extensions: events go to `heard`, an answer to whoever asked."""

    def __init__(self, path: str, token: str, heard: Callable[[bytes], None] | None = None) -> None:
        super().__init__()
        self._path, self._token, self._heard = path, token, heard
        self._up = False
        self._asked = 0

    async def begin(self) -> None:
        """Go over to WebSocket."""
        head = f"authorization: Bearer {self._token}\r\n" if self._token else ""
        self.write(
            f"GET {self._path} HTTP/1.1\r\nhost: localhost\r\n{head}upgrade: websocket\r\nconnection: Upgrade\r\n"
            "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n".encode()
        )
        await self.wait()

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        """Give a command, and wait for its answer."""
        self._asked += 1
        self._send(1, json.dumps({"key": f"{id(self)}-{self._asked}", "command": command}).encode())
        answer: dict[str, Any] = await self.wait()
        return answer

    def _send(self, kind: int, data: bytes) -> None:
        size = len(data)
        head = (
            struct.pack("!BB", 0x80 | kind, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x80 | kind, 254, size)
        )
        self.write(head + b"\0\0\0\0" + data)  # masked with zeros: as it is

    def data_received(self, data: bytes) -> None:
        """Take what comes."""
        self.buffer += data
        if not self._up:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self.buffer.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(bytes(self.buffer).decode())
            del self.buffer[: end + 4]
            self._up = True
            self.done(None)
        while len(self.buffer) >= 2:
            size, start = self.buffer[1], 2
            if size == 126:
                if len(self.buffer) < 4:
                    return
                size, start = struct.unpack_from("!H", self.buffer, 2)[0], 4
            elif size == 127:
                if len(self.buffer) < 10:
                    return
                size, start = struct.unpack_from("!Q", self.buffer, 2)[0], 10
            if len(self.buffer) < start + size:
                return
            kind, message = self.buffer[0] & 15, bytes(self.buffer[start : start + size])
            del self.buffer[: start + size]
            self._frame(kind, message)

    def _frame(self, kind: int, message: bytes) -> None:
        if kind == 9:
            self._send(10, message)
        elif kind in (1, 2) and message.startswith(b'{"key"'):
            self.done(json.loads(message))
        elif kind in (1, 2) and self._heard is not None:
            self._heard(message)
