"""Wagers: placed and taken back between the calls, and pulled later."""

from functools import lru_cache

from punto.amounts import MOST
from punto.messages import say
from punto.rulebook import Basis, Book, Refused
from punto.rulebook.facts import OTHER
from punto.rulebook.vocabulary import DEALER
from punto.settlement.chips import check_stake
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import post_of, residual
from punto.table.handlers.companions import check_beside
from punto.table.handlers.differential import NO_REASON, Says, cure_basis, curing, displace, room, to_cure
from punto.table.handlers.late_bets import check_late, check_minimum, is_in_window, late_basis
from punto.table.handlers.reporting import follow
from punto.table.handlers.rows import free_hand_basis
from punto.table.handlers.wagers import advise, owned, part_step, round_up, spot_of, stands
from punto.table.state import Round, Spot
from punto.table.turn import Turn


def place(turn: Turn, command: c.Place) -> None:
    """Put a patron's money on a bet, as far as the limits leave room; what is over goes back."""
    if turn.patron(command.patron).away:
        raise Refused(say("patron-has-left", "{patron} has left the table.", patron=command.patron))
    spot = spot_of(turn, command.patron, command.bet, command.box)
    basis = NO_REASON[1] if turn.by == command.patron else _by_staff(turn, command.patron)
    round = _betting(turn, spot)
    if command.medium != "chips" and (medium := turn.point("betting", "medium")) is not None:
        raise turn.refuse(
            say("wagers-in-chips", "Wagers are made with chips, not with {medium}.", medium=command.medium),
            medium.basis,
        )
    _check_area(turn, round, spot)
    before = round.wagers.get(spot)
    if before is not None and before.pulled:
        raise Refused(
            say(
                "chips-taken-back-no-adding",
                "{patron} has taken those chips back, and cannot add to them.",
                patron=command.patron,
            )
        )
    total = command.stake + (before.stake if before else 0)
    check_beside(turn, round, spot, total)
    if turn.menu.late:
        check_minimum(turn, spot, total)
    under = _check_stake(turn, spot, command.stake, total)
    accepted, rest = stake, says = command.stake, NO_REASON
    if not _far_below(turn, round, command):
        accepted, rest = _within_maximum(turn, round, spot, command.stake)
        stake, says = room(turn, round, spot, accepted)
    if is_in_window(round, spot):
        basis = basis.plus(late_basis(turn, (spot[2],)))
    elif round.phase == "closed":
        basis = basis.plus(turn.basis("limits", "differential-add"))
    why = says if stake < accepted else rest
    if stake == 0:
        assert why[0] is not None  # whatever leaves no room says why
        raise turn.refuse(why[0], why[1])
    turn.happen(
        e.WagerPlaced, *spot, stake, basis=basis.plus(_placing(turn, spot)) if basis.clauses else _placing(turn, spot)
    )
    if stake < command.stake:
        turn.happen(e.MoneyRefused, *spot, command.stake - stake, why[0] or "", basis=why[1])
    if under or stake < command.stake:
        advise(turn, spot)
    if rest[1].clauses and not stands(turn, spot):
        _give_way(turn, spot)
    if says[1].clauses:
        displace(turn)


def _by_staff(turn: Turn, patron: str) -> Basis:
    """What it rests on that the staff place wagers for a patron, where the book lets them."""
    turn.oneself_or_staff(patron)
    by_staff = turn.point("betting", "by-staff")
    if by_staff is None:
        raise turn.refuse(
            say("staff-place-no-wagers", "The book does not let the staff place wagers for patrons."),
            residual(turn.table)[1].basis,
            general=True,
        )
    return by_staff.basis


def _placing(turn: Turn, spot: Spot) -> Basis:
    """What a wager rests on."""
    return _placing_in(turn.book, spot[2], stands(turn, spot))


