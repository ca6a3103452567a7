"""A serial line to a card-reading shoe."""

import asyncio
import os
import termios
import tty
from contextlib import suppress

from punto.service.settings import BadSettings


class SerialLine:
    """A terminal device opened as a file: raw bytes, eight bits, no parity, one stop bit."""

    def __init__(self, path: str, speed: int, longest: int) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            tty.setraw(self._file)
            form = termios.tcgetattr(self._file)
            form[2] |= termios.CLOCAL | termios.CREAD
            form[4] = form[5] = getattr(termios, f"B{speed}")
            termios.tcsetattr(self._file, termios.TCSANOW, form)
        except termios.error as error:
            os.close(self._file)
            raise OSError(0, "this is no terminal device") from error
        self._loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(longest)
        self._loop.add_reader(self._file, self._ready)

    async def readline(self) -> bytes:
        """The next line; without its line feed if the connection broke."""
        return await self._reader.readline()

    async def write(self, data: bytes) -> None:
        """Write everything."""
        while data:
            with suppress(BlockingIOError):
                data = data[os.write(self._file, data) :]
            if data:
                await asyncio.sleep(0.01)

    def close(self) -> None:
        """Close the line."""
        self._loop.remove_reader(self._file)
        os.close(self._file)

    def _ready(self) -> None:
        try:
            data = os.read(self._file, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._reader.feed_data(data)
        else:
            self._loop.remove_reader(self._file)
            self._reader.feed_eof()


def path_and_speed(text: str) -> tuple[str, int]:
    """The path and the speed that the setting of a serial line names.

    >>> path_and_speed("/dev/ttyUSB0:9600"), path_and_speed("/dev/ttyS1")
    (('/dev/ttyUSB0', 9600), ('/dev/ttyS1', 115200))
    """
    path, colon, speed = text.partition(":")
    if colon and not hasattr(termios, f"B{speed}"):
        raise BadSettings(f"{speed!r} is not the speed of a serial line, like 9600 or 115200.")
    return path, int(speed) if colon else 115200
