"""A table of a book at some moment of a round, what may go wrong there, and how somebody would tell it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import cycle
from random import Random
from typing import Any

from msgspec.structs import replace

from punto.messages import Sentence, say
from punto.rulebook import SHIPPED, Book, Refused
from punto.rulebook.facts import FACTS, DrillMoment
from punto.service.training.common import LIMITS, any_card
from punto.table import Table, act, commands
from punto.table.events import Event
from punto.table.examples import examples
from punto.table.felt import due, unexposed, whole
from punto.table.state import Round
from punto.table.usual import chooser, methods, usual_opening

DECKS = 8
PATRONS = ("ann", "ben", "chun")
Tried = tuple[commands.Report, tuple[Event, ...]]
"""A report, and what it led to."""


def some_table(book: Book, chance: Random) -> Table:
    """A table of a book at some moment of a round."""
    face_down = chance.random() < 0.5
    known = [method for method in methods(book) if method != "C"]
    method = chance.choice(known) if known else None
    opened = replace(
        usual_opening(book, book.effective + timedelta(days=30), DECKS, LIMITS),
        face_down=face_down,
        method=method,
        by=chooser(book, method),
    )
    table, _ = act(None, opened, SHIPPED.with_book(book))
    for each in _people(table, chance):
        with suppress(Refused):  # a bet that goes only with another
            table, _ = act(table, each)
    for _ in range(chance.choice((0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 8, 12))):
        given = _next(table, chance)
        if given is None:
            break
        table, _ = act(table, given)
    return table


def _people(table: Table, chance: Random) -> list[commands.Command]:
    book, carried = table.book, table.menu.laid_before.bets
    given: list[commands.Command] = [commands.LoadShoe()]
    if book.point("dealing", "burn") is not None and chance.random() < 0.8:
        given.append(commands.Burn())
    boxes = range(1, table.setup.positions + 1)
    for box, patron in enumerate(PATRONS, start=1):
        comes = commands.Sit(patron, box, by=patron) if box in boxes else commands.Stand(patron, by=patron)
        given += [comes, commands.BuyIn(patron, 5_000_00, by=patron)]
    given.append(commands.OpenBets())
    bets = [bet for bet in ("player", "banker", "tie") if bet in carried]
    for box, (patron, bet) in enumerate(zip(PATRONS, cycle(bets), strict=False), start=1):
        step = table.chips.step(carried[bet])
        stake = -(-chance.choice((100_00, 200_00, 500_00)) // step) * step
        given.append(commands.Place(patron, bet, stake, None if box in boxes else 1, by=patron))
    return given


def _next(table: Table, chance: Random) -> commands.Command | None:
    round = table.running
    if round is None or any(each.blocks for each in table.questions):
        return None
    if round.phase == "betting":
        return commands.CloseBets()
    down = unexposed(round)
    if len(round.cards) >= 4 and down:
        return commands.Expose(_faces(table, round, len(down), chance))
    if due(round) is not None:
        return commands.Draw()
    if not whole(round):
        return None
    return commands.Settle() if "result" in round.announced else commands.Announce("result")


def _faces(table: Table, round: Round, number: int, chance: Random) -> tuple[str, ...]:
    """So many random cards that the shoe still has."""
    seen = [str(card.face) for card in round.cards if card.face is not None]
    found: list[str] = []
    while len(found) < number:
        face = str(any_card(chance))
        if (seen + found).count(face) < table.setup.decks:
            found.append(face)
    return tuple(found)


def fits(table: Table, fact: str) -> bool:
    """Whether a fact makes a sensible story at this moment, beyond being possible."""
    round, drill = table.round, FACTS[fact].drill
    if round is None or drill is None:
        return False
    return drill.after_payment if round.phase == "settled" else _is_at(table, round, drill.when)


def _is_at(table: Table, round: Round, moment: DrillMoment) -> bool:
    """Whether a round is at a moment at which a fact makes a drill."""
    match moment:
        case "any":
            return True
        case "card-due":
            return bool(round.cards) and due(round) is not None
        case "unfinished":
            return round.phase == "closed" and not whole(round)
        case "finished":
            return whole(round)
        case "open-cards":
            return len(round.cards) >= 4 and not unexposed(round)
        case "squeezing":
            closed = len(round.cards) >= 4 and bool(unexposed(round))
            return closed and (table.setup.face_down or table.method == "A")


def tried_at(table: Table, fact: str, chance: Random) -> list[Tried]:
    """Ways in which a fact can be reported at a table, and what each leads to."""
    found = []
    for report in examples(table, fact):
        for each in _variants(report, chance):
            try:
                found.append((each, act(table, each)[1]))
            except Refused:
                continue
    return found


def _variants(report: commands.Report, chance: Random) -> list[commands.Report]:
    drill = FACTS[report.fact].drill
    assert drill is not None
    return [replace(report, **_chosen(each, chance)) for each in drill.variants]


def _chosen(details: Mapping[str, object], chance: Random) -> dict[str, Any]:
    """Details with somebody and some card in the place of those that are left to chance."""
    given = dict(details)
    if "faces" in given:
        given["faces"] = (str(any_card(chance)),)
    if "patron" in given:
        given["patron"] = PATRONS[-1]
    return given


def story(report: commands.Report, table: Table) -> Sentence:
    """A fact with what is known of it, in words."""
    drill = FACTS[report.fact].drill
    assert drill is not None
    left_out = drill.left_out
    said = [drill.story.say(hand=report.hand or "player", patron=report.patron)]
    if report.faces:
        said.append(say("drill-faces-seen", "It is seen: {faces:cards}.", faces=list(report.faces)))
    elif "faces" in left_out:
        said.append(left_out["faces"])
    if report.reconstructible is False:
        said.append(say("drill-not-told", "How it should lie cannot be told any more."))
    elif "reconstructible" in left_out:
        said.append(left_out["reconstructible"])
    said += [_ORDER[report.order]] if report.order is not None else []
    said += [_CAUSE[report.cause == "power"]] if report.cause is not None else []
    said += [_EXPOSED[report.exposed]] if report.exposed is not None else []
    if table.round is not None and table.round.phase == "settled":
        said.append(say("drill-paid", "The round has been paid."))
    return sentences(said)


def sentences(said: Sequence[str]) -> Sentence:
    """Several sentences as one."""
    return say("sentences", "{said:spaced}", said=said)


_ORDER = {
    "known": say("drill-order-known", "Which of them was first is known."),
    "unknown": say("drill-order-unknown", "Nobody can tell which was first."),
}
_CAUSE = {
    True: say("drill-power-failed", "The power has failed."),
    False: say("drill-power-not-failed", "The power has not failed."),
}
_EXPOSED = {
    True: say("drill-opened", "They have been opened."),
    False: say("drill-not-opened", "They have not been opened."),
}
