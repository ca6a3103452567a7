"""What every drill is made with: the range of seeds, the limits that it is played under, and a random card."""

from random import Random

from punto.coup import RANKS, SUITS, Card, card
from punto.settlement import Limits

LIMITS = Limits(minimum=10_00, maximum=5_000_00, differential=10_000_00, unit=50)
SEEDS = 2**53
CHOICES = 4


def any_card(chance: Random) -> Card:
    """A random card, with every card as likely as any other."""
    return card(chance.choice(RANKS) + chance.choice(SUITS))
