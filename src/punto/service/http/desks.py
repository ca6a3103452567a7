"""The desks that the staff of the tables look at: each is worked out once, and never by the thread that answers."""

import asyncio
from weakref import WeakKeyDictionary

from punto.service.desk.desk import Desk, desk_of
from punto.service.runtime.live import Live
from punto.service.threads import Threads
from punto.table import Table


class _KeptDesks:
    """The desks of a table as it stands after one of its entries, by who looks at them; some are being worked out."""

    def __init__(self, table: Table, sequence: int) -> None:
        self.table, self.sequence = table, sequence
        self.desks: dict[str, asyncio.Future[Desk]] = {}

    def is_of(self, live: Live) -> bool:
        """Whether nothing has happened at the table since."""
        return self.sequence == live.sequence and self.table is live.table


class Desks:
    """The desks of the tables, as they stand: whoever asks for one that is known, or begun, is given that.

    A desk follows from the table and its viewer alone, so it holds until something happens at the table. Desks are
    worked out by one thread, however many are asked for: it shares a processor with everything else.
    """

    def __init__(self) -> None:
        self._work_out = Threads(1, "desk")
        self._kept: WeakKeyDictionary[Live, _KeptDesks] = WeakKeyDictionary()

    def has(self, live: Live, viewer: str) -> bool:
        """Whether the present desk of a viewer is known, or being worked out."""
        kept = self._kept.get(live)
        return kept is not None and kept.is_of(live) and viewer in kept.desks

    async def of(self, live: Live, viewer: str) -> Desk:
        """What a post or a person of the staff sees of a table as it stands when this is called."""
        table = live.table
        assert table is not None
        kept = self._kept.get(live)
        if kept is None or not kept.is_of(live):
            kept = self._kept[live] = _KeptDesks(table, live.sequence)
        found = kept.desks.get(viewer)
        if found is None:
            working = self._work_out(desk_of, table, viewer, live.sequence)
            found = kept.desks[viewer] = asyncio.ensure_future(working)
        return await asyncio.shield(found)  # who goes away takes it from nobody else

    def close(self) -> None:
        """Begin nothing more."""
        self._work_out.close()
