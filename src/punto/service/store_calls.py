"""Calls to the store from the loop: each in a thread of its own kind, and none waited for without end.

A call that hangs keeps its thread. So they have threads apart from everything else, and whoever waits is told after a
while that the store does not answer.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from punto.journal import Unavailable
from punto.service.time_limit import TimeLimit

SECONDS = 5.0
"""How long the store has for an answer, unless the settings say otherwise."""

THREADS = 12
"""Calls at the same time; fewer than there are connections to the store."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def late(seconds: float) -> Unavailable:
    """The store has not answered in time."""
    return Unavailable(f"The store has not answered for {seconds:g} seconds.")


class StoreCalls:
    """The threads in which the store is called."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._limit = TimeLimit(seconds)
        self._threads = ThreadPoolExecutor(THREADS, "store")

    async def __call__(self, call: Callable[_P, _T], *given: _P.args, **more: _P.kwargs) -> _T:
        """What a call returns or raises; `Unavailable` if it takes too long. It may still happen then."""
        waiting = asyncio.get_running_loop().run_in_executor(self._threads, partial(call, *given, **more))
        try:
            with self._limit():
                return await waiting
        except TimeoutError:
            raise late(self.seconds) from None

    @property
    def seconds(self) -> float:
        """How long a call may take."""
        return self._limit.seconds

    def close(self) -> None:
        """Begin no more calls, and wait for none."""
        self._threads.shutdown(wait=False, cancel_futures=True)
