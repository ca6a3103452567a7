"""From a fact to its procedure: who may report it and when, whether it is possible, and the row of the book.

There is one way, `_take_up`, for what people report and for what follows from a command by itself.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from punto.coup import BadCards
from punto.coup.cards import card
from punto.messages import Sentence, say
from punto.rulebook import Basis, Refused
from punto.rulebook.facts import (
    EXCESS_CARD,
    FACTS,
    FREE_HAND,
    LATE_ERROR,
    LEFT_OVER,
    OTHER,
    REPORTABLE,
    REPORTED,
    TOO_FEW_CARDS,
    Fact,
)
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import post_of, residual
from punto.table.felt import aside
from punto.table.handlers.conditions import check_conditions
from punto.table.handlers.drawing import check_faces, close_if_known, take_card, waits_for_points
from punto.table.handlers.effects import lay_down
from punto.table.handlers.guards import guards_of
from punto.table.handlers.missing import found_out, tells_of_gone, with_those_gone
from punto.table.handlers.rows import begin, find_row, judge_anew
from punto.table.handlers.signs import recognise
from punto.table.places import is_whole, left_over
from punto.table.state import Procedure
from punto.table.turn import NOTHING, Turn

NO_GUARDS: Mapping[str, str] = MappingProxyType({})

_NOT_OF_A_VIRTUAL_SHOE = say(
    "virtual-cards-from-seed",
    "The cards of a virtual shoe are dealt from its committed seed: that cannot have "
    "happened to them. What concerns people, money or an interruption can be reported.",
)


def report(turn: Turn, command: c.Report) -> None:
    """Take up a fact that somebody reports, if they may report it."""
    fact = FACTS.get(command.fact)
    if post_of(turn.table, turn.by) is None and not (fact is not None and _may_tell(turn, fact)):
        raise Refused(say("facts-reported-by-staff", "Facts are reported by the staff: tell the dealer."))
    if fact is None or fact.id not in REPORTABLE:
        names = sorted(name for name in REPORTABLE if FACTS[name].in_books)
        raise Refused(
            say(
                "no-such-fact",
                "{fact:quoted} is no fact that can be reported; they are {facts:list}, other.",
                fact=command.fact,
                facts=names,
            )
        )
    if turn.table.setup.shoe == "virtual" and (not fact.virtual or command.faces or command.cards):
        raise Refused(_NOT_OF_A_VIRTUAL_SHOE)
    _take_up(turn, fact, command)


def _may_tell(turn: Turn, fact: Fact) -> bool:
    """Whether a patron may report a fact: it is one for patrons, and the book has a row about it."""
    return fact.by_patron and turn.by in turn.table.patrons and find_row(turn, fact, None) is not None


# Facts that follow from a command


def follow(turn: Turn, fact: Fact, *, laid: bool = False, **details: Any) -> None:
    """Take up a fact that follows from what was done, whoever did it; `laid` if its cards lie so already."""
    _take_up(turn, fact, c.Report(fact.id, by=turn.by, **details), laid=laid)


def deal_card(turn: Turn, area: str) -> None:
    """Lay the next card down; if the shoe has none, there are too few cards.

    One that waited aside for the points, and came out to the other hand, is dealt with as a card laid there.
    """
    waited = _waited_with(turn)
    if waited not in (None, area):
        follow(turn, EXCESS_CARD, hand=waited)
    elif not take_card(turn, area):
        follow(turn, TOO_FEW_CARDS)


def _waited_with(turn: Turn) -> str | None:
    """The hand that the next card came out to, if it waits aside for the points."""
    for each in () if turn.table.round is None else turn.table.round.cards:
        if each.area == "aside":
            return each.laid_with
    return None


def misdealt(turn: Turn, to: str) -> None:
    """Report a card that was laid where it was not due; which fact it is follows from where it lies."""
    if turn.table.setup.shoe == "virtual":
        raise Refused(_NOT_OF_A_VIRTUAL_SHOE)
    follow(turn, EXCESS_CARD, hand=to)


def put_left_over(turn: Turn) -> bool:
    """Take up what a round left over, once it has ended and nothing about it is open; False if there is nothing."""
    table, round, shoe = turn.table, turn.table.round, turn.table.shoe
    if round is None or shoe is None or round.judged or round.phase not in ("settled", "void"):
        return False
    below = 0 if table.paused is None else table.paused.procedures
    about = [each for each in table.questions if table.paused is None or (each.step or 0) >= below]
    if any(each.blocks or round.phase == "void" for each in about):
        return False  # after a void the cards may yet be changed
    waited = _waited_with(turn)
    if waited is not None and round.phase == "settled" and round.shoe == shoe.number and shoe.replace is None:
        lead_on(turn, EXCESS_CARD, hand=waited, cards=aside(round)[:1])
        return True
    last = shoe.last_round is not None and round.number >= shoe.last_round
    left = left_over(table) if not last and shoe.replace is None else ()
    if not left:
        return False
    faces = tuple(str(each) for each in left if each is not None)
    lead_on(turn, LEFT_OVER, faces=faces)
    return True


def lead_on(
    turn: Turn, fact: Fact, *, guards: Mapping[str, str] = NO_GUARDS, basis: Basis = NOTHING, **details: Any
) -> None:
    """Begin what the book says of a fact that the cards themselves show, in a round that runs or is over."""
    command = c.Report(fact.id, by=turn.by, **details)
    found = {**guards_of(turn, fact, command), **guards}
    begin(turn, command, find_row(turn, fact, found), found, command.faces, basis)


def begin_free_hand(turn: Turn) -> None:
    """Begin what the book says of a free hand."""
    found = find_row(turn, FREE_HAND, None)
    turn.happen(e.Reported, FREE_HAND.id, None if found is None else found[0], {})


# The one way from a fact to its procedure


def _take_up(turn: Turn, fact: Fact, command: c.Report, *, laid: bool = False) -> None:
    """Check that a fact can be true, do to the cards what it did, and begin what the book says of it."""
    command = _of_the_last_round(turn, fact, command)
    if fact.lays == "one-aside" and (waited := _waited_with(turn)) is not None:
        command = replace(command, hand=waited)  # it is the card that was told of before
    fact, command, laid = recognise(turn, fact, command, laid=laid)
    if any(_same_thing(each, fact, command) for each in turn.table.procedures):
        if _tells_more(turn, fact, command):
            _add_face(turn, fact, command)
            return
        if tells_of_gone(turn, fact, command):
            _check_details(turn, fact, command)
            check_conditions(turn, command, fact.conditions)
            found_out(turn, fact, command, _faces(turn, fact, command))
            return
        if _told_otherwise(turn, fact, command):
            return
        question = turn.blocked()
        raise turn.refuse(
            say("already-dealt-with", "That is being dealt with."), question.basis if question else Basis()
        )
    round, running = turn.table.round, turn.table.running
    if round is None and fact.moment == "round":
        raise Refused(say("no-round-yet", "There has been no round yet that this could be about."))
    _check_details(turn, fact, command)
    if round is not None and round.final and running is None and fact.moment == "last-round":
        _faces(turn, fact, command)
        begin(turn, command, None, {}, ())  # it was played under another book or layout, and paid by it
        return
    check_conditions(turn, command, fact.conditions)
    if fact.moment == "pause" and running is None:
        _note_pause(turn, fact, command)
        return
    if command.earlier or fact.moment == "earlier":
        _begin_late(turn, fact, command)
        return
    faces = _faces(turn, fact, command)
    if fact.faces == "true":
        command, faces = _what_was_misread(turn, command, faces)
    waits = _waits(turn, fact)
    lay_down(turn, fact, command, faces, laid=laid)
    close_if_known(turn)
    if waits is not None:
        turn.happen(e.NotedDown, waits[0], basis=waits[1])
        return
    if turn.table.running is None and fact.moment == "round":
        begin(turn, command, None, {}, faces)
        return
    if fact.carried_off and not faces:
        command = with_those_gone(turn, fact, command)
    guards = guards_of(turn, fact, command)
    begin(turn, command, find_row(turn, fact, guards), guards, faces)


def _same_thing(procedure: Procedure, fact: Fact, command: c.Report) -> bool:
    """Whether a report is of what a procedure deals with: the same fact, of the same cards, hand or words."""
    if procedure.fact != fact.id or procedure.guards.get("cause") not in (None, command.cause or "other"):
        return False
    if fact.lays != "one-aside" and procedure.cards and command.cards:
        return not set(procedure.cards).isdisjoint(command.cards)
    if fact.handed_over and procedure.hand and command.hand:
        return procedure.hand == command.hand
    return fact != OTHER or procedure.note == command.note


def _told_otherwise(turn: Turn, fact: Fact, command: c.Report) -> bool:
    """Take up what is being dealt with as it is told now, as long as none of its steps is taken."""
    latest = turn.table.procedures[-1]
    row = find_row(turn, fact, latest.guards)
    untouched = row is None or len(latest.rest) == len(row[1].do)
    if command.earlier or not untouched or latest.fact != fact.id or not {*latest.cards} <= {*command.cards}:
        return False
    _check_details(turn, fact, command)
    more = {*latest.cards} != {*command.cards}
    if more and fact.lays != "named-aside":
        return False
    check_conditions(turn, command, fact.conditions)
    if more:
        lay_down(turn, fact, command, _faces(turn, fact, command), laid=False)
    guards = guards_of(turn, fact, command)
    told = [each.name for each in fact.details if each.tells and each.name in guards]
    if not more and all(guards[name] == latest.guards.get(name, guards[name]) for name in told):
        return False
    judge_anew(turn, say("told-otherwise", "It is told otherwise now, and judged anew."))
    begin(turn, command, find_row(turn, fact, guards), guards, ())
    return True


def _of_the_last_round(turn: Turn, fact: Fact, command: c.Report) -> c.Report:
    """Turn to the last round if a report is about it though bets are open: the next has not begun (AMB-09, AMB-113).

    The report is then one about the round that is over, as it would be before the opening call.
    """
    table, running = turn.table, turn.table.running
    if table.past is None or running is None or running.cards:
        return command
    about_rounds = fact.moment in ("round", "last-round") or fact.faces == "true"
    if not about_rounds or not (command.earlier or (command.cards and fact.faces == "true")):
        return command
    turn.happen(
        e.LastRoundReopened, table.past.round.number, basis=turn.basis("round", "begins").plus(Basis((), ("AMB-09",)))
    )
    return replace(command, earlier=False)


def resume_next_round(turn: Turn) -> bool:
    """Go on with the round that waits, once the last one is put right; if that made it a free hand, its wagers go."""
    paused, shoe = turn.table.paused, turn.table.shoe
    if paused is None:
        return False
    free = shoe is not None and shoe.free_next
    basis = turn.basis("round", "begins")
    if free:
        basis = basis.plus((shoe.free_because if shoe is not None else None) or Basis())
        basis = basis.plus(turn.basis("round", "free-hand"))
    turn.happen(e.NextRoundResumed, paused.round.number, free, basis=basis)
    if free and not paused.round.free:
        begin_free_hand(turn)
    return True


def _tells_more(turn: Turn, fact: Fact, command: c.Report) -> bool:
    """Whether a report adds to what is being dealt with that a card in excess was seen, or its face."""
    round = turn.table.running
    if round is None or fact.lays != "one-aside" or not (command.faces or command.cards):
        return False
    if max(command.cards, default=0) >= len(round.cards):
        _check_places(turn, fact, command)
    return any(round.cards[at].face is None for at in command.cards or aside(round)[-1:])


def _add_face(turn: Turn, fact: Fact, command: c.Report) -> None:
    """Open a card that is being dealt with; if the book has another row for a card that was seen, that one counts."""
    before = find_row(turn, fact, _procedure(turn, fact).guards)
    if command.faces:
        lay_down(turn, fact, command, _faces(turn, fact, command), laid=True)
    else:
        turn.happen(e.CardsSeen, command.cards)
    close_if_known(turn)
    at, procedure = turn.table.procedures.index(_procedure(turn, fact)), _procedure(turn, fact)
    now = find_row(turn, fact, procedure.guards)
    if now == before or at != len(turn.table.procedures) - 1:
        return
    judge_anew(turn, say("judged-anew", "The card has been seen, and is judged anew."))
    begin(turn, command, now, {**procedure.guards}, command.faces)


def _procedure(turn: Turn, fact: Fact) -> Procedure:
    return next(each for each in turn.table.procedures if each.fact == fact.id)


def _waits(turn: Turn, fact: Fact) -> tuple[Sentence, Basis] | None:
    """Why nothing follows yet from a card that came out or was seen: what it is, is known only later."""
    running, shoe = turn.table.running, turn.table.shoe
    if fact.lays == "one-aside" and running is not None and waits_for_points(turn.table, running):
        says = say("card-waits-for-points", "The card waits aside until the points show where it belongs.")
        return says, turn.basis("dealing", "play").plus(Basis((), ("AMB-111",)))
    burn = turn.point("dealing", "burn")
    if fact.of_next_hand and not turn.begun() and burn is not None and shoe is not None and is_whole(shoe):
        says = say("seen-card-is-burned", "The card that was seen is burned, and begins no hand.")
        return says, burn.basis.plus(Basis((), ("AMB-111",)))
    return None


def _begin_late(turn: Turn, fact: Fact, command: c.Report) -> None:
    """An error of an earlier round: by the fact's own row for that, else by the row about late errors."""
    round, running = turn.table.round, turn.table.running
    begins = turn.point("round", "begins")
    begun = running is None or bool(running.cards) or (begins is not None and begins.value == "opening-call")
    if round is None or round.number < (2 if begun else 3):
        raise turn.refuse(say("no-later-round", "No later round has begun since."), turn.basis("round", "begins"))
    guards = {"noticed": "next-round"}
    found = None
    if "noticed" in fact.guards:
        reconstructible = "false" if command.reconstructible is False else "true"
        found = find_row(turn, fact, {"reconstructible": reconstructible, **guards})
    told = replace(command, cards=())  # no places of this round
    begin(turn, told, found or find_row(turn, LATE_ERROR, {}), guards, ())


