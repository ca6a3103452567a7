"""The shortest story found that tells two books apart: small tables of both, explored side by side, breadth first."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import product

import msgspec

from punto.compare.chosen import chosen_story
from punto.compare.directions import SHORT, WHOLE, Direction, Letters
from punto.compare.lockstep import Both, Pair, Tables, give, parts_at, shortened
from punto.coup import MOST_DECKS
from punto.explore.alphabet import WORDS
from punto.explore.coups import faces
from punto.explore.dealing import Deal, next_command
from punto.explore.merging import digest
from punto.explore.own_rules import has_own_rules, own_rule_stories
from punto.explore.starts import Start, openings
from punto.rulebook import Book
from punto.settlement import Limits
from punto.table import commands as c

STATES = 60
"""How many states of a table are gone on from where nothing else is asked for."""

_POSTED = ("minimum", "maximum", "differential")
_LONGEST_ROUND = 60
_SIX_CARDS = Deal(faces(("K", "K", "2", "5", "4", "9")))
"""With these every round is played to its end: both hands draw."""


class Searched(msgspec.Struct, frozen=True):
    """What a search has gone through, and the story that it found."""

    story: tuple[c.Command, ...] | None
    states: int = 0
    """States in which every command of the alphabet was tried."""
    commands: int = 0
    depth: int = 0
    """Commands after the starting moments that were gone through in every combination."""


class _State(msgspec.Struct, frozen=True):
    tables: Tables
    story: tuple[c.Command, ...]
    depth: int


def opening_stories(a: Book, b: Book) -> Iterator[tuple[c.Command, ...]]:
    """Every way to open a table that two books may judge differently, from its day to what is ruled at once."""
    usual = openings(a)[0].command
    days = [each.effective for each in (a, b)]
    yield from ((msgspec.structs.replace(usual, at=day.isoformat()),) for day in sorted(days))
    yield from ((msgspec.structs.replace(usual, decks=decks),) for decks in range(1, MOST_DECKS + 1))
    for layout in dict.fromkeys((*a.layouts, *b.layouts)):
        most = max(book.layouts[layout].positions.max or 0 for book in (a, b) if layout in book.layouts)
        for positions in (None, *range(1, most + 2)):
            command = msgspec.structs.replace(usual, layout=layout, positions=positions, acknowledged=True)
            yield (command,)
        yield (msgspec.structs.replace(usual, layout=layout, acknowledged=False),)
    for posted in product((True, False), repeat=len(_POSTED)):
        limits = {
            name: getattr(usual.limits, name) for name, is_posted in zip(_POSTED, posted, strict=True) if is_posted
        }
        yield (msgspec.structs.replace(usual, limits=Limits(**limits)),)
    for rounding in ("exact", "up", "down"):
        yield (msgspec.structs.replace(usual, limits=msgspec.structs.replace(usual.limits, rounding=rounding)),)
    for name in dict.fromkeys((*a.policies, *b.policies)):
        choices = (choice for book in (a, b) if name in book.policies for choice in book.policies[name].choices)
        for choice, rank in product(dict.fromkeys(choices), a.ranks[-1]):
            yield usual, c.Rule(name, choice, WORDS, by=rank)
    for clause, rank in product(dict.fromkeys((*a.house_ranks, *b.house_ranks)), a.tiers):
        yield (msgspec.structs.replace(usual, house_ranks={clause: rank}),)


def search(
    a: Book, b: Book, ways: Iterable[Direction] = (WHOLE, SHORT), most: int = STATES, part: str = ""
) -> Searched:
    """Look for a story that two books with one id go through differently; `part` says which part it is about.

    First every way to open a table, and rounds under rules that only some books have; then, in each direction, every
    command of its alphabet in every state, breadth first from its starting moments, until `most` states were gone on
    from. From each state the round is played to its end; near the start, once more with the same bets. Before the
    whole alphabet is tried, the stories chosen for conformance kits are told.
    """
    pair = Pair.of(a, b)
    for story in opening_stories(a, b):
        if parts_at(pair, story) is not None:
            return Searched(story, commands=1)
    for book, library in ((a, pair.a), (b, pair.b)):
        for story in own_rule_stories(book, library) if has_own_rules(book) else ():
            if parts_at(pair, story) is not None:
                return Searched(shortened(pair, story), commands=1)
    states = commands = depth = 0
    for way in ways:
        if way is WHOLE:
            told = chosen_story(a, pair, part)
            if told is not None:
                return Searched(shortened(pair, told), states, commands, depth)
        found = _SideBySide(pair, way.letters).run(way.starts(a, pair.a), most * way.share)
        states, commands, depth = states + found.states, commands + found.commands, found.depth
        if found.story is not None:
            return Searched(found.story, states, commands, depth)
    return Searched(None, states, commands, depth)


class _SideBySide:
    def __init__(self, pair: Pair, letters: Letters) -> None:
        self.pair, self.letters = pair, letters
        self.known: set[tuple[str, bytes]] = set()
        self.commands = 0
        self.queue: deque[_State] = deque()

    def run(self, starts: Iterable[Start], most: int) -> Searched:
        """Go through the states in the order in which they are reached."""
        states, depth = 0, 0
        story = self._begin(starts)
        while story is None and self.queue and states < most:
            state = self.queue.popleft()
            depth = state.depth
            states += 1
            story = self._expand(state)
        if story is None:
            return Searched(None, states, self.commands, self.queue[0].depth if self.queue else depth + 1)
        return Searched(shortened(self.pair, story), states, self.commands, depth)

    def _begin(self, starts: Iterable[Start]) -> tuple[c.Command, ...] | None:
        """Take up the starting moments of the first book, as the second comes to them, too."""
        for start in starts:
            at = Tables()
            for number, command in enumerate(start.story, start=1):
                both = self._given(at, command)
                if not both.alike:
                    return start.story[:number]
                at = both.tables
            story = self._reach(_State(at, start.story, 0))
            if story is not None:
                return story
        return None

    def _given(self, tables: Tables, command: c.Command) -> Both:
        self.commands += 1
        return give(self.pair, tables, command)

    def _reach(self, state: _State) -> tuple[c.Command, ...] | None:
        """Take up a state, unless it is known, and play its round to the end."""
        table = state.tables.a
        assert table is not None
        sign = repr(table.setup), digest(table)
        if sign in self.known:
            return None
        self.known.add(sign)
        if table.open:
            self.queue.append(state)
        return self._played_out(state)

    def _expand(self, state: _State) -> tuple[c.Command, ...] | None:
        """Try every command in a state; the story, if the books part."""
        table = state.tables.a
        assert table is not None
        for command in self.letters(table):
            both = self._given(state.tables, command)
            story = (*state.story, command)
            if not both.alike:
                return story
            if both.a.refused is None:
                found = self._reach(_State(both.tables, story, state.depth + 1))
                if found is not None:
                    return found
        return None

    def _played_out(self, state: _State) -> tuple[c.Command, ...] | None:
        """Play a round to its end, and once more with the same bets; the story, if the books part on the way."""
        tables, story = state.tables, state.story
        again = _betting(story) if state.depth <= 1 else []
        for _ in range(_LONGEST_ROUND):
            table = tables.a
            if table is None or table.questions:
                return None
            command = next_command(table, _SIX_CARDS)
            if command is None and table.running is None and again:
                command, *again = again
            if command is None:
                return None
            both = self._given(tables, command)
            story = (*story, command)
            if not both.alike:
                return story
            tables = both.tables
        return None


def _betting(story: tuple[c.Command, ...]) -> list[c.Command]:
    """The commands of the last round of a story that are about wagers, from the opening call on."""
    opened = max((at for at, each in enumerate(story) if isinstance(each, c.OpenBets)), default=len(story))
    return [each for each in story[opened:] if isinstance(each, c.OpenBets | c.Place | c.CloseBets | c.Find)]
