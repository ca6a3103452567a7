"""Private tables without insurance: asked for by a patron, and agreed to by the House and everybody present."""

from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.insurance import of_book
from punto.table.handlers.rights import present
from punto.table.questions import YES_OR_NO, Topic
from punto.table.state import Question
from punto.table.turn import Turn


def no_insurance(turn: Turn, command: c.NoInsurance) -> None:
    """Ask, at a private table, that no insurance be offered; the House and everybody present must agree (AMB-63)."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    insurance = of_book(turn)
    point = insurance.points.get("off")
    if point is None:
        raise turn.refuse(
            say("going-without-not-provided", "The book does not provide for a table without insurance."),
            insurance.live,
        )
    if not turn.table.setup.private:
        raise turn.refuse(
            say("only-private-without-insurance", "Only a private table may go without insurance."), point.basis
        )
    turn.between_rounds(
        say("agreed-between-rounds", "That is agreed only between rounds."), Basis(point.basis.clauses, ("AMB-63",))
    )
    if turn.table.insurance_off or NO_INSURANCE.is_open(turn) or ACCEPT_NO_INSURANCE.is_open(turn):
        raise Refused(say("asked-already", "That has been asked already."))
    says = say(
        "patron-asks-for-no-insurance",
        "{patron} asks that no insurance be offered at this table. A notice goes up, and whoever joins must accept it.",
        patron=command.patron,
    )
    NO_INSURANCE.ask(turn, says, point.basis.plus(Basis((), ("AMB-63",))), about=(command.patron,))


def _go_without(turn: Turn, accepted: tuple[str, ...], basis: Basis) -> None:
    """Stop offering insurance, or first ask those present who have not accepted the notice yet (AMB-63)."""
    patrons = turn.table.patrons
    others = tuple(name for name, each in patrons.items() if name not in accepted and not each.away)
    if not others:
        turn.happen(e.InsuranceOff, accepted, basis=basis)
        return
    says = say("accept-no-insurance", "This table is to go without insurance, under a notice. Do you accept that?")
    ACCEPT_NO_INSURANCE.ask(turn, says, basis, waiting=others, about=accepted)


def ask_those_left(turn: Turn, gone: str) -> None:
    """Wait no more for somebody who has gone: the notice is for those present (AMB-63)."""
    for question in turn.table.questions:
        if question.topic == ACCEPT_NO_INSURANCE.name and gone in question.waiting:
            turn.happen(e.Lapsed, question.id, basis=question.basis)
            _go_without(turn, (*question.about, *question.answers), question.basis)


def _asker_is_there(turn: Turn, question: Question) -> bool:
    return present(turn.table, question.about[0])


def _begin_consent(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes":
        _go_without(turn, question.about, question.basis)


def _take_consent(turn: Turn, question: Question, command: c.Answer) -> None:
    """One refusal is enough for the table to keep its insurance."""
    if command.choice == "no":
        for each in [each for each in turn.table.questions if each.id == question.id]:
            turn.happen(e.Lapsed, each.id, basis=each.basis)
    elif len(question.waiting) == 1:
        _go_without(turn, (*question.about, *question.answers, *question.waiting), question.basis)


NO_INSURANCE = Topic(
    name="no-insurance",
    to="house",
    choices=YES_OR_NO,
    blocks=False,
    lapses="next-round",
    act=_begin_consent,
    ground=_asker_is_there,
)
ACCEPT_NO_INSURANCE = Topic(
    name="accept-no-insurance",
    to="patrons",
    choices=YES_OR_NO,
    blocks=False,
    lapses="next-round",
    default="no",
    act=_take_consent,
    ground=_asker_is_there,
)
