"""Two books side by side, point by point: not how a clause is numbered, but what it says."""

from collections.abc import Iterator
from itertools import combinations

import msgspec

from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.clauses import printed
from punto.rulebook.menu import Priced, menu
from punto.rulebook.model import Basis, Book, Layout, Point, Row
from punto.rulebook.vocabulary import PATTERN, PRINTED
from punto.rulebook.words import (
    cover_in_words,
    guards_in_words,
    irregularity_in_words,
    pattern_in_words,
    pays_in_words,
    remedies_in_words,
    value_in_words,
)

SILENT = "(silent)"


class Statement(msgspec.Struct, frozen=True):
    """What a book says on a point, and where."""

    value: str
    clauses: tuple[str, ...] = ()


class Difference(msgspec.Struct, frozen=True):
    """A point on which two books differ."""

    point: str
    a: Statement
    b: Statement


_NOTHING = Statement(SILENT)


def differences(a: Book, b: Book, layout_a: str | None = None, layout_b: str | None = None) -> list[Difference]:
    """Every point on which two books, or two layouts of books, differ.

    >>> from punto.rulebook import load
    >>> hoiana = load("dragon-tiger-hoiana")
    >>> for each in differences(hoiana, hoiana, "1", "3"):
    ...     print(each.point, "|", each.a.value, "|", each.b.value)
    layout version | non-commission | commission
    bet banker | Banker wins on 1-5, 7-9 1:1; Banker wins on 6 1:2; Tie comes back | Banker wins 0.95:1; Tie comes back
    """
    left, right = dict(_stands(a, layout_a)), dict(_stands(b, layout_b))
    names = [*left, *(name for name in right if name not in left)]
    pairs = ((name, left.get(name, _NOTHING), right.get(name, _NOTHING)) for name in names)
    return [Difference(name, one, other) for name, one, other in pairs if one.value != other.value]


def _stand(value: str, basis: Basis) -> Statement:
    return Statement(value, tuple(dict.fromkeys(map(printed, basis.clauses))))


def _stands(book: Book, layout: str | None) -> Iterator[tuple[str, Statement]]:
    yield "title", Statement(book.title)
    yield "operator", Statement(book.operator)
    yield "approver", Statement(book.approver)
    yield "version", Statement(book.version)
    yield "effective", Statement(book.effective.isoformat())
    decks = "not stated" if book.decks.min is None else book.decks.in_words
    yield "decks", _stand(decks, book.decks.basis)
    for value in book.cards.values:
        for rank in value.ranks:
            yield f"card {rank}", _stand(str(value.points), value.basis)
    if (on_layout := book.cards.printed) is not None:
        place = PRINTED[on_layout.place]
        yield "printed card", _stand(f"{on_layout.card} as {place}", on_layout.basis)
    yield from (_layouts(book) if layout is None else _layout(book, layout))
    yield from _insurance(book)
    for section, points in book.points.items():
        for name, point in points.items():
            yield f"{section} {name}", _point(point)
    yield "ranks", Statement(" < ".join(" / ".join(tier) for tier in book.ranks))
    for clause, rank in book.house_ranks.items():
        yield f"the House in {clause}", Statement(rank, (clause,))
    for name, policy in book.policies.items():
        said = f"{policy.value} (of {', '.join(policy.choices)})"
        yield f"policy {name}", Statement(said, tuple(each for each in (policy.clause, policy.reading) if each))
    for offer in book.offers.values():
        said = " | ".join(choice.do + _if(guards_in_words(choice.when)) for choice in offer.choices)
        said += f"; for {offer.scope}" + (f"; all back: {remedies_in_words(offer.all_back)}" if offer.all_back else "")
        yield f"offer {offer.id}", _stand(said, offer.basis)
    for fact in dict.fromkeys(row.fact for row in book.irregularities):
        rows = [row for row in book.irregularities if row.fact == fact]
        clauses = tuple(dict.fromkeys(printed(clause) for row in rows for clause in row.basis.clauses))
        yield f"irregularity {fact}", Statement(" / ".join(map(irregularity_in_words, rows)), clauses)
    yield "readings", Statement(", ".join(sorted(_readings(book))))


def _if(guards: str) -> str:
    return f" if {guards}" if guards else ""


def _readings(thing: object) -> set[str]:
    """Every reading that a book's data names."""
    if isinstance(thing, Basis):
        return set(thing.readings)
    if isinstance(thing, msgspec.Struct):
        return set().union(*(_readings(getattr(thing, name)) for name in thing.__struct_fields__))
    if isinstance(thing, dict):
        return set().union(*map(_readings, thing.values()))
    return set().union(*map(_readings, thing)) if isinstance(thing, tuple) else set()


