"""What was played at a table, day by day: rounds, wagers and wins of the table, of each dealer and of each patron.

Stakes are those that played: what was returned over a maximum or a differential is left out. A round that is settled
again, or is void after it was paid, is counted as it ended; the difference belongs to the day on which that was done.
Whoever of the staff opened or closed bets or drew a card last is the dealer; at a table that deals by itself, nobody.
"""

from datetime import datetime

import msgspec

from punto.settlement import Line
from punto.table import Table
from punto.table import events as e

PACE = 21
"""The last settled rounds by which it is told how many there are in an hour."""

_OF_A_DEALER = (e.BetsOpened, e.BetsClosed, e.CardDrawn)

Lines = dict[str, tuple[Line, ...]]


class PlaySums(msgspec.Struct):
    """Rounds with a result, wagers in them, their stakes, the highest, and what the house has won by them."""

    rounds: int = 0
    wagers: int = 0
    staked: int = 0
    highest: int = 0
    won: int = 0

    def add(self, rounds: int, lines: list[Line], sign: int = 1) -> None:
        """Add rounds and what was wagered in them, or take it away again."""
        stakes = [line.effective for line in lines if line.effective]
        self.rounds += sign * rounds
        self.wagers += sign * len(stakes)
        self.staked += sign * sum(stakes)
        if sign > 0:
            self.highest = max([self.highest, *stakes])

    def join(self, other: "PlaySums") -> None:
        """Add what was played elsewhere."""
        self.rounds += other.rounds
        self.wagers += other.wagers
        self.staked += other.staked
        self.highest = max(self.highest, other.highest)
        self.won += other.won


class DealerSums(PlaySums):
    """What a dealer has dealt, and for how many seconds, from the first act to the last of each stretch."""

    seconds: int = 0


class DayPlayed(msgspec.Struct):
    """A day at a table: in all, by dealer and by patron. The dealer without a name is the table itself."""

    all: PlaySums = msgspec.field(default_factory=PlaySums)
    dealers: dict[str, DealerSums] = {}
    patrons: dict[str, PlaySums] = {}


class TableNow(msgspec.Struct):
    """What a table is doing now: who deals since when, when its last rounds were settled and its questions asked."""

    dealer: str = ""
    since: str = ""
    acted: str = ""
    settled: list[str] = []
    asked: dict[int, str] = {}

    @property
    def pace(self) -> int | None:
        """Rounds an hour, by the last ones; None while there are too few to tell.

        >>> TableNow(settled=["2026-11-16T08:00:00Z", "2026-11-16T08:01:00Z", "2026-11-16T08:02:00Z"]).pace
        60
        """
        if len(self.settled) < 2:
            return None
        seconds = _seconds(self.settled[0], self.settled[-1])
        return round((len(self.settled) - 1) * 3600 / seconds) if seconds > 0 else None


class PlayFigures(msgspec.Struct):
    """The figures of a table's play: its days, and how it stands."""

    days: dict[str, DayPlayed] = {}
    now: TableNow = msgspec.field(default_factory=TableNow)

    def take(self, before: Table | None, after: Table, event: e.Event, at: str, who: str, day: str) -> None:
        """Take an event, with the table before and after it."""
        now = self.now
        if isinstance(event, _OF_A_DEALER):
            self._dealing(who if who in after.posts else "", at, day)
        elif isinstance(event, e.Asked):
            now.asked[event.question.id] = at
        if isinstance(event, e.RoundSettled):
            if event.again:
                self._lines(day, _lines_of(before), -1)
            else:
                now.settled = [*now.settled[1 - PACE :], at]
            self._lines(day, event.lines)
        elif isinstance(event, e.RoundEnded) and event.reversed:
            self._lines(day, _lines_of(before), -1)
        if now.asked:
            waiting = {question.id for question in after.questions}
            now.asked = {number: asked for number, asked in now.asked.items() if number in waiting}
        if before is None or before.patrons is not after.patrons:
            self._money(before, after, event, day)

    def of(self, day: str) -> DayPlayed:
        """A day; an empty one if nothing was played."""
        return self.days.get(day) or DayPlayed()

    def _day(self, day: str) -> DayPlayed:
        return self.days.setdefault(day, DayPlayed())

    def _dealing(self, who: str, at: str, day: str) -> None:
        now = self.now
        if now.since and now.dealer == who:
            self._day(day).dealers.setdefault(who, DealerSums()).seconds += int(max(_seconds(now.acted, at), 0))
        else:
            now.dealer, now.since = who, at
        now.acted = at

    def _lines(self, day: str, lines: Lines, sign: int = 1) -> None:
        found = self._day(day)
        every = [line for own in lines.values() for line in own]
        found.all.add(1, every, sign)
        found.dealers.setdefault(self.now.dealer, DealerSums()).add(1, every, sign)
        for person, own in lines.items():
            found.patrons.setdefault(person, PlaySums()).add(1, list(own), sign)

    def _money(self, before: Table | None, after: Table, event: e.Event, day: str) -> None:
        """What the house has won of each patron by an event: what they have less, but for money that came or went."""
        for person in after.patrons:
            won = _worth(before, person) - _worth(after, person) + brought(event, person)
            if won:
                found = self._day(day)
                for each in (
                    found.all,
                    found.dealers.setdefault(self.now.dealer, DealerSums()),
                    found.patrons.setdefault(person, PlaySums()),
                ):
                    each.won += won


def brought(event: e.Event, person: str) -> int:
    """The money that a person has brought to the table by an event; less than nothing if it was taken away.

    >>> brought(e.BoughtIn("ann", 500), "ann"), brought(e.CashedOut("ann", 300), "ann"), brought(e.BetsClosed(), "ann")
    (500, -300, 0)
    """
    if isinstance(event, e.BoughtIn) or (isinstance(event, e.OwedPaid) and not event.chips):
        return event.amount if event.patron == person else 0
    if isinstance(event, e.CashedOut):
        return -event.amount if event.patron == person else 0
    return 0


def _lines_of(table: Table | None) -> Lines:
    return {} if table is None or table.round is None else table.round.lines


def _worth(table: Table | None, person: str) -> int:
    patron = None if table is None else table.patrons.get(person)
    return 0 if patron is None else patron.balance + patron.held - patron.owed


def _seconds(first: str, last: str) -> float:
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
