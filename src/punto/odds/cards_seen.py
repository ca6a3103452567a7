"""The best use of insurance by a patron who looks at the cards: each window decided by the cards that lie there.

A cell of an insurance table is an average over all hands with its totals. A patron sees the hand: the four cards, and
then the Player's third, are out of the shoe, and cover that is dear on the average may be cheap after these. Only
values matter, and not the order of a hand's two cards, so every decision is one of at most 55 by 55 pairs of hands.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm

import msgspec

from punto.coup import STOOD
from punto.coup.play import player_draws
from punto.kernels.endings import BANKER, PLAYER, TIE, endings, winner
from punto.kernels.play import banker_draws
from punto.odds.insurance import CellOdds, cards_by_value, insurance_odds, most_cover
from punto.rulebook import Book

Window = tuple[str, int, int]
"""A stage with the insured hand's points and those opposite."""

_HANDS = tuple(combinations_with_replacement(range(10), 2))
_WORTHLESS = (0, 0, 0)


class CellInPart(msgspec.Struct, frozen=True):
    """A cell in which cover is taken with some hands: `insured` is the chance of those, per round."""

    cell: CellOdds
    insured: Fraction

    @property
    def share(self) -> Fraction:
        """Of the rounds that come to the cell, those in which cover is taken."""
        return self.insured / self.cell.reach


class CardsSeenPlay(msgspec.Struct, frozen=True):
    """The best use of insurance by the cards seen, with one unit on a hand, per round.

    `worth` is what it adds to the expected net of that bet; `cells` are those in which cover is taken with at least
    some hands, in the order of the book's rows.
    """

    hand: str
    worth: Fraction
    cells: tuple[CellInPart, ...]


def best_play_by_cards(book: Book, shoe: Sequence[int], hand: str, maximum: Fraction | None = None) -> CardsSeenPlay:
    """What insurance is worth to a patron who decides by the cards seen, within the caps, as `best_play` has them.

    It is never worth less than by totals, as `best_play` reckons it.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load
    >>> play = best_play_by_cards(load("commission-insurance"), full_shoe(8), "player")
    >>> f"{float(play.worth):.5%}"
    '0.01496%'
    """
    insurance = book.insurance
    if insurance is None:
        return CardsSeenPlay(hand, Fraction(0), ())
    cells = {
        (each.row.stage, each.own, each.opposite): each
        for each in insurance_odds(book, shoe)
        if each.row.hand == hand and each.met
    }
    caps = {window: most_cover(insurance, cell, maximum) for window, cell in cells.items()}
    scale = lcm(*(part.denominator for part in _stakes_and_payouts(cells, caps)))
    prices = {window: _by_winner(cell, caps[window] * scale) for window, cell in cells.items()}
    shared = insurance.cap.over == "round"
    size = sum(shoe)
    worth = 0
    insured: Counter[Window] = Counter()
    for ways, rest, player, banker in _hands_of(cards_by_value(shoe)):
        four = _window("four-cards", hand, player, banker)
        now = max(_gain(prices.get(four, _WORTHLESS), endings(rest, size - 4, player, banker, STOOD)[1:]), 0)
        thirds = list(_third_cards(prices, hand, rest, player, banker))
        then = sum(gain for _, _, gain in thirds)
        # With one cap for both windows it goes where it is worth more; else both are used.
        early = now > 0 and (now >= then or not shared)
        worth += ways * (max(now, then) if shared else now + then)
        if early:
            insured[four] += ways * (size - 4)
        if not (early and shared):
            insured.update({window: ways * held for window, held, _ in thirds})
    of_four = size * (size - 1) * (size - 2) * (size - 3)
    return CardsSeenPlay(
        hand,
        Fraction(worth, of_four * (size - 4) * (size - 5) * scale),
        tuple(
            CellInPart(cell, Fraction(insured[window], of_four * (size - 4)))
            for window, cell in cells.items()
            if insured[window]
        ),
    )


def _stakes_and_payouts(cells: dict[Window, CellOdds], caps: dict[Window, Fraction]) -> Iterator[Fraction]:
    for window, cell in cells.items():
        yield caps[window]
        yield caps[window] * cell.row.odds.fraction


def _by_winner(cell: CellOdds, stake: Fraction) -> tuple[int, int, int]:
    """What cover of that stake nets if Player wins, if Banker wins, and on a tie; whole numbers."""
    pays = int(stake * cell.row.odds.fraction)
    tie = pays if cell.row.tie_pays is not None else 0
    return (pays, -int(stake), tie) if cell.row.hand == "banker" else (-int(stake), pays, tie)


def _gain(price: tuple[int, int, int], ways: Sequence[int]) -> int:
    return price[PLAYER] * ways[PLAYER] + price[BANKER] * ways[BANKER] + price[TIE] * ways[TIE]


def _window(stage: str, hand: str, player: int, banker: int) -> Window:
    return (stage, player, banker) if hand == "player" else (stage, banker, player)


def _hands_of(left: Sequence[int]) -> Iterator[tuple[int, list[int], int, int]]:
    """Four cards without a natural: in how many orders they are dealt, what is left, and both totals."""
    for first, third in _HANDS:
        player = (first + third) % 10
        for second, fourth in _HANDS:
            banker = (second + fourth) % 10
            if player > 7 or banker > 7:
                continue
            ways = (1 + (first != third)) * (1 + (second != fourth))
            rest = list(left)
            for card in (first, second, third, fourth):
                ways *= max(rest[card], 0)
                rest[card] -= 1
            if ways:
                yield ways, rest, player, banker


def _third_cards(
    prices: dict[Window, tuple[int, int, int]], hand: str, rest: Sequence[int], player: int, banker: int
) -> Iterator[tuple[Window, int, int]]:
    """The third cards of the Player after which cover is worth taking: its window, their number, and what is gained."""
    if not player_draws(player, banker):
        return
    for third in range(10):
        points = (player + third) % 10
        window = _window("third-card", hand, points, banker)
        price = prices.get(window)
        if price is None or not rest[third] or not banker_draws(player, banker, third):
            continue
        gain = sum(
            (held - (last == third)) * price[winner(points, (banker + last) % 10)] for last, held in enumerate(rest)
        )
        if gain > 0:
            yield window, rest[third], rest[third] * gain
