"""How many ordered deals lead to each outcome: whole numbers, exact, for any composition of the shoe.

A deal is an ordered choice of six cards: Player, Banker, Player, Banker, then a third card for each. Which
six cards may be chosen does not depend on their order, so the third cards are taken out first, and the four
cards of the hands are counted from what is left, by totals. For the totals p and b of the two hands

    ways(p, b) = pairs(p) pairs(b) - 4 shared(p, b) + 2 [p = b] pairs(p)

where `pairs` counts the ordered pairs of cards with a total, and `shared` those in which the two hands would
use one card twice: inclusion and exclusion over the four places where that can happen. Hands that pair by
rank are counted beside it: take the pair out, then count the rest.

Everything is a whole number held in a float: no count of deals that share what the code fixes reaches 2**53
for shoes of up to twelve decks, so sums and products are exact, and they run in vector registers. Rows of
seven are written out with a name for each place because arrays might overlap, as far as the compiler knows.
"""

import numpy as np
import numpy.typing as npt

from punto.coup import OUTCOMES, SITUATIONS, banker_draws
from punto.odds.compiled import compiled, compiled_for

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Eight = tuple[float, float, float, float, float, float, float, float]

_DRAWS: Floats = np.array([[float(banker_draws(0, total, third)) for total in range(8)] for third in range(10)])
"""Whether the Banker draws, by the Player's third card and the Banker's total."""

_NOTHING: Eight = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_TWICE: Counts = np.array([2 * value % 10 for value in range(10)])


@compiled
def _over(p: int, b: int) -> bool:
    """Whether four cards end the coup."""
    return p > 7 or b > 7 or (p > 5 and b > 5)


@compiled
def _partners(n: Floats, mates: Floats, pairs: Floats) -> None:
    """For every value and total the cards that make it with one such card, and all ordered pairs of a total."""
    for total in range(10):
        pairs[total] = 0.0
    for value in range(10):
        for total in range(10):
            at = total - value
            mates[value, total] = n[at if at >= 0 else at + 10]
        mates[value, _TWICE[value]] -= 1.0
        held = n[value]
        for total in range(10):
            pairs[total] += held * mates[value, total]


@compiled
def _take(n: Floats, mates: Floats, pairs: Floats, value: int) -> None:
    """Take one card out of what `_partners` counted."""
    for total in range(10):
        pairs[total] -= 2.0 * mates[value, total]
    n[value] -= 1.0
    for other in range(10):
        total = other + value
        mates[other, total if total < 10 else total - 10] -= 1.0


@compiled
def _put(n: Floats, mates: Floats, pairs: Floats, value: int) -> None:
    """Put that card back."""
    for other in range(10):
        total = other + value
        mates[other, total if total < 10 else total - 10] += 1.0
    n[value] += 1.0
    for total in range(10):
        pairs[total] += 2.0 * mates[value, total]


@compiled
def _ways(n: Floats, mates: Floats, pairs: Floats, p: int, b: int) -> float:
    """Ordered ways to deal two hands with these totals."""
    shared = 0.0
    for value in range(10):
        shared += n[value] * mates[value, p] * mates[value, b]
    found: float = pairs[p] * pairs[b] - 4.0 * shared + (2.0 * pairs[p] if p == b else 0.0)
    return found


@compiled
def _mates(mates: Floats, value: int) -> Eight:
    return (
        mates[value, 0],
        mates[value, 1],
        mates[value, 2],
        mates[value, 3],
        mates[value, 4],
        mates[value, 5],
        mates[value, 6],
        mates[value, 7],
    )


@compiled
def _plus(t: Eight, y: float, m: Eight) -> Eight:
    """A row of eight, and another times y."""
    return (
        t[0] + y * m[0],
        t[1] + y * m[1],
        t[2] + y * m[2],
        t[3] + y * m[3],
        t[4] + y * m[4],
        t[5] + y * m[5],
        t[6] + y * m[6],
        t[7] + y * m[7],
    )


