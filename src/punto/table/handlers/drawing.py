"""Taking a card from the shoe: where it comes from, what it rests on, and the insurance window that it closes."""

from functools import lru_cache

from punto.coup.cards import card
from punto.messages import say
from punto.rulebook import Basis, Book, Refused
from punto.rulebook.facts import DECK_COUNT, EXCESS_CARD
from punto.table import events as e
from punto.table.felt import aside, in_hands, points, unexposed
from punto.table.handlers.late_bets import close_late_bets
from punto.table.knowledge import is_known
from punto.table.places import copies_out
from punto.table.state import Round, Table
from punto.table.turn import Turn


def take_card(turn: Turn, area: str, laid_with: str | None = None) -> bool:
    """Lay the next card down in an area; False if the shoe has none left.

    `laid_with` names the hand that a card came out to which waits aside for the points. A card that lies aside comes
    first. Then come reserved cards, those carried over from the last round, and the shoe.
    """
    round, shoe = turn.round(), turn.shoe()
    if round.window is not None:
        close_window(turn, forfeits=area != "aside")
    close_late_bets(turn)
    areas, loose = [each.area for each in round.cards], aside(round)
    if area != "aside" and loose:
        place = loose[0]
        areas[place] = "player" if area == "player" else "banker"
        turn.happen(e.CardsRelaid, tuple(areas), basis=draw_basis(turn, place, area))
        return True
    basis = draw_basis(turn, len(areas), area)
    place = len(areas) or int(round.printed is not None and round.printed[0] == 0)
    surplus = area == "aside"
    if surplus and not (shoe.left or round.reserve):
        raise Refused(say("shoe-is-empty", "The shoe is empty: no card can come out of it that is not due."))
    if round.reserve and not shoe.carried:
        turn.happen(e.CardDrawn, place, area, reserve=True, laid_with=laid_with, basis=basis)
    elif shoe.carried and not surplus:
        turn.happen(e.CardDrawn, place, area, True, basis=basis)
    elif shoe.left == 0:
        return False
    else:
        turn.happen(e.CardDrawn, place, area, laid_with=laid_with, basis=basis)
    return True


def close_window(turn: Turn, *, forfeits: bool = True) -> None:
    """Close the insurance window with the next card: who was offered cover and said nothing has forgone it.

    A card that came out in error takes nothing from anybody: `forfeits` is False.
    """
    round = turn.round()
    window = round.window
    if window is None or window.drawn:
        return
    assert turn.book.insurance is not None
    taken = {cover.spot[0] for cover in round.covers if cover.stage == window.stage and cover.hand == window.hand}
    offered = {spot[0] for spot in window.most}
    forfeit = forfeits and turn.table.policy("insurance-forfeit") == "round"
    forgone = tuple(sorted(offered - taken - window.intent)) if forfeit and not window.late else ()
    basis = turn.book.insurance.basis("lapses")
    if forgone:
        basis = basis.plus(turn.policy_basis("insurance-forfeit"))
    open_intent = bool(window.intent - taken)
    turn.close_window(basis, forgone=forgone, intent_left=open_intent)


def close_if_known(turn: Turn) -> None:
    """Close the insurance window if somebody has seen the next card: nobody forgoes anything by that (AMB-112).

    Bets that are placed after the first four cards are closed by it, too.
    """
    round = turn.table.running
    if round is not None and round.late and is_known(turn.table, round, "four-cards"):
        close_late_bets(turn)
        round = turn.round()
    if round is None or round.window is None or not is_known(turn.table, round, round.window.stage):
        return
    assert turn.book.insurance is not None
    turn.close_window(turn.book.insurance.basis("lapses").plus(Basis((), ("AMB-112",))))


def depends_on_closed(table: Table, round: Round) -> bool:
    """Whether cards of the hands lie face down on which the row about a card in excess depends."""
    told_by = {name for row in table.book.irregularities if row.fact == EXCESS_CARD.id for name in row.when}
    closed = any(round.cards[at].area != "aside" for at in unexposed(round))
    return closed and not told_by.isdisjoint(("player-due", "banker-due"))


def waits_for_points(table: Table, round: Round) -> bool:
    """Whether a card beyond the first four waits aside until their points show where it belongs."""
    return in_hands(round) == 4 and depends_on_closed(table, round)


def check_faces(turn: Turn, faces: tuple[str, ...], places: tuple[int, ...] = ()) -> None:
    """Refuse faces without a suit where a bet looks at suits, and more of one than the decks of the shoe hold.

    `places` are the cards that the faces are said of: what was known of them before is not counted.
    """
    table = turn.table
    if table.setup.shoe == "virtual":
        return  # its faces come from the committed seed
    for face in faces if table.menu.by_suit else ():
        if card(face).suit is None:
            says = say("face-needs-suit", "{face} needs its suit: a bet of this layout looks at suits.", face=face)
            raise turn.refuse(says, Basis())
    for face in dict.fromkeys(faces):
        if copies_out(table, face, places) + faces.count(face) > table.setup.decks:
            rows = (row.basis for row in table.book.irregularities if row.fact == DECK_COUNT.id)
            says = say(
                "more-copies-than-decks",
                "The shoe holds {face} no more often than {decks}, and so often it has come: was a card misread, or is "
                "there one too many?",
                decks=table.setup.decks,
                face=face,
            )
            raise turn.refuse(says, next(rows, Basis()))


def third_card_basis(book: Book, method: str | None) -> Basis:
    """How third cards are opened, where that belongs to the method in use."""
    return book.basis("dealing", "third-card") if method in (None, "A") else Basis()


def draw_basis(turn: Turn, place: int, area: str) -> Basis:
    """What drawing a card rests on."""
    case = "order" if place < 4 else None if area == "aside" else _case(turn.round(), area)
    return _basis_of(turn.book, place, case, turn.table.method)


@lru_cache(1024)
def _basis_of(book: Book, place: int, case: str | None, method: str | None) -> Basis:
    basis = Basis() if case is None else book.drawing[case]
    if place == 0:
        basis = basis.plus(book.basis("round", "begins"))
    if place >= 4:
        basis = basis.plus(book.basis("round", "subsequent-deal")).plus(third_card_basis(book, method))
    if method is not None:
        name = f"method-{method.lower()}-draws" if place < 4 or method != "C" else "method-c-third-card"
        basis = basis.plus(book.basis("dealing", name))
    return basis


def _case(round: Round, area: str) -> str:
    """The case of the Table of Play by which a hand gets its next card."""
    banker = points(round.hand("banker")[:2])
    if len(round.hand(area)) < 2:
        return "order"
    if area == "player":
        return "player-draws"
    if len(round.hand("player")) < 3:
        return "player-stood"
    return "banker-0-2" if banker < 3 else f"banker-{banker}"
