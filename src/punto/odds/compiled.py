"""The one place where Numba meets mypy: typed decorators."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

EXACT = {"contract", "reassoc", "nsz"}
"""Liberties that change nothing where every number is a whole one below 2**53."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of numbers and arrays when it is first used."""
    compile_it = numba.njit(cache=True, forceinline=True, error_model="numpy", fastmath=EXACT)
    return cast("Callable[P, R]", compile_it(function))


def compiled_for(signature: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function for one signature at once, with rows of names turned into vector registers.

    Numba leaves that pass off by default; it is on only while this function is compiled, and what was compiled
    is kept for the next start.
    """

    def compile_now(function: Callable[P, R]) -> Callable[P, R]:
        config = cast("Any", numba.config)  # its settings are made when it is imported
        before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
        try:
            return cast(
                "Callable[P, R]", numba.njit(signature, cache=True, error_model="numpy", fastmath=EXACT)(function)
            )
        finally:
            config.SLP_VECTORIZE = before

    return compile_now
