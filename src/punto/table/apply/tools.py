"""What events need to change a table: moving money, and replacing its round, its cards or its shoe."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from punto.coup import Card
from punto.table import events as e
from punto.table.felt import lay
from punto.table.knowledge import stages_opened
from punto.table.state import Felt, Patron, Round, Setup, Shoe, Table

_T = TypeVar("_T")


def in_order(given: Mapping[str, _T]) -> dict[str, _T]:
    """What an event says by name, in the order of the names, which is how it is written.

    So a table that goes on and one that is read again hold the same in the same order.
    """
    return {name: given[name] for name in sorted(given)}


def setup_in_order(setup: Setup) -> Setup:
    """A set-up from an event, with what it says by name in the order of the names."""
    limits = setup.limits
    if limits.minimums or limits.maximums:
        limits = replace(limits, minimums=in_order(limits.minimums), maximums=in_order(limits.maximums))
    return replace(setup, limits=limits, house_ranks=in_order(setup.house_ranks))


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
    return note_points(replace(table, round=lay(table.round, cards, **changes)))


def note_points(table: Table) -> Table:
    """The table with a note of the points that have come to lie open, where they can be insured."""
    round = table.round
    if table.book.insurance is None or round is None or len(round.cards) < 4:
        return table
    opened = stages_opened(table, round)
    return table if opened is round.opened else replace(table, round=replace(round, opened=opened))


def with_shoe(table: Table, **changes: Any) -> Table:
    """The table with a change to its shoe."""
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, **changes))


def clear_felt(table: Table, round: Round | None) -> Table:
    """The table with the cards of a round that is final among the discards, and without patrons who are gone."""
    left = [name for name, each in table.patrons.items() if each.away and not (each.balance or each.held or each.owed)]
    if left:
        table = replace(table, patrons={name: each for name, each in table.patrons.items() if name not in left})
    shoe = table.shoe
    if round is None or shoe is None or round.shoe != shoe.number:
        return table
    discarded = shoe.discarded + round.from_shoe + len(round.reserve) - len(round.gone)
    faces = count_faces(shoe.faces, (*(each.face for each in round.cards if not each.printed), *round.reserve))
    return with_shoe(table, discarded=discarded, faces=faces, **taken_off(shoe, round))


def taken_off(shoe: Shoe, round: Round) -> dict[str, Any]:
    """What a shoe keeps of the cards that patrons carried off in a round: how many, and the faces that are known."""
    faces = (round.cards[at].face for at in round.gone)
    return {"carried_off": shoe.carried_off + len(round.gone), "gone": count_faces(shoe.gone, faces)}


def count_faces(faces: dict[str, int], more: Iterable[Card | None]) -> dict[str, int]:
    """How often each face has been seen, with those of more cards."""
    found = dict(faces)
    for each in more:
        if each is not None:
            face = str(each)
            found[face] = found.get(face, 0) + 1
    return found


def keep_free(table: Table) -> Table:
    """The table after a round: if it was free and seen cards are left of those carried to it, so is the next."""
    round, shoe = table.round, table.shoe
    if round is None or shoe is None or not round.free or round.shoe != shoe.number:
        return table
    earlier = shoe.carried[: len(shoe.carried) - round.handed_on]
    return with_shoe(table, free_next=True) if earlier and earlier[0] is not None else table


def forgo(table: Table, patrons: Iterable[str], way: str) -> Table:
    """The table with insurance forgone by patrons for the round, by a stage that they let pass or by walking away."""
    round = current(table)
    added = {name: tuple(dict.fromkeys((*round.forgone.get(name, ()), way))) for name in patrons}
    return with_round(table, forgone={**round.forgone, **added})


def keep_rulings(table: Table) -> Table:
    """Note on the round by which rulings it was settled, before they change."""
    past = table.past
    if past is not None and past.round.rulings is None:
        table = replace(table, past=replace(past, round=replace(past.round, rulings=table.policies)))
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
