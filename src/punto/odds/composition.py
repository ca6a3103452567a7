"""Compositions of a shoe: how many cards of each rank are left, of a full shoe or after some have gone."""

from collections.abc import Iterable, Sequence

import numpy as np

from punto.coup import MOST_DECKS, RANKS, Card, check_decks
from punto.kernels.exact import TOTALS, deals_of
from punto.odds.counting import Counts, count_outcomes, count_situations

Composition = tuple[int, ...]
"""Cards left by rank, ace first, king last."""


class BadComposition(ValueError):
    """A composition that no coup can be dealt from. The message is a sentence."""


def full_shoe(decks: int) -> Composition:
    """The cards of so many decks by rank.

    >>> sum(full_shoe(8))
    416
    >>> full_shoe(0)
    Traceback (most recent call last):
    punto.odds.composition.BadComposition: 0 decks make no shoe here: 1 to 12 do.
    """
    if not 1 <= decks <= MOST_DECKS:
        raise BadComposition(f"{decks} decks make no shoe here: 1 to {MOST_DECKS} do.")
    return (4 * decks,) * 13


def without(shoe: Sequence[int], gone: Iterable[Card], decks: int | None = None) -> Composition:
    """The shoe after some cards have gone.

    >>> from punto.coup import cards
    >>> without(full_shoe(1), cards("Ah As K"))[0]
    2
    """
    gone = tuple(gone)
    if decks is not None:
        check_decks(gone, decks)
    left = list(shoe)
    for card in gone:
        left[card.rank - 1] -= 1
        if left[card.rank - 1] < 0:
            raise BadComposition(f"There are not so many cards of rank {RANKS[card.rank - 1]} in the shoe.")
    return tuple(left)


def _checked(shoe: Sequence[int]) -> Counts:
    if len(shoe) != 13 or min(shoe) < 0:
        raise BadComposition("A composition is thirteen counts, ace to king, none of them negative.")
    if sum(shoe) < 6:
        raise BadComposition(f"{sum(shoe)} cards are too few: a coup may need six.")
    if max(shoe) > 4 * MOST_DECKS:
        raise BadComposition(f"A rank has at most {4 * MOST_DECKS} cards, those of {MOST_DECKS} decks.")
    return np.asarray(shoe, dtype=np.int64)


def outcome_counts(shoe: Sequence[int]) -> Counts:
    """For each of the 2,000 outcomes the number of ordered six-card deals that lead to it.

    >>> int(outcome_counts(full_shoe(8)).sum())
    4998398275503360
    """
    return count_outcomes(_checked(shoe), TOTALS)


def situation_counts(shoe: Sequence[int]) -> Counts:
    """For each of the 1,100 situations in which a card is due the deals that pass it, by who then wins.

    The columns are Player, Banker, tie.
    """
    return count_situations(_checked(shoe), TOTALS)


def deals(shoe: Sequence[int]) -> int:
    """How many ordered deals of six cards there are: the one denominator of everything.

    >>> deals(full_shoe(8))
    4998398275503360
    """
    total: int = deals_of(sum(shoe))
    return total
