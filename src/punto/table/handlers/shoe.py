"""The cards in use: loaded, burned, announced as coming to their end, and taken out of use."""

from punto.coup import CARDS_IN_A_DECK
from punto.messages import Sentence, say
from punto.rulebook import Basis, Refused
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.calls import to_be_burned
from punto.table.handlers.commission import collect
from punto.table.handlers.words import given_words
from punto.table.turn import Turn


def load_shoe(turn: Turn, command: c.LoadShoe) -> None:
    """Put shuffled cards into use; the old ones must be out of use."""
    turn.staff()
    if turn.table.shoe is not None:
        raise Refused(say("cards-in-use-already", "Cards are in use already: end that shoe first."))
    _between_hands(turn, say("cards-changed-between-rounds", "Cards are changed only between rounds."))
    basis = turn.book.decks.basis.plus(turn.basis("dealing", "devices"))
    if len(command.commitment) > 64 or (turn.table.setup.shoe == "virtual") != bool(command.commitment):
        raise Refused(
            say(
                "commitment-of-virtual-shoe",
                "A virtual shoe is loaded with the commitment to its seed, any other without.",
            )
        )
    words = given_words(turn, command.commitment)
    cards = turn.table.setup.decks * CARDS_IN_A_DECK
    turn.happen(e.ShoeLoaded, turn.table.shoes + 1, cards, command.commitment, words, basis=basis)


def _between_hands(turn: Turn, says: Sentence) -> None:
    """Refuse while a round runs; bets that lie there before a round has begun stay when the cards must be changed."""
    shoe = turn.table.shoe
    if turn.begun() or not (shoe is None or shoe.replace is not None):
        turn.between_rounds(says)


def burn(turn: Turn, command: c.Burn) -> None:
    """Burn cards before the first card of a shoe is dealt."""
    turn.staff()
    shoe, basis = turn.shoe(), turn.basis("dealing", "burn")
    running = turn.table.running
    if turn.point("dealing", "burn") is None:
        raise turn.refuse(say("no-burn-in-book", "This book has no burn: every card is dealt."), turn.book.decks.basis)
    dealt = shoe.left + len(shoe.carried) < shoe.cards and not shoe.burned
    late = shoe.rounds > 1 or (running is not None and running.phase == "closed")
    if dealt or (late and to_be_burned(turn) is None):
        raise turn.refuse(
            say("burn-before-first-card", "Cards are burned before the first card of a shoe is dealt."), basis
        )
    if shoe.burned:
        raise turn.refuse(say("burn-done", "The burn has been done."), basis)
    if not 0 < command.count <= min(shoe.left, 11):
        raise Refused(say("one-to-eleven-burned", "At least one card is burned, and at most eleven."))
    turn.happen(e.Burned, command.count, basis=basis)


def last_hand(turn: Turn, command: c.LastHand) -> None:
    """Announce that the running hand, or the next one, is the last of the shoe (AMB-97)."""
    turn.staff()
    if turn.shoe().last_round is not None:
        raise Refused(say("last-hand-announced", "The last hand has been announced."))
    turn.happen(e.LastHandAnnounced, basis=Basis((), ("AMB-83", "AMB-97")))


def end_shoe(turn: Turn, command: c.EndShoe) -> None:
    """Take the cards out of use, with those that were carried over."""
    turn.staff()
    shoe = turn.shoe()
    _between_hands(turn, say("shoe-ends-between-rounds", "A shoe ends only between rounds."))
    turn.unblocked()
    turn.lapse("next-round")
    collect(turn, tuple(turn.table.patrons), "shoe-end")
    turn.happen(e.ShoeEnded, command.seed[:64], command.key[:64], basis=shoe.replace or Basis())
