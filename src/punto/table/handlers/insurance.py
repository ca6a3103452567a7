"""Insurance: windows and offers, cover and intent."""

from collections.abc import Iterator

from punto.coup import STOOD, Situation
from punto.messages import say
from punto.rulebook import Basis, CoverRow, Insurance, Refused
from punto.rulebook.facts import HANDS
from punto.settlement import Cover, Struck, check_cover
from punto.settlement.cover import cover_room
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import points_at, situation
from punto.table.knowledge import BOTH_STAGES, is_shut
from punto.table.state import PlacedCover, Round, Spot, Window
from punto.table.turn import Turn


def of_book(turn: Turn) -> Insurance:
    """The book's insurance, or a refusal."""
    if turn.book.insurance is None:
        raise turn.refuse(say("book-no-insurance", "This book has no insurance."), Basis((turn.book.menu_clause,)))
    return turn.book.insurance


def present(turn: Turn, round: Round) -> tuple[Situation, str, CoverRow] | None:
    """The cover that the cards call for now: situation, hand and row; None if no window is to be opened."""
    insurance, seen = turn.book.insurance, situation(round)
    if insurance is None or seen is None or round.free:
        return None
    here = Situation(*seen)
    if not here.card_due or (here.stage == "third-card" and round.waived):
        return None
    for hand in HANDS:
        row = insurance.row(here.stage, hand, here.own(hand), here.opposite(hand))
        if row is not None:
            return here, hand, row
    return None


def originals(turn: Turn, round: Round, hand: str) -> list[Spot]:
    """The wagers on a hand whose owners may be offered cover."""
    return [
        spot
        for spot in round.wagers
        if spot[2] == hand and _is_there(turn, spot[0]) and not _forgone(turn, round, spot)
    ]


def _is_there(turn: Turn, patron: str) -> bool:
    return patron in turn.table.patrons and not turn.table.patrons[patron].away


def _forgone(turn: Turn, round: Round, spot: Spot) -> bool:
    """Whether the owner of a wager let an offer pass; a ruling may count that for the hand offered only (AMB-50).

    In a paid round an offer at points that were misread does not count (AMB-113).
    """
    wrong = _priced_wrongly(turn, round) if round.phase == "settled" else ()
    forgone = any(way not in wrong for way in round.forgone.get(spot[0], ()))
    if not forgone or turn.table.policy("forfeit-hands") != "offered":
        return forgone
    here = Situation("four-cards", *points_at(round, "four-cards"), STOOD)
    insurance = of_book(turn)
    return insurance.row(here.stage, spot[2], here.own(spot[2]), here.opposite(spot[2])) is not None


def to_offer(turn: Turn) -> tuple[Situation, str, CoverRow, list[Spot]] | None:
    """The offer that is due at this moment, if one is."""
    round = turn.table.running
    if round is None or round.phase != "closed" or turn.table.insurance_off:
        return None
    found = present(turn, round)
    if found is None or is_shut(turn.table, round, found[0].stage):
        return None
    spots = originals(turn, round, found[1])
    if found[0].stage in round.windows:
        spots = _passed_over(round, found[0].stage, spots)
    elif round.window is not None:
        return None
    return (*found, spots) if spots else None


def _passed_over(round: Round, stage: str, spots: list[Spot]) -> list[Spot]:
    """The wagers whose owners were offered nothing in a window, as they had forgone what was no offer after all."""
    return [spot for spot in spots if spot[0] in round.passed_over.get(stage, ())]


def offer_insurance(turn: Turn, command: c.OfferInsurance) -> None:
    """Offer the cover that the cards call for to everybody with an Original Bet on that hand."""
    turn.staff()
    insurance = of_book(turn)
    turn.round()
    if turn.table.insurance_off:
        raise turn.refuse(say("table-offers-no-insurance", "This table offers no insurance."), insurance.basis("off"))
    found = to_offer(turn)
    if found is None:
        raise _why_no_offer(turn, turn.round(), insurance)
    make_offer(turn, found)


