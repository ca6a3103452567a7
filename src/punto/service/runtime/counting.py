"""Counting the house for whoever asks the service: one at a time, in a thread of its own, and in a limited time.

A count may read long chains, so it does not take the threads that tables use, and reads them a slice at a time: several
who ask take turns. Whoever has waited long enough is told how much is left; the next count goes on from there.
"""

from collections.abc import Callable, Collection
from typing import Concatenate, ParamSpec, TypeVar

from punto.journal import Unavailable
from punto.messages import SpokenError, Wording, say
from punto.service.money.count import Counter, NotThrough
from punto.service.money.standing import table_heads
from punto.service.store_calls import StoreCalls
from punto.service.threads import Threads
from punto.service.time_limit import TimeLimit

SECONDS = 30.0
"""How long somebody waits for a count, their turn included."""

SLICE = 2000
"""Entries that a count reads before others have their turn."""

_STILL = say("still-counting", "The house is still being counted: ask again soon.")
_LEFT = Wording("still-counting-left", "The house is still being counted, {left} events are left: ask again soon.")
_P = ParamSpec("_P")
_T = TypeVar("_T")


class StillCounting(SpokenError, Unavailable):
    """A count is not ready yet: for whoever asks, the store has not answered. The message is a sentence."""


class Counting:
    """The counter of the house, for calls from the loop: `await counting(Counter.report, day)`."""

    def __init__(self, counter: Counter, ask_store: StoreCalls, seconds: float = SECONDS) -> None:
        self.counter, self._ask_store = counter, ask_store
        self._limit, self._thread = TimeLimit(seconds), Threads(1, "count")

    async def __call__(self, ask: Callable[Concatenate[Counter, _P], _T], *given: _P.args, **more: _P.kwargs) -> _T:
        """What a method of the counter returns; `Unavailable` or `StillCounting` if that takes too long."""
        return await self.in_turn(ask, self.counter, *given, **more)

    async def in_turn(self, call: Callable[_P, _T], *given: _P.args, **more: _P.kwargs) -> _T:
        """What a call returns that counts, made when it is its turn."""
        await self._ask_store(table_heads, self.counter.journal)  # a store that hangs is known in its own time
        left: int | None = None
        try:
            with self._limit():
                while True:
                    try:
                        return await self._thread(call, *given, **more)
                    except NotThrough as slice_read:
                        left = slice_read.left
        except TimeoutError:
            raise StillCounting(_STILL if left is None else _LEFT.say(left=left)) from None

    async def keep_up(self, names: Collection[str]) -> bool:
        """Go on with the ledger of one of these tables that is behind; whether there may be more to do."""
        return await self._thread(self.counter.keep_up, names)

    def close(self) -> None:
        """Begin no count any more, and wait for none."""
        self._thread.close()