@compiled
def _ways_of(shared: Eight, pairs: Floats, p: int) -> Eight:
    """`_ways` for a Player total and the Banker totals 0 to 7, from what the hands would share."""
    x = pairs[p]
    return (
        x * (pairs[0] + (2.0 if p == 0 else 0.0)) - 4.0 * shared[0],
        x * (pairs[1] + (2.0 if p == 1 else 0.0)) - 4.0 * shared[1],
        x * (pairs[2] + (2.0 if p == 2 else 0.0)) - 4.0 * shared[2],
        x * (pairs[3] + (2.0 if p == 3 else 0.0)) - 4.0 * shared[3],
        x * (pairs[4] + (2.0 if p == 4 else 0.0)) - 4.0 * shared[4],
        x * (pairs[5] + (2.0 if p == 5 else 0.0)) - 4.0 * shared[5],
        x * (pairs[6] + (2.0 if p == 6 else 0.0)) - 4.0 * shared[6],
        x * (pairs[7] + (2.0 if p == 7 else 0.0)) - 4.0 * shared[7],
    )


@compiled
def _row(n: Floats, mates: Floats, pairs: Floats, p: int) -> Eight:
    shared = _NOTHING
    for value in range(10):
        shared = _plus(shared, n[value] * mates[value, p], _mates(mates, value))
    return _ways_of(shared, pairs, p)


@compiled
def _five_cards(n: Floats, mates: Floats, pairs: Floats, weight: float, third: int, ends: Floats) -> None:
    """Add the coups in which only one hand draws, this being its card."""
    for p in range(8):
        t0, t1, t2, t3, t4, t5, t6, t7 = _row(n, mates, pairs, p)
        if p < 6:
            after = p + third - (10 if p + third > 9 else 0)
            ends[after, 3, 1, 0] += weight * (1.0 - _DRAWS[third, 3]) * t3
            ends[after, 4, 1, 0] += weight * (1.0 - _DRAWS[third, 4]) * t4
            ends[after, 5, 1, 0] += weight * (1.0 - _DRAWS[third, 5]) * t5
            ends[after, 6, 1, 0] += weight * (1.0 - _DRAWS[third, 6]) * t6
            ends[after, 7, 1, 0] += weight * t7
        else:
            ends[p, third, 0, 1] += weight * t0
            ends[p, third + 1 - (10 if third > 8 else 0), 0, 1] += weight * t1
            ends[p, third + 2 - (10 if third > 7 else 0), 0, 1] += weight * t2
            ends[p, third + 3 - (10 if third > 6 else 0), 0, 1] += weight * t3
            ends[p, third + 4 - (10 if third > 5 else 0), 0, 1] += weight * t4
            ends[p, third + 5 - (10 if third > 4 else 0), 0, 1] += weight * t5


@compiled
def _spread(six: Floats, after: int, start: int, weight: float, draws: Eight, ways: Eight) -> None:
    """Add a row where the Banker draws; the places run on past nine and are folded later."""
    at = after if after < 10 else after - 10
    x0, x1, x2, x3 = six[at, start], six[at, start + 1], six[at, start + 2], six[at, start + 3]
    x4, x5, x6 = six[at, start + 4], six[at, start + 5], six[at, start + 6]
    six[at, start] = x0 + weight * draws[0] * ways[0]
    six[at, start + 1] = x1 + weight * draws[1] * ways[1]
    six[at, start + 2] = x2 + weight * draws[2] * ways[2]
    six[at, start + 3] = x3 + weight * draws[3] * ways[3]
    six[at, start + 4] = x4 + weight * draws[4] * ways[4]
    six[at, start + 5] = x5 + weight * draws[5] * ways[5]
    six[at, start + 6] = x6 + weight * draws[6] * ways[6]


@compiled
def _six_cards(n: Floats, mates: Floats, pairs: Floats, weight: float, third: int, last: int, six: Floats) -> None:
    """Add the coups in which both hands draw, these being the two cards, in either order."""
    r0 = r1 = r2 = r3 = r4 = r5 = _NOTHING
    for value in range(10):
        held, own = n[value], _mates(mates, value)
        r0 = _plus(r0, held * own[0], own)
        r1 = _plus(r1, held * own[1], own)
        r2 = _plus(r2, held * own[2], own)
        r3 = _plus(r3, held * own[3], own)
        r4 = _plus(r4, held * own[4], own)
        r5 = _plus(r5, held * own[5], own)
    rows = (r0, r1, r2, r3, r4, r5)
    first, other = _mates(_DRAWS, third), _mates(_DRAWS, last)
    for p in range(6):
        ways = _ways_of(rows[p], pairs, p)
        _spread(six, p + third, last, weight, first, ways)
        if third != last:
            _spread(six, p + last, third, weight, other, ways)


