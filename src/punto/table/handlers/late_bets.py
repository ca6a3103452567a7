"""Bets that are placed after the first four cards: their window, and what may be done in it."""

from punto.coup import outcome
from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.table import events as e
from punto.table.felt import chances, due, faces
from punto.table.knowledge import is_known
from punto.table.state import Round, Spot
from punto.table.turn import Turn

_FIRST_FOUR = 4


def late_basis(turn: Turn, bets: tuple[str, ...]) -> Basis:
    """What the window of some bets rests on."""
    basis = Basis()
    for bet in bets:
        window = turn.table.menu[bet].bet.placed
        basis = basis if window is None else basis.plus(window.basis)
    return basis


def open_late_bets(turn: Turn) -> bool:
    """Open the window if the first four cards call for it; returns whether they did."""
    bets = _to_open(turn)
    if bets:
        turn.happen(e.LateBetsOpened, bets, basis=late_basis(turn, bets))
    return bool(bets)


def _to_open(turn: Turn) -> tuple[str, ...]:
    """The bets whose window opens now: a third card is due, nobody knows it, and the first four allow them."""
    table, round = turn.table, turn.round()
    if not table.menu.late or round.free or round.late is not None:
        return ()
    if len(round.cards) != _FIRST_FOUR or due(round) is None or is_known(table, round, "four-cards"):
        return ()
    seen, coming = faces(round), [outcome(index) for index in chances(round)]
    windows = ((bet, priced.window) for bet, priced in table.menu.bets.items())
    return tuple(bet for bet, window in windows if window is not None and window.told(seen, coming))


def close_late_bets(turn: Turn) -> None:
    """Close the window, if it is open."""
    round = turn.table.running
    if round is not None and round.late:
        turn.happen(e.LateBetsClosed, basis=late_basis(turn, round.late))


def is_in_window(round: Round, spot: Spot) -> bool:
    """Whether a wager may be placed, raised and taken back now because its window is open."""
    return round.late is not None and spot[2] in round.late


def check_late(turn: Turn, round: Round, spot: Spot) -> None:
    """Refuse a wager on a bet that is placed after the first four cards, but in its window."""
    bet = turn.table.menu[spot[2]].bet
    if bet.placed is None or is_in_window(round, spot):
        return
    if round.late is None and len(round.cards) <= _FIRST_FOUR:
        says = say("placed-after-four", "{bet} is placed when the first four cards lie open.", bet=bet.name)
    elif round.late is None or round.late:
        says = say("no-window-for-bet", "{bet} cannot be placed after these first four cards.", bet=bet.name)
    else:
        says = say("late-bets-over", "{bet} was to be placed before the third card.", bet=bet.name)
    raise turn.refuse(says, bet.placed.basis)


def check_minimum(turn: Turn, spot: Spot, total: int) -> None:
    """Refuse a stake under the minimum: nobody calls for it again before the third card."""
    least, bet = turn.table.setup.limits.minimum_of(spot[2]), turn.table.menu[spot[2]].bet
    if bet.placed is not None and least is not None and total < least:
        says = say(
            "under-minimum", "{amount:money} is under the minimum of {minimum:money}.", amount=total, minimum=least
        )
        raise turn.refuse(says, bet.placed.basis)


def check_not_late(turn: Turn, spot: Spot) -> None:
    """Refuse a wager that cannot have lain there at the closing call."""
    bet = turn.table.menu[spot[2]].bet
    if bet.placed is not None:
        says = say("placed-after-four", "{bet} is placed when the first four cards lie open.", bet=bet.name)
        raise Refused(says, turn.book, bet.placed.basis)
