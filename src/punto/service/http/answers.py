"""Answers to the most frequent requests, written without what only rarer ones need."""

from typing import Any, TypeVar

import msgspec
from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

_T = TypeVar("_T")


class PlainJson(Response[_T]):
    """A struct as JSON with the headers of every answer: no cookies, no types of our own, nothing to do afterwards.

    Litestar's own response looks for each of these, and merges headers one by one, each time.
    """

    def to_asgi_response(self, *_: Any, headers: dict[str, str] | None = None, **__: Any) -> ASGIResponse:
        """The answer as it is sent."""
        return _Written(msgspec.json.encode(self.content), self.status_code or 200, headers or {})


class _Written(ASGIResponse):
    """An answer whose head and body are bytes."""

    def __init__(self, body: bytes, status_code: int, headers: dict[str, str]) -> None:
        self.body, self.status_code = body, status_code
        head = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        self._head = [*head, (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]

    def encode_headers(self) -> list[tuple[bytes, bytes]]:
        """The lines of the head."""
        return self._head

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        """Send head and body."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self._head})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
