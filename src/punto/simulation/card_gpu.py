"""The GPU's kernels for bets that look at cards. Imported only where a GPU is used.

They deal the shoes of `gpu`, two a thread, with the faces of their cards (`card_gpu_faces`), and count joints alone
(`card_bets`), slice by slice (`card_slices`); outcomes and situations are counted by the kernel of `gpu`.
"""

from importlib import import_module
from typing import Any

import numpy as np
from msgspec import UNSET, UnsetType

from punto.coup import CARDS_IN_A_DECK
from punto.kernels.deal import A_RANK, RANKS
from punto.kernels.draw import value_of
from punto.kernels.generator import hash_of
from punto.kernels.gpu import device, gpu_kernel
from punto.simulation.card_bets import CardBets
from punto.simulation.card_gpu_faces import (
    burn_ranked,
    burn_suited,
    deal_ranked,
    deal_ranked_beside,
    deal_suited,
    deal_suited_beside,
    heights_alone,
    heights_of,
    ranked_faces,
    suited_faces,
)
from punto.simulation.card_slices import A_MACHINE, A_PASS, ALL_ALIKE, BY_RANK, Slice, slices_of
from punto.simulation.cells import PAIRS, Counts
from punto.simulation.dealing import Dealing, OnLayout
from punto.simulation.gpu import count_pair, full_counts, stream, words_of
from punto.simulation.packed import NOTHING, SUMS, both, play_table

cuda: Any = import_module("numba.cuda")

THREADS = 256
REGISTERS = 80
PLAYS = SUMS * SUMS
SHARED = 12 * 1024
"""The words of shared memory that a block of threads may have."""

SUIT_WORDS = 2 * RANKS * THREADS
SPARE = 64

I32, I64, U32 = np.int32, np.int64, np.uint32


@device
def cell_of(outcome: Any, row: Any) -> Any:
    """Where the class of a round stands: by row and pairs."""
    return U32(row * U32(PAIRS)) + U32(outcome % U32(PAIRS))


@device
def entry(near: Any, far: Any, is_near: Any, at: Any) -> Any:
    """The entry of a slice at a place."""
    if is_near:
        return U32(near[at >> U32(1)] >> U32(U32(at & U32(1)) << U32(4))) & U32(0xFFFF)
    return far[at]


@device
def ends_of(faces: Any, looks: Any, start: Any, near: Any, far: Any, is_near: Any) -> Any:
    """Where a machine ends at the faces of a round of two shoes."""
    (a1, a2, a3, a4, a5, a6), (b1, b2, b3, b4, b5, b6) = faces
    shift = U32(2) if looks & U32(BY_RANK) else U32(0)
    a, b = start, start
    if looks & U32(1):
        a, b = entry(near, far, is_near, a + (a1 >> shift)), entry(near, far, is_near, b + (b1 >> shift))
    if looks & U32(2):
        a, b = entry(near, far, is_near, a + (a2 >> shift)), entry(near, far, is_near, b + (b2 >> shift))
    if looks & U32(4):
        a, b = entry(near, far, is_near, a + (a3 >> shift)), entry(near, far, is_near, b + (b3 >> shift))
    if looks & U32(8):
        a, b = entry(near, far, is_near, a + (a4 >> shift)), entry(near, far, is_near, b + (b4 >> shift))
    if looks & U32(16):
        a, b = entry(near, far, is_near, a + (a5 >> shift)), entry(near, far, is_near, b + (b5 >> shift))
    if looks & U32(32):
        a, b = entry(near, far, is_near, a + (a6 >> shift)), entry(near, far, is_near, b + (b6 >> shift))
    return a, b


@device
def joints_of(faces: Any, cells: Any, number: Any, near: Any, program: Any, is_near: Any) -> Any:
    """The joints of a round of two shoes in one pass."""
    passes, machines, classes, far = program
    at = U32(number * U32(A_PASS))
    first, last, case_a, of_cells = passes[at], passes[at + U32(1)], passes[at + U32(2)], passes[at + U32(3)]
    case_b = case_a
    if of_cells != U32(ALL_ALIKE):
        case_a += classes[of_cells, cells[0]]
        case_b += classes[of_cells, cells[1]]
    machine = first
    while machine < last:
        looks, start = machines[machine * U32(A_MACHINE)], machines[machine * U32(A_MACHINE) + U32(1)]
        a, b = ends_of(faces, looks, start, near, far, is_near)
        case_a, case_b, machine = U32(case_a + a), U32(case_b + b), U32(machine + U32(1))
    return entry(near, far, is_near, case_a), entry(near, far, is_near, case_b)


