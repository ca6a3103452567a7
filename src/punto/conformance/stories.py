"""Stories that cover a book: every row about an irregularity, every answer, and what is refused at every moment."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from punto.compare.directions import Letters, bets, betting_starts, favours_by_rank, short_starts, usual_starts
from punto.conformance.edges import STATES as EDGE_STATES
from punto.conformance.edges import edge_starts, edges
from punto.conformance.openings import opening_stories
from punto.explore.alphabet import alphabet
from punto.explore.coups import faces
from punto.explore.dealing import Deal, next_command
from punto.explore.merging import digest
from punto.explore.own_rules import has_own_rules, own_rule_starts, own_rule_stories, own_rules
from punto.explore.starts import Start
from punto.explore.told import told_for
from punto.rulebook import SHIPPED, Book, Library, Refused, ids, printed
from punto.table import Table, act
from punto.table import commands as c
from punto.table import events as e

STATES = 40
"""In how many states the alphabet is tried for a kit, if nothing else is said."""

BETTING_STATES = 40
"""In so many states wagers are tried, if in so many at all: two of them on both sides of every limit."""

OWN_STATES = 24
"""In so many states what is done under a book's own rules is tried, if in so many at all."""

_LONGEST = 60
_SIX_CARDS = Deal(faces(("K", "K", "2", "5", "4", "9")))


class Story(msgspec.Struct, frozen=True):
    """Commands from the opening of a table on, the rows of the book that they came to, and what limits cut."""

    commands: tuple[c.Command | dict[str, Any], ...]
    rows: frozenset[int] = frozenset()
    cut: tuple[tuple[str, int, int], ...] = ()
    """Bet, stake and what of it played, where that was not all."""


class _Moment(msgspec.Struct, frozen=True):
    table: Table
    story: tuple[c.Command, ...]
    rows: frozenset[int]
    depth: int


