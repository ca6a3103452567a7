"""Threads for one kind of work each: however much of it there is, everything else has threads of its own.

Whatever somebody can make long is not done by the threads that tend the tables: what is worked out for whoever asks,
and what waits for a provider or a wallet of somebody else.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Threads:
    """So many threads; what there is more to do waits for one of them.

    >>> async def worked_out():
    ...     threads = Threads(1, "sums")
    ...     return await asyncio.gather(threads(sum, [1, 2]), threads(sum, [3, 4]))
    >>> asyncio.run(worked_out())
    [3, 7]
    """

    def __init__(self, number: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(number, name)

    async def __call__(self, call: Callable[_P, _T], *given: _P.args, **more: _P.kwargs) -> _T:
        """What a call returns or raises."""
        run = partial(contextvars.copy_context().run, call, *given, **more)
        return await asyncio.get_running_loop().run_in_executor(self._pool, run)

    def close(self) -> None:
        """Begin nothing more, and wait for nothing."""
        self._pool.shutdown(wait=False, cancel_futures=True)
