"""Compositions of a shoe: how many cards of each rank, or of each rank and suit, a shoe has."""

from collections.abc import Iterable, Sequence
from math import perm

import numpy as np

from punto.coup import CARDS_IN_A_DECK, MOST_DECKS, RANKS, SUITS, Card, check_decks
from punto.kernels.exact import TOTALS
from punto.messages import SpokenError, Wording, say
from punto.odds.counting import Counts, count_outcomes, count_situations

Composition = tuple[int, ...]
"""Cards left by rank, ace first, king last: thirteen counts. By rank and suit: fifty-two, the clubs of a rank first,
then diamonds, hearts and spades."""


THIRTEEN_COUNTS = say("thirteen-counts", "A composition is thirteen counts, ace to king, none of them negative.")
TOO_FEW = Wording("too-few-for-a-coup", "{cards} cards are too few: a coup may need six.")
TOO_MANY = say(
    "rank-of-so-many-decks",
    "A rank has at most {most} cards, those of {decks} decks.",
    most=4 * MOST_DECKS,
    decks=MOST_DECKS,
)
_NOT_SO_MANY_OF_RANK = Wording("not-so-many-of-rank", "There are not so many cards of rank {rank} in the shoe.")
_NOT_SO_MANY = Wording("not-so-many-in-shoe", "There are not so many {card} in the shoe.")


class BadComposition(SpokenError):
    """A composition that no coup can be dealt from. The message is a sentence."""


def full_shoe(decks: int, *, by_suit: bool = False) -> Composition:
    """The cards of so many decks by rank, or by rank and suit.

    >>> sum(full_shoe(8)), len(full_shoe(8, by_suit=True))
    (416, 52)
    >>> full_shoe(0)
    Traceback (most recent call last):
    punto.odds.composition.BadComposition: 0 decks make no shoe here: 1 to 12 do.
    """
    if not isinstance(decks, int):
        raise TypeError(f"Decks are a whole number, not {decks!r}.")
    if not 1 <= decks <= MOST_DECKS:
        raise BadComposition(
            say("no-shoe-of-decks", "{decks} decks make no shoe here: 1 to {most} do.", decks=decks, most=MOST_DECKS)
        )
    return (decks,) * CARDS_IN_A_DECK if by_suit else (4 * decks,) * 13


def by_rank(shoe: Sequence[int]) -> Composition:
    """A composition by rank, of one that may tell suits, too.

    >>> by_rank(full_shoe(6, by_suit=True)) == full_shoe(6)
    True
    """
    if len(shoe) != CARDS_IN_A_DECK:
        return tuple(shoe)
    return tuple(sum(shoe[at : at + len(SUITS)]) for at in range(0, CARDS_IN_A_DECK, len(SUITS)))


def with_suits(shoe: Sequence[int], *, told: bool = True) -> Composition:
    """A composition by rank and suit. One by rank alone must be of full decks, unless suits need not be `told`.

    >>> with_suits(full_shoe(2)) == full_shoe(2, by_suit=True)
    True
    >>> with_suits((31, *full_shoe(8)[1:]))
    Traceback (most recent call last):
    punto.odds.composition.BadComposition: A bet looks at suits: the cards of the shoe must be told by rank and suit.
    """
    if len(shoe) == CARDS_IN_A_DECK:
        return tuple(shoe)
    if not told:
        return tuple(count for rank in shoe for count in (rank, 0, 0, 0))
    if len(set(shoe)) != 1 or shoe[0] % len(SUITS):
        raise BadComposition(
            say("shoe-without-suits", "A bet looks at suits: the cards of the shoe must be told by rank and suit.")
        )
    return (shoe[0] // len(SUITS),) * CARDS_IN_A_DECK


def without(shoe: Sequence[int], gone: Iterable[Card], decks: int | None = None) -> Composition:
    """The shoe after some cards have gone, which need suits where the shoe is told by rank and suit.

    >>> from punto.coup import cards
    >>> without(full_shoe(1), cards("Ah As K"))[0]
    2
    """
    gone = tuple(gone)
    if decks is not None:
        check_decks(gone, decks)
    left = list(shoe)
    for card in gone:
        at = card.rank - 1
        if len(left) == CARDS_IN_A_DECK:
            if card.suit is None:
                raise BadComposition(
                    say("card-without-suit", "A bet looks at suits: {card} needs one, like {card}h.", card=str(card))
                )
            at = at * len(SUITS) + SUITS.index(card.suit)
        left[at] -= 1
        if left[at] < 0:
            by_suit = len(left) != len(RANKS)
            raise BadComposition(
                _NOT_SO_MANY.say(card=str(card)) if by_suit else _NOT_SO_MANY_OF_RANK.say(rank=RANKS[at])
            )
    return tuple(left)


def _checked(given: Sequence[int]) -> Counts:
    shoe = by_rank(given)
    if len(shoe) != 13 or min(given) < 0:
        raise BadComposition(THIRTEEN_COUNTS)
    if sum(shoe) < 6:
        raise BadComposition(TOO_FEW.say(cards=sum(shoe)))
    if max(shoe) > 4 * MOST_DECKS:
        raise BadComposition(TOO_MANY)
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


def deals(shoe: Sequence[int], cards: int = 6) -> int:
    """How many ordered deals of six cards there are: the one denominator of everything, but beside a printed card.

    >>> deals(full_shoe(8))
    4998398275503360
    """
    return perm(sum(shoe), cards)