@compiled
def _all_hands(n: Floats, size: float, mates: Floats, pairs: Floats, ends: Floats, six: Floats) -> None:
    """Count all deals, whether or not a hand pairs."""
    _partners(n, mates, pairs)
    for p in range(10):
        for b in range(10):
            if _over(p, b):
                ends[p, b, 0, 0] += _ways(n, mates, pairs, p, b) * (size - 4.0) * (size - 5.0)
    for third in range(10):
        held = n[third]
        if held == 0.0:
            continue
        _take(n, mates, pairs, third)
        _five_cards(n, mates, pairs, held * (size - 5.0), third, ends)
        for last in range(third, 10):
            more = n[last]
            if more != 0.0:
                _take(n, mates, pairs, last)
                _six_cards(n, mates, pairs, held * more, third, last, six)
                _put(n, mates, pairs, last)
        _put(n, mates, pairs, third)


@compiled
def _one_pair(
    n: Floats,
    size: float,
    value: int,
    ways: float,
    mates: Floats,
    pairs: Floats,
    player: Floats,
    player_six: Floats,
    banker: Floats,
    banker_six: Floats,
) -> None:
    """Count the deals in which one hand is a pair of this value; `banker_six` has its places turned round."""
    t = _TWICE[value]
    n[value] -= 2.0
    _partners(n, mates, pairs)
    for other in range(10):
        if _over(t, other):
            player[t, other, 0, 0] += ways * (size - 4.0) * (size - 5.0) * pairs[other]
            banker[other, t, 0, 0] += ways * (size - 4.0) * (size - 5.0) * pairs[other]
    for third in range(10):
        if t > 7 or n[third] == 0.0:
            continue
        drawn = ways * n[third]
        weight = drawn * (size - 5.0)
        after = t + third - (10 if t + third > 9 else 0)
        y0, y1 = pairs[0] - 2.0 * mates[third, 0], pairs[1] - 2.0 * mates[third, 1]
        y2, y3 = pairs[2] - 2.0 * mates[third, 2], pairs[3] - 2.0 * mates[third, 3]
        y4, y5 = pairs[4] - 2.0 * mates[third, 4], pairs[5] - 2.0 * mates[third, 5]
        k0, k1, k2, k3 = _DRAWS[third, 0], _DRAWS[third, 1], _DRAWS[third, 2], _DRAWS[third, 3]
        k4, k5, k6 = _DRAWS[third, 4], _DRAWS[third, 5], _DRAWS[third, 6]
        u0, u1, u2, u3, u4, u5 = k0 * y0, k1 * y1, k2 * y2, k3 * y3, k4 * y4, k5 * y5
        u6 = k6 * (pairs[6] - 2.0 * mates[third, 6])
        if t == 6:
            for b in range(6):
                player[t, b + third - (10 if b + third > 9 else 0), 0, 1] += weight * (pairs[b] - 2.0 * mates[third, b])
        else:
            for b in range(3, 8):
                if _DRAWS[third, b] == 0.0:
                    player[after, b, 1, 0] += weight * (pairs[b] - 2.0 * mates[third, b])
            for p in range(6, 8):
                banker[p, after, 0, 1] += weight * (pairs[p] - 2.0 * mates[third, p])
        draws = _DRAWS[third, t] != 0.0
        if not draws:
            for p in range(6):
                banker[p + third - (10 if p + third > 9 else 0), t, 1, 0] += weight * (pairs[p] - 2.0 * mates[third, p])
        for last in range(10):
            g = drawn * (n[last] - (1.0 if last == third else 0.0))
            both = third + last - (10 if third + last > 9 else 0)
            x0, x1, x2, x3 = mates[last, 0], mates[last, 1], mates[last, 2], mates[last, 3]
            x4, x5, x6 = mates[last, 4], mates[last, 5], mates[last, 6]
            if t < 6:
                h = -2.0 * g
                player_six[after, last] += g * u0 + h * k0 * x0
                player_six[after, last + 1] += g * u1 + h * k1 * x1
                player_six[after, last + 2] += g * u2 + h * k2 * x2
                player_six[after, last + 3] += g * u3 + h * k3 * x3
                player_six[after, last + 4] += g * u4 + h * k4 * x4
                player_six[after, last + 5] += g * u5 + h * k5 * x5
                player_six[after, last + 6] += g * u6 + h * k6 * x6
                if both < 7:
                    player_six[after, last + both] += g * _DRAWS[third, both] * 2.0
            if draws:
                end = t + last - (10 if t + last > 9 else 0)
                banker_six[end, third] += g * (y0 - 2.0 * x0)
                banker_six[end, third + 1] += g * (y1 - 2.0 * x1)
                banker_six[end, third + 2] += g * (y2 - 2.0 * x2)
                banker_six[end, third + 3] += g * (y3 - 2.0 * x3)
                banker_six[end, third + 4] += g * (y4 - 2.0 * x4)
                banker_six[end, third + 5] += g * (y5 - 2.0 * x5)
                if both < 6:
                    banker_six[end, third + both] += g * 2.0
    n[value] += 2.0


