"""The conditions under which a fact is possible, by their names in `punto.rulebook.facts`.

Each refuses a report that cannot be true, with a sentence and a clause.
"""

from collections.abc import Callable

import msgspec

from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.table import commands as c
from punto.table.felt import FIRST_FOUR, aside, due, due_without_surplus, in_hands, whole
from punto.table.handlers.differential import check_cured
from punto.table.handlers.drawing import depends_on_closed, waits_for_points
from punto.table.handlers.insurance import missed, unoffered
from punto.table.state import Round, Table
from punto.table.turn import Turn


class Condition(msgspec.Struct, frozen=True):
    """A check of a report; one about the running round is left out where the error lies in an earlier one."""

    check: Callable[[Turn, c.Report], None]
    running_round: bool = False
    of_each_card: bool = False
    """It looks at every card that is named."""


def check_conditions(turn: Turn, report: c.Report, names: tuple[str, ...]) -> None:
    """Refuse a report of something that cannot have happened."""
    for name in names:
        condition = CONDITIONS[name]
        if not (condition.running_round and report.earlier):
            condition.check(turn, report)


def _card_of_this_round(turn: Turn, report: c.Report) -> None:
    running = turn.table.running
    if running is not None and not running.cards:
        raise turn.refuse(
            say("no-card-of-round-dealt", "No card of this round is dealt: was it an earlier one?"),
            turn.basis("round", "begins"),
        )


def _after_first_card(turn: Turn, report: c.Report) -> None:
    running = turn.table.running
    if running is not None and not running.cards:
        raise Refused(say("no-excess-before-first-card", "Before the first card none can be drawn in excess."))


def _not_due(turn: Turn, report: c.Report) -> None:
    running = turn.table.running
    if running is not None and report.hand is not None and due_without_surplus(running) == report.hand:
        raise turn.refuse(
            say("card-is-due-to-hand", "The next card is due to the {hand:hand} hand: draw it.", hand=report.hand),
            turn.basis("dealing", "play"),
        )


def _excess_known(turn: Turn, report: c.Report) -> None:
    """Refuse where the row depends on cards that lie face down; before the points lie open the card only waits."""
    running = turn.table.running
    if running is not None and not waits_for_points(turn.table, running) and depends_on_closed(turn.table, running):
        raise turn.refuse(
            say("excess-not-known-yet", "Whether a card is in excess is known when those before it are open."),
            turn.basis("dealing", "play"),
        )


def _differential_met(turn: Turn, report: c.Report) -> None:
    if turn.table.running is not None:
        check_cured(turn, turn.table.running)


def _bets_closed(turn: Turn, report: c.Report) -> None:
    if turn.table.round is not None and turn.table.round.phase == "betting":
        raise Refused(say("reset-while-bets-open", "Bets are still open: the reset changes nothing."))


def _not_burnt(turn: Turn, report: c.Report) -> None:
    burn = turn.point("dealing", "burn")
    if burn is not None and turn.shoe().burned:
        raise turn.refuse(say("burn-done", "The burn has been done."), turn.basis("dealing", "burn"))


def _dealt_face_down(turn: Turn, report: c.Report) -> None:
    if not is_dealt_face_down(turn.table):
        raise turn.refuse(
            say("face-up-is-no-error", "Cards are dealt face up at this table: that is no error."),
            turn.row_basis(report.fact),
        )


def is_dealt_face_down(table: Table) -> bool:
    """Whether the first four cards are dealt face down."""
    return table.setup.face_down or table.method == "A"


def _opened_too_early(turn: Turn, report: c.Report) -> None:
    round = turn.table.running
    if round is None or is_dealt_face_down(turn.table) or turn.table.method == "C":
        return
    if any(at < 4 and round.cards[at].area == FIRST_FOUR[at] for at in report.cards):
        raise Refused(say("face-up-is-no-error", "Cards are dealt face up at this table: that is no error."))


def _cards_with_a_hand(turn: Turn, report: c.Report) -> None:
    round = turn.table.running
    loose = () if round is None else tuple(at for at in report.cards if round.cards[at].area == "aside")
    if loose:
        says = say("card-lies-aside", "Card {place:nth} lies aside, with neither hand.", place=loose[0])
        raise turn.refuse(says, _of(turn, report))


def _cards_closed(turn: Turn, report: c.Report) -> None:
    round = turn.table.round
    if round is not None and any(round.cards[at].face is not None for at in report.cards):
        raise Refused(say("cards-open-and-known", "Those cards are open: what they are is known."))


def _something_called(turn: Turn, report: c.Report) -> None:
    round = turn.table.round
    if round is None or report.cards or round.announced or round.phase == "settled" or whole(round):
        return
    raise Refused(say("nothing-called-yet", "Nothing has been called yet that could be wrong."))


def _offer_missed(turn: Turn, report: c.Report) -> None:
    insurance, round = turn.book.insurance, turn.table.round
    if insurance is None or turn.table.insurance_off:
        return
    point = insurance.points.get("neglect-fixed") or insurance.points["lapses"]
    owed = missed(turn, round) if round is not None else []
    if not owed:
        known = round is not None and any(unoffered(turn, round))
        basis = point.basis.plus(_AMB_112) if known else point.basis
        raise turn.refuse(say("no-offer-missed", "No offer was missed."), basis)
    if turn.by in turn.table.patrons and all(spot[0] != turn.by for _, _, _, spots in owed for spot in spots):
        raise turn.refuse(
            say("no-offer-missed-to-patron", "No offer to {patron} was missed.", patron=turn.by), point.basis
        )


