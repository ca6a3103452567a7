"""Look-ups in the store that are made together: those that come while one is under way share the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

_T = TypeVar("_T")
_LookUp = Callable[[Sequence[str]], Mapping[str, _T]]


class BatchedLookup(Generic[_T]):
    """Looks names up in a thread, one batch after the other.

    >>> from punto.service.store_calls import StoreCalls
    >>> def lengths(names):
    ...     return {name: len(name) for name in names if name}
    >>> async def asked():
    ...     lookup = BatchedLookup(lengths, StoreCalls())
    ...     return await asyncio.gather(lookup.get("ann"), lookup.get("robert"), lookup.get(""))
    >>> asyncio.run(asked())
    [3, 6, None]
    """

    def __init__(
        self, look_up: _LookUp[_T], in_thread: Callable[[_LookUp[_T], list[str]], Awaitable[Mapping[str, _T]]]
    ) -> None:
        self._look_up, self._in_thread = look_up, in_thread
        self._waiting: dict[str, asyncio.Future[_T | None]] = {}
        self._task: asyncio.Task[None] | None = None

    def get(self, name: str) -> "asyncio.Future[_T | None]":
        """What there is by this name, or None; the caller need not wait for it."""
        found = self._waiting.get(name)
        if found is None:
            found = self._waiting[name] = asyncio.get_running_loop().create_future()
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._work())
        answer = asyncio.shield(found)  # a caller that is cancelled must not cancel it for the others
        answer.add_done_callback(_retrieve)
        return answer

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, {}
            try:
                answers = await self._in_thread(self._look_up, list(batch))
            except Exception as error:
                for each in batch.values():
                    each.set_exception(error)
            else:
                for name, each in batch.items():
                    each.set_result(answers.get(name))


def _retrieve(answer: "asyncio.Future[_T | None]") -> None:
    """Mark the exception as retrieved, for callers that do not wait."""
    if not answer.cancelled():
        answer.exception()
