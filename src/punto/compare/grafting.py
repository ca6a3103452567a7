"""One part of a book put into another: so that a story can be looked for that shows this part and no other."""

from typing import TypeVar

from msgspec.structs import replace

from punto.compare.forms import HOUSE_RANKS, meant
from punto.rulebook import Basis, Book, Point
from punto.rulebook.model import Bet, Irregularity, OtherBets, Remedy
from punto.rulebook.vocabulary import HOUSE

T = TypeVar("T")

_ALONE = {
    "decks": ("decks",),
    "effective": ("effective",),
    "printed card": ("cards",),
    "ranks": ("ranks", "tiers"),
}
"""Parts that are fields of a book."""


def grafted(a: Book, b: Book, part: str) -> Book:
    """The first book with one part of the second; the second itself for a part that cannot stand alone.

    Both have the same names, as `aligned` gives them.
    """
    kind, _, name = part.partition(" ")
    if part == HOUSE_RANKS:
        return _with_clauses(a, b)
    if part in _ALONE:
        return replace(a, **{field: getattr(b, field) for field in _ALONE[part]})
    if kind == "layout" and name in a.layouts and name in b.layouts:
        other = b.layouts[name]
        layout = replace(a.layouts[name], positions=other.positions, notice=other.notice)
        return replace(a, layouts={**a.layouts, name: layout})
    if kind == "companions" and name in a.bets and name in b.bets:
        return replace(a, bets=_beside(a, b, name))
    if kind == "policy":
        return replace(a, policies=_with(a.policies, b.policies, name))
    if kind == "offer" and name in a.offers and name in b.offers:  # else rows that name it could not be played
        return replace(a, offers=_with(a.offers, b.offers, name))
    if kind == "irregularity":
        rows = tuple(_spoken(b, row) for row in b.irregularities if row.fact == name)
        return replace(
            a,
            irregularities=(*(row for row in a.irregularities if row.fact != name), *rows),
            offers={**b.offers, **a.offers},
        )
    if kind in a.points or kind in b.points:
        theirs = {each: _point(b, point) for each, point in b.points.get(kind, {}).items()}
        return replace(a, points={**a.points, kind: _with(a.points.get(kind, {}), theirs, name)})
    if kind == "insurance" and a.insurance is not None and b.insurance is not None:
        theirs = {each: _point(b, point) for each, point in b.insurance.points.items()}
        if name in a.insurance.points or name in theirs:
            return replace(a, insurance=replace(a.insurance, points=_with(a.insurance.points, theirs, name)))
    return b


def _beside(a: Book, b: Book, name: str) -> dict[str, Bet]:
    """The bets of the first book, one of them with the companions that it has in the second.

    What it never lies with is said at that bet alone, whichever bets say it.
    """
    theirs = b.bets[name]
    never = {each.id for each in b.bets.values() if each.not_with is not None and each.not_with.among(theirs)}
    never |= set(meant(b, theirs.not_with)) if theirs.not_with is not None else set()
    ours = {each: _without(a, bet, name) for each, bet in a.bets.items()}
    apart = OtherBets(tuple(sorted(never & a.bets.keys())), theirs.basis) if never else None
    return {**ours, name: replace(a.bets[name], needs=theirs.needs, at_most=theirs.at_most, not_with=apart)}


def _without(book: Book, bet: Bet, name: str) -> Bet:
    """A bet that says nothing of never lying with another."""
    if bet.not_with is None:
        return bet
    left = tuple(each for each in meant(book, bet.not_with) if each != name)
    return replace(bet, not_with=replace(bet.not_with, bets=left) if left else None)


def _with_clauses(a: Book, b: Book) -> Book:
    """The first book with the clauses that the second has at the same places, and the ranks that they lead to."""
    insurance = a.insurance
    if insurance is not None and b.insurance is not None:
        insurance = replace(insurance, points=_rested(insurance.points, b.insurance.points))
    rows = {(row.fact, *sorted(row.when.items(), key=str)): row for row in b.irregularities}
    return replace(
        a,
        house_ranks=b.house_ranks,
        insurance=insurance,
        points={section: _rested(points, b.points.get(section, {})) for section, points in a.points.items()},
        irregularities=tuple(
            row if other is None else replace(row, basis=other.basis, do=_rested_steps(row.do, other.do))
            for row in a.irregularities
            for other in [rows.get((row.fact, *sorted(row.when.items(), key=str)))]
        ),
    )


def _rested(own: dict[str, Point], other: dict[str, Point]) -> dict[str, Point]:
    """Points, each resting on the clauses that another book has for it."""
    return {name: replace(each, basis=other[name].basis) if name in other else each for name, each in own.items()}


def _rested_steps(own: tuple[Remedy, ...], other: tuple[Remedy, ...]) -> tuple[Remedy, ...]:
    """Steps with the clauses of another book, where it takes the same."""
    if [step.verb for step in own] != [step.verb for step in other]:
        return own
    return tuple(
        replace(
            one,
            clause=two.clause,
            otherwise=_rested_steps(one.otherwise, two.otherwise),
            then=_rested_steps(one.then, two.then),
            all_back=_rested_steps(one.all_back, two.all_back),
        )
        for one, two in zip(own, other, strict=True)
    )


def _with(own: dict[str, T], other: dict[str, T], name: str) -> dict[str, T]:
    """What one book has, but under a name what the other has, or nothing."""
    kept = {key: value for key, value in own.items() if key != name}
    return {**kept, name: other[name]} if name in other else kept


def _speaks(book: Book, by: str | None, basis: Basis) -> str | None:
    """The rank itself where a book names the House: its clauses mean nothing in another book."""
    if by != HOUSE:
        return by
    named = (clause.partition("#")[0] for clause in basis.clauses)
    return next((book.house_ranks[clause] for clause in named if clause in book.house_ranks), book.ranks[1][-1])


def _point(book: Book, point: Point) -> Point:
    return replace(point, by=_speaks(book, point.by, point.basis))


def _spoken(book: Book, row: Irregularity) -> Irregularity:
    return replace(row, do=tuple(_step(book, step, row.basis) for step in row.do))


def _step(book: Book, step: Remedy, basis: Basis) -> Remedy:
    own = Basis((step.clause,) if step.clause else ()).plus(basis)
    return replace(
        step,
        by=_speaks(book, step.by, own),
        otherwise=tuple(_step(book, each, basis) for each in step.otherwise),
        then=tuple(_step(book, each, basis) for each in step.then),
        all_back=tuple(_step(book, each, basis) for each in step.all_back),
    )
