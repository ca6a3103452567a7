"""The opening and the closing call: when bets are taken, and from which shoe."""

from punto.messages import Sentence, say
from punto.rulebook import Basis
from punto.rulebook.facts import FREE_HAND, TOO_FEW_CARDS
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.companions import keep_companions
from punto.table.handlers.differential import cure, displace, gaps
from punto.table.handlers.late_bets import close_late_bets
from punto.table.handlers.reporting import begin_free_hand, put_left_over
from punto.table.handlers.rows import find_row
from punto.table.places import is_whole
from punto.table.turn import Turn

_BURN_FIRST = say("burn-before-round", "A card is burned before the first round.")


def open_bets(turn: Turn, command: c.OpenBets) -> None:
    """Open bets for the next round; the last one is final from then on."""
    opens = turn.basis("betting", "opens")
    turn.staff(opens)
    turn.between_rounds(say("bets-opened-between-rounds", "Bets are opened only between rounds."), opens)
    turn.unblocked()
    shoe = turn.shoe()
    unfit = unfit_shoe(turn)
    if unfit is not None:
        raise turn.refuse(*unfit)
    number = _next_number(turn)
    methods = turn.point("dealing", "methods")
    if methods is not None and turn.table.method is None:
        raise turn.refuse(
            say("method-before-round", "A method of dealing must be chosen before the round."),
            methods.basis,
        )
    check_burnt(turn)
    burn = turn.point("dealing", "burn")
    if turn.table.setup.shoe == "virtual" and burn is not None and not shoe.burned and not shoe.rounds:
        raise turn.refuse(_BURN_FIRST, burn.basis)  # a virtual burn cannot be made good later
    turn.lapse("next-round")
    if put_left_over(turn):
        return
    basis = opens.plus(turn.basis("round", "begins")) if _begins_with_call(turn) else opens
    free = shoe.free_next
    turn.happen(e.BetsOpened, number, free, basis=basis.plus(turn.basis("round", "free-hand")) if free else basis)
    if free:
        begin_free_hand(turn)


def to_be_burned(turn: Turn) -> Basis | None:
    """By what a card is burned before any is dealt: the first was seen, and one that was seen begins no hand."""
    burn, shoe = turn.point("dealing", "burn"), turn.table.shoe
    if burn is None or shoe is None or shoe.burned or not shoe.top or not is_whole(shoe):
        return None
    return burn.basis


def check_burnt(turn: Turn) -> None:
    """Refuse the first card while one that was seen is still to be burned."""
    basis = to_be_burned(turn)
    if basis is not None:
        raise turn.refuse(_BURN_FIRST, basis)


def unfit_shoe(turn: Turn) -> tuple[Sentence, Basis] | None:
    """Why no round can be dealt from the shoe in use, if none can: other cards come into use first."""
    shoe = turn.shoe()
    if shoe.replace is not None:
        return say("cards-change-before-round", "The cards must be changed before the next round."), shoe.replace
    is_past = shoe.last_round is not None and _next_number(turn) > shoe.last_round
    if is_past and not shoe.free_after_last:
        says = say("last-hand-of-shoe-played", "The last hand of this shoe has been played.")
        return says, Basis(_last_hand(turn), ("AMB-97",))
    if not shoe.left and not shoe.carried:
        says = say("shoe-used-up", "The shoe is used up: other cards come into use before the next round.")
        return says, turn.row_basis(TOO_FEW_CARDS.id)
    return None


def _next_number(turn: Turn) -> int:
    return 1 if turn.table.round is None else turn.table.round.number + 1


def _begins_with_call(turn: Turn) -> bool:
    point = turn.point("round", "begins")
    return point is not None and point.value == "opening-call"


def _last_hand(turn: Turn) -> tuple[str, ...]:
    """The clause by which a free hand can be the last hand of the shoe, where the book has one."""
    found = find_row(turn, FREE_HAND, None)
    steps = () if found is None else found[1].do
    return tuple(step.clause for step in steps if step.verb == "last-hand" and step.clause)


def close_bets(turn: Turn, command: c.CloseBets) -> None:
    """Close bets: money over the differential or under the minimum goes back, the rest counts as it lies."""
    closes = turn.basis("betting", "closes")
    turn.staff(closes)
    round = turn.table.running
    if round is not None and round.late:
        close_late_bets(turn)
        return
    if round is None or round.phase != "betting":
        raise turn.refuse(say("bets-not-open", "Bets are not open."), closes)
    early = turn.point("limits", "differential-early")
    over = gaps(turn, round)
    if over and early is not None and early.value == "alter":
        hand, _, amount = over[0]
        basis = early.basis.plus(turn.basis("limits", "displayed")).plus(turn.basis("limits", "differential-means"))
        raise turn.refuse(
            say(
                "differential-exceeded-on-hand",
                "The differential is exceeded by {amount:money} on {hand:hand}: wagers must be altered.",
                amount=amount,
                hand=hand,
            ),
            basis,
        )
    if over:
        displace(turn)
    keep_companions(turn)
    while under := [(spot, placed) for spot, placed in turn.round().wagers.items() if placed.advised]:
        for spot, placed in under:
            says = say(
                "under-minimum-comes-back",
                "Under the minimum, and neither raised nor taken back: it comes back (AMB-25).",
            )
            turn.happen(e.WagerLowered, *spot, placed.stake, says, basis=turn.basis("limits", "under-minimum-early"))
        displace(turn)
        keep_companions(turn)
    turn.happen(e.BetsClosed, basis=closes.plus(turn.basis("betting", "misplaced")))
    cure(turn)
