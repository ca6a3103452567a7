"""Questions to the store that come while one is under way are asked together, in one go."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Together(Generic[_T]):
    """Asks in a thread, one question at a time; whoever comes meanwhile is in the next one.

    >>> def lengths(names):
    ...     return {name: len(name) for name in names if name}
    >>> async def asked():
    ...     together = Together(lengths)
    ...     return await asyncio.gather(together.get("ann"), together.get("robert"), together.get(""))
    >>> asyncio.run(asked())
    [3, 6, None]
    """

    def __init__(self, ask: Callable[[Sequence[str]], Mapping[str, _T]]) -> None:
        self._ask = ask
        self._waiting: dict[str, asyncio.Future[_T | None]] = {}
        self._task: asyncio.Task[None] | None = None

    def get(self, name: str) -> "asyncio.Future[_T | None]":
        """What there is by this name, or None; awaiting it is up to whoever asked."""
        found = self._waiting.get(name)
        if found is None:
            found = self._waiting[name] = asyncio.get_running_loop().create_future()
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._work())
        mine = asyncio.shield(found)  # who goes away does not take the answer along
        mine.add_done_callback(_heard)
        return mine

    async def _work(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            try:
                answers = await asyncio.to_thread(self._ask, list(asked))
            except Exception as error:
                for each in asked.values():
                    each.set_exception(error)
            else:
                for name, each in asked.items():
                    each.set_result(answers.get(name))


def _heard(answer: "asyncio.Future[_T | None]") -> None:
    """A failure that nobody waits for is none."""
    if not answer.cancelled():
        answer.exception()
