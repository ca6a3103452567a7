"""The verbs of a book: the function of each, the smaller ones themselves, and rulings made of them."""

from collections.abc import Callable

from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import DEALER, NEEDS_OBJECT, VERBS
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import residual
from punto.table.handlers.guards import holds
from punto.table.handlers.insurance import make_offer, missed, present
from punto.table.handlers.settling import end_round
from punto.table.questions import YES_OR_NO, Lapse, Topic
from punto.table.remedies.cards import (
    carry,
    deal_carried_first,
    dealer_opens,
    keep_last_hand,
    make_free,
    make_good_burn,
    reassign,
    reconstruct,
    remove_wagers,
    replace_cards,
    retrieve_cards,
)
from punto.table.remedies.misread import call_again, check_again, put_right
from punto.table.remedies.missed_insurance import cancel_cover, late_offer, return_original
from punto.table.remedies.missing_cards import attend, deduce, enter_cards, reserve, substitute
from punto.table.remedies.offers import decide_step, permit, put_offer
from punto.table.remedies.steps import done, rests_on
from punto.table.state import Procedure, Question
from punto.table.turn import Turn


def take_step(turn: Turn, procedure: Procedure) -> None:
    """Take the next step, or put the question that it depends on."""
    step = procedure.rest[0]
    if not holds(step.when, procedure.guards):
        done(
            turn,
            step,
            procedure,
            says=say("not-called-for-here", "Not called for here."),
            rests=Basis((step.clause,) if step.clause else ()),
        )
        return
    VERB_FUNCTIONS[step.verb](turn, step, procedure)


