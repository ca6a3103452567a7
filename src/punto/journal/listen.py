"""Hearing what is committed on PostgreSQL: LISTEN on a connection of its own."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import psycopg

from punto.journal.errors import Unavailable
from punto.journal.notify import CHANNEL, read_message
from punto.journal.store import Journal


class Reached(msgspec.Struct, frozen=True):
    """How far tables have gone, and whether the journal that listens has committed it itself."""

    tables: dict[str, int]
    own: bool = False


async def reached(journal: Journal) -> AsyncIterator[Reached]:
    """How far tables have gone: first all of them as they stand, then whatever any process commits.

    A commit notifies in its own transaction, so nothing is told that is not durable, and nothing durable goes untold
    while this runs. `Unavailable` when the connection breaks: begin again, and all tables are told once more.
    """
    try:
        async with await psycopg.AsyncConnection.connect(
            journal.libpq_url, autocommit=True, **journal.connection_options
        ) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            yield Reached(await asyncio.to_thread(journal.tables))
            async for notice in connection.notifies():
                sender, told = read_message(notice.payload)
                yield Reached(told, sender == journal.process)
    except psycopg.Error as error:
        raise Unavailable(f"The store did not answer: {str(error).strip()}.") from error