@compiled
def _two_pairs(n: Floats, size: float, p: int, b: int, ways: Floats, ends: Floats, six: Floats) -> None:
    """Count the deals in which both hands pair, with these totals.

    A total is made by pairs of two values. `ways` counts the pairs by the Player's value and the Banker's; what is
    then left of each value is what was there, less two for either pair of it.
    """
    v, u = p // 2, b // 2
    w0, w1, w2, w3 = ways[v, u], ways[v, u + 5], ways[v + 5, u], ways[v + 5, u + 5]
    if w0 + w1 + w2 + w3 == 0.0:
        return
    if _over(p, b):
        ends[p, b, 0, 0] += (w0 + w1 + w2 + w3) * (size - 4.0) * (size - 5.0)
        return
    for card in range(10):
        less_v, more_v = (2.0 if card == v else 0.0), (2.0 if card == v + 5 else 0.0)
        less_u, more_u = (2.0 if card == u else 0.0), (2.0 if card == u + 5 else 0.0)
        g0 = w0 * (n[card] - less_v - less_u)
        g1 = w1 * (n[card] - less_v - more_u)
        g2 = w2 * (n[card] - more_v - less_u)
        g3 = w3 * (n[card] - more_v - more_u)
        drawn = g0 + g1 + g2 + g3
        if p > 5:
            ends[p, b + card - (10 if b + card > 9 else 0), 0, 1] += drawn * (size - 5.0)
            continue
        after = p + card - (10 if p + card > 9 else 0)
        if _DRAWS[card, b] == 0.0:
            ends[after, b, 1, 0] += drawn * (size - 5.0)
            continue
        for last in range(10):
            six[after, b + last] += drawn * n[last]
        six[after, b + card] -= drawn
        six[after, b + v] -= 2.0 * (g0 + g1)
        six[after, b + v + 5] -= 2.0 * (g2 + g3)
        six[after, b + u] -= 2.0 * (g0 + g2)
        six[after, b + u + 5] -= 2.0 * (g1 + g3)


