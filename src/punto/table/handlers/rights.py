"""Whether the ground of a right still stands: being at the table, and a wager in the round or somebody's leave."""

from punto.table.state import Table


def present(table: Table, patron: str) -> bool:
    """Whether a patron is at the table."""
    found = table.patrons.get(patron)
    return found is not None and not found.away


def at_stake(table: Table, patron: str) -> bool:
    """Whether a patron is there and has a wager in the running round."""
    round = table.running
    return round is not None and present(table, patron) and any(spot[0] == patron for spot in round.wagers)


def may_draw(table: Table, patron: str) -> bool:
    """Whether a patron may draw the cards (Method C): with a wager in the round, or with leave."""
    return at_stake(table, patron) or (patron in table.without_wager and present(table, patron))


def may_squeeze(table: Table, hand: str) -> bool:
    """Whether whoever a hand's cards were given to may open them: with a wager in the round, or with leave."""
    round = table.running
    holder = round.squeezers.get(hand) if round is not None else None
    if round is None or holder is None:
        return False
    return present(table, holder) if hand in round.by_leave else at_stake(table, holder)
