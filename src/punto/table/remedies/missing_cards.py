"""A patron left with cards: what they were is found out from those that are left."""

from punto.rulebook.model import Remedy
from punto.table import events as e
from punto.table.felt import unexposed
from punto.table.remedies.steps import ask, done, rests_on
from punto.table.state import Procedure
from punto.table.turn import Turn


def attend(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Only in the presence of a rank."""
    if procedure.answer is None:
        ask(
            turn,
            "attend",
            step.object or "dealer",
            ("present",),
            "This is done only in your presence.",
            rests_on(step, procedure),
        )
        return
    done(turn, step, procedure, says="Present.")


def reserve(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Set cards aside, in order, in case third cards are needed."""
    count = int(step.object or 0)
    shoe = turn.shoe()
    if shoe.left < count:
        done(turn, step, procedure, says="There are not enough cards to set aside.")
        return
    turn.happen(e.CardsReserved, count, basis=rests_on(step, procedure))
    done(turn, step, procedure, says=f"{count} cards are set aside, in order, face down.")


def enter_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """What the cards were, if anybody knows; else the count of what is left."""
    basis = rests_on(step, procedure)
    if step.object == "value":
        if procedure.faces:
            turn.happen(e.CardsExposed, procedure.cards, procedure.faces, basis=basis)
        done(turn, step, procedure, says="What the cards were is known from the device or surveillance.")
        return
    if procedure.answer is None:
        sealed = turn.round().reserve + len([at for at in unexposed(turn.round()) if at not in procedure.cards])
        says = f"Sort what is left and discarded into decks and enter the count; {sealed} cards are read under seal."
        ask(turn, "count", turn.book.ranks[1][-1], ("counted",), says, basis, form="count")
        return
    done(turn, step, procedure, says="The cards are counted.")


def deduce(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """What is missing, if it can be told."""
    if procedure.found is None:
        done(turn, step, procedure, branch="else", says="What is missing cannot be told from what is left.")
        return
    done(turn, step, procedure, says=f"Missing: {' '.join(procedure.found)}.")


def substitute(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """The same cards from a complete deck."""
    if procedure.found:
        turn.happen(e.CardsExposed, procedure.cards, procedure.found, basis=rests_on(step, procedure))
    done(turn, step, procedure, says="The same cards from a complete deck take their place.")
