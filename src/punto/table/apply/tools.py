"""What events need to change a table: moving money, and replacing its round, its cards or its shoe."""

from typing import Any

from msgspec.structs import replace

from punto.table import events as e
from punto.table.felt import lay
from punto.table.state import Felt, Patron, Round, Table


def money(table: Table, patron: str, *, balance: int = 0, held: int = 0, owed: int = 0) -> Table:
    """Change what a patron has, holds and owes; the house's account changes by the opposite."""
    who = table.patrons[patron]
    now = Patron(who.box, who.balance + balance, who.held + held, who.owed + owed, who.away)
    return replace(table, patrons={**table.patrons, patron: now}, house=table.house - balance - held + owed)


def with_round(table: Table, **changes: Any) -> Table:
    """The table with a change to its round that moves no card."""
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def with_cards(table: Table, cards: tuple[Felt, ...], **changes: Any) -> Table:
    """The table with other cards in its round, and perhaps other changes to it."""
    assert table.round is not None
    return replace(table, round=lay(table.round, cards, **changes))


def with_shoe(table: Table, **changes: Any) -> Table:
    """The table with a change to its shoe."""
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, **changes))


def keep_rulings(table: Table) -> Table:
    """Note on the round by which rulings it was settled, before they change."""
    if table.round is None or table.round.rulings is not None:
        return table
    return with_round(table, rulings=table.policies)


def current(table: Table) -> Round:
    """The round of a table that has one."""
    assert table.round is not None
    return table.round


def unchanged(table: Table, event: e.Event) -> Table:
    """The table as it was: the event is only for the record."""
    return table
