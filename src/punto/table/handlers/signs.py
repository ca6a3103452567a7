"""Which fact an event is, by what the table knows: the signs that `punto.rulebook.facts` names, each once.

What happens must not depend on the word that somebody picks for it. A sign looks at the cards, their places and the
book; if it shows, the report is turned into one of the other fact, with the cards laid as they were found.
"""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from punto.rulebook.facts import EXCESS_CARD, FACTS, HANDS, SHOWN_IN_MOVEMENT, TOO_FEW_CARDS, Fact, Really
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import FIRST_FOUR, aside, due_without_surplus, in_hands
from punto.table.handlers.conditions import is_dealt_face_down
from punto.table.handlers.differential import check_cured
from punto.table.handlers.drawing import take_card, waits_for_points
from punto.table.state import Procedure, Round
from punto.table.turn import Turn

Told = tuple[Fact, c.Report, bool]
"""A fact, the report of it, and whether its cards lie already as it says."""


class Sign(msgspec.Struct, frozen=True):
    """Whether a sign shows in a report at a table, and what becomes of the report then."""

    shows: Callable[[Turn, c.Report], bool]
    tell: Callable[[Turn, Fact, c.Report], Told]


def recognise(turn: Turn, fact: Fact, report: c.Report, *, laid: bool) -> Told:
    """The fact that a report is really about, and the report of that."""
    if report.earlier or laid:
        return fact, report, laid
    for each in fact.really:
        if not _has_own_row(turn, fact, each) and SIGNS[each.sign].shows(turn, report):
            return SIGNS[each.sign].tell(turn, FACTS[each.fact], report)
    return fact, report, laid


def _has_own_row(turn: Turn, fact: Fact, really: Really) -> bool:
    rows = (row.when for row in turn.book.irregularities if row.fact == fact.id)
    return really.unless is not None and any(really.unless in when for when in rows)


# A card that was laid with the wrong hand, or that was due to neither


def _dealing(turn: Turn, report: c.Report) -> Round | None:
    """The round whose cards are being dealt, if a report names a hand of it."""
    round = turn.table.running
    return round if round is not None and round.phase == "closed" and report.hand in HANDS else None


def _of_the_first_four(turn: Turn, report: c.Report) -> bool:
    round = _dealing(turn, report)
    return round is not None and len(round.cards) < 4 and due_without_surplus(round) != report.hand


def _players_third(turn: Turn, report: c.Report) -> bool:
    round = _dealing(turn, report)
    third = round is not None and in_hands(round) == 4
    return round is not None and third and report.hand == "banker" and due_without_surplus(round) == "player"


def _fourth_card(turn: Turn, report: c.Report) -> bool:
    round = _dealing(turn, report)
    if round is None or report.hand != "player" or len(round.hand("player")) < 3:
        return False
    return due_without_surplus(round) == "banker"


def _laid_with_hand(turn: Turn, fact: Fact, report: c.Report) -> Told:
    """The card lies with the hand that is named; one that lay aside, if there is one."""
    round, hand = turn.round(), report.hand or ""
    if not round.cards:
        check_cured(turn, round)
    place = next(iter(aside(round)), len(round.cards))
    if not take_card(turn, hand):
        return TOO_FEW_CARDS, c.Report(TOO_FEW_CARDS.id, by=turn.by), True
    return fact, replace(report, fact=fact.id, cards=(place,)), True


def _player_stands(turn: Turn, report: c.Report) -> bool:
    round = turn.table.running
    if round is None or report.cards != (4,) or report.reconstructible is False or len(round.cards) != 5:
        return False
    return round.cards[4].area == "banker" and len(round.hand("player")) == 2


def _players_in_excess(turn: Turn, fact: Fact, report: c.Report) -> Told:
    areas = tuple("aside" if at in report.cards else each.area for at, each in enumerate(turn.round().cards))
    turn.happen(e.CardsRelaid, areas)
    return fact, replace(report, fact=fact.id, hand="player", cards=()), False


def _seen_before_the_points(turn: Turn, report: c.Report) -> bool:
    round = _dealing(turn, report)
    return round is not None and bool(report.faces) and waits_for_points(turn.table, round)


def _laid_aside(turn: Turn, fact: Fact, report: c.Report) -> Told:
    place = next(iter(aside(turn.round())), len(turn.round().cards))
    if place == len(turn.round().cards):
        take_card(turn, "aside")
    return fact, replace(report, fact=fact.id, cards=(place,), hand=None), False


# A card in excess that is being dealt with


def _excess(turn: Turn) -> Procedure | None:
    found = (each for each in turn.table.procedures if each.fact == EXCESS_CARD.id and not each.until_round_end)
    return next(found, None)


def _excess_dealt_with(turn: Turn, report: c.Report) -> bool:
    round = turn.table.running
    return (
        round is not None and _excess(turn) is not None and bool(aside(round)) and set(report.cards) <= {*aside(round)}
    )


def _more_of_it(turn: Turn, fact: Fact, report: c.Report) -> Told:
    procedure = _excess(turn)
    hand = None if procedure is None else procedure.hand
    return fact, replace(report, fact=fact.id, hand=hand, reconstructible=None), False


# A card that was seen


def _first_four_in_place(turn: Turn, report: c.Report) -> bool:
    round = turn.table.running
    if round is None or not is_dealt_face_down(turn.table) or not report.faces or not report.cards:
        return False
    return all(
        0 <= at < min(4, len(round.cards)) and round.cards[at].face is None and round.cards[at].area == FIRST_FOUR[at]
        for at in report.cards
    )


def _movement_not_in_book(turn: Turn, report: c.Report) -> bool:
    rows = (row for row in turn.book.irregularities if row.fact == SHOWN_IN_MOVEMENT.id)
    return bool(report.faces) and not any(rows)


def _as_it_is(turn: Turn, fact: Fact, report: c.Report) -> Told:
    return fact, replace(report, fact=fact.id), False


SIGNS: dict[str, Sign] = {
    "first-four-not-dealt": Sign(_of_the_first_four, _laid_with_hand),
    "player-due-a-third": Sign(_players_third, _laid_with_hand),
    "fourth-card-of-the-player": Sign(_fourth_card, _laid_with_hand),
    "player-stands": Sign(_player_stands, _players_in_excess),
    "seen-before-the-points": Sign(_seen_before_the_points, _laid_aside),
    "excess-dealt-with": Sign(_excess_dealt_with, _more_of_it),
    "first-four-in-place": Sign(_first_four_in_place, _as_it_is),
    "movement-not-in-the-book": Sign(_movement_not_in_book, _as_it_is),
}
