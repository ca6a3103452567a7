"""Pairs of hands one by one, where nearly all hands are of kinds of their own: the other compiled part of `by_cards`.

The Banker's third card stands in a word of 64 bits, a bit for each class of cards and one for none. So what a row
answers to a hand of the Player's and the first two cards of the Banker's is one word, and a whole row of the Banker's
first cards is answered at a time.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.kernels.compiled import kernel, part
from punto.odds.answers import SOURCES, THIRDS, answered
from punto.odds.card_classes import Array

Words = NDArray[np.uint64]

_PAIRS, _FOURS, _EIGHTS, _ONES = (
    np.uint64(each) for each in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)
_ONE, _TWO, _FOUR, _TOP, _BITS = (np.uint64(each) for each in (1, 2, 4, 56, 64))
_EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)
_PLANES = 12
"""Bits of the number of cards of a class."""


@part
def _bits(word: np.uint64) -> np.int64:
    """How many bits of a word are set."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> _TWO) & _FOURS)
    word = (word + (word >> _FOUR)) & _EIGHTS
    return np.int64((word * _ONES) >> _TOP)


@part
def _held(word: np.uint64, card: np.int64) -> np.int64:
    """1 where a word has the bit of a card, else 0."""
    return np.int64((word >> np.uint64(card)) & _ONE)


@kernel
def words_of(holds: NDArray[np.bool_], states: Array, starts: int, sources: int = SOURCES) -> Words:  # noqa: ARG001
    """What a table answers: by state of our hand and start of theirs a word, a bit for each third card.

    `states` are those of their hands, by start and third card. `sources` is part of the cache's key.
    """
    thirds = len(states) // starts
    found = np.empty((len(holds), starts), np.uint64)
    for own in range(len(holds)):
        row = holds[own]
        for start in range(starts):
            word = np.uint64(0)
            for third in range(thirds):
                word |= np.uint64(row[states[start * thirds + third]]) << np.uint64(third)
            found[own, start] = word
    return found


