"""What the steps of a procedure share: what they rest on, who decides, and that a step was taken."""

from punto.messages import Sentence, say
from punto.rulebook import Basis
from punto.rulebook.model import Remedy
from punto.table import events as e
from punto.table.authority import rank_named, residual
from punto.table.state import Procedure, Spot
from punto.table.turn import Turn

TAKE_BACK = "take-back"


def rests_on(step: Remedy, procedure: Procedure) -> Basis:
    """What a step rests on: its own clause first, then those of the row."""
    return Basis((step.clause,) if step.clause else ()).plus(procedure.basis)


def done(
    turn: Turn,
    step: Remedy,
    procedure: Procedure,
    *,
    branch: str = "",
    says: Sentence | None = None,
    rests: Basis | None = None,
) -> None:
    """Record that the step was taken; `branch` names the further steps that it leads to."""
    basis = rests_on(step, procedure) if rests is None else rests
    turn.happen(e.StepTaken, step.verb, step.object, branch, says or "", basis=basis)


def decider(turn: Turn, step: Remedy, procedure: Procedure) -> str:
    """The rank that decides a step; the second lowest where the book names none, and nobody below whoever ruled it."""
    if procedure.ruled:
        return residual(turn.table)[0]
    basis = rests_on(step, procedure)
    return rank_named(turn.table, step.by, basis) if step.by else turn.book.ranks[1][-1]


def return_wager(turn: Turn, spot: Spot, says: Sentence, basis: Basis) -> None:
    """Give a wager back, and the cover on it; one that is paid already is settled, and stays so (AMB-14)."""
    round = turn.round()
    if round.wagers[spot].paid is not None:
        return
    for cover in [each for each in round.covers if each.spot == spot]:
        turn.happen(
            e.CoverReturned,
            *spot,
            cover.stage,
            cover.stake,
            say("goes-back-with-wager", "Goes back with the wager."),
            basis=basis.plus(Basis((), ("AMB-14",))),
        )
    turn.happen(e.WagerLowered, *spot, round.wagers[spot].stake, says, basis=basis)
