"""Connections of card-reading shoes: lines of text over TCP or a serial line, each answered when it is durable.

The protocol is described in docs/feed.md; what a line does at the table is in `line_handler`.
"""

import asyncio
import logging
import re
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

from punto.journal import JournalError
from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied
from punto.service.devices.line_handler import LineHandler, expected
from punto.service.devices.protocol import BadLine, parse
from punto.service.devices.serial_line import SerialLine, path_and_speed
from punto.service.errors import Unknown
from punto.service.hourly import HourlyLimit
from punto.service.limits import RateLimit, TooMany
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Floor, NotDurable
from punto.service.settings import Settings

log = logging.getLogger("punto")
LONGEST = 1000
"""Characters that a line may have; a log-in with its token is the longest."""

LOG_IN = 10.0
"""Seconds that a device has to log in."""

MOST = 100
"""Devices that are connected at once."""

MOST_STRANGERS = 50
"""Connections at once that have yet to log in: where one more comes, another of them ends."""

_EMPTY_LINES = (1.0, 100)
"""Empty lines of a connection that are passed over, a second and at once."""

_HELLO = re.compile(r"PUNTO ([0-9]+) ([a-z0-9][a-z0-9-]{0,62}) ([A-Za-z0-9_.-]{1,700})")
_REPORTS = 10
"""A device reports so many times as much as a patron writes."""

_REOPEN = 1.0
"""Seconds until a serial line that broke is opened again."""


