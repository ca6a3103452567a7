"""What others add to the floor: what is done to a command before it is decided, by what it is, and who hears of it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from punto.journal import Proviso
from punto.service.runtime.live import Live, Said
from punto.table import commands


class RecordGuard(Protocol):
    """Decides commands by a record of the store, on every process."""

    def proviso(self, live: Live, command: commands.Command) -> Proviso | None:
        """The record that must be as it is known when a command is committed, if there is one."""

    async def renewed(self, live: Live) -> None:
        """Read that record anew: a command was not committed, perhaps because of it."""


Turns = Callable[[int], Awaitable[None]]
"""Waits until somebody who was told so many events of the past may be told more."""

Prepare = Callable[[Live, commands.Command], Awaitable[commands.Command]]
"""Fills in what only this process knows, such as the face of a card, just before a command is decided."""

Watch = Callable[[Live, tuple[Said, ...]], None]
"""Hears of events that have become durable."""
