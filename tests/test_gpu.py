"""The GPU's kernels: on a GPU where there is one, and without one by Numba's simulator."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from punto.coup import OUTCOMES
from punto.exposure import count, expose
from punto.kernels import generator
from punto.kernels.deal import round_with
from punto.kernels.draw import draw_with, full_counts_with
from punto.kernels.gpu import NoGpu
from punto.rulebook import load, menu
from punto.simulation import Dealing, simulate
from punto.simulation.cells import situations_of
from punto.simulation.packed import (
    NEITHER_STANDS,
    NOTHING,
    ROW_CELLS,
    banker_stands_with,
    both,
    count_with,
    draw_with_marks,
    look_up_with,
    outcome_order,
    play_table,
    player_stands,
    rows_of,
)

from shoe_by_hand import MASK32

NETS = {"odd": [at % 7 - 3 for at in range(OUTCOMES)]}

Half = NDArray[np.float16]


def halves_of(word: Any) -> Half:
    return np.array([int(word) & 0xFFFF, int(word) >> 16], dtype=np.uint16).view(np.float16)


def word_of(halves: Any) -> np.uint32:
    low, high = np.asarray(halves, dtype=np.float16).view(np.uint16)
    return np.uint32(int(low) | int(high) << 16)


def saturated(halves: Half) -> Half:
    """From 0 to 1; what is no number is 0, as a GPU has it. A lane without a shoe comes to such."""
    return np.clip(np.nan_to_num(halves), np.float16(0), np.float16(1))


class Halves:
    """The GPU's instructions on two 16-bit floats in one register, made of Python."""

    @staticmethod
    def above(a: Any, b: Any) -> Any:
        return word_of(saturated(halves_of(a) - halves_of(b)))

    @staticmethod
    def minus(a: Any, b: Any) -> Any:
        return word_of(halves_of(a) - halves_of(b))

    @staticmethod
    def plus(a: Any, b: Any) -> Any:
        return word_of(halves_of(a) + halves_of(b))

    @staticmethod
    def larger(a: Any, b: Any) -> Any:
        return word_of(np.fmax(halves_of(a), halves_of(b)))

    @staticmethod
    def times(a: Any, b: Any) -> Any:
        return word_of(saturated(halves_of(a) * halves_of(b)))

    @staticmethod
    def fma(a: Any, b: Any, c: Any) -> Any:
        return word_of(halves_of(a).astype(np.float64) * halves_of(b) + halves_of(c))

    @staticmethod
    def rotated(a: Any, b: Any, c: Any) -> Any:
        return np.uint32(((int(b) << 32 | int(a)) >> (int(c) & 31)) & MASK32)


