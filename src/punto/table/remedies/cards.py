"""Steps that put cards right: laid as they belong, carried over, taken back, changed."""

from punto.rulebook import Basis
from punto.rulebook.facts import FACTS, FREE_HAND
from punto.rulebook.model import Remedy
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import areas_in_order, coup, due, due_without_surplus, unexposed, whole
from punto.table.handlers.insurance import price_again
from punto.table.handlers.settling import settle_again
from punto.table.questions import YES_OR_NO, Topic
from punto.table.remedies.steps import decider, done, rests_on, return_wager
from punto.table.state import Procedure, Question, Round
from punto.table.turn import Turn


def reconstruct(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Lay the cards as they should have been dealt; surplus ones lie aside or are carried to the next round."""
    round, shoe = turn.table.running, turn.table.shoe
    paid = turn.table.round is not None and turn.table.round.phase == "settled"
    if FACTS[procedure.fact].lays == "seen-aside" and (round is None or not round.cards):
        if procedure.faces and not procedure.cards and shoe is not None and shoe.left:
            turn.happen(e.CardsCarried, (), seen=procedure.faces, basis=rests_on(step, procedure))
        done(turn, step, procedure, says="The card comes first in the coming deal.")
        return
    if paid and procedure.guards.get("reconstructible") == "true":
        done(turn, step, procedure, branch="refer", says="The round has been paid as the cards lay.")
        return
    if round is None or procedure.guards.get("reconstructible") == "false":
        done(turn, step, procedure, says="The cards stay as they lie.")
        return
    basis = rests_on(step, procedure)
    surplus = step.object == "surplus-carried"
    turn.happen(e.CardsRelaid, areas_in_order(turn.round()), surplus, basis=basis)
    price_again(turn, basis)
    carry_aside(turn, basis)
    done(turn, step, procedure, says="The cards lie now as they should have been dealt.")


def carry_aside(turn: Turn, basis: Basis) -> None:
    """Carry cards that lie aside over to the next round, once this one needs no more."""
    round = turn.round()
    aside = tuple(at for at, each in enumerate(round.cards) if each.area == "aside")
    dealt = len(round.cards) - len(aside)
    if aside and round.carry and dealt >= 4 and not unexposed_in_hands(round) and due(round) is None:
        turn.happen(e.CardsCarried, aside, basis=basis)


def unexposed_in_hands(round: Round) -> bool:
    """Whether a card of either hand still lies face down."""
    return any(round.cards[at].area != "aside" for at in unexposed(round))


def reassign(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Make the surplus card the third card of the other hand, if one is due to it."""
    round = turn.table.running
    if round is None:
        done(turn, step, procedure, says="No round is running that a card could be taken from.")
        return
    hand = (step.object or "").partition("-")[0]
    areas = [each.area for each in round.cards]
    places = [at for at, area in enumerate(areas) if area == "aside"]
    if places and due_without_surplus(round) == hand:
        areas[places[0]] = "player" if hand == "player" else "banker"
        turn.happen(e.CardsRelaid, tuple(areas), basis=rests_on(step, procedure))
    done(turn, step, procedure, says=f"The card is the {hand.capitalize()}'s third.")


def carry(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Carry the surplus card over: the next round begins with it."""
    _to_next(turn, rests_on(step, procedure), free=False)
    done(turn, step, procedure, says="The card begins the next round.")


def _to_next(turn: Turn, basis: Basis, *, free: bool, after_last: bool = False) -> None:
    round = turn.table.running
    aside = () if round is None else tuple(at for at, each in enumerate(round.cards) if each.area == "aside")
    if aside:
        turn.happen(e.CardsCarried, aside, free, after_last=after_last, basis=basis)
    elif free:
        now = round is not None and not round.cards
        if now:
            _return_all(turn, basis)
        if now or turn.table.shoe is not None:
            turn.happen(e.HandFreed, now, basis=basis.plus(turn.basis("round", "free-hand")))


def make_free(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Make this hand, or the next one, a free hand."""
    basis = rests_on(step, procedure)
    if step.object == "this":
        if turn.table.running is not None:
            _return_all(turn, basis)
            turn.happen(e.HandFreed, True, basis=basis.plus(turn.basis("round", "free-hand")))
        done(turn, step, procedure, says="This hand is a free hand.")
        return
    _to_next(turn, basis, free=True, after_last=step.object == "after-last")
    done(turn, step, procedure, says="The coming hand is a free hand, begun with that card.")


def remove_wagers(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Give all wagers back."""
    if turn.table.running is not None:
        _return_all(turn, rests_on(step, procedure))
    done(turn, step, procedure, says="All wagers are removed.")


def _return_all(turn: Turn, basis: Basis) -> None:
    rows = (row.basis for row in turn.book.irregularities if row.fact == FREE_HAND.id)
    rests = basis.plus(next(rows, Basis()))
    for spot in list(turn.round().wagers):
        return_wager(turn, spot, "Removed: a free hand has no wagers.", rests)


def deal_carried_first(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Say that carried cards are dealt first; `take_card` sees to it."""
    done(turn, step, procedure, says="Carried cards are dealt first, in their order.")


def keep_last_hand(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Say whether this free hand is the announced last hand of the shoe."""
    shoe = turn.table.shoe
    last = shoe is not None and shoe.last_round is not None
    says = "This free hand is the last of the shoe." if last else "The last hand has not been announced."
    done(turn, step, procedure, says=says)


def retrieve_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Take cards back: to the right person if they were handed to a wrong one, else unseen to the shoe."""
    basis = rests_on(step, procedure)
    if not FACTS[procedure.fact].handed_over:
        if turn.table.running is not None and turn.round().cards:
            turn.happen(e.CardsRetrieved, basis=basis)
        done(turn, step, procedure, says="The cards go back to the top of the shoe, unseen.")
        return
    _redeliver(turn, procedure, basis)
    done(turn, step, procedure, says="The cards are retrieved and passed to the right person.")


def _redeliver(turn: Turn, procedure: Procedure, basis: Basis) -> None:
    round = turn.table.running
    if round is not None and procedure.hand is not None:
        turn.happen(e.Delivered, procedure.hand, round.squeezers.get(procedure.hand), basis=basis)


def make_good_burn(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Burn a card if the burn was missed."""
    shoe = turn.table.shoe
    if shoe is not None and not shoe.burned and shoe.left:
        turn.happen(e.Burned, 1, basis=rests_on(step, procedure).plus(turn.basis("dealing", "burn")))
    done(turn, step, procedure, says="The burn is made good.")


def dealer_opens(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Let the dealer open the cards of a patron who is away, or of all who squeeze."""
    round = turn.table.running
    absent = [] if round is None else [hand for hand, who in round.squeezers.items() if procedure.patron in (None, who)]
    for hand in absent:
        turn.happen(e.Delivered, hand, None, basis=rests_on(step, procedure))
        turn.happen(e.SqueezeDeclined, "", hand, basis=rests_on(step, procedure))
    done(turn, step, procedure, says="The dealer opens the cards.")


def replace_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Have the cards changed before the next round, or ask whether they are."""
    basis = rests_on(step, procedure)
    if turn.table.shoe is None:
        done(turn, step, procedure)
        return
    if step.object == "must":
        turn.happen(e.CardsToBeReplaced, basis=basis)
        done(turn, step, procedure, says="The cards are changed before the next round.")
        return
    rank = decider(turn, step, procedure)
    REPLACE_CARDS.ask(turn, "Are the cards changed before the next round?", basis, rank=rank)
    done(turn, step, procedure, says="The cards may be changed.")


def _replace_if_so(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes" and turn.table.shoe is not None:
        turn.happen(e.CardsToBeReplaced, basis=question.basis)


REPLACE_CARDS = Topic(
    name="replace-cards",
    to="rank",
    choices=YES_OR_NO,
    blocks=False,
    lapses="next-round",
    default="no",
    act=_replace_if_so,
)


def put_right(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Put a delivery, a call or a payment right: the cards count."""
    basis, round = rests_on(step, procedure), turn.table.round
    if step.object == "delivery":
        _redeliver(turn, procedure, basis)
        done(turn, step, procedure, says="The delivery is put right.")
        return
    if FACTS[procedure.fact].faces == "true" and round is not None and round.phase in ("closed", "settled"):
        settled = round.phase == "settled"
        corrections = turn.point("money", "corrections")
        refers = corrections is not None and corrections.value == "refer" and not procedure.ruled
        if settled and refers and procedure.faces:
            done(turn, step, procedure, branch="refer", says="A payment made on a wrong call is not provided for.")
            return
        if procedure.faces and procedure.cards:
            turn.happen(e.FacesCorrected, procedure.cards, procedure.faces, basis=basis)
            price_again(turn, basis)
            if settled and not whole(turn.table.round):  # type: ignore[arg-type] # it is there: it was just corrected
                done(turn, step, procedure, branch="refer", says="By the cards the hands were not finished.")
                return
            if settled:
                settle_again(turn, basis.plus(turn.basis("money", "corrections")))
        now = turn.table.round
        if now is not None and whole(now):
            found = coup(now)
            says = f"The cards count: Player {found.player_points}, Banker {found.banker_points}, {found.winner}."
            turn.happen(e.Announced, "result", says, basis=basis)
    done(
        turn,
        step,
        procedure,
        says="The cards count, not what was called or displayed.",
        rests=basis.plus(turn.basis("display", "outcome")),
    )