@compiled_for("int64[::1](int64[::1])")
def count_outcomes(ranks: Counts) -> Counts:
    """Ordered six-card deals by outcome, from thirteen counts by rank."""
    n, one, two, twin = np.zeros(10), np.zeros(10), np.zeros(10), np.zeros(10)
    for rank in range(13):
        value = rank + 1 if rank < 9 else 0
        held = float(ranks[rank])
        pairs_of_rank = held * (held - 1.0)
        n[value] += held
        one[value] += pairs_of_rank
        two[value] -= pairs_of_rank * pairs_of_rank
        twin[value] += pairs_of_rank * (held - 2.0) * (held - 3.0)
    size = n.sum()
    mates, pairs = np.zeros((10, 16)), np.zeros(16)
    every, every_six = np.zeros((10, 10, 2, 2)), np.zeros((10, 24))
    player, player_six = np.zeros((10, 10, 2, 2)), np.zeros((10, 24))
    banker, banker_six = np.zeros((10, 10, 2, 2)), np.zeros((10, 24))
    both, both_six = np.zeros((10, 10, 2, 2)), np.zeros((10, 24))
    same, same_six = np.zeros((10, 10, 2, 2)), np.zeros((10, 24))
    _all_hands(n, size, mates, pairs, every, every_six)
    for value in range(10):
        if one[value] != 0.0:
            _one_pair(n, size, value, one[value], mates, pairs, player, player_six, banker, banker_six)
    different, twins = np.zeros((10, 10)), np.zeros((10, 10))
    for value in range(10):
        for other in range(10):
            different[value, other] = one[value] * one[other]
        different[value, value] += two[value]
        twins[value, value] = twin[value]
    for p in range(0, 10, 2):
        for b in range(0, 10, 2):
            _two_pairs(n, size, p, b, different, both, both_six)
        _two_pairs(n, size, p, p, twins, same, same_six)
    for p in range(10):
        for b in range(10):
            every[p, b, 1, 1] += every_six[p, b] + every_six[p, b + 10]
            player[p, b, 1, 1] += player_six[p, b] + player_six[p, b + 10]
            banker[p, b, 1, 1] += banker_six[b, p] + banker_six[b, p + 10]
            both[p, b, 1, 1] += both_six[p, b] + both_six[p, b + 10]
            same[p, b, 1, 1] += same_six[p, b] + same_six[p, b + 10]
    found = np.empty((10, 10, 2, 2, 5), dtype=np.int64)
    for p in range(10):
        for b in range(10):
            for x in range(2):
                for y in range(2):
                    two_pairs = both[p, b, x, y] + same[p, b, x, y]
                    player_only, banker_only = player[p, b, x, y] - two_pairs, banker[p, b, x, y] - two_pairs
                    found[p, b, x, y, 0] = np.int64(every[p, b, x, y] - player_only - banker_only - two_pairs)
                    found[p, b, x, y, 1] = np.int64(player_only)
                    found[p, b, x, y, 2] = np.int64(banker_only)
                    found[p, b, x, y, 3] = np.int64(both[p, b, x, y])
                    found[p, b, x, y, 4] = np.int64(same[p, b, x, y])
    return found.reshape(OUTCOMES)


@compiled
def _winner(p: int, b: int) -> int:
    """Player, Banker, tie as 0, 1, 2."""
    return 0 if p > b else 1 if b > p else 2


@compiled_for("int64[:, ::1](int64[::1])")
def count_situations(ranks: Counts) -> Counts:
    """Ordered six-card deals by insurable situation and winner (Player, Banker, tie)."""
    counts = np.zeros((SITUATIONS, 3))
    n = np.zeros(10)
    for rank in range(13):
        n[rank + 1 if rank < 9 else 0] += float(ranks[rank])
    size = n.sum()
    mates, pairs = np.zeros((10, 16)), np.zeros(16)
    for third in range(10):
        held = n[third]
        if held == 0.0:
            continue
        n[third] -= 1.0
        _partners(n, mates, pairs)
        for p in range(8):
            for b in range(8):
                if p < 6 and _DRAWS[third, b] != 0.0:
                    continue
                if p < 6:
                    won = _winner((p + third) % 10, b)
                elif b < 6:
                    won = _winner(p, (b + third) % 10)
                else:
                    continue
                counts[p * 10 + b, won] += _ways(n, mates, pairs, p, b) * held * (size - 5.0)
        for last in range(10):
            more = n[last]
            if more == 0.0:
                continue
            _take(n, mates, pairs, last)
            for p in range(6):
                after = (p + third) % 10
                for b in range(7):
                    if _DRAWS[third, b] != 0.0:
                        ways = _ways(n, mates, pairs, p, b) * held * more
                        won = _winner(after, (b + last) % 10)
                        counts[p * 10 + b, won] += ways
                        counts[100 + (after * 10 + b) * 10 + third, won] += ways
            _put(n, mates, pairs, last)
        n[third] += 1.0
    return counts.astype(np.int64)
