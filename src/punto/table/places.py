"""Where every card of the shoe is, and which of them the round that is over has left over."""

from typing import Literal

from punto.coup import Card
from punto.coup.cards import card
from punto.table.felt import aside
from punto.table.state import Round, Shoe, Table

Place = Literal["shoe", "hand", "aside", "burnt", "carried", "discarded", "carried-off"]


def where(table: Table) -> dict[Place, int]:
    """How many cards of the shoe in use are in which place; together they are all that were loaded (AMB-111).

    >>> from punto.settlement import Limits
    >>> from punto.table import act, commands
    >>> limits = Limits(minimum=1000, maximum=100000, differential=100000)
    >>> table, _ = act(None, commands.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", decks=8, limits=limits))
    >>> table, _ = act(table, commands.LoadShoe())
    >>> where(table)["shoe"], sum(where(table).values())
    (416, 416)
    """
    shoe, round = table.shoe, table.round
    if shoe is None:
        return {}
    found: dict[Place, int] = {
        "shoe": shoe.left,
        "hand": 0,
        "aside": 0,
        "burnt": shoe.burnt,
        "carried": len(shoe.carried),
        "discarded": shoe.discarded,
        "carried-off": shoe.carried_off,
    }
    if round is not None and round.shoe == shoe.number:
        for at, each in enumerate(round.cards):
            if not each.printed:
                found[_on_the_felt(round, at)] += 1
        found["discarded" if round.phase == "void" else "aside"] += len(round.reserve)
    past = table.past.round if table.past is not None else None
    if past is not None and past.shoe == shoe.number:
        found["carried-off"] += len(past.gone)
        found["discarded"] += past.from_shoe + len(past.reserve) - len(past.gone)
    return found


def _on_the_felt(round: Round, at: int) -> Place:
    if at in round.gone:
        return "carried-off"
    if round.phase == "void":
        return "discarded"
    if round.cards[at].area == "aside":
        return "aside"
    return "discarded" if round.phase == "settled" else "hand"


def copies_out(table: Table, face: str, but: tuple[int, ...] = ()) -> int:
    """How many cards of a face have been seen of the shoe in use, but for the cards at some places of the round."""
    shoe, round = table.shoe, table.round
    if shoe is None:
        return 0
    wanted = card(face)
    found = shoe.faces.get(face, 0) + shoe.carried.count(wanted)
    if round is not None and round.shoe == shoe.number:
        found += _copies_on_felt(round, wanted, but)
    if table.past is not None and table.past.round.shoe == shoe.number:
        found += _copies_on_felt(table.past.round, wanted, ())
    return found + len([each for each in shoe.top if each and each.face == wanted])


def _copies_on_felt(round: Round, wanted: Card, but: tuple[int, ...]) -> int:
    """How many cards of a face a round has, but for those at some places."""
    felt = [at for at, each in enumerate(round.cards) if each.face == wanted and at not in but and not each.printed]
    return len(felt) + round.reserve.count(wanted)


def is_whole(shoe: Shoe) -> bool:
    """Whether no card has left a shoe yet."""
    return shoe.left == shoe.cards


def known_on_top(table: Table) -> tuple[str, ...]:
    """The faces of the next cards in the shoe, up to the first that nobody has seen."""
    faces: list[str] = []
    for each in table.shoe.top if table.shoe is not None else ():
        if each is None:
            break
        faces.append(str(each.face))
    return tuple(faces)


def left_over(table: Table) -> tuple[Card | None, ...]:
    """The cards that a round drew or that were seen in it, and that it ended without, in drawn order.

    What a void round had drawn is discarded; a card that was only seen is still in the shoe.
    """
    round, shoe = table.round, table.shoe
    if round is None or shoe is None or round.shoe != shoe.number or round.phase not in ("settled", "void"):
        return ()
    drawn = [round.cards[at].face for at in aside(round)] if round.phase == "settled" else []
    return (*drawn, *(each.face if each else None for each in shoe.top))