def _why_no_offer(turn: Turn, round: Round, insurance: Insurance) -> Refused:
    """Why no cover can be offered now."""
    windows = Basis((insurance.windows,))
    if round.window is not None:
        return turn.refuse(say("insurance-on-offer", "Insurance is on offer already."), windows)
    if round.waived:
        says = say("insurance-waived", "Insurance after the Player's third card was waived.")
        return turn.refuse(says, insurance.basis("waived"))
    if any(unoffered(turn, round)):
        says = say("next-card-known", "The next card is drawn or known: nothing can be insured on it.")
        return turn.refuse(says, _shut(windows.plus(insurance.live)))
    seen = situation(round)
    if seen is None or not Situation(*seen).card_due:
        return turn.refuse(say("nothing-to-insure", "There is nothing to insure now."), insurance.live)
    found = present(turn, round)
    if found is None:
        says = say("no-price-for-points", "The book has no price for insurance at these points.")
        return turn.refuse(says, Basis((insurance.table,)))
    if found[0].stage in round.windows or any(spot[2] == found[1] for spot in round.wagers):
        return turn.refuse(
            say("insurance-was-offered", "Whoever could insure has been asked."), insurance.basis("lapses")
        )
    says = say("nobody-could-insure", "Nobody has a wager on {hand:hand} that could be insured.", hand=found[1])
    return turn.refuse(says, Basis((insurance.clause, insurance.original)))


def _shut(basis: Basis) -> Basis:
    return basis.plus(Basis((), ("AMB-112",)))


def make_offer(
    turn: Turn, found: tuple[Situation, str, CoverRow, list[Spot]], *, late: bool = False, basis: Basis | None = None
) -> None:
    """Open a window on the given wagers; a late offer has a cap of its own, and takes nothing from one that is open."""
    here, hand, row, spots = found
    insurance, round = of_book(turn), turn.round()
    window = round.window
    on_offer = window.most if window is not None and window.stage == here.stage and not window.drawn else {}
    most = tuple((*spot, max(_most(turn, round, row, spot, here.stage, late), on_offer.get(spot, 0))) for spot in spots)
    rests = Basis((insurance.windows, insurance.defined, insurance.original)).plus(row.basis)
    rests = rests.plus(insurance.basis("shown-by")).plus(insurance.cap.basis).plus(basis or Basis())
    turn.happen(
        e.InsuranceOffered,
        here.stage,
        hand,
        row.odds.text,
        here.own(hand),
        here.opposite(hand),
        most,
        late,
        basis=rests,
    )


def join_window(turn: Turn, spot: Spot, basis: Basis) -> None:
    """Offer the cover of the open window on one more wager, which was found while it is open."""
    round = turn.round()
    window, insurance = round.window, turn.book.insurance
    if window is None or window.drawn or insurance is None or spot[2] != window.hand:
        return
    if spot in window.most or spot not in originals(turn, round, window.hand):
        return
    player, banker = points_at(round, window.stage)
    own, opposite = (player, banker) if window.hand == "player" else (banker, player)
    most = (*spot, _most(turn, round, window.row, spot, window.stage, window.late))
    rests = Basis((insurance.windows, insurance.defined, insurance.original)).plus(window.row.basis).plus(basis)
    odds = window.row.odds.text
    turn.happen(e.InsuranceOffered, window.stage, window.hand, odds, own, opposite, (most,), window.late, basis=rests)
    if window.late:
        turn.happen(e.Bound, (spot[0],), basis=insurance.basis("late-bound").plus(basis))


