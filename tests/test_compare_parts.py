"""Every part of a book changed in turn: two books are told apart by a story that runs, or differ in words alone.

The changes are those by which clauses are proven (`proofs/derive.py`): whatever stands beside a clause is altered to
something else that a book may say. Here a slice of them is made; `make proofs` makes all of them.
"""

import ast
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from parts import changes_of, faults
from punto.compare import prove, search
from punto.compare.aligning import aligned
from punto.compare.chosen import parted
from punto.compare.cited import (
    BY_BEING_THERE,
    FOR_THEIR_CLAUSE,
    HOUSE_ASKED,
    REFUSED_EITHER_WAY,
    SILENCE,
    WORDS_ONLY,
)
from punto.compare.directions import directions, later_starts, usual_starts
from punto.compare.forms import parts
from punto.compare.grafting import grafted
from punto.compare.lockstep import Pair, parts_at
from punto.explore.told import told_for
from punto.rulebook import SHIPPED, Book, Refused, ids, load
from punto.rulebook.cases import can_come
from punto.rulebook.facts import FACTS, GUARDS
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import POINTS
from punto.scenario import play, read
from punto.table import act
from punto.table.commands import Report
from punto.table.events import CardsSeen, Reported
from punto.table.invariants import cases_wrong

from changes import BookChange, Edit, tree

ROOT = Path(__file__).parent.parent
SOURCES, SCENARIOS = ROOT / "src/punto", ROOT / "scenarios"
ENGINE = ("table", "settlement")


def _words(*nodes: ast.AST) -> frozenset[str]:
    every = (each for node in nodes for each in ast.walk(node))
    return frozenset(each.value for each in every if isinstance(each, ast.Constant) and isinstance(each.value, str))


