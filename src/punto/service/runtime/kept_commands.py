"""Commands on their way into the journal: with the digest of their book, and with hidden faces sealed.

The journal keeps a command as it was decided, so that it can be decided again: a book by its digest, not by an id that
may mean another edition one day, and faces that no event shows under a key of the shoe. The key is revealed by the
command that ends the shoe.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from punto.audit import seal_key_name
from punto.journal import Journal
from punto.rulebook import Library, Refused
from punto.sealing import hides_faces, new_shoe_key, seal
from punto.table import Table, commands, encode
from punto.table.events import Event


class KeptCommands:
    """Prepares commands for being decided, and writes those that were."""

    def __init__(self, journal: Journal, library: Library) -> None:
        self._journal, self._library = journal, library

    async def prepared(self, name: str, table: Table | None, command: commands.Command) -> commands.Command:
        """A command with what the journal demands of it: the digest of a book, the key of a shoe that ends."""
        if isinstance(command, commands.OpenTable):
            return self._with_digest(command)
        if isinstance(command, commands.EndShoe) and table is not None:
            key = await asyncio.to_thread(self._journal.secret, name, seal_key_name(table.shoes))
            return msgspec.structs.replace(command, key="" if key is None else key.hex())
        return command

    def _with_digest(self, command: commands.OpenTable) -> commands.OpenTable:
        try:
            return msgspec.structs.replace(command, book=self._library.book(command.book).digest)
        except Refused:
            return command  # which the table refuses

    async def written(
        self, name: str, table: Table | None, command: commands.Command, events: Sequence[Event]
    ) -> bytes:
        """A command as the journal keeps it. The key of what is sealed is durable when this returns."""
        if table is None or table.shoe is None or not hides_faces(command, events):
            return encode(command)
        named = seal_key_name(table.shoes)
        key = await asyncio.to_thread(self._journal.secret_or, name, named, new_shoe_key())
        return seal(command, key, name, table.shoes)
