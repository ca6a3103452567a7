"""How often somebody may speak: a bucket each that fills up again."""

import time
from collections.abc import Callable


class TooMany(ValueError):
    """Too much or too often. The message is a sentence."""


class Buckets:
    """So many at once, and so many a second after that.

    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: 0.0)
    >>> buckets.take("ann"); buckets.take("ann"); buckets.take("ann")
    Traceback (most recent call last):
    punto.service.limits.TooMany: Too many at once: wait a moment.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> None:
        """One more by this name, or `TooMany`."""
        now = self._clock()
        left, since = self._left.get(name, (float(self._burst), now))
        left = min(self._burst, left + (now - since) * self._rate)
        if left < 1:
            raise TooMany("Too many at once: wait a moment.")
        if len(self._left) > 100_000:
            self._left.clear()
        self._left[name] = (left - 1, now)
