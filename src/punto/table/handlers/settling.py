"""The end of a round: settlement, ending without a result, settling again after a correction, and complaints."""

from collections.abc import Collection

from msgspec.structs import replace

from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.settlement import Chips, Cover, Limits, Line, Struck, Wager, came_back, capped, cover_line
from punto.settlement.limits import cutting, playing
from punto.settlement.settle import wager_line
from punto.table import commands as c
from punto.table import events as e
from punto.table.apply.settlement import original_back
from punto.table.authority import residual
from punto.table.felt import coup, first_four, whole
from punto.table.handlers.commission import recorded
from punto.table.handlers.differential import counting, gaps
from punto.table.handlers.insurance import is_back, was_missed
from punto.table.handlers.wagers import comes_back
from punto.table.knowledge import open_stages
from punto.table.questions import Topic
from punto.table.state import Question, Round, Spot
from punto.table.turn import Turn

_DRAWN_IN_VAIN = Basis((), ("AMB-111",))
"""What a round without a result had drawn is discarded, also what was to open the next one."""

Lines = dict[str, tuple[Line, ...]]
Spots = dict[str, tuple[Spot, ...]]


def settle(turn: Turn, command: c.Settle) -> None:
    """Settle the round, once the hands are finished and the result is called."""
    turn.staff()
    turn.unblocked()
    round = turn.round()
    if not whole(round):
        raise turn.refuse(say("hands-not-finished", "The hands are not finished."), turn.basis("dealing", "play"))
    announce = turn.point("dealing", "announce-result")
    if announce is not None and "result" not in round.announced:
        raise turn.refuse(say("result-before-paying", "The result is called before anything is paid."), announce.basis)
    pay(turn)


def pay(turn: Turn) -> None:
    """Pay and collect every wager and cover of the round."""
    round = turn.round()
    if _must_refer(turn, round):
        return
    lines, spots, strikes = settlement(turn, round)
    pulled: dict[str, int] = {}
    for spot, placed in round.wagers.items():
        if placed.pulled:
            pulled[spot[0]] = pulled.get(spot[0], 0) + placed.stake
    moves, away = {}, False
    for name, own in lines.items():
        had, kept = paid_early(round, name) if turn.menu.early else (0, 0)
        back = -pulled.get(name, 0) - had
        for line in own:
            back += line.stake + line.net
        moves[name] = _bounded(turn, name, back, recorded(turn.book, own) - kept)
        away = away or turn.table.patrons[name].away
    result = coup(round)
    basis = turn.basis("round", "ends")
    if away:
        basis = basis.plus(turn.basis("betting", "walk-away"))
    if pulled:
        basis = basis.plus(turn.basis("betting", "late-withdrawal"))
    faces = (tuple(map(str, result.player)), tuple(map(str, result.banker)))
    turn.happen(e.RoundSettled, lines, spots, moves, result.winner, faces, strikes, basis=basis)
    if turn.table.questions:
        turn.lapse("round")
    _control_of_the_shoe(turn, lines)


def paid_early(round: Round, name: str) -> tuple[int, int]:
    """What a patron was paid when the first four cards lay open: stakes with nets, and commission on record."""
    paid = [placed.paid for spot, placed in round.wagers.items() if placed.paid is not None and spot[0] == name]
    return sum(amount for amount, _ in paid), sum(kept for _, kept in paid)


def pay_first_four(turn: Turn) -> bool:
    """Pay and collect the bets that the first four cards settle, once these lie open; returns whether there are any."""
    round, early = turn.round(), turn.menu.early
    if not early or not open_stages(round):
        return False
    spots = {
        spot
        for spot, placed in round.wagers.items()
        if spot[2] in early and placed.paid is None and placed.back is None and not placed.pulled
    }
    if not spots:
        return False
    lines, about, _ = settlement(turn, round, spots)
    moves = {}
    for name, own in lines.items():
        back = sum(line.stake + line.net for line in own)
        moves[name] = _bounded(turn, name, back, recorded(turn.book, own))
    basis = Basis()
    for spot in round.wagers:
        if spot in spots:
            basis = basis.plus(turn.menu[spot[2]].bet.settled or Basis())
    turn.happen(e.FirstFourSettled, lines, about, moves, basis=basis)
    return True


