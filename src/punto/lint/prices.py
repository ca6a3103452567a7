"""Bets and insurance cells in which the patron has the edge, or would have it by rounding, found by exact odds."""

from collections.abc import Iterator, Mapping

from punto.lint.findings import Finding, Kind, finding
from punto.lint.pays import place_of
from punto.lint.rounding import check_rounded_cover, rounding_takes_edge
from punto.messages import Sentence, say
from punto.odds import BetOdds, bet_odds, full_shoe, insurance_odds, outcome_counts
from punto.rulebook import Basis, Book, Priced, menu
from punto.rulebook.lines import Path
from punto.rulebook.words import cover_in_words


def check_prices(book: Book) -> Iterator[Finding]:
    """Bets and cells that lose the house money from a full shoe, of eight decks where the book allows it."""
    decks = book.decks.usual
    shoe = full_shoe(decks)
    counts = outcome_counts(shoe)
    told: set[Priced] = set()
    for layout in book.layouts:
        carried = menu(book, layout)
        odds = bet_odds(carried, shoe, counts)
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
    carried, decks = menu(book, layout), book.decks.usual
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
    if bet.edge == 0:
        return "favourable", say("house-has-no-edge", "the house has no edge with {decks:decks}.", decks=decks)
    taken = rounding_takes_edge(book, priced, bet, decks)
    return None if taken is None else ("rounding", taken)


def _never_placed(book: Book, layout: str, priced: Priced) -> Finding:
    """A bet whose window no first four cards open."""
    bet = priced.bet
    says = say("window-never-opens", "no first four cards open its window, so nobody can ever place it.")
    basis = bet.basis if bet.placed is None else bet.placed.basis
    at = ("bets", bet.id, "placed")
    return finding(book, "unreachable", at, f"layout {layout}, {bet.id}", says, basis, "fault")


def _basis(bet: BetOdds) -> Basis:
    return Basis(tuple(clause for row in bet.rows for clause in row.row.basis.clauses))
