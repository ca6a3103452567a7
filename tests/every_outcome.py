"""Every outcome of a bet, held against the second implementation."""

from punto.coup import OUTCOMES, outcome
from punto.rulebook import load, menu

from second import MENUS, Drawn

RANKS = {"none": (0, 0), "player": (3, 0), "banker": (0, 3), "both": (3, 4), "twin": (3, 3)}
"""Ranks of which the first two cards of each hand are a pair; 0 where they are none."""


def drawn(index: int) -> Drawn:
    """An outcome as the second implementation sees it."""
    seen = outcome(index)
    return Drawn(seen.cards, *seen[:4], *RANKS[seen.pairs])


def assert_settled_as_by_the_second(book: str, layout: str, bet: str) -> None:
    """All 2,000 outcomes, whether or not the cards can make them: won at which odds, lost, or given back."""
    carried, price = menu(load(book), layout).bets[bet], MENUS[book][layout][bet]
    for index in range(OUTCOMES):
        seen, verdict = outcome(index), carried.verdict(index)
        expected = price(drawn(index))
        if expected is None:
            assert verdict.result == "lose", (bet, seen)
        elif expected == 0:
            assert verdict.result == "stand-off", (bet, seen)
        else:
            assert verdict.result == "win", (bet, seen)
            assert verdict.odds is not None
            assert verdict.odds.fraction == expected, (bet, seen)


def assert_paid_as_printed(book: str, bet: str) -> None:
    """A bet on every layout of its book: every outcome where it is carried, and carried nowhere else."""
    rulebook, seen = load(book), set()
    assert set(rulebook.layouts) == set(MENUS[book])
    for layout, prices in MENUS[book].items():
        carried = menu(rulebook, layout).bets
        assert (bet in carried) == (bet in prices), (bet, layout)
        if bet in prices and (carried[bet].rows, prices[bet]) not in seen:
            seen.add((carried[bet].rows, prices[bet]))
            assert_settled_as_by_the_second(book, layout, bet)
