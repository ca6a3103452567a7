"""How a shoe is dealt: how many decks, how many cards are burnt, and when it ends."""

import msgspec

from punto.coup import CARDS_IN_A_DECK, MOST_DECKS
from punto.kernels.deal import Parameters

MOST_IN_A_ROUND = 6
LEAST_IN_A_ROUND = 4


class BadDealing(ValueError):
    """A shoe that cannot be dealt so, or a count that makes no run. The message is a sentence."""


class Dealing(msgspec.Struct, frozen=True):
    """How every shoe of a run is dealt.

    Every card is drawn from those left, all equally likely. `burn` cards are drawn unseen before the first round. A
    round is begun while at least `cut` cards are left, and finished: the round in which fewer are left is the last
    (AMB-83; none is played after it). With `rounds` so many are dealt from every shoe instead, whatever is left.

    >>> Dealing(decks=8).cards, Dealing(decks=8).most_rounds, Dealing(rounds=60).most_rounds
    (416, 101, 60)
    >>> Dealing(decks=13)
    Traceback (most recent call last):
    punto.simulation.dealing.BadDealing: 13 decks make no shoe here: 1 to 12 do.
    >>> Dealing(rounds=70)
    Traceback (most recent call last):
    punto.simulation.dealing.BadDealing: 70 rounds may need 420 cards, but 416 are there: at most 69 can be dealt.
    """

    decks: int = 8
    cut: int = 14
    burn: int = 0
    rounds: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.decks <= MOST_DECKS:
            raise BadDealing(f"{self.decks} decks make no shoe here: 1 to {MOST_DECKS} do.")
        if not 0 <= self.burn <= self.cards - MOST_IN_A_ROUND:
            raise BadDealing(
                f"{self.burn} cards cannot be burnt: 0 to {self.cards - MOST_IN_A_ROUND} leave cards for a round."
            )
        if self.rounds is not None:
            sure = self.dealt_from // MOST_IN_A_ROUND
            if self.rounds < 1:
                raise BadDealing(f"{self.rounds} rounds make no shoe: 1 to {sure} do.")
            if self.rounds > sure:
                raise BadDealing(
                    f"{self.rounds} rounds may need {self.rounds * MOST_IN_A_ROUND} cards, but {self.dealt_from} "
                    f"are there: at most {sure} can be dealt."
                )
        elif not MOST_IN_A_ROUND <= self.cut <= self.dealt_from:
            raise BadDealing(
                f"A cut card {self.cut} cards from the end makes no shoe: {MOST_IN_A_ROUND} to {self.dealt_from} do, "
                "so that every round that is begun can be finished."
            )

    @property
    def cards(self) -> int:
        """The cards of the full shoe."""
        return CARDS_IN_A_DECK * self.decks

    @property
    def dealt_from(self) -> int:
        """The cards left when the first round begins."""
        return self.cards - self.burn

    @property
    def least(self) -> int:
        """A round is begun while so many cards are left."""
        return self.cut if self.rounds is None else 1

    @property
    def sure_rounds(self) -> int:
        """No shoe has fewer rounds than this, whatever the cards."""
        return (self.dealt_from - self.cut) // MOST_IN_A_ROUND + 1 if self.rounds is None else self.rounds

    @property
    def most_rounds(self) -> int:
        """No shoe has more rounds than this."""
        return (self.dealt_from - self.cut) // LEAST_IN_A_ROUND + 1 if self.rounds is None else self.rounds

    @property
    def parameters(self) -> Parameters:
        """As kernels take it."""
        return self.decks, self.burn, self.least, self.most_rounds, False
