"""The floor: every table of the house as it stands, the one way to change one, and to follow it.

A command is decided on the table as this process knows it and appended to its chain; only when the
chain has it, anybody hears of it. If another process was quicker, the table is brought up to date
and the command decided anew.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import UTC, datetime
from typing import Protocol, TypeVar

import msgspec

from punto.journal import HOUSE, Append, Conflict, Entry, Journal, Repeated, StoredEvent, Unfit, events_of
from punto.messages import say
from punto.rulebook import SHIPPED, Library, Refused
from punto.service.errors import Unknown
from punto.service.metrics import ACCEPTED, REFUSED, REPEATED
from punto.service.runtime.committer import Committer
from punto.service.runtime.kept_commands import KeptCommands
from punto.service.store_calls import StoreCalls, late
from punto.table import ENGINE, Table, act, commands, decode_event, encode, events, evolve

KEPT = 512
"""How many of a table's last events stay in memory for those who follow it."""

_TRIES = 8
_PAGE = 2000
"""Events that are read from the store at once."""


_NOT_TAKEN = "The store did not take it: send the same command again."


class NotDurable(ValueError):
    """The store did not take it: whether it did happen is known when the same command is sent again."""


class Said(msgspec.Struct, frozen=True):
    """An event ready to be told: its number, the event, and the message as bytes."""

    sequence: int
    event: events.Event
    message: bytes


class Committed(msgspec.Struct, frozen=True):
    """What a command led to: its events, now or when it was first sent."""

    first: int
    last: int
    said: tuple[Said, ...]
    repeated: bool = False


class Follower(Protocol):
    """Something that is worked out from the events of a table, one after the other."""

    sequence: int
    """The number of the last event that was taken."""

    def take(self, said: Said) -> None:
        """Take the next event."""


F = TypeVar("F", bound=Follower)


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
        self.followers: dict[type[Follower], Follower] = {}
        """What is worked out from the events, by its class; brought up to date when it is asked for."""
        self.passed: tuple[tuple[int, int, int], frozenset[str]] | None = None
        """Who has let an offer pass, and the moment that it belongs to (see `passed_offers`)."""

    def take(self, said: Said, table: Table) -> None:
        """Go one event further."""
        self.table, self.sequence = table, said.sequence
        self.last.append(said)

    def wake(self) -> None:
        """Tell everybody who waits."""
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()


Prepare = Callable[[Live, commands.Command], Awaitable[commands.Command]]
"""Fills in what only this process knows, such as the face of a card, just before a command is decided."""

Watch = Callable[[Live, tuple[Said, ...]], None]
"""Hears of events that have become durable."""


def told(found: Iterable[StoredEvent]) -> tuple[Said, ...]:
    """Events of the journal as they are told to people."""
    return tuple(
        Said(each.sequence, decode_event(each.body), _message(each.sequence, each.at, each.who, each.body))
        for each in found
    )


def _message(sequence: int, at: str, who: str, body: bytes) -> bytes:
    """`{"sequence": …, "at": …, "who": …, "event": {…}}`."""
    head = msgspec.json.encode({"sequence": sequence, "at": at, "who": who})
    return head[:-1] + b',"event":' + body + b"}"


