"""A wager that is found after the closing call: whether it counts, and what its owner has to say in."""

from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.rulebook.vocabulary import DEALER
from punto.settlement.chips import check_stake
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.companions import check_beside
from punto.table.handlers.insurance import join_window
from punto.table.handlers.late_bets import check_not_late
from punto.table.handlers.rows import free_hand_basis
from punto.table.handlers.wagers import spot_of
from punto.table.remedies.offers import OFFER, to_ask
from punto.table.remedies.steps import return_wager
from punto.table.state import Round, Spot
from punto.table.turn import Turn


def find(turn: Turn, command: c.Find) -> None:
    """Enter a wager that was laid before the closing call and noticed after it; limits are applied at settlement.

    Once a card is known somebody above the dealer confirms it, with a reason (AMB-115).
    """
    turn.staff()
    turn.patron(command.patron)
    round = turn.round()
    late = turn.basis("betting", "found-late")
    if round.free:
        rests = free_hand_basis(turn).plus(Basis((), late.readings))
        raise turn.refuse(say("free-hand-takes-no-wagers", "A free hand takes no wagers."), rests)
    if round.phase != "closed":
        raise Refused(say("wager-found-after-call", "A wager is found only after the closing call."))
    if round.revealed:
        _check_confirmed(turn, command)
    spot = spot_of(turn, command.patron, command.bet, command.box)
    _check_laid(turn, round, spot, command.stake)
    basis = turn.basis("betting", "misplaced").plus(late if round.revealed else Basis())
    turn.happen(e.WagerPlaced, *spot, command.stake, True, basis=basis)
    if round.revealed:
        turn.happen(e.WagerConfirmed, *spot, command.reason, basis=late)
    _give_choices(turn, spot)


def _check_confirmed(turn: Turn, command: c.Find) -> None:
    """Refuse a wager that is found when a card is known, unless a supervisor confirms it with a reason."""
    point = turn.point("betting", "found-late")
    if point is None:
        return
    turn.need(point.by or DEALER, point.basis)
    if not command.reason.strip():
        says = say(
            "found-late-needs-reason", "A card is known: a wager that is found now needs a reason, for the record."
        )
        raise turn.refuse(says, point.basis)


def _check_laid(turn: Turn, round: Round, spot: Spot, stake: int) -> None:
    """Refuse a wager that cannot have lain there."""
    check_not_late(turn, spot)
    check_stake(turn.table.menu[spot[2]], stake, turn.table.chips)
    check_beside(turn, round, spot, stake + (round.wagers[spot].stake if spot in round.wagers else 0))
    if stake > turn.table.patrons[spot[0]].balance:
        raise Refused(
            say("stake-cannot-have-lain", "{patron} cannot have laid {stake:money}.", patron=spot[0], stake=stake)
        )
    if spot in round.wagers and round.wagers[spot].pulled:
        raise Refused(
            say(
                "no-more-with-chips-taken-back",
                "{patron} has taken the chips there back: no more can have lain with them.",
                patron=spot[0],
            )
        )


def _give_choices(turn: Turn, spot: Spot) -> None:
    """Give the owner of a found wager every choice and window that is open, or the choice that they made already."""
    patron, round = spot[0], turn.round()
    late = Basis((), turn.basis("betting", "found-late").readings)
    if spot[2] in round.withdrew.get(patron, ()):
        says = say("taken-back-with-the-rest", "Its owner has taken everything back, and so this.")
        return_wager(turn, spot, says, late)
        return
    join_window(turn, spot, late)
    open_ones = [each for each in turn.table.questions if each.topic == OFFER.name and each.step is not None]
    for question in open_ones:
        of = turn.table.procedures[question.step or 0]
        heard = patron in question.waiting or patron in question.answers
        if not heard and patron in to_ask(turn, round, of):
            turn.happen(e.AskedToo, question.id, patron, basis=question.basis.plus(late))
    if not open_ones and round.polled is not None and patron in to_ask(turn, round, round.polled):
        turn.happen(e.ChoiceReopened, patron, basis=late)