def in_halves(dealing: Dealing, seed: int, shoes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The round as the GPU deals it, two shoes to a register: outcomes, and rows by the last card."""

    def square(a: Any) -> Any:
        return Halves.times(a, a)

    def bit(word: Any, at: Any) -> Any:
        return np.uint32(int(Halves.rotated(word, word, at)) & 1)

    above, minus, plus, fma = Halves.above, Halves.minus, Halves.plus, Halves.fma
    draw_two = draw_with_marks(draw_with(above, minus, plus))
    look_up, stands = look_up_with(plus, fma), banker_stands_with(plus, bit)
    deal_two = round_with(draw_two, plus, look_up, player_stands, stands, NEITHER_STANDS)
    count_two = count_with(above, minus, plus, square, fma)
    table, order, hashed = play_table(), outcome_order(), generator.hash_of(seed)
    outcomes, rows = np.zeros(OUTCOMES, dtype=np.int64), np.zeros(ROW_CELLS, dtype=np.int64)
    for first in range(0, shoes, 2):
        one, two = (generator.stream_of(hashed, first + at) for at in range(2))
        counts = full_counts_with(plus)(NOTHING, both(4 * dealing.decks))
        left = [np.uint32(dealing.cards)] * 2
        for _ in range(dealing.most_rounds):
            on = [each >= dealing.least for each in left]
            if not any(on):
                break
            words_one, one = generator.six_words(one)
            words_two, two = generator.six_words(two)
            pairs = tuple(zip(words_one, words_two, strict=True))
            values, heights, play, player, banker, after, counts = deal_two(table, pairs, tuple(left), counts)
            ends, cells = count_two(values, heights, play, player, banker)
            for at in range(2):
                if on[at]:
                    outcomes[order[ends[at]]] += 1
                    rows[cells[at]] += 1
                left[at] = after[at] if on[at] and after[at] >= dealing.least else np.uint32(5)
    return outcomes, rows_of(rows)


@pytest.mark.parametrize("dealing", [Dealing(decks=1, cut=6), Dealing(decks=12, cut=560)], ids=str)
def test_the_gpu_deals_in_halves_what_lanes_deal(dealing: Dealing) -> None:
    """The same source that a GPU compiles, without a GPU."""
    with np.errstate(over="ignore"):
        outcomes, rows = in_halves(dealing, seed=6, shoes=6)
    expected = simulate(dealing, seed=6, shoes=6)
    assert np.array_equal(outcomes, expected.outcomes)
    assert np.array_equal(situations_of(rows), expected.situations)


SIMULATED_DEALING = """
import sys

import numpy as np

import gpu_simulator
from test_gpu import Halves

sys.modules["punto.simulation.half_instructions"] = Halves  # the simulator has no machine instructions

from punto.simulation import Dealing, gpu, job
from punto.simulation.dealing import OnLayout
from punto.simulation.run import deal_range

gpu.THREADS = 2  # each is a thread of Python here
nets = {"odd": [at % 7 - 3 for at in range(2000)]}
for dealing, shoes in (
    (Dealing(decks=1, cut=30, burn=7), 5),
    (Dealing(decks=2, rounds=2), 3),
    (Dealing(decks=1, cut=34, burn=2, printed=OnLayout(0, "7")), 3),
    (Dealing(decks=1, cut=34, printed=OnLayout(3, "A")), 3),
):
    work = job(dealing, seed=4, shoes=shoes, first=1, block=2, nets=nets)
    there = gpu.GpuDealer(work.bets.nets, dealing.printed).deal(dealing, 4, work.first, work.last, 2)
    here = deal_range(work, work.first, work.last)
    assert all(np.array_equal(one, other) for one, other in zip(there, here[:3], strict=True)), dealing
    assert here[0].sum() > 5
"""

SIMULATED_CARDS = """
import sys

import numpy as np

import gpu_simulator
from test_gpu import Halves

sys.modules["punto.simulation.half_instructions"] = Halves  # the simulator has no machine instructions

from punto.simulation import Dealing, card_gpu, job
from punto.simulation.card_slices import slices_of
from punto.simulation.run import deal_range
from test_published_bets import book
from test_windows_dealt import PRINTED, dealing_of, game, looking
from punto.rulebook import menu

card_gpu.THREADS = 2  # each is a thread of Python here
kernels, near = card_gpu.KERNELS, set()
for dealing, shoes, names, rooms in (
    (Dealing(decks=1, cut=30, burn=7), 5, ("lucky-nines-redrock", "perfect-pair-25-200", "all-red"), (9999,)),
    (Dealing(decks=1, cut=34, burn=7), 3, ("all-red",), (9999, 100)),
    (Dealing(decks=2, rounds=2), 3, ("bellagio-player", "matching-dragon-1-7"), (9999, 400)),
):
    cards = {name: menu(book())[name] for name in names}
    work = job(dealing, seed=4, shoes=shoes, first=1, block=2, cards=cards)
    _, _, all_sums, all_joints = deal_range(work, work.first, work.last)
    for room in rooms:  # what does not fit into shared memory is read from the main one
        card_gpu.KERNELS = {each: (kernel, min(room, whole)) for each, (kernel, whole) in kernels.items()}
        near |= {each.near for each in slices_of(work.cards, card_gpu.KERNELS[work.cards.by_suit, False][1])}
        joints, sums = card_gpu.CardGpuDealer(work.cards).deal(dealing, 4, work.first, work.last, 2)
        assert np.array_equal(joints, all_joints), dealing
        assert np.array_equal(sums, all_sums[:, 1:]), dealing
    assert joints.sum() > 5
assert near == {False, True}
card_gpu.KERNELS = kernels
for printed in (PRINTED[0], PRINTED[1], PRINTED[4]):
    carried = menu(game(printed))
    dealing = dealing_of(carried.book, decks=1, cut=36, burn=1)
    work = job(dealing, seed=4, shoes=3, first=1, block=2, cards=looking(carried))
    dealer = card_gpu.CardGpuDealer(work.cards, dealing.printed)
    joints, sums = dealer.deal(dealing, 4, work.first, work.last, 2)
    _, _, all_sums, all_joints = deal_range(work, work.first, work.last)
    assert np.array_equal(joints, all_joints), printed
    assert np.array_equal(sums, all_sums[:, 1:]), printed
    assert sums.shape[1] == 5  # three bets, and how often each of two could be placed
    assert joints.sum() > 5
"""


@pytest.mark.parametrize("script", [SIMULATED_DEALING, SIMULATED_CARDS], ids=["outcomes", "cards"])
def test_the_gpus_kernel_counts_the_same_in_a_simulator(script: str) -> None:
    """The kernel that a GPU compiles, run by Numba's simulator: a few shoes in blocks of two, some cards burnt."""
    pytest.importorskip("numba.cuda.simulator")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr


def test_a_gpu_counts_the_same_or_is_refused_with_a_sentence() -> None:
    try:
        dealt = simulate(Dealing(), seed=1, shoes=3001, first=5, block=64, nets=NETS, backend="gpu")
    except NoGpu as refusal:
        assert "There is no GPU to use here" in str(refusal)  # noqa: PT017  # either is right, by the machine
    else:
        assert dealt == simulate(Dealing(), seed=1, shoes=3001, first=5, block=64, nets=NETS)


SIMULATED_RECORDING = """
import numpy as np

import gpu_simulator

from punto.exposure import DealingProcedure, count, nets, task
from punto.exposure import gpu_nets

gpu_nets.WARP, gpu_nets.THREADS = 2, 20  # few lanes: each is a thread of Python here

from punto.exposure.cpu import record_shoes
from punto.exposure.gpu import GpuRecorder
from punto.rulebook import load, menu

book = load("commission-insurance")
for seed, casino in ((3, True), (1, False)):
    work = task(
        menu(book), DealingProcedure(decks=1, cut=40, casino=casino), seed=seed, shoes=1, block=1, cover=book,
        counts=[count("tie", "1,1,1,1,1,-1,-1,-1,-1,0", 1)],
    )
    there, here = GpuRecorder(work).record_shoes(0, 1), record_shoes(work, 0, 1)
    for name in here.__struct_fields__:
        assert np.array_equal(getattr(there, name), getattr(here, name)), name
    assert here.rounds.sum() >= 2
try:
    gpu_nets.GpuNets(nets({"mixed": [at % 5 * (at // 5 % 3) for at in range(2000)]}))
except ValueError as refusal:
    print(refusal)
"""


def test_the_gpus_kernels_note_the_same_in_a_simulator() -> None:
    """The kernels that a GPU compiles, run by Numba's simulator: shoes of one deck, some rounds."""
    pytest.importorskip("numba.cuda.simulator")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SIMULATED_RECORDING]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    assert "depends on points and pairs together, which the GPU does not count" in run.stdout


def test_a_gpu_records_the_same_bit_for_bit_or_is_refused_with_a_sentence() -> None:
    carried, counts = menu(load("wu-song")), [count("big-tiger", "0,0,-1,-1,-1,-2,1,2,2,0", 8)]
    try:
        found = expose(carried, seed=1, shoes=200, block=16, counts=counts, backend="gpu")
    except NoGpu as refusal:
        assert "There is no GPU to use here" in str(refusal)  # noqa: PT017  # either is right, by the machine
    else:
        assert found == expose(carried, seed=1, shoes=200, block=16, counts=counts)
