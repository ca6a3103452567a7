"""Wrong passwords: who keeps guessing waits longer each time, and keeps nobody else waiting.

What is counted is a name together with the place that it was tried from: the address, or a browser that has logged in
as that name before. So a stranger who guesses at somebody's name delays themself, not the one whose name it is; not
even from the same address, where that person's browser is known.
"""

import math
import time
from collections.abc import Callable

from punto.messages import Wording
from punto.service.limits import TooMany

FREE = 3
"""Wrong passwords until there is a delay."""

FIRST, LONGEST = 1.0, 15 * 60.0
"""Seconds of the first delay, which doubles each time, and of the longest."""

_FORGOTTEN = 24 * 60 * 60.0
"""Seconds after which earlier failures do not count any more."""

_MOST = 100_000
_PASSWORDS = Wording("too-many-passwords", "Too many wrong passwords from here: try again in {seconds:seconds}.")


class GuessLimit:
    """The failures of each place with each name.

    >>> limit = GuessLimit(clock=lambda: 0.0)
    >>> for _ in range(3):
    ...     limit.begin("192.0.2.7", "ann")
    >>> limit.begin("192.0.2.7", "ann")
    Traceback (most recent call last):
    punto.service.limits.TooMany: Too many wrong passwords from here: try again in 1 second.
    >>> limit.begin("192.0.2.8", "ann")
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = _MOST) -> None:
        self._clock, self._most = clock, most
        self._failed: dict[tuple[str, str], tuple[int, float]] = {}
        """By place and name: how many attempts in a row failed or are under way, and when the last one began."""

    def begin(self, place: str, name: str) -> None:
        """Count an attempt, before the password is looked at; `TooMany` if it comes too early."""
        now = self._clock()
        count = check_delay(*self._failed.get((place, name), (0, now)), now, _PASSWORDS)
        if len(self._failed) >= self._most:
            self._forget()
        self._failed.pop((place, name), None)  # so that the latest stand last
        self._failed[place, name] = count + 1, now

    def right(self, place: str, name: str) -> None:
        """The password was right: what failed before is forgotten."""
        self._failed.pop((place, name), None)

    def _forget(self) -> None:
        """Drop the half that was used longest ago."""
        for each in list(self._failed)[: self._most // 2]:
            del self._failed[each]


def check_delay(failures: int, last: float, now: float, what: Wording) -> int:
    """How many failures count now, if the last attempt was then; `TooMany` if another one comes too early."""
    if now - last > _FORGOTTEN:
        return 0
    delay = _delay(failures)
    left = min(last + delay - now, delay)  # no more than that, also where another process's clock is ahead
    if left > 0:
        raise TooMany(what.say(seconds=math.ceil(left)))
    return failures


def _delay(failures: int) -> float:
    """The seconds to wait after so many failures in a row.

    >>> [_delay(number) for number in (0, 2, 3, 4, 5, 40)]
    [0.0, 0.0, 1.0, 2.0, 4.0, 900.0]
    """
    return 0.0 if failures < FREE else min(FIRST * 2.0 ** min(failures - FREE, 30), LONGEST)
