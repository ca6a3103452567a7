"""Limits: how often somebody may do something, and how many connections somebody may have open."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from punto.messages import SpokenError, say

_MOST_NAMES = 100_000
_WAIT = say("too-many-at-once", "Too many at once: wait a moment.")


class TooMany(SpokenError):
    """Too much or too often. The message is a sentence."""


def network_of(host: str) -> str:
    """The address that is counted for a host: of IPv6 the first 64 bits, because the rest is one subscriber's.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


def site_of(address: str) -> str:
    """What somebody with many addresses has as a rule: of IPv4 all that share the first 24 bits, of IPv6 48.

    >>> site_of("192.0.2.7"), site_of("2001:db8:1:2::/64"), site_of("testclient")
    ('192.0.2.0/24', '2001:db8:1::/48', 'testclient')
    """
    try:
        found = ip_address(address.partition("/")[0])
    except ValueError:
        return address
    return str(ip_network((found, 48 if isinstance(found, IPv6Address) else 24), strict=False))


class RateLimit:
    """A token bucket for each name: `burst` at once, then `rate` a second.

    >>> limit = RateLimit(rate=1, burst=2, clock=lambda: 0.0)
    >>> limit.take("ann"); limit.take("ann"); limit.take("ann")
    Traceback (most recent call last):
    punto.service.limits.TooMany: Too many at once: wait a moment.
    """

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic, most_names: int = _MOST_NAMES
    ) -> None:
        self._rate, self._burst, self._clock, self._most_names = rate, burst, clock, most_names
        self._buckets: dict[str, tuple[float, float]] = {}
        """By name: the tokens left, and when they were counted."""

    def take(self, name: str, number: float = 1) -> None:
        """Take a token of this name's bucket, or several, or raise `TooMany`."""
        now = self._clock()
        left = self._left(name, now)
        if left < number:
            raise TooMany(_WAIT)
        self._keep(name, left - number, now)

    def has(self, name: str, number: float = 1) -> bool:
        """Whether there are so many tokens in this name's bucket; none is taken."""
        return self._left(name, self._clock()) >= number

    def owe(self, name: str, number: float) -> None:
        """Take tokens for what was done already, also below nothing: whoever owes some waits until they are there.

        >>> limit = RateLimit(rate=1, burst=2, clock=lambda: 0.0)
        >>> limit.take("ann"); limit.owe("ann", 1.5); limit.take("ann")
        Traceback (most recent call last):
        punto.service.limits.TooMany: Too many at once: wait a moment.
        """
        now = self._clock()
        self._keep(name, max(self._left(name, now) - number, -float(self._burst)), now)

    def __len__(self) -> int:
        return len(self._buckets)

    def _keep(self, name: str, left: float, now: float) -> None:
        if len(self._buckets) >= self._most_names:
            self._forget(now)
        self._buckets[name] = (left, now)

    def _left(self, name: str, now: float) -> float:
        found = self._buckets.get(name)
        if found is None:
            return float(self._burst)
        left, since = found
        return min(self._burst, left + (now - since) * self._rate)

    def _forget(self, now: float) -> None:
        """Drop full buckets, which say nothing; if too many others remain, those that were used longest ago."""
        kept = {name: each for name, each in self._buckets.items() if self._left(name, now) < self._burst}
        for name in sorted(kept, key=lambda name: kept[name][1])[: max(len(kept) - self._most_names // 2, 0)]:
            del kept[name]
        self._buckets = kept


class OpenLimit:
    """So many open at the same time, for each name.

    >>> limit = OpenLimit(1)
    >>> with limit.one("ann"), limit.one("bob"):
    ...     pass
    >>> with limit.one("ann"), limit.one("ann"):
    ...     pass
    Traceback (most recent call last):
    punto.service.limits.TooMany: Too many are open: close one first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, name: str) -> Iterator[None]:
        """Count one more by this name for as long as this lasts, or raise `TooMany`."""
        if self._open[name] >= self._most:
            raise TooMany(say("too-many-open", "Too many are open: close one first."))
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]
