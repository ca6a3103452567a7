"""What a fact itself does to the cards and to what is known of them, by its name in `punto.rulebook.facts`."""

from collections.abc import Callable

from punto.rulebook.facts import Fact, Lays
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import aside, due, unexposed
from punto.table.handlers.drawing import take_card, waits_for_points
from punto.table.state import Round
from punto.table.turn import Turn


def lay_down(turn: Turn, fact: Fact, report: c.Report, faces: tuple[str, ...], *, laid: bool) -> None:
    """Lay the cards as the fact says that they lie, and open those that were seen; `laid` if they lie so already."""
    dealt = len(turn.table.running.cards) if turn.table.running is not None else 0
    if fact.lays is not None and not laid:
        EFFECTS[fact.lays](turn, report, faces)
    if turn.table.running is not None and faces and fact.faces == "seen" and fact.lays not in ONLY_SEEN:
        _open(turn, _seen_places(turn.round(), fact, report, dealt), faces)


def _other_hand(turn: Turn, report: c.Report, faces: tuple[str, ...]) -> None:
    if turn.table.running is not None:
        turn.happen(e.CardsMisplaced, report.cards)


def _named_aside(turn: Turn, report: c.Report, faces: tuple[str, ...]) -> None:
    round = turn.table.running
    if round is not None:
        for _ in range(max(report.cards) + 1 - len(round.cards)):
            take_card(turn, "aside")


def _one_aside(turn: Turn, report: c.Report, faces: tuple[str, ...]) -> None:
    round = turn.table.running
    if round is not None and not aside(round):
        take_card(turn, "aside", report.hand if waits_for_points(turn.table, round) else None)


def _seen(turn: Turn, report: c.Report, faces: tuple[str, ...]) -> None:
    """Note which faces are known: of the cards named, else of the next card, which keeps its place (AMB-111)."""
    round, shoe = turn.table.running, turn.table.shoe
    if report.cards:
        if round is not None and faces:
            _open(turn, report.cards, faces)
        elif round is not None and (closed := tuple(at for at in report.cards if at in unexposed(round))):
            turn.happen(e.CardsSeen, closed)
        return
    if not faces or shoe is None:
        return
    closed = tuple(at for at in aside(round) if round.cards[at].face is None) if round is not None else ()
    if closed:
        _open(turn, closed, faces)
    elif None in shoe.carried and (round is None or due(round) is not None):
        turn.happen(e.CardsSeen, (), faces, True)
    else:
        _seen_in_shoe(turn, report, faces)


def _seen_in_shoe(turn: Turn, report: c.Report, faces: tuple[str, ...], *, moved: bool = False) -> None:
    shoe = turn.table.shoe
    if faces and shoe is not None and (len(shoe.top) < shoe.left or None in shoe.top):
        turn.happen(e.CardsSeen, (), faces, False, moved)


def _seen_in_movement(turn: Turn, report: c.Report, faces: tuple[str, ...]) -> None:
    _seen_in_shoe(turn, report, faces, moved=True)


EFFECTS: dict[Lays, Callable[[Turn, c.Report, tuple[str, ...]], None]] = {
    "other-hand": _other_hand,
    "named-aside": _named_aside,
    "one-aside": _one_aside,
    "seen": _seen,
    "seen-in-shoe": _seen_in_shoe,
    "seen-in-movement": _seen_in_movement,
}
ONLY_SEEN = ("seen", "seen-in-shoe", "seen-in-movement")
"""What only tells of faces: they are kept by the effect itself."""


def _seen_places(round: Round, fact: Fact, report: c.Report, dealt: int) -> tuple[int, ...]:
    """The places of the cards that were seen: those named, else the one that was drawn in error."""
    if report.cards:
        return report.cards
    if fact.lays == "one-aside":
        return aside(round)[-1:]
    return (len(round.cards) - 1,) if len(round.cards) > dealt else ()


def _open(turn: Turn, places: tuple[int, ...], faces: tuple[str, ...]) -> None:
    cards = turn.round().cards
    shown = [(at, face) for at, face in zip(places, faces, strict=False) if cards[at].face is None]
    if shown:
        turn.happen(e.CardsExposed, tuple(at for at, _ in shown), tuple(face for _, face in shown))
