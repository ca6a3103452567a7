"""How a shoe is dealt: how many decks, how many cards are burnt, and when it ends."""

import msgspec
from msgspec import UNSET, UnsetType

from punto.coup import CARDS_IN_A_DECK, MOST_DECKS, SUITS
from punto.coup.cards import card
from punto.kernels.deal import Parameters
from punto.kernels.draw import RANK_ORDER
from punto.kinds import tells_of_fields
from punto.rulebook import PrintedCard

MOST_IN_A_ROUND = 6
LEAST_IN_A_ROUND = 4
NOWHERE = -1


class BadDealing(ValueError):
    """A shoe that cannot be dealt so, or a count that makes no run. The message is a sentence."""


class OnLayout(msgspec.Struct, frozen=True):
    """A card that is printed on the layout: the place in which it would have been drawn, and the card.

    >>> OnLayout(0, "7h").face == 10 * 4 + 2
    True
    """

    place: int
    card: str

    @property
    def face(self) -> int:
        """As kernels know it: its height times four and its suit, the first where none is told."""
        found = card(self.card)
        return (len(RANK_ORDER) - 1 - RANK_ORDER.index(found.rank)) * len(SUITS) + SUITS.index(found.suit or SUITS[0])


def on_layout(printed: PrintedCard | None) -> OnLayout | UnsetType:
    """The printed card of a book, if it has one."""
    return UNSET if printed is None else OnLayout(printed.place, str(printed.card))


class Dealing(msgspec.Struct, frozen=True):
    """How every shoe of a run is dealt.

    Every card is drawn from those left, all equally likely. `burn` cards are drawn unseen before the first round. A
    round is begun while at least `cut` cards are left, and finished. The round in which fewer are left is
    the last: so casinos deal, but no book says so (AMB-83). With `rounds` so many are dealt from every shoe instead,
    whatever is left.

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
    printed: OnLayout | UnsetType = UNSET
    """The card that is printed on the layout, where there is one; otherwise nothing of it is written down."""

    @tells_of_fields
    def __post_init__(self) -> None:
        if not 1 <= self.decks <= MOST_DECKS:
            raise BadDealing(f"{self.decks} decks make no shoe here: 1 to {MOST_DECKS} do.")
        most = self._most_in_a_round
        if not 0 <= self.burn <= self.cards - most:
            raise BadDealing(f"{self.burn} cards cannot be burnt: 0 to {self.cards - most} leave cards for a round.")
        if self.rounds is not None:
            sure = self.dealt_from // most
            if self.rounds < 1:
                raise BadDealing(f"{self.rounds} rounds make no shoe: 1 to {sure} do.")
            if self.rounds > sure:
                raise BadDealing(
                    f"{self.rounds} rounds may need {self.rounds * most} cards, but {self.dealt_from} "
                    f"are there: at most {sure} can be dealt."
                )
        elif not most <= self.cut <= self.dealt_from:
            raise BadDealing(
                f"A cut card {self.cut} cards from the end makes no shoe: {most} to {self.dealt_from} do, "
                "so that every round that is begun can be finished."
            )

    @property
    def _most_in_a_round(self) -> int:
        """The cards that a round may take from the shoe."""
        return MOST_IN_A_ROUND - (self.printed is not UNSET)

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
        return (self.dealt_from - self.cut) // self._most_in_a_round + 1 if self.rounds is None else self.rounds

    @property
    def most_rounds(self) -> int:
        """No shoe has more rounds than this."""
        fewest = LEAST_IN_A_ROUND - (self.printed is not UNSET)
        return (self.dealt_from - self.cut) // fewest + 1 if self.rounds is None else self.rounds

    @property
    def on_layout(self) -> tuple[int, int]:
        """The place and the face of the printed card, as kernels take them; a place below 0 where there is none."""
        return (NOWHERE, 0) if isinstance(self.printed, UnsetType) else (self.printed.place, self.printed.face)

    @property
    def parameters(self) -> Parameters:
        """As kernels take it."""
        return self.decks, self.burn, self.least, self.most_rounds, False
