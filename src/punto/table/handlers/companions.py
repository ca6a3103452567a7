"""Bets that depend on another wager of their owner in the same box: refused without it, given back when it goes."""

from punto.messages import say
from punto.rulebook import Basis
from punto.settlement.companions import Laid, room_beside
from punto.table import events as e
from punto.table.handlers.wagers import advise
from punto.table.state import Round, Spot
from punto.table.turn import Turn


def beside(round: Round, spot: Spot) -> Laid:
    """What the owner of a spot has on other bets in the same box."""
    name, box, own = spot
    return {
        bet: placed.stake
        for (who, where, bet), placed in round.wagers.items()
        if who == name and where == box and bet != own
    }


def check_beside(turn: Turn, round: Round, spot: Spot, total: int) -> None:
    """Refuse a wager of so much in all that may not lie beside what its owner has in the box."""
    menu = turn.menu
    if not menu.depends:
        return
    most, (says, basis) = room_beside(menu, spot[2], beside(round, spot), turn.table.chips)
    if most is not None and total > most:
        raise turn.refuse(says, basis)


def keep_companions(turn: Turn) -> None:
    """Give back what may no longer lie, once the wager it depends on is lowered or gone; until the first card."""
    if not turn.menu.depends:
        return
    round = turn.table.running
    if round is None or round.cards:
        return
    while found := _first_to_give_back(turn, turn.round()):
        spot, back, basis = found
        says = say("companion-gone", "The wager that it depends on is less or gone: it comes back.")
        turn.happen(e.WagerLowered, *spot, back, says, basis=basis)
        advise(turn, spot)


def _first_to_give_back(turn: Turn, round: Round) -> tuple[Spot, int, Basis] | None:
    """The first wager of which part or all must go back, how much, and the rule."""
    menu, chips, limits = turn.table.menu, turn.table.chips, turn.table.setup.limits
    for spot, placed in round.wagers.items():
        most, (_, basis) = room_beside(menu, spot[2], beside(round, spot), chips)
        if most is None or placed.stake <= most:
            continue
        least = limits.minimum_of(spot[2])
        is_kept = least is None or most >= least or turn.point("limits", "under-minimum-early") is not None
        return spot, placed.stake - most if is_kept else placed.stake, basis
    return None
