"""The GPU's kernel: two shoes a thread, a block of shoes a block of threads. Imported only where a GPU is used.

Everything of a shoe is in registers (`packed`); the counts of a block of shoes are in shared memory.
"""

from importlib import import_module
from typing import Any

import numpy as np
from msgspec import UNSET, UnsetType

from punto.coup import CARDS_IN_A_DECK, OUTCOMES
from punto.kernels.beside_printed import round_beside_with
from punto.kernels.deal import A_RANK, DRAWS, round_with
from punto.kernels.draw import draw_with, full_counts_with, value_of
from punto.kernels.generator import hash_of, six_words, step, stream_of
from punto.kernels.gpu import device, gpu_kernel
from punto.simulation.cells import Counts, situations_of
from punto.simulation.dealing import Dealing, OnLayout
from punto.simulation.half_instructions import above, fma, minus, plus, rotated, times
from punto.simulation.packed import (
    NEITHER_STANDS,
    NOTHING,
    ROW_CELLS,
    SUMS,
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

cuda: Any = import_module("numba.cuda")

THREADS = 256
REGISTERS = 80

I32, I64, U32, U64 = np.int32, np.int64, np.uint32, np.uint64


@device
def square(number: Any) -> Any:
    """The square, at most 1."""
    return times(number, number)


@device
def bit(word: Any, at: Any) -> Any:
    """The bit of a word at the lowest five bits of another."""
    return U32(rotated(word, word, at) & U32(1))


draw_pair = device(draw_with_marks(draw_with(above, minus, plus)))
deal_pair = device(
    round_with(draw_pair, plus, look_up_with(plus, fma), player_stands, banker_stands_with(plus, bit), NEITHER_STANDS)
)
count_pair = device(count_with(above, minus, plus, square, fma))
full_counts = device(full_counts_with(plus))
stream, next_word, words_of = device(stream_of), device(step), device(six_words)


@device
def burn_cards(a: Any, b: Any, left: Any, counts: Any, burn: Any) -> Any:
    """Draw the first cards of two shoes unseen; a burn takes whole rounds of words."""
    for number in range((burn + DRAWS - 1) // DRAWS * DRAWS):
        word_a, a = next_word(*a)
        word_b, b = next_word(*b)
        if number < burn:
            _, _, left, counts = draw_pair((word_a, word_b), left, counts, NEITHER_STANDS)
    return a, b, left, counts


@device
def sum_up(by_outcome: Any, by_row: Any, nets: Any, outcomes: Any, rows: Any, sums: Any) -> None:
    """Add the counts of a block of shoes to those of all; its rounds, and the net of each bet, to its own sums."""
    thread, threads = I32(cuda.threadIdx.x), I32(cuda.blockDim.x)
    rounds = I64(0)
    for at in range(thread, OUTCOMES, threads):
        if by_outcome[at]:
            cuda.atomic.add(outcomes, at, I64(by_outcome[at]))
            rounds += I64(by_outcome[at])
    cuda.atomic.add(sums, 0, rounds)
    for at in range(thread, ROW_CELLS, threads):
        if by_row[at]:
            cuda.atomic.add(rows, at, I64(by_row[at]))
    for bet in range(nets.shape[0]):
        net = I64(0)
        for at in range(thread, OUTCOMES, threads):
            net += I64(nets[bet, at]) * I64(by_outcome[at])
        cuda.atomic.add(sums, bet + 1, net)


PLAYS, ENDS, ROWS_END = SUMS * SUMS, OUTCOMES + 1, ROW_CELLS + 1  # the last place is written, and never read


def kernel_with(deal: Any) -> Any:
    """The kernel, by a way to deal a round of two shoes: with a printed card or without."""

    @device
    def deal_round(play: Any, a: Any, b: Any, left: Any, counts: Any, printed: Any) -> Any:
        """A round of two shoes: where each is counted by outcome and by row, and what is left."""
        words_a, a = words_of(a)
        words_b, b = words_of(b)
        a1, a2, a3, a4, a5, a6 = words_a
        b1, b2, b3, b4, b5, b6 = words_b
        words = (a1, b1), (a2, b2), (a3, b3), (a4, b4), (a5, b5), (a6, b6)
        values, heights, said, player, banker, left, counts = deal(play, words, left, counts, printed)
        ends, rows = count_pair(values, heights, said, player, banker)
        return ends, rows, a, b, left, counts

    @gpu_kernel(REGISTERS)
    def deal_blocks(
        hashed: Any,
        first: Any,
        last: Any,
        block: Any,
        dealing: Any,
        printed: Any,
        a_rank: Any,
        table: Any,
        nets: Any,
        outcomes: Any,
        rows: Any,
        sums: Any,
    ) -> None:
        """Deal a block of shoes; count its rounds by outcome and by row, and sum up rounds and nets of bets."""
        play = cuda.shared.array(PLAYS, np.uint32)
        by_outcome = cuda.shared.array(ENDS, np.uint32)
        by_row = cuda.shared.array(ROWS_END, np.uint32)
        thread, threads, piece = I32(cuda.threadIdx.x), I32(cuda.blockDim.x), I64(cuda.blockIdx.x)
        for at in range(thread, PLAYS, threads):
            play[at] = table[at]
        for at in range(thread, ENDS, threads):
            by_outcome[at] = U32(0)
        for at in range(thread, ROWS_END, threads):
            by_row[at] = U32(0)
        cuda.syncthreads()

        decks, burn, least, most = dealing
        ended = U32(5) if least > U32(5) else U32(0)  # enough for five draws: it never disturbs the shoe beside it
        start = max(first, (first // block + piece) * block)
        shoes = I32(min(last, (first // block + piece + 1) * block) - start)
        for shoe in range(I32(2 * thread), shoes, I32(2 * threads)):
            a, b = stream(hashed, start + shoe), stream(hashed, start + shoe + 1)
            full = U32(U32(CARDS_IN_A_DECK) * decks)
            a, b, left, counts = burn_cards(a, b, (full, full), full_counts(NOTHING, a_rank), burn)
            left_a, left_b = left
            left_b, done = left_b if shoe + 1 < shoes else U32(0), I32(0)
            while done < most and (left_a >= least or left_b >= least):
                done += I32(1)
                on_a, on_b = left_a >= least, left_b >= least
                ends, cells, a, b, left, counts = deal_round(play, a, b, (left_a, left_b), counts, printed)
                left_a, left_b = left
                cuda.atomic.add(by_outcome, ends[0] if on_a else U32(OUTCOMES), U32(1))
                cuda.atomic.add(by_outcome, ends[1] if on_b else U32(OUTCOMES), U32(1))
                cuda.atomic.add(by_row, cells[0] if on_a else U32(ROW_CELLS), U32(1))
                cuda.atomic.add(by_row, cells[1] if on_b else U32(ROW_CELLS), U32(1))
                left_a = left_a if on_a and left_a >= least else ended
                left_b = left_b if on_b and left_b >= least else ended
        cuda.syncthreads()
        sum_up(by_outcome, by_row, nets, outcomes, rows, sums[piece])

    return deal_blocks


@device
def deal_plain(play: Any, words: Any, left: Any, counts: Any, _: Any) -> Any:
    """A round of two shoes without a printed card."""
    return deal_pair(play, words, left, counts)


@device
def lay_pair(words: Any, left: Any, counts: Any, at: Any, printed: Any) -> Any:
    """The first card at a place of two shoes: drawn, or the printed one."""
    place, own_value, own_height = printed
    stands = U32(1) if at == place else U32(0)
    value, height, left, counts = draw_pair(words, left, counts, (stands, stands))
    return own_value if stands else value, own_height if stands else height, left, counts


deal_beside = device(
    round_beside_with(lay_pair, draw_pair, plus, look_up_with(plus, fma), player_stands, banker_stands_with(plus, bit))
)
KERNELS = {False: kernel_with(deal_plain), True: kernel_with(deal_beside)}
"""By whether a card is printed on the layout; each is compiled when it is first launched."""


class GpuDealer:
    """A GPU made ready: the kernel is compiled and the tables lie in its memory."""

    def __init__(self, nets: Counts, printed: OnLayout | UnsetType = UNSET) -> None:
        self._order = outcome_order()
        self._table = cuda.to_device(play_table())
        self._nets = cuda.to_device(np.ascontiguousarray(nets[:, self._order].astype(np.int32)))
        self.deal(Dealing(rounds=1, printed=printed), 0, 0, 2, 2)

    def deal(self, dealing: Dealing, seed: int, first: int, last: int, block: int) -> tuple[Counts, Counts, Counts]:
        """Deal the shoes from first to last: outcomes, situations, and the sums of each block."""
        pieces = -(-last // block) - first // block
        outcomes = cuda.to_device(np.zeros(OUTCOMES, dtype=np.int64))
        rows = cuda.to_device(np.zeros(ROW_CELLS, dtype=np.int64))
        sums = cuda.to_device(np.zeros((pieces, self._nets.shape[0] + 1), dtype=np.int64))
        how = U32(dealing.decks), I32(dealing.burn), U32(dealing.least), I32(dealing.most_rounds)
        place, face = dealing.on_layout
        KERNELS[place >= 0][pieces, THREADS](
            hash_of(seed),
            I64(first),
            I64(last),
            I64(block),
            how,
            (I32(place), both(value_of(face // A_RANK)), both(face // A_RANK)),
            both(A_RANK * dealing.decks),
            self._table,
            self._nets,
            outcomes,
            rows,
            sums,
        )
        found = np.zeros(OUTCOMES, dtype=np.int64)
        found[self._order] = outcomes.copy_to_host()
        return found, situations_of(rows_of(rows.copy_to_host())), sums.copy_to_host()
