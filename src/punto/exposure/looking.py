"""What is noted of a round before it is dealt, and at its insurance windows: written once, for CPU and GPU alike.

An edge is a whole number over a whole number. It is divided in double precision and rounded to a multiple of
`GRAIN`, 2^-36 of a unit; from there on everything is a sum of whole numbers. So it does not matter in which order,
in how many parts or on what machine rounds are looked at: the sums are the same, bit for bit.
"""

from collections.abc import Callable
from math import floor
from typing import Any

import numpy as np

from punto.coup import CARDS_IN_A_DECK, STOOD

SHIFT = 36
GRAIN = 1.0 / (1 << SHIFT)
SCALE = float(1 << SHIFT)

STEP = 26
"""Depths are told apart by half decks of cards left."""

SPREAD, MIDDLE = 201, 100
"""Edges are counted by whole percents, from -100 % and below to +100 % and above."""

TRUE, LEAST_TRUE = 101, -50
"""True counts are counted by their whole part, from -50 to +50."""

I64 = np.int64


def depths(decks: int) -> int:
    """How many depths a shoe has.

    >>> depths(8)
    17
    """
    return CARDS_IN_A_DECK * decks // STEP + 1


def endings_with(player_draws: Callable[..., Any], banker_draws: Callable[..., Any]) -> Callable[..., Any]:
    """In how many ways, of all ordered pairs of cards, each hand wins from here or they tie; and if a card is due.

    `left` are the unseen cards by value, `third` the Player's third card or `STOOD` if none lies there yet; `player`
    and `banker` are two-card totals.
    """

    def endings(left: Any, size: Any, player: Any, banker: Any, third: Any) -> Any:
        player_wins, banker_wins, ties = I64(0), I64(0), I64(0)
        drawn = third == STOOD and player_draws(player, banker)
        due = drawn or banker_draws(player, banker, third)
        first, end = (0, 10) if drawn else (third, third + 1)
        for card in range(first, end):
            held = left[card] if drawn else I64(1)
            points = (player + card) % 10 if card != STOOD else player
            rest = size - I64(1)
            also = banker_draws(player, banker, card)
            for last in range(10 if also else 1):
                if also:
                    ways = held * ((left[last] - (I64(1) if card == last else I64(0))) if drawn else left[last] * rest)
                    other = (banker + last) % 10
                else:
                    ways, other = held * rest, banker
                if points > other:
                    player_wins += ways
                elif points < other:
                    banker_wins += ways
                else:
                    ties += ways
        return due, player_wins, banker_wins, ties

    return endings


def grains(net: Any, whole: Any, unit: Any) -> Any:
    """A net over some number of deals as an edge, in grains.

    >>> int(grains(1, 3, 2)) == round((1 << 36) / 6)
    True
    """
    return I64(floor(np.float64(net) / np.float64(whole) / np.float64(unit) * SCALE + 0.5))


def look_with(add: Callable[..., Any], grained: Callable[..., Any]) -> Callable[..., Any]:
    """Note a round, by a machine's own way to add to an array.

    A play is a bet and how it is played: perfectly (`how` 0), or by a count: tags by rank and a trigger. `sums` are
    rounds, favourable rounds and gains by block and depth, edges of all rounds by block, and the spread of edges and
    of true counts.
    """

    def look(ranks: Any, left: Any, nets: Any, start: Any, block: Any, plays: Any, sums: Any) -> None:
        units, bet_of, how, tags, triggers = plays
        rounds, favourable, gains, edges, spread, trues = sums
        size = I64(0)
        for rank in range(13):
            size += I64(ranks[rank])
        whole = size * (size - I64(1)) * (size - I64(2)) * (size - I64(3)) * (size - I64(4)) * (size - I64(5))
        depth = left // STEP
        add(rounds, (block, depth), I64(1))
        for bet in range(units.shape[0]):
            edge = grained(nets[bet], whole, units[bet])
            add(edges, (block, bet), edge)
            percent = I64(floor(np.float64(edge) * (100.0 * GRAIN))) + I64(MIDDLE)
            add(spread, (bet, min(max(percent, I64(0)), I64(SPREAD - 1))), I64(1))
        for play in range(bet_of.shape[0]):
            bet = bet_of[play]
            bets = nets[bet] > 0
            if how[play]:
                running = I64(0)
                for rank in range(13):
                    running += I64(tags[play, rank]) * (start - I64(ranks[rank]))
                true = running * I64(CARDS_IN_A_DECK)
                bets = true * triggers[play, 1] >= triggers[play, 0] * size
                at = min(max(true // size - I64(LEAST_TRUE), I64(0)), I64(TRUE - 1))
                count = how[play] - I64(1)
                add(trues, (count, I64(0), at), I64(1))
                add(trues, (count, I64(1), at), grained(nets[bet], whole, units[bet]))
            if bets:
                add(favourable, (block, play, depth), I64(1))
                add(gains, (block, play, depth), grained(nets[bet], whole, units[bet]))

    return look


def window_with(
    add: Callable[..., Any], grained: Callable[..., Any], endings: Callable[..., Any]
) -> Callable[..., Any]:
    """Note the insurance windows of a round: what is offered, and the offers that favour the patron.

    `cells` tells the cell by stage, hand and both totals, -1 where there is no price; `odds` are by cell what one
    part of the cover pays, the parts, and whether a tie pays. `offers` are counts by block and cell: met, favourable,
    gained.
    """

    def window(
        ranks: Any, cards: Any, value_of: Any, left: Any, block: Any, cells: Any, odds: Any, offers: Any
    ) -> None:
        for value in range(10):
            left[value] = I64(0)
        size = I64(0)
        for rank in range(13):
            left[rank + 1 if rank < 9 else 0] += I64(ranks[rank])
            size += I64(ranks[rank])
        for card in range(4):
            left[value_of[cards[card]]] -= I64(1)
        size -= I64(4)
        player = (value_of[cards[0]] + value_of[cards[2]]) % 10
        banker = (value_of[cards[1]] + value_of[cards[3]]) % 10
        for stage in range(2):
            third, points = I64(STOOD), player
            if stage == 1:
                if cards[4] < 0:
                    break
                third = I64(value_of[cards[4]])
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
                    add(offers, (block, cell, I64(2)), grained(net, size * (size - I64(1)), odds[cell, 1]))

    return window