@lru_cache(1024)
def _placing_in(book: Book, bet: str, standing: bool) -> Basis:
    basis = book.bets[bet].basis.plus(book.basis("betting", "responsibility"))
    if standing:
        basis = basis.plus(book.basis("betting", "box-balance")).plus(book.basis("betting", "standing"))
    return basis


def _betting(turn: Turn, spot: Spot) -> Round:
    """The running round, or a refusal if no money can be put on this bet any more."""
    round = turn.table.running
    if round is None:
        raise turn.refuse(
            say("opening-call-first", "Bets are not open: the opening call comes first."),
            turn.basis("betting", "opens"),
            general=True,
        )
    if round.free:
        raise turn.refuse(
            say("free-hand-takes-no-wagers", "A free hand takes no wagers."),
            free_hand_basis(turn),
            general=True,
        )
    if turn.menu.late:
        check_late(turn, round, spot)
    if round.phase == "betting" or curing(turn, round, spot, adding=True) or is_in_window(round, spot):
        return round
    late = turn.point("betting", "late-increase" if spot in round.wagers else "late-bet")
    closes = turn.basis("betting", "closes")
    general = not round.late and not to_cure(turn, round)
    if late is not None and late.value == "trimmed":
        raise turn.refuse(
            say("bets-closed-wager-stays", "Bets are closed: the wager stays as it was at the call."),
            late.basis,
            general=general,
        )
    basis = late.basis.plus(closes) if late is not None else closes
    raise turn.refuse(say("bets-closed", "Bets are closed."), basis, general=general)


def _check_area(turn: Turn, round: Round, spot: Spot) -> None:
    """Refuse a wager in an area that is full, or in a box that is not shared."""
    point = turn.point("betting", "wagers-per-area")
    if point is not None and spot not in round.wagers:
        most = turn.table.area_cap or int(str(point.value))
        if len(round.wagers) >= most and len(_in_box(round, spot)) >= most:
            lower = turn.basis("betting", "fewer-per-area") if turn.table.area_cap else Basis()
            raise turn.refuse(
                say("area-is-full", "No more than {most} wagers lie in one area.", most=most),
                lower.plus(point.basis),
            )
    if turn.table.policy("box-share") != "no":
        return
    sitter = next((name for name, each in turn.table.patrons.items() if each.box == spot[1]), None)
    if sitter not in (None, spot[0]):
        raise turn.refuse(
            say("box-of-sitter-alone", "Box {box} is {patron}'s alone.", box=spot[1], patron=sitter),
            turn.policy_basis("box-share"),
        )


def _check_stake(turn: Turn, spot: Spot, stake: int, total: int) -> bool:
    """Refuse a stake that cannot be laid or paid; returns whether the wager is under the minimum."""
    check_stake(turn.menu[spot[2]], stake, turn.table.chips)
    balance = turn.table.patrons[spot[0]].balance
    if stake > balance or stake > MOST:
        raise Refused(
            say("patron-has-money-left", "{patron} has {balance:money} left.", patron=spot[0], balance=balance)
        )
    least = turn.table.setup.limits.minimum_of(spot[2])
    if least is None or total >= least:
        return False
    if turn.point("limits", "under-minimum-early") is None:
        scope = turn.basis("limits", "minimum-scope")
        raise turn.refuse(
            say(
                "under-minimum", "{amount:money} is under the minimum of {minimum:money}.", amount=total, minimum=least
            ),
            scope,
        )
    return True


def _far_below(turn: Turn, round: Round, command: c.Place) -> bool:
    """Whether all money at stake together is within the limits, so that no single wager can be over one."""
    limits, total = turn.table.setup.limits, command.stake
    if round.phase != "betting":
        return False
    for patron in turn.table.patrons.values():
        total += patron.held
    most = limits.maximum_of(command.bet)
    return (most is None or total <= most) and (limits.differential is None or total <= limits.differential)