def reverse_first_four(turn: Turn, basis: Basis) -> None:
    """Take back what was paid with the first four cards: these stakes lie on the felt again."""
    round = turn.table.running
    spots = tuple(spot for spot, placed in round.wagers.items() if placed.paid is not None) if round is not None else ()
    if round is None or not spots:
        return
    moves = {}
    for name in dict.fromkeys(spot[0] for spot in spots):
        had, kept = paid_early(round, name)
        moves[name] = _bounded(turn, name, -had, -kept)
    turn.happen(e.FirstFourReversed, spots, moves, basis=basis)


def _involved(turn: Turn) -> list[str]:
    round = turn.round()
    return list(dict.fromkeys([spot[0] for spot in round.wagers] + [each.spot[0] for each in round.covers]))


def _must_refer(turn: Turn, round: Round) -> bool:
    """Refer an exceeded differential that was found after the deal, in a book without a rule for it (AMB-24).

    Where the book does not apply the differential when it settles, there is nothing to refer.
    """
    late = turn.point("limits", "differential-late")
    if late is None or late.value != "refer" or round.passed or "differential" not in cutting(turn.book):
        return False
    over = gaps(turn, round)
    if not over:
        return False
    if DIFFERENTIAL_LATE.is_open(turn):
        return True
    hand, _, amount = over[0]
    says = say(
        "differential-seen-late",
        "{hand:hand} was over the differential by {amount:money}, which nobody saw before the "
        "deal. Are the wagers settled as they lie?",
        hand=hand,
        amount=amount,
    )
    DIFFERENTIAL_LATE.ask(turn, says, late.basis)
    return True


