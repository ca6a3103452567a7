"""Commands on their way into the journal: with the digest of their book, and with hidden faces sealed.

The journal keeps a command as it was decided, so that it can be decided again: a book by its digest, not by an id that
may mean another edition one day, and faces that no event shows under a key of the shoe. The key is revealed by the
command that ends the shoe.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from punto.audit import seal_key_name
from punto.journal import Entry, Journal
from punto.messages import say
from punto.rulebook import Library, Refused
from punto.sealing import BadSeal, StillSealed, hides_faces, new_shoe_key, seal, unseal
from punto.service.store_calls import StoreCalls
from punto.table import Table, commands, encode
from punto.table.events import Event


class KeptCommands:
    """Prepares commands for being decided, and writes those that were."""

    def __init__(self, journal: Journal, library: Library, calls: StoreCalls) -> None:
        self._journal, self._library, self._ask_store = journal, library, calls

    async def prepared(self, name: str, table: Table | None, command: commands.Command) -> commands.Command:
        """A command with what the journal demands of it: the digest of a book, the key of a shoe that ends."""
        if isinstance(command, commands.OpenTable):
            self._check_in_use(table, command)
            return self._with_digest(command)
        if isinstance(command, commands.EndShoe) and table is not None:
            key = await self._ask_store(self._journal.secret, name, seal_key_name(table.shoes))
            return msgspec.structs.replace(command, key="" if key is None else key.hex())
        return command

    def _check_in_use(self, table: Table | None, command: commands.OpenTable) -> None:
        """Refuse an edition that is not in use, which a digest may name; a table may keep its own."""
        named, ids = command.book, self._library.ids()
        if table is not None and named == table.book.digest:
            return
        if named not in ids and all(self._library.book(each).digest != named for each in ids):
            self._library.book(named)  # refused if there is none at all
            raise Refused(
                say(
                    "edition-not-in-use",
                    "A table is opened by an edition in use: name the book by its id, one of {books:list}.",
                    books=list(ids),
                )
            )

    def _with_digest(self, command: commands.Command) -> commands.Command:
        if not isinstance(command, commands.OpenTable):
            return command
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
        key = await self._ask_store(self._journal.secret_or, name, named, new_shoe_key())
        return seal(command, key, name, table.shoes)

    async def is_kept(self, name: str, table: Table | None, command: commands.Command, entry: Entry) -> bool:
        """Whether an entry keeps this very command; what the service itself fills in is not compared.

        An entry without a command, or one that cannot be opened, says nothing against it.
        """
        if entry.command is None:
            return True
        try:
            kept = await self._ask_store(unseal, entry.command, name, partial(self._seal_key, name))
        except (BadSeal, StillSealed):
            return True
        return _as_sent(self._with_digest(command), table) == _as_sent(kept, table)

    def _seal_key(self, name: str, shoe: int) -> bytes | None:
        return self._journal.secret(name, seal_key_name(shoe))


def _as_sent(command: commands.Command, table: Table | None) -> commands.Command:
    """A command without what the service fills in: who gives it, keys and seeds, and faces that no person says.

    What somebody reports to have seen is what they say, at every shoe.
    """
    filled = set(_FILLED.get(type(command), ()))
    if isinstance(command, commands.Expose) and table is not None and table.setup.shoe != "hand":
        filled.add("faces")
    return msgspec.structs.replace(command, by="", **{name: _NOTHING[name] for name in filled})


_FILLED: dict[type[commands.Command], tuple[str, ...]] = {
    commands.LoadShoe: ("commitment",),
    commands.InviteWords: ("commitment",),
    commands.EndShoe: ("seed", "key"),
}
_NOTHING: dict[str, Any] = {"commitment": "", "seed": "", "key": "", "faces": ()}
"""What stands in the place of a field that the service fills in."""