def _within_maximum(turn: Turn, round: Round, spot: Spot, stake: int) -> tuple[int, Says]:
    """How much of the money the posted maximum leaves room for, and why not more."""
    most = turn.table.setup.limits.maximum_of(spot[2])
    if most is None or (stake <= most and not round.wagers):
        return stake, NO_REASON
    scope = turn.point("limits", "maximum-scope")
    hand = turn.book.bets[spot[2]].hand
    shared = scope is not None and scope.value == "box-and-hand" and hand is not None
    if shared:
        there = _in_box(round, spot)
        laid = sum([round.wagers[each].stake for each in there])
    else:
        laid = round.wagers[spot].stake if spot in round.wagers else 0
    if laid + stake <= most:
        return stake, NO_REASON
    basis = (scope.basis if scope else Basis()).plus(turn.basis("limits", "over-maximum") if shared else Basis())
    says = say("over-maximum", "The maximum is {maximum:money}.", maximum=most)
    if laid:
        says = say(
            "wager-over-maximum",
            "The maximum is {maximum:money}, and {laid:money} lies there.",
            maximum=most,
            laid=laid,
        )
    if shared:
        if not stands(turn, spot):  # standing money gives way to whoever sits there
            laid -= sum([round.wagers[each].stake for each in there if stands(turn, each)])
        left = min(stake, max(most - laid, 0))
        if turn.table.setup.whole_chips:
            left -= left % part_step(turn, spot[2])
        return left, (says, basis)
    raise turn.refuse(says, basis)


def _in_box(round: Round, spot: Spot) -> list[Spot]:
    """The wagers on the same hand in the same box."""
    return [each for each in round.wagers if each[1:] == spot[1:]]


def _give_way(turn: Turn, spot: Spot) -> None:
    """Give standing money back that the sitter's leaves no room for under the maximum, the latest first (AMB-22)."""
    most = turn.table.setup.limits.maximum_of(spot[2])
    basis = turn.basis("limits", "over-maximum").plus(turn.basis("limits", "differential-priority"))
    while most is not None:
        wagers = turn.round().wagers
        there = _in_box(turn.round(), spot)
        over = sum(wagers[each].stake for each in there) - most
        standing = [each for each in there if stands(turn, each)]
        if over <= 0 or not standing:
            return
        latest = max(standing, key=lambda each: wagers[each].money[-1][0])
        back = min(round_up(over, part_step(turn, spot[2])), wagers[latest].money[-1][1])
        says = say("standing-money-gives-way", "Over the maximum: standing money gives way.")
        turn.happen(e.WagerLowered, *latest, back, says, basis=basis)
        advise(turn, latest)


def _may_lower(turn: Turn, round: Round, spot: Spot) -> None:
    if round.phase == "betting" or curing(turn, round, spot, adding=False) or is_in_window(round, spot):
        return
    if spot[0] in round.bound:
        offers = turn.book.offers.values()
        bound = [offer.bound for offer in offers if offer.bound] or [
            each.clause for offer in offers for each in offer.choices if each.do == "continue" and each.clause
        ]
        raise turn.refuse(
            say("bound-by-later-cards", "{patron} chose to go on, and is bound by every later card.", patron=spot[0]),
            Basis(tuple(bound)),
        )
    late = turn.point("betting", "late-withdrawal")
    basis = late.basis if late is not None else turn.basis("betting", "closes")
    raise turn.refuse(say("bets-closed-no-taking-back", "Bets are closed: a wager cannot be taken back."), basis)