def _insurance_offered(turn: Turn, report: c.Report) -> None:
    insurance, round = turn.book.insurance, turn.table.round
    if insurance is None or turn.table.insurance_off or (round is not None and round.windows):
        return
    raise turn.refuse(say("no-insurance-offered-this-round", "No insurance was offered in this round."), insurance.live)


def _shoe_too_short(turn: Turn, report: c.Report) -> None:
    shoe, running = turn.table.shoe, turn.table.running
    if shoe is None or running is None:
        return
    left = shoe.left + len(shoe.carried) + len(running.reserve)
    needed = _needed(running)
    if left >= needed:
        says = (
            say("no-card-is-needed", "The hand needs no more cards for certain, and {left} are left.", left=left)
            if not needed
            else say("cards-suffice", "{left} cards are left: that is enough to go on.", left=left)
        )
        raise turn.refuse(says, _of(turn, report))


def _needed(round: Round) -> int:
    """How many more cards a round takes for certain, as far as its open cards show."""
    surplus, dealt = len(aside(round)), in_hands(round)
    if dealt < 4:
        return max(4 - dealt - surplus, 0)
    return 0 if surplus or due(round) is None else 1


def _device_deals(turn: Turn, report: c.Report) -> None:
    if turn.table.setup.shoe == "hand":
        raise turn.refuse(
            say("no-device-to-reset", "The shoe of this table is dealt by hand: there is no device to reset."),
            _of(turn, report),
        )


def _patrons_handle_cards(turn: Turn, report: c.Report) -> None:
    method = turn.table.method
    if method == "B":
        basis = turn.basis("dealing", "method-b-handling")
        raise turn.refuse(say("method-b-dealer-only", "In Method B only the dealer handles the cards."), basis)
    if method is None and not turn.table.setup.face_down:
        says = say("nobody-squeezes", "Cards are dealt face up at this table: no patron handles them.")
        raise turn.refuse(says, turn.basis("dealing", "squeezer").plus(_of(turn, report)))


def _hand_dealt(turn: Turn, report: c.Report) -> None:
    running = turn.table.running
    if running is not None and report.hand is not None and not running.hand(report.hand):
        raise turn.refuse(
            say("hand-has-no-card", "The {hand:hand} hand has no card yet.", hand=report.hand), _of(turn, report)
        )


def _one_after_the_other(turn: Turn, report: c.Report) -> None:
    places = sorted(report.cards)
    if places and places != list(range(places[0], places[-1] + 1)):
        says = say("cards-not-in-a-row", "Cards that come out together come out one after the other: name such places.")
        raise turn.refuse(says, _of(turn, report))


def _cards_open(turn: Turn, report: c.Report) -> None:
    round = turn.table.round
    closed = () if round is None else tuple(at for at in report.cards if round.cards[at].face is None)
    if closed:
        says = say("card-not-open-yet", "Card {place:nth} lies face down: nobody has read it.", place=closed[0])
        raise turn.refuse(says, _of(turn, report))


def _of(turn: Turn, report: c.Report) -> Basis:
    """What the first row rests on that the words of a report allow; nothing where the book is silent on the fact."""
    said = {"order": report.order, "cause": report.cause, "hand": report.hand}
    rows = (
        row.basis
        for row in turn.book.irregularities
        if row.fact == report.fact and all(said.get(name) in (None, *values) for name, values in row.when.items())
    )
    return next(rows, Basis())


_AMB_112 = Basis((), ("AMB-112",))

CONDITIONS: dict[str, Condition] = {
    "card-of-this-round": Condition(_card_of_this_round, running_round=True),
    "after-first-card": Condition(_after_first_card, running_round=True),
    "not-due": Condition(_not_due, running_round=True),
    "excess-known": Condition(_excess_known, running_round=True),
    "differential-met": Condition(_differential_met, running_round=True),
    "bets-closed": Condition(_bets_closed),
    "not-burnt": Condition(_not_burnt),
    "dealt-face-down": Condition(_dealt_face_down),
    "cards-closed": Condition(_cards_closed, running_round=True, of_each_card=True),
    "something-called": Condition(_something_called, running_round=True),
    "offer-missed": Condition(_offer_missed, running_round=True),
    "insurance-offered": Condition(_insurance_offered, running_round=True),
    "shoe-too-short": Condition(_shoe_too_short, running_round=True),
    "device-deals": Condition(_device_deals),
    "patrons-handle-cards": Condition(_patrons_handle_cards),
    "hand-dealt": Condition(_hand_dealt, running_round=True),
    "one-after-the-other": Condition(_one_after_the_other, running_round=True),
    "cards-with-a-hand": Condition(_cards_with_a_hand, running_round=True, of_each_card=True),
    "opened-too-early": Condition(_opened_too_early, running_round=True, of_each_card=True),
    "cards-open": Condition(_cards_open, running_round=True, of_each_card=True),
}
