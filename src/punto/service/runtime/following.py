"""What other processes do: every commit on PostgreSQL tells which tables have gone how far, and the floor reads it.

It comes through Litestar's channels. A commit tells of itself in its own transaction: nothing is told that is not
durable, and nothing durable goes untold, which publishing after the commit could not promise.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager

import psycopg
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend

from punto.journal import Journal, JournalError
from punto.journal.store import CHANNEL, reached_in, told_of
from punto.service.runtime.floor import Floor

log = logging.getLogger("punto")
_PAUSE = 0.5


class Commits(ChannelsBackend):
    """PostgreSQL's notifications as a backend of the channels. After having been away it tells where all tables are."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._url = journal.url.set(drivername="postgresql").render_as_string(hide_password=False)

    async def on_startup(self) -> None:
        """The stream connects by itself."""

    async def on_shutdown(self) -> None:
        """The stream is cancelled, and its connection with it."""

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Nothing is said here: a commit tells of itself."""
        raise NotImplementedError("A commit tells of itself.")

    async def subscribe(self, channels: Iterable[str]) -> None:
        """There is one channel, and the stream is of that."""

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        """There is one channel, and the stream is of that."""

    async def get_history(self, channel: str, limit: int | None = None) -> list[bytes]:
        """What has been is in the journal."""
        raise NotImplementedError("What has been is in the journal.")

    async def stream_events(self) -> AsyncGenerator[tuple[str, bytes], None]:
        """Whatever is told, and once more where everything is whenever the line was down."""
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    for said in told_of(await asyncio.to_thread(self._journal.tables)):
                        yield CHANNEL, said.encode()
                    async for notice in connection.notifies():
                        yield CHANNEL, notice.payload.encode()
            except (psycopg.Error, JournalError) as error:
                log.warning("not listening", extra={"why": str(error).strip()})
                await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def following(journal: Journal, floor: Floor) -> AsyncIterator[None]:
    """Bring the floor up to date with what others do, where the store is PostgreSQL."""
    if journal.sqlite:
        yield
        return
    async with (
        ChannelsPlugin(Commits(journal), channels=[CHANNEL]) as channels,
        channels.start_subscription(CHANNEL) as told,
        told.run_in_background(_Reading(floor).hear, join=False),
    ):
        yield


class _Reading:
    """Reads what this process does not know yet, several tables at once."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._tasks: set[asyncio.Task[None]] = set()

    async def hear(self, said: bytes) -> None:
        """Some tables have gone so far."""
        for name, sequence in reached_in(said.decode()).items():
            if self._floor.behind(name, sequence):
                task = asyncio.create_task(self._floor.reached(name, sequence))
                self._tasks.add(task)
                task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("not followed", extra={"why": str(task.exception())})
