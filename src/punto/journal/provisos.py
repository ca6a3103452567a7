"""Provisos: a record that must be as somebody has read it when what they decided by it is committed."""

from collections.abc import Callable, Mapping

import msgspec


class Proviso(msgspec.Struct, frozen=True):
    """A record of the store, and whether it is still as it was when something was decided by it; None if it is gone.

    Nobody changes a `held` record until the commit is over: whoever has changed it sees everything that was decided by
    what it was before.
    """

    kind: str
    name: str
    holds: Callable[[str | None], bool]
    held: bool = False

    def broken(self, records: Mapping[tuple[str, str], str]) -> bool:
        """Whether it does not hold by the records as they are now, by kind and name."""
        return not self.holds(records.get((self.kind, self.name)))
