"""Limits on the head of a request and the pieces of its body, which the server itself does not have."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 64 * 1024
_TOO_LONG = "The head of the request is too long."
_LINE = 256
"""Bytes that every line of a head counts for at least: a line takes time, however short it is."""

_PIECES, _BYTES_A_PIECE = 1024, 1024
"""Pieces in which a body may come: so many, and one more for so many bytes."""


class LimitedHead(HttpToolsProtocol):
    """A connection that is closed when a request's head, or the trailer after its body, is too long.

    And so it is when a body comes in too many pieces.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._unparsed = 0
        """Bytes received since the parser last finished a head, a piece of a body or a message."""
        self._head = 0
        """Bytes of the present head that were parsed."""
        self._pieces = self._body = 0
        """Pieces of the present body, and their bytes."""

    def data_received(self, data: bytes) -> None:
        """Count what has come, and refuse a head that never ends."""
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > LONGEST and not self.transport.is_closing():
            self.send_400_response(_TOO_LONG)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request or too long; in the middle of an answer, only close."""
        if self._head <= LONGEST and self._unparsed <= LONGEST:
            super().send_400_response(msg)
            return
        if self.cycle is None or self.cycle.response_complete:
            lines = ["HTTP/1.1 431 Request Header Fields Too Large", "content-type: text/plain; charset=utf-8"]
            lines += [f"content-length: {len(_TOO_LONG)}", "connection: close", "", _TOO_LONG]
            self.transport.write("\r\n".join(lines).encode())
        self.transport.close()

    def on_message_begin(self) -> None:
        """Begin to count a head."""
        self._head = self._pieces = self._body = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count a piece of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a line of the head or of the trailer."""
        self._count(max(len(name) + len(value) + 4, _LINE))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is parsed."""
        self._unparsed = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body is parsed."""
        self._unparsed = 0
        self._pieces, self._body = self._pieces + 1, self._body + len(body)
        if self._pieces > _PIECES + self._body // _BYTES_A_PIECE:
            raise ValueError("The body of the request comes in too many pieces.")
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The message is parsed."""
        self._unparsed = 0
        super().on_message_complete()

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > LONGEST:
            raise ValueError(_TOO_LONG)  # ends the parser's work on this connection