def lower(turn: Turn, command: c.Lower) -> None:
    """Take part of a wager back."""
    spot, placed, round = owned(turn, command.patron, command.bet, command.box)
    turn.oneself_or_staff(command.patron)
    _may_lower(turn, round, spot)
    if not 0 < command.amount < placed.stake:
        raise Refused(
            say(
                "too-much-taken-back",
                "Of {stake:money} not {amount:money} can be taken back.",
                stake=placed.stake,
                amount=command.amount,
            )
        )
    limits = turn.table.setup.limits
    left = placed.stake - command.amount
    check_stake(turn.table.menu[spot[2]], left, turn.table.chips)
    if command.amount % limits.unit:
        raise Refused(
            say(
                "amount-not-in-chips",
                "{amount:money} is not in chips: the smallest is {unit:money}.",
                amount=command.amount,
                unit=limits.unit,
            )
        )
    least = limits.minimum_of(spot[2])
    if least is not None and left < least and turn.point("limits", "under-minimum-early") is None:
        scope = turn.basis("limits", "minimum-scope")
        raise turn.refuse(
            say("under-minimum", "{amount:money} is under the minimum of {minimum:money}.", amount=left, minimum=least),
            scope,
        )
    turn.happen(e.WagerLowered, *spot, command.amount, basis=cure_basis(turn, round))
    advise(turn, spot)
    if turn.round().phase == "betting":
        displace(turn)


def withdraw(turn: Turn, command: c.Withdraw) -> None:
    """Take a wager back."""
    spot, placed, round = owned(turn, command.patron, command.bet, command.box)
    turn.oneself_or_staff(command.patron)
    _may_lower(turn, round, spot)
    turn.happen(e.WagerLowered, *spot, placed.stake, basis=cure_basis(turn, round))
    if turn.round().phase == "betting":
        displace(turn)


def pull(turn: Turn, command: c.Pull) -> None:
    """Note that chips were taken back after the closing call.

    The wager stands all the same (AMB-34); where the book does not say so, that is referred (AMB-99).
    """
    turn.staff()
    spot, placed, round = owned(turn, command.patron, command.bet, command.box)
    if round.phase != "closed":
        raise Refused(say("before-call-wager-taken-back", "Before the closing call a wager is simply taken back."))
    if placed.pulled:
        raise Refused(say("chips-taken-back-already", "Those chips have been taken back already."))
    late = turn.point("betting", "late-withdrawal")
    basis = late.basis if late is not None else Basis(turn.basis("betting", "closes").clauses, ("AMB-34",))
    turn.happen(e.WagerPulled, *spot, basis=basis)
    if late is None:
        note = say("wager-taken-back-late", "{patron} took a wager back after the closing call", patron=command.patron)
        follow(turn, OTHER, note=note)


def objection(turn: Turn, command: c.Object) -> None:
    """Note an objection to another's wager in one's box. It has no effect: the rest of a box is open to others."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    point = turn.point("betting", "box-balance")
    if point is None:
        raise Refused(say("no-right-to-own-box", "The book knows no right to a box of one's own, and so no objection."))
    spot_of(turn, command.patron, "", command.box)
    turn.happen(e.ObjectionNoted, command.patron, command.box, basis=point.basis)


def cap_area(turn: Turn, command: c.CapArea) -> None:
    """Allow fewer wagers in an area than the book does."""
    point, most = turn.point("betting", "fewer-per-area"), turn.point("betting", "wagers-per-area")
    if point is None or most is None:
        raise Refused(say("wagers-in-area-not-counted", "The book does not count the wagers in an area."))
    turn.need(point.by or DEALER, point.basis)
    if not 1 <= command.most <= int(str(most.value)):
        raise turn.refuse(
            say(
                "wagers-allowed-in-area",
                "Between 1 and {most} wagers can be allowed in an area.",
                most=most.value,
            ),
            most.basis,
        )
    turn.happen(e.AreaCapped, command.most, basis=point.basis)


def clear_strike(turn: Turn, command: c.ClearStrike) -> None:
    """Forget that a patron has bet under the minimum; for supervisors only (AMB-28)."""
    point = turn.point("limits", "under-minimum-late")
    basis = point.basis if point else Basis()
    supervisors, post = turn.book.ranks[1], post_of(turn.table, turn.by)
    turn.need(post.rank if post is not None and post.rank in supervisors else supervisors[0], basis)
    if command.patron not in turn.table.strikes:
        raise Refused(say("no-strike-to-clear", "{patron} has not bet under the minimum.", patron=command.patron))
    turn.happen(e.StrikeCleared, command.patron, basis=basis)