def _settle_or_void(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "settle":
        turn.happen(e.DifferentialPassed, basis=question.basis)
        if whole(turn.round()) and not turn.table.procedures:
            pay(turn)
    else:
        end_round(turn, "void", question.basis.plus(turn.basis("money", "void")))


DIFFERENTIAL_LATE = Topic(
    name="differential-late",
    to="residual",
    choices=("settle", "void"),
    reason=True,
    act=_settle_or_void,
    yields=True,
)


def settlement(turn: Turn, round: Round, spots: Collection[Spot] | None = None) -> tuple[Lines, Spots, tuple[str, ...]]:
    """The lines of the round by patron, the wagers they are about, and who used up their one bet under the minimum.

    With `spots` they are those of some wagers that the first four cards settle.
    """
    table, book = turn.table, turn.book
    menu, limits = table.menu, table.setup.limits
    result = coup(round) if spots is None else first_four(round)
    chips = table.chips_by(table.policies if round.rulings is None else round.rulings)
    parts = in_play(turn, round)
    strikes: set[str] = set()
    lines: dict[str, list[Line]] = {}
    about: dict[str, list[Spot]] = {}
    left: dict[Spot, int] = {}
    bets = menu.bets
    for spot, placed in round.wagers.items():
        if spots is not None and spot not in spots:
            continue
        name, least, wager = spot[0], limits.minimum_of(spot[2]), Wager(spot[2], placed.stake)
        under = least is not None and wager.stake < least
        back = comes_back(turn, round, spot, wager.stake) if under else None
        if back is None:
            effective, reason = min(parts[spot][0], wager.stake), parts[spot][1]
            line = wager_line(bets[spot[2]], wager, effective, reason, result, chips)
            if under:
                line = _under_minimum(turn, name, line, strikes)
            left[spot] = line.effective
            if placed.back is not None and line.net < 0 and was_missed(turn, round, spot[2]):
                line, left[spot] = original_back(spot[2], wager.stake, placed.back), wager.stake
        else:
            says = say(
                "stake-back-whatever-result",
                "{stake:money} on {bet} comes back whatever the result.",
                stake=wager.stake,
                bet=menu[spot[2]].bet.name,
            )
            line = Line(spot[2], wager.stake, 0, wager.stake, "returned", 0, None, back, str(says), says.message)
            left[spot] = 0
        if name in lines:
            lines[name].append(line)
            about[name].append(spot)
        else:
            lines[name], about[name] = [line], [spot]
    for cover in round.covers if spots is None else ():
        struck = Struck(Cover(cover.stage, cover.hand, cover.stake, 0), cover.row)
        full = left.get(cover.spot, 0)
        line = cover_line(book, result, struck, full == round.wagers[cover.spot].stake, chips)
        if not full or is_back(turn, round, cover):
            line = came_back(line)
        lines.setdefault(cover.spot[0], []).append(line)
        about.setdefault(cover.spot[0], []).append(cover.spot)
    if limits.payout is not None:
        _cap_payments(turn, lines, about, chips)
    return (
        {name: tuple(each) for name, each in lines.items()},
        {name: tuple(each) for name, each in about.items()},
        tuple(sorted(strikes)),
    )


def _cap_payments(turn: Turn, lines: dict[str, list[Line]], about: dict[str, list[Spot]], chips: Chips) -> None:
    """Cut what is paid to the posted payout, over all lines of the round as the book counts them."""
    flat = [(name, at) for name, own in lines.items() for at in range(len(own))]
    owners = [(name, about[name][at][1]) for name, at in flat]
    found = capped(turn.book, turn.table.setup.limits, [lines[name][at] for name, at in flat], owners, chips)
    for (name, at), line in zip(flat, found, strict=True):
        lines[name][at] = line


def in_play(turn: Turn, round: Round) -> dict[Spot, tuple[int, Basis]]:
    """The part of each measured wager that plays, by the limits, and why where that is not all of it.

    It follows from what lay there when the differential was measured: a wager taken back since has still its share,
    and nobody else's is more or less for that (AMB-114).
    """
    policies = turn.table.policies if round.rulings is None else round.rulings
    own = turn.book.policies.get("differential-scope")
    scope = policies.get("differential-scope") or (own.value if own else None)
    stakes = counting(turn, round)
    limits = turn.table.setup.limits
    posted = _without_differential(limits) if round.passed else limits
    wagers = [Wager(spot[2], stake) for spot, stake in stakes.items()]
    boxes, chips = [spot[1] for spot in stakes], turn.table.chips_by(policies)
    parts = playing(turn.table.menu, wagers, posted, boxes=boxes, scope=scope, chips=chips)
    return dict(zip(stakes, parts, strict=True))


def _without_differential(limits: Limits) -> Limits:
    return replace(limits, differential=None)


def _under_minimum(turn: Turn, name: str, line: Line, strikes: set[str]) -> Line:
    """The line of a wager under the minimum that nobody noticed, with the clause by which it is settled."""
    late = turn.point("limits", "under-minimum-late")
    if late is None:
        return line
    if late.value == "settle-once" and line.result in ("win", "lose"):
        strikes.add(name)
    basis = line.basis.plus(late.basis)
    return replace(line, basis=basis)


def _bounded(turn: Turn, name: str, total: int, on_record: int = 0) -> tuple[int, int]:
    """An amount split into what the balance can pay and what is owed.

    Commission `on_record` is owed, and so paid out with the rest; what is taken off the record was perhaps paid since.
    """
    patron = turn.table.patrons[name]
    on_record = max(on_record, -patron.owed)
    lowest, paid = -patron.balance, total + on_record
    return (paid, on_record) if paid >= lowest else (lowest, lowest - paid + on_record)


def _control_of_the_shoe(turn: Turn, lines: Lines) -> None:
    """End a patron's control of the shoe when their money on both hands together loses (AMB-81)."""
    shoe = turn.table.shoe
    controller = shoe.controller if shoe is not None else None
    if controller is None:
        return
    net = sum(line.net for line in lines.get(controller, ()) if line.bet in ("player", "banker"))
    if net < 0:
        turn.happen(e.ShoeGivenBack, controller, basis=turn.basis("dealing", "method-c-control-ends"))


def end_round(turn: Turn, how: str, basis: Basis) -> None:
    """End a round without a result: every stake goes back, and payments that were made are taken back."""
    round = turn.table.round
    assert round is not None
    reversed_ = round.phase == "settled"
    if not reversed_:
        reverse_first_four(turn, basis)
    shoe = turn.table.shoe
    if round.handed_on and not round.only_seen and shoe is not None and round.shoe == shoe.number:
        turn.happen(e.CardsRecalled, round.handed_on, basis=_DRAWN_IN_VAIN)
    returned, owed = {}, {}
    if reversed_:
        for name, lines in round.lines.items():
            if name in turn.table.patrons:
                total, kept = -sum(line.net for line in lines), -recorded(turn.book, lines)
                returned[name], owed[name] = _bounded(turn, name, total, kept)
    else:
        returned = {name: turn.table.patrons[name].held for name in _involved(turn)}
    last, paused = len(turn.table.procedures) - 1, turn.table.paused
    for question in turn.table.questions:
        of_next = paused is not None and (question.step is None or question.step < paused.procedures)
        of_play = question.blocks if question.step is None else question.step != last
        if not of_next and (of_play or question.lapses in ("round", "cured", "window")):
            turn.happen(e.Lapsed, question.id, basis=question.basis)
    turn.happen(
        e.RoundEnded, how, reversed_, returned, {name: each for name, each in owed.items() if each}, basis=basis
    )


def settle_again(turn: Turn, basis: Basis) -> None:
    """Settle a paid round again by corrected cards: the difference is paid or collected."""
    round = turn.table.round
    assert round is not None
    before = {name: sum(line.net for line in lines) for name, lines in round.lines.items()}
    kept = {name: recorded(turn.book, lines) for name, lines in round.lines.items()}
    lines, spots, _ = settlement(turn, round)
    moves = {}
    for name, own in lines.items():
        if name in turn.table.patrons:
            more = recorded(turn.book, own) - kept.get(name, 0)
            moves[name] = _bounded(turn, name, sum(line.net for line in own) - before.get(name, 0), more)
    result = coup(round)
    faces = (tuple(map(str, result.player)), tuple(map(str, result.banker)))
    turn.happen(e.RoundSettled, lines, spots, moves, result.winner, faces, (), True, basis=basis)


def lost_on(turn: Turn, round: Round) -> dict[Spot, int]:
    """How much a settled round took from each wager that lost."""
    lines, spots, _ = settlement(turn, round)
    both = [pair for name in lines for pair in zip(spots[name], lines[name], strict=True)]
    return {spot: -line.net for spot, line in both if line.bet == spot[2] and line.net < 0}


def settled_winner(round: Round) -> str | None:
    """The winner of a settled round; None if it is not settled."""
    return round.result.winner if round.result is not None else None


def complain(turn: Turn, command: c.Complain) -> None:
    """Answer a complaint about the past with what the book says of it."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    about = {"misplaced": ("betting", "misplaced"), "limits": ("limits", "past"), "display": ("display", "outcome")}
    if command.about not in about:
        raise Refused(
            say(
                "complaint-is-about",
                "A complaint is about {about:list}; anything else is a dispute.",
                about=list(about),
            )
        )
    point = turn.point(*about[command.about])
    if command.about == "misplaced" and point is None:
        point = turn.point("betting", "by-staff")
    if point is None:
        _, given = residual(turn.table)
        turn.happen(
            e.ComplaintAnswered,
            command.patron,
            command.about,
            say("raise-a-dispute", "The book does not say: raise a dispute."),
            basis=given.basis,
        )
        return
    says = {
        "misplaced": say(
            "wagers-count-where-they-lay", "Wagers count where they lay at the closing call, whoever placed them."
        ),
        "limits": say("earlier-rounds-settled", "What was settled in earlier rounds is settled."),
        "display": say("display-informs", "A display only informs: the cards count."),
    }[command.about]
    turn.happen(e.ComplaintAnswered, command.patron, command.about, says, basis=point.basis)
