"""Insurance: windows and offers, cover, intent, and private tables without any."""

from punto.amounts import show_money
from punto.coup import STOOD, Situation
from punto.rulebook import Basis, CoverRow, Insurance, Refused
from punto.rulebook.facts import HANDS
from punto.settlement import Cover, Struck, cover_room
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import points_at, situation
from punto.table.questions import YES_OR_NO, Topic
from punto.table.state import Question, Round, Spot
from punto.table.turn import Turn


def of_book(turn: Turn) -> Insurance:
    """The book's insurance, or a refusal."""
    if turn.book.insurance is None:
        raise turn.refuse("This book has no insurance.", Basis((turn.book.menu_clause,)))
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
        if spot[2] == hand and not turn.table.patrons[spot[0]].away and not _forgone(turn, round, spot)
    ]


def _forgone(turn: Turn, round: Round, spot: Spot) -> bool:
    """Whether the owner of a wager let an offer pass; a ruling may count that for the hand offered only (AMB-50)."""
    if spot[0] not in round.forgone or turn.table.policy("forfeit-hands") != "offered":
        return spot[0] in round.forgone
    here = Situation("four-cards", *points_at(round, "four-cards"), STOOD)
    insurance = of_book(turn)
    return insurance.row(here.stage, spot[2], here.own(spot[2]), here.opposite(spot[2])) is not None


def to_offer(turn: Turn) -> tuple[Situation, str, CoverRow, list[Spot]] | None:
    """The offer that is due at this moment, if one is."""
    round = turn.table.running
    if round is None or round.phase != "closed" or turn.table.insurance_off or round.window is not None:
        return None
    found = present(turn, round)
    if found is None or found[0].stage in round.windows:
        return None
    spots = originals(turn, round, found[1])
    return (*found, spots) if spots else None


def offer_insurance(turn: Turn, command: c.OfferInsurance) -> None:
    """Offer the cover that the cards call for to everybody with an Original Bet on that hand."""
    turn.staff()
    insurance = of_book(turn)
    turn.round()
    if turn.table.insurance_off:
        raise turn.refuse("This table offers no insurance.", insurance.basis("off"))
    found = to_offer(turn)
    if found is None:
        round = turn.round()
        if round.waived:
            raise turn.refuse("Insurance after the Player's third card was waived.", insurance.basis("waived"))
        raise turn.refuse("There is nothing to insure now.", insurance.live)
    make_offer(turn, found)


def make_offer(
    turn: Turn, found: tuple[Situation, str, CoverRow, list[Spot]], *, late: bool = False, basis: Basis | None = None
) -> None:
    """Open a window on the given wagers; a late offer has a cap of its own."""
    here, hand, row, spots = found
    insurance, round = of_book(turn), turn.round()
    most = tuple((*spot, _most(turn, round, row, spot, here.stage, late)) for spot in spots)
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


