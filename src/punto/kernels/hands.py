"""The ways to deal two hands from one shoe.

For the two-card totals p and b the ordered ways to deal both hands from a shoe with n[v] cards of each value are

    ways(p, b) = pairs(p) (pairs(b) + 2 [p = b]) - 4 shared(p, b)

where `pairs` counts ordered pairs of cards with a total and `shared` those in which the two hands would use one card
twice: inclusion and exclusion over the four places where that can happen. With u[v] = n[v] x (cards that make p with
a v), `shared` over all b is one circular sum of ten values, less what a card would make with itself. That sum is
written out here, so that a compiler keeps all of it in registers, on CPU and GPU alike.

Every number is whole and below 2^53 in a float for shoes of up to twelve decks, so nothing is ever rounded and the
order of sums does not matter.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup.play import banker_draws
from punto.kernels.compiled import part

Floats = NDArray[np.float64]

ITSELF: Floats = np.array([float(2 * value % 10 == total) for value in range(10) for total in range(10)])
"""By value and total, ten totals for each value: 1 where a card would make the total with itself."""

DRAWS: Floats = np.array([[float(banker_draws(0, total, third)) for total in range(8)] for third in range(10)])
"""By the Player's third card and the Banker's total: 1 if the Banker draws."""


@part
def circular(u: Any, n: Any) -> Any:
    """For each total b the sum of u[v] n[b - v], indexes taken modulo ten.

    >>> circular((1, 0, 0, 0, 0, 0, 0, 0, 0, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    (2, 5, 8, 11, 14, 17, 20, 23, 26, 9)
    """
    u0, u1, u2, u3, u4, u5, u6, u7, u8, u9 = u
    n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 = n
    return (
        u0 * n0 + u1 * n9 + u2 * n8 + u3 * n7 + u4 * n6 + u5 * n5 + u6 * n4 + u7 * n3 + u8 * n2 + u9 * n1,
        u0 * n1 + u1 * n0 + u2 * n9 + u3 * n8 + u4 * n7 + u5 * n6 + u6 * n5 + u7 * n4 + u8 * n3 + u9 * n2,
        u0 * n2 + u1 * n1 + u2 * n0 + u3 * n9 + u4 * n8 + u5 * n7 + u6 * n6 + u7 * n5 + u8 * n4 + u9 * n3,
        u0 * n3 + u1 * n2 + u2 * n1 + u3 * n0 + u4 * n9 + u5 * n8 + u6 * n7 + u7 * n6 + u8 * n5 + u9 * n4,
        u0 * n4 + u1 * n3 + u2 * n2 + u3 * n1 + u4 * n0 + u5 * n9 + u6 * n8 + u7 * n7 + u8 * n6 + u9 * n5,
        u0 * n5 + u1 * n4 + u2 * n3 + u3 * n2 + u4 * n1 + u5 * n0 + u6 * n9 + u7 * n8 + u8 * n7 + u9 * n6,
        u0 * n6 + u1 * n5 + u2 * n4 + u3 * n3 + u4 * n2 + u5 * n1 + u6 * n0 + u7 * n9 + u8 * n8 + u9 * n7,
        u0 * n7 + u1 * n6 + u2 * n5 + u3 * n4 + u4 * n3 + u5 * n2 + u6 * n1 + u7 * n0 + u8 * n9 + u9 * n8,
        u0 * n8 + u1 * n7 + u2 * n6 + u3 * n5 + u4 * n4 + u5 * n3 + u6 * n2 + u7 * n1 + u8 * n0 + u9 * n9,
        u0 * n9 + u1 * n8 + u2 * n7 + u3 * n6 + u4 * n5 + u5 * n4 + u6 * n3 + u7 * n2 + u8 * n1 + u9 * n0,
    )


@part
def shared(u: Any, n: Any) -> Any:
    """`shared(p, b)` for each b."""
    u0, u1, u2, u3, u4, u5, u6, u7, u8, u9 = u
    s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 = circular(u, n)
    return s0 - u0 - u5, s1, s2 - u1 - u6, s3, s4 - u2 - u7, s5, s6 - u3 - u8, s7, s8 - u4 - u9, s9


@part
def used(n: Any, mates: Any) -> Any:
    """u: the cards of each value, times those that make the Player's total with one of them."""
    n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 = n
    m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 = mates
    return n0 * m0, n1 * m1, n2 * m2, n3 * m3, n4 * m4, n5 * m5, n6 * m6, n7 * m7, n8 * m8, n9 * m9


@part
def total(u: Any) -> Any:
    """The sum of ten."""
    u0, u1, u2, u3, u4, u5, u6, u7, u8, u9 = u
    return ((u0 + u1) + (u2 + u3)) + ((u4 + u5) + (u6 + u7)) + (u8 + u9)


@part
def ways(u: Any, n: Any, x: Any, y: Any) -> Any:
    """`ways(p, b)` for each b: x is `pairs(p)`, y are `pairs(b)`, the one for p with two more."""
    y0, y1, y2, y3, y4, y5, y6, y7, y8, y9 = y
    s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 = shared(u, n)
    return (
        x * y0 - 4.0 * s0,
        x * y1 - 4.0 * s1,
        x * y2 - 4.0 * s2,
        x * y3 - 4.0 * s3,
        x * y4 - 4.0 * s4,
        x * y5 - 4.0 * s5,
        x * y6 - 4.0 * s6,
        x * y7 - 4.0 * s7,
        x * y8 - 4.0 * s8,
        x * y9 - 4.0 * s9,
    )
