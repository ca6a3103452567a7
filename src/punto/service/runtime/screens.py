"""What screens show of a table: a snapshot for each viewer, and what changed in it.

Everybody's part of a snapshot is worked out and compared once for a commit, whoever looks. What only one viewer sees is
stated as the changes that turn everybody's snapshot into theirs; so theirs is always exactly what `seen` says, and
nothing of it can reach anybody else.
"""

from collections import deque
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

import msgspec

from punto.service.runtime.live import Live
from punto.service.runtime.patches import changes
from punto.service.runtime.timing import clock, held, room, window
from punto.service.settings import Settings
from punto.table import viewer_at
from punto.table.view import View, own_view, view

KEPT = 8
"""Snapshots of a table that are remembered: a screen that is further behind gets a whole one."""


ShownNames = Callable[[Iterable[str]], dict[str, str]]
"""The names that people see, for those of these persons who have one."""


class SeenTable(msgspec.Struct):
    """A table as the viewer sees it, the number of the last entry it rests on, and what is shown beside it.

    Times are milliseconds of the house's clock. `you` is who the viewer is at this table; `room` is what the
    differential leaves on each hand, and `title` that of the table's book, with `titles` in other languages. `shown`
    are the names that people see for persons at the table; `money` says where it comes from: `cage`, `play` or
    `wallet`.
    """

    sequence: int
    view: View
    opened_at: int | None
    closes_at: int | None
    asks_until: int | None
    you: str | None
    room: dict[str, int]
    title: str
    positions: int
    decks: int
    shown: dict[str, str]
    money: str
    titles: dict[str, str]


def seen(live: Live, viewer: str | None, settings: Settings, names: ShownNames) -> SeenTable:
    """A table as a viewer sees it now."""
    return seen_by(viewer, seen_by_anybody(live, settings, names), live, settings, names)


def seen_by_anybody(live: Live, settings: Settings, names: ShownNames) -> SeenTable:
    """A table as anybody sees it now."""
    table = live.table
    assert table is not None
    opened, closes = clock(live, table, settings)
    until, setup = window(live, table, settings), table.setup
    beside = room(table, None), table.book.title, setup.positions, setup.decks, names(table.patrons), settings.money
    return SeenTable(live.sequence, view(table), opened, closes, until, None, *beside, dict(table.book.titles))


def seen_by(viewer: str | None, public: SeenTable, live: Live, settings: Settings, names: ShownNames) -> SeenTable:
    """What everybody sees, with what this viewer sees besides."""
    table = live.table
    assert table is not None
    if viewer is None:
        return public
    return msgspec.structs.replace(
        public,
        view=own_view(public.view, table, viewer),
        asks_until=public.asks_until or held(live, table, viewer, settings),
        you=viewer,
        room=room(table, viewer),
        shown=names([*table.patrons, *table.posts]) if viewer_at(table, viewer).staff else public.shown,
    )


class PublicPart:
    """What everybody sees of a table: the snapshot, and what changed in it since earlier ones."""

    def __init__(self, live: Live, settings: Settings, names: ShownNames) -> None:
        self._live, self._settings, self._names = live, settings, names
        self._kept: deque[SeenTable] = deque(maxlen=KEPT)
        self._whole = b""
        self._patches: dict[int, bytes] = {}

    @property
    def snapshot(self) -> SeenTable:
        """What anybody sees now; the same object until something happens."""
        if not self._kept or self._kept[-1].sequence != self._live.sequence:
            self._kept.append(seen_by_anybody(self._live, self._settings, self._names))
            self._whole = b""
            self._patches = {}
        return self._kept[-1]

    @property
    def whole(self) -> bytes:
        """The snapshot as JSON, encoded once."""
        now = self.snapshot
        if not self._whole:
            self._whole = msgspec.json.encode(now)
        return self._whole

    def patch(self, since: int) -> bytes | None:
        """What changed since an earlier snapshot, as JSON, worked out once; None where that one is forgotten."""
        now = self.snapshot
        if since not in self._patches:
            before = next((each for each in self._kept if each.sequence == since), None)
            if before is None:
                return None
            self._patches[since] = msgspec.json.encode(changes(before, now))
        return self._patches[since]

    def own(self, viewer: str | None) -> bytes:
        """What turns everybody's snapshot into a viewer's, as JSON."""
        if viewer is None:
            return b"[]"
        public = self.snapshot
        own = seen_by(viewer, public, self._live, self._settings, self._names)
        return msgspec.json.encode(changes(public, own))


class Screens:
    """Everybody's part of each table that somebody looks at. It goes with the last who looks."""

    def __init__(self, settings: Settings, names: ShownNames) -> None:
        self._settings, self._names = settings, names
        self._tables: WeakValueDictionary[str, PublicPart] = WeakValueDictionary()

    def of(self, live: Live) -> PublicPart:
        """Everybody's part of a table."""
        found = self._tables.get(live.name)
        if found is None:
            found = self._tables[live.name] = PublicPart(live, self._settings, self._names)
        return found
