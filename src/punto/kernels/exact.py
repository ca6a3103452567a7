"""All deals from a shoe, counted exactly.

A deal is an ordered choice of six cards: Player, Banker, Player, Banker, then a third card for each. Which six cards
may be chosen does not depend on their order, so the third cards are taken out first, and the four cards of the hands
are counted from what is left (`hands`): for each total of the Player a *row* of the ways for each total of the Banker.
What a row means is up to whoever counts.

Rows are computed side by side in vector registers, in one of two ways: the same row of many compositions (`SHOES` at a
time), or all rows of one composition (`TOTALS`). In an array the entries of all lanes stand next to each other.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from punto.coup import STOOD
from punto.coup.play import banker_draws, player_draws
from punto.kernels.compiled import part
from punto.kernels.hands import DRAWS, ITSELF, Floats, total, used, ways

SHOES = 32
"""Compositions side by side."""

TOTALS = 8
"""Totals of the Player side by side: with more than seven no third card is drawn."""

STAND_STAND, DRAW_STAND, STAND_DRAW, DRAW_DRAW = range(4)
"""Who has a third card: neither hand, the Player, the Banker, both."""

CELLS = 400
"""Final coups as far as card values tell them apart: who drew, and both totals."""

WIDTH = 20
"""Places for the Banker's final total in a row of cells: totals run on past nine, and are folded at the end."""

STANDS: Floats = 1.0 - DRAWS
"""By the Player's third card and the Banker's total: 1 if the Banker stands."""

DRAWS_FIRST: Floats = np.array([1.0] * 6 + [0.0] * 2)
"""By the Banker's total: 1 if the Banker draws against a Player who stood. Likewise by the Player's total."""

FINISHED: Floats = np.array(
    [[float(not player_draws(p, b) and not banker_draws(p, b, STOOD)) for b in range(10)] for p in range(10)]
)
"""By both totals of two cards: 1 if they end the coup."""

Part = Callable[..., Any]


@part
def deals_of(size: Any) -> Any:
    """How many ordered deals of six cards there are from so many cards.

    >>> deals_of(416)
    4998398275503360
    """
    return size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5)


def cell_of(drew: int, player: int, banker: int) -> int:
    """The place of a final coup among the cells.

    >>> cell_of(DRAW_DRAW, 9, 9)
    399
    """
    return (drew * 10 + player) * 10 + banker


@part
def points(number: int) -> int:
    """The points of a sum of two cards or totals.

    >>> points(17), points(9)
    (7, 9)
    """
    return number - 10 if number > 9 else number


@part
def lane_row(rows: Any, number: int, lanes: int) -> Any:
    """A row of lanes, as a view: an index that LLVM cannot prove to be positive is not vectorised."""
    return rows[number * lanes : (number + 1) * lanes]


@part
def ten_at(rows: Floats, lane: int, lanes: int) -> Any:
    """Ten entries of one lane."""
    return (
        rows[lane],
        rows[lanes + lane],
        rows[2 * lanes + lane],
        rows[3 * lanes + lane],
        rows[4 * lanes + lane],
        rows[5 * lanes + lane],
        rows[6 * lanes + lane],
        rows[7 * lanes + lane],
        rows[8 * lanes + lane],
        rows[9 * lanes + lane],
    )


@part
def mates_at(mates: Floats, lane: int, lanes: int, p: int) -> Any:
    """For each value the cards that make the total p with one such card: the counts of the shoe, backwards."""
    return (
        mates[9 * lanes + lane] - ITSELF[p],
        mates[8 * lanes + lane] - ITSELF[10 + p],
        mates[7 * lanes + lane] - ITSELF[20 + p],
        mates[6 * lanes + lane] - ITSELF[30 + p],
        mates[5 * lanes + lane] - ITSELF[40 + p],
        mates[4 * lanes + lane] - ITSELF[50 + p],
        mates[3 * lanes + lane] - ITSELF[60 + p],
        mates[2 * lanes + lane] - ITSELF[70 + p],
        mates[lanes + lane] - ITSELF[80 + p],
        mates[lane] - ITSELF[90 + p],
    )


@part
def keep_row(rows: Floats, lane: int, width: int, weight: float, found: Any) -> None:
    """Write a row for the Banker's totals 0 to 7, times a weight."""
    rows[lane] = weight * found[0]
    rows[width + lane] = weight * found[1]
    rows[2 * width + lane] = weight * found[2]
    rows[3 * width + lane] = weight * found[3]
    rows[4 * width + lane] = weight * found[4]
    rows[5 * width + lane] = weight * found[5]
    rows[6 * width + lane] = weight * found[6]
    rows[7 * width + lane] = weight * found[7]


