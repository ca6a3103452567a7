"""What goes on in the background while something else is open."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any


@asynccontextmanager
async def going_on(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let something go on for as long as this lasts, and wait then until it has ended."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
