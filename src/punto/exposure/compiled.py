"""The one door to Numba in this room: its decorators are given types here."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from punto.odds.compiled import EXACT

F = TypeVar("F", bound=Callable[..., Any])


def part(function: F) -> F:
    """Compile a part of kernels, which is laid into each that calls it."""
    return cast("F", numba.njit(forceinline=True, error_model="numpy", fastmath=EXACT)(function))


def kernel(function: F) -> F:
    """Compile a kernel that runs without the interpreter's lock and is kept on disk for the next start."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": EXACT}
    try:
        return cast("F", numba.njit(cache=True, **options)(function))
    except RuntimeError:  # there is no folder to keep it in
        return cast("F", numba.njit(**options)(function))
