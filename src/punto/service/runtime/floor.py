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

from punto.journal import HOUSE, Append, Conflict, Entry, Journal, Outdated, Repeated, StoredEvent, Unfit
from punto.messages import say
from punto.rulebook import SHIPPED, Library, Refused
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.metrics import ACCEPTED, REFUSED, REPEATED
from punto.service.runtime.committer import Committer
from punto.service.runtime.kept_commands import KeptCommands
from punto.service.runtime.keys import house_key
from punto.service.runtime.speakers import HouseSpeaker, Speaker
from punto.table import ENGINE, Table, act, commands, decode_event, encode, events, evolve

KEPT = 512
"""How many of a table's last events stay in memory for those who follow it."""

_TRIES = 8


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

    def __init__(self, journal: Journal, clock: Callable[[], str] | None = None, library: Library = SHIPPED) -> None:
        self.journal, self.library = journal, library
        self.committer = Committer(journal)
        self.clock = clock or now
        self._tables: dict[str, Live] = {}
        self._commands = KeptCommands(journal, library)
        self.preparations: list[Prepare] = []
        """What is done to a command before it is decided, one after the other."""
        self.watchers: list[Watch] = []

    # The one way to change a table

    async def submit(self, name: str, command: commands.Command, *, who: str, key: str) -> Committed:
        """Decide a command of the house itself, and make it durable; `Refused` if the book does not allow it."""
        return await self.carry_out(name, HouseSpeaker((command,), who), key)

    async def carry_out(self, name: str, speaker: Speaker, key: str) -> Committed:
        """Decide what somebody says at a table, and make it durable; `Refused` or `Denied` if they may not."""
        _no_table(name)
        live = self._tables.setdefault(name, Live(name))
        try:
            async with live.lock:
                for _ in range(_TRIES):
                    if live.stale:
                        await self._catch_up(live)
                    outcome = await self._try(live, speaker, key)
                    if outcome is not None:
                        return outcome
        finally:
            if live.sequence == 0:
                self._forget(live)
        raise NotDurable("Others were quicker each time: send it again.")

    async def _try(self, live: Live, speaker: Speaker, key: str) -> Committed | None:
        """Decide what somebody says on the table as it is known here; None if that has changed meanwhile."""
        try:
            *before, command = speaker.said(live.table)
            for each in before:
                own = house_key("before", speaker.who, live.sequence)
                if await self._decide(live, each, speaker, own) is None:
                    return None
            return await self._decide(live, command, speaker, key)
        except (Refused, Denied) as refused:
            known = await self.first_time(live.name, key, speaker.who) if isinstance(refused, Refused) else None
            if known is not None:
                return known
            if await speaker.renewed():  # by what they may do now, it may be another matter
                return None
            if isinstance(refused, Refused):
                REFUSED.inc()
            raise

    async def _decide(self, live: Live, command: commands.Command, speaker: Speaker, key: str) -> Committed | None:
        """Decide one command and make it durable; None if the table or the speaker's post is not what it was."""
        if live.sequence == 0 and not isinstance(command, commands.OpenTable):
            raise Unknown(f"There is no table {live.name!r}.")
        command = await self._commands.prepared(live.name, live.table, command)
        for prepare in self.preparations:
            command = await prepare(live, command)
        table, made = act(live.table, command, self.library)
        bodies = tuple(encode(event) for event in made)
        who = speaker.who
        try:
            written = await self._commands.written(live.name, live.table, command, made)
            at = self.clock()
            given = Append(live.name, live.sequence, key, who, at, bodies, written, ENGINE, speaker.proviso)
            result = await self.committer.append(given)
        except Unfit:
            raise Refused(
                say("journal-cannot-keep", "There is something in this command that the journal cannot keep.")
            ) from None
        except Exception as error:
            live.stale = True
            raise NotDurable("The store did not take it: send the same command again.") from error
        if isinstance(result, Outdated):
            await speaker.renewed()
            return None
        if isinstance(result, Conflict):
            live.stale = True
            return None
        if isinstance(result, Repeated):
            REPEATED.inc()
            return await self.first_time(live.name, key, who)
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

    async def first_time(self, name: str, key: str, who: str) -> Committed | None:
        """What a command led to when it was first sent, if it was; nobody gets the answer of another."""
        found = await asyncio.to_thread(self.journal.made_by, name, key)
        if not found:
            return None
        if found[0].who != who:
            raise Refused(
                say("key-of-somebody-else", "This key belongs to a command of somebody else: choose another.")
            )
        news = told(found)
        return Committed(news[0].sequence, news[-1].sequence, news, repeated=True)

    # Looking

    async def live(self, name: str) -> Live:
        """A table as it stands; `Unknown` if there is none."""
        live = self._tables.get(name)
        if live is None or live.stale or live.sequence == 0:
            _no_table(name)
            # It is listed before it is read, so that no news is missed meanwhile.
            live = self._tables.setdefault(name, live or Live(name))
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
        news = told(found)
        for said in news:
            live.take(said, evolve(live.table, said.event, self.library))
        live.stale = False
        if news:
            self._tell(live, news)

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
        found = await asyncio.to_thread(self.journal.read, live.name, after, limit)
        return [said for said in told(found) if said.sequence <= live.sequence]

    async def stop(self) -> None:
        """Write what is waiting, and stop writing."""
        await self.committer.stop()


def _no_table(name: str) -> None:
    if name == HOUSE:
        raise Unknown(f"{HOUSE!r} is the house's own: no table has that name.")


def now() -> str:
    """The time, as it is written down."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
