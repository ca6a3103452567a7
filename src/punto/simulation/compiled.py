"""The one door to Numba: its decorators are given types here."""

import hashlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def part(function: F) -> F:
    """Compile a part of kernels; LLVM lays it into each that calls it."""
    return cast("F", numba.njit(function))


def kernel(function: F) -> F:
    """Compile a kernel that runs without the interpreter's lock and is kept on disk for the next start."""
    try:
        return cast("F", numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # there is no folder to keep it in
        return cast("F", numba.njit(nogil=True)(function))


def digest(*files: str) -> str:
    """The digest of source files.

    Numba compares only a kernel's own file with what it has on disk. A kernel that closes over this digest is
    compiled again when any of the files has changed.
    """
    return hashlib.sha256(b"\0".join(Path(file).read_bytes() for file in files)).hexdigest()


def wide_vectors() -> None:
    """Let what is compiled in this process use 512-bit vectors, where the machine has good ones.

    LLVM keeps to 256 bits by itself. Only the owner of a process should ask for this, before anything is compiled.
    """
    llvm, config = import_module("llvmlite.binding"), import_module("numba").config
    features = llvm.get_host_cpu_features()
    if config.CPU_FEATURES is None and features.get("avx512vbmi2"):
        config.CPU_NAME, config.CPU_FEATURES = llvm.get_host_cpu_name(), features.flatten() + ",-prefer-256-bit"
