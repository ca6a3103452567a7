"""A card was read wrongly: its true face, the draws and offers held against it, and the result called again."""

from collections.abc import Mapping

from punto.messages import say
from punto.rulebook import Basis
from punto.rulebook.facts import EXCESS_CARD, FACTS, HANDS, INSURANCE_NEGLECTED, WRONG_AREA, WRONG_NUMBER
from punto.rulebook.model import Remedy
from punto.table import events as e
from punto.table.apply.irregularities import MISREAD
from punto.table.felt import areas_in_order, aside, coup, in_order, lay, whole
from punto.table.handlers.insurance import missed, price_again
from punto.table.handlers.reporting import lead_on
from punto.table.handlers.settling import settle_again
from punto.table.knowledge import is_shut
from punto.table.remedies.cards import redeliver
from punto.table.remedies.missed_insurance import ask_anew
from punto.table.remedies.steps import done, rests_on
from punto.table.state import Felt, Procedure, Round
from punto.table.turn import Turn

_AGAIN = Basis((), ("AMB-113",))
_SHOWN: Mapping[str, str] = {MISREAD: "true", "outcome": "established", "reconstructible": "true"}
"""The guards of whatever the true faces show: something is decided, and the cards can be put right (AMB-113)."""


def put_right(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Put a delivery or a face right: the cards count."""
    basis, round = rests_on(step, procedure), turn.table.round
    if step.object == "delivery":
        redeliver(turn, procedure, basis)
        done(turn, step, procedure, says=say("delivery-put-right", "The delivery is put right."))
        return
    if FACTS[procedure.fact].faces == "true" and round is not None and round.phase in ("closed", "settled"):
        corrections = turn.point("money", "corrections")
        refers = corrections is not None and corrections.value == "refer" and not procedure.ruled
        if round.phase == "settled" and refers and procedure.faces:
            says = say("payment-on-wrong-call", "A payment made on a wrong call is not provided for.")
            done(turn, step, procedure, branch="refer", says=says)
            return
        if procedure.faces and procedure.cards:
            turn.happen(e.FacesCorrected, procedure.cards, procedure.faces, basis=basis)
            price_again(turn, basis.plus(_AGAIN))
            ask_anew(turn, basis.plus(_AGAIN))
            if procedure.ruled:
                _result_again(turn, procedure, basis)
    done(
        turn,
        step,
        procedure,
        says=say("cards-count", "The cards count, not what was called or displayed."),
        rests=basis.plus(turn.basis("display", "outcome")),
    )


def call_again(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Call the result by the cards as they lie now; a round that is paid is settled again by it."""
    _result_again(turn, procedure, rests_on(step, procedure))
    done(turn, step, procedure)


def _result_again(turn: Turn, procedure: Procedure, basis: Basis) -> None:
    round = turn.table.round
    if round is None or round.phase not in ("closed", "settled") or not whole(round):
        return
    if not procedure.faces and any(FACTS[each.fact].faces == "true" and each.faces for each in turn.table.procedures):
        return  # a card is still being put right, and the result is called again when that is done
    if round.phase == "settled" and procedure.faces and "result" not in round.announced:
        settle_again(turn, basis.plus(turn.basis("money", "corrections")).plus(_AGAIN))
    found = coup(round)
    says = say(
        "cards-count-result",
        "The cards count: Player {player}, Banker {banker}, {winner}.",
        player=found.player_points,
        banker=found.banker_points,
        winner=found.winner,
    )
    turn.happen(e.Announced, "result", says, basis=basis)


def check_again(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Hold the draws, or the offers of insurance, against the cards as they are now known to be."""
    round = turn.table.round
    if round is None or round.phase not in ("closed", "settled") or not procedure.faces:
        done(turn, step, procedure)
    elif step.object == "insurance":
        _check_offers(turn, step, procedure, round)
    elif _may_be_left(turn, procedure):
        done(turn, step, procedure)
    else:
        _check_draws(turn, step, procedure, _recall(turn, round))


def _may_be_left(turn: Turn, procedure: Procedure) -> bool:
    """Whether patrons are asked about another error, which cannot be put right: the cards may stay as they lie."""
    others = [each for each in turn.table.procedures if each is not procedure]
    return turn.table.running is not None and any(each.guards.get("reconstructible") == "false" for each in others)


def _check_offers(turn: Turn, step: Remedy, procedure: Procedure, round: Round) -> None:
    """An offer that the true points called for, and that cannot be made any more, was neglected.

    What the corrected card has no part in is not looked at: nobody has noticed anything about it (5.13).
    """
    owed = [each for each in missed(turn, round) if _is_among_points(round, each[0], procedure.cards)]
    done(turn, step, procedure)
    if any(each.fact == INSURANCE_NEGLECTED.id for each in turn.table.procedures):
        return  # it was reported already, and is looked at again by itself
    if any(round.phase == "settled" or is_shut(turn.table, round, stage) for stage, _, _, _ in owed):
        lead_on(turn, INSURANCE_NEGLECTED, basis=_AGAIN)


def _is_among_points(round: Round, stage: str, places: tuple[int, ...]) -> bool:
    """Whether one of these cards is among those whose points a stage of insurance looks at."""
    player, banker = ([at for at, each in enumerate(round.cards) if each.area == hand] for hand in HANDS)
    looked_at = {*player[: 3 if stage == "third-card" else 2], *banker[:2]}
    return not looked_at.isdisjoint(places)


def _recall(turn: Turn, round: Round) -> Round:
    """The round with the cards that it had handed on to the next, if it needs one of them after all.

    Or if it has to hand on one more, which was drawn before them: all begin the next round in drawn order (AMB-111).
    """
    shoe = turn.table.shoe
    if shoe is None or round.shoe != shoe.number or not round.handed_on:
        return round
    back = tuple(Felt("aside", face) for face in shoe.carried[-round.handed_on :])
    true = areas_in_order(lay(round, (*round.cards, *back)))
    if true == (*(each.area for each in round.cards), *("aside" for _ in back)):
        return round
    turn.happen(e.CardsRecalled, round.handed_on, basis=_AGAIN)
    assert turn.table.round is not None
    return turn.table.round


def _check_draws(turn: Turn, step: Remedy, procedure: Procedure, round: Round) -> None:
    """Lay the cards against the Table of Play, in drawn order; what is wrong leads on to its own fact.

    The step is taken again when that fact is dealt with, until nothing is wrong that has not been dealt with.
    """
    if round.phase == "settled" and not whole(in_order(round)):
        done(turn, step, procedure, says=say("hands-were-not-finished", "By the cards the hands were not finished."))
        lead_on(turn, WRONG_NUMBER, guards={MISREAD: "true"}, basis=_AGAIN, reconstructible=False)
        return
    laid, true = tuple(each.area for each in round.cards), areas_in_order(round)
    wrong = [at for at, area in enumerate(laid) if area not in ("aside", true[at])]
    left = tuple(at for at in aside(round) if at >= 4 and at not in procedure.led and true[at] == "aside")
    if not wrong and procedure.led and left:
        _lead_to_excess(turn, left, "banker", "aside")  # the Banker's third, after the Player's became the Banker's
    elif not wrong or wrong[0] in procedure.led:
        _lay_known(turn, round)
        done(turn, step, procedure)
    elif (laid[wrong[0]], true[wrong[0]]) == ("banker", "player"):
        lead_on(turn, WRONG_AREA, guards=_SHOWN, basis=_AGAIN, cards=(wrong[0],))
    else:
        first = wrong[0]
        kept = {*range(first), *round.as_it_lies}
        turn.happen(e.CardsRelaid, tuple(area if at in kept else "aside" for at, area in enumerate(laid)), basis=_AGAIN)
        places = tuple(range(first, len(laid))) if true[first] == "aside" else (first,)
        _lead_to_excess(turn, places, laid[first], true[first])


def _lead_to_excess(turn: Turn, places: tuple[int, ...], hand: str, belongs: str) -> None:
    """Cards of a hand that were not due to it: an excess, unless the other hand was due the first."""
    due = {"banker-due": str(belongs == "banker").lower(), "player-due": "false"}
    lead_on(turn, EXCESS_CARD, guards={**_SHOWN, **due}, basis=_AGAIN, hand=hand, cards=places)


def _lay_known(turn: Turn, round: Round) -> None:
    """Lay cards that lie aside where they are due after all, if their faces are known: no window waits for them."""
    true = areas_in_order(round)
    due = [at for at in aside(round) if true[at] != "aside"]
    if due and all(round.cards[at].face is not None for at in due):
        turn.happen(e.CardsRelaid, true, basis=_AGAIN)