@device
def if_on(faces: Any, on: Any) -> Any:
    """The faces of a round, or others that can be looked up where a shoe has ended."""
    f1, f2, f3, f4, f5, f6 = faces
    none = U32(0)
    return (
        f1 if on else none,
        f2 if on else none,
        f3 if on else none,
        f4 if on else none,
        f5 if on else none,
        f6 if on else none,
    )


@device
def lay_out(play: Any, table: Any, near: Any, here: Any, words: Any, is_near: Any) -> None:
    """Bring the Table of Play and a slice into shared memory, or counts of nothing alone."""
    thread, threads = I32(cuda.threadIdx.x), I32(cuda.blockDim.x)
    for at in range(thread, PLAYS, threads):
        play[at] = table[at]
    for at in range(thread, len(words) if is_near else here, threads):
        near[at] = words[at] if is_near else U32(0)
    cuda.syncthreads()


@device
def sum_up(near: Any, offset: Any, here: Any, found: Any) -> None:
    """Add the counts of a block of shoes to those of all, and the net of each bet to the sums of the block."""
    thread, threads, piece = I32(cuda.threadIdx.x), I32(cuda.blockDim.x), I64(cuda.blockIdx.x)
    nets, joints, sums = found
    for at in range(thread, here, threads):
        if near[at]:
            cuda.atomic.add(joints, I64(offset) + at, I64(near[at]))
    for bet in range(nets.shape[0]):
        net = I64(0)
        for at in range(thread, here, threads):
            net += I64(nets[bet, I64(offset) + at]) * I64(near[at])
        if net:
            cuda.atomic.add(sums, (piece, bet), net)


