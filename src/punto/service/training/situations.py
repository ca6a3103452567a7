"""A table of a book at some moment of a round, what may go wrong there, and how somebody would tell it."""

from datetime import timedelta
from random import Random

import msgspec

from punto.rulebook import Book, Refused
from punto.service.desk.desk import examples
from punto.service.training.common import LIMITS, any_card
from punto.table import Table, act, commands
from punto.table.events import Event
from punto.table.felt import due, unexposed, whole

DECKS = 8
PATRONS = ("ann", "ben", "chun")
Tried = tuple[commands.Report, tuple[Event, ...]]
"""A report, and what it led to."""


def some_table(book: Book, chance: Random) -> Table:
    """A table of a book at some moment of a round."""
    method = book.point("dealing", "methods")
    opened = commands.OpenTable(
        book.digest,
        (book.effective + timedelta(days=30)).isoformat(),
        decks=DECKS,
        limits=LIMITS,
        face_down=chance.random() < 0.5,
        method=chance.choice(("A", "B")) if method is not None else None,
        acknowledged=True,
        by="pit-manager",
    )
    table, _ = act(None, opened)
    for each in _people(book, chance):
        table, _ = act(table, each)
    for _ in range(chance.choice((0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 8, 12))):
        given = _next(table, chance)
        if given is None:
            break
        table, _ = act(table, given)
    return table


def _people(book: Book, chance: Random) -> list[commands.Command]:
    given: list[commands.Command] = [commands.LoadShoe()]
    if book.point("dealing", "burn") is not None and chance.random() < 0.8:
        given.append(commands.Burn())
    for box, patron in enumerate(PATRONS, start=1):
        given += [commands.Sit(patron, box, by=patron), commands.BuyIn(patron, 5_000_00, by=patron)]
    given.append(commands.OpenBets())
    for patron, bet in zip(PATRONS, ("player", "banker", "tie"), strict=True):
        given.append(commands.Place(patron, bet, chance.choice((100_00, 200_00, 500_00)), by=patron))
    return given


def _next(table: Table, chance: Random) -> commands.Command | None:
    round = table.running
    if round is None or any(each.blocks for each in table.questions):
        return None
    if round.phase == "betting":
        return commands.CloseBets()
    down = unexposed(round)
    if len(round.cards) >= 4 and down:
        return commands.Expose(tuple(str(any_card(chance)) for _ in down))
    if due(round) is not None:
        return commands.Draw()
    if not whole(round):
        return None
    return commands.Settle() if "result" in round.announced else commands.Announce("result")


_OF_SQUEEZES = ("wrong-person", "not-delivered", "absent-handler", "face-up-deal", "cards-carried-off")
_AFTERWARDS = ("foreign-card", "deck-count", "unshuffled", "wrong-number", "wrong-display", "insurance-neglected")


def fits(table: Table, fact: str) -> bool:
    """Whether a fact makes a sensible story at this moment, beyond being possible."""
    round = table.round
    if round is None:
        return False
    dealt, finished = len(round.cards), whole(round)
    if round.phase == "settled":
        return fact in _AFTERWARDS
    if fact in _OF_SQUEEZES:
        return dealt >= 4 and (table.setup.face_down or table.method == "A") and bool(unexposed(round))
    if fact == "too-few-cards":
        return dealt > 0 and due(round) is not None
    if fact in ("wrong-call", "wrong-number"):
        return finished
    if fact in ("wrong-display", "wrong-lammer", "insurance-neglected"):
        return dealt >= 4 and not unexposed(round)
    if fact in ("simultaneous-draw", "shown-in-movement", "device-reset", "shoe-order-altered"):
        return round.phase == "closed" and not finished
    return True


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
    replace = msgspec.structs.replace
    if report.fact in ("excess-card", "exposed-card"):
        seen = replace(report, faces=(str(any_card(chance)),))
        return [seen] if report.fact == "exposed-card" else [report, seen]
    if report.fact in ("wrong-area", "shoe-order-altered", "wrong-number"):
        return [report, replace(report, reconstructible=False)]
    if report.fact == "simultaneous-draw":
        return [replace(report, order=order) for order in ("known", "unknown")]
    if report.fact == "interruption":
        return [replace(report, cause=cause) for cause in ("power", "other")]
    if report.fact == "wrong-person":
        return [replace(report, patron=PATRONS[-1], exposed=exposed) for exposed in (True, False)]
    return [report]


STORIES = {
    "foreign-card": "A card that does not belong to these decks is found.",
    "deck-count": "It comes to light that the shoe does not hold the right number of cards.",
    "unshuffled": "It comes to light that the cards were not shuffled.",
    "too-few-cards": "The shoe is empty, and the hand is not finished.",
    "wrong-number": "A hand has got the wrong number of cards.",
    "excess-card": "A card is drawn to the {hand} hand that was not due to it.",
    "exposed-card": "A card slips out of the shoe and shows its face.",
    "wrong-area": "The last card was laid down in the area of the other hand.",
    "wrong-person": "The {hand} cards were given to chun, who was not to have them.",
    "not-delivered": "The cards were not handed to the patron who was to squeeze them.",
    "face-up-deal": "A card that was to be dealt face down was dealt face up.",
    "simultaneous-draw": "Two cards came out of the shoe together.",
    "shoe-order-altered": "The order of the cards in the shoe was disturbed.",
    "shown-in-movement": "A card was seen while it was being moved.",
    "face-up-in-shoe": "A card lies face up in the shoe.",
    "device-reset": "The shoe was reset in the middle of the hand.",
    "cards-carried-off": "A patron has gone away with a card that nobody has seen.",
    "burn-missed": "It is noticed that no card was burned.",
    "cut-card": "The cut card comes out of the shoe.",
    "interruption": "The game is interrupted.",
    "absent-handler": "The patron who holds the cards has gone away.",
    "wrong-call": "The dealer called the wrong result.",
    "wrong-display": "The display shows something else than the cards.",
    "insurance-neglected": "Insurance was due, and the dealer did not offer it.",
    "wrong-lammer": "The board shows the wrong odds for the insurance.",
}
"""What has happened, as somebody at the table would say it."""


def story(report: commands.Report, table: Table) -> str:
    """A fact with what is known of it, in words."""
    said = [STORIES[report.fact].format(hand=(report.hand or "player").capitalize())]
    if report.faces:
        said.append(f"It is seen: {' '.join(report.faces)}.")
    elif report.fact == "excess-card":
        said.append("Nobody has seen its face.")
    if report.reconstructible is False:
        said.append("How it should lie cannot be told any more.")
    elif report.fact in ("wrong-area", "shoe-order-altered"):
        said.append("How it should lie can still be told.")
    if report.order is not None:
        said.append(
            "Which of them was first is known." if report.order == "known" else "Nobody can tell which was first."
        )
    if report.cause is not None:
        said.append("The power has failed." if report.cause == "power" else "The power has not failed.")
    if report.exposed is not None:
        said.append("They have been opened." if report.exposed else "They have not been opened.")
    round = table.round
    if round is not None and round.phase == "settled":
        said.append("The round has been paid.")
    return " ".join(said)
