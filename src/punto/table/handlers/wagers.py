"""Wagers on the felt: whose they are and where, the smallest chip, and advice on those under the minimum."""

from punto.messages import say
from punto.rulebook import Basis, Refused, check_box
from punto.table import events as e
from punto.table.state import Placed, Round, Spot
from punto.table.turn import Turn


def spot_of(turn: Turn, patron: str, bet: str, box: int | None) -> Spot:
    """The spot of a wager; the box is the patron's own where none is named."""
    if box is None:
        seat = turn.patron(patron).box
        if seat is None:
            raise Refused(
                say("no-seat-name-box", "{patron} has no seat: say in which box the wager is.", patron=patron)
            )
        box = seat
    if not 1 <= box <= turn.table.setup.positions:
        step = check_box(turn.book, turn.table.setup.layout, box)
        raise turn.refuse(
            say(
                "no-such-box",
                "There is no box {box}: the table has {positions}.",
                box=box,
                positions=turn.table.setup.positions,
            ),
            step.basis,
        )
    return patron, box, bet


def owned(turn: Turn, patron: str, bet: str, box: int | None) -> tuple[Spot, Placed, Round]:
    """The spot and the wager of a patron in the running round, and the round; a refusal if there is none."""
    turn.patron(patron)
    spot = spot_of(turn, patron, bet, box)
    round = turn.table.running
    if round is None:
        raise turn.refuse(say("no-round-running", "No round is running."), turn.basis("round", "begins"))
    if spot not in round.wagers:
        raise Refused(
            say("no-wager-in-box", "{patron} has no wager on {bet} in box {box}.", patron=patron, bet=bet, box=spot[1])
        )
    if round.wagers[spot].paid is not None:
        says = say("wager-is-paid", "{patron}'s wager on {bet} is paid already.", patron=patron, bet=bet)
        raise turn.refuse(says, turn.table.menu[bet].bet.settled or Basis())
    return spot, round.wagers[spot], round


def part_step(turn: Turn, bet: str) -> int:
    """The step of what is accepted or given back of a wager on a bet, so that what lies is paid in whole chips."""
    return turn.table.chips.part(turn.table.menu[bet])


def round_up(amount: int, step: int) -> int:
    """An amount up to the next whole step.

    >>> round_up(101, 20)
    120
    """
    return -(-amount // step) * step


def stands(turn: Turn, spot: Spot) -> bool:
    """Whether a wager lies in a box that its owner does not sit at."""
    return turn.table.patrons[spot[0]].box != spot[1]


def comes_back(turn: Turn, round: Round, spot: Spot, stake: int) -> Basis | None:
    """Why a wager under the minimum comes back whatever the result: its owner has bet under it before (AMB-28)."""
    strikes = turn.table.strikes
    if not strikes or spot[0] not in strikes or spot[0] in round.struck:
        return None
    least, late = turn.table.setup.limits.minimum_of(spot[2]), turn.point("limits", "under-minimum-late")
    if least is None or stake >= least or late is None or late.value != "settle-once":
        return None
    return late.basis


def advise(turn: Turn, spot: Spot) -> None:
    """Tell the owner of a wager under the minimum, where the book accepts it until the closing call."""
    least = turn.table.setup.limits.minimum_of(spot[2])
    placed = turn.round().wagers.get(spot)
    early = turn.point("limits", "under-minimum-early")
    if least is not None and placed is not None and placed.stake < least and early is not None:
        says = say(
            "advised-of-minimum",
            "The minimum is {minimum:money}: raise the wager or take it back, else it comes back at the call.",
            minimum=least,
        )
        turn.happen(e.WagerAdvised, *spot, says, basis=early.basis.plus(turn.basis("betting", "responsibility")))
