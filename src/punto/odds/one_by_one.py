"""Hands of the Player's taken one by one, for bets that tell nearly all hands apart: what `third_words` is given."""

from collections.abc import Sequence
from itertools import permutations

import msgspec
import numpy as np

from punto.coup import STOOD, SUITS
from punto.coup.play import banker_draws, player_draws
from punto.odds.answers import THIRDS
from punto.odds.card_classes import CARDS, Array, CardClasses, Mask
from punto.odds.laid_hands import NO_THIRD, TOTALS, LaidHands
from punto.odds.third_words import Words, add_hands, words_of
from punto.rulebook.patterns import RED

_NEVER = -1


class AnswerTable(msgspec.Struct, frozen=True, eq=False):
    """A question about both hands: by two states whether it holds, and the states of all hands of either side."""

    holds: Mask
    ours: Array
    theirs: Array


class OneByOne:
    """All hands of the Player's beside all first cards of the Banker's, with the tables that rows ask."""

    def __init__(self, hands: tuple[LaidHands, LaidHands], tables: Sequence[AnswerTable]) -> None:
        ours, theirs = hands
        none = ours.classes.no_card
        thirds = none + 1
        self._ours = ours
        printed = [own.cards[at][0] for own in hands for at in range(2) if at not in own.from_shoe]
        self._alike = [each for each in _exchanges(ours.classes) if all(each[card] == card for card in printed)]
        self._cards = np.stack([ours.cards[at] for at in ours.from_shoe], axis=1)
        self._dealt = _dealt()[ours.totals]
        two_card = theirs.totals[none::thirds] // (NO_THIRD + 1)  # those without a third card stand for their starts
        order = np.argsort(two_card, kind="stable")
        starts = len(order)
        self._begin = np.searchsorted(two_card[order], np.arange(11))
        first, second = (
            each[::thirds][order] if at in theirs.from_shoe else np.full(starts, none, dtype=np.int64)
            for at, each in enumerate(theirs.cards[:2])
        )
        self._starts: tuple[Array, Array] = first, second
        self._orders = theirs.orders[::thirds][order]
        found: list[Words] = []
        places, begin = [], 0
        for table in tables:
            by_start = table.theirs.reshape(starts, thirds)[order].reshape(-1)
            words = words_of(table.holds, by_start, starts).reshape(-1)
            found.append(words)
            places.append(begin + table.ours * starts)
            begin += len(words)
        self._words = np.concatenate([np.zeros(0, dtype=np.uint64), *found])
        self._places = np.stack(places, axis=1) if places else np.zeros((len(ours.orders), 0), dtype=np.int64)
        # Hands that ask for the same words follow upon each other, first of the tables with the most of them.
        largest_last = sorted(range(len(tables)), key=lambda at: len(tables[at].holds))
        self._order = np.lexsort([places[at] for at in largest_last]) if places else np.arange(len(ours.orders))

    def add(self, counts: Array, program: Array, rows: Array, shape: tuple[int, int, int], found: Array) -> None:
        """Add up all deals from a shoe, by the counts of classes, that meet some row."""
        number = self._ours.number(counts) * self._stands_for(counts)
        dealt = self._order[number[self._order] > 0]
        left = counts.copy()
        left[-1] = 1
        places = self._places[dealt]
        other = np.flatnonzero((places[1:] != places[:-1]).any(axis=1)) + 1
        alike = np.array([0, *other, len(dealt)] if len(dealt) else [0])
        add_hands(
            program,
            rows,
            self._words,
            places,
            shape,
            (alike, self._cards[dealt], number[dealt], self._dealt[dealt]),
            (*self._starts, self._orders, self._begin),
            left,
            found,
        )

    def _stands_for(self, counts: Array) -> Array:
        """How many hands each hand of ours stands for; 0 where another stands for it.

        Where suits can be exchanged, in what is asked and in the shoe, hands that are the same but for that are one.
        """
        alike = [each for each in self._alike if np.array_equal(counts[each], counts)]
        in_order = not (self._ours.orders > 1).any()
        size = len(counts)

        def numbered(exchange: Array) -> Array:
            first, second, third = (exchange[each] for each in self._ours.cards)
            if not in_order:
                first, second = np.minimum(first, second), np.maximum(first, second)
            found: Array = (first * size + second) * size + third
            return found

        own = numbered(np.arange(size))
        least, kept = own.copy(), np.zeros(len(own), dtype=np.int64)
        for exchange in alike:
            found = numbered(exchange)
            least = np.minimum(least, found)
            kept += found == own
        return np.where(least == own, len(alike) // kept, 0)


def _exchanges(classes: CardClasses) -> list[Array]:
    """The classes that cards have after suits were exchanged, in every way that no test notices; the first is none."""
    suits = np.array([SUITS.index(card.suit or "") for card in CARDS])
    red = np.array([suit in RED for suit in SUITS])
    colours = classes.red.any()
    found = []
    for order in permutations(range(len(SUITS))):
        exchanged = red[list(order)]
        if colours and not (np.array_equal(exchanged, red) or np.array_equal(exchanged, ~red)):
            continue
        there = classes.of[np.arange(len(CARDS)) - suits + np.array(order)[suits]]
        exchange = np.full(classes.no_card + 1, classes.no_card)
        exchange[classes.of] = there
        told_apart = not np.array_equal(exchange[classes.of], there)
        if not told_apart and all(np.array_equal(means[exchange], means) for means in classes.means.values()):
            found.append(exchange)
    return found


def _dealt() -> Array:
    """The third cards of both, by the Player's hand and the Banker's two-card total, as `add_hands` wants them."""
    found = np.full((TOTALS, 10), _NEVER, dtype=np.int64)
    for hand in range(TOTALS):
        player, third = divmod(hand, NO_THIRD + 1)
        drawn = third != NO_THIRD
        for banker in range(10):
            if player_draws(player, banker) == drawn:
                also = banker_draws(player, banker, third if drawn else STOOD)
                found[hand, banker] = drawn + (1 if also else THIRDS)
    return found