def kernel_with(deal: Any, burn_cards: Any, heights: Any, faces_of: Any, suit_words: int) -> Any:
    """A kernel, by a way to deal a round of two shoes, to burn cards and to tell heights and faces."""
    room = SHARED - PLAYS - suit_words - SPARE
    held = max(suit_words, 1)

    @device
    def deal_two(play: Any, suits: Any, a: Any, b: Any, left: Any, counts: Any, how: Any, printed: Any) -> Any:
        """A round of two shoes: cells, if they are asked for, and faces of each, and what is left."""
        columns, asks_cells = how
        words_a, a = words_of(a)
        words_b, b = words_of(b)
        a1, a2, a3, a4, a5, a6 = words_a
        b1, b2, b3, b4, b5, b6 = words_b
        words = (a1, b1), (a2, b2), (a3, b3), (a4, b4), (a5, b5), (a6, b6)
        values, cards, said, player, banker, left, counts = deal(play, words, left, counts, printed)
        faces = faces_of(suits, columns, cards, player, banker, printed)
        cell_a, cell_b = U32(0), U32(0)
        if asks_cells:
            ends, rows = count_pair(values, heights(cards), said, player, banker)
            cell_a, cell_b = cell_of(ends[0], rows[0]), cell_of(ends[1], rows[1])
        return (cell_a, cell_b), faces, a, b, left, counts

    @gpu_kernel(REGISTERS)
    def count_joints(
        hashed: Any, shoes: Any, dealing: Any, printed: Any, table: Any, layout: Any, program: Any, found: Any
    ) -> None:
        """Deal a block of shoes; count its rounds by joint in the passes of a slice, and sum up the nets of bets."""
        play = cuda.shared.array(PLAYS, np.uint32)
        near = cuda.shared.array(room, np.uint32)
        suits = cuda.shared.array(held, np.uint32)
        thread, threads, piece = I32(cuda.threadIdx.x), I32(cuda.blockDim.x), I64(cuda.blockIdx.x)
        offset, here, is_near, passes, asks_cells = layout
        lay_out(play, table, near, here, program[3], is_near)

        first, last, block = shoes
        decks, _, least, most = dealing
        columns = U32(thread), U32(threads + thread), U32(2 * threads)  # no two threads share a bank
        ended = U32(5) if least > U32(5) else U32(0)  # enough for five draws: it never disturbs the shoe beside it
        start = max(first, (first // block + piece) * block)
        number = I32(min(last, (first // block + piece + 1) * block) - start)
        full = U32(U32(CARDS_IN_A_DECK) * decks)
        for shoe in range(I32(2 * thread), number, I32(2 * threads)):
            a, b = stream(hashed, start + shoe), stream(hashed, start + shoe + 1)
            counts = full_counts(NOTHING, printed[4])
            a, b, left, counts = burn_cards(suits, a, b, (full, full), counts, dealing, columns)
            left_a, left_b = left
            left_b, done = left_b if shoe + 1 < number else U32(0), I32(0)
            while done < most and (left_a >= least or left_b >= least):
                done += I32(1)
                on_a, on_b = left_a >= least, left_b >= least
                cells, faces, a, b, left, counts = deal_two(
                    play, suits, a, b, (left_a, left_b), counts, (columns, asks_cells), printed[:4]
                )
                left_a, left_b = left
                cells = cells[0] if on_a else U32(0), cells[1] if on_b else U32(0)
                faces = if_on(faces[0], on_a), if_on(faces[1], on_b)
                each = U32(0)
                while each < passes:
                    joint_a, joint_b = joints_of(faces, cells, each, near, program, is_near)
                    each = U32(each + U32(1))
                    if on_a:
                        cuda.atomic.add(near, joint_a, U32(1))
                    if on_b:
                        cuda.atomic.add(near, joint_b, U32(1))
                left_a = left_a if on_a and left_a >= least else ended
                left_b = left_b if on_b and left_b >= least else ended
        cuda.syncthreads()
        sum_up(near, offset, here, found)

    return count_joints, room


KERNELS = {
    (False, False): kernel_with(deal_ranked, burn_ranked, heights_alone, ranked_faces, 0),
    (False, True): kernel_with(deal_ranked_beside, burn_ranked, heights_alone, ranked_faces, 0),
    (True, False): kernel_with(deal_suited, burn_suited, heights_of, suited_faces, SUIT_WORDS),
    (True, True): kernel_with(deal_suited_beside, burn_suited, heights_of, suited_faces, SUIT_WORDS),
}
"""Kernels and the room each has, by whether suits are asked for and whether a card is printed on the layout.

Each is compiled when it is first launched.
"""


class _OnGpu:
    """A slice in a GPU's memory."""

    def __init__(self, cut: Slice) -> None:
        self.layout = (
            I64(cut.first_joint),
            I32(cut.joints),
            cut.near,
            U32(len(cut.passes) // A_PASS),
            len(cut.classes) > 0,
        )
        classes = cut.classes if len(cut.classes) else np.zeros((1, 1), dtype=np.uint32)
        self.program = (
            cuda.to_device(cut.passes),
            cuda.to_device(cut.machines),
            cuda.to_device(classes),
            cuda.to_device(cut.words),
        )


class CardGpuDealer:
    """A GPU made ready for bets that look at cards: the kernel is compiled and the tables lie in its memory."""

    def __init__(self, cards: CardBets, printed: OnLayout | UnsetType = UNSET) -> None:
        self._kernel, room = KERNELS[cards.by_suit, printed is not UNSET]
        self._slices = [_OnGpu(each) for each in slices_of(cards, room)]
        self._joints = cards.rows.shape[1]
        self._table = cuda.to_device(play_table())
        self._nets = cuda.to_device(np.ascontiguousarray(cards.nets))
        self.deal(Dealing(rounds=1, printed=printed), 0, 0, 2, 2)

    def deal(self, dealing: Dealing, seed: int, first: int, last: int, block: int) -> tuple[Counts, Counts]:
        """Deal the shoes from first to last: joints, and of each block the net of each bet."""
        pieces = -(-last // block) - first // block
        joints = cuda.to_device(np.zeros(self._joints, dtype=np.int64))
        sums = cuda.to_device(np.zeros((pieces, self._nets.shape[0]), dtype=np.int64))
        place, face = dealing.on_layout
        printed = I32(place), both(value_of(face // A_RANK)), both(face // A_RANK), U32(face)
        for each in self._slices:
            self._kernel[pieces, THREADS](
                hash_of(seed),
                (I64(first), I64(last), I64(block)),
                (U32(dealing.decks), I32(dealing.burn), U32(dealing.least), I32(dealing.most_rounds)),
                (*printed, both(A_RANK * dealing.decks)),
                self._table,
                each.layout,
                each.program,
                (self._nets, joints, sums),
            )
        return joints.copy_to_host(), sums.copy_to_host()
