"""What somebody may do so many times an hour, counted for the whole house.

The count is in the store, so that several processes have one, and a restart forgets none. It is for what happens seldom
and leaves something behind each time: a text, a guest, a table. What is asked every moment is counted by `limits`.
"""

import time
from collections.abc import Callable

import msgspec

from punto.journal import Journal
from punto.messages import say
from punto.service.limits import TooMany

_KIND = "hourly"
"""The kind of record that keeps what is left of an hour's number."""

_HOUR = 3600.0
_TRIES = 20


class _Left(msgspec.Struct, frozen=True, array_like=True):
    """So much was left at a moment."""

    number: float
    at: float


class HourlyLimit:
    """So many an hour, for each name. Every method waits for the store: call it from a thread where a loop is running.

    >>> from punto.journal import Journal
    >>> store = Journal("sqlite://"); store.upgrade()
    >>> one, other = (HourlyLimit(store, "texts", 1, clock=lambda: 0.0) for _ in range(2))
    >>> one.take("ann"); other.take("ann")
    Traceback (most recent call last):
    punto.service.limits.TooMany: That is enough for now: try again later.
    >>> one.give_back("ann"); other.take("ann")
    >>> store.close()
    """

    def __init__(self, journal: Journal, what: str, an_hour: int, clock: Callable[[], float] = time.time) -> None:
        self._journal, self._what, self._most, self._clock = journal, what, an_hour, clock

    def take(self, name: str, number: float = 1) -> None:
        """Count so many for a name; `TooMany`, and nothing counted, if there are not so many left."""
        self._change(name, -number)

    def give_back(self, name: str, number: float = 1) -> None:
        """Take back what was counted for something that was not done after all."""
        self._change(name, number)

    def check(self, name: str, number: float = 1) -> None:
        """`TooMany` if there are not so many left; nothing is counted."""
        if self._left(self._journal.record(_KIND, self._key(name)), self._clock()) < number:
            raise TooMany(_ENOUGH)

    def _change(self, name: str, by: float) -> None:
        key = self._key(name)
        for _ in range(_TRIES):
            body, now = self._journal.record(_KIND, key), self._clock()
            left = min(self._left(body, now) + by, float(self._most))
            if left < 0:
                raise TooMany(_ENOUGH)
            after = None if left >= self._most else msgspec.json.encode(_Left(left, now)).decode()
            if after == body or self._journal.change_record(_KIND, key, body, after):
                return
        raise TooMany(_ENOUGH)  # so many at once are too many in any case

    def _left(self, body: str | None, now: float) -> float:
        """What is left at a moment. Clocks may differ; what is an hour ahead is from before one was set."""
        kept = None if body is None else msgspec.json.decode(body, type=_Left)
        if kept is None or kept.at - now > _HOUR:
            return float(self._most)
        return min(kept.number + max(now - kept.at, 0.0) * self._most / _HOUR, float(self._most))

    def _key(self, name: str) -> str:
        return f"{self._what} {name}"


def forget_full(journal: Journal, clock: Callable[[], float] = time.time) -> None:
    """Forget the counts of those who have had an hour's number for themselves again."""
    now = clock()

    def full(body: str) -> bool:
        return abs(now - msgspec.json.decode(body, type=_Left).at) > _HOUR

    counts = journal.records(_KIND)
    journal.forget_records(_KIND, {name: body for name, body in counts.items() if full(body)})


_ENOUGH = say("enough-for-now", "That is enough for now: try again later.")