class DeviceSession:
    """One connection to one device, whatever it runs over."""

    def __init__(
        self,
        feed: "Feed",
        read: Callable[[], Awaitable[bytes]],
        write: Callable[[bytes], Awaitable[None]],
        where: str,
        patience: float | None,
    ) -> None:
        self._feed, self._read, self._write = feed, read, write
        self.where, self._patience = where, patience
        self._token = self._table = ""
        self._device: Account | None = None
        self._telling: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()
        self._empty = RateLimit(*_EMPTY_LINES)

    @property
    def is_stranger(self) -> bool:
        """Whether it is not known who this is, and anybody could have come so far."""
        return self._device is None and self._patience is not None and not self.ended.is_set()

    async def run(self) -> None:
        """Answer lines until the device goes away, does not log in in time, or logs in elsewhere."""
        over = asyncio.create_task(self.ended.wait())
        clock = asyncio.get_running_loop().time
        until = None if self._patience is None else clock() + self._patience
        try:
            while not self.ended.is_set():
                heard = asyncio.ensure_future(self._read())
                limit = None if until is None or self._device is not None else max(until - clock(), 0)
                await asyncio.wait({heard, over}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                if not heard.done():
                    heard.cancel()
                    return
                try:
                    data = heard.result()
                except ValueError:  # longer than the reader takes
                    await self._say("REFUSED That line is too long.")
                    return
                if not data.endswith(b"\n"):
                    return
                text = data.decode("ascii", "replace").strip("\r\n ")
                if not (await self._hear(text) if text else self._passes_over()):
                    return
        except (NotDurable, JournalError) as error:
            log.warning("a line was not answered", extra={"from": self.where, "why": str(error)})
        finally:
            over.cancel()
            if self._telling is not None:
                self._telling.cancel()
            self._feed.gone(self)

    def _passes_over(self) -> bool:
        """Whether an empty line is passed over: it is no word, and a line of noise has few of them."""
        try:
            self._empty.take("")
        except TooMany:
            return False
        return True

    async def _hear(self, text: str) -> bool:
        """Answer one line; False if this was the last one."""
        hello = _HELLO.fullmatch(text)
        try:
            if hello is not None:
                await self._log_in(hello)
            elif self._device is None:
                raise Denied(say("device-says-who", "Say first who you are: PUNTO 1 TABLE TOKEN."))
            else:
                self._feed.lines.take(self._device.name)
                device = await self._feed.accounts.bearer(self._token)
                if text == "PING":
                    last = await self._feed.handler.last(device, self._table)
                    await self._say(f"OK {last.shoe}.{last.number}")
                else:
                    await self._say(await self._feed.handler.hear(device, self._table, parse(text)))
        except BadLine as error:
            await self._say(f"REFUSED {error}")
        except (Denied, Unknown, TooMany) as error:
            await self._say(f"REFUSED {error}")
            log.warning("a device was turned away", extra={"from": self.where, "why": str(error)})
            return False
        return True

    async def _log_in(self, hello: re.Match[str]) -> None:
        try:
            device = await self._named(hello)
        except (Denied, Unknown):
            self._feed.tries.take(self.where)  # whoever has a good token is kept out by nobody's bad ones
            raise
        if self._telling is not None:
            self._telling.cancel()
        self._device, self._table, self._token = device, hello[2], hello[3]
        last = await self._feed.handler.last(device, self._table)
        self._feed.came(self, f"{self._table} {device.name}")
        await self._say(f"OK {last.shoe}.{last.number}")
        log.info("a device is here", extra={"table": self._table, "device": device.name, "from": self.where})
        self._telling = asyncio.create_task(self._tell())

    async def _named(self, hello: re.Match[str]) -> Account:
        """The device that names itself, if it may read the cards of the table."""
        if hello[1] != "1":
            raise Denied(say("protocol-version", "This is version 1 of the protocol, not {version}.", version=hello[1]))
        device = await self._feed.accounts.bearer(hello[3])
        if device.kind != "device" or device.post_at(hello[2]) is None:
            raise Denied(say("not-device-of-table", "This is no device of that table."))
        table = await self._feed.floor.table(hello[2])
        if table.setup.shoe != "read":
            raise Denied(say("no-device-at-table", "No device reads the cards of this table."))
        return device

    async def _tell(self) -> None:
        """Tell the device which shoe the table has in use and where its next card belongs, whenever that changes."""
        shoe, due = -1, ""
        with suppress(OSError, Unknown, JournalError):
            while True:
                live = await self._feed.floor.live(self._table)
                moved, table = live.moved, live.table
                assert table is not None
                if (now := table.shoes if table.shoe is not None else 0) != shoe:
                    shoe = now
                    await self._say(f"SHOE {shoe}")
                if (place := expected(table)) != due:
                    due = place
                    await self._say(f"DUE {due}")
                await moved.wait()

    async def _say(self, text: str) -> None:
        with suppress(OSError):
            await self._write(text.encode("ascii", "replace") + b"\n")


class Feed:
    """The connections to all devices."""

    def __init__(self, floor: Floor, accounts: Accounts, faces: Faces, settings: Settings) -> None:
        self.floor, self.accounts, self._settings = floor, accounts, settings
        reports = HourlyLimit(floor.journal, "reports", _REPORTS * settings.texts_an_hour)
        self.handler = LineHandler(floor, accounts, faces, reports)
        self.tries = RateLimit(1, 20)
        self.patience = LOG_IN
        self.lines = RateLimit(settings.rate, settings.burst)
        self.port: int | None = None
        self._server: asyncio.Server | None = None
        self._serial: asyncio.Task[None] | None = None
        self._sessions: dict[DeviceSession, str] = {}

    async def start(self) -> None:
        """Listen, where the settings say so."""
        settings = self._settings
        serial = None if settings.feed_serial is None else path_and_speed(settings.feed_serial)
        if settings.feed_port is not None:
            self._server = await asyncio.start_server(
                self._connected, settings.feed_host, settings.feed_port, limit=LONGEST
            )
            self.port = self._server.sockets[0].getsockname()[1]
            log.info("devices connect", extra={"host": settings.feed_host, "port": self.port})
        if serial is not None:
            self._serial = asyncio.create_task(self._keep_open(*serial))

    async def stop(self) -> None:
        """Close every connection."""
        if self._server is not None:
            self._server.close()
        for session in self._sessions:
            session.ended.set()
        if self._serial is not None:
            self._serial.cancel()
            with suppress(asyncio.CancelledError):
                await self._serial
        if self._server is not None:
            await self._server.wait_closed()
        for _ in range(200):
            if not self._sessions:
                break
            await asyncio.sleep(0.01)

    def came(self, session: DeviceSession, who: str) -> None:
        """Note that a device has logged in, and end its earlier connection."""
        for each, name in self._sessions.items():
            if name == who and each is not session:
                each.ended.set()
        self._sessions[session] = who

    def gone(self, session: DeviceSession) -> None:
        """Forget a connection that has ended."""
        self._sessions.pop(session, None)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        strangers = [each for each in self._sessions if each.is_stranger]
        if len(self._sessions) - len(strangers) >= MOST:
            log.warning("a device was turned away", extra={"from": peer, "why": "All connections are taken."})
            writer.close()
            return
        if len(strangers) >= MOST_STRANGERS:
            _of_the_busiest_address(strangers).ended.set()
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        session = DeviceSession(self, reader.readline, write, str(peer[0]) if peer else "", self.patience)
        self._sessions[session] = ""
        try:
            await session.run()
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _keep_open(self, path: str, speed: int) -> None:
        """Keep the serial line open; if it breaks, open it again."""
        while True:
            try:
                line = SerialLine(path, speed, LONGEST)
            except OSError as error:
                log.warning("the serial line does not open", extra={"path": path, "why": error.strerror})
            else:
                try:
                    session = DeviceSession(self, line.readline, line.write, path, patience=None)
                    self._sessions[session] = ""
                    await session.run()
                except OSError as error:
                    log.warning("the serial line broke", extra={"path": path, "why": error.strerror})
                finally:
                    line.close()
            await asyncio.sleep(_REOPEN)


def _of_the_busiest_address(strangers: list[DeviceSession]) -> DeviceSession:
    """The oldest of those connections that come from the address with the most of them."""
    by_address = Counter(each.where for each in strangers)
    return max(strangers, key=lambda each: by_address[each.where])
