"""The differential: how far one hand may outweigh the other, before the closing call and after it."""

from punto.messages import Sentence, say
from punto.rulebook import Basis, Refused
from punto.rulebook.facts import HANDS
from punto.rulebook.vocabulary import DEALER
from punto.settlement.chips import check_stake
from punto.settlement.limits import cutting
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.wagers import advise, comes_back, owned, part_step, round_up, stands
from punto.table.questions import Topic
from punto.table.state import Question, Round, Spot
from punto.table.turn import Turn

Says = tuple[Sentence | None, Basis]
"""A sentence and what it rests on."""

NO_REASON: Says = (None, Basis())


def measured(round: Round) -> dict[Spot, int]:
    """What lies on each spot for the differential: as it was measured, or as it lies now if it is not yet."""
    if round.counted is not None:
        return round.counted
    return {spot: placed.stake for spot, placed in round.wagers.items()}


def counting(turn: Turn, round: Round) -> dict[Spot, int]:
    """What counts for the differential: the measured wagers without those that come back whatever the result."""
    stakes = measured(round)
    if not turn.table.strikes:
        return stakes
    return {spot: stake for spot, stake in stakes.items() if comes_back(turn, round, spot, stake) is None}


def _to_maximum(turn: Turn, stakes: dict[Spot, int]) -> dict[Spot, int]:
    """Stakes without what a maximum cuts off, where that goes before the differential (AMB-29)."""
    over, limits, order = turn.point("limits", "over-maximum"), turn.table.setup.limits, cutting(turn.book)
    if over is None or over.value != "to-maximum" or order[:1] != ("maximum",):
        return stakes
    return {spot: min(stake, limits.maximum_of(spot[2]) or stake) for spot, stake in stakes.items()}


def gaps(turn: Turn, round: Round) -> list[tuple[str, int | None, int]]:
    """Where the differential is exceeded: the heavier hand, the box (None for the whole table), by how much."""
    limit = turn.table.setup.limits.differential
    if limit is None:
        return []
    stakes = measured(round)
    if sum(stakes.values()) <= limit:
        return []  # no hand can outweigh the other by more than all wagers together
    scope = turn.table.policy("differential-scope") or "table"
    sums: dict[int | None, list[int]] = {}
    for (_, box, bet), stake in _to_maximum(turn, counting(turn, round)).items():
        if bet in HANDS:
            for key in ([box] if scope in ("box", "both") else []) + ([None] if scope in ("table", "both") else []):
                sums.setdefault(key, [0, 0])[bet == "banker"] += stake
    found = []
    for key, (player, banker) in sums.items():
        if abs(player - banker) > limit:
            found.append(("player" if player > banker else "banker", key, abs(player - banker) - limit))
    return found


def room(turn: Turn, round: Round, spot: Spot, stake: int) -> tuple[int, Says]:
    """How much of new money the differential leaves room for, in a book that rejects the excess at once, and why."""
    point = turn.point("limits", "differential-early")
    limit = turn.table.setup.limits.differential
    if point is None or point.value != "reject" or limit is None or spot[2] not in HANDS or not stake:
        return stake, NO_REASON
    scope = turn.table.policy("differential-scope")
    patrons, (_, at, hand) = turn.table.patrons, spot
    seated = patrons[spot[0]].box == at
    gap = in_box = standing = 0  # this hand less the other, on the table and in the box; and standing money in the box
    for (name, box, bet), placed in round.wagers.items():
        if bet == hand:
            gap += placed.stake
            if box == at:
                in_box += placed.stake
                if patrons[name].box != box:
                    standing += placed.stake
        elif bet in HANDS:
            gap -= placed.stake
            if box == at:
                in_box -= placed.stake
    over = (gap if scope == "table" else in_box if scope == "box" else max(gap, in_box)) + stake - limit
    if over <= 0:
        return stake, NO_REASON
    room = max(stake - max(over - (standing if seated else 0), 0), 0)
    if room != stake:
        room -= room % part_step(turn, hand)
    basis = point.basis.plus(turn.basis("limits", "differential-priority"))
    basis = basis.plus(turn.policy_basis("differential-scope")).plus(turn.basis("limits", "differential-means"))
    return room, (
        say(
            "differential-leaves-room",
            "The differential of {differential:money} leaves room for {room:money}.",
            differential=limit,
            room=room,
        ),
        basis,
    )


def displace(turn: Turn) -> None:
    """Give back money over the differential: standing before seated, the latest first (AMB-22, AMB-108)."""
    point = turn.point("limits", "differential-early")
    if point is None or point.value != "reject":
        return
    while over := gaps(turn, turn.round()):
        hand, box, amount = over[0]
        on = [(s, p) for s, p in turn.round().wagers.items() if s[2] == hand and box in (None, s[1])]
        spot, placed = max(on, key=lambda each: (stands(turn, each[0]), each[1].money[-1][0]))
        back = min(round_up(amount, part_step(turn, hand)), placed.money[-1][1])
        says = say(
            "standing-gives-way-first",
            "Over the differential: standing money gives way first, the latest before the earlier.",
        )
        basis = point.basis.plus(turn.basis("limits", "differential-priority"))
        turn.happen(e.WagerLowered, *spot, back, says, basis=basis.plus(turn.policy_basis("differential-scope")))
        advise(turn, spot)


