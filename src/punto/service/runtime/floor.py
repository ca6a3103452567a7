"""The floor: every table of the house as it stands, the one way to change one, and to follow it.

A command is decided on the table as this process knows it and appended to its chain; only when the
chain has it, anybody hears of it. If another process was quicker, the table is brought up to date
and the command decided anew.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import msgspec

from punto.journal import HOUSE, Append, Appended, Conflict, Entry, Journal, Repeated
from punto.rulebook import SHIPPED, Library, Refused
from punto.service.errors import Unknown
from punto.service.metrics import ACCEPTED, REFUSED, REPEATED
from punto.service.runtime.committer import Committer, Unfit
from punto.table import Table, act, commands, decode_event, encode, events, evolve

KEPT = 512
"""So many of a table's last entries stay in memory for those who follow it."""

_TRIES = 8


class NotDurable(ValueError):
    """The store did not take it: whether it did happen is known when the same command is sent again."""


class Said(msgspec.Struct, frozen=True):
    """An entry ready to be told: its number, the event, and the message as bytes."""

    sequence: int
    event: events.Event
    message: bytes


class Outcome(msgspec.Struct, frozen=True):
    """What a command led to: the entries that it made, now or when it was first sent."""

    first: int
    last: int
    said: tuple[Said, ...]
    repeated: bool = False


