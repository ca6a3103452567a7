"""A small house that has been played at: five tables, one of each book, in a journal; and somebody who forges it."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from punto.journal import START, Append, Entry, Journal, hash_of, new_key, public_key, sign
from punto.rulebook import Refused, ids, load
from punto.scenario import read
from punto.service.runtime.floor import Floor
from punto.settlement import Limits
from punto.shoe import commit, shuffle
from punto.table import Table, act, commands, read_command
from punto.table.events import Event
from punto.table.felt import due, unexposed
from random_commands import Chance, an_opportunity, anything, open_it, play_on, something_goes_wrong

AT = "2026-11-15T08:00:00+08:00"
KEY = new_key()
TRUSTED = public_key(KEY)
LIMITS = Limits(minimum=1000, maximum=1_000_000, differential=1_000_000)
MORE: dict[str, dict[str, Any]] = {
    "dragon-tiger-mbs": {"method": "B", "by": "pit-manager"},
    "dragon-tiger-hoiana": {"layout": "2"},
}
TABLES = tuple(ids())
STORIES = sorted((Path(__file__).parent.parent / "scenarios").glob("*/*.scenario"))
HELD = "hand-shoe"
"""A sixth table: its cards come from a shoe that no computer has shuffled."""

_CARDS = "4h 5d 2c 2s 9d 7h 3c Ks 6d Qh 8s Jc As 9c 5s Th 4d 2h 6s 7c Kd 3d 8h Ah".split()  # noqa: SIM905


class Player:
    """Plays at one table as its staff and its patrons, and knows the cards of the shoe by their order alone."""

    def __init__(self, floor: Floor, name: str) -> None:
        self.floor, self.name = floor, name
        self._keys = count(1)
        self.cards = _CARDS * 40
        self.out = 0

    async def do(self, command: commands.Command) -> Table:
        key = f"{self.name}-{next(self._keys)}"
        await self.floor.submit(self.name, command, who=command.by, key=key)
        return await self.floor.table(self.name)

    async def open(self, book: str, **more: Any) -> None:
        await self.do(
            commands.OpenTable(
                book,
                AT,
                8,
                limits=LIMITS,
                auto=("announce", "deal", "offer", "settle"),
                **{"shoe": "virtual", **MORE.get(book, {}), **more},
            )
        )
        for box, name in enumerate(("ann", "bob"), start=1):
            await self.do(commands.Sit(name, box, by=name))
            await self.do(commands.BuyIn(name, 1_000_000, by=name))

    async def load(self, seed: bytes | None) -> None:
        table = await self.floor.table(self.name)
        number = table.shoes + 1
        if seed is None:
            await self.do(commands.LoadShoe())
        else:
            self.floor.journal.keep_secret(self.name, f"shoe {number}", seed)
            self.cards = [str(card) for card in shuffle(seed, 8)]
            await self.do(commands.LoadShoe(commit(seed, 8, f"{self.name}, shoe {number}")))
        self.out = 0
        if table.book.point("dealing", "burn") is not None:
            await self.do(commands.Burn(3))
            self.out = 3

    async def bet(self) -> None:
        await self.do(commands.OpenBets())
        await self.do(commands.Place("ann", "player", 20_000, by="ann"))
        await self.do(commands.Place("ann", "tie", 2_000, by="ann"))
        await self.do(commands.Place("bob", "banker", 10_000, by="bob"))
        await self.do(commands.CloseBets())

    async def round(self, cover: bool = True) -> None:
        """A round from its bets to its payment."""
        await self.bet()
        while (table := await self.floor.table(self.name)).running is not None:
            await self.step(table, cover)

    async def step(self, table: Table, cover: bool = True) -> None:
        round = table.running
        assert round is not None
        down = unexposed(round)
        window = round.window
        if down:
            first = self.out + len(round.cards) - len(down)
            faces = tuple(self.cards[first : first + len(down)])
            await self.do(commands.Expose(faces))
        elif window is not None and not window.drawn and cover and not round.covers:
            spot, most = next(iter(window.most.items()))
            stake = most // 6000 * 6000
            await self.do(commands.Insure(spot[0], window.hand, stake, by=spot[0]) if stake else commands.Draw())
        else:
            assert due(round) is not None
            await self.do(commands.Draw())
        after = await self.floor.table(self.name)
        if after.running is None and after.round is not None:
            self.out += len(after.round.cards)


async def play(journal: Journal, rounds: int) -> None:
    """A gaming day."""
    floor = Floor(journal)
    for number, book in enumerate(TABLES):
        at = Player(floor, book)
        await at.open(book)
        await at.load(bytes([number]) * 32)
        for _ in range(rounds):
            await at.round()
        await at.do(commands.EndShoe((bytes([number]) * 32).hex()))
        await at.load(bytes([100 + number]) * 32)
        await at.round()
        await _interrupted(at)
    at = Player(floor, HELD)
    await at.open("wu-song", shoe="hand")
    await at.load(None)
    await at.round()
    await at.do(commands.PostLimits(Limits(minimum=1000, maximum=500_000, differential=5_000)))
    await at.do(commands.CashOut("bob", 500_000, by="bob"))
    await floor.stop()


async def _interrupted(at: Player) -> None:
    """The second shoe is still in use, and its second round was interrupted: what becomes of it is the book's."""
    await at.bet()
    await at.do(commands.Report("interruption", cause="other", note="The lights went out.", by="dealer"))