def _most(turn: Turn, round: Round, row: CoverRow, spot: Spot, stage: str, late: bool) -> int:
    """How much cover an Original Bet, as placed, still allows (AMB-54, 55, 56, 64, 106)."""
    insurance, limits = of_book(turn), turn.table.setup.limits
    original = round.wagers[spot].stake
    struck = [
        Struck(Cover(each.stage, each.hand, each.stake, 0), each.row) for each in round.covers if each.spot == spot
    ]
    room = cover_room(turn.book, insurance, row, Cover(stage, spot[2], 0, 0), original, struck, limits)
    if late:
        counted = [each for each in round.covers if each.spot == spot and (each.late or _counts_all(turn))]
        paid = sum(each.stake * each.row.odds.fraction for each in counted)
        room = min(room, int((original - paid) / row.odds.fraction) // limits.unit * limits.unit)
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
    lapses = insurance.basis("lapses")
    window = round.window
    if window is None or (window.drawn and command.patron not in window.intent):
        if command.patron in round.forgone:
            forfeit = turn.policy_basis("insurance-forfeit")
            raise turn.refuse(f"{command.patron} has forgone insurance for this round.", lapses.plus(forfeit))
        if turn.table.insurance_off:
            raise turn.refuse("This table offers no insurance.", insurance.basis("off"))
        if round.waived:
            raise turn.refuse("Insurance after the Player's third card was waived.", insurance.basis("waived"))
        raise turn.refuse("No insurance is on offer now.", lapses)
    spots = [spot for spot in window.most if spot[0] == command.patron and command.box in (None, spot[1])]
    if command.hand != window.hand:
        raise turn.refuse(f"The offer is on the {window.hand.capitalize()} hand.", Basis((insurance.table,)))
    if not spots:
        if command.patron in round.forgone:
            raise turn.refuse(
                f"{command.patron} has forgone insurance for this round.",
                lapses.plus(turn.policy_basis("insurance-forfeit")),
            )
        raise turn.refuse(f"{command.patron} has no wager on {command.hand} to insure.", Basis((insurance.original,)))
    if len(spots) > 1:
        raise Refused(f"{command.patron} has wagers in several boxes: say in which one the cover is.")
    spot, limits = spots[0], turn.table.setup.limits
    if command.stake <= 0 or command.stake % limits.unit:
        raise Refused(f"Cover of {show_money(command.stake)} cannot be laid in chips of {show_money(limits.unit)}.")
    if command.stake % window.row.odds.denominator and limits.rounding != "up":
        raise turn.refuse(
            f"{show_money(command.stake)} could not be paid to the cent: cover is a multiple of "
            f"{show_money(window.row.odds.denominator)}.",
            Basis((), ("AMB-30",)),
        )
    cap = insurance.basis("late-cap") if window.late and "late-cap" in insurance.points else insurance.cap.basis
    if command.stake > window.most[spot]:
        at = [each for each in insurance.cap_at if each.odds.fraction == window.row.odds.fraction]
        raise turn.refuse(
            f"At most {show_money(window.most[spot])} of cover may be struck here.",
            at[0].basis.plus(cap) if at else cap,
        )
    if command.stake > turn.table.patrons[command.patron].balance:
        raise Refused(f"{command.patron} has {show_money(turn.table.patrons[command.patron].balance)} left.")
    basis = window.row.basis.plus(cap)
    if window.drawn:
        basis = basis.plus(Basis((), ("AMB-57",)))
    turn.happen(e.CoverStruck, *spot, command.stake, basis=basis)


def declare_intent(turn: Turn, command: c.DeclareIntent) -> None:
    """Note that a patron will insure: said before the next card, the chips may follow it (AMB-57)."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    insurance, round = of_book(turn), turn.round()
    lapses = insurance.basis("lapses")
    window = round.window
    if window is None or window.drawn or all(spot[0] != command.patron for spot in window.most):
        raise turn.refuse(f"There is no offer to {command.patron} now.", lapses)
    turn.happen(e.IntentDeclared, command.patron, basis=lapses.plus(Basis((), ("AMB-57",))))


def no_insurance(turn: Turn, command: c.NoInsurance) -> None:
    """Ask, at a private table, that no insurance be offered; the House and everybody present must agree (AMB-63)."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    insurance = of_book(turn)
    point = insurance.points.get("off")
    if point is None:
        raise turn.refuse("The book does not provide for a table without insurance.", insurance.live)
    if not turn.table.setup.private:
        raise turn.refuse("Only a private table may go without insurance.", point.basis)
    turn.between_rounds("That is agreed", Basis(point.basis.clauses, ("AMB-63",)))
    if turn.table.insurance_off or NO_INSURANCE.is_open(turn) or ACCEPT_NO_INSURANCE.is_open(turn):
        raise Refused("That has been asked already.")
    says = (
        f"{command.patron} asks that no insurance be offered at this table. A notice goes up, and whoever joins "
        "must accept it."
    )
    NO_INSURANCE.ask(turn, says, point.basis.plus(Basis((), ("AMB-63",))), about=(command.patron,))


def price_again(turn: Turn, basis: Basis) -> None:
    """Give back cover that was struck on points which have changed since; it is offered again (AMB-69)."""
    round = turn.table.running
    if round is None:
        return
    changed = tuple(stage for stage, priced in round.windows.items() if points_at(round, stage) != priced)
    basis = basis.plus(Basis((), ("AMB-69",)))
    for cover in [each for each in round.covers if each.stage in changed]:
        says = "The points that it was priced on have changed."
        turn.happen(e.CoverReturned, *cover.spot, cover.stage, cover.stake, says, basis=basis)
    if changed:
        turn.happen(e.WindowClosed, again=changed, basis=basis)


def go_without(turn: Turn, accepted: tuple[str, ...], basis: Basis) -> None:
    """Stop offering insurance, or first ask those present who have not accepted the notice yet (AMB-63)."""
    patrons = turn.table.patrons
    others = tuple(name for name, each in patrons.items() if name not in accepted and not each.away)
    if not others:
        turn.happen(e.InsuranceOff, accepted, basis=basis)
        return
    says = "This table is to go without insurance, under a notice. Do you accept that?"
    ACCEPT_NO_INSURANCE.ask(turn, says, basis, waiting=others, about=accepted)


def _begin_consent(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes":
        go_without(turn, question.about, question.basis)


def _take_consent(turn: Turn, question: Question, command: c.Answer) -> None:
    """One refusal is enough for the table to keep its insurance."""
    if command.choice == "no":
        for each in [each for each in turn.table.questions if each.id == question.id]:
            turn.happen(e.Lapsed, each.id, basis=each.basis)
    elif len(question.waiting) == 1:
        go_without(turn, (*question.about, *question.answers, *question.waiting), question.basis)


NO_INSURANCE = Topic(
    name="no-insurance", to="house", choices=YES_OR_NO, blocks=False, lapses="next-round", act=_begin_consent
)
ACCEPT_NO_INSURANCE = Topic(
    name="accept-no-insurance",
    to="patrons",
    choices=YES_OR_NO,
    blocks=False,
    lapses="next-round",
    default="no",
    act=_take_consent,
)


def _lay_there(round: Round, spot: Spot, stage: str) -> bool:
    """Whether a wager was known before the card that ended a window was drawn; if not, nobody neglected it."""
    return round.wagers[spot].found_at <= (4 if stage == "four-cards" else 5)


def missed(turn: Turn, round: Round) -> tuple[str, str, CoverRow, list[Spot]] | None:
    """The window that should have been offered this round and was not: stage, hand, row and wagers."""
    insurance = turn.book.insurance
    if insurance is None or turn.table.insurance_off or round.free:
        return None
    faces = [[each.face for each in round.hand(hand)] for hand in HANDS]
    if any(len(hand) < 2 or hand[0] is None or hand[1] is None for hand in faces):
        return None
    player, banker = (sum(each.value for each in hand[:2] if each) % 10 for hand in faces)
    stages = [Situation("four-cards", player, banker, STOOD)]
    if len(faces[0]) > 2 and faces[0][2] is not None and not round.waived:
        third = faces[0][2].value
        stages.append(Situation("third-card", (player + third) % 10, banker, third))
    for here in stages:
        if here.stage in round.windows or not here.card_due:
            continue
        for hand in HANDS:
            row = insurance.row(here.stage, hand, here.own(hand), here.opposite(hand))
            spots = [
                spot for spot in originals(turn, round, hand) if row is not None and _lay_there(round, spot, here.stage)
            ]
            if row is not None and spots:
                return here.stage, hand, row, spots
    return None