def _note_pause(turn: Turn, fact: Fact, command: c.Report) -> None:
    found = find_row(turn, fact, {"cause": command.cause or "other", "outcome": "open"})
    basis = residual(turn.table)[1].basis if found is None else found[1].basis
    turn.happen(
        e.NotedDown,
        say("interrupted-between-rounds", "An interruption between rounds: nothing was at stake."),
        basis=basis,
    )


# What a report says


def _check_details(turn: Turn, fact: Fact, command: c.Report) -> None:
    """Refuse details that make no sense, and a report without one that is needed."""
    _check_places(turn, fact, command)
    for detail in REPORTED:
        value = getattr(command, detail.name)
        if detail.wrong is not None and value not in (None, *detail.words):
            raise Refused(detail.wrong.say(value=value))
    if command.patron is not None:
        turn.patron(command.patron)
    for detail in fact.details:
        if detail.missing is not None and not getattr(command, detail.name):
            raise Refused(detail.missing)


def _check_places(turn: Turn, fact: Fact, command: c.Report) -> None:
    """Refuse places where no card lies; cards drawn together may be named before they lie there."""
    round = turn.table.round
    if command.earlier:
        return  # the cards of an earlier round are not on the felt any more
    count = len(round.cards) if round is not None else 0
    if fact.lays == "named-aside" and round is not None and round.phase == "closed":
        coming = len([at for at in command.cards if at >= count])
        count += coming if set(range(count, count + coming)) <= set(command.cards) else 0
    if any(not 0 <= at < count for at in command.cards) or len(set(command.cards)) != len(command.cards):
        raise Refused(
            say("places-in-drawn-order", "Cards are places in drawn order, from 0 to {last}.", last=count - 1)
            if count
            else say("no-card-drawn-yet", "No card is drawn yet.")
        )
    if round is not None and any(at < len(round.cards) and round.cards[at].printed for at in command.cards):
        says = say("printed-is-of-no-shoe", "The printed card is no card of the shoe: nothing can be wrong with it.")
        raise Refused(says)
    least = 0 if command.earlier else max((each.least for each in fact.details), default=0)
    if len(command.cards) < least:
        if least == 1:
            raise Refused(say("which-card", "Say which cards: at least 1 place in drawn order."))
        raise Refused(say("which-cards", "Say which cards: at least {least} places in drawn order.", least=least))


