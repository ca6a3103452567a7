"""The time limit behaves as `asyncio.timeout` does, whoever cancels whom, with one timer for all."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from punto.service.time_limit import TimeLimit

SHORT = 0.02


async def _waits(limit: TimeLimit) -> str:
    try:
        with limit():
            await asyncio.Event().wait()
    except TimeoutError:
        return "late"
    except asyncio.CancelledError:
        return "cancelled"
    return "done"


async def _waits_as_asyncio_does(seconds: float) -> str:
    try:
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()
    except TimeoutError:
        return "late"
    except asyncio.CancelledError:
        return "cancelled"
    return "done"


async def _both(story: Callable[[Callable[[], Awaitable[str]]], Awaitable[object]], seconds: float) -> None:
    """The same story with our limit and with asyncio's."""
    limit = TimeLimit(seconds)
    ours = await story(lambda: _waits(limit))
    assert ours == await story(lambda: _waits_as_asyncio_does(seconds))
    assert len(limit) == 0


def test_what_takes_too_long_ends_late_and_leaves_no_cancelling_behind() -> None:
    async def story(wait: Callable[[], Awaitable[str]]) -> object:
        task = asyncio.current_task()
        assert task is not None
        return await wait(), task.cancelling()

    asyncio.run(_both(story, SHORT))


def test_whoever_is_cancelled_from_outside_is_not_late() -> None:
    async def story(wait: Callable[[], Awaitable[str]]) -> object:
        task = asyncio.ensure_future(wait())
        await asyncio.sleep(0)
        task.cancel()
        return await task

    asyncio.run(_both(story, 60))


def test_who_is_late_and_cancelled_at_once_is_cancelled() -> None:
    async def story() -> str:
        limit = TimeLimit(SHORT)
        task = asyncio.ensure_future(_waits(limit))
        while len(limit) == 0:
            await asyncio.sleep(0)
        while len(limit):  # the limit has just cancelled it, and it has not run yet
            await asyncio.sleep(0)
        task.cancel()
        return await task

    assert asyncio.run(story()) == "cancelled"


def test_an_error_inside_is_told_as_it_is() -> None:
    async def story() -> None:
        with TimeLimit(60)():
            raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(story())


def test_each_has_its_own_time_though_there_is_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that end in time are forgotten; a later one is due later, and is not ended with an earlier one."""

    async def story() -> None:
        loop, limit, order = asyncio.get_running_loop(), TimeLimit(20), []
        now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: now)

        async def one(name: str) -> None:
            order.append(f"{name} {await _waits(limit)}")

        async def later(seconds: float) -> None:
            nonlocal now
            now += seconds
            for _ in range(5):  # timers that are due, whom they wake, and what those do
                await asyncio.sleep(0)

        first = asyncio.ensure_future(one("first"))
        await later(0)
        for _ in range(100):
            with limit():
                await later(0.01)
        assert len(limit) == 1
        await later(9)
        second = asyncio.ensure_future(one("second"))
        await later(0)
        await later(9)
        assert order == []
        await later(2)
        assert order == ["first late"]
        await later(8)
        assert order == ["first late"], "nobody is ended before their own time"
        await later(2)
        assert order == ["first late", "second late"]
        assert len(limit) == 0
        await asyncio.gather(first, second)

    asyncio.run(story())


def test_a_limit_can_lie_inside_another() -> None:
    async def story() -> str:
        outer, inner = TimeLimit(60), TimeLimit(SHORT)
        with outer():
            return await _waits(inner)

    assert asyncio.run(story()) == "late"

    async def other() -> str:
        outer, inner = TimeLimit(SHORT), TimeLimit(60)
        try:
            with outer():
                return await _waits(inner)
        except TimeoutError:
            return "outer late"

    assert asyncio.run(other()) == "cancelled"
