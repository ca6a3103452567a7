"""What of a book its stories reach: clauses, pay rows, insurance cells, irregularity rows, guards, choices."""

from collections.abc import Iterator, Mapping
from typing import Literal, get_args
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from punto.coup import insurable_situations, situation
from punto.rulebook import Book, Clause, Row, index_for, record
from punto.rulebook.facts import GUARDS, HANDS
from punto.rulebook.references import references
from punto.rulebook.words import guards_in_words, pattern_in_words
from punto.scenario.playing import Played, play
from punto.scenario.story import Scenario
from punto.table import Round, Table, events, evolve
from punto.table.felt import coup

Kind = Literal["clauses", "pay-rows", "cells", "irregularity-rows", "guards", "choices"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Item = tuple[Kind, str]
"""Something of a book that a story can reach: its kind, and its name."""


class CoveredBook(msgspec.Struct, frozen=True):
    """A book, its stories as they were played, and for all there is to reach the files of the stories that did."""

    book: Book
    played: tuple[Played, ...]
    reached: Mapping[Item, tuple[str, ...]]

    @property
    def as_told(self) -> bool:
        """Whether every story went as told."""
        return all(each.as_told for each in self.played)

    def items(self, kind: Kind) -> dict[str, tuple[str, ...]]:
        """All there is to reach of a kind, with the stories that reached it."""
        return {name: files for (each, name), files in self.reached.items() if each == kind}

    def kinds(self) -> dict[Kind, tuple[int, int]]:
        """For every kind that the book has, how many are reached, and of how many."""
        found = {kind: self.items(kind).values() for kind in KINDS}
        return {kind: (sum(map(bool, each)), len(each)) for kind, each in found.items() if each}


def cover(book: Book, stories: list[Scenario]) -> CoveredBook:
    """Play stories, and note what of a book each of them reaches.

    >>> from punto.rulebook import load
    >>> from punto.scenario import read
    >>> story = read('''scenario No bets before the call
    ... open-table wu-song 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=1000
    ... sit ann 1
    ... buy-in ann 500
    ... place ann player 100
    ...   refused 3.3
    ... ''')
    >>> cover(load("wu-song"), [story]).items("clauses")["3.3"]
    ('scenario',)
    """
    reached: dict[Item, list[str]] = {item: [] for item in _to_reach(book)}
    played = []
    for story in stories:
        library = story.library.with_book(book)
        with record() as cited:
            told = play(story, library)
        played.append(told)
        found = {("clauses", clause) for of, clause in cited if of == book.id}
        for item in {*found, *_happened(book, told)}:
            if item in reached:
                reached[item].append(story.file)
    return CoveredBook(book, tuple(played), {item: tuple(files) for item, files in reached.items()})


def _to_reach(book: Book) -> Iterator[Item]:
    index: dict[str, Clause] = index_for(book.id, book.file)
    rules = [name for name, clause in index.items() if clause.nature == "rule"]
    for clause in rules or sorted({clause for _, clause in references(book)}):
        yield "clauses", clause
    for name in _row_names(book).values():
        yield "pay-rows", name
    if book.insurance is not None:
        seen = {(each.stage, each.player, each.banker) for each in map(situation, sorted(insurable_situations()))}
        for stage, player, banker in sorted(seen):
            for hand in HANDS:
                cell = _cell(book, stage, hand, player, banker)
                if cell is not None:
                    yield "cells", cell
    for at in range(len(book.irregularities)):
        yield "irregularity-rows", _irregularity(book, at)
    for fact, guards in _told_apart(book).items():
        for guard in guards:
            for value in GUARDS[guard].values:
                yield "guards", f"{fact}, {guard}: {value}"
    for offer in book.offers.values():
        for choice in dict.fromkeys(each.do for each in offer.choices):
            yield "choices", f"{offer.id}: {choice}"


def _row_names(book: Book) -> dict[tuple[str, int], str]:
    """A name for each pay row: its group, its bet and when it pays; with its number where two have one name."""
    found: dict[tuple[str, int], str] = {}
    for group, rows in book.pays.items():
        for at, row in enumerate(rows):
            name = f"pays.{group}, {row.bet}: {pattern_in_words(row.when)}"
            found[group, at] = f"{name} (row {at + 1})" if name in found.values() else name
    return found


def _cell(book: Book, stage: str, hand: str, player: int, banker: int) -> str | None:
    own, opposite = (player, banker) if hand == "player" else (banker, player)
    if book.insurance is None or book.insurance.row(stage, hand, own, opposite) is None:
        return None
    return f"{stage}, {hand} {own} against {opposite}"


def _irregularity(book: Book, at: int) -> str:
    row = book.irregularities[at]
    when = f", {guards_in_words(row.when)}" if row.when else ""
    return f"irregularity[{at}] {row.fact}{when}"


def _told_apart(book: Book) -> dict[str, list[str]]:
    """The guards by which the rows of a book tell the cases of each fact apart."""
    found: dict[str, list[str]] = {}
    for row in book.irregularities:
        for guard in row.when:
            if guard not in found.setdefault(row.fact, []):
                found[row.fact].append(guard)
    return found


def _happened(book: Book, played: Played) -> Iterator[Item]:
    """What of a book the events of a story reached, while its table went by that book."""
    table: Table | None = None
    library = played.scenario.library.with_book(book)
    names = _row_names(book)
    for event in played.events:
        before, table = table, evolve(table, event, library)
        if table.book.digest != book.digest:
            continue
        if isinstance(event, events.RoundSettled) and table.round is not None:
            yield from _settled(table, table.round, event, names)
        elif isinstance(event, events.Reported):
            for guard, value in event.guards.items():
                yield "guards", f"{event.fact}, {guard}: {value}"
            if event.row is not None:
                yield "irregularity-rows", _irregularity(book, event.row)
        elif isinstance(event, events.Answered) and before is not None:
            yield from _chosen(before, event)


def _settled(
    table: Table, round: Round, event: events.RoundSettled, names: dict[tuple[str, int], str]
) -> Iterator[Item]:
    result = coup(round)
    carried = [(group, at, row) for group in table.menu.layout.pays for at, row in enumerate(table.book.pays[group])]
    for line in (each for own in event.lines.values() for each in own):
        priced = table.menu.bets.get(line.bet)
        met: Row | None = priced.row_of(result) if priced is not None and line.result != "returned" else None
        found = next(((group, at) for group, at, row in carried if row == met), None)
        if found is not None:
            yield "pay-rows", names[found]
    for cover in round.covers:
        cell = _cell(table.book, cover.stage, cover.hand, *round.windows.get(cover.stage, (-1, -1)))
        if cell is not None and not cover.back:
            yield "cells", cell


def _chosen(table: Table, event: events.Answered) -> Iterator[Item]:
    question = next((each for each in table.questions if each.id == event.question), None)
    if question is None or question.step is None:
        return
    step = table.procedures[question.step].rest[0]
    if step.verb == "offer":
        yield "choices", f"{step.object}: {event.choice}"


def coverage_junit(found: CoveredBook, wanting: frozenset[Kind]) -> bytes:
    """A JUnit report: a suite for each kind; what no story reached is a failure in the kinds that are wanting."""
    report = Element("testsuites", name=f"punto cover {found.book.id}")
    for kind, (reached, every) in found.kinds().items():
        lacking = "failures" if kind in wanting else "skipped"
        counts = {"tests": str(every), "failures": "0", "skipped": "0", lacking: str(every - reached)}
        suite = SubElement(report, "testsuite", {"name": kind, **counts})
        for name, files in found.items(kind).items():
            case = SubElement(suite, "testcase", classname=f"{found.book.id}.{kind}", name=name)
            if not files:
                SubElement(case, lacking.removesuffix("s"), message="No story reaches it.")
    indent(report)
    text: bytes = tostring(report, encoding="utf-8", xml_declaration=True)
    return text
