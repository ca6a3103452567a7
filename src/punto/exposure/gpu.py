"""Shoes dealt and recorded on a GPU. Imported only where a GPU is used.

Shoes are dealt a thread each, twice: once to count their rounds, once to write them where the CPU would. What is dealt
and recorded is the CPU's source, compiled for the GPU.
"""

from importlib import import_module
from typing import Any

import numpy as np

from punto.exposure.gpu_nets import GpuNets
from punto.exposure.net_classes import Ints
from punto.exposure.recording import record_round_with, record_windows_with
from punto.exposure.tasks import Blocks, Task
from punto.kernels import deal
from punto.kernels.deal import DRAWS, RANKS
from punto.kernels.generator import hash_of
from punto.kernels.gpu import device, gpu_kernel

cuda: Any = import_module("numba.cuda")

DEALERS = 128
"""Threads of a block that deals."""

RECORDERS = 128
"""Threads of a block that records."""

I32, I64 = np.int32, np.int64
RECORDED = ("rounds", "favourable", "gains", "edges", "spread", "trues", "offers")

count_rounds, deal_shoe = device(deal.count_rounds), device(deal.deal_shoe)


@device
def add(array: Any, at: Any, number: Any) -> None:
    """Add to a place of an array, whatever other threads do."""
    cuda.atomic.add(array, at, number)


record_round = device(record_round_with(add))
record_windows = device(record_windows_with(add))


@gpu_kernel()
def count_all_rounds(hashed: Any, first: Any, shoes: Any, dealing: Any, rounds: Any) -> None:
    """Count the rounds of every shoe."""
    shoe = I64(cuda.grid(1))
    if shoe < shoes:
        rounds[shoe] = count_rounds(hashed, first + shoe, dealing)


@gpu_kernel()
def deal_all_rounds(
    hashed: Any, first: Any, shoes: Any, dealing: Any, starts: Any, unseen: Any, lefts: Any, cards: Any, shoe_of: Any
) -> None:
    """Write the rounds of every shoe from its own place on, and the shoe of every round."""
    shoe = I64(cuda.grid(1))
    if shoe < shoes:
        held = cuda.local.array(RANKS, np.uint8)
        deal_shoe(hashed, first + shoe, dealing, held, starts[shoe], unseen, lefts, cards)
        for at in range(starts[shoe], starts[shoe + 1]):
            shoe_of[at] = shoe


@gpu_kernel()
def record_all_rounds(
    number: Any, block_of: Any, shoe_of: Any, unseen: Any, lefts: Any, nets: Any, start: Any, plays: Any, sums: Any
) -> None:
    """Record every round in the block of its shoe."""
    at = I64(cuda.grid(1))
    if at < number:
        record_round(unseen[at], I64(lefts[at]), nets[:, at], start, block_of[shoe_of[at]], plays, sums)


@gpu_kernel()
def record_all_windows(
    number: Any, block_of: Any, shoe_of: Any, unseen: Any, cards: Any, cells: Any, odds: Any, offers: Any
) -> None:
    """Record the insurance windows of every round."""
    at = I64(cuda.grid(1))
    left = cuda.local.array(10, np.int64)
    if at < number:
        record_windows(unseen[at], cards[at], left, block_of[shoe_of[at]], cells, odds, offers)


class GpuRecorder:
    """A GPU made ready for a task."""

    def __init__(self, work: Task) -> None:
        self._work = work
        self._nets = GpuNets(work.nets)
        self._plays = tuple(cuda.to_device(table) for table in work.plays)
        self._cells, self._odds = cuda.to_device(work.offers.at), cuda.to_device(_not_empty(work.offers.odds))
        self.record_shoes(work.first, work.first + 1)

    def record_shoes(self, first: int, last: int) -> Blocks:
        """Deal the shoes from first to last, and record every round and every insurance window."""
        work, shoes = self._work, last - first
        blocks, room = work.empty_blocks(first, last)
        starts = self._starts(first, shoes)
        number = int(starts[-1])
        unseen, cards = cuda.device_array((number, RANKS), np.uint8), cuda.device_array((number, DRAWS), np.int8)
        lefts, shoe_of = cuda.device_array(number, np.int16), cuda.device_array(number, np.int32)
        places = cuda.to_device(starts)
        deal_all_rounds[-(-shoes // DEALERS), DEALERS](
            *self._shoes(first, shoes), places, unseen, lefts, cards, shoe_of
        )
        nets = cuda.device_array((self._nets.bets, number), np.int64)
        self._nets.count(unseen, number, nets)
        there = {name: cuda.to_device(_not_empty(getattr(room, name))) for name in RECORDED}
        which = (I64(number), cuda.to_device(blocks), shoe_of, unseen)
        start, sums = I64(4 * work.dealing.decks), tuple(there[name] for name in RECORDED[:-1])
        grid = -(-number // RECORDERS)
        record_all_rounds[grid, RECORDERS](*which, lefts, nets, start, self._plays, sums)
        if work.offers.cells:
            record_all_windows[grid, RECORDERS](*which, cards, self._cells, self._odds, there["offers"])
        recorded = {name: _like(there[name].copy_to_host(), getattr(room, name)) for name in RECORDED}
        return Blocks(room.shoes, **recorded)

    def _starts(self, first: int, shoes: int) -> Ints:
        """Where the rounds of each shoe begin, and at last how many there are."""
        rounds = cuda.device_array(shoes, np.int32)
        count_all_rounds[-(-shoes // DEALERS), DEALERS](*self._shoes(first, shoes), rounds)
        starts = np.zeros(shoes + 1, dtype=np.int64)
        np.cumsum(rounds.copy_to_host(), out=starts[1:])
        return starts

    def _shoes(self, first: int, shoes: int) -> tuple[Any, ...]:
        """Which shoes are dealt, and how."""
        dealing = tuple(I32(number) for number in self._work.dealing.parameters)
        return hash_of(self._work.seed), I64(first), I64(shoes), dealing


def _not_empty(array: Ints) -> Ints:
    """An array that has at least one place: a GPU has no empty ones."""
    if array.size:
        return array
    return np.zeros(tuple(max(length, 1) for length in array.shape), dtype=np.int64)


def _like(array: Ints, shape: Ints) -> Ints:
    """What is in the places of another array."""
    return array[tuple(slice(length) for length in shape.shape)]
