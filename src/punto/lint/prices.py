"""Bets and insurance cells in which the patron has the edge, or would have it by rounding, found by exact odds."""

from collections.abc import Iterator, Mapping

from punto.coup import reachable_outcomes
from punto.lint.findings import Finding, Kind, finding
from punto.lint.pays import outcomes, place_of, row_taken
from punto.lint.rounding import check_rounded_cover, rounding_takes_edge
from punto.messages import Sentence, say
from punto.odds import BetOdds, Composition, RowOdds, bet_odds, full_shoe, insurance_odds, outcome_counts
from punto.rulebook import Basis, Book, Menu, Priced, Row, menu
from punto.rulebook.lines import Path
from punto.rulebook.words import cover_in_words, pattern_in_words

USUAL = 8
"""The decks that prices are judged by, or the nearest number that the book allows."""


def check_prices(book: Book) -> Iterator[Finding]:
    """Bets and cells that lose the house money from a full shoe, of eight decks where the book allows it."""
    decks = book.decks.nearest(USUAL)
    shoe = full_shoe(decks)
    counts = outcome_counts(shoe)
    told: set[Priced] = set()
    unmet: set[Path] = set()
    for layout in book.layouts:
        carried = menu(book, layout)
        odds = bet_odds(carried, shoe, counts)
        for place, never in _never_met(book, carried, odds, shoe):
            if place not in unmet:
                unmet.add(place)
                yield never
        for name, each in odds.items():
            if each.offered == 0 and carried.bets[name] not in told:
                told.add(carried.bets[name])
                yield _never_placed(book, layout, carried.bets[name])
        yield from _too_dear(book, layout, {name: each for name, each in odds.items() if each.offered != 0}, told)
    cells = insurance_odds(book, shoe)
    yield from check_rounded_cover(book, cells, decks)
    for cell in cells:
        if cell.edge < 0:
            says = say(
                "patron-has-edge-on-cover",
                "{hand:hand} {own} against {opposite} at {odds:odds}: "
                "the patron has an edge of {edge} of the stake with {decks:decks}.",
                hand=cell.row.hand,
                own=cell.own,
                opposite=cell.opposite,
                odds=cell.row.odds.text,
                edge=f"{-float(cell.edge):.2%}",
                decks=decks,
            )
            where = f"insurance, {cell.row.stage}, {cover_in_words(cell.row)}"
            at = ("insurance", "row", book.insurance.rows.index(cell.row) if book.insurance else 0)
            yield finding(book, "favourable", at, where, says, cell.row.basis)


def _too_dear(book: Book, layout: str, odds: Mapping[str, BetOdds], told: set[Priced]) -> Iterator[Finding]:
    """Bets of a layout that lose the house money; what is told of all choices of a bet is told of the bet."""
    carried, decks = menu(book, layout), book.decks.nearest(USUAL)
    alike: dict[tuple[Path, Kind, Sentence, Basis], list[str]] = {}
    for name, each in odds.items():
        priced = carried.bets[name]
        dear = None if priced in told else _dear(book, priced, each, decks)
        if dear is not None:
            told.add(priced)
            alike.setdefault((place_of(book, layout, priced.rows[0]), *dear, _basis(each)), []).append(name)
    for (at, kind, says, basis), names in alike.items():
        chosen = carried.bets[names[0]].bet.choice_of
        choices = [name for name in odds if chosen and carried.bets[name].bet.choice_of == chosen]
        for where in [chosen] if chosen and choices == names else names:
            yield finding(book, kind, at, f"layout {layout}, {where}", says, basis)


def _dear(book: Book, priced: Priced, bet: BetOdds, decks: int) -> tuple[Kind, Sentence] | None:
    """What is wrong with the price of a bet, if anything is: the kind of the finding, and its words."""
    if bet.edge < 0:
        return "favourable", say(
            "patron-has-edge",
            "the patron has an edge of {edge} with {decks:decks}.",
            edge=f"{-float(bet.edge):.2%}",
            decks=decks,
        )
    taken = rounding_takes_edge(book, priced, bet, decks)
    return None if taken is None else ("rounding", taken)


def _never_placed(book: Book, layout: str, priced: Priced) -> Finding:
    """A bet whose window no first four cards open."""
    bet = priced.bet
    says = say("window-never-opens", "no first four cards open its window, so nobody can ever place it.")
    basis = bet.basis if bet.placed is None else bet.placed.basis
    at = ("bets", bet.id, "placed")
    return finding(book, "unreachable", at, f"layout {layout}, {bet.id}", says, basis, "fault")


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
        for each in bet.rows if bet.total and not priced.plain else ():
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


def _basis(bet: BetOdds) -> Basis:
    return Basis(tuple(clause for row in bet.rows for clause in row.row.basis.clauses))
