"""What two books say otherwise, point by point, in the words of the other documents and not in those of the file."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from punto.report.document import Cell, Column, Rows, TableBlock
from punto.report.insurance import STAGES
from punto.report.play import count_in_words
from punto.report.words import (
    cases_in_words,
    choice_in_words,
    fact_in_words,
    point_in_words,
    steps_in_words,
    words,
)
from punto.rulebook import Book, Point
from punto.rulebook.differences import SILENT, Difference, Statement
from punto.rulebook.policy_words import policy_names, value_names
from punto.rulebook.words import cover_in_words, pattern_in_words, printed_in_words

SECTIONS = {
    "round": "The round",
    "betting": "Wagers",
    "limits": "Limits",
    "dealing": "Dealing",
    "money": "Payments",
    "display": "Displays",
    "authority": "Who decides",
    "disputes": "Disputes",
}
"""What the sections of points are called."""

_READINGS = "readings"
"""The point that lists the readings of a book."""

_SAYS_NOTHING = "nothing is said"
_SCOPES = {"undecided": "those whose bets are undecided", "all": "all patrons"}


def changes_table(found: Sequence[Difference], a: Book, b: Book, titles: tuple[str, str]) -> TableBlock:
    """A row for every point on which two books differ."""
    columns = (Column("Point", 2), Column(titles[0], 3), Column(titles[1], 3))
    ours, theirs = dict(_told(a)), dict(_told(b))
    rows: list[Rows] = []
    for each in found:
        known = ours.get(each.point) or theirs.get(each.point)
        name = f"{each.point[:1].upper()}{each.point[1:]}" if known is None else known[0]
        said = ours.get(each.point), theirs.get(each.point)
        if said[0] == said[1]:  # words that would not tell the two apart
            said = None, None
        a_says, b_says = _apart(each) if each.point == _READINGS else (each.a, each.b)
        one, other = _cell(_with_to(each.point, a_says), said[0]), _cell(_with_to(each.point, b_says), said[1])
        rows.append(((Cell(name, strong=True), one, other),))
    return TableBlock("", columns, tuple(rows))


def _apart(found: Difference) -> tuple[Statement, Statement]:
    """Of two lists what stands in one alone: what both have is no difference, and hides it.

    >>> ours, theirs = Statement("AMB-1, AMB-3", ()), Statement("AMB-1, AMB-10, AMB-2", ())
    >>> one, other = _apart(Difference("readings", ours, theirs))
    >>> one.value, other.value
    ('AMB-3, not in the other', 'AMB-2, AMB-10, not in the other')
    """
    a, b = ({name for name in said.value.split(", ") if name} for said in (found.a, found.b))
    return _alone(found.a, a - b), _alone(found.b, b - a)


def _alone(said: Statement, names: set[str]) -> Statement:
    in_order = sorted(names, key=lambda name: (len(name), name))
    value = f"{', '.join(in_order)}, not in the other" if names else "none that the other has not"
    return msgspec.structs.replace(said, value=value)


def places_table(found: Sequence[Difference], titles: tuple[str, str]) -> TableBlock:
    """A row for every place at which two files differ."""
    columns = (Column("Place in the file", 2), Column(titles[0], 3), Column(titles[1], 3))
    rows = tuple(((Cell(each.point, strong=True), _cell(each.a, None), _cell(each.b, None)),) for each in found)
    return TableBlock("", columns, rows)


Told = tuple[str, str]
"""A point: what it is called, and what a book says on it."""


def _with_to(point: str, said: Statement) -> Statement:
    """Odds of a bet or of a cap as every document has them.

    >>> _with_to("bet tie", Statement("Tie 8:1", ())).value
    'Tie 8 to 1'
    """
    if not point.startswith(("bet ", "insurance cap")):
        return said
    return msgspec.structs.replace(said, value=re.sub(r"(\d):(\d)", r"\1 to \2", said.value))


def _cell(said: Statement, told: Told | None) -> Cell:
    if said.value == SILENT:
        return Cell(_SAYS_NOTHING)
    return Cell(said.value if told is None else told[1] or said.value, ", ".join(said.clauses))


def _told(book: Book) -> Iterator[tuple[str, Told]]:
    """The points of a book that its file names by ids, in words, by the names that a comparison has for them.

    What a comparison says in words itself is left empty.

    >>> from punto.rulebook import load
    >>> dict(_told(load("wu-song")))["round begins"]
    ('The round: begins', 'A round begins when the dealer calls for bets.')
    """
    for value in book.cards.values:
        for rank in value.ranks:
            yield f"card {rank}", (f"Card {rank}", count_in_words(value))
    yield "printed on the layouts", ("Printed on the layouts", _prints(book))
    for bet in book.bets.values():
        yield f"bet {bet.id}", (f"Bet: {bet.name}", "")
        for key in ("needs", "at-most", "not-with", "settled", "placed"):
            yield f"bet {bet.id}, {key}", (f"Bet: {bet.name}, how it is bet", "")
    for section, points in book.points.items():
        for name, point in points.items():
            yield f"{section} {name}", (f"{SECTIONS[section]}: {words(name)}", _point(section, name, point))
    yield "ranks", ("Ranks", "; ".join(" or ".join(map(words, tier)) for tier in book.ranks))
    for clause, rank in book.house_ranks.items():
        yield f"the House in {clause}", (f"The house in {clause}", words(rank))
    for name, policy in book.policies.items():
        others = [value_names(name, each)[0] for each in policy.choices if each != policy.value]
        says = value_names(name, policy.value)[0]
        says += f"; a ruling may change it to: {'; or '.join(others)}" if others else ""
        yield f"policy {name}", (f"What a ruling may change: {policy_names(name)[0]}", says)
    if book.cards.printed is not None:
        yield "printed card", ("A printed card", str(printed_in_words(book.cards.printed)))
    for tell in (_offers, _irregularities, _insurance):
        yield from tell(book)


def _prints(book: Book) -> str:
    """What layouts print, each bet by its name."""
    return "; ".join(
        f"{layout.id}: "
        + ", ".join(
            f"{book.bets[each.bet].name}, {pattern_in_words(each.when)}, {each.odds.in_words}" for each in layout.prints
        )
        for layout in book.layouts.values()
        if layout.prints
    )


def _point(section: str, name: str, point: Point) -> str:
    says = point_in_words(section, name, point)
    return says + (f" Decided by: {words(point.by)}." if point.by else "")


def _offers(book: Book) -> Iterator[tuple[str, Told]]:
    for offer in book.offers.values():
        choices = "; or ".join(map(choice_in_words, offer.choices))
        says = f"For {_SCOPES.get(offer.scope, words(offer.scope))}: {choices}."
        if offer.all_back:
            says += f" If all take back: {steps_in_words(offer.all_back)}"
        yield f"offer {offer.id}", (f"What patrons may choose: {words(offer.id)}", says)


def _irregularities(book: Book) -> Iterator[tuple[str, Told]]:
    for fact in dict.fromkeys(row.fact for row in book.irregularities):
        rows = [row for row in book.irregularities if row.fact == fact]
        says = (f"{_case(row.when) if len(rows) > 1 or row.when else ''}{steps_in_words(row.do)}" for row in rows)
        yield f"irregularity {fact}", (fact_in_words(fact), " ".join(says))


def _case(when: Mapping[str, frozenset[str]]) -> str:
    return f"[{cases_in_words(when) or 'any other'}] "


def _insurance(book: Book) -> Iterator[tuple[str, Told]]:
    if book.insurance is None:
        return
    for row in book.insurance.rows:
        says = f"{row.odds.in_words}{', a tie pays' if row.tie_pays else ''}"
        name = f"insurance {row.stage} {cover_in_words(row)}"
        yield name, (f"Cover {STAGES[row.stage].lower().replace('player', 'Player')}: {cover_in_words(row)}", says)
    for name, point in book.insurance.points.items():
        yield f"insurance {name}", (f"Insurance: {words(name)}", _point("insurance", name, point))