def _layouts(book: Book) -> Iterator[tuple[str, Statement]]:
    yield "layouts", Statement(", ".join(book.layouts), (book.layouts_clause,))
    boxes: dict[str, list[str]] = {}
    for each in book.layouts.values():
        boxes.setdefault(_boxes(each), []).append(each.id)
    yield "positions", Statement("; ".join(f"{names} on {', '.join(on)}" for names, on in boxes.items()))
    prints = (f"{each.id}: {_print(each)}" for each in book.layouts.values() if each.prints)
    yield "printed on the layouts", Statement("; ".join(prints) or SILENT)
    for bet in book.bets:
        by_price: dict[str, list[str]] = {}
        clauses: dict[str, None] = {}
        for layout in book.layouts:
            priced = menu(book, layout).bets.get(bet)
            if priced is not None:
                by_price.setdefault(_price(priced), []).append(layout)
                clauses |= dict.fromkeys(printed(each) for row in priced.rows for each in row.basis.clauses)
        everywhere = len(by_price) == 1 and len(next(iter(by_price.values()))) == len(book.layouts)
        said = (
            price if everywhere else f"{price} (layouts {', '.join(layouts)})" for price, layouts in by_price.items()
        )
        yield f"bet {bet}", Statement("; or ".join(said), tuple(clauses))
        yield from _rules(book, bet)


def _layout(book: Book, name: str) -> Iterator[tuple[str, Statement]]:
    carried = menu(book, name)
    layout = carried.layout
    yield "layout version", _stand(layout.version or SILENT, layout.version_basis)
    yield "layout positions", Statement(_boxes(layout), (layout.clause,))
    yield "layout print", Statement(_print(layout) or SILENT, (layout.clause,))
    for bet, priced in carried.bets.items():
        clauses = dict.fromkeys(printed(each) for row in priced.rows for each in row.basis.clauses)
        yield f"bet {bet}", Statement(_price(priced), tuple(clauses))
        yield from _rules(book, bet)


def _rules(book: Book, bet: str) -> Iterator[tuple[str, Statement]]:
    for rule in bet_rules(book, book.bets[bet]):
        yield f"bet {bet}, {rule.key}", _stand(str(rule.says), rule.basis)


def _boxes(layout: Layout) -> str:
    return f"{layout.positions.min} to {layout.positions.max or 'unknown'}"


def _print(layout: Layout) -> str:
    return ", ".join(f"{each.bet} {pattern_in_words(each.when)} {each.odds.text}" for each in layout.prints)


def _price(priced: Priced) -> str:
    """The rows of a bet; in the order of the file where that may decide which of two counts."""
    apart = all(one.when.excludes(other.when) for one, other in combinations(priced.rows, 2))
    rows = sorted(priced.rows, key=_in_order) if apart else priced.rows
    return "; ".join(f"{pattern_in_words(row.when)} {_paid(row)}" for row in rows)


def _in_order(row: Row) -> tuple[tuple[tuple[int, ...], ...], str]:
    """Where a row stands among others, whatever their order in the file: by its numbers, as they are counted."""
    fields = {name.replace("_", "-"): values for name, values in row.when.fields}
    places = (
        tuple(at for at, value in enumerate(allowed) if value in fields.get(name, ()))
        for name, allowed in PATTERN.items()
    )
    return tuple(places), str(pattern_in_words(row.when))


def _paid(row: Row) -> str:
    return pays_in_words(row) if row.odds is None or row.commission is not None else row.odds.text


def _point(point: Point) -> Statement:
    by = f" (by {point.by})" if point.by else ""
    return _stand(value_in_words(point.value) + by, point.basis)


def _insurance(book: Book) -> Iterator[tuple[str, Statement]]:
    insurance = book.insurance
    if insurance is None:
        return
    cap = f"{insurance.cap.on} over the {insurance.cap.over} at most the Original Bet"
    for also in insurance.cap_at:
        cap += f"; at {also.odds.text} at most {also.share} of the {also.of}"
    yield "insurance cap", _stand(cap, insurance.cap.basis)
    for row in insurance.rows:
        price = row.odds.text + (", tie pays" if row.tie_pays else "")
        yield f"insurance {row.stage} {cover_in_words(row)}", _stand(price, row.basis)
    for name, point in insurance.points.items():
        yield f"insurance {name}", _point(point)