def _most(turn: Turn, round: Round, row: CoverRow, spot: Spot, stage: str, late: bool) -> int:
    """How much cover an Original Bet, as placed, still allows (AMB-54, 55, 56, 64, 106)."""
    insurance, limits = of_book(turn), turn.table.setup.limits
    original = round.wagers[spot].stake
    before = BOTH_STAGES[: BOTH_STAGES.index(stage) + 1]
    own = [each for each in round.covers if each.spot == spot and each.stage in before]
    kept = [each for each in own if not is_back(turn, round, each)]
    struck = [Struck(Cover(each.stage, each.hand, each.stake, 0), each.row) for each in kept]
    room = cover_room(
        turn.book, insurance, row, Cover(stage, spot[2], 0, 0), original, struck, limits, turn.table.chips
    )
    if late:
        counted = [each for each in kept if each.late or _counts_all(turn)]
        paid = sum(each.stake * each.row.odds.fraction for each in counted)
        step = turn.table.chips.cover(row)
        room = min(room, int((original - paid) / row.odds.fraction) // step * step)
    return max(room, 0)


def cover_left(turn: Turn, round: Round, row: CoverRow, spot: Spot, stage: str) -> bool:
    """Whether any cover could still have been struck on an Original Bet: not where its cap is used up (AMB-64)."""
    return _most(turn, round, row, spot, stage, False) > 0


def _counts_all(turn: Turn) -> bool:
    return turn.table.policy("late-cap") == "all"


def insure(turn: Turn, command: c.Insure) -> None:
    """Strike cover on a wager, while the window is open or after declared intent."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    insurance, round = of_book(turn), turn.round()
    window = round.window
    if window is None or (window.drawn and command.patron not in window.intent):
        raise _no_window(turn, round, insurance, command)
    spot = _spot_to_insure(turn, round, window, insurance, command)
    cap = insurance.basis("late-cap") if window.late and "late-cap" in insurance.points else insurance.cap.basis
    _check_cover(turn, window, spot, insurance, cap, command)
    basis = window.row.basis.plus(cap)
    if window.drawn:
        basis = basis.plus(Basis((), ("AMB-57",)))
    turn.happen(e.CoverStruck, *spot, command.stake, basis=basis)


def _no_window(turn: Turn, round: Round, insurance: Insurance, command: c.Insure) -> Refused:
    """Why a patron cannot insure at all now."""
    if command.patron in round.forgone:
        return _has_forgone(turn, insurance, command.patron)
    if turn.table.insurance_off:
        return turn.refuse(say("table-offers-no-insurance", "This table offers no insurance."), insurance.basis("off"))
    if round.waived:
        says = say("insurance-waived", "Insurance after the Player's third card was waived.")
        return turn.refuse(says, insurance.basis("waived"))
    if not any(spot[0] == command.patron and spot[2] == command.hand for spot in round.wagers):
        return _has_no_wager(turn, insurance, command)
    lapses = insurance.basis("lapses")
    shut = any(is_shut(turn.table, round, stage) for stage in round.opened)
    if shut or round.windows:
        says = say("no-insurance-on-offer", "No insurance is on offer now.")
        return turn.refuse(says, _shut(lapses) if shut else lapses)
    if to_offer(turn) is not None:
        says = say("insurance-not-offered-yet", "Insurance has not been offered yet.")
        return turn.refuse(says, Basis((insurance.windows,)))
    return _why_no_offer(turn, round, insurance)


def _has_no_wager(turn: Turn, insurance: Insurance, command: c.Insure) -> Refused:
    says = say(
        "patron-has-no-wager-to-insure",
        "{patron} has no wager on {hand} to insure.",
        patron=command.patron,
        hand=command.hand,
    )
    return turn.refuse(says, Basis((insurance.clause, insurance.original)))


def _has_forgone(turn: Turn, insurance: Insurance, patron: str) -> Refused:
    says = say("insurance-forgone", "{patron} has forgone insurance for this round.", patron=patron)
    return turn.refuse(says, insurance.basis("lapses").plus(turn.policy_basis("insurance-forfeit")))


def _spot_to_insure(turn: Turn, round: Round, window: Window, insurance: Insurance, command: c.Insure) -> Spot:
    """The wager that cover is meant for; a refusal if there is none, or more than one."""
    spots = [spot for spot in window.most if spot[0] == command.patron and command.box in (None, spot[1])]
    if command.hand != window.hand:
        says = say("offer-is-on-hand", "The offer is on the {hand:hand} hand.", hand=window.hand)
        raise turn.refuse(says, Basis((insurance.table,)))
    if not spots and command.patron in round.forgone:
        raise _has_forgone(turn, insurance, command.patron)
    if not spots:
        raise _has_no_wager(turn, insurance, command)
    if len(spots) > 1:
        says = say(
            "wagers-in-several-boxes",
            "{patron} has wagers in several boxes: say in which one the cover is.",
            patron=command.patron,
        )
        raise Refused(says)
    return spots[0]


def _check_cover(turn: Turn, window: Window, spot: Spot, insurance: Insurance, cap: Basis, command: c.Insure) -> None:
    """Refuse cover that cannot be laid, paid, or is more than its cap or the patron's money."""
    chips, odds = turn.table.chips, window.row.odds
    if command.stake <= 0 or command.stake % chips.unit:
        says = say(
            "cover-not-in-chips",
            "Cover of {stake:money} cannot be laid in chips of {unit:money}.",
            stake=command.stake,
            unit=chips.unit,
        )
        raise turn.refuse(says, Basis((), ("AMB-30",)))
    check_cover(window.row, command.stake, chips)
    if command.stake > window.most[spot]:
        at = [each for each in insurance.cap_at if each.odds.fraction == odds.fraction]
        says = say("most-cover-here", "At most {most:money} of cover may be struck here.", most=window.most[spot])
        raise turn.refuse(says, at[0].basis.plus(cap) if at else cap)
    balance = turn.table.patrons[command.patron].balance
    if command.stake > balance:
        raise Refused(
            say("patron-has-money-left", "{patron} has {balance:money} left.", patron=command.patron, balance=balance)
        )


def declare_intent(turn: Turn, command: c.DeclareIntent) -> None:
    """Note that a patron will insure: said before the next card, the chips may follow it (AMB-57)."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    insurance, round = of_book(turn), turn.round()
    lapses = insurance.basis("lapses")
    window = round.window
    if window is None or window.drawn or all(spot[0] != command.patron for spot in window.most):
        raise turn.refuse(
            say("no-offer-to-patron", "There is no offer to {patron} now.", patron=command.patron), lapses
        )
    turn.happen(e.IntentDeclared, command.patron, basis=lapses.plus(Basis((), ("AMB-57",))))


def price_again(turn: Turn, basis: Basis) -> None:
    """Give back cover that was struck at another row than the points have now; it is offered again (AMB-69).

    In a paid round the cover comes back with the new settlement, as long as the points have another row (AMB-113).
    """
    round = turn.table.round
    if round is None or turn.book.insurance is None or round.phase not in ("closed", "settled"):
        return
    changed = _priced_wrongly(turn, round)
    basis = basis.plus(Basis((), ("AMB-69",)))
    for cover in [each for each in round.covers if each.stage in changed and not each.back]:
        says = say("priced-points-changed", "The points that it was priced on have changed.")
        turn.happen(e.CoverReturned, *cover.spot, cover.stage, cover.stake, says, basis=basis)
    if changed and round.phase == "closed":
        turn.close_window(basis, again=changed)


def is_back(turn: Turn, round: Round, cover: PlacedCover) -> bool:
    """Whether cover has come back in a paid round because it was struck at another row than the points have."""
    insurance = turn.book.insurance
    return cover.back and insurance is not None and _priced_otherwise(insurance, round, cover.stage)


def _priced_wrongly(turn: Turn, round: Round) -> tuple[str, ...]:
    """The stages that were offered at points which have another row now, or none."""
    insurance = turn.book.insurance
    if insurance is None:
        return ()
    return tuple(stage for stage in round.windows if _priced_otherwise(insurance, round, stage))


def _priced_otherwise(insurance: Insurance, round: Round, stage: str) -> bool:
    """Whether the points of a window have another row now, or none."""
    if stage not in round.opened or stage not in round.windows:
        return True
    was, now = Situation(stage, *round.windows[stage], STOOD), _at(round, stage)
    return not now.card_due or any(
        insurance.row(stage, hand, was.own(hand), was.opposite(hand))
        != insurance.row(stage, hand, now.own(hand), now.opposite(hand))
        for hand in HANDS
    )


def _lay_there(round: Round, spot: Spot, stage: str) -> bool:
    """Whether a wager was known before a window was over; if not, nobody neglected it."""
    return stage not in round.wagers[spot].too_late


Missed = tuple[str, str, CoverRow, list[Spot]]
"""An offer that was not made: stage, hand, row and wagers."""


def missed(turn: Turn, round: Round) -> list[Missed]:
    """The windows that should have been offered this round and were not: their next card was undrawn and unknown."""
    return [each for each in unoffered(turn, round) if round.opened[each[0]][1]]


def was_missed(turn: Turn, round: Round, hand: str) -> bool:
    """Whether a window on a hand should have been offered this round and was not, whoever had a wager there."""
    prices = [each for each in _prices(turn, round) if each[1] == hand and round.opened[each[0]][1]]
    spots = [spot for spot in round.wagers if spot[2] == hand and not _forgone(turn, round, spot)]
    return any(not offered or _passed_over(round, stage, spots) for stage, _, _, offered in prices)


def unoffered(turn: Turn, round: Round) -> Iterator[Missed]:
    """The windows with a price whose points came to lie open, and the wagers that were not offered it, why ever."""
    if turn.table.insurance_off or round.free:
        return
    for stage, hand, row, offered in _prices(turn, round):
        spots = [spot for spot in originals(turn, round, hand) if _lay_there(round, spot, stage)]
        if offered:
            spots = _passed_over(round, stage, spots)
        if spots:
            yield stage, hand, row, spots


def _prices(turn: Turn, round: Round) -> Iterator[tuple[str, str, CoverRow, bool]]:
    """The prices of the points that came to lie open: stage, hand, row, and whether it was offered."""
    insurance = turn.book.insurance
    if insurance is None:
        return
    for stage in round.opened:
        here = _at(round, stage)
        offered = stage in round.windows and not _priced_otherwise(insurance, round, stage)
        if not here.card_due or (stage == "third-card" and round.waived):
            continue
        for hand in HANDS:
            row = insurance.row(stage, hand, here.own(hand), here.opposite(hand))
            if row is not None:
                yield stage, hand, row, offered


def _at(round: Round, stage: str) -> Situation:
    """What insurance saw when the points of a stage lay open."""
    third = round.hands.player[2].face if stage == "third-card" else None
    return Situation(stage, *points_at(round, stage), STOOD if third is None else third.value)
