"""The conditions under which a fact is possible, by their names in `punto.rulebook.facts`.

Each refuses a report that cannot be true, with a sentence and a clause.
"""

from collections.abc import Callable

import msgspec

from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.table import commands as c
from punto.table.felt import unexposed, whole
from punto.table.handlers.differential import check_cured
from punto.table.handlers.insurance import missed, unoffered
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


def _hands_open(turn: Turn, report: c.Report) -> None:
    running = turn.table.running
    if running is not None and any(running.cards[at].area != "aside" for at in unexposed(running)):
        raise Refused(
            say("excess-not-known-yet", "Whether a card is in excess is known when those before it are open.")
        )


def _differential_met(turn: Turn, report: c.Report) -> None:
    if turn.table.running is not None:
        check_cured(turn, turn.table.running)


def _bets_closed(turn: Turn, report: c.Report) -> None:
    if turn.table.round is not None and turn.table.round.phase == "betting":
        raise Refused(say("reset-while-bets-open", "Bets are still open: the reset changes nothing."))


def _not_burnt(turn: Turn, report: c.Report) -> None:
    if turn.table.shoe is not None and turn.table.shoe.burned:
        raise turn.refuse(say("burn-done", "The burn has been done."), turn.basis("dealing", "burn"))


def _dealt_face_down(turn: Turn, report: c.Report) -> None:
    if not turn.table.setup.face_down and turn.table.method != "A":
        raise turn.refuse(
            say("face-up-is-no-error", "Cards are dealt face up at this table: that is no error."),
            turn.row_basis(report.fact),
        )


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
    owed = missed(turn, round) if round is not None else None
    if owed is None:
        known = round is not None and any(unoffered(turn, round))
        basis = point.basis.plus(_AMB_112) if known else point.basis
        raise turn.refuse(say("no-offer-missed", "No offer was missed."), basis)
    if turn.by in turn.table.patrons and all(spot[0] != turn.by for spot in owed[3]):
        raise turn.refuse(
            say("no-offer-missed-to-patron", "No offer to {patron} was missed.", patron=turn.by), point.basis
        )


def _insurance_offered(turn: Turn, report: c.Report) -> None:
    insurance, round = turn.book.insurance, turn.table.round
    if insurance is None or turn.table.insurance_off or (round is not None and round.windows):
        return
    raise turn.refuse(say("no-insurance-offered-this-round", "No insurance was offered in this round."), insurance.live)


_AMB_112 = Basis((), ("AMB-112",))

CONDITIONS: dict[str, Condition] = {
    "card-of-this-round": Condition(_card_of_this_round, running_round=True),
    "after-first-card": Condition(_after_first_card, running_round=True),
    "hands-open": Condition(_hands_open, running_round=True),
    "differential-met": Condition(_differential_met, running_round=True),
    "bets-closed": Condition(_bets_closed),
    "not-burnt": Condition(_not_burnt),
    "dealt-face-down": Condition(_dealt_face_down),
    "cards-closed": Condition(_cards_closed, of_each_card=True),
    "something-called": Condition(_something_called, running_round=True),
    "offer-missed": Condition(_offer_missed, running_round=True),
    "insurance-offered": Condition(_insurance_offered, running_round=True),
}
