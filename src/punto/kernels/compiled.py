"""Numba's decorators with types, and the key by which compiled kernels are kept up to date."""

import hashlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.extending import register_jitable

from punto.coup import play

F = TypeVar("F", bound=Callable[..., Any])

EXACT = {"contract", "reassoc", "nsz"}
"""Floating-point rewrites that change no result where every number is whole and below 2**53."""


def part(function: F) -> F:
    """Let kernels call a function: it is compiled into each of them, and stays plain Python for everybody else.

    `punto.kernels.gpu.device` takes the same function to a GPU.
    """
    return register_jitable(forceinline=True, error_model="numpy", fastmath=EXACT)(function)


def kernel(function: F) -> F:
    """Compile a kernel: it runs without the interpreter's lock and is cached on disk for the next start.

    Numba's cache sees changes to the kernel's own file only. So a kernel has an argument with the default `SOURCES`,
    which nobody passes: Numba takes the default into the key, and compiles again when the sources have changed.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": EXACT}
    try:
        return cast("F", numba.njit(cache=True, **options)(function))
    except RuntimeError:  # there is no folder to write the cache to
        return cast("F", numba.njit(**options)(function))


def digest(*files: str | Path) -> int:
    """A number that changes with the content of some files."""
    content = b"\0".join(Path(file).read_bytes() for file in files)
    return int.from_bytes(hashlib.sha256(content).digest()[:7])


SOURCES = digest(play.__file__, *sorted(Path(__file__).parent.glob("*.py")))
"""Tells versions of this room and of the Table of Play apart: what kernels of all rooms are made of."""


def wide_vectors() -> None:
    """Let what is compiled in this process use 512-bit vectors, where the machine has good ones.

    LLVM keeps to 256 bits by default. The setting holds for the whole process, so only its owner should call this,
    before any module with kernels is imported.
    """
    llvm, config = import_module("llvmlite.binding"), cast("Any", numba.config)
    features = llvm.get_host_cpu_features()
    if config.CPU_FEATURES is None and features.get("avx512vbmi2"):
        config.CPU_NAME, config.CPU_FEATURES = llvm.get_host_cpu_name(), features.flatten() + ",-prefer-256-bit"
