"""Pay rows that look at cards held against each other: which are never met, and which claim the same deals."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from punto.coup import reachable_outcomes
from punto.lint.findings import Finding, finding
from punto.lint.pays import outcomes, overlap, pay_alike, place_of, row_taken, rows_behind_all
from punto.messages import say
from punto.odds import BetOdds, Composition, RowOdds, bet_odds, full_shoe
from punto.odds.bets import deals_of_two
from punto.rulebook import Book, Menu, Priced, Row, menu
from punto.rulebook.lines import Path
from punto.rulebook.words import pattern_in_words


def check_counted_rows(book: Book) -> Iterator[Finding]:
    """Rows of bets that look at cards, or have a window, and are never met or overlap: once for every place.

    Deals of a full shoe are counted, of eight decks where the book allows it.
    """
    shoe = full_shoe(book.decks.usual)
    unmet: set[Path] = set()
    overlaps: dict[tuple[Path, Path], tuple[str, Row, Row]] = {}
    for layout in book.layouts:
        whole = menu(book, layout)
        carried = whole.of({name: priced for name, priced in whole.bets.items() if not priced.plain})
        for place, never in _never_met(book, carried, bet_odds(carried, shoe), shoe):
            if place not in unmet:
                unmet.add(place)
                yield never
        for priced in carried.bets.values():
            for first, row in _overlapping(carried, priced, shoe):
                places = (place_of(book, layout, first), place_of(book, layout, row))
                _, *worst = overlaps.setdefault(places, (layout, first, row))
                if pay_alike(*worst) and not pay_alike(first, row):
                    overlaps[places] = (layout, first, row)
    for layout, first, row in overlaps.values():
        yield overlap(book, layout, first, row)


def _overlapping(carried: Menu, priced: Priced, shoe: Composition) -> Iterator[tuple[Row, Row]]:
    """Rows of a bet of which one at least looks at cards, and which claim the same deals, none for being an exception.

    Rows of one table in the file never do. What outcomes tell is told by `check_rows`.
    """
    if priced.bet.in_order:
        return
    layout = carried.layout.id
    for first, row in combinations(priced.rows, 2):
        if (first.when.by_outcome and row.when.by_outcome) or first.when.excludes(row.when):
            continue
        if place_of(carried.book, layout, first) == place_of(carried.book, layout, row):
            continue
        two = carried.with_rows(priced.bet.id, (first, row))[priced.bet.id]
        both, first_alone, row_alone = deals_of_two(two, shoe)
        if both and row_alone and (first_alone or pay_alike(first, row)):
            yield first, row


def _never_met(
    book: Book, carried: Menu, odds: Mapping[str, BetOdds], shoe: Composition
) -> Iterator[tuple[Path, Finding]]:
    """Rows of bets that look at cards, or have a window, and that no deal of a full shoe meets before another row.

    Where one would be met if it stood alone, earlier rows take everything. A table of the file stands for several rows,
    one for each of its odds and choices: some of them may be out of reach.
    """
    unmet: dict[Path, tuple[Priced, RowOdds]] = {}
    met = set()
    for name, bet in odds.items():
        priced = carried.bets[name]
        behind = rows_behind_all(book, carried.layout.id, priced.rows)
        for each in bet.rows if bet.total and not priced.plain else ():
            if each.row in behind:
                continue  # one fault tells of them all
            at = place_of(book, carried.layout.id, each.row)
            unmet.setdefault(at, (priced, each))
            met |= {at} if each.deals else set()
    for at, (priced, each) in unmet.items():
        if at in met or _told_by_outcome(priced, each.row):
            continue
        alone = bet_odds(carried.with_rows(each.row.bet, (each.row,)), shoe)[each.row.bet]
        if alone.rows[0].deals:
            yield at, row_taken(book, carried.layout.id, each.row)
        else:
            row, where = pattern_in_words(each.row.when), f"layout {carried.layout.id}, {each.row.bet}"
            says = say("row-met-by-no-deal", "no deal meets this row: {row}.", row=row)
            yield at, finding(book, "unreachable", at, where, says, each.row.basis)


def _told_by_outcome(priced: Priced, row: Row) -> bool:
    """Whether outcomes alone show that a row is never met, as `check_rows` then tells."""
    if not row.when.by_outcome:
        return False
    before = priced.rows[: priced.rows.index(row)]
    taken = frozenset().union(*(outcomes(each.when) for each in before if each.when.by_outcome))
    return not (outcomes(row.when) & reachable_outcomes()) - taken
