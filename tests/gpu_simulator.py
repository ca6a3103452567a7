"""Numba's simulator of a GPU, made deterministic: import it, with NUMBA_ENABLE_CUDASIM set, before any kernel.

The simulator runs the threads of a block as threads of Python. It makes shared arrays and swaps the module `cuda` of
a device function without a lock, so that now and then a thread found another's array or no `cuda.atomic`. Here one
thread runs at a time, until it waits for the others.
"""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

cuda: Any = import_module("numba.cuda")
simulator: Any = import_module("numba.cuda.simulator.kernel")

warnings.simplefilter("ignore")  # words wrap round
turn = threading.Lock()
run, wait, swapped = simulator.BlockThread.run, simulator.BlockThread.syncthreads, simulator.swapped_cuda_module
jit = cuda.jit


def run_in_turn(thread: Any) -> None:
    """Run a thread of a block, which holds the turn meanwhile."""
    with turn:
        run(thread)


def wait_for_the_others(thread: Any) -> None:
    """Leave the turn to the others until all have come as far."""
    turn.release()
    try:
        wait(thread)
    finally:
        turn.acquire()


@contextmanager
def swapped_while_any_thread_runs(function: Any, module: Any) -> Iterator[None]:
    """Give a function the simulator's `cuda`. A device function keeps it: other threads may still be inside."""
    if threading.current_thread() is threading.main_thread():
        with swapped(function, module):
            yield
        return
    if "cuda" in function.__globals__:
        function.__globals__["cuda"] = module
    yield


def compiled(*args: Any, max_registers: int | None = None, **options: Any) -> Any:
    """What `cuda.jit` makes; the simulator takes no number of registers."""
    del max_registers
    return jit(*args, **options)


simulator.BlockThread.run = run_in_turn
simulator.BlockThread.syncthreads = wait_for_the_others
simulator.swapped_cuda_module = swapped_while_any_thread_runs
cuda.jit = compiled