def house(url: str, rounds: int = 6) -> Journal:
    """A journal that has been played into, signed, and left alone."""
    journal = Journal(url)
    journal.upgrade()
    asyncio.run(play(journal, rounds))
    act = msgspec.json.encode({"who": "service", "at": AT, "what": "account-made", "account": "lee"})
    journal.note(Append("house", 0, "h1", "service", AT, (act,)))
    journal.note(Append("house", 0, "h2", "service", AT, (act,)))
    for name in journal.tables():
        entries = journal.entries(name)
        for entry in (entries[len(entries) // 2 - 1], entries[-1]):
            journal.checkpoint(sign(KEY, name, entry.sequence, entry.hash))
    return journal


class Forger:
    """Somebody with the whole database in their hands, and without the key."""

    def __init__(self, file: Path) -> None:
        self._database = sqlite3.connect(file)
        for name, *_ in self.sql("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            self.sql(f"DROP TRIGGER {name}")

    def sql(self, said: str, *values: object) -> list[Any]:
        return self._database.execute(said, values).fetchall()

    def close(self) -> None:
        self._database.commit()
        self._database.close()

    def chain(self, table: str) -> "Chain":
        asked = 'SELECT * FROM entries WHERE "table" = ? ORDER BY sequence'
        return Chain([_entry(*row) for row in self.sql(asked, table)])

    def write(self, table: str, chain: "Chain") -> None:
        """In the place of everything that was there, as it is given."""
        self.sql('DELETE FROM entries WHERE "table" = ?', table)
        for each in chain.entries:
            row = (*msgspec.structs.astuple(each)[:5], b"\n".join(each.events), *msgspec.structs.astuple(each)[6:])
            self.sql("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)

    def write_anew(self, table: str, chain: "Chain") -> None:
        """With new numbers and hashes from first to last, so that everything hangs together."""
        before, sequence = START, 0
        for at, each in enumerate(chain.entries):
            sequence += len(each.events)
            linked = msgspec.structs.replace(each, sequence=sequence, before=before)
            before = hash_of(linked)
            chain.entries[at] = msgspec.structs.replace(linked, hash=before)
        self.write(table, chain)
        self.sql("UPDATE tables SET sequence = ?, hash = ? WHERE id = ?", sequence, before, table)

    def unsign(self, table: str) -> None:
        self.sql('DELETE FROM checkpoints WHERE "table" = ?', table)


@contextmanager
def forging(file: Path) -> Iterator[Forger]:
    """Forge a journal, and leave it behind."""
    forger = Forger(file)
    yield forger
    forger.close()


def _entry(*row: Any) -> Entry:
    table, sequence, at, who, key, body, before, own, form, engine, command = row
    events = (body,) if form == 1 else tuple(body.split(b"\n"))
    return Entry(table, sequence, at, who, key, events, before, own, form, engine, command)


Place = tuple[int, int]
"""Which entry of a chain, and which of its events, both from 0."""


class Chain:
    """The entries of a table in the hands of somebody who forges them."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        """How many events there are."""
        return sum(len(each.events) for each in self.entries)

    def find(self, event: str, number: int = 0) -> Place:
        """The place of an event of this kind."""
        return [place for place in self.places() if self.said(place)["event"] == event][number]

    def places(self) -> list[Place]:
        return [(at, index) for at, each in enumerate(self.entries) for index in range(len(each.events))]

    def number(self, place: Place) -> int:
        """The number of an event."""
        return self.places().index(place) + 1

    def said(self, place: Place) -> dict[str, Any]:
        """What an event says."""
        found: dict[str, Any] = msgspec.json.decode(self.entries[place[0]].events[place[1]])
        return found

    def say(self, place: Place, event: dict[str, Any]) -> None:
        """Let an event say something else."""
        self.put(place, msgspec.json.encode(event))

    def put(self, place: Place, body: bytes) -> None:
        """Put other bytes in the place of an event."""
        events = list(self.entries[place[0]].events)
        events[place[1]] = body
        self.change(place, events=tuple(events))

    def change(self, place: Place, **fields: Any) -> None:
        """Change an entry, whatever of it."""
        self.entries[place[0]] = msgspec.structs.replace(self.entries[place[0]], **fields)

    def asked(self, place: Place) -> dict[str, Any]:
        """The command of an entry."""
        found: dict[str, Any] = msgspec.json.decode(self.entries[place[0]].command or b"{}")
        return found

    def ask(self, place: Place, **fields: Any) -> None:
        """Let the command of an entry ask for something else."""
        self.change(place, command=msgspec.json.encode({**self.asked(place), **fields}))


Step = tuple[Table | None, commands.Command, tuple[Event, ...]]
"""The table before a command, the command, and the events that it led to."""


def told_again(story: Path) -> Iterator[Step]:
    """A scenario, command by command."""
    table: Table | None = None
    for step in read(story.read_text(encoding="utf-8"), str(story)).steps:
        given = dict(step.command)
        if isinstance(given.get("question"), str) and table is not None:
            given["question"] = max((each.id for each in table.questions if each.topic == given["question"]), default=0)
        try:
            command = read_command(given)
            after, made = act(table, command)
        except Refused:
            continue
        if made:
            yield table, command, made
        table = after


def runs_of_luck(count: int, steps: int) -> Iterator[list[Step]]:
    """Tables at which anything is asked for, in any order."""
    for seed in range(count):
        luck = Chance(seed)
        run: list[Step] = []
        table: Table | None = None
        for _ in range(steps):
            try:
                if table is None:
                    command: Any = open_it(luck, load(luck.one(ids())))
                else:
                    makers = [play_on] * 7 + [
                        an_opportunity,
                        something_goes_wrong,
                    ]
                    command = luck.one([*makers, anything])(luck, table)
                after, made = act(table, command)
            except Refused:
                continue
            if made:
                run.append((table, command, made))
            table = after
            if not table.open:
                break
        yield run
