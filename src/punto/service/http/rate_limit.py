"""How often somebody may speak, a bucket each that fills up again; and how many sockets somebody may have open."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MOST = 100_000


class TooMany(ValueError):
    """Too much or too often. The message is a sentence."""


class Buckets:
    """So many at once, and so many a second after that.

    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: 0.0)
    >>> buckets.take("ann"); buckets.take("ann"); buckets.take("ann")
    Traceback (most recent call last):
    punto.service.http.rate_limit.TooMany: Too many at once: wait a moment.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic, most: int = _MOST) -> None:
        self._rate, self._burst, self._clock, self._most = rate, burst, clock, most
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> None:
        """One more by this name, or `TooMany`."""
        now = self._clock()
        left = self._now(name, now)
        if left < 1:
            raise TooMany("Too many at once: wait a moment.")
        if len(self._left) >= self._most:
            self._forget(now)
        self._left[name] = (left - 1, now)

    def __len__(self) -> int:
        return len(self._left)

    def _now(self, name: str, now: float) -> float:
        left, since = self._left.get(name, (float(self._burst), now))
        return min(self._burst, left + (now - since) * self._rate)

    def _forget(self, now: float) -> None:
        """Full buckets need not be remembered; if there are too many others, those that wait longest go."""
        kept = {name: each for name, each in self._left.items() if self._now(name, now) < self._burst}
        for name in sorted(kept, key=lambda name: kept[name][1])[: max(len(kept) - self._most // 2, 0)]:
            del kept[name]
        self._left = kept


class Places:
    """So many at the same time, for each.

    >>> places = Places(1)
    >>> with places.one("ann"), places.one("bob"):
    ...     pass
    >>> with places.one("ann"), places.one("ann"):
    ...     pass
    Traceback (most recent call last):
    punto.service.http.rate_limit.TooMany: Too many are open: close one first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one(self, name: str) -> Iterator[None]:
        """One more by this name for as long as this lasts, or `TooMany`."""
        if self._taken[name] >= self._most:
            raise TooMany("Too many are open: close one first.")
        self._taken[name] += 1
        try:
            yield
        finally:
            self._taken[name] -= 1
            if not self._taken[name]:
                del self._taken[name]
