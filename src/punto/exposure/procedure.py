"""How the shoes of this room are dealt: as `punto simulate` deals them, or by the usual procedure of casinos."""

from punto.exposure.errors import BadExposure
from punto.kernels.deal import Parameters
from punto.simulation import Dealing

LEAST_CUT = 11
"""The round after the cut card begins with up to six cards fewer than lie behind it, and may need six."""


class DealingProcedure(Dealing, frozen=True):
    """A way of dealing. Plain, it is that of `punto.simulation`: the same seed gives the same shoes and rounds.

    By the casino's procedure, under which counts are published, the first card is turned up and as many are burnt
    unseen as it counts, ten for a ten or a face card; the round in which the cut card comes out is finished, and one
    more is dealt.

    >>> DealingProcedure(casino=True, cut=8)
    Traceback (most recent call last):
    punto.exposure.errors.BadExposure: A cut card 8 cards from the end leaves too few for one more round: \
11 or more do.
    """

    casino: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.casino and self.rounds is not None:
            raise BadExposure("By the casino's procedure the cut card ends a shoe, not a number of rounds.")
        if self.casino and self.burn:
            raise BadExposure("By the casino's procedure the first card says how many are burnt.")
        if self.casino and self.cut < LEAST_CUT:
            raise BadExposure(
                f"A cut card {self.cut} cards from the end leaves too few for one more round: {LEAST_CUT} or more do."
            )

    @property
    def least(self) -> int:
        """A round is begun while so many cards are left; by the casino's procedure one more is dealt then."""
        return self.cut + 1 if self.casino else super().least

    @property
    def most_rounds(self) -> int:
        """No shoe has more rounds than this."""
        return super().most_rounds + 1 if self.casino else super().most_rounds

    @property
    def drawn_first(self) -> int:
        """Cards that are surely drawn before the first round."""
        return 1 if self.casino else self.burn

    @property
    def parameters(self) -> Parameters:
        """As kernels take it."""
        return self.decks, self.drawn_first, self.least, self.most_rounds, self.casino


def procedure_of(dealing: Dealing) -> DealingProcedure:
    """A way of dealing, as this room takes it.

    >>> procedure_of(Dealing(decks=6, cut=20)).casino
    False
    """
    if isinstance(dealing, DealingProcedure):
        return dealing
    return DealingProcedure(dealing.decks, dealing.cut, dealing.burn, dealing.rounds, dealing.printed)
