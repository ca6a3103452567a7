"""A patron left with cards: finding out what they were from the cards that are left."""

from collections import Counter

from punto.coup import CARDS_IN_A_DECK, RANKS, SUITS, BadCards
from punto.coup.cards import card
from punto.messages import say
from punto.rulebook import Refused
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import DEALER
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import unexposed
from punto.table.questions import Topic
from punto.table.remedies.steps import done, rests_on
from punto.table.state import Procedure, Question
from punto.table.turn import Turn


def attend(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Wait until a rank is present."""
    if procedure.answer is None:
        basis = rests_on(step, procedure)
        ATTEND.ask(
            turn,
            say("in-your-presence", "This is done only in your presence."),
            basis,
            rank=step.object or DEALER,
        )
        return
    done(turn, step, procedure, says=say("present", "Present."))


ATTEND = Topic(name="attend", to="rank", choices=("present",), of_step=True)


def reserve(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Set cards aside, in order, in case third cards are needed; where the shoe holds fewer, those that are left.

    What is left of the shoe is sorted and shown then, so no card can be dealt from it any more.
    """
    count = min(int(step.object or 0), turn.shoe().left)
    if turn.round().reserve:
        done(turn, step, procedure, says=say("cards-aside-already", "They have been set aside already."))
        return
    if count == 0:
        done(turn, step, procedure, says=say("not-enough-cards", "There are not enough cards to set aside."))
        return
    turn.happen(e.CardsReserved, count, basis=rests_on(step, procedure))
    done(
        turn,
        step,
        procedure,
        says=say("cards-set-aside", "{cards} cards are set aside, in order, face down.", cards=count),
    )


def enter_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Enter what the missing cards were, or ask for the count of those that are left."""
    basis = rests_on(step, procedure)
    if step.object == "value":
        if procedure.faces:
            turn.happen(e.CardsExposed, procedure.cards, procedure.faces, basis=basis)
        done(
            turn,
            step,
            procedure,
            says=say("cards-known-from-device", "What the cards were is known from the device or surveillance."),
        )
        return
    if procedure.answer is None:
        sealed = _sealed(turn)
        says = say(
            "sort-and-count",
            "Sort what is left and discarded into decks and enter the count; {cards} cards are read under seal.",
            cards=sealed,
        )
        COUNT.ask(turn, says, basis, rank=turn.book.ranks[1][-1])
        return
    done(turn, step, procedure, says=say("cards-counted", "The cards are counted."))


def _sealed(turn: Turn) -> int:
    """How many cards are read under seal: those set aside, and those that lie closed and are not gone."""
    gone = turn.table.procedures[-1].cards
    return len(turn.round().reserve) + len([at for at in unexposed(turn.round()) if at not in gone])


def _check_count(turn: Turn, question: Question, command: c.Answer) -> int:
    """Check a count; returns how many cards were counted, all that goes on record (AMB-86)."""
    sealed = _sealed(turn)
    if len(command.sealed) != sealed:
        raise turn.refuse(
            say("sealed-cards-to-read", "{cards} cards are to be read under seal.", cards=sealed), question.basis
        )
    try:
        for face in (*command.count, *command.sealed):
            if card(face).suit is None:
                raise Refused(say("face-without-suit", "{face} has no suit: the count is by rank and suit.", face=face))
    except BadCards as error:
        raise Refused(error.says) from None
    if any(each < 0 for each in command.count.values()):
        raise Refused(say("fewer-than-none", "Fewer than none cannot be counted."))
    return sum(command.count.values())


def _find_missing(turn: Turn, question: Question, command: c.Answer) -> None:
    """Record which cards are missing from complete decks, if that can be told."""
    decks = turn.table.setup.decks
    full = Counter({rank + suit: decks for rank in RANKS for suit in SUITS})
    there: Counter[str] = Counter()
    for face, number in command.count.items():
        there[str(card(face))] += number
    there.update(str(card(face)) for face in command.sealed)
    there.update(str(each.face) for each in turn.round().cards if each.face is not None and not each.printed)
    there.update(turn.shoe().gone)
    missing = full - there
    cards = turn.table.procedures[-1].cards
    known = not (there - full) and missing.total() == len(cards) and full.total() == decks * CARDS_IN_A_DECK
    faces = tuple(sorted(missing.elements())) if known else None
    turn.happen(e.Deduced, sum(command.count.values()), faces, basis=question.basis)


COUNT = Topic(
    name="count", to="rank", choices=("counted",), form="count", of_step=True, check=_check_count, act=_find_missing
)


def deduce(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Go on with the cards found missing, or with the steps for when they cannot be told."""
    if procedure.found is None:
        done(
            turn,
            step,
            procedure,
            branch="else",
            says=say("missing-cannot-be-told", "What is missing cannot be told from what is left."),
        )
        return
    done(turn, step, procedure, says=say("missing-cards", "Missing: {cards:cards}.", cards=list(procedure.found)))


def substitute(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Put the same cards of a complete deck in the place of the missing ones."""
    if not procedure.found:
        done(turn, step, procedure, says=say("nothing-takes-place", "No card is known that could take their place."))
        return
    turn.happen(e.CardsExposed, procedure.cards, procedure.found, basis=rests_on(step, procedure))
    done(
        turn,
        step,
        procedure,
        says=say("same-cards-take-place", "The same cards from a complete deck take their place."),
    )