def _what_was_misread(turn: Turn, command: c.Report, faces: tuple[str, ...]) -> tuple[c.Report, tuple[str, ...]]:
    """A report of true faces without the cards that lie open with just these: nothing about them was wrong."""
    if turn.table.round is None or len(faces) != len(command.cards):
        return command, faces
    open_faces = [turn.table.round.cards[at].face for at in command.cards]
    told = zip(command.cards, faces, open_faces, strict=True)
    other = [(at, face) for at, face, known in told if str(known) != face]
    return replace(command, cards=tuple([at for at, _ in other])), tuple([face for _, face in other])


def _faces(turn: Turn, fact: Fact, command: c.Report) -> tuple[str, ...]:
    """The faces that a report tells, one for each card that it names, else one."""
    kinds = {each.kind for each in fact.details}
    named = () if "faces" in kinds and "places" not in kinds else command.cards
    try:
        faces = tuple(str(card(each)) for each in command.faces)
    except BadCards as error:
        raise Refused(error.says) from None
    if named and faces and len(faces) != len(named):
        raise Refused(say("as-many-faces-as-places", "As many faces as places."))
    if not named and len(faces) > 1:
        raise Refused(say("one-face-at-most", "One face at most for the one card that was seen."))
    check_faces(turn, faces, command.cards)
    return faces
