"""A time limit for many things that are awaited at once, with one timer for all of them.

`asyncio.timeout` has a timer for each, which costs a command more than deciding it does. Here all have the same time,
so whoever began first is due first, and one timer is set for that one alone.
"""

import asyncio
from types import TracebackType
from typing import Self


class TimeLimit:
    """So many seconds for everything that is awaited inside `with limit():`; `TimeoutError` when they are over.

    >>> async def waits() -> str:
    ...     limit = TimeLimit(0.01)
    ...     try:
    ...         with limit():
    ...             await asyncio.Event().wait()
    ...     except TimeoutError:
    ...         return f"over, and {len(limit)} are waited for"
    >>> asyncio.run(waits())
    'over, and 0 are waited for'
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.awaited: dict[_Limited, None] = {}
        """What is awaited now, in the order in which it began."""
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> "_Limited":
        """The limit for one thing, from when the `with` begins."""
        return _Limited(self)

    def __len__(self) -> int:
        return len(self.awaited)

    def begin(self, limited: "_Limited", loop: asyncio.AbstractEventLoop) -> None:
        """Begin the time of one thing."""
        self.awaited[limited] = None
        if self._timer is None:
            self._timer = loop.call_at(limited.until, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End what has had its time, and come again when the next is due."""
        self._timer = None
        now = loop.time()
        for limited in list(self.awaited):
            if limited.until > now:
                self._timer = loop.call_at(limited.until, self._look, loop)
                return
            del self.awaited[limited]
            limited.expire()


class _Limited:
    """One thing that is awaited, by the task that began it."""

    __slots__ = ("_cancelled_before", "_is_over", "_limit", "_task", "until")

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._is_over = False

    def __enter__(self) -> Self:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is None:
            raise RuntimeError("Only a task can be given a time limit.")
        self._task, self._cancelled_before = task, task.cancelling()
        self.until = loop.time() + self._limit.seconds
        self._limit.begin(self, loop)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._limit.awaited.pop(self, None)
        # Whoever else has cancelled the task meanwhile must find it cancelled, as with `asyncio.timeout`.
        if self._is_over and self._task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def expire(self) -> None:
        """The time is over: what is awaited is cancelled."""
        self._is_over = True
        self._task.cancel()
