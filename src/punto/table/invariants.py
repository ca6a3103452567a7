"""What must hold of a table after every command, whatever was asked of it: for the audit and for tests."""

from punto.table.felt import areas_in_order, whole
from punto.table.knowledge import is_drawn, is_known
from punto.table.places import where
from punto.table.state import Table


def broken(table: Table) -> str | None:
    """The first of the rules of keeping a table that does not hold, in words; None if all of them do."""
    return cards_wrong(table) or draws_wrong(table) or offer_wrong(table)


def cards_wrong(table: Table | None) -> str | None:
    """Why the cards of the shoe are not all in one place each, if they are not (AMB-111)."""
    if table is None or table.shoe is None or not table.shoe.cards:
        return None
    found = where(table)
    if sum(found.values()) == table.shoe.cards and min(found.values()) >= 0:
        return None
    told = ", ".join(f"{number} {place}" for place, number in found.items())
    return f"of {table.shoe.cards} cards there are {told}"


def draws_wrong(table: Table) -> str | None:
    """Why what was settled does not agree with the Table of Play (AMB-113).

    Patrons may have chosen to play the cards as they lie, or somebody may have decided so beyond the book. While
    something is being dealt with, nothing is said yet.
    """
    round = table.round
    if round is None or round.phase != "settled" or round.as_it_lies or round.ruled or table.procedures:
        return None
    if not whole(round):
        return "a hand was settled that is not finished"
    laid = tuple(each.area for each in round.cards)
    meant = areas_in_order(round)
    return None if laid == meant else f"cards lie as {' '.join(laid)} where the Table of Play has {' '.join(meant)}"


def offer_wrong(table: Table) -> str | None:
    """Why insurance cannot be on offer, if it is: the next card is drawn or known (AMB-112)."""
    round = table.running
    if round is None or round.window is None:
        return None
    window = round.window
    if is_known(table, round, window.stage):
        return "insurance is on offer on a card that somebody knows"
    if is_drawn(round, window.stage) and not (window.late or window.drawn):
        return "insurance is on offer on a card that is drawn"
    return None
