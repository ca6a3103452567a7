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


def test_each_has_its_own_time_though_there_is_one_timer() -> None:
    """Those that end in time are forgotten; a later one is due later, and is not ended with an earlier one."""

    async def story() -> tuple[list[str], list[float]]:
        limit, order, lasted = TimeLimit(0.2), [], []

        async def one(name: str) -> None:
            began = asyncio.get_running_loop().time()
            order.append(f"{name} {await _waits(limit)}")
            lasted.append(asyncio.get_running_loop().time() - began)

        first = asyncio.ensure_future(one("first"))
        await asyncio.sleep(0)
        for _ in range(100):
            with limit():
                await asyncio.sleep(0)
        assert len(limit) == 1
        await asyncio.sleep(0.1)
        await asyncio.gather(first, one("second"))
        assert len(limit) == 0
        return order, lasted

    order, lasted = asyncio.run(story())
    assert order == ["first late", "second late"]
    assert min(lasted) >= 0.19, "nobody is ended before their own time"


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
