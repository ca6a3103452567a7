"""Functions compiled for a GPU by numba-cuda (the extra `gpu`)."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import CellType, FunctionType
from typing import Any, cast


class NoGpu(ValueError):
    """There is no GPU to use. The message is a sentence."""


def check_gpu() -> None:
    """Refuse to go on where numba.cuda is missing, or finds no GPU."""
    try:
        import_module("numba").config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a run of few shoes is not worth a warning
        import_module("numba.cuda").get_current_device()
    except Exception as error:
        raise NoGpu(
            "There is no GPU to use here: an NVIDIA GPU with its driver and Punto's extra 'gpu' (numba-cuda) are "
            "needed. The backend cpu runs everywhere."
        ) from error


@cache
def device(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function for kernels of the GPU, with all plain functions that it calls.

    What CPU kernels inline (`punto.kernels.compiled.part`) is compiled again, from the same source. What is compiled
    for the GPU already stays as it is.
    """
    names = {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}
    called = {name: _on_device(value) for name, value in names.items()}
    cells = tuple(CellType(_on_device(cell.cell_contents)) for cell in function.__closure__ or ())
    copy = FunctionType(function.__code__, {**function.__globals__, **called}, function.__name__, None, cells)
    return cast("Callable[..., Any]", _jit()(device=True)(copy))


def _on_device(value: Any) -> Any:
    return device(value) if isinstance(value, FunctionType) else value


def gpu_kernel(registers: int | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel for the GPU when it is first launched; a thread may be kept to a number of registers."""
    options = {} if registers is None else {"max_registers": registers}

    def compile_it(function: Callable[..., Any]) -> Any:
        return _jit()(**options)(function)

    return compile_it


def _jit() -> Any:
    return import_module("numba.cuda").jit