def stories(book: Book, states: int = STATES, chosen: int | None = None) -> Iterator[Story]:
    """The stories of the kit of a book: those in which something happens that did in none before.

    First come ways to open a table, and stories that were chosen with the engine in view; `chosen` is how many of them,
    if not all. From the starting moments of small tables every command of the alphabet is given, breadth first, until
    `states` states were gone on from: those in which somebody is asked something come first. What is refused at
    a moment is told in one story; what is accepted is played on to the end of the round.
    """
    library = SHIPPED.with_book(book)
    telling = _Telling(library, book.id)
    yield from map(Story, opening_stories(book, library))
    yield from telling.retold(islice(told_for(book), chosen), all_of_them=book.id in ids())
    yield from telling.told(usual_starts(book, library), alphabet, states)
    yield from telling.told(usual_starts(book, library), favours_by_rank, states // 4)
    yield from telling.told(betting_starts(book, library), bets, max(states // 4, min(states, BETTING_STATES)))
    yield from telling.told(short_starts(book, library), alphabet, states // 40)
    yield from telling.told(edge_starts(book, library), edges, max(states // 4, min(states, EDGE_STATES)))
    if has_own_rules(book):
        yield from map(Story, own_rule_stories(book, library))
        yield from telling.told(own_rule_starts(book, library), own_rules, max(states // 4, min(states, OWN_STATES)))


class _Telling:
    def __init__(self, library: Library, book: str) -> None:
        self.library, self.book = library, book
        self.met: set[tuple[object, ...]] = set()
        self.known: set[tuple[str, bytes]] = set()

    def retold(self, every: Iterable[tuple[c.Command, ...]], all_of_them: bool) -> Iterator[Story]:
        """Stories as they go at tables of this book; all of them, or those in which something new happens."""
        for commands in every:
            table: Table | None = None
            rows: set[int] = set()
            new = False
            for command in commands:
                try:
                    table, events = act(table, command, self.library)
                except Refused as refusal:
                    happened: tuple[object, ...] = ("refused", refusal.clauses, refusal.message.id)
                else:
                    rows |= self._rows(table, events)
                    happened = tuple(_sign(each) for each in events)
                new |= table is not None and self._is_new(table, command, happened)
            if new or all_of_them:
                yield Story(commands, frozenset(rows))

    def told(self, starts: Iterator[Start], letters: Letters, states: int) -> Iterator[Story]:
        """Stories from some starting moments."""
        asked: deque[_Moment] = deque()
        others: deque[_Moment] = deque()
        for start in starts:
            others.append(_Moment(start.table, start.story, frozenset(), 0))
        for _ in range(states):
            if not asked and not others:
                return
            moment = (others if others and others[0].depth == 0 else asked or others).popleft()
            for story, after in self._tried(moment, letters):
                if story is not None:
                    yield story
                if after is not None:
                    (asked if after.table.questions else others).append(after)

    def _tried(self, moment: _Moment, letters: Letters) -> Iterator[tuple[Story | None, _Moment | None]]:
        """Every command at a moment: a story for those that show something new, and where they lead."""
        refused: list[c.Command] = []
        start = len(moment.story) if moment.depth == 0 else None
        for command in letters(moment.table):
            try:
                table, events = act(moment.table, command, self.library)
            except Refused as refusal:
                if self._is_new(moment.table, command, ("refused", refusal.clauses, refusal.message.id), start):
                    refused.append(command)
                continue
            rows = moment.rows | self._rows(table, events)
            after = _Moment(table, (*moment.story, command), rows, moment.depth + 1)
            new = self._is_new(moment.table, command, tuple(_sign(each) for each in events), start)
            sign = repr(table.setup), digest(table)
            unknown = sign not in self.known
            self.known.add(sign)
            story = self._played_out(after) if new or isinstance(command, c.Place | c.Find) else None
            if story is not None and not new and not self._cuts_anew(story):
                story = None
            yield story, after if unknown and table.open else None
        if refused:
            yield Story((*moment.story, *refused), moment.rows), None

    def _is_new(self, table: Table, command: c.Command, happened: tuple[object, ...], start: int | None = None) -> bool:
        """Whether this command has not led to this before; each starting moment counts for itself."""
        said = getattr(command, "fact", ""), getattr(command, "choice", ""), getattr(command, "policy", "")
        where = table.setup.face_down, table.method, start
        sign = (where, command.__struct_config__.tag, said, happened)
        if sign in self.met:
            return False
        self.met.add(sign)
        return True

    def _rows(self, table: Table, events: Iterable[e.Event]) -> set[int]:
        """The rows about irregularities that some events came to, where the table is by this book."""
        if table.book.id != self.book:
            return set()
        return {each.row for each in events if isinstance(each, e.Reported) and each.row is not None}

    def _cuts_anew(self, story: Story) -> bool:
        """Whether limits cut wagers in a story as they have in none before."""
        sign = ("cut", story.cut)
        if not story.cut or sign in self.met:
            return False
        self.met.add(sign)
        return True

    def _played_out(self, moment: _Moment) -> Story:
        """A story with its round played on to the end, as far as nobody is asked anything."""
        table, story, rows = moment.table, list(moment.story), set(moment.rows)
        cut: list[tuple[str, int, int]] = []
        while not table.questions and len(story) < len(moment.story) + _LONGEST:
            command = next_command(table, _SIX_CARDS)
            if command is None:
                break
            table, events = act(table, command, self.library)
            rows |= self._rows(table, events)
            story.append(command)
            for event in events:
                if isinstance(event, e.RoundSettled):
                    every = (line for lines in event.lines.values() for line in lines)
                    cut += [(line.bet, line.stake, line.effective) for line in every if line.returned]
        return Story(tuple(story), frozenset(rows), tuple(cut))


def _sign(event: e.Event) -> tuple[object, ...]:
    """An event by its kind and what it rests on."""
    clauses = tuple(map(printed, event.basis.clauses))
    if isinstance(event, e.StepTaken):
        return "step", event.verb, event.object, clauses
    if isinstance(event, e.Asked):
        return "asked", event.question.topic, event.question.to, event.question.choices
    return str(event.__struct_config__.tag), clauses
