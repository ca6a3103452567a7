"""What is recorded of a round before it is dealt, and at its insurance windows: the same source for CPU and GPU.

An edge is a whole number over a whole number. It is divided in double precision and rounded to a multiple of 2^-36 of
a unit, a *grain*; from there on everything is a sum of whole numbers. So the sums are the same, bit for bit, in any
order, in any number of parts and on any machine.
"""

from collections.abc import Callable
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, STOOD
from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.draw import value_of
from punto.kernels.endings import endings
from punto.kernels.exact import deals_of

SHIFT = 36
GRAIN = 1.0 / (1 << SHIFT)
SCALE = float(1 << SHIFT)

STEP = 26
"""Depths are told apart by half decks of cards left."""

SPREAD, MIDDLE = 201, 100
"""Edges are counted by whole percents, from -100% and below to +100% and above."""

TRUE, LEAST_TRUE = 101, -50
"""True counts are counted by their whole part, from -50 to +50."""

I64 = np.int64
Ints = NDArray[np.int64]


def depths(decks: int) -> int:
    """How many depths a shoe has.

    >>> depths(8)
    17
    """
    return CARDS_IN_A_DECK * decks // STEP + 1


@part
def grains(net: Any, whole: Any, unit: Any) -> Any:
    """A net over some number of deals as an edge, in grains.

    >>> int(grains(1, 3, 2)) == round((1 << 36) / 6)
    True
    """
    return I64(floor(np.float64(net) / np.float64(whole) / np.float64(unit) * SCALE + 0.5))


@part
def cards_of(ranks: Any) -> Any:
    """The cards of a composition."""
    size = I64(0)
    for rank in range(13):
        size += I64(ranks[rank])
    return size


@part
def running_count(ranks: Any, start: Any, tags: Any) -> Any:
    """The sum of the tags of all cards that were seen; `start` is how many a full shoe has of each rank."""
    running = I64(0)
    for rank in range(13):
        running += I64(tags[rank]) * (start - I64(ranks[rank]))
    return running


@part
def between(number: Any, most: int) -> Any:
    """A number, moved to the nearest from 0 to the most."""
    return min(max(number, I64(0)), I64(most))


def record_round_with(add: Callable[..., Any]) -> Callable[..., Any]:
    """Record a round before it is dealt; `add(array, place, number)` adds to an array.

    A play is a bet and how it is played: perfectly (`how` 0), or by the count of that number: tags by rank and a
    trigger. `sums` are rounds, favourable rounds and gains by block and depth, edges of all rounds by block, and the
    spread of edges and of true counts.
    """

    def record_round(ranks: Any, left: Any, nets: Any, start: Any, block: Any, plays: Any, sums: Any) -> None:
        units, bet_of, how, tags, triggers = plays
        rounds, favourable, gains, edges, spread, trues = sums
        size = cards_of(ranks)
        whole, depth = deals_of(size), left // STEP
        add(rounds, (block, depth), I64(1))
        for bet in range(units.shape[0]):
            edge = grains(nets[bet], whole, units[bet])
            add(edges, (block, bet), edge)
            percent = I64(floor(np.float64(edge) * (100.0 * GRAIN))) + I64(MIDDLE)
            add(spread, (bet, between(percent, SPREAD - 1)), I64(1))
        for play in range(bet_of.shape[0]):
            bet = bet_of[play]
            bets = nets[bet] > 0
            if how[play]:
                true = running_count(ranks, start, tags[play]) * I64(CARDS_IN_A_DECK)
                bets = true * triggers[play, 1] >= triggers[play, 0] * size
                at = between(true // size - I64(LEAST_TRUE), TRUE - 1)
                count = how[play] - I64(1)
                add(trues, (count, I64(0), at), I64(1))
                add(trues, (count, I64(1), at), grains(nets[bet], whole, units[bet]))
            if bets:
                add(favourable, (block, play, depth), I64(1))
                add(gains, (block, play, depth), grains(nets[bet], whole, units[bet]))

    return record_round


@part
def before_windows(ranks: Any, cards: Any, left: Any) -> Any:
    """The cards left by value, and how many, once the four cards of the hands are seen."""
    for value in range(10):
        left[value] = I64(0)
    for rank in range(13):
        left[rank + 1 if rank < 9 else 0] += I64(ranks[rank])
    for card in range(4):
        left[value_of(cards[card])] -= I64(1)
    return cards_of(ranks) - I64(4)


def record_windows_with(add: Callable[..., Any]) -> Callable[..., Any]:
    """Record the insurance windows of a round: what is offered, and the offers that favour the patron.

    `cells` tells the cell by stage, hand and both totals, -1 where there is no price; `odds` are by cell what one
    part of the cover pays, the parts, and whether a tie pays. `offers` are counts by block and cell: met, favourable,
    gained. `left` is room for ten counts.
    """

    def record_windows(ranks: Any, cards: Any, left: Any, block: Any, cells: Any, odds: Any, offers: Any) -> None:
        size = before_windows(ranks, cards, left)
        player = (value_of(cards[0]) + value_of(cards[2])) % 10
        banker = (value_of(cards[1]) + value_of(cards[3])) % 10
        third: Any
        for stage in range(2):
            third, points = I64(STOOD), player
            if stage == 1:
                if cards[4] < 0:
                    break
                third = I64(value_of(cards[4]))
                left[third] -= I64(1)
                size -= I64(1)
                points = (player + third) % 10
            due, player_wins, banker_wins, ties = endings(left, size, player, banker, third)
            if not due:
                continue
            for hand in range(2):
                cell = cells[stage, hand, points, banker]
                if cell < 0:
                    continue
                lost = player_wins if hand == 0 else banker_wins
                won = banker_wins if hand == 0 else player_wins
                if odds[cell, 2]:
                    won += ties
                net = won * odds[cell, 0] - lost * odds[cell, 1]
                add(offers, (block, cell, I64(0)), I64(1))
                if net > 0:
                    add(offers, (block, cell, I64(1)), I64(1))
                    add(offers, (block, cell, I64(2)), grains(net, size * (size - I64(1)), odds[cell, 1]))

    return record_windows


@part
def add(array: Any, at: Any, number: Any) -> None:
    """Add to a place of an array."""
    array[at] += number


record_round = part(record_round_with(add))
record_windows = part(record_windows_with(add))


@kernel
def record_all_rounds(
    ends: Ints,
    blocks: Ints,
    unseen: NDArray[np.uint8],
    left: NDArray[np.int16],
    nets: Ints,
    start: np.int64,
    plays: Any,
    sums: Any,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Record all rounds of some shoes on one core, each in the block of its shoe."""
    at = 0
    for shoe in range(len(ends)):
        while at < ends[shoe]:
            record_round(unseen[at], I64(left[at]), nets[at], start, blocks[shoe], plays, sums)
            at += 1


@kernel
def record_all_windows(
    ends: Ints,
    blocks: Ints,
    unseen: NDArray[np.uint8],
    cards: NDArray[np.int8],
    cells: Ints,
    odds: Ints,
    offers: Ints,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Record the insurance windows of all rounds of some shoes on one core."""
    at, left = 0, np.empty(10, np.int64)
    for shoe in range(len(ends)):
        while at < ends[shoe]:
            record_windows(unseen[at], cards[at], left, blocks[shoe], cells, odds, offers)
            at += 1
