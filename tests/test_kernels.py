"""Kernels held against the papers, and against counting small shoes card by card."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.coup import STOOD, Card
from punto.kernels import generator
from punto.kernels.deal import draw_card, full_counts
from punto.kernels.draw import RANK_ORDER, rank_of, value_of
from punto.kernels.endings import endings
from punto.kernels.exact import deals_of, deals_with_pairs
from punto.kernels.hands import ITSELF, shared, total, used, ways
from punto.simulation import cpu

from second import draw
from shoe_by_hand import MASK32, splitmix, words

VALUES = [Card(rank).value for rank in range(1, 14)]

# The stream


def test_the_hash_is_splitmix() -> None:
    """Published for the seed 1234567: the first five outputs (Rosetta Code, Pseudo-random numbers/Splitmix64)."""
    stream = splitmix(1234567)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [next(stream) for _ in range(4)] == published
    with np.errstate(over="ignore"):
        assert int(generator.mix(np.uint64(1234567) + generator.GOLDEN)) == published[0]


@pytest.mark.parametrize(("seed", "number"), [(0, 0), (1, 0), (2**64 - 1, 3), (7, 10**13)])
def test_a_stream_is_what_the_papers_say(seed: int, number: int) -> None:
    expected = words(seed, number)
    with np.errstate(over="ignore"):
        state = generator.stream_of(generator.hash_of(seed), number)
        for _ in range(8):
            six, state = generator.six_words(state)
            assert [int(word) for word in six] == [next(expected) for _ in six]


@given(st.integers(0, MASK32), st.integers(1, 624))
def test_a_mark_is_the_highest_part_of_a_product(word: int, left: int) -> None:
    high, low = np.uint16(word >> 16), np.uint16(word & 0xFFFF)
    with np.errstate(over="ignore"):
        assert cpu.mark_of(high, low, np.int16(left)) == word * left >> 32


def test_no_rank_is_wrong_by_a_word() -> None:
    """Of 2^32 words each rank gets its share, rounded at both ends: the bound that the documentation gives."""
    for left in (1, 6, 7, 52, 415, 416, 623, 624):
        for below in range(left + 1):
            share = -(-below * 2**32 // left)  # words whose mark is below: the smallest word that gives it
            assert abs(Fraction(share, 2**32) - Fraction(below, left)) < Fraction(1, 2**32)
            assert share == 2**32 or share * left >> 32 == below


# A card


def test_every_card_of_a_shoe_is_drawn_by_its_mark() -> None:
    """A shoe as a list of its cards: the mark is the place, and a card that is drawn is gone from the counts."""
    cards = [rank for rank in RANK_ORDER for _ in range(4)]
    counts = full_counts(np.int32(0), np.int32(4))
    for mark in (51, 0, 17, 17, 40, 3, 45, 20):
        value, height, counts = draw_card(np.int32(mark), counts)
        rank = cards.pop(mark)
        assert (rank_of(int(height)), value_of(int(height)), value) == (rank, Card(rank).value, Card(rank).value)
        left = Counter(cards)
        assert [int(each) for each in counts] == [
            sum(left[rank] for rank in RANK_ORDER[: place + 1]) for place in range(len(counts))
        ]
    assert draw_card(np.int32(len(cards)), counts)[0] == 0


# Two hands of one shoe


small = st.lists(st.integers(1, 13), min_size=6, max_size=7)


@settings(max_examples=25, deadline=None)
@given(small)
def test_two_hands_are_dealt_in_as_many_ways_as_can_be_listed(ranks: list[int]) -> None:
    values = [VALUES[rank - 1] for rank in ranks]
    listed = Counter(((a + c) % 10, (b + d) % 10) for a, b, c, d in permutations(values, 4))
    n = tuple(float(values.count(value)) for value in range(10))
    pairs = shared(n, n)
    for p in range(10):
        mates = tuple(n[(p - value) % 10] - ITSELF[10 * value + p] for value in range(10))
        u = used(n, mates)
        assert total(u) == pairs[p]
        more = tuple(each + (2.0 if b == p else 0.0) for b, each in enumerate(pairs))
        assert ways(u, n, pairs[p], more) == tuple(float(listed[p, b]) for b in range(10))


@settings(max_examples=25, deadline=None)
@given(small)
def test_hands_pair_in_as_many_deals_as_can_be_listed(ranks: list[int]) -> None:
    listed: Counter[str] = Counter()
    for a, b, c, d, _, _ in permutations(ranks, 6):
        listed["twins" if a == b == c == d else "both" if a == c and b == d else "player" if a == c else "other"] += 1
    found = deals_with_pairs([ranks.count(rank) for rank in range(1, 14)])
    assert [int(each) for each in found] == [listed["player"], listed["both"], listed["twins"]]
    assert deals_of(len(ranks)) == sum(listed.values())


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 13), min_size=10, max_size=12))
def test_a_coup_that_has_begun_ends_in_as_many_ways_as_can_be_listed(ranks: list[int]) -> None:
    """Four cards lie there, or five; what is left is drawn in every order by the second implementation."""
    table, rest = ranks[:4], ranks[4:]
    first = draw(*table, 13, 13)  # type: ignore[call-arg]  # four ranks and two more
    player, banker = (VALUES[table[at] - 1] + VALUES[table[at + 2] - 1] for at in range(2))
    seen = [(table, rest, STOOD)]
    if first.player_cards == 3:
        seen.append(([*table, rest[0]], rest[1:], VALUES[rest[0] - 1]))
    for shown, unseen, third in seen:
        listed: Counter[str] = Counter()
        due = False
        for order in permutations(unseen, 2):
            coup = draw(*([*shown, *order])[:6])
            due |= coup.used > len(shown)
            listed[coup.winner] += 1
        left = [sum(VALUES[rank - 1] == value for rank in unseen) for value in range(10)]
        found = endings(left, len(unseen), player % 10, banker % 10, third)
        assert bool(found[0]) == due
        if due:
            assert found[1:] == (listed["player"], listed["banker"], listed["tie"])


# Compilation


KERNEL = """
import parts
from punto.kernels.compiled import digest, kernel

PARTS = digest(parts.__file__)


@kernel
def answer(sources=PARTS):
    return parts.constant()


print(answer())
"""

PARTS = """
from punto.kernels.compiled import part


@part
def constant():
    return {}
"""


def test_a_kernel_is_compiled_again_when_a_part_of_it_changes(tmp_path: Path) -> None:
    """The file of the kernel stays the same: only the part that it calls changes, and Numba's cache is kept."""
    (tmp_path / "answer.py").write_text(KERNEL, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    for constant in (41, 42):
        (tmp_path / "parts.py").write_text(PARTS.format(constant), encoding="utf-8")
        command = [sys.executable, "-B", str(tmp_path / "answer.py")]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
        assert run.stdout == f"{constant}\n", run.stderr
    assert len(list(tmp_path.glob("__pycache__/answer*.nbc"))) == 2
