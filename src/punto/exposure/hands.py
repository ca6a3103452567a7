"""How two hands share one shoe: the arithmetic that is written once, for CPU and GPU alike.

For the two-card totals p and b the ordered ways to deal both hands from a shoe with n[v] cards of each value are

    ways(p, b) = pairs(p) (pairs(b) + 2 [p = b]) - 4 shared(p, b)

where `pairs` counts ordered pairs of cards with a total and `shared` those in which the two hands would use one card
twice. With u[v] = n[v] x (cards that make p with a v), `shared` over all b is one circular sum of ten values, less
what a card would make with itself. That sum is written out here, so that a compiler keeps all of it in registers.

Every number is a whole one below 2^53 in a float, so nothing is ever rounded and the order of sums does not matter.
"""

from typing import Any

import numpy as np

from punto.coup import banker_draws

VALUES = 10
TWICE = np.array([[float(2 * value % 10 == total) for value in range(10)] for total in range(10)])
"""By total and value: 1 where a card would make the total with itself."""

DRAWS = np.array([[banker_draws(0, total, third) for total in range(8)] for third in range(10)], dtype=np.int64)
"""By the Player's third card and the Banker's total: 1 if the Banker draws."""

STAND_STAND, DRAW_STAND, STAND_DRAW, DRAW_DRAW = range(4)
"""Who has a third card: neither hand, the Player, the Banker, both."""

CELLS = 400
"""Final coups as far as card values tell them: who drew, and both totals."""


def cell_of(drew: int, player: int, banker: int) -> int:
    """Where a final coup stands among the cells.

    >>> cell_of(DRAW_DRAW, 9, 9)
    399
    """
    return (drew * 10 + player) * 10 + banker


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


def shared_with(summed: Any) -> Any:
    """`shared(p, b)` for each b, from u and n, by a machine's own circular sum."""

    def shared(u: Any, n: Any) -> Any:
        u0, u1, u2, u3, u4, u5, u6, u7, u8, u9 = u
        s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 = summed(u, n)
        return (s0 - u0 - u5, s1, s2 - u1 - u6, s3, s4 - u2 - u7, s5, s6 - u3 - u8, s7, s8 - u4 - u9, s9)

    return shared
