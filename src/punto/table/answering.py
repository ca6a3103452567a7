"""Answers to questions: every topic there is, and the one way in which an answer is checked and carried out."""

from punto.messages import say
from punto.rulebook import Refused
from punto.rulebook.vocabulary import PATRONS
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import need, post_of
from punto.table.handlers import differential, settling, squeezing, without_insurance
from punto.table.questions import Topic
from punto.table.remedies import cards, missed_insurance, missing_cards, offers, verbs
from punto.table.remedies.steps import TAKE_BACK
from punto.table.state import Question, Table
from punto.table.turn import Turn

TOPICS: dict[str, Topic] = {
    each.name: each
    for each in (
        offers.RECONSTRUCTIBLE,
        offers.ORDER,
        offers.OFFER,
        offers.PERMIT,
        offers.SHOE,
        cards.REPLACE_CARDS,
        verbs.REVERSAL,
        verbs.REFER,
        missing_cards.ATTEND,
        missing_cards.COUNT,
        missed_insurance.LATE_OFFER,
        missed_insurance.INTENDED,
        missed_insurance.CANCEL_COVER,
        squeezing.SQUEEZE,
        squeezing.SQUEEZER,
        squeezing.BANKER_THIRD_FIRST,
        without_insurance.NO_INSURANCE,
        without_insurance.ACCEPT_NO_INSURANCE,
        differential.DIFFERENTIAL,
        settling.DIFFERENTIAL_LATE,
    )
}
"""Everything that somebody at a table can be asked about, by its name."""


def is_next(table: Table, question: Question) -> bool:
    """Whether a question is put now; if not, something later is dealt with first."""
    if question.step is not None:
        return question.step == len(table.procedures) - 1
    return not (TOPICS[question.topic].yields and is_dealing(table))


def is_dealing(table: Table) -> bool:
    """Whether something reported is being dealt with that does not wait for the end of the round."""
    return bool(table.procedures) and not (table.procedures[-1].until_round_end and table.running is not None)


def end_what_is_moot(turn: Turn) -> bool:
    """Ask nobody any more about what they cannot have, or have nothing of; False if nobody is asked so."""
    before = len(turn.events)
    for question in turn.table.questions:
        topic = TOPICS[question.topic]
        if topic.ground is not None and not topic.ground(turn, question):
            turn.happen(e.Lapsed, question.id, basis=question.basis)
        elif topic.concern is not None and question.default is not None:
            for name in question.waiting:
                if not topic.concern(turn, question, name):
                    turn.happen(e.Answered, question.id, question.default, "", name, basis=question.basis)
    return len(turn.events) > before


def answer(turn: Turn, command: c.Answer) -> None:
    """Whoever was asked answers; the staff may enter a patron's answer."""
    question = next((each for each in turn.table.questions if each.id == command.question), None)
    if question is None:
        raise Refused(say("no-open-question", "There is no open question {question}.", question=command.question))
    patron = _answered_by(turn, question, command)
    if command.choice not in question.choices:
        raise turn.refuse(
            say(
                "none-of-the-choices",
                "{choice:quoted} is none of the choices: {choices:list}.",
                choice=command.choice,
                choices=question.choices,
            ),
            question.basis,
        )
    if question.reason and not command.reason.strip():
        raise turn.refuse(say("decision-needs-reason", "This decision needs a reason, for the record."), question.basis)
    if not is_next(turn.table, question):
        raise turn.refuse(say("later-decided-first", "Something later is to be decided first."), question.basis)
    topic = TOPICS[question.topic]
    number = topic.check(turn, question, command) if topic.check is not None else None
    turn.happen(
        e.Answered,
        question.id,
        command.choice,
        command.reason,
        patron,
        command.patrons,
        number,
        command.wagers,
        basis=question.basis,
    )
    if topic.act is not None:
        topic.act(turn, question, command)


def _answered_by(turn: Turn, question: Question, command: c.Answer) -> str | None:
    """The patron whose answer it is, or None for a rank's; a refusal if the question is not open to them."""
    if question.to != PATRONS:
        need(turn.table, turn.by, question.to, question.basis)
        return None
    patron = command.patron or turn.by
    if patron not in question.waiting:
        raise turn.refuse(
            say("question-not-open-to-patron", "The question is not open to {patron}.", patron=patron), question.basis
        )
    if turn.by != patron and post_of(turn.table, turn.by) is None:
        raise turn.refuse(
            say("cannot-answer-for", "{by} cannot answer for {patron}.", by=turn.by, patron=patron), question.basis
        )
    if command.wagers:
        _check_wagers(turn, question, command, patron)
    return patron


def _check_wagers(turn: Turn, question: Question, command: c.Answer, patron: str) -> None:
    """Single wagers can be taken back only where a ruling allows it, and only those that lie there."""
    if turn.table.policy("partial-withdrawal") != "yes":
        raise turn.refuse(
            say("all-wagers-or-nothing", "It is all or nothing: single wagers cannot be kept."),
            turn.policy_basis("partial-withdrawal"),
        )
    if question.about == ("all",) or command.choice != TAKE_BACK:
        raise turn.refuse(say("all-wagers-or-none-here", "Here it is all wagers or none."), question.basis)
    held = {bet for name, _, bet in turn.table.running.wagers if name == patron} if turn.table.running else set()
    if not set(command.wagers) <= held:
        raise Refused(
            say(
                "no-wagers-on-bets",
                "{patron} has no wager on {bets:list}.",
                patron=patron,
                bets=sorted(set(command.wagers) - held),
            )
        )
