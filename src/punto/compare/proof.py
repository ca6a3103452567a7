"""Whether two books pay and do the same; and if not, for each part that differs, a story that shows it."""

import msgspec

from punto.compare.aligning import Names, aligned
from punto.compare.cited import is_words_alone
from punto.compare.coups import CoupFound, bet_found, cell_found
from punto.compare.directions import directions
from punto.compare.forms import Alike, by_rows, cells, differing, guard_cases, never_done, parts
from punto.compare.grafting import grafted
from punto.compare.ground import on_common_ground, with_boxes_said
from punto.compare.lockstep import Pair, parts_at
from punto.compare.search import STATES, search
from punto.compare.witnesses import Parting, witness
from punto.coup import OUTCOMES, headline
from punto.rulebook import Book, menu
from punto.table.commands import Command


class Compared(msgspec.Struct, frozen=True):
    """What was gone through without exception."""

    outcomes: int
    bets: int
    """Bets of all layouts together."""
    cells: int
    """Prices of insurance."""
    guard_cases: int
    """Cases of all facts."""
    parts: int


class PartFound(msgspec.Struct, frozen=True):
    """A part in which two books differ, and the story that shows it, if one was found."""

    part: str
    witness: Parting | None = None
    coup: str | None = None
    outcomes: tuple[int, ...] = ()
    """Every outcome that the bet is paid differently on, by its dense index."""
    situations: tuple[int, ...] = ()
    """Every situation that is insured at another price, by its dense index."""
    states: int = 0
    """In so many states every command was tried."""
    depth: int = 0
    """All stories of so many commands after the starting moments were gone through in the last direction."""


class Proof(msgspec.Struct, frozen=True):
    """What was found about two books. They are equal where no part differs: that needs no search."""

    a: str
    b: str
    compared: Compared
    renamed: dict[str, str]
    """What the second book calls otherwise, and what the first calls it."""
    found: tuple[PartFound, ...]
    words: tuple[str, ...] = ()
    """Points in which they differ in words alone: nothing is decided by them."""
    never: tuple[str, ...] = ()
    """Irregularities that they tell differently only for cases that no table of both comes to."""

    @property
    def equal(self) -> bool:
        """Whether both pay and do the same, whatever they are called and however they are ordered."""
        return not self.found


def prove(a: Book, b: Book, states: int = STATES, alike: Alike = by_rows) -> Proof:
    """Prove that two books pay and do the same, or show for every part that differs a story that tells them apart.

    `states` says in how many states of small tables, in each direction, a story is looked for. `alike` compares bets
    that look at single cards, where their rows differ: `punto.compare.prices.pays_alike` counts every deal.

    >>> from punto.rulebook import load, parse, source
    >>> longer = parse(source("wu-song").replace(b"max = 10,", b"max = 12,"), "mine.toml")
    >>> [found] = prove(load("wu-song"), longer).found
    >>> found.part, found.witness.b
    ('decks', 'table-opened at=2025-03-01T20:00:00+08:00')
    """
    theirs, names = aligned(a, b)
    differ = differing(a, theirs, alike)
    words = tuple(part for part in differ if is_words_alone(a, theirs, part))
    books = _TwoBooks(a, b, theirs, names)
    found = tuple(books.show(part, states) for part in differ if part not in words)
    never = tuple(never_done(a, theirs, differ))
    return Proof(a.id, b.id, _compared(a, b, len({*parts(a), *parts(theirs)})), names.renamed, found, words, never)


def _compared(a: Book, b: Book, number: int) -> Compared:
    bets = sum(len(menu(book, layout).bets) for book in (a, b) for layout in book.layouts)
    facts = {row.fact for book in (a, b) for row in book.irregularities}
    prices = len({*cells(a.insurance), *cells(b.insurance)})
    return Compared(OUTCOMES, bets, prices, sum(len(guard_cases(fact)) for fact in facts), number)


class _TwoBooks:
    """Two books, the second under the names of the first as well."""

    def __init__(self, a: Book, b: Book, aligned: Book, names: Names) -> None:
        self.a, self.b, self.aligned, self.names = a, b, aligned, names
        self.pair = Pair.of(a, aligned)

    def show(self, part: str, states: int) -> PartFound:
        """A story that shows one part, looked for at tables that both books open alike."""
        kind, _, name = part.partition(" ")
        a, b = on_common_ground(self.a, self.aligned, part)
        found: CoupFound | None = None
        if kind in ("bet", "moments"):
            found = bet_found(a, b, name)
        elif kind == "insurance" and len(name.split(" ")) == 2:  # a stage and a hand: the others are points
            found = cell_found(a, b, part)
        told = None if found is None else self._told(part, found.story)
        if found is None or told is None:
            searched = search(a, grafted(a, b, part), directions(part), states, part)
            told = None if searched.story is None else self._told(part, searched.story)
            return PartFound(part, told, states=searched.states, depth=searched.depth)
        coup = None if found.coup is None else headline(found.coup)
        return PartFound(part, told, coup, found.outcomes, found.situations)

    def _told(self, part: str, story: tuple[Command, ...]) -> Parting | None:
        """A story with what the books themselves make of it; None where they part before its end, by another part."""
        story = with_boxes_said(self.a, self.aligned, story, part)
        if parts_at(self.pair, story) != len(story) - 1:
            return None
        return witness(_title(part), self.pair, (self.a, self.b), self.names, story)


def _title(part: str) -> str:
    return f"Two books differ: {part}"
