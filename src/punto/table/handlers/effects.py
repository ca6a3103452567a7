"""What a fact itself does to the cards on the felt, by its name in `punto.rulebook.facts`."""

from collections.abc import Callable

from punto.rulebook.facts import Fact, Lays
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.drawing import take_card
from punto.table.state import Round
from punto.table.turn import Turn


def lay_down(turn: Turn, fact: Fact, report: c.Report, faces: tuple[str, ...], *, laid: bool) -> None:
    """Lay the cards as the fact says that they lie, and open those that were seen; `laid` if they lie so already."""
    round = turn.table.running
    if round is None:
        return
    if fact.lays is not None and not laid:
        EFFECTS[fact.lays](turn, report, round)
    if faces and fact.faces == "seen":
        _open(turn, _seen_places(turn.round(), fact, report, len(round.cards)), faces)


def _other_hand(turn: Turn, report: c.Report, round: Round) -> None:
    turn.happen(e.CardsMisplaced, report.cards)


def _named_aside(turn: Turn, report: c.Report, round: Round) -> None:
    for _ in range(max(report.cards) + 1 - len(round.cards)):
        take_card(turn, "aside")


def _one_aside(turn: Turn, report: c.Report, round: Round) -> None:
    if all(each.area != "aside" for each in round.cards):
        take_card(turn, "aside")


def _seen_aside(turn: Turn, report: c.Report, round: Round) -> None:
    if round.cards and report.faces and not report.cards:
        _one_aside(turn, report, round)


EFFECTS: dict[Lays, Callable[[Turn, c.Report, Round], None]] = {
    "other-hand": _other_hand,
    "named-aside": _named_aside,
    "one-aside": _one_aside,
    "seen-aside": _seen_aside,
}


def _seen_places(round: Round, fact: Fact, report: c.Report, dealt: int) -> tuple[int, ...]:
    """The places of the cards that were seen: those named, else the one that was drawn in error."""
    if report.cards:
        return report.cards
    drawn_in_error = len(round.cards) > dealt or fact.lays == "one-aside"
    return (len(round.cards) - 1,) if drawn_in_error else ()


def _open(turn: Turn, places: tuple[int, ...], faces: tuple[str, ...]) -> None:
    cards = turn.round().cards
    shown = [(at, face) for at, face in zip(places, faces, strict=False) if cards[at].face is None]
    if shown:
        turn.happen(e.CardsExposed, tuple(at for at, _ in shown), tuple(face for _, face in shown))