def remove(turn: Turn, command: c.Remove) -> None:
    """Take money off the felt to cure an exceeded differential."""
    point = turn.point("limits", "differential-remove")
    if point is None:
        raise Refused(
            say("no-removal-for-differential", "In this book nobody takes wagers off to cure the differential.")
        )
    spot, placed, round = owned(turn, command.patron, command.bet, command.box)
    if round.cards or not any(hand == spot[2] for hand, _, _ in gaps(turn, round)):
        raise turn.refuse(
            say("removal-only-over-differential", "Wagers come off only while their hand is over the differential."),
            point.basis,
        )
    turn.need(point.by or DEALER, point.basis)
    if not 0 < command.amount <= placed.stake:
        raise Refused(
            say(
                "too-much-removed",
                "Of {stake:money} not {amount:money} can be removed.",
                stake=placed.stake,
                amount=command.amount,
            )
        )
    left = placed.stake - command.amount
    least = turn.table.setup.limits.minimum_of(spot[2])
    if least is not None and 0 < left < least:
        scope = turn.basis("limits", "minimum-scope")
        raise turn.refuse(
            say("under-minimum", "{amount:money} is under the minimum of {minimum:money}.", amount=left, minimum=least),
            scope,
        )
    if left:
        check_stake(turn.table.menu[spot[2]], left, turn.table.chips)
    if command.amount % turn.table.setup.limits.unit:
        raise Refused(say("whole-chips-come-off", "Only whole chips come off."))
    turn.happen(
        e.WagerLowered,
        *spot,
        command.amount,
        say("removed-for-differential", "Removed to meet the differential."),
        basis=point.basis,
    )


def curing(turn: Turn, round: Round, spot: Spot, *, adding: bool) -> bool:
    """Whether a wager may change after the call to cure an exceeded differential: lighter adds, heavier reduces."""
    if spot[2] not in HANDS:
        return False
    point = turn.point("limits", "differential-early")
    if adding and point is not None and point.value == "ask-then-remove" and spot not in round.wagers:
        return False  # only who has a wager there may increase it
    return any((hand != spot[2]) if adding else (hand == spot[2]) for hand, _, _ in to_cure(turn, round))


def to_cure(turn: Turn, round: Round) -> list[tuple[str, int | None, int]]:
    """Where an exceeded differential is cured after the call by those who have bet; nothing where it is not."""
    point = turn.point("limits", "differential-early")
    if point is None or round.phase != "closed" or round.cards:
        return []
    return gaps(turn, round) if point.value in ("ask-then-remove", "alter") else []


def cure_basis(turn: Turn, round: Round) -> Basis:
    """What lowering a wager after the call rests on."""
    return turn.basis("limits", "differential-ask") if round.phase == "closed" else Basis()


def cure(turn: Turn) -> None:
    """Ask that an exceeded differential be cured, in a book that does so; the question lapses once it is met."""
    early = turn.point("limits", "differential-early")
    if early is None or early.value != "ask-then-remove":
        return
    round = turn.table.running
    asked = [each for each in turn.table.questions if each.topic == DIFFERENTIAL.name]
    over = gaps(turn, round) if round is not None and not round.cards else []
    if not over or round is None or round.phase != "closed":
        for question in asked:
            turn.happen(e.Lapsed, question.id, basis=question.basis)
        return
    if asked:
        return
    hand, _, amount = over[0]
    basis = early.basis.plus(turn.basis("limits", "differential-ask")).plus(turn.basis("limits", "differential-add"))
    basis = basis.plus(turn.basis("limits", "differential-means"))
    says = say(
        "over-differential-reduce",
        "{hand:hand} is over the differential by {amount:money}: who backs it is asked to "
        "reduce, the other side may add; else wagers are removed.",
        hand=hand,
        amount=amount,
    )
    remove = turn.point("limits", "differential-remove")
    rank = (remove.by if remove else None) or DEALER
    DIFFERENTIAL.ask(turn, says, basis.plus(remove.basis if remove else Basis()), rank=rank)


def _remove_latest(turn: Turn, question: Question, command: c.Answer) -> None:
    """Take the latest money on the heavier hand off until the differential is met."""
    basis = turn.basis("limits", "differential-remove")
    while over := gaps(turn, turn.round()):
        hand, box, amount = over[0]
        on = [(spot, each) for spot, each in turn.round().wagers.items() if spot[2] == hand and box in (None, spot[1])]
        spot, placed = max(on, key=lambda each: each[1].money[-1][0])
        whole = round_up(amount, part_step(turn, hand)) if turn.table.setup.whole_chips else amount
        back = min(whole, placed.money[-1][1])
        if placed.stake - back < (turn.table.setup.limits.minimum_of(hand) or 0):
            back = placed.stake  # nothing under the minimum is left standing
        turn.happen(
            e.WagerLowered,
            *spot,
            back,
            say("removed-for-differential", "Removed to meet the differential."),
            basis=basis,
        )
    cure(turn)


DIFFERENTIAL = Topic(
    name="differential", to="rank", choices=("remove",), blocks=False, lapses="cured", act=_remove_latest
)


def check_cured(turn: Turn, round: Round) -> None:
    """Refuse the first card while the differential is exceeded, in a book that cures it until then (AMB-23, AMB-24)."""
    early = turn.point("limits", "differential-early")
    if round.cards or early is None or early.value == "reject":
        return
    over = gaps(turn, round)
    if over:
        raise turn.refuse(
            say(
                "differential-before-card",
                "The differential is exceeded by {amount:money}: no card before it is met.",
                amount=over[0][2],
            ),
            early.basis,
        )