def _asked() -> Iterator[frozenset[str]]:
    """The words of everything that the engine asks about points: `point(…)`, `points[…]`, `points.get(…)`."""
    for file in (file for room in ENGINE for file in sorted((SOURCES / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="point"), args=args):
                    yield _words(*args)
                case ast.Call(func=ast.Attribute(attr="get", value=ast.Attribute(attr="points")), args=args):
                    yield _words(*args)
                case ast.Subscript(value=value, slice=key) if "points" in ast.unparse(value):
                    yield _words(value, key)


def test_the_engine_decides_nothing_by_what_differs_in_words_alone() -> None:
    """It asks for the clauses of such points, and no more: those that it asks for besides are named one by one."""
    asked = list(_asked())
    assert frozenset(("limits", "over-maximum")) in asked
    named = {part: set(part.removeprefix("insurance ").split(" ")) for part in WORDS_ONLY}
    read = {part for part, words in named.items() for each in asked if each >= words}
    assert read == REFUSED_EITHER_WAY | FOR_THEIR_CLAUSE


def test_what_differs_in_words_alone_is_a_point_that_books_have() -> None:
    known = {f"{section} {name}" for section, points in POINTS.items() for name in points}
    assert known >= WORDS_ONLY | BY_BEING_THERE | HOUSE_ASKED


SLICE = {
    "wu-song": ("round ends", "betting misplaced", "betting by-staff", "authority residual", "policy bound"),
    "commission-insurance": ("insurance shown-by", "insurance waived", "money commission", "irregularity foreign-card"),
    "dragon-tiger-mbs": ("money corrections", "round begins"),
    "da-hu-ying-xiong": ("policy insurance-forfeit",),
}


@pytest.mark.parametrize(("book", "part"), [(book, part) for book, named in SLICE.items() for part in named])
def test_a_changed_part_is_shown_by_a_story_or_is_words_alone(book: str, part: str) -> None:
    [change] = changes_of(book, part)
    assert faults(load(book), change.changed(), part, states=3) == []


def test_a_book_that_differs_in_words_alone_is_equal() -> None:
    [change] = changes_of("wu-song", "betting opens")
    proof = prove(load("wu-song"), change.changed())
    assert proof.equal
    assert proof.words == ("betting opens",)


def saying(book: str, point: str) -> str | None:
    section, name = point.split(" ")
    found = load(book).point(section, name)
    return None if found is None else str(found.value)


@pytest.mark.parametrize("book", ids())
def test_what_is_done_where_a_book_is_silent_is_no_difference_where_another_says_it(book: str) -> None:
    """Told every story of the kit, a table of the silent book does what the other does; the proof says so, too."""
    said = [point for point, silence in SILENCE.items() if saying(book, point) == silence]
    silent = BookChange(book, tuple(Edit(tuple(point.split(" ")), None) for point in said)).changed()
    assert said
    assert parted(Pair.of(load(book), silent), told_for(load(book))) is None
    proof = prove(load(book), silent)
    assert proof.equal
    assert set(proof.words) == set(said)


@pytest.mark.parametrize("book", ["dragon-tiger-hoiana", "dragon-tiger-mbs"])
def test_a_maximum_that_cuts_each_wager_is_for_each_wager_whether_a_book_says_so_or_not(book: str) -> None:
    silent = BookChange(book, (Edit(("limits", "maximum-scope"), None),)).changed()
    assert parted(Pair.of(load(book), silent), told_for(load(book))) is None
    assert prove(load(book), silent).words == ("limits maximum-scope",)
    other = BookChange(book, (Edit(("limits", "maximum-scope", "value"), "box-and-hand"),)).changed()
    assert faults(load(book), other, "limits maximum-scope") == []


ORDERS = [list(order) for many in (1, 2, 3) for order in permutations(("minimum", "maximum", "differential"), many)]


def _cuts(order: list[str]) -> list[str]:
    return [limit for limit in order if limit != "minimum"]


@pytest.mark.parametrize("book", ids())
def test_limits_in_any_other_order_are_shown_by_a_story_unless_only_the_minimum_stands_elsewhere(book: str) -> None:
    """The minimum cuts no stake. All others are told apart, also where nothing is left of the differential."""
    own = tree(book)["limits"]["pipeline"]["value"]
    told: set[tuple[str, ...]] = {tuple(_cuts(own))}
    for order in ORDERS:
        changed = BookChange(book, (Edit(("limits", "pipeline", "value"), order),)).changed()
        if _cuts(order) == _cuts(own):
            assert prove(load(book), changed).equal
        elif tuple(_cuts(order)) not in told:
            assert faults(load(book), changed, "limits pipeline") == []
            told.add(tuple(_cuts(order)))
    assert len(told) == 5


# Cases that cannot come


def _without_moved(book: str) -> Book:
    """A book whose row about cards left over does not name those that were seen in moving the shoe."""
    [row] = [at for at in _rows(book, "left-over") if "moved" in tree(book)["irregularity"][at]["when"]["left-over"]]
    return BookChange(book, (Edit(("irregularity", row, "when", "left-over"), ["seen"]),)).changed()


def test_a_row_for_a_case_that_cannot_come_is_no_difference() -> None:
    """Hoiana has no row about a shoe that is moved: a card seen then is one that was exposed (AMB-111)."""
    proof = prove(load("dragon-tiger-hoiana"), _without_moved("dragon-tiger-hoiana"))
    assert proof.equal
    assert proof.never == ("irregularity left-over",)


def test_the_same_case_is_a_difference_where_it_can_come() -> None:
    [change] = changes_of("dragon-tiger-mbs", "irregularity left-over")
    assert faults(load("dragon-tiger-mbs"), change.changed(), "irregularity left-over", states=3) == []


def test_a_card_counts_as_seen_in_moving_the_shoe_by_one_fact_alone() -> None:
    """What no book without a row about it comes to: each step from the report to the state is the only one."""
    lays = [fact.id for fact in FACTS.values() if fact.lays == "seen-in-movement"]
    assert lays == ["shown-in-movement"]
    [turned] = FACTS["shown-in-movement"].really
    assert (turned.fact, turned.sign, turned.unless) == ("exposed-card", "movement-not-in-the-book", None)
    effects = ast.parse((SOURCES / "table/handlers/effects.py").read_text(encoding="utf-8"))
    moving = [
        function.name
        for function in ast.walk(effects)
        if isinstance(function, ast.FunctionDef) and "moved=True" in ast.unparse(function)
    ]
    assert moving == ["_seen_in_movement"]
    texts = {file.name: file.read_text(encoding="utf-8") for file in (SOURCES / "table").rglob("*.py")}
    assert [name for name, text in texts.items() if "moved=True" in text] == ["effects.py"]


@pytest.mark.parametrize("book", ids())
def test_no_story_comes_to_a_case_that_cannot_come(book: str) -> None:
    """Whatever is reported in the scenarios of a book; the walks and the explorer look at every table they reach."""
    stories = [play(read(path.read_text(encoding="utf-8"))) for path in sorted((SCENARIOS / book).glob("*.scenario"))]
    reported = [each for story in stories for each in story.events if isinstance(each, Reported)]
    assert reported
    cases = [{name: value for name, value in each.guards.items() if name in GUARDS} for each in reported]
    assert all(can_come(load(book), case) for case in cases)


@pytest.mark.parametrize("book", [book for book in ids() if not can_come(load(book), {"left-over": "moved"})])
def test_a_card_seen_while_the_shoe_is_moved_is_an_exposed_card_where_the_book_has_no_row(book: str) -> None:
    """At every moment of a round, of every kind of table, before and after other reports."""
    rules, seen, taken = load(book), Report("shown-in-movement", faces=("5c",)), 0
    for start in (*usual_starts(rules, SHIPPED), *later_starts(None)(rules, SHIPPED)):
        try:
            table, happened = act(start.table, seen)
        except Refused:
            continue
        taken += 1
        assert not any(isinstance(each, CardsSeen) and each.moved for each in happened)
        assert cases_wrong(table) is None
    assert taken > 20


@pytest.mark.parametrize("point", SILENCE)
def test_what_is_done_where_a_book_is_silent_is_not_all_that_it_may_say(point: str) -> None:
    """Where a book says otherwise, silence is a difference that a story shows."""
    section, name = point.split(" ")
    [other] = set(POINTS[section][name]) - {SILENCE[point]}
    book = next(each for each in ids() if saying(each, point) == other)
    silent = BookChange(book, (Edit((section, name), None),)).changed()
    assert faults(load(book), silent, point) == []


@pytest.mark.parametrize(
    ("book", "part"),
    [("dragon-tiger-mbs", "policy bound"), ("da-hu-ying-xiong", "irregularity insurance-neglected")],
)
def test_a_part_that_only_a_second_error_of_one_round_shows_has_a_story(book: str, part: str) -> None:
    """Who is bound by a choice learns it at the next error; an offer forgotten after the next card was seen."""
    [change] = changes_of(book, part)
    a, b = load(book), change.changed()
    found = search(a, b, directions(part)[-1:], most=20, part=part).story
    assert found is not None
    assert sum(each.__struct_config__.tag == "report" for each in found) == 2
    assert parts_at(Pair.of(a, b), found) == len(found) - 1


def _rows(book: str, fact: str) -> list[int]:
    return [at for at, row in enumerate(tree(book)["irregularity"]) if row["fact"] == fact]


def test_a_case_that_a_book_refers_is_one_on_which_it_is_silent() -> None:
    """Clause 6.1 refers what the book does not cover, so a row that does so for other interruptions adds nothing."""
    book = "dragon-tiger-mbs"
    other = _rows(book, "interruption")[-1]
    assert tree(book)["irregularity"][other]["do"] == ["refer"]
    proof = prove(load(book), BookChange(book, (Edit(("irregularity", other), None),)).changed())
    assert proof.equal
    assert proof.words == ()


def test_a_late_error_that_a_book_refers_is_not_one_on_which_it_is_silent() -> None:
    """Where a book is silent on an error noticed late, what it says of all late errors counts."""
    book = "dragon-tiger-mbs"
    later = _rows(book, "deck-count")[-1]
    referred = BookChange(book, (Edit(("irregularity", later, "do"), ["refer"]),)).changed()
    silent = BookChange(book, (Edit(("irregularity", later), None),)).changed()
    assert [each.part for each in prove(referred, silent, states=3).found] == ["irregularity deck-count"]


@pytest.mark.parametrize(("one", "other"), list(permutations(ids(), 2)))
def test_a_book_with_a_part_of_another_has_every_offer_that_its_rows_name(one: str, other: str) -> None:
    """Or its tables would break down where such a row is played."""
    a = load(one)
    b, _ = aligned(a, load(other))
    for part in sorted({*parts(a), *parts(b)}):
        book = grafted(a, b, part)
        named = {step.object for row in book.irregularities for step in every_step(row.do) if step.verb == "offer"}
        assert named <= set(book.offers), part


def every_step(steps: tuple[Remedy, ...]) -> Iterator[Remedy]:
    for step in steps:
        yield step
        yield from every_step((*step.otherwise, *step.then, *step.all_back))