@part
def keep_finished(rows: Floats, lane: int, width: int, weight: float, where: Floats, found: Any) -> None:
    """Write a row for all totals of the Banker where four cards end the coup, times a weight."""
    rows[lane] = weight * where[0] * found[0]
    rows[width + lane] = weight * where[1] * found[1]
    rows[2 * width + lane] = weight * where[2] * found[2]
    rows[3 * width + lane] = weight * where[3] * found[3]
    rows[4 * width + lane] = weight * where[4] * found[4]
    rows[5 * width + lane] = weight * where[5] * found[5]
    rows[6 * width + lane] = weight * where[6] * found[6]
    rows[7 * width + lane] = weight * where[7] * found[7]
    rows[8 * width + lane] = weight * where[8] * found[8]
    rows[9 * width + lane] = weight * where[9] * found[9]


@part
def add_row(found: Floats, rows: Floats, where: Floats, lanes: int, width: int) -> None:
    """Add a row, where a mask over the Banker's totals 0 to 7 says so, to places one after the other."""
    for lane in range(lanes):
        found[lane] += where[0] * rows[lane]
        found[lanes + lane] += where[1] * rows[width + lane]
        found[2 * lanes + lane] += where[2] * rows[2 * width + lane]
        found[3 * lanes + lane] += where[3] * rows[3 * width + lane]
        found[4 * lanes + lane] += where[4] * rows[4 * width + lane]
        found[5 * lanes + lane] += where[5] * rows[5 * width + lane]
        found[6 * lanes + lane] += where[6] * rows[6 * width + lane]
        found[7 * lanes + lane] += where[7] * rows[7 * width + lane]


@part
def take(n: Floats, value: int, cards: float, lanes: int) -> None:
    """Take cards of one value out of every lane. The ten counts are there twice: no index is taken modulo ten."""
    one, two = lane_row(n, value, lanes), lane_row(n, value + 10, lanes)
    for lane in range(lanes):
        one[lane] -= cards
        two[lane] -= cards


@part
def pairs_of_shoes(n: Floats, pairs: Floats) -> None:
    """Ordered pairs of cards by total, for many compositions."""
    for p in range(10):
        mates, found = n[(p + 1) * SHOES : (p + 11) * SHOES], lane_row(pairs, p, SHOES)
        for lane in range(SHOES):
            found[lane] = total(used(ten_at(n, lane, SHOES), mates_at(mates, lane, SHOES, p)))


@part
def row_of_shoes(n: Floats, pairs: Floats, weight: Floats, p: int, rows: Floats, _: int) -> None:
    """The row of one total of the Player, for many compositions; called as `rows_of_totals` is."""
    mates, own = n[(p + 1) * SHOES : (p + 11) * SHOES], lane_row(pairs, p, SHOES)
    same = lane_row(rows, p, SHOES)
    for lane in range(SHOES):
        cards = ten_at(n, lane, SHOES)
        u = used(cards, mates_at(mates, lane, SHOES, p))
        keep_row(rows, lane, SHOES, weight[lane], ways(u, cards, own[lane], ten_at(pairs, lane, SHOES)))
    for lane in range(SHOES):
        same[lane] += 2.0 * weight[lane] * own[lane]


@part
def pairs_of_totals(n: Floats, pairs: Floats) -> None:
    """Ordered pairs of cards by total, for one composition."""
    cards, mates = ten_at(n, 0, 1), n[1:]
    for p in range(10):
        pairs[p] = total(used(cards, mates_at(mates, p, 1, p)))


@part
def rows_of_totals(n: Floats, pairs: Floats, weight: Floats, _: int, rows: Floats, totals: int) -> None:
    """The rows of all totals of the Player, for one composition.

    `totals` is `TOTALS`, given at run time: LLVM does not vectorise a loop that it knows to be short.
    """
    cards, every, mates = ten_at(n, 0, 1), ten_at(pairs, 0, 1), n[1:]
    for p in range(totals):
        u = used(cards, mates_at(mates, p, 1, p))
        keep_row(rows, p, TOTALS, weight[0], ways(u, cards, pairs[p], every))
    for p in range(totals):
        rows[p * TOTALS + p] += 2.0 * weight[0] * pairs[p]


@part
def empty_space(lanes: int, span: int) -> Any:
    """Room for what `deals_with` counts on the way: pairs, pairs with a card less, weights, cards held, rows."""
    return np.empty(10 * lanes), np.empty(10 * lanes), np.empty(lanes), np.empty(lanes), np.empty(8 * lanes * span)


