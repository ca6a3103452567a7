"""Small tools for events: moving money, and changing the round or the shoe of a table."""

from typing import Any

from msgspec.structs import replace

from punto.table import events as e
from punto.table.felt import lay
from punto.table.state import Felt, Patron, Round, Table


def money(table: Table, patron: str, *, balance: int = 0, held: int = 0, owed: int = 0) -> Table:
    """Move money of a patron; the house has the other side of it."""
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
    """A round that is over keeps the rulings that it was settled by."""
    if table.round is None or table.round.rulings is not None:
        return table
    return with_round(table, rulings=table.policies)


def current(table: Table) -> Round:
    """The round, which must be there."""
    assert table.round is not None
    return table.round


def unchanged(table: Table, event: e.Event) -> Table:  # noqa: ARG001
    """On the record; the table is as it was."""
    return table
