"""Published counts played again: what they are said to win, and what is found, each with its own error.

The publisher (Jacobson, advancedadvantageplay.com, and earlier articles) deals eight decks, the cut card 14 cards from
the end, by the standard rules for burning and for the cut card; his figures are simulations of 100 million shoes in
which every bet is won or lost. Ours take the exact edge of every bet instead, so that fewer shoes tell more.

    python benchmarks/counts.py [SHOES]
"""

import sys
from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from punto.coup import OUTCOMES, Outcome, outcome
from punto.exposure import DealingProcedure, count, expose, nets
from punto.kernels.gpu import NoGpu

PUBLISHED_SHOES = 100_000_000


class Published(NamedTuple):
    """A bet, its count, and what was published of it: share of rounds, edge, units per 100 rounds or per shoe."""

    name: str
    wins: Callable[[Outcome], bool]
    odds: int
    tags: str
    trigger: int
    share: float | None = None
    edge: float | None = None
    per_100: float | None = None
    per_shoe: float | None = None


def three_card(winner: str, points: int) -> Callable[[Outcome], bool]:
    """The hand wins with three cards and so many points."""

    def wins(seen: Outcome) -> bool:
        mine, other = seen.player_points, seen.banker_points
        cards = seen.player_cards
        if winner == "banker":
            mine, other, cards = other, mine, seen.banker_cards
        return mine == points > other and cards == 3

    return wins


def of_points(*both: tuple[int, int], cards: int | None = None) -> Callable[[Outcome], bool]:
    """The hands have these points, either way round, with so many cards together if it matters."""

    def wins(seen: Outcome) -> bool:
        points = (seen.player_points, seen.banker_points)
        total = seen.player_cards + seen.banker_cards
        return (points in both or points[::-1] in both) and cards in (None, total)

    return wins


COUNTS = [
    Published("Big Tiger", three_card("banker", 6), 50, "0,0,-1,-1,-1,-2,1,2,2,0", 8, 0.03536, 0.07227, 0.256),
    Published("Banker 7", three_card("banker", 7), 40, "0,0,0,-1,-1,-1,-1,2,2,0", 4, per_shoe=0.597),
    Published("88, 89, 99", of_points((8, 8), (8, 9), (9, 9)), 20, "1,1,0,0,0,0,0,-3,-3,1", 4, 0.1361, 0.0891, 1.213),
    Published("9 over 7", of_points((9, 7), cards=4), 50, "0,1,1,1,1,1,-5,1,-5,1", 6, 0.1433, 0.1085, 1.56),
    Published("9 over 8", of_points((9, 8), cards=4), 50, "0,1,1,1,1,1,1,-5,-5,1", 6, 0.1431, 0.1054, 1.51),
    # the trigger of this one is not told; from +11 it wins most
    Published("Player 8", three_card("player", 8), 25, "1,1,-2,-2,-2,-1,-1,-2,4,1", 11, per_shoe=0.237),
]


def compare(shoes: int, casino: bool) -> None:
    """Play every count, and print what is published and what is found."""
    by_net = {
        each.name: [each.odds if each.wins(outcome(index)) else -1 for index in range(OUTCOMES)] for each in COUNTS
    }
    counts = [count(each.name, each.tags, each.trigger) for each in COUNTS]
    dealing = DealingProcedure(casino=casino)
    try:
        found = expose(nets(by_net), dealing, seed=1, shoes=shoes, counts=counts, backend="gpu")
    except NoGpu:
        found = expose(nets(by_net), dealing, seed=1, shoes=shoes, counts=counts)
    a_shoe = found.rounds / found.dealt
    print(f"{shoes:,} shoes, {'the casino' if casino else 'plain'} procedure, {a_shoe:.3f} rounds a shoe")
    for number, each in enumerate(COUNTS):
        worth = found.by_count(number)
        print(f"  {each.name}")
        assert worth.edge is not None
        bets = a_shoe * worth.share.value
        hit = (1 + worth.edge.value) / (1 + each.odds)
        outcome_error = (1 + each.odds) * sqrt(hit * (1 - hit)) * sqrt(bets / PUBLISHED_SHOES)  # of units a shoe
        for label, published, ours, theirs in (
            ("share of rounds", each.share, worth.share, None),
            ("average edge", each.edge, worth.edge, outcome_error / bets),
            ("units per 100", each.per_100, worth.per_100, 100 * outcome_error / a_shoe),
            ("units a shoe", each.per_shoe, worth.per_shoe, outcome_error),
        ):
            if published is not None:
                error = f" ± {theirs:.5f}" if theirs is not None else ""
                found_is = f"found {ours.value:.5f} ± {ours.error or 0:.5f}"
                print(f"    {label:16} published {published:.5f}{error}, {found_is}")


if __name__ == "__main__":
    how_many = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for by_casino in (True, False):
        compare(how_many, by_casino)
