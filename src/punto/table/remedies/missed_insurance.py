"""Insurance that was not offered, or at wrong odds: what is done about it."""

from punto.coup import Situation, result_fixed
from punto.messages import say
from punto.rulebook import Basis
from punto.rulebook.model import Remedy
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import chances, lay
from punto.table.handlers.insurance import cover_left, make_offer, missed, present
from punto.table.handlers.settling import lost_on, settled_winner
from punto.table.knowledge import is_known
from punto.table.questions import Topic
from punto.table.remedies.steps import decider, done, rests_on
from punto.table.state import Procedure, Question, Round
from punto.table.turn import Turn


def _seen(round: Round) -> Round:
    """The round without its closed cards: a late offer is priced by those that are open (AMB-60)."""
    return lay(round, tuple(each for each in round.cards if each.face is not None))


def _among_those_asked_about(turn: Turn, question: Question, command: c.Answer) -> None:
    wrong = [name for name in command.patrons if name not in question.about]
    if wrong:
        raise turn.refuse(
            say("not-concerned", "{patron} is not one of those it concerns.", patron=wrong[0]), question.basis
        )


def _is_owed(turn: Turn, question: Question) -> bool:
    """Whether an offer that was missed is still owed to somebody."""
    return turn.table.running is not None and bool(missed(turn, turn.table.running))


def _has_cover(turn: Turn, question: Question, patron: str) -> bool:
    """Whether a patron still has cover in the open window."""
    round = turn.table.running
    stage = None if round is None or round.window is None else round.window.stage
    return round is not None and any((each.spot[0], each.stage) == (patron, stage) for each in round.covers)


LATE_OFFER = Topic(name="late-offer", to="rank", choices=("offer",), of_step=True, ground=_is_owed)
INTENDED = Topic(
    name="intended",
    to="rank",
    choices=("found",),
    form="patrons",
    lapses="never",
    of_step=True,
    check=_among_those_asked_about,
)
CANCEL_COVER = Topic(
    name="cancel-cover",
    to="patrons",
    choices=("keep", "cancel"),
    lapses="window",
    default="keep",
    of_step=True,
    concern=_has_cover,
)


def late_offer(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Offer the missed cover late, at the present position; without a price there it is referred."""
    basis, round = rests_on(step, procedure), turn.table.running
    owed = next(iter(missed(turn, round)), None) if round is not None else None
    found = present(turn, _seen(round)) if round is not None else None
    if found is not None and round is not None and is_known(turn.table, round, found[0].stage) and step.otherwise:
        says = say("next-card-known", "The next card is drawn or known: nothing can be insured on it.")
        done(turn, step, procedure, branch="else", says=says)
        return
    if round is None or owed is None:
        done(turn, step, procedure, says=say("no-offer-missed", "No offer was missed."))
        return
    if found is None or found[1] != owed[1]:
        done(
            turn,
            step,
            procedure,
            branch="refer",
            says=say("present-position-no-price", "The present position has no price (AMB-105)."),
        )
        return
    if procedure.answer is None:
        says = say(
            "offer-missed-insurance",
            "An offer of insurance was missed. Offer it to those it concerns, before play goes on.",
        )
        LATE_OFFER.ask(turn, says, basis, rank=decider(turn, step, procedure))
        return
    assert turn.book.insurance is not None
    cap = turn.book.insurance.basis("late-cap").plus(turn.book.insurance.basis("late-bound"))
    make_offer(turn, (Situation(*found[0]), found[1], found[2], owed[3]), late=True, basis=basis.plus(cap))
    affected = tuple(sorted({spot[0] for spot in owed[3]}))
    turn.happen(e.Bound, affected, basis=turn.book.insurance.basis("late-bound"))
    done(turn, step, procedure, says=say("offered-late", "Offered late; later cards are accepted."))


def return_original(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Return the Original Bets of those who had meant to insure, where cover would have been paid."""
    basis, round = rests_on(step, procedure), turn.table.round
    owed = missed(turn, round) if round is not None else []
    winner = settled_winner(round) if round is not None else None
    if round is None or not owed or round.phase == "void":
        done(turn, step, procedure, says=say("no-offer-missed", "No offer was missed."))
        return
    if winner is None:
        winner = result_fixed(chances(round))
    if winner is None:
        turn.happen(e.Waiting, basis=basis)  # whether cover would have won is not known before the result
        return
    lost = [each for each in owed if winner not in (each[1], "tie")]
    paid = [
        (spot, hand, row)
        for stage, hand, row, there in lost
        for spot in there
        if round.wagers[spot].back is None and cover_left(turn, round, row, spot, stage)
    ]
    spots = list(dict.fromkeys(spot for spot, _, _ in paid))
    who = tuple(sorted({spot[0] for spot in spots}))
    if not who:
        done(turn, step, procedure, says=say("no-cover-would-be-paid", "No cover would have been paid."))
        return
    if procedure.answer is None:
        says = say(
            "who-meant-to-insure",
            "Who of {patrons:list} had meant to insure {hand:hand} at {odds:odds}? Their Original Bet comes back.",
            patrons=list(who),
            hand=paid[0][1],
            odds=paid[0][2].odds.text,
        )
        INTENDED.ask(turn, says, basis, rank=decider(turn, step, procedure), about=who)
        return
    chosen = list(procedure.answer)
    collected = lost_on(turn, round) if round.phase == "settled" else {}
    for spot in [spot for spot in spots if spot[0] in chosen and spot[0] in turn.table.patrons]:
        turn.happen(e.OriginalReturned, *spot, collected.get(spot, 0), basis=basis)
    done(
        turn,
        step,
        procedure,
        says=say("original-bets-back", "The Original Bet comes back to {count}.", count=len(chosen)),
    )


def ask_anew(turn: Turn, basis: Basis) -> None:
    """Let an open question about a missed offer lapse: by the true faces it is another one, or none."""
    about = (LATE_OFFER.name, INTENDED.name)
    for question in [each for each in turn.table.questions if each.topic in about]:
        turn.happen(e.Lapsed, question.id, basis=basis)


def cancel_cover(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Ask those with cover struck at wrongly shown odds whether they cancel it."""
    basis, round = rests_on(step, procedure), turn.table.running
    window = round.window if round is not None else None
    if round is None or window is None or window.drawn:
        done(turn, step, procedure, says=say("no-cover-to-cancel", "No cover can be cancelled any more."))
        return
    struck = [each for each in round.covers if each.stage == window.stage]
    if procedure.answer is None:
        asked = tuple(sorted({each.spot[0] for each in struck}))
        if not asked:
            done(
                turn,
                step,
                procedure,
                says=say("nobody-struck-cover", "Nobody has struck cover at those odds."),
            )
            return
        says = say(
            "keep-cover-at-odds",
            "The odds are {odds:odds}, not what was shown. Keep the cover or cancel it?",
            odds=window.row.odds.text,
        )
        CANCEL_COVER.ask(turn, says, basis, waiting=asked)
        return
    for cover in struck:
        if procedure.answer.get(cover.spot[0]) == "cancel":
            turn.happen(e.CoverReturned, *cover.spot, cover.stage, cover.stake, "Cancelled.", basis=basis)
    done(turn, step, procedure, says=say("odds-are", "The odds are {odds:odds}.", odds=window.row.odds.text))
