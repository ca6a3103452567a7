"""The row of a book about a fact, and how its procedure begins and is begun anew."""

from collections.abc import Collection

from punto.messages import Sentence
from punto.rulebook import Basis
from punto.rulebook.facts import FREE_HAND, SHOE_ORDER_ALTERED, Fact
from punto.rulebook.model import Irregularity
from punto.table import commands as c
from punto.table import events as e
from punto.table.apply.irregularities import ORDER_LOST
from punto.table.authority import residual
from punto.table.handlers.guards import holds
from punto.table.turn import NOTHING, Turn


def find_row(turn: Turn, fact: Fact, guards: dict[str, str] | None) -> tuple[int, Irregularity] | None:
    """The first row about a fact whose guards hold, with its number; without guards, the first row of all."""
    for at, row in enumerate(turn.book.irregularities):
        if row.fact == fact.id and (guards is None or holds(row.when, guards)):
            return at, row
    return None


def free_hand_basis(turn: Turn) -> Basis:
    """What it rests on that a free hand takes no wagers: the row about one, and the definition."""
    row = find_row(turn, FREE_HAND, None)
    return (Basis() if row is None else row[1].basis).plus(turn.basis("round", "free-hand"))


def begin(
    turn: Turn,
    command: c.Report,
    found: tuple[int, Irregularity] | None,
    guards: dict[str, str],
    faces: tuple[str, ...],
    more: Basis = NOTHING,
) -> None:
    """Begin the procedure of a row; without one the fact goes to the residual authority."""
    if command.fact == SHOE_ORDER_ALTERED.id and command.reconstructible is False:
        guards = {**guards, ORDER_LOST: "true"}
    row, basis = (None, residual(turn.table)[1].basis) if found is None else (found[0], found[1].basis)
    turn.happen(
        e.Reported,
        command.fact,
        row,
        guards,
        command.cards,
        command.patron,
        command.hand,
        command.note,
        faces,
        basis=basis.plus(more),
    )


def judge_anew(turn: Turn, says: Sentence, *, keep: Collection[str] = ()) -> None:
    """End what the latest procedure still has to do: something came out by which another begins in its place.

    It goes on only with its last steps, from the first one whose verb is to be kept.
    """
    at = len(turn.table.procedures) - 1
    for question in turn.table.questions:
        if question.step == at:
            turn.happen(e.Lapsed, question.id, basis=question.basis)
    procedure = turn.table.procedures[at]
    for step in procedure.rest:
        if step.verb in keep:
            return
        turn.happen(e.StepTaken, step.verb, step.object, "", says, basis=procedure.basis)
