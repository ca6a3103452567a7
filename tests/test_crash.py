"""The service is killed again and again while people play: nothing that was said is lost, or happens twice."""

import asyncio
import random
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from punto.journal import START, Entry, Journal, StoredEvent, first_broken, hash_of
from punto.journal.chain import events_of
from punto.rulebook import load
from punto.table import STAFF, Table, Viewer, decode_event, events, evolve
from service_clients import Answer, Follower, Known, Person, Told, bet, deal, gone, has_heard, is_told, meanwhile
from service_process import Database, People, Service, database, opening, until
from warm_start import WarmStarts

KILLS = 10
HAND = ("wu-song", "commission-insurance", "dragon-tiger-mbs", "dragon-tiger-hoiana")
VIRTUAL = "da-hu-ying-xiong"
REFERRED = {"dragon-tiger-mbs": "6.1", "dragon-tiger-hoiana": "7.20"}
"""Where an interruption other than by the power goes to the residual authority, and by which clause."""


class Checked:
    """One table's journal, read again after every kill: its chain, its keys and its money, entry by entry."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: list[Entry] = []
        self.events: list[StoredEvent] = []
        self.table: Table | None = None
        self.by_key: dict[str, tuple[int, int]] = {}

    def read(self, journal: Journal) -> None:
        """What is new since the last time, checked."""
        for entry in journal.entries(self.name, len(self.events)):
            self._check(entry)

    def _check(self, entry: Entry) -> None:
        before = self.entries[-1].hash if self.entries else START
        assert (entry.first, entry.before) == (len(self.events) + 1, before)
        assert entry.hash == hash_of(entry)
        assert entry.command is not None
        assert entry.key not in self.by_key, f"the command {entry.key} was carried out twice"
        self.by_key[entry.key] = (entry.first, entry.sequence)
        self.entries.append(entry)
        for event in events_of([entry]):
            self.events.append(event)
            self.table = evolve(self.table, decode_event(event.body))
            patrons = self.table.patrons.values()
            assert self.table.house + sum(each.balance + each.held - each.owed for each in patrons) == 0

    def agrees(self, answers: list[Answer], followed: list[Told], follower: str) -> None:
        """Whatever anybody was told is there, at the same number, as far as it is theirs to see."""
        for answer in answers:
            if answer.last >= answer.first:
                assert self.by_key[answer.key] == (answer.first, answer.last)
        heard = [(answer.key.partition(" ")[0], told) for answer in answers for told in answer.events]
        for name, told in (*heard, *((follower, told) for told in followed)):
            viewer = STAFF if name.startswith("lee-") else Viewer(name)
            assert is_told(told.event, self.events[told.sequence - 1].body, viewer), told

    def money_agrees(self, known: Known, patron: str) -> None:
        """What a patron bought and cashed, by the answers, is what the journal has; and so is what they hold."""
        assert self.table is not None
        asked = [known.asked[key] for key in known.answers]
        spoken = [each for each in asked if each.get("patron") == patron]
        happened = [decode_event(event.body) for event in self.events]
        bought = [each.amount for each in happened if isinstance(each, events.BoughtIn) and each.patron == patron]
        cashed = [each.amount for each in happened if isinstance(each, events.CashedOut) and each.patron == patron]
        assert sorted(bought) == sorted(each["amount"] for each in spoken if each["do"] == "buy-in")
        assert sorted(cashed) == sorted(each["amount"] for each in spoken if each["do"] == "cash-out")
        won = sum(
            sum(line.net for line in each.lines.get(patron, ()))
            for each in happened
            if isinstance(each, events.RoundSettled)
        )
        now = self.table.patrons[patron]
        assert now.balance + now.held - now.owed == sum(bought) - sum(cashed) + won


def recovery(table: Table, new: list[StoredEvent]) -> str:
    """What was done about a round that was open when the service died: as the book says, first of all."""
    assert new, "nobody reported the interruption"
    by_service = [entry for entry in new if entry.key == new[0].key]
    happened = [decode_event(entry.body) for entry in by_service]
    report = happened[0]
    assert new[0].who == "service"
    assert isinstance(report, events.Reported)
    assert (report.fact, report.guards["cause"]) == ("interruption", "other")
    after = table
    for event in happened:
        after = evolve(after, event)
    held = {name: patron.held for name, patron in table.patrons.items()}
    if table.book.id in REFERRED:
        clause = REFERRED[table.book.id]
        assert clause in report.basis.clauses
        question = after.questions[-1]
        assert (question.topic, question.to, question.blocks) == ("refer", residual(table.book.id), True)
        assert clause in question.basis.clauses
        assert {name: patron.held for name, patron in after.patrons.items()} == held
        return "referred"
    assert "5.4" in report.basis.clauses
    if report.guards["outcome"] == "open":
        assert "5.4.2" in report.basis.clauses
        ended = [each for each in happened if isinstance(each, events.RoundEnded)]
        assert [each.how for each in ended] == ["void"]
        assert not any(patron.held for patron in after.patrons.values())
        for name, patron in table.patrons.items():
            assert after.patrons[name].balance == patron.balance + patron.held
        return "void"
    assert "5.4.1" in report.basis.clauses
    return "continued"


def residual(book: str) -> str:
    """The rank that decides what a book does not cover."""
    point = load(book).point("authority", "residual")
    assert point is not None
    assert point.by is not None
    return point.by


class Played:
    """What a run with kills was like."""

    def __init__(self) -> None:
        self.kills = self.accepted = self.refused = self.sent_again = self.came_back = 0
        self.events = self.settled = 0
        self.recovered: dict[str, int] = {}

    def add(self, each: Checked, known: Known, follower: Follower) -> None:
        """One more table."""
        self.accepted += len(known.answers)
        self.refused += known.refused
        self.sent_again += known.sent_again
        self.came_back += follower.came_back
        self.events += len(each.events)
        self.settled += sum(b'"event":"round-settled"' in event.body for event in each.events)

    def __str__(self) -> str:
        ways = ", ".join(f"{count} {how}" for how, count in sorted(self.recovered.items()))
        return (
            f"{self.kills} kills; {self.accepted} commands accepted, {self.refused} refused, {self.sent_again} sent "
            f"again; {self.events} events, {self.settled} rounds settled; sockets opened {self.came_back} times; "
            f"interrupted rounds: {ways}"
        )


def short(book: str) -> str:
    """The initials of a book, for names."""
    return "".join(word[0] for word in book.split("-"))


class Run:
    """A floor of several books, its people, and a service that is killed under them."""

    def __init__(self, folder: Path, store: Database, starts: WarmStarts, seed: int) -> None:
        self.store, self.seed, self.chance = store, seed, random.Random(seed)
        many = {"rate": 10_000, "burst": 10_000}
        quick = {"betting_seconds": 0.1, "pace": 0.01, "checkpoint_every": 50}
        self.service = Service(folder, store.url, starts, **quick, **many)
        self.checked = {book: Checked(book) for book in (*HAND, VIRTUAL)}
        self.known = {book: Known(book) for book in self.checked}
        self.followers: dict[str, Follower] = {}
        self.seen = dict.fromkeys(self.checked, (0, 0))
        self.left: dict[str, tuple[int, Table | None]] = {}
        self.people: list[Person] = []
        self.working: list[asyncio.Task[None]] = []
        self.hearing: list[asyncio.Task[None]] = []
        self.played = Played()
        self.ready = True

    async def play(self, kills: int) -> Played:
        """Open the tables, let everybody play, kill so many times, and come to an end."""
        people = await asyncio.to_thread(People, self.store.url)
        await asyncio.to_thread(self.service.start)
        try:
            for book in self.checked:
                await self._seat(people, book)
            people.close()
            for number in range(kills):
                await self._kill_and_recover(last=number == kills - 1)
            await self._finish()
        finally:
            await gone((*self.working, *self.hearing))
            for person in self.people:
                await person.close()
        return self.played

    async def _seat(self, people: People, book: str) -> None:
        known, address, tail = self.known[book], self.service.address, short(book)
        staff = Person(known, address, f"lee-{tail}", people.staff(f"lee-{tail}", residual(book), book), self.seed)
        ann = Person(known, address, f"ann-{tail}", people.patron(f"ann-{tail}"), self.seed)
        bob = Follower(known, address, f"bob-{tail}", people.patron(f"bob-{tail}"), self.seed)
        self.people += [staff, ann, bob]
        self.followers[book] = bob
        await staff.give(opening(book, shoe="virtual" if book == VIRTUAL else "hand"))
        jobs = [bet(ann, 1), bet(bob, 2)] if book == VIRTUAL else [bet(ann, 1), bet(bob, 2), deal(staff)]
        self.working += [asyncio.create_task(job) for job in jobs]
        self.hearing.append(asyncio.create_task(bob.follow()))

    async def _kill_and_recover(self, last: bool) -> None:
        """Kill at a random moment, look, start again and look again; now and then it is killed while it starts."""
        if self.ready:
            await self._play_on(0.05 + self.chance.random() * 0.8)
        self.service.kill()
        self.played.kills += 1
        await asyncio.to_thread(self._look_and_start)
        self.ready = last or self.chance.random() < 0.8
        if self.ready:
            await asyncio.to_thread(self.service.wait)
            await asyncio.to_thread(self._look, recovered=True)
        else:
            await asyncio.sleep(self.chance.random() * 0.6)  # about as long as a start takes

    async def _play_on(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        await meanwhile((*self.working, *self.hearing), lambda: time.monotonic() >= end, "the end of play")

    def _look_and_start(self) -> None:
        self.store.quiet()
        self._look()
        self.left = {name: (len(each.events), each.table) for name, each in self.checked.items()}
        self.service.start(wait=False)

    def _look(self, *, recovered: bool = False) -> None:
        journal = Journal(self.store.url)
        for name, each in self.checked.items():
            answers, told = self.seen[name]
            now = list(self.known[name].answers.values())[answers:], self.followers[name].followed[told:]
            each.read(journal)
            each.agrees(*now, self.followers[name].name)
            self.seen[name] = answers + len(now[0]), told + len(now[1])
            if recovered:
                self._was_recovered(name, each)
        journal.close()

    def _was_recovered(self, name: str, each: Checked) -> None:
        reached, table = self.left[name]
        assert table is not None
        if table.running is None or any(step.fact == "interruption" for step in table.procedures):
            return
        how = recovery(table, each.events[reached:])
        self.played.recovered[how] = self.played.recovered.get(how, 0) + 1

    async def _finish(self) -> None:
        """Everybody gets the answers that they wait for; the service stops in good order; a last look at all of it."""
        await self._play_on(0.5)
        for person in self.people:
            person.stopping.set()
        await asyncio.gather(*self.working)
        await asyncio.to_thread(self._all_heard)
        assert await asyncio.to_thread(self.service.stop) < 5
        await asyncio.to_thread(self._look)
        journal = Journal(self.store.url)
        for name, each in self.checked.items():
            assert first_broken(journal.entries(name)) is None
            for patron in (f"ann-{short(name)}", f"bob-{short(name)}"):
                each.money_agrees(self.known[name], patron)
            self.played.add(each, self.known[name], self.followers[name])
        journal.close()

    def _all_heard(self) -> None:
        journal = Journal(self.store.url)
        reached = journal.tables()
        journal.close()
        for name, follower in self.followers.items():
            until(partial(has_heard, follower, reached[name]), f"a follower of {name} to have everything")


def crash(folder: Path, store: Database, kills: int, seed: int) -> Played:
    """Kill a service so many times under people who play, and check everything after each."""
    with closing(WarmStarts()) as starts:
        run = Run(folder, store, starts, seed)
        with run.service:
            return asyncio.run(run.play(kills))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_is_lost_when_the_service_is_killed(kind: str, tmp_path: Path) -> None:
    with database(kind) as store:
        played = crash(tmp_path, store, KILLS, seed=1)
    assert played.kills >= KILLS
    assert played.settled
    assert played.recovered["referred"]
    assert played.recovered["void"]
