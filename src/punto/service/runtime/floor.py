"""The floor: every table of the house as it stands, the one way to change one, and to follow it.

A command is decided on the table as this process knows it and appended to its chain; only when the
chain has it, anybody hears of it. If another process was quicker, the table is brought up to date
and the command decided anew.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from punto.journal import (
    OF_THE_HOUSE,
    Append,
    Conflict,
    Entry,
    Fenced,
    Journal,
    Outdated,
    Repeated,
    Unfit,
    events_of,
)
from punto.messages import SpokenError, say
from punto.rulebook import SHIPPED, Library, Refused
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.metrics import ACCEPTED, REFUSED, REPEATED
from punto.service.runtime.committer import Committer
from punto.service.runtime.hooks import Prepare, RecordGuard, Turns, Watch
from punto.service.runtime.kept_commands import KeptCommands
from punto.service.runtime.keys import house_key
from punto.service.runtime.live import KEPT, Follower, Live, Said, message_of, told
from punto.service.runtime.loading import together
from punto.service.runtime.speakers import Along, HouseSpeaker, Speaker
from punto.service.snapshots import PAGE, Snapshots
from punto.service.store_calls import StoreCalls, late
from punto.service.time_limit import TimeLimit
from punto.table import ENGINE, Table, act, commands, encode, events, evolve

_TRIES = 8
_EVENTS_AT_ONCE = 2000
"""Events that are read from the store at once."""

_FOLLOWED_AT_ONCE = 200
"""Events of the past that whoever follows a table is told at once."""

_NOT_TAKEN = say("store-did-not-take", "The store did not take it: send the same command again.")
OTHERS_QUICKER = say("others-quicker", "Others were quicker each time: send it again.")
OF_ANOTHER_COMMAND = say("key-of-another-command", "This key was used for another command: choose a new one.")


class NotDurable(SpokenError):
    """The store did not take it: whether it did happen is known when the same command is sent again."""


class LeaseLost(ValueError):
    """The lease under which a command was given belongs to another process by now."""


class Committed(msgspec.Struct, frozen=True):
    """What a command led to: its events, now or when it was first sent."""

    first: int
    last: int
    said: tuple[Said, ...]
    repeated: bool = False


F = TypeVar("F", bound=Follower)


class Floor:
    """All tables that this process has looked at."""

    def __init__(
        self,
        journal: Journal,
        clock: Callable[[], str] | None = None,
        library: Library = SHIPPED,
        key: Callable[[], bytes] | None = None,
        calls: StoreCalls | None = None,
    ) -> None:
        """`key` reads the one that signs for this house: without it no snapshot is trusted, and none is made."""
        self.journal, self.library = journal, library
        self.snapshots = None if key is None else Snapshots(journal, library, key, KEPT)
        self.ask_store = calls or StoreCalls()
        """Calls the store in a thread, for a limited time."""
        self.committer = Committer(journal, self.ask_store.seconds)
        self._patience = TimeLimit(2 * self.ask_store.seconds)
        """For everything that a command or a look at a table needs of the store, and for its turn."""
        self.clock = clock or now
        self._tables: dict[str, Live] = {}
        self._commands = KeptCommands(journal, library, self.ask_store)
        self.preparations: list[Prepare] = []
        """What is done to a command before it is decided, one after the other."""
        self.watchers: list[Watch] = []
        self.guards: list[RecordGuard] = []
        """They say by which records a command is decided, besides that of whoever gives it."""

    # The one way to change a table

    async def submit(
        self,
        name: str,
        command: commands.Command,
        *,
        who: str,
        key: str,
        fence: int | None = None,
        along: Along | None = None,
    ) -> Committed:
        """Decide a command of the house itself, and make it durable; `Refused` if the book does not allow it.

        With a `fence` it is done under the lease of that number alone: `LeaseLost` if the table was taken over.
        """
        return await self.carry_out(name, HouseSpeaker((command,), who, fence, along), key)

    async def carry_out(self, name: str, speaker: Speaker, key: str) -> Committed:
        """Decide what somebody says at a table, and make it durable; `Refused` or `Denied` if they may not."""
        _no_table(name)
        live = self._listed(name)
        try:
            with self._patience():
                async with live.lock:
                    for _ in range(_TRIES):
                        if live.stale:
                            await self._catch_up(live)
                        outcome = await self._try(live, speaker, key)
                        if outcome is not None:
                            return outcome
        except TimeoutError:
            raise NotDurable(_NOT_TAKEN) from None
        finally:
            if live.sequence == 0:
                self._forget(live)
        raise NotDurable(OTHERS_QUICKER)

    def _listed(self, name: str) -> Live:
        """A table by its name, from now on listed if it was not."""
        live = self._tables.get(name)
        if live is None:
            live = self._tables[name] = Live(name)
        return live

    async def _try(self, live: Live, speaker: Speaker, key: str) -> Committed | None:
        """Decide what somebody says on the table as it is known here; None if that has changed meanwhile."""
        command = None
        try:
            *before, command = speaker.said(live.table)
            for each in before:
                own = house_key("before", speaker.who, live.sequence)
                if await self._decide(live, each, speaker, own) is None:
                    return None
            return await self._decide(live, command, speaker, key, last=True)
        except (Refused, Denied) as refused:
            known = None
            if isinstance(refused, Refused):
                known = await self.first_time(live.name, key, speaker.who, command)
            if known is not None:
                return known
            if await speaker.renewed():  # by what they may do now, it may be another matter
                return None
            if await self._has_gone_on(live):
                live.stale = True
                return None
            if isinstance(refused, Refused):
                REFUSED.inc()
            raise

    async def _decide(
        self, live: Live, command: commands.Command, speaker: Speaker, key: str, *, last: bool = False
    ) -> Committed | None:
        """Decide one command and make it durable; None if the table or the speaker's post is not what it was.

        What goes along to other chains goes with the last command of what somebody says.
        """
        if live.sequence == 0 and not isinstance(command, commands.OpenTable):
            raise Unknown(say("no-such-table", "There is no table {name:quoted}.", name=live.name))
        command = await self._commands.prepared(live.name, live.table, command)
        for prepare in self.preparations:
            command = await prepare(live, command)
        table, made = act(live.table, command, self.library)
        along = await speaker.along(live, made) if last and speaker.along is not None else None
        others = () if along is None else (along,)
        bodies = tuple(encode(event) for event in made)
        who = speaker.who
        try:
            written = await self._commands.written(live.name, live.table, command, made)
            at, fence = self.clock(), speaker.fence
            guarded = (guard.proviso(live, command) for guard in self.guards)
            provisos = (*speaker.provisos, *(each for each in guarded if each is not None))
            given = Append(live.name, live.sequence, key, who, at, bodies, written, ENGINE, others, fence, provisos)
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
        if isinstance(result, Outdated):
            await speaker.renewed(outdated=True)
            for guard in self.guards:
                await guard.renewed(live)
            return None
        if isinstance(result, Conflict):
            live.stale = True
            return None
        if isinstance(result, Fenced):
            raise LeaseLost(f"Another process has taken over {live.name!r}.")
        if isinstance(result, Repeated):
            REPEATED.inc()
            return await self.first_time(live.name, key, who, command)
        ACCEPTED.inc()
        return self._took(live, result.entry, table, made)

    async def _has_gone_on(self, live: Live) -> bool:
        """Whether somebody else has gone on with a table, so that a refusal may rest on what is no longer so."""
        head = await self.ask_store(self.journal.head, live.name)
        return head is not None and head.sequence > live.sequence

    def foresee(self, live: Live, command: commands.Command) -> tuple[events.Event, ...]:
        """What a command would lead to now, if it needs nothing filled in; nothing happens."""
        return act(live.table, command, self.library)[1]

    def _took(self, live: Live, entry: Entry | None, table: Table, made: tuple[events.Event, ...]) -> Committed:
        """Take up what has become durable, and tell everybody."""
        if entry is None:
            return Committed(live.sequence + 1, live.sequence, ())
        numbered = enumerate(zip(entry.events, made, strict=True), start=entry.first)
        news = tuple(Said(at, event, message_of(at, entry.at, entry.who, body)) for at, (body, event) in numbered)
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
            raise Refused(OF_ANOTHER_COMMAND)
        news = told(events_of(found))
        return Committed(news[0].sequence, news[-1].sequence, news, repeated=True)

    # Looking

    async def live(self, name: str) -> Live:
        """A table as it stands; `Unknown` if there is none."""
        live = self._tables.get(name)
        if live is None or live.stale or live.sequence == 0:
            _no_table(name)
            # It is listed before it is read, so that no news is missed meanwhile.
            live = self._listed(name)
            await self._look_again(live)
            if live.sequence == 0:
                self._forget(live)
                raise Unknown(say("no-such-table", "There is no table {name:quoted}.", name=name))
        return live

    async def _look_again(self, live: Live) -> None:
        """Bring a table up to date when it is its turn; a long chain takes as long as it takes."""
        try:
            with self._patience():
                await live.lock.acquire()
        except TimeoutError:
            raise late(self._patience.seconds) from None
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
        return sorted(set(await self.chains()) - set(OF_THE_HOUSE))

    async def chains(self) -> dict[str, int]:
        """How far the chain of every table has come, and those of the house."""
        return await self.ask_store(self.journal.tables)

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

    async def load(self, reached: Mapping[str, int]) -> None:
        """Read tables that this process does not know yet, with how far their chains have come: many at a time."""
        for names in together({name: far for name, far in reached.items() if name not in self._tables}):
            some = [self._listed(name) for name in names]
            async with AsyncExitStack() as held:
                for live in some:
                    await held.enter_async_context(live.lock)
                await self._begin([live for live in some if not live.sequence])

    async def _begin(self, tables: Sequence[Live]) -> None:
        """Begin with tables, whose locks are held, from their last good snapshots."""
        if self.snapshots is None or not tables:
            return
        found = await self.ask_store(self.snapshots.found, [live.name for live in tables])
        for live in tables:
            live.begin(found[live.name])
            entries = found[live.name].entries
            self._take_up(live, told(events_of(entries, live.sequence)))
            live.stale = len(entries) >= PAGE

    async def _catch_up(self, live: Live) -> None:
        """Read what is new of a table, page by page."""
        if not live.sequence:
            await self._begin([live])
        while True:
            found = await self.ask_store(self.journal.entries, live.name, live.sequence, PAGE)
            self._take_up(live, told(events_of(found, live.sequence)))
            if len(found) < PAGE:
                break
        live.stale = False

    def _take_up(self, live: Live, news: tuple[Said, ...]) -> None:
        for said in news:
            live.take(said, evolve(live.table, said.event, self.library))
        if news:
            self._tell(live, news)

    async def follow(self, name: str, after: int, turn: Turns | None = None) -> AsyncIterator[Said]:
        """Everything after a number, each once and in order, then whatever comes.

        What has been already is read a little at a time, each time when it is its `turn`.
        """
        live = await self.live(name)
        been = live.sequence
        while True:
            moved = live.moved
            if live.sequence > after:
                found = await self._between(live, after, _FOLLOWED_AT_ONCE)
                if after < been and turn is not None:
                    await turn(len(found))
                for said in found:
                    yield said
                    after = said.sequence
            else:
                await moved.wait()

    async def past(self, name: str, after: int, limit: int | None = None) -> list[Said]:
        """Events of the past above a number."""
        return await self._read(await self.live(name), after, limit)

    async def followed(self, live: Live, kind: type[F]) -> F:
        """What a class of follower has worked out from the events of a table; only what is new is read.

        One that was not asked for a long time begins anew, rather than read what does not count any more.
        """
        found, begins = live.followers.get(kind), max(kind.begins(live.marks) - 1, 0)
        follower = found if isinstance(found, kind) and found.sequence >= begins else kind()
        if follower is not found:
            follower.sequence = begins
            live.followers[kind] = follower
        while follower.sequence < live.sequence:
            for said in await self._between(live, follower.sequence, 1000):
                if said.sequence == follower.sequence + 1:  # another may have gone on meanwhile
                    follower.take(said)
        return follower

    async def _between(self, live: Live, after: int, most: int) -> list[Said]:
        if live.last and live.last[0].sequence <= after + 1:
            return [said for said in live.last if said.sequence > after][:most]
        return await self._read(live, after, most)

    async def _read(self, live: Live, after: int, limit: int | None) -> list[Said]:
        """Events that are known of, a page at a time: all of them, or as many as the limit says."""
        read: list[Said] = []
        more = True
        while more:
            wanted = _EVENTS_AT_ONCE if limit is None else min(_EVENTS_AT_ONCE, limit - len(read))
            found = await self.ask_store(self._told, live.name, after, wanted)
            read += [said for said in found if said.sequence <= live.sequence]
            more = len(found) == wanted and (limit is None or len(read) < limit)
            after = found[-1].sequence if found else after
        return read

    def _told(self, name: str, after: int, most: int) -> tuple[Said, ...]:
        """Events of the journal above a number as they are told; not for the loop, which it would hold up."""
        return told(self.journal.read(name, after, most))

    async def stop(self) -> None:
        """Write what is waiting, and stop writing."""
        await self.committer.stop()
        self.ask_store.close()


def _no_table(name: str) -> None:
    if name in OF_THE_HOUSE:
        raise Unknown(
            say("table-name-reserved", "{name:quoted} is the house's own: no table has that name.", name=name)
        )


def now() -> str:
    """The time, as it is written down."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