@kernel
def add_hands(
    program: Array,
    rows: Array,
    words: Words,
    states: Array,
    shape: tuple[int, int, int],
    ours: tuple[Array, Array, Array, Array],
    theirs: tuple[Array, Array, Array, Array],
    counts: Array,
    found: Array,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Add up pairs of hands by the rows that they meet, each as often as it is dealt from a shoe.

    `ours` are where hands that ask for the same words begin, the classes of the cards from the shoe of each hand, its
    number of deals, and by our hand and the two-card total of theirs how many third cards both have: below 0 where the
    Table of Play does not deal that, and `THIRDS` more where they have none of it. `theirs` are the classes of the
    first two cards, the number of orders that each start stands for, and where the starts of each total begin; `counts`
    are the cards of each class in the shoe, and behind them 1 for no card. `shape` is the depth of the program, and how
    many codes there are for either part of the rows; deals that meet no row are not counted.
    """
    depth, one, other = shape
    alike, cards, number, dealt = ours
    first, second, orders, begin = theirs
    none, starts, totals = len(counts) - 1, len(first), len(begin) - 1
    no_third = _ONE << np.uint64(none)
    planes = _planes(counts)
    stack = np.empty((depth, starts), np.uint64)
    met = np.empty((one + other, starts), np.uint64)
    left = counts.copy()
    begin_with, starts_with = np.empty(totals + 1, np.int64), np.empty(starts, np.int64)
    third = np.empty(starts, np.uint64)
    begin_without, starts_without = np.empty(totals + 1, np.int64), np.empty(starts, np.int64)
    with_third, without = (begin_with, starts_with, third), (begin_without, starts_without)
    third_cards = np.empty(starts, np.int64)
    for run in range(len(alike) - 1):
        _meet(program, rows, words, states[alike[run]], (one, other), stack, met)
        for code in range(one * other - 1):
            kept = _sort_out(met[code // other], met[one + code % other], begin, no_third, with_third, without)
            _count_thirds(with_third, kept, first, second, planes, third_cards)
            for hand in range(alike[run], alike[run + 1]):
                own_cards = cards[hand]
                for card in own_cards:
                    left[card] -= card != none
                for total in range(totals):
                    more, deals = dealt[hand, total], np.int64(0)
                    if more >= THIRDS:
                        for at in range(begin_without[total], begin_without[total + 1]):
                            deals += _two_cards(left, orders, first, second, starts_without[at], none)
                    elif more >= 0:
                        for at in range(begin_with[total], begin_with[total + 1]):
                            cards_there = third_cards[at]
                            for card in own_cards:
                                cards_there -= _held(third[at], card)
                            deals += _two_cards(left, orders, first, second, starts_with[at], none) * cards_there
                    found[code * THIRDS + max(more, 0) % THIRDS] += number[hand] * deals
                for card in own_cards:
                    left[card] += card != none


@part
def _meet(
    program: Array, rows: Array, words: Words, states: Array, shape: tuple[int, int], stack: Words, met: Words
) -> None:
    """Tell of every start the third cards with which each row is met before any other of its part."""
    one, other = shape
    met[one - 1] = _EVERY
    met[one + other - 1] = _EVERY
    for row in range(len(rows)):
        begin, end, of, number = rows[row]
        answered(program[begin:end], words, states, 0, _EVERY, stack)
        at_row, open_row = (number, one - 1) if of == 0 else (one + number, one + other - 1)
        own, still = met[at_row], met[open_row]
        for at in range(len(own)):
            own[at] = stack[0, at] & still[at]
            still[at] ^= own[at]


@part
def _sort_out(
    own: Words,
    own_too: Words,
    begin: Array,
    no_third: np.uint64,
    with_third: tuple[Array, Array, Words],
    without: tuple[Array, Array],
) -> Any:
    """Write down the starts that meet rows of both parts with some third card, and which, and those that do without."""
    begin_with, starts_with, third = with_third
    begin_without, starts_without = without
    kept, kept_without = 0, 0
    for total in range(len(begin) - 1):
        begin_with[total], begin_without[total] = kept, kept_without
        for at in range(begin[total], begin[total + 1]):
            word = own[at] & own_too[at]
            drawn = word & (no_third - _ONE)
            if drawn:
                starts_with[kept], third[kept] = at, drawn
                kept += 1
            if word & no_third:
                starts_without[kept_without] = at
                kept_without += 1
    begin_with[len(begin) - 1], begin_without[len(begin) - 1] = kept, kept_without
    return kept


@part
def _count_thirds(
    with_third: tuple[Array, Array, Words], kept: int, first: Array, second: Array, planes: Any, found: Array
) -> None:
    """Count the third cards of each start that meets a row with one: those of its word, less its first two cards."""
    _, starts, third = with_third
    most, words, weights = planes
    for at in range(kept):
        start, word = starts[at], third[at]
        cards_there = most * _bits(word) - _held(word, first[start]) - _held(word, second[start])
        for plane in range(len(words)):
            cards_there -= weights[plane] * _bits(word & words[plane])
        found[at] = cards_there


@part
def _two_cards(left: Array, orders: Array, first: Array, second: Array, start: int, none: int) -> Any:
    """How often a start is dealt from the cards that are left."""
    card, also = first[start], second[start]
    return orders[start] * left[card] * (left[also] - (card == also and card != none))


@part
def _planes(counts: Array) -> Any:
    """The most cards that a class has, and how many less others have: by bit of that number a word, and its worth."""
    none = len(counts) - 1
    most = counts[:none].max()
    planes, weights = np.zeros(_PLANES, np.uint64), np.zeros(_PLANES, np.int64)
    used = 0
    for plane in range(_PLANES):
        word = np.uint64(0)
        for card in range(none):
            word |= np.uint64(((most - counts[card]) >> plane) & 1) << np.uint64(card)
        if word:
            planes[used], weights[used] = word, 1 << plane
            used += 1
    return most, planes[:used], weights[:used]
