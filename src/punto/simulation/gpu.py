"""The GPU's kernel, by numba-cuda (the extra `gpu`): two shoes a thread, a block of shoes a block of threads.

Everything of a shoe is in registers; the counts of a block of shoes are in shared memory. Loaded only where a GPU is
asked for.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy as np

from punto.coup import OUTCOMES
from punto.simulation import generator
from punto.simulation.counting import Counts, situations_of
from punto.simulation.dealing import Dealing
from punto.simulation.drawing import draw_with
from punto.simulation.generator import GOLDEN, hash_of
from punto.simulation.halves import ROW_CELLS, SUMS, both, outcome_order, play_table, round_with, rows_of

THREADS = 256
REGISTERS = 80

I32, I64, U32, U64 = np.int32, np.int64, np.uint32, np.uint64


class NoGpu(ValueError):
    """There is no GPU to use. The message is a sentence."""


def cuda() -> Any:
    """numba.cuda, if there is a GPU that it can use."""
    try:
        import_module("numba").config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a run of few shoes is not worth a warning
        found = import_module("numba.cuda")
        found.get_current_device()
    except Exception as error:
        raise NoGpu(
            "There is no GPU to use here: an NVIDIA GPU with its driver and Punto's extra 'gpu' (numba-cuda) are "
            "needed. The backend cpu runs everywhere."
        ) from error
    return found


def _instruction(text: str, operands: int) -> Any:
    """A machine instruction on 32-bit registers as a function, which Numba lays into kernels."""
    ir, intrinsic = import_module("llvmlite.ir"), import_module("numba.cuda.extending").intrinsic
    uint32 = import_module("numba.types").uint32

    def lay(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(32)
        names = ", ".join(f"${at + 1}" for at in range(operands))
        asm = ir.InlineAsm(ir.FunctionType(word, [word] * operands), f"{text} $0, {names};", "=r" + ",r" * operands)
        return builder.call(asm, arguments)

    def two(_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
        return uint32(uint32, uint32), lay

    def three(_context: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001
        return uint32(uint32, uint32, uint32), lay

    return intrinsic(two if operands == 2 else three)


@cache
def _kernel() -> Any:
    cuda: Any = import_module("numba.cuda")

    def part(function: Callable[..., Any]) -> Callable[..., Any]:
        return cast("Callable[..., Any]", cuda.jit(device=True)(function))

    above, minus = _instruction("sub.rn.sat.f16x2", 2), _instruction("sub.rn.f16x2", 2)
    plus, times = _instruction("add.rn.f16x2", 2), _instruction("mul.rn.sat.f16x2", 2)
    fma, turned = _instruction("fma.rn.f16x2", 3), _instruction("shf.r.wrap.b32", 3)
    mix, step = part(generator.mix), part(generator.step)
    draw = part(draw_with(above, minus, plus))
    full, none = U32(0x10001), both(1024)
    plays, ends_at, cells_at = SUMS * SUMS, OUTCOMES + 1, ROW_CELLS + 1  # one more, which nobody reads

    @part
    def square(number: Any) -> Any:
        return times(number, number)

    @part
    def bit(word: Any, at: Any) -> Any:
        return U32(turned(word, word, at) & U32(1))

    deal_two = part(round_with(draw, step, above, minus, plus, square, fma, bit))

    @part
    def stream_of(hashed: Any, number: Any) -> Any:
        at = hashed + U64(2) * U64(number) * GOLDEN
        one, two = mix(at + GOLDEN), mix(at + U64(2) * GOLDEN)
        return U32(one), U32(one >> U64(32)), U32(two), U32(two >> U64(32))

    @part
    def full_counts(decks: Any) -> Any:
        c = U32(U32(4) * decks * full)
        c0, c1, c2 = U32(none + c), U32(none + U32(2) * c), U32(none + U32(3) * c)
        c3, c4, c5 = U32(none + U32(4) * c), U32(none + U32(5) * c), U32(none + U32(6) * c)
        c6, c7, c8 = U32(none + U32(7) * c), U32(none + U32(8) * c), U32(none + U32(9) * c)
        c9, c10, c11 = U32(none + U32(10) * c), U32(none + U32(11) * c), U32(none + U32(12) * c)
        return c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]  # numba-cuda has no types
    def deal_blocks(
        hashed: Any,
        first: Any,
        last: Any,
        block: Any,
        decks: Any,
        burn: Any,
        least: Any,
        most: Any,
        table: Any,
        nets: Any,
        outcomes: Any,
        rows: Any,
        sums: Any,
    ) -> None:
        play = cuda.shared.array(plays, np.uint32)
        by_outcome = cuda.shared.array(ends_at, np.uint32)
        by_row = cuda.shared.array(cells_at, np.uint32)
        thread, threads, piece = I32(cuda.threadIdx.x), I32(cuda.blockDim.x), I64(cuda.blockIdx.x)
        for at in range(thread, plays, threads):
            play[at] = table[at]
        for at in range(thread, ends_at, threads):
            by_outcome[at] = U32(0)
        for at in range(thread, cells_at, threads):
            by_row[at] = U32(0)
        cuda.syncthreads()

        ended = U32(5) if least > U32(5) else U32(0)  # enough for five draws: it never disturbs the shoe beside it
        start = max(first, (first // block + piece) * block)
        shoes = I32(min(last, (first // block + piece + 1) * block) - start)
        for shoe in range(I32(2 * thread), shoes, I32(2 * threads)):
            a, b = stream_of(hashed, start + shoe), stream_of(hashed, start + shoe + 1)
            counts = full_counts(decks)
            left = U32(U32(52) * decks)
            for word_number in range((burn + 5) // 6 * 6):
                word_a, a = step(*a)
                word_b, b = step(*b)
                if word_number < burn:
                    mark_a = U32(U64(word_a) * U64(left) >> U64(32))
                    mark_b = U32(U64(word_b) * U64(left) >> U64(32))
                    _, _, counts = draw(U32(mark_a + U32(mark_b << U32(16)) + none), counts)
                    left = U32(left - U32(1))
            left_a, left_b, done = left, left if shoe + 1 < shoes else U32(0), I32(0)
            while done < most and (left_a >= least or left_b >= least):
                done += I32(1)
                on_a, on_b = left_a >= least, left_b >= least
                ends, cells, left_a, left_b, a, b, counts = deal_two(play, left_a, left_b, a, b, counts)
                cuda.atomic.add(by_outcome, ends[0] if on_a else U32(OUTCOMES), U32(1))
                cuda.atomic.add(by_outcome, ends[1] if on_b else U32(OUTCOMES), U32(1))
                cuda.atomic.add(by_row, cells[0] if on_a else U32(ROW_CELLS), U32(1))
                cuda.atomic.add(by_row, cells[1] if on_b else U32(ROW_CELLS), U32(1))
                left_a = left_a if on_a and left_a >= least else ended
                left_b = left_b if on_b and left_b >= least else ended
        cuda.syncthreads()

        rounds = I64(0)
        for at in range(thread, OUTCOMES, threads):
            if by_outcome[at]:
                cuda.atomic.add(outcomes, at, I64(by_outcome[at]))
                rounds += I64(by_outcome[at])
        cuda.atomic.add(sums, (piece, 0), rounds)
        for at in range(thread, ROW_CELLS, threads):
            if by_row[at]:
                cuda.atomic.add(rows, at, I64(by_row[at]))
        for bet in range(nets.shape[0]):
            net = I64(0)
            for at in range(thread, OUTCOMES, threads):
                net += I64(nets[bet, at]) * I64(by_outcome[at])
            cuda.atomic.add(sums, (piece, bet + 1), net)

    return deal_blocks


class Gpu:
    """A GPU, made ready: the kernel is compiled and the tables lie in its memory."""

    def __init__(self, nets: Counts) -> None:
        self._cuda, self._kernel = cuda(), _kernel()
        self._order = outcome_order()
        self._table = self._cuda.to_device(play_table())
        self._nets = self._cuda.to_device(np.ascontiguousarray(nets[:, self._order].astype(np.int32)))
        self.deal(Dealing(), 0, 0, 2, 2)

    def deal(self, dealing: Dealing, seed: int, first: int, last: int, block: int) -> tuple[Counts, Counts, Counts]:
        """Deal the shoes from first to last: outcomes, situations, and the sums of each block."""
        pieces = -(-last // block) - first // block
        outcomes = self._cuda.to_device(np.zeros(OUTCOMES, dtype=np.int64))
        rows = self._cuda.to_device(np.zeros(ROW_CELLS, dtype=np.int64))
        sums = self._cuda.to_device(np.zeros((pieces, self._nets.shape[0] + 1), dtype=np.int64))
        self._kernel[pieces, THREADS](
            hash_of(seed),
            I64(first),
            I64(last),
            I64(block),
            U32(dealing.decks),
            I32(dealing.burn),
            U32(dealing.least),
            I32(dealing.most_rounds),
            self._table,
            self._nets,
            outcomes,
            rows,
            sums,
        )
        found = np.zeros(OUTCOMES, dtype=np.int64)
        found[self._order] = outcomes.copy_to_host()
        return found, situations_of(rows_of(rows.copy_to_host())), sums.copy_to_host()