class Floor:
    """All tables that this process has looked at."""

    def __init__(
        self,
        journal: Journal,
        clock: Callable[[], str] | None = None,
        library: Library = SHIPPED,
        calls: StoreCalls | None = None,
    ) -> None:
        self.journal, self.library = journal, library
        self.ask_store = calls or StoreCalls()
        """Calls the store in a thread, for a limited time."""
        self.committer = Committer(journal, self.ask_store.seconds)
        self.clock = clock or now
        self._tables: dict[str, Live] = {}
        self._commands = KeptCommands(journal, library, self.ask_store)
        self.preparations: list[Prepare] = []
        """What is done to a command before it is decided, one after the other."""
        self.watchers: list[Watch] = []

    # The one way to change a table

    async def submit(self, name: str, command: commands.Command, *, who: str, key: str) -> Committed:
        """Decide a command and make it durable; `Refused` if the book does not allow it."""
        live = self._tables.get(name)
        if live is None:
            _no_table(name)
            opens = isinstance(command, commands.OpenTable)
            live = self._tables.setdefault(name, Live(name)) if opens else await self.live(name)
        try:
            async with asyncio.timeout(self._patience), live.lock:
                for _ in range(_TRIES):
                    if live.stale:
                        await self._catch_up(live)
                    outcome = await self._try(live, command, who, key)
                    if outcome is not None:
                        return outcome
                    live.stale = True
        except TimeoutError:
            raise NotDurable(_NOT_TAKEN) from None
        raise NotDurable("Others were quicker each time: send it again.")

    @property
    def _patience(self) -> float:
        """Seconds for everything that a command or a look at a table needs of the store, and for its turn."""
        return 2 * self.ask_store.seconds

    async def _try(self, live: Live, command: commands.Command, who: str, key: str) -> Committed | None:
        opening = live.sequence == 0
        if opening and not isinstance(command, commands.OpenTable):
            raise Unknown(f"There is no table {live.name!r}.")
        try:
            command = await self._commands.prepared(live.name, live.table, command)
            for prepare in self.preparations:
                command = await prepare(live, command)
            table, made = act(live.table, command, self.library)
        except Refused:
            before = await self.first_time(live.name, key, who, command)
            if before is not None:
                return before
            REFUSED.inc()
            raise
        bodies = tuple(encode(event) for event in made)
        try:
            written = await self._commands.written(live.name, live.table, command, made)
            given = Append(live.name, live.sequence, key, who, self.clock(), bodies, written, ENGINE)
            result = await self.committer.append(given)
        except Unfit:
            raise Refused(
                say("journal-cannot-keep", "There is something in this command that the journal cannot keep.")
            ) from None
        except Exception as error:
            live.stale = True
            raise NotDurable(_NOT_TAKEN) from error
        except asyncio.CancelledError:  # it may have been taken
            live.stale = True
            raise
        if isinstance(result, Conflict):
            return None
        if isinstance(result, Repeated):
            REPEATED.inc()
            return await self.first_time(live.name, key, who, command)
        ACCEPTED.inc()
        return self._took(live, result.entry, table, made)

    def _took(self, live: Live, entry: Entry | None, table: Table, made: tuple[events.Event, ...]) -> Committed:
        """Take up what has become durable, and tell everybody."""
        if entry is None:
            return Committed(live.sequence + 1, live.sequence, ())
        numbered = enumerate(zip(entry.events, made, strict=True), start=entry.first)
        news = tuple(Said(at, event, _message(at, entry.at, entry.who, body)) for at, (body, event) in numbered)
        for said in news:
            live.take(said, table)
        self._tell(live, news)
        return Committed(entry.first, entry.sequence, news)

    def _tell(self, live: Live, news: tuple[Said, ...]) -> None:
        live.wake()
        for watcher in self.watchers:
            watcher(live, news)

    async def first_time(
        self, name: str, key: str, who: str, command: commands.Command | None = None
    ) -> Committed | None:
        """What a command led to when it was first sent, if it was.

        Nobody gets the answer of another, and no command that of another with the same key.
        """
        found = await self.ask_store(self.journal.by_key, name, key)
        if not found:
            return None
        if found[0].who != who:
            raise Refused(
                say("key-of-somebody-else", "This key belongs to a command of somebody else: choose another.")
            )
        live = self._tables.get(name)
        table = None if live is None else live.table
        if command is not None and not await self._commands.is_kept(name, table, command, found[0]):
            raise Refused(say("key-of-another-command", "This key was used for another command: choose a new one."))
        news = told(events_of(found))
        return Committed(news[0].sequence, news[-1].sequence, news, repeated=True)

    # Looking

    async def live(self, name: str) -> Live:
        """A table as it stands; `Unknown` if there is none."""
        live = self._tables.get(name)
        if live is None or live.stale or live.sequence == 0:
            _no_table(name)
            # It is listed before it is read, so that no news is missed meanwhile.
            live = self._tables.setdefault(name, live or Live(name))
            await self._look_again(live)
            if live.sequence == 0:
                self._forget(live)
                raise Unknown(f"There is no table {name!r}.")
        return live

    async def _look_again(self, live: Live) -> None:
        """Bring a table up to date when it is its turn; a long chain takes as long as it takes."""
        try:
            async with asyncio.timeout(self._patience):
                await live.lock.acquire()
        except TimeoutError:
            raise late(self._patience) from None
        try:
            await self._catch_up(live)
        finally:
            live.lock.release()

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
        return sorted(set(await self.ask_store(self.journal.tables)) - {HOUSE})

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
        """Read what is new, a page at a time."""
        more = True
        while more:
            found = await self.ask_store(self.journal.read, live.name, live.sequence, _PAGE)
            news = told(found)
            for said in news:
                live.take(said, evolve(live.table, said.event, self.library))
            more = len(found) == _PAGE
            if news:
                self._tell(live, news)
        live.stale = False

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
        """Events of the past above a number."""
        return await self._read(await self.live(name), after, limit)

    async def followed(self, live: Live, kind: type[F]) -> F:
        """What a class of follower has worked out from the events of a table; only what is new is read."""
        found = live.followers.get(kind)
        follower = found if isinstance(found, kind) else kind()
        live.followers[kind] = follower
        while follower.sequence < live.sequence:
            for said in await self._between(live, follower.sequence):
                if said.sequence == follower.sequence + 1:  # another may have gone on meanwhile
                    follower.take(said)
        return follower

    async def _between(self, live: Live, after: int) -> list[Said]:
        if live.last and live.last[0].sequence <= after + 1:
            return [said for said in live.last if said.sequence > after]
        return await self._read(live, after, 1000)

    async def _read(self, live: Live, after: int, limit: int | None) -> list[Said]:
        """Events that are known of, a page at a time: all of them, or as many as the limit says."""
        read: list[Said] = []
        more = True
        while more:
            wanted = _PAGE if limit is None else min(_PAGE, limit - len(read))
            found = await self.ask_store(self.journal.read, live.name, after, wanted)
            read += [said for said in told(found) if said.sequence <= live.sequence]
            more = len(found) == wanted and (limit is None or len(read) < limit)
            after = found[-1].sequence if found else after
        return read

    async def stop(self) -> None:
        """Write what is waiting, and stop writing."""
        await self.committer.stop()
        self.ask_store.close()


def _no_table(name: str) -> None:
    if name == HOUSE:
        raise Unknown(f"{HOUSE!r} is the house's own: no table has that name.")


def now() -> str:
    """The time, as it is written down."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
