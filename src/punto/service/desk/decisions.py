"""What waits for somebody to decide: open questions with what happened and what each answer leads to, and disputes."""

from contextlib import suppress

import msgspec

from punto.messages import Message
from punto.rulebook import Refused
from punto.rulebook.facts import FACTS
from punto.rulebook.vocabulary import PATRONS
from punto.service.desk.foreseen import Foreseen, foreseen
from punto.table import Table, commands
from punto.table.authority import holds
from punto.table.handlers.disputes import pending
from punto.table.state import Dispute, Felt, Post, Question
from punto.table.turn import Turn


class SeenCard(msgspec.Struct):
    """A card that has left the shoe, by its place in drawn order; its face once it is open."""

    at: int
    area: str
    face: str | None


class WhyNot(msgspec.Struct):
    """Why something cannot be done now, and its message for other languages."""

    says: str
    message: Message | None


class SeenCase(msgspec.Struct):
    """What happened that a question is about: the fact, the note, whom it concerns, and the cards."""

    names: tuple[str, str]
    note: str
    patron: str | None
    cards: list[SeenCard]


class Open(msgspec.Struct):
    """An open question, whoever it is put to; `mine` where the viewer may answer it.

    `leads` says by choice what an answer leads to at once, where nothing but the choice has to be said.
    """

    question: Question
    mine: bool
    case: SeenCase | None
    leads: dict[str, Foreseen]


class SeenDispute(msgspec.Struct):
    """A dispute, and what is to be done next about it, by whom; nothing once it has come to its end."""

    patron: str
    says: str
    level: str
    done: tuple[str, ...]
    state: str
    next: str | None
    by: str | None
    todo: WhyNot | None


def open_questions(table: Table, post: Post | None) -> list[Open]:
    """Every open question, for somebody in a post."""
    return [
        Open(
            each,
            each.to == PATRONS or (post is not None and holds(table.book, post, each.to)),
            _case(table, each),
            leads(table, each),
        )
        for each in table.questions
    ]


def leads(table: Table, question: Question) -> dict[str, Foreseen]:
    """What each answer leads to that needs nothing but a choice; to patrons, the answer of the first who is asked."""
    patron = question.waiting[0] if question.waiting else None
    by = question.to if question.to != PATRONS else patron
    if by is None:
        return {}
    found = {}
    for choice in question.choices:
        answer = commands.Answer(question.id, choice, _ANY_REASON if question.reason else "", patron=patron, by=by)
        with suppress(Refused):
            made = foreseen(table, answer)
            made.steps = [step for step in made.steps if step.says != _ANY_REASON]
            found[choice] = made
    return found


_ANY_REASON = "-"
"""In the place of a reason that nobody has given yet: what an answer leads to does not depend on it."""


def _case(table: Table, question: Question) -> SeenCase | None:
    """What the procedure is about that waits for an answer."""
    if question.step is None or question.step >= len(table.procedures):
        return None
    procedure, round = table.procedures[question.step], table.round
    cards = (
        [] if round is None else [seen_card(at, each) for at, each in enumerate(round.cards) if at in procedure.cards]
    )
    return SeenCase(FACTS[procedure.fact].names, procedure.note, procedure.patron, cards)


def seen_dispute(table: Table, found: Dispute) -> SeenDispute:
    """A dispute with what is to be done next."""
    told = (found.patron, found.says, found.level, found.done, found.state)
    waits = pending(Turn(table, "dealer"), found)
    if waits is None:
        return SeenDispute(*told, None, None, None)
    do, by, says, _ = waits
    return SeenDispute(*told, do, by, WhyNot(str(says), says.message))


def seen_card(at: int, each: Felt) -> SeenCard:
    """A card that has left the shoe, at its place."""
    return SeenCard(at, each.area, None if each.face is None else str(each.face))
