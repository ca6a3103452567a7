"""Bets and cover whose edge is gone where payments or commission are rounded, found by settling small stakes."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from punto.lint.findings import Finding, finding
from punto.messages import Sentence, say
from punto.odds import BetOdds, CellOdds
from punto.rulebook import Basis, Book, CoverRow, Priced, Refused
from punto.settlement import Chips
from punto.settlement.chips import ROUNDING, chips_at
from punto.settlement.settle import winnings

_MOST_STAKES = 4_000
"""Rounding repeats itself after so many chips as all odds divide; of more than these none is tried."""

_ONE_CHIP = Chips(1, "up")


def ways_to_round(book: Book) -> list[Chips]:
    """Every rounding that a table of this book may have and that a patron may gain by, in chips of one minor unit.

    >>> from punto.rulebook import load
    >>> [chips.rounding for chips in ways_to_round(load("wu-song"))]
    ['exact', 'up']
    """
    policy = book.policies.get(ROUNDING)
    names = ["exact"] if policy is None or policy.value != "nearest" else ["nearest"]
    if policy is None or "up" in policy.choices:
        names.append("up")
    found = []
    for name in names:
        try:
            found.append(chips_at(book, 1, None, name, "USD", True))
        except Refused:  # a unit that is finer than the smallest amount here
            found.append(Chips(1, name))
    return found


def rounding_takes_edge(book: Book, priced: Priced, bet: BetOdds, decks: int) -> Sentence | None:
    """That some stake on a bet leaves the house nothing, as payments or commission are rounded; None if none does."""
    for chips in ways_to_round(book):
        left, stake = least_edge(priced, bet, chips)
        if left > 0:
            continue
        if chips == _ONE_CHIP and stake == 1:
            return say(
                "rounding-takes-edge",
                "if payments are rounded up to the chip, a stake of one chip leaves the house an edge of {edge} "
                "with {decks:decks}.",
                edge=f"{float(left):.2%}",
                decks=decks,
            )
        return say(
            "rounding-takes-edge-at",
            "as payments and commission are rounded, a stake of {stake:money} in chips of {chip:money} leaves the "
            "house an edge of {edge} with {decks:decks}.",
            stake=stake,
            chip=chips.unit,
            edge=f"{float(left):.2%}",
            decks=decks,
        )
    return None


def least_edge(priced: Priced, bet: BetOdds, chips: Chips) -> tuple[Fraction, int]:
    """The least edge that the house has on a bet, whatever is staked, and the least stake that leaves it (AMB-30).

    >>> from punto.odds import bet_odds, full_shoe
    >>> from punto.rulebook import load, menu
    >>> carried = menu(load("dragon-tiger-mbs"))
    >>> left, stake = least_edge(carried["banker"], bet_odds(carried, full_shoe(8))["banker"], Chips(1, "up"))
    >>> f"{float(left):.4%}", stake
    ('-1.2351%', 1)
    """
    step = chips.step(priced)
    rows = [each for each in bet.rows if each.row.odds]
    odds = [each.row.odds.fraction for each in rows if each.row.odds]
    repeats = lcm(chips.payment, chips.commission, *(each.denominator for each in odds), step) // step
    if all(winnings(each.row, step, chips) == step * paid for each, paid in zip(rows, odds, strict=True)):
        return bet.edge, step  # what the least stake is paid exactly, all others are

    def left(stake: int) -> Fraction:
        more = (
            each.probability * (Fraction(winnings(each.row, stake, chips), stake) - paid)
            for each, paid in zip(rows, odds, strict=True)
        )
        return bet.edge - sum(more, Fraction(0))

    return min((left(step * times), step * times) for times in range(1, min(repeats, _MOST_STAKES) + 1))


def check_rounded_cover(book: Book, cells: Sequence[CellOdds], decks: int) -> Iterator[Finding]:
    """That rounding up takes the edge of cover away: in how many cells, and where most of all."""
    insurance = book.insurance
    if insurance is None or all(chips.rounding != "up" for chips in ways_to_round(book)):
        return
    favourable = [cell for cell in cells if cell.met and cell.edge > 0 and cover_left(cell) <= 0]
    if not favourable:
        return
    worst = min(favourable, key=cover_left)
    says = say(
        "rounding-takes-edge-of-cover",
        "if payments are rounded up to the chip, cover of one chip leaves the house no edge in {cells} of {all} cells; "
        "with {hand:hand} {own} against {opposite} at {odds:odds} it is {edge} with {decks:decks}.",
        cells=len(favourable),
        all=len(cells),
        hand=worst.row.hand,
        own=worst.own,
        opposite=worst.opposite,
        odds=worst.row.odds.text,
        edge=f"{float(cover_left(worst)):.2%}",
        decks=decks,
    )
    at = ("insurance", "row", insurance.rows.index(worst.row))
    yield finding(book, "rounding", at, "insurance", says, Basis(worst.row.basis.clauses))


def cover_left(cell: CellOdds) -> Fraction:
    """The edge of cover of one chip, where payments are rounded up to the chip."""
    row: CoverRow = cell.row
    return cell.edge - cell.win * (winnings(row, 1, _ONE_CHIP) - row.odds.fraction)
