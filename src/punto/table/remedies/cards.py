"""Steps that put cards right: laid as they belong, carried over, taken back, changed."""

from punto.messages import say
from punto.rulebook import Basis
from punto.rulebook.facts import FACTS, FREE_HAND, LEFT_OVER
from punto.rulebook.model import Remedy
from punto.table import commands as c
from punto.table import events as e
from punto.table.apply.irregularities import MISREAD
from punto.table.felt import areas_in_order, aside, due, due_without_surplus, in_hands, read_hands, unexposed
from punto.table.handlers.drawing import take_card
from punto.table.handlers.insurance import price_again
from punto.table.handlers.settling import reverse_first_four
from punto.table.places import known_on_top
from punto.table.questions import YES_OR_NO, Topic
from punto.table.remedies.steps import decider, done, rests_on, return_wager
from punto.table.state import Procedure, Question, Round
from punto.table.turn import Turn


def reconstruct(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Lay the cards as they should have been dealt; surplus ones lie aside or are carried to the next round."""
    round = _correctable(turn, procedure)
    paid = round is None and turn.table.round is not None and turn.table.round.phase == "settled"
    basis = rests_on(step, procedure)
    seen = FACTS[procedure.fact].lays == "seen"
    if seen and (round is None or not round.cards):
        _carry_seen(turn, basis, free=False)
        done(turn, step, procedure, says=say("card-first-in-coming-deal", "The card comes first in the coming deal."))
        return
    if paid and procedure.guards.get("reconstructible") == "true":
        done(
            turn,
            step,
            procedure,
            branch="refer",
            says=say("round-paid-as-cards-lay", "The round has been paid as the cards lay."),
        )
        return
    if round is None or procedure.guards.get("reconstructible") == "false":
        if round is not None:
            turn.happen(e.LeftAsItLies, basis=basis)
        done(turn, step, procedure, says=say("cards-stay", "The cards stay as they lie."))
        return
    if aside(round) or not seen:
        turn.happen(e.CardsRelaid, areas_in_order(round, insured=turn.book.insurance is not None), basis=basis)
        price_again(turn, basis)
    elif known_on_top(turn.table) and (at := read_hands(round.cards, banker_first=True).due) is not None:
        take_card(turn, at)
    if step.object == "surplus-carried":
        _carry_surplus(turn, procedure, basis)
    done(turn, step, procedure, says=say("cards-laid-as-due", "The cards lie now as they should have been dealt."))


def _correctable(turn: Turn, procedure: Procedure) -> Round | None:
    """The round whose cards a step may move: the running one, or the one that is paid if a card of it was misread."""
    paid = MISREAD in procedure.guards and turn.table.round is not None and turn.table.round.phase == "settled"
    return turn.table.round if paid else turn.table.running


def _carry_surplus(turn: Turn, procedure: Procedure, basis: Basis) -> None:
    """Carry cards that lie aside over to the next round, once this one needs no more."""
    round = _correctable(turn, procedure)
    if round is None or turn.table.shoe is None or round.shoe != turn.table.shoe.number:
        return
    surplus = aside(round)
    if surplus and in_hands(round) >= 4 and not unexposed_in_hands(round) and due(round) is None:
        turn.happen(e.CardsCarried, surplus, basis=basis)


def _carry_seen(turn: Turn, basis: Basis, *, free: bool) -> bool:
    """Carry the next cards in the shoe over if they were seen; False if none was."""
    seen = known_on_top(turn.table)
    if seen:
        turn.happen(e.CardsCarried, (), free, seen, basis=basis)
    return bool(seen)


def unexposed_in_hands(round: Round) -> bool:
    """Whether a card of either hand still lies face down."""
    return any(round.cards[at].area != "aside" for at in unexposed(round))


def reassign(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Make the surplus card the third card of the other hand, if one is due to it."""
    round = _correctable(turn, procedure)
    if round is None:
        done(
            turn,
            step,
            procedure,
            says=say("no-round-to-take-card-from", "No round is running that a card could be taken from."),
        )
        return
    hand = (step.object or "").partition("-")[0]
    areas, places = [each.area for each in round.cards], aside(round)
    if not places or due_without_surplus(round) != hand:
        says = say("no-card-for-hand", "No card lies aside that is due to the {hand:hand}.", hand=hand)
        done(turn, step, procedure, says=says)
        return
    areas[places[0]] = "player" if hand == "player" else "banker"
    turn.happen(e.CardsRelaid, tuple(areas), basis=rests_on(step, procedure))
    done(turn, step, procedure, says=say("card-is-third-of-hand", "The card is the {hand:hand}'s third.", hand=hand))


def carry(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Carry the surplus cards over: the next round begins with them."""
    carried = _to_next(turn, procedure, rests_on(step, procedure), free=False)
    says = say("card-begins-next-round", "The card begins the next round.")
    done(turn, step, procedure, says=says if carried else say("no-card-to-carry", "No card is left over to carry."))


def _to_next(turn: Turn, procedure: Procedure, basis: Basis, *, free: bool, after_last: bool = False) -> bool:
    """Carry cards over that lie aside or were seen, and free the hand that they begin; False if there is no card."""
    round, running = turn.table.round, turn.table.running
    carried = False
    if round is not None and turn.table.shoe is not None and round.phase in ("closed", "settled"):
        surplus = aside(round) if round.shoe == turn.table.shoe.number else ()
        if surplus:
            turn.happen(e.CardsCarried, surplus, free, after_last=after_last, basis=basis)
            carried = True
    if procedure.fact == LEFT_OVER.id or (running is not None and running.cards):
        carried = _carry_seen(turn, basis, free=free) or carried
    if not carried and free:
        now = running is not None and not running.cards
        if now:
            _return_all(turn, basis)
        if now or turn.table.shoe is not None:
            turn.happen(e.HandFreed, now, basis=basis.plus(turn.basis("round", "free-hand")))
    return carried


def make_free(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Make this hand, or the next one, a free hand."""
    basis = rests_on(step, procedure)
    if step.object == "this":
        if turn.table.running is not None:
            _return_all(turn, basis)
            turn.happen(e.HandFreed, True, basis=basis.plus(turn.basis("round", "free-hand")))
        done(turn, step, procedure, says=say("this-hand-is-free", "This hand is a free hand."))
        return
    carried = _to_next(turn, procedure, basis, free=True, after_last=step.object == "after-last")
    says = say("coming-hand-free", "The coming hand is a free hand, begun with that card.")
    done(turn, step, procedure, says=says if carried else say("coming-hand-is-free", "The coming hand is a free hand."))


def remove_wagers(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Give all wagers back."""
    if turn.table.running is not None:
        _return_all(turn, rests_on(step, procedure))
    done(turn, step, procedure, says=say("all-wagers-removed", "All wagers are removed."))


def _return_all(turn: Turn, basis: Basis) -> None:
    rows = (row.basis for row in turn.book.irregularities if row.fact == FREE_HAND.id)
    rests = basis.plus(next(rows, Basis()))
    for spot in list(turn.round().wagers):
        return_wager(turn, spot, say("free-hand-has-no-wagers", "Removed: a free hand has no wagers."), rests)


def deal_carried_first(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Say that carried cards are dealt first; `take_card` sees to it."""
    done(
        turn,
        step,
        procedure,
        says=say("carried-cards-first", "Carried cards are dealt first, in their order."),
    )


def keep_last_hand(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Say whether this free hand is the announced last hand of the shoe."""
    shoe = turn.table.shoe
    last = shoe is not None and shoe.last_round is not None
    says = (
        say("free-hand-last-shoe", "This free hand is the last of the shoe.")
        if last
        else say("last-hand-not-announced", "The last hand has not been announced.")
    )
    done(turn, step, procedure, says=says)


def retrieve_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Take cards back: to the right person if they were handed to a wrong one, else unseen to the shoe."""
    basis = rests_on(step, procedure)
    if not FACTS[procedure.fact].handed_over:
        if turn.table.running is not None and turn.round().cards:
            reverse_first_four(turn, basis)
            turn.happen(e.CardsRetrieved, basis=basis)
        done(
            turn,
            step,
            procedure,
            says=say("cards-back-to-shoe", "The cards go back to the top of the shoe, unseen."),
        )
        return
    redeliver(turn, procedure, basis)
    done(
        turn,
        step,
        procedure,
        says=say("cards-to-right-person", "The cards are retrieved and passed to the right person."),
    )


def redeliver(turn: Turn, procedure: Procedure, basis: Basis) -> None:
    """Hand the cards of a hand to whoever squeezes it."""
    round = turn.table.running
    if round is not None and procedure.hand is not None:
        turn.happen(e.Delivered, procedure.hand, round.squeezers.get(procedure.hand), basis=basis)


def make_good_burn(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Burn a card if the burn was missed."""
    shoe = turn.table.shoe
    if shoe is not None and not shoe.burned and shoe.left:
        turn.happen(e.Burned, 1, basis=rests_on(step, procedure).plus(turn.basis("dealing", "burn")))
    done(turn, step, procedure, says=say("burn-made-good", "The burn is made good."))


def dealer_opens(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Let the dealer open the cards of a patron who is away, or of all who squeeze."""
    round = turn.table.running
    absent = [] if round is None else [hand for hand, who in round.squeezers.items() if procedure.patron in (None, who)]
    for hand in absent:
        turn.happen(e.Delivered, hand, None, basis=rests_on(step, procedure))
        turn.happen(e.SqueezeDeclined, "", hand, basis=rests_on(step, procedure))
    done(turn, step, procedure, says=say("dealer-opens-cards", "The dealer opens the cards."))


def replace_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Have the cards changed before the next round, or ask whether they are."""
    basis = rests_on(step, procedure)
    shoe = turn.table.shoe
    if shoe is None or (step.object != "must" and (shoe.replace is not None or REPLACE_CARDS.is_open(turn))):
        done(turn, step, procedure)
        return
    if step.object == "must":
        must_be_replaced(turn, basis)
        done(
            turn,
            step,
            procedure,
            says=say("cards-are-changed", "The cards are changed before the next round."),
        )
        return
    rank = decider(turn, step, procedure)
    REPLACE_CARDS.ask(turn, say("are-cards-changed", "Are the cards changed before the next round?"), basis, rank=rank)
    done(turn, step, procedure, says=say("cards-may-changed", "The cards may be changed."))


def must_be_replaced(turn: Turn, basis: Basis) -> None:
    """The cards are changed before the next round: whether they are is no question any more."""
    for question in [each for each in turn.table.questions if each.topic == REPLACE_CARDS.name]:
        turn.happen(e.Lapsed, question.id, basis=basis)
    turn.happen(e.CardsToBeReplaced, basis=basis)


def _replace_if_so(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes" and turn.table.shoe is not None:
        must_be_replaced(turn, question.basis)


REPLACE_CARDS = Topic(
    name="replace-cards",
    to="rank",
    choices=YES_OR_NO,
    blocks=False,
    lapses="next-round",
    default="no",
    act=_replace_if_so,
)
