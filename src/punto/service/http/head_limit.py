"""How long the head of a request may be: the server itself would take whatever comes."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 64 * 1024
_TOO_LONG = "The head of the request is too long."


class ShortHeads(HttpToolsProtocol):
    """A connection that is closed when a head, or what follows a body, goes on for too long."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._waiting = 0
        """Bytes since the last end of a head, piece of a body or end of a message, ..."""
        self._head = 0
        """... and those of this head that were understood."""

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        self._waiting += len(data)
        super().data_received(data)
        if self._waiting > LONGEST and not self.transport.is_closing():
            self.send_400_response(_TOO_LONG)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, or too long; in the middle of an answer, only close."""
        if self._head <= LONGEST and self._waiting <= LONGEST:
            super().send_400_response(msg)
            return
        if self.cycle is None or self.cycle.response_complete:
            lines = ["HTTP/1.1 431 Request Header Fields Too Large", "content-type: text/plain; charset=utf-8"]
            lines += [f"content-length: {len(_TOO_LONG)}", "connection: close", "", _TOO_LONG]
            self.transport.write("\r\n".join(lines).encode())
        self.transport.close()

    def on_message_begin(self) -> None:
        """A head begins."""
        self._head = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """A piece of the address."""
        self._more(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of the head, or one after the body."""
        self._more(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is over."""
        self._waiting = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._waiting = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The message is over."""
        self._waiting = 0
        super().on_message_complete()

    def _more(self, size: int) -> None:
        self._head += size
        if self._head > LONGEST:
            raise ValueError(_TOO_LONG)  # the parser stops here
