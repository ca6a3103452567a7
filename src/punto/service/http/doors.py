"""The doors of the server: how many connections there may be, by address and in all, and how long each may take.

A connection takes a file of the process. So all of them together stay below the limit of files, and one address has a
part of them only. What is above it is told so and closed. A few are kept in reserve for `/health` and `/metrics`.
One look a second ends every connection that does not get further.
"""

import asyncio
import logging
import resource
from collections import Counter, deque
from ipaddress import ip_address, ip_network
from typing import Protocol

import msgspec

from punto.service.limits import network_of
from punto.service.metrics import CONNECTIONS, ENDED, TURNED_AWAY
from punto.service.settings import Settings

log = logging.getLogger("punto")

_OWN_FILES = 128
"""Files that are for the service itself: the store, notes, the log, a wallet and others that it asks."""

DEVICE_FILES = 160
"""Files for card-reading shoes and whoever knocks at their port."""

RESERVE = 32
"""Connections beyond the limit of all, which may ask for `/health` and `/metrics` only."""

LOOK = 1.0
"""Seconds between two looks at all connections."""

_BY_ADDRESS = 4
"""One address has at most this part of all connections, unless the settings say otherwise."""

_MOST_FILES = 1 << 20
"""Files that are asked for where the system has no limit."""

_MOST_TOLD = 5
"""Addresses that one line of the log names."""


class ConnectionLimits(msgspec.Struct, frozen=True):
    """What connections are held to: counts, and seconds."""

    connections: int
    by_address: int
    head: float
    body: float
    idle: float
    unsent: float
    proxies: tuple[str, ...] = ()
    """Addresses or networks that connections of many people come from; `*` is all."""

    def is_proxy(self, host: str) -> bool:
        """Whether connections of many people come from an address.

        >>> limits_of(Settings(trusted_proxies=("10.0.0.0/8", "::1")), 1024).is_proxy("10.1.2.3")
        True
        """
        return any(each == "*" or each == host or _is_in(host, each) for each in self.proxies)


class Connection(Protocol):
    """A connection as the doors see it."""

    def overdue(self, now: float) -> str | None:
        """What it should have done by now; None if it is in time."""

    def end(self) -> None:
        """Drop it, with whatever it has not taken."""


def _is_in(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows it; how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _MOST_FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):  # some systems have a limit below the one that they name
        return soft
    return wanted


def own_files(settings: Settings) -> int:
    """Files that no connection of a browser may take.

    >>> own_files(Settings()), own_files(Settings(feed_port=9000))
    (128, 288)
    """
    return _OWN_FILES + (0 if settings.feed_port is None else DEVICE_FILES)


def limits_of(settings: Settings, files: int) -> ConnectionLimits:
    """The limits by the settings, as far as there are files.

    >>> found = limits_of(Settings(), 1024)
    >>> found.connections, found.by_address
    (864, 216)
    >>> limits_of(Settings(connections=100, connections_by_address=10), 1024).by_address
    10
    """
    most = max(files - min(own_files(settings), files // 2) - RESERVE, 1)
    if settings.connections is not None and settings.connections > most:
        log.warning("fewer connections than set", extra={"set": settings.connections, "files allow": most})
    every = min(settings.connections or most, most)
    by_address = settings.connections_by_address or max(every // _BY_ADDRESS, 1)
    return ConnectionLimits(
        every,
        min(by_address, every),
        settings.head_seconds,
        settings.body_seconds,
        settings.idle_seconds,
        settings.unsent_seconds,
        settings.trusted_proxies,
    )


class Doors:
    """Every connection of a server."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._open: dict[Connection, str] = {}
        """Every connection, and the address that it counts for."""
        self._by_address: Counter[str] = Counter()
        self._reserved: deque[Connection] = deque()
        """Those in the reserve, oldest first."""
        self._refused: Counter[str] = Counter()
        """How many were turned away since the last look, by why and from where."""
        self._timer: asyncio.TimerHandle | None = None

    def come(self, connection: Connection, host: str) -> bool:
        """Let a connection in. False if its address has too many, and it is to be told so and closed."""
        address = network_of(host)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOOK, self._look)
        if self._by_address[address] >= self.limits.by_address and not self.limits.is_proxy(host):
            self._turn_away("of one address", address)
            return False
        self._open[connection] = address
        self._by_address[address] += 1
        CONNECTIONS.set(len(self._open))
        if len(self._open) > self.limits.connections:
            self._reserve(connection, address)
        return True

    def in_reserve(self, connection: Connection) -> bool:
        """Whether a connection came when all others were taken."""
        return connection in self._reserved

    def go(self, connection: Connection) -> None:
        """A connection has ended."""
        address = self._open.pop(connection, None)
        if address is None:
            return
        CONNECTIONS.set(len(self._open))
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
        if connection in self._reserved:
            self._reserved.remove(connection)

    def _reserve(self, connection: Connection, address: str) -> None:
        """Take a connection into the reserve; if that is full, the oldest there makes room."""
        self._turn_away("all taken", address)
        self._reserved.append(connection)
        if len(self._reserved) > RESERVE:
            self._reserved[0].end()

    def _turn_away(self, why: str, address: str) -> None:
        TURNED_AWAY.labels(why).inc()
        self._refused[f"{why}: {address}"] += 1

    def _look(self) -> None:
        """End what is overdue, and log how many were turned away."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._open):
            late = connection.overdue(now)
            if late is not None:
                ENDED.labels(late).inc()
                log.debug("connection ended", extra={"late": late, "from": self._open.get(connection)})
                connection.end()
        if self._refused:
            told = {"number": self._refused.total(), "most": dict(self._refused.most_common(_MOST_TOLD))}
            log.warning("connections turned away", extra={**told, "open": len(self._open)})
            self._refused.clear()
        self._timer = loop.call_later(LOOK, self._look) if self._open else None