class Live:
    """A table in memory: how far its chain is known, and who waits for more."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.table: Table | None = None
        self.sequence = 0
        self.stale = True
        self.lock = asyncio.Lock()
        self.last: deque[Said] = deque(maxlen=KEPT)
        self.moved = asyncio.Event()

    def take(self, said: Said, table: Table) -> None:
        """One entry further."""
        self.table, self.sequence = table, said.sequence
        self.last.append(said)

    def wake(self) -> None:
        """Tell everybody who waits."""
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()


def said_of(entry: Entry) -> Said:
    """An entry as it is told to people."""
    event = decode_event(entry.body)
    return Said(entry.sequence, event, message(entry))


def message(entry: Entry) -> bytes:
    """`{"sequence": …, "at": …, "who": …, "event": {…}}`."""
    head = msgspec.json.encode({"sequence": entry.sequence, "at": entry.at, "who": entry.who})
    return head[:-1] + b',"event":' + entry.body + b"}"


class Floor:
    """All tables that this process has looked at."""

    def __init__(self, journal: Journal, clock: Callable[[], str] | None = None, library: Library = SHIPPED) -> None:
        self.journal, self.library = journal, library
        self.committer = Committer(journal)
        self.clock = clock or now
        self._tables: dict[str, Live] = {}
        self.watchers: list[Callable[[Live, tuple[Said, ...]], None]] = []
        self.fill: Callable[[Live, commands.Command], Awaitable[commands.Command]] | None = None
        """Fills in what only this process knows, such as the face of a card, just before a command is decided."""

    # The one way to change a table

    async def submit(self, name: str, command: commands.Command, *, who: str, key: str) -> Outcome:
        """Decide a command and make it durable; `Refused` if the book does not allow it."""
        live = self._tables.get(name)
        if live is None:
            _no_table(name)
            opens = isinstance(command, commands.OpenTable)
            live = self._tables.setdefault(name, Live(name)) if opens else await self.live(name)
        async with live.lock:
            for _ in range(_TRIES):
                if live.stale:
                    await self._catch_up(live)
                outcome = await self._try(live, command, who, key)
                if outcome is not None:
                    return outcome
                live.stale = True
        raise NotDurable("Others were quicker each time: send it again.")

    async def _try(self, live: Live, command: commands.Command, who: str, key: str) -> Outcome | None:
        opening = live.sequence == 0
        if opening and not isinstance(command, commands.OpenTable):
            raise Unknown(f"There is no table {live.name!r}.")
        try:
            if self.fill is not None:
                command = await self.fill(live, command)
            table, made = act(live.table, command, self.library)
        except Refused:
            before = await self.first_time(live.name, key, who)
            if before is not None:
                return before
            REFUSED.inc()
            raise
        bodies = tuple(encode(event) for event in made)
        given = Append(live.name, live.sequence, key, who, self.clock(), bodies)
        try:
            result = await self.committer.append(given)
        except Unfit:
            raise Refused("There is something in this command that the journal cannot keep.") from None
        except Exception as error:
            live.stale = True
            raise NotDurable("The store did not take it: send the same command again.") from error
        if isinstance(result, Conflict):
            return None
        if isinstance(result, Repeated):
            REPEATED.inc()
            return await self.first_time(live.name, key, who)
        return self._took(live, result, table, made)

    def _took(self, live: Live, result: Appended, table: Table, made: tuple[events.Event, ...]) -> Outcome:
        ACCEPTED.inc()
        told = tuple(
            Said(entry.sequence, event, message(entry)) for entry, event in zip(result.entries, made, strict=True)
        )
        for said in told:
            live.take(said, table)
        if told:
            live.wake()
            for watcher in self.watchers:
                watcher(live, told)
        first = result.entries[0].sequence if told else live.sequence + 1
        return Outcome(first, live.sequence, told)

    async def first_time(self, name: str, key: str, who: str) -> Outcome | None:
        """What a command led to when it was first sent, if it was; nobody gets the answer of another."""
        found = await asyncio.to_thread(self.journal.made_by, name, key)
        if not found:
            return None
        if found[0].who != who:
            raise Refused("This key belongs to a command of somebody else: choose another.")
        told = tuple(said_of(entry) for entry in found)
        return Outcome(told[0].sequence, told[-1].sequence, told, repeated=True)

    # Looking

    async def live(self, name: str) -> Live:
        """A table as it stands; `Unknown` if there is none."""
        live = self._tables.get(name)
        if live is None or live.stale or live.sequence == 0:
            _no_table(name)
            live = self._tables.setdefault(
                name, live or Live(name)
            )  # first, so that no news is missed while it is read
            async with live.lock:
                await self._catch_up(live)
            if live.sequence == 0:
                self._forget(live)
                raise Unknown(f"There is no table {name!r}.")
        return live

    def _forget(self, live: Live) -> None:
        """A name without a table takes no room, unless somebody is about to open one."""
        if not live.lock.locked() and self._tables.get(live.name) is live:
            del self._tables[live.name]

    async def table(self, name: str) -> Table:
        """A table's state."""
        table = (await self.live(name)).table
        assert table is not None
        return table

    async def names(self) -> list[str]:
        """Every table there is."""
        return sorted(set(await asyncio.to_thread(self.journal.tables)) - {HOUSE})

    def behind(self, name: str, sequence: int) -> bool:
        """Whether a table that this process knows has gone further than it knows."""
        live = self._tables.get(name)
        return live is not None and live.sequence < sequence

    async def reached(self, name: str, sequence: int) -> None:
        """Another process has gone on with a table: read what is new."""
        live = self._tables.get(name)
        if live is not None and live.sequence < sequence:
            async with live.lock:
                if live.sequence < sequence:
                    await self._catch_up(live)

    async def _catch_up(self, live: Live) -> None:
        found = await asyncio.to_thread(self.journal.read, live.name, live.sequence)
        told = tuple(said_of(entry) for entry in found)
        for said in told:
            live.take(said, evolve(live.table, said.event, self.library))
        live.stale = False
        if told:
            live.wake()
            for watcher in self.watchers:
                watcher(live, told)

    async def follow(self, name: str, after: int) -> AsyncIterator[Said]:
        """Everything after a number, each once and in order, then whatever comes."""
        live = await self.live(name)
        while True:
            moved = live.moved
            if live.sequence > after:
                for said in await self._between(live, after):
                    yield said
                    after = said.sequence
            else:
                await moved.wait()

    async def past(self, name: str, after: int, limit: int | None = None) -> list[Said]:
        """What has been after a number."""
        live = await self.live(name)
        found = await asyncio.to_thread(self.journal.read, name, after, limit)
        return [said_of(entry) for entry in found if entry.sequence <= live.sequence]

    async def _between(self, live: Live, after: int) -> list[Said]:
        if live.last and live.last[0].sequence <= after + 1:
            return [said for said in live.last if said.sequence > after]
        found = await asyncio.to_thread(self.journal.read, live.name, after, 1000)
        return [said_of(entry) for entry in found if entry.sequence <= live.sequence]

    async def stop(self) -> None:
        """Write what is waiting and let everybody go."""
        await self.committer.stop()


def _no_table(name: str) -> None:
    if name == HOUSE:
        raise Unknown(f"{HOUSE!r} is the house's own: no table has that name.")


def now() -> str:
    """The time, as it is written down."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