def _void(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    round = turn.table.round
    basis = _voiding(step, procedure).plus(turn.basis("money", "void"))
    if procedure.ruled:
        basis = residual(turn.table)[1].basis.plus(turn.basis("authority", "ruling")).plus(basis)
    if round is None or round.phase == "void":
        done(turn, step, procedure, says=say("no-round-to-void", "No round is left to be void."))
        return
    if round.phase == "settled" and not procedure.ruled:
        reversal = turn.point("money", "reversal")
        if procedure.answer is None and reversal is not None:
            says = say(
                "confirm-void",
                "The round has been paid. Confirm that it is void, and every payment is taken back.",
            )
            REVERSAL.ask(turn, says, basis.plus(reversal.basis), rank=reversal.by or DEALER)
            return
        if procedure.answer is not None and "no" in procedure.answer.values():
            done(turn, step, procedure, says=say("payments-stand", "The payments stand."))
            return
    end_round(turn, "void", basis)
    done(
        turn,
        step,
        procedure,
        says=say("round-is-void", "The round is void: every stake of it goes back."),
        rests=basis,
    )


def _voiding(step: Remedy, procedure: Procedure) -> Basis:
    """The clause by which a round is void: the step's own, with those that it is a part of; else the row's."""
    if not step.clause:
        return procedure.basis
    grounds = tuple(each for each in procedure.basis.clauses if step.clause.startswith(f"{each}."))
    return Basis((step.clause, *grounds), procedure.basis.readings)


def _close(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure).plus(Basis((), ("AMB-17",)))
    if turn.table.running is not None:
        end_round(turn, "no-wagers", basis)
    done(
        turn,
        step,
        procedure,
        says=say("no-wager-left", "Nobody has a wager left: the round is closed without a result."),
    )


def _stand(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    done(
        turn,
        step,
        procedure,
        says=say("earlier-rounds-stand", "Earlier rounds stand, with everything paid in them."),
    )


def _note(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    done(turn, step, procedure, says=say("noted-nothing-changes", "Noted; nothing changes."))


def _notice(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    what = say("board-showed-wrong-odds", "The board showed wrong odds: the table of the book governs.")
    if step.object == "surplus-card" and procedure.faces:
        seen = procedure.faces
        what = say("card-seen-named", "A card has been seen: {cards:cards}. It is used in its order.", cards=seen)
    elif step.object == "surplus-card":
        what = say("card-seen", "A card has been seen. It is used in its order.")
    turn.happen(e.Noticed, what, basis=rests_on(step, procedure))
    done(turn, step, procedure, says=say("everybody-told", "Everybody at the table is told."))


def _continue(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    later, running = procedure.rest[1:], turn.table.running
    begun = running is not None and bool(running.cards)
    if later and later[0].verb == "offer" and begun and not procedure.until_round_end:
        turn.happen(e.Waiting, basis=rests_on(step, procedure))
        return
    round = turn.table.round
    is_void = round is not None and round.phase == "void"
    done(turn, step, procedure, says=None if is_void else say("play-goes-on", "Play goes on."))


def _refer(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = residual(turn.table)[1].basis
    if procedure.answer is None:
        about = procedure.note.rstrip(" .?!") or say("fact", "{fact:words}", fact=procedure.fact)
        what = (
            say("what-becomes-of-card", "What becomes of the card?")
            if step.object == "card"
            else say("what-is-to-be-done", "What is to be done?")
        )
        says = say("not-provided-for", "The book does not provide for this: {about}. {what}", about=about, what=what)
        lapses: Lapse = "round" if turn.table.running else "never"
        REFER.ask(turn, says, basis.plus(rests_on(step, procedure)), lapses=lapses)
        return
    said = say("as-ruled", "{reason}", reason=procedure.reason) if procedure.reason else None
    done(turn, step, procedure, says=said, rests=basis)


def _reopen(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    round = turn.table.running
    if step.object == "insurance":
        if round is not None and turn.book.insurance is not None:
            found = present(turn, round)
            owed = next(iter(missed(turn, round)), None)
            if found is not None and owed is not None and found[0].stage == owed[0]:
                make_offer(turn, (found[0], found[1], found[2], owed[3]), basis=basis)
        done(turn, step, procedure, says=say("window-open", "The window is open."))
        return
    if round is not None and round.cards:
        done(
            turn,
            step,
            procedure,
            branch="refer",
            says=say("cards-out-no-wager", "Cards are out: no wager can be taken on them."),
        )
        return
    if round is not None and round.phase == "closed":
        turn.happen(e.BetsReopened, basis=basis.plus(turn.basis("betting", "opens")))
    done(turn, step, procedure, says=say("bets-open-again", "Bets are open again, and will be closed anew."))


VERB_FUNCTIONS: dict[str, Callable[[Turn, Remedy, Procedure], None]] = {
    "void": _void,
    "stand": _stand,
    "close": _close,
    "continue": _continue,
    "note": _note,
    "notice": _notice,
    "correct": put_right,
    "check": check_again,
    "call": call_again,
    "retrieve": retrieve_cards,
    "reconstruct": reconstruct,
    "reassign": reassign,
    "carry": carry,
    "free-hand": make_free,
    "remove-wagers": remove_wagers,
    "deal": deal_carried_first,
    "last-hand": keep_last_hand,
    "decide": decide_step,
    "offer": put_offer,
    "permit": permit,
    "replace-cards": replace_cards,
    "refer": _refer,
    "reopen": _reopen,
    "burn": make_good_burn,
    "dealer-opens": dealer_opens,
    "attend": attend,
    "reserve": reserve,
    "enter": enter_cards,
    "deduce": deduce,
    "substitute": substitute,
    "late-offer": late_offer,
    "return-original": return_original,
    "cancel-cover": cancel_cover,
}


def check_ruling(turn: Turn, steps: tuple[dict[str, str | int | bool], ...]) -> None:
    """Refuse a ruling that is not made of steps which a ruling may take."""
    if not 0 < len(steps) <= 10:
        raise Refused(say("one-to-ten-steps", "A ruling is one to ten steps."))
    for step in steps:
        if len(step) != 1:
            raise Refused(say("one-verb-a-step", "Each step of a ruling is one verb with its object."))
        [(verb, object)] = step.items()
        if verb not in RULED:
            raise Refused(
                say(
                    "ruling-made-of",
                    "A ruling is made of {verbs:list}, not of {verb:quoted}.",
                    verbs=list(RULED),
                    verb=verb,
                )
            )
        allowed = tuple(turn.book.offers) if verb == "offer" else VERBS[verb]
        if object is not True and str(object) not in allowed:
            raise Refused(
                say(
                    "verb-takes-not",
                    "{verb} takes {allowed:list}, not {object}.",
                    verb=verb,
                    allowed=list(allowed) or ["nothing"],
                    object=repr(object),
                )
            )
        if object is True and verb in NEEDS_OBJECT:
            raise Refused(
                say("verb-takes-one-of", "{verb} takes one of {allowed:list}.", verb=verb, allowed=list(allowed))
            )
        if verb == "permit" and turn.table.running is None:
            raise Refused(say("no-round-to-withdraw-from", "No round is running that wagers could be withdrawn from."))


RULED = (
    "carry",
    "close",
    "continue",
    "correct",
    "deal",
    "dealer-opens",
    "free-hand",
    "note",
    "notice",
    "offer",
    "permit",
    "reassign",
    "reconstruct",
    "remove-wagers",
    "replace-cards",
    "stand",
    "void",
)
"""The verbs that a ruling may be made of."""


def _check_steps(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "rule":
        check_ruling(turn, command.remedies)
    elif command.remedies:
        raise turn.refuse(say("steps-belong-to-rule", "Steps belong to the choice 'rule'."), question.basis)


def _carry_out(turn: Turn, question: Question, command: c.Answer) -> None:
    steps: tuple[dict[str, str | int | bool], ...] = ()
    if command.choice == "rule":
        steps = command.remedies
    elif command.choice == "void":
        steps = ({"void": "round"},)
    if steps:
        turn.happen(e.StepsRuled, steps, basis=question.basis)


REVERSAL = Topic(name="reversal", to="rank", choices=YES_OR_NO, of_step=True)
REFER = Topic(
    name="refer",
    to="residual",
    choices=("continue", "void", "rule"),
    form="remedies",
    reason=True,
    of_step=True,
    check=_check_steps,
    act=_carry_out,
)
