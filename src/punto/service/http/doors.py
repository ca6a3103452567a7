"""The doors of the server: how many connections there may be, by address and in all, and how long each may take.

A connection takes a file of the process. So all of them together stay below the limit of files, and one address or one
account has a part of them only. When all are taken, whoever holds most gives way to whoever would hold less. What finds
no place comes into a reserve of a few: there `/health` and `/metrics` are answered, whoever shows a session of theirs
is let in, and everybody else is told that there is no place. One look a second ends every connection that does not get
further.
"""

import asyncio
import logging
import resource
from collections import Counter
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from typing import NamedTuple, Protocol

import msgspec

from punto.service.http.holders import Holder, Holders
from punto.service.limits import network_of
from punto.service.metrics import CONNECTIONS, ENDED, TURNED_AWAY
from punto.service.settings import Settings

log = logging.getLogger("punto")

_OWN_FILES = 128
"""Files that are for the service itself: the store, notes, the log, a wallet and others that it asks."""

DEVICE_FILES = 160
"""Files for card-reading shoes and whoever knocks at their port."""

RESERVE = 32
"""Connections beyond the limit of all: for `/health` and `/metrics`, and for whoever is known by what they show."""

ALL_TAKEN = "all taken"
"""The reason why a connection has no place, where it is not that its address or account has too many."""

LOOK = 1.0
"""Seconds between two looks at all connections."""

_BY_ADDRESS = 4
"""One address or account has at most this part of all connections, unless the settings say otherwise."""

_MOST_FILES = 1 << 20
"""Files that are asked for where the system has no limit."""

_MOST_TOLD = 5
"""Addresses that one line of the log names."""


Head = Sequence[tuple[bytes, bytes]]
"""The lines of a head, their names in small letters."""


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

    def give_way(self) -> None:
        """Drop it at once because its place is another's now; a socket is told so."""


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


class _Waiting(NamedTuple):
    """A connection in the reserve: where it comes from, and why it came into no other place."""

    holder: Holder
    why: str


class Doors:
    """Every connection of a server. `whose` tells the account that the head of a request shows, if it shows one."""

    def __init__(self, limits: ConnectionLimits, whose: Callable[[Head], str | None] = lambda _: None) -> None:
        self.limits = limits
        self._whose = whose
        self._holders: Holders[Connection] = Holders()
        self._reserved: dict[Connection, _Waiting] = {}
        """Those in the reserve, oldest first."""
        self._refused: Counter[str] = Counter()
        """How many were turned away or gave way since the last look, by why and from where."""
        self._timer: asyncio.TimerHandle | None = None

    def come(self, connection: Connection, host: str) -> None:
        """Let a connection in; where there is no place for it, into the reserve."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOOK, self._look)
        holder = Holder(host, "proxy") if self.limits.is_proxy(host) else Holder(network_of(host))
        why = self._enter(connection, holder)
        if why is not None:
            self._reserve(connection, _Waiting(holder, why))
        self._count()

    def recognise(self, connection: Connection, head: Head) -> str | None:
        """Find out by the head of a request whose the connection is; the reason if the request is refused.

        An account has places of its own: whoever else comes from the same address takes none of them.
        """
        waiting = self._reserved.get(connection)
        holder = self._holders.holder_of(connection) if waiting is None else waiting.holder
        if holder is None or (holder.kind != "address" and waiting is None):
            return None
        account = self._whose(head) if holder.kind == "address" else None
        if waiting is None:
            if account is not None:
                self._hand_over(connection, Holder(account, "account"))
            return None
        why = waiting.why if account is None else self._enter(connection, Holder(account, "account"))
        if why is None:
            del self._reserved[connection]
        else:
            self._turn_away(why, waiting.holder)
        return why

    def in_reserve(self, connection: Connection) -> bool:
        """Whether a connection came when there was no place for it."""
        return connection in self._reserved

    def go_on(self, before: Connection, after: Connection) -> None:
        """A connection goes on as another one, in the same place."""
        holder, waiting = self._holders.holder_of(before), self._reserved.pop(before, None)
        if holder is not None:
            self._holders.leave(before)
            self._holders.enter(after, holder)
        elif waiting is not None:
            self._reserved[after] = waiting

    def go(self, connection: Connection) -> None:
        """A connection has ended."""
        self._holders.leave(connection)
        self._reserved.pop(connection, None)
        self._count()

    def _enter(self, connection: Connection, holder: Holder) -> str | None:
        """Take a place, or the place of whoever gives way; the reason if there is none."""
        if holder.kind != "proxy" and self._holders.number(holder) >= self.limits.by_address:
            return f"of one {holder.kind}"
        if len(self._holders) >= self.limits.connections:
            gives_way = self._holders.gives_way_to(holder)
            if gives_way is None:
                return ALL_TAKEN
            self._give_way(gives_way)
        self._holders.enter(connection, holder)
        return None

    def _hand_over(self, connection: Connection, account: Holder) -> None:
        if self._holders.number(account) < self.limits.by_address:
            self._holders.leave(connection)
            self._holders.enter(connection, account)

    def _give_way(self, connection: Connection) -> None:
        holder = self._holders.holder_of(connection)
        assert holder is not None
        self._holders.leave(connection)
        self._turn_away("gave way", holder)
        connection.give_way()

    def _reserve(self, connection: Connection, waiting: _Waiting) -> None:
        """Take a connection into the reserve; if that is full, the oldest of whoever has most there makes room."""
        self._reserved[connection] = waiting
        if len(self._reserved) > RESERVE:
            [(most, _)] = Counter(each.holder for each in self._reserved.values()).most_common(1)
            oldest = next(each for each, found in self._reserved.items() if found.holder == most)
            self._turn_away(self._reserved.pop(oldest).why, most)
            oldest.end()

    def _turn_away(self, why: str, holder: Holder) -> None:
        TURNED_AWAY.labels(why).inc()
        self._refused[f"{why}: {holder.name}"] += 1

    def _count(self) -> None:
        CONNECTIONS.set(len(self._holders) + len(self._reserved))

    def _look(self) -> None:
        """End what is overdue, and log how many were turned away."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in (*self._holders, *self._reserved):
            late = connection.overdue(now)
            if late is not None:
                ENDED.labels(late).inc()
                log.debug("connection ended", extra={"late": late, "from": self._from(connection)})
                connection.end()
        there = len(self._holders) + len(self._reserved)
        if self._refused:
            told = {"number": self._refused.total(), "most": dict(self._refused.most_common(_MOST_TOLD))}
            log.warning("connections turned away", extra={**told, "open": there})
            self._refused.clear()
        self._timer = loop.call_later(LOOK, self._look) if there else None

    def _from(self, connection: Connection) -> str:
        waiting = self._reserved.get(connection)
        holder = self._holders.holder_of(connection) if waiting is None else waiting.holder
        return "" if holder is None else holder.name
