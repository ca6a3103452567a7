"""Requests of the house itself: whoever is asked has so many seconds for the whole answer, however it comes."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from punto.service.outgoing import Outgoing, Unanswered

_PIECE = 0.05
_PIECES = 400


@contextmanager
def dripping(head: bytes) -> Iterator[int]:
    """A server that sends `head` and then a byte at a time; its port. It ends by itself."""
    done = threading.Event()

    def drip(server: socket.socket) -> None:
        with closing(server.accept()[0]) as caller:
            caller.sendall(head)
            for _ in range(_PIECES):
                if done.wait(_PIECE):
                    return
                try:
                    caller.sendall(b"x")
                except OSError:
                    return  # it was cut

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        serving = threading.Thread(target=drip, args=[server])
        serving.start()
        try:
            yield server.getsockname()[1]
        finally:
            done.set()
            serving.join()


@pytest.mark.parametrize(
    ("scheme", "head"),
    [
        ("http", b""),
        ("http", b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"),
        ("https", bytes([22, 3, 3, 0x40, 0, 2])),  # a handshake record of 16,384 bytes
    ],
    ids=["the head", "the body", "the handshake"],
)
def test_an_answer_that_comes_a_byte_at_a_time_is_late(scheme: str, head: bytes) -> None:
    with dripping(head) as port, pytest.raises(Unanswered, match="not within 1 seconds"):
        Outgoing(1, 10_000).ask(f"{scheme}://127.0.0.1:{port}/")