def deals_with(lanes: int, span: int, count_pairs: Part, count_rows: Part, note_five: Part, note_six: Part) -> Part:
    """Count all deals in which a third card is drawn, row by row.

    `lanes` compositions are side by side, and `span` rows are computed at a time. `note_five(found, p, third, row)`
    notes a row of the Player's total p if that card is the only third one, `note_six(found, p, third, last, row)` one
    if these two cards are drawn, in either order.
    """

    def count_deals(n: Floats, size: Floats, totals: int, space: Any, found: Any) -> None:
        pairs, fewer, weight, held, rows = space
        for third in range(10):
            cards = lane_row(n, third, lanes)
            for lane in range(lanes):
                held[lane] = cards[lane]
                weight[lane] = cards[lane] * (size[lane] - 5.0)
            take(n, third, 1.0, lanes)
            count_pairs(n, pairs)
            for first in range(0, 8, span):
                count_rows(n, pairs, weight, first, rows, totals)
                for p in range(first, first + span):
                    note_five(found, p, third, rows[(p - first) * lanes :])
            for last in range(third, 10):
                cards = lane_row(n, last, lanes)
                for lane in range(lanes):
                    weight[lane] = held[lane] * cards[lane]
                for p in range(8):
                    mates, before, after = (
                        lane_row(n, 10 + p - last, lanes),
                        lane_row(pairs, p, lanes),
                        lane_row(fewer, p, lanes),
                    )
                    for lane in range(lanes):
                        after[lane] = before[lane] - 2.0 * (mates[lane] - ITSELF[10 * last + p])
                take(n, last, 1.0, lanes)
                for first in range(0, 6, span):
                    count_rows(n, fewer, weight, first, rows, totals)
                    for p in range(first, min(first + span, 6)):
                        note_six(found, p, third, last, rows[(p - first) * lanes :])
                take(n, last, -1.0, lanes)
            take(n, third, -1.0, lanes)

    return count_deals


def coups_with(lanes: int, span: int, count_pairs: Part, count_rows: Part) -> Part:
    """Count all deals by how they end: for each cell of who drew and the Player's total, `WIDTH` places."""
    width = lanes * span

    @part
    def note_five(ends: Floats, p: int, third: int, row: Floats) -> None:
        if p < 6:
            at = (DRAW_STAND * 10 + points(p + third)) * WIDTH
            add_row(ends[at * lanes : (at + 8) * lanes], row, STANDS[third], lanes, width)
        else:
            at = (STAND_DRAW * 10 + p) * WIDTH + third
            add_row(ends[at * lanes : (at + 8) * lanes], row, DRAWS_FIRST, lanes, width)

    @part
    def note_six(ends: Floats, p: int, third: int, last: int, row: Floats) -> None:
        at = (DRAW_DRAW * 10 + points(p + third)) * WIDTH + last
        add_row(ends[at * lanes : (at + 8) * lanes], row, DRAWS[third], lanes, width)
        if third != last:
            at = (DRAW_DRAW * 10 + points(p + last)) * WIDTH + third
            add_row(ends[at * lanes : (at + 8) * lanes], row, DRAWS[last], lanes, width)

    count_deals = part(deals_with(lanes, span, count_pairs, count_rows, note_five, note_six))

    def count_coups(n: Floats, size: Floats, totals: int, space: Any, ends: Floats) -> None:
        pairs, _, weight, _, _ = space
        ends[:] = 0.0
        count_pairs(n, pairs)
        for lane in range(lanes):
            weight[lane] = (size[lane] - 4.0) * (size[lane] - 5.0)
        for p in range(6, 10):
            mates, own = n[(p + 1) * lanes : (p + 11) * lanes], lane_row(pairs, p, lanes)
            row = ends[(STAND_STAND * 10 + p) * WIDTH * lanes :]
            same = lane_row(row, p, lanes)
            for lane in range(lanes):
                cards = ten_at(n, lane, lanes)
                u = used(cards, mates_at(mates, lane, lanes, p))
                found = ways(u, cards, own[lane], ten_at(pairs, lane, lanes))
                keep_finished(row, lane, lanes, weight[lane], FINISHED[p], found)
            for lane in range(lanes):
                same[lane] += 2.0 * weight[lane] * own[lane]
        for p in range(6):  # ways(p, b) = ways(b, p): the rows of naturals serve the other hand too
            for b in range(8, 10):
                mine = lane_row(ends, (STAND_STAND * 10 + p) * WIDTH + b, lanes)
                turned = lane_row(ends, (STAND_STAND * 10 + b) * WIDTH + p, lanes)
                for lane in range(lanes):
                    mine[lane] = turned[lane]
        count_deals(n, size, totals, space, ends)

    return part(count_coups)


@part
def deals_with_pairs(ranks: Any) -> Any:
    """The deals in which one hand pairs and not the other, both pair by different ranks, and both by the same rank.

    The first number holds for the Player's hand and for the Banker's alike.

    >>> one, both, twins = deals_with_pairs([32] * 13)
    >>> f"{one / deals_of(416):.6f} {both / deals_of(416):.6f} {twins / deals_of(416):.6f}"
    '0.069118 0.005201 0.000380'
    """
    size = pairs = squares = twins = np.int64(0)
    for rank in range(13):
        held = np.int64(ranks[rank])
        two = held * (held - 1)
        size += held
        pairs += two
        squares += two * two
        twins += two * (held - 2) * (held - 3)
    rest = (size - 4) * (size - 5)
    both = pairs * pairs - squares
    one = pairs * (size - 2) * (size - 3) - both - twins
    return one * rest, both * rest, twins * rest
