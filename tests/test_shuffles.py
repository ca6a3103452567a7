"""Tests of a shuffle: fair ones pass, biased ones are caught."""

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from punto import shoe as virtual
from punto.simulation import draw_shoes
from punto.simulation.shuffle_tests import BadShuffle, judge, kinds, neighbours, positions, runs, serial


def test_the_simulators_shuffle_passes_every_test() -> None:
    for decks in (1, 8):
        judged = judge(draw_shoes(1, 0, shoes=3000, decks=decks))
        assert all(each.p_value > 0.001 for each in judged.values()), judged


def test_the_virtual_shoes_shuffle_passes_every_test() -> None:
    dealt = [
        [card.rank for card in virtual.shuffle(bytes([7, *divmod(at, 256)]) + bytes(29), decks=1)] for at in range(2000)
    ]
    judged = judge(dealt)
    assert all(each.p_value > 0.001 for each in judged.values()), judged


Shoes = NDArray[np.int64]


def fair(chance: np.random.Generator, shoes: int) -> Shoes:
    return chance.permuted(np.tile(np.arange(52) // 4, (shoes, 1)), axis=1)


def swapped_with_any(chance: np.random.Generator, shoes: int) -> Shoes:
    """The well-known wrong shuffle: every card changes places with any other."""
    dealt, row = np.tile(np.arange(52) // 4, (shoes, 1)), np.arange(shoes)
    for at in range(52):
        other = chance.integers(0, 52, shoes)
        held = dealt[row, other].copy()
        dealt[row, other] = dealt[:, at]
        dealt[:, at] = held
    return dealt


def clumped(chance: np.random.Generator, shoes: int) -> Shoes:
    """In every shoe one card more than chance would have it lies beside its like."""
    dealt = fair(chance, shoes)
    for shoe in dealt:
        at = 2 * int(chance.integers(0, 26))
        like = next(place for place in np.flatnonzero(shoe == shoe[at]) if place != at)
        shoe[[at + 1, like]] = shoe[[like, at + 1]]
    return dealt


def riffled_once(chance: np.random.Generator, shoes: int) -> Shoes:
    return np.stack([np.argsort(chance.integers(0, 2, 52), kind="stable") // 4 for _ in range(shoes)])


@pytest.mark.parametrize(
    ("shuffle", "caught"),
    [
        (swapped_with_any, {"positions"}),
        (clumped, {"neighbours", "runs", "serial"}),
        (riffled_once, {"positions", "neighbours", "runs", "serial", "serial-2"}),
    ],
    ids=["swapped with any", "clumped", "riffled once"],
)
def test_a_biased_shuffle_is_caught(shuffle: Callable[[np.random.Generator, int], Shoes], caught: set[str]) -> None:
    judged = judge(shuffle(np.random.default_rng(1), 3000))
    assert {name for name, each in judged.items() if each.p_value < 1e-6} >= caught
    assert all(each.p_value > 0.001 for each in judge(fair(np.random.default_rng(1), 3000)).values())


def test_what_the_tests_expect_is_exact() -> None:
    """Over all orders of seven cards: scores have mean 0 and variance 1, chi-squares the mean of their degrees."""
    orders = [list(order) for order in set(permutations([1, 1, 2, 2, 3, 4, 4]))]
    weight = len(orders)
    for test in (runs, serial, lambda dealt: serial(dealt, lag=2), lambda dealt: serial(dealt, lag=4)):
        scores = [test([order]).statistic for order in orders]
        assert sum(scores) / weight == pytest.approx(0, abs=1e-9)
        assert sum(score**2 for score in scores) / weight == pytest.approx(1)
    for test in (positions, neighbours):
        judged = [test([order]) for order in orders]
        assert sum(each.statistic for each in judged) / weight == pytest.approx(judged[0].degrees)


@pytest.mark.parametrize(
    ("dealt", "says"),
    [
        ([[1, 2, 3], [1, 2, 2]], "Shoe 2 does not have the cards of shoe 1"),
        ([[1]], "at least two cards"),
        ([list(range(100))], "100 kinds of card are too many"),
    ],
)
def test_shoes_that_cannot_be_tested_are_refused(dealt: list[list[int]], says: str) -> None:
    with pytest.raises(BadShuffle, match=says):
        kinds(dealt)
