"""What is written to a connection in one turn of the loop, sent together.

The server writes the head of an answer and its body one after the other. Sent one by one they are two calls to the
system and two packets, which cost a short answer more than everything that it says.
"""

import asyncio
from typing import Any

MOST = 64 * 1024
"""Bytes that wait for the end of a turn; more are sent at once, so that whoever writes much is held back as ever."""


class GatheredWrites(asyncio.Transport):
    """A connection on which everything is as on the one beneath it, except that writes wait for the end of the turn."""

    def __init__(self, beneath: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._beneath, self._loop = beneath, loop
        self._waiting: list[bytes] = []
        self._size = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes, together with what else is written in this turn."""
        if not self._waiting:
            self._loop.call_soon(self.flush)
        self._waiting.append(bytes(data))
        self._size += len(data)
        if self._size > MOST:
            self.flush()

    def flush(self) -> None:
        """Send what waits."""
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting, self._size = [], 0
            if not self._beneath.is_closing():  # the other side may be gone since it was written
                self._beneath.write(data)

    def flushed(self) -> asyncio.Transport:
        """The connection beneath, when nothing waits here any more."""
        self.flush()
        return self._beneath

    def get_write_buffer_size(self) -> int:
        """Bytes that are not sent yet."""
        return self._size + self._beneath.get_write_buffer_size()

    def close(self) -> None:
        """Send what waits, and close."""
        self.flush()
        self._beneath.close()

    def abort(self) -> None:
        """Close at once, whatever waits."""
        self._waiting, self._size = [], 0
        self._beneath.abort()

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._beneath.is_closing()

    def pause_reading(self) -> None:
        """Take in nothing for the time being."""
        self._beneath.pause_reading()

    def resume_reading(self) -> None:
        """Go on taking in."""
        self._beneath.resume_reading()

    def is_reading(self) -> bool:
        """Whether what comes is taken in."""
        return self._beneath.is_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the connection: addresses, TLS."""
        return self._beneath.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Let another protocol go on with the connection."""
        self.flush()
        self._beneath.set_protocol(protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """The protocol that the connection belongs to."""
        return self._beneath.get_protocol()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """From how many unsent bytes on whoever writes is held back."""
        self._beneath.set_write_buffer_limits(high, low)

    def can_write_eof(self) -> bool:
        """Whether one direction can be closed by itself."""
        return self._beneath.can_write_eof()

    def write_eof(self) -> None:
        """Send what waits, and close the direction in which it is sent."""
        self.flush()
        self._beneath.write_eof()
