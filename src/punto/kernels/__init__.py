"""Compiled arithmetic beneath odds, simulation and exposure. This room knows neither bets nor rulebooks.

`generator` gives every shoe its random bits, `draw` takes a card from a shoe that is held as counts, and `deal` deals
a round by the Table of Play (`play`), and whole shoes round by round. `hands` counts the ways to deal two hands from
one shoe, `exact` all deals from a shoe, and `endings` how a coup that has begun can end. `compiled` holds the
decorators for Numba; `gpu` compiles the same functions for a GPU.
"""

from punto.extras import needs

with needs("maths"):
    from punto.kernels.compiled import wide_vectors

__all__ = ["wide_vectors"]
