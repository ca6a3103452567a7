"""How long exact odds take: one composition, and everything there is.

The known thing beside it, in the same run: one pass of NumPy over as many deals as there are value sequences,
10^6 numbers summed, which is what counting deal by deal would at least have to touch.
"""

import time
import timeit

import numpy as np

from punto.kernels.exact import TOTALS
from punto.odds import bet_odds, full_shoe, outcome_counts
from punto.odds.counting import count_outcomes
from punto.rulebook import ids, load, menu


def everything() -> tuple[int, float]:
    """Every bet of every layout of every book for every deck count, with its edge."""
    start, count = time.perf_counter(), 0
    for name in ids():
        book = load(name)
        for decks in range(book.decks.min or 1, (book.decks.max or 12) + 1):
            shoe = full_shoe(decks)
            counts = outcome_counts(shoe)
            for layout in book.layouts:
                for bet in bet_odds(menu(book, layout), shoe, counts).values():
                    count += bet.edge.denominator > 0
    return count, time.perf_counter() - start


def main() -> None:
    shoe = np.asarray(full_shoe(8), dtype=np.int64)
    count_outcomes(shoe, TOTALS)  # loads what was compiled before
    for name in ids():
        load(name)
    bets, seconds = everything()
    one = min(timeit.repeat(lambda: count_outcomes(shoe, TOTALS), number=500, repeat=20)) / 500
    numbers = np.ones(10**6)
    known = min(timeit.repeat(numbers.sum, number=5, repeat=20)) / 5
    print(f"exact vector of a composition: {one * 1e6:.1f} us (goal 20)")
    print(f"  beside it, NumPy adding up 10^6 numbers: {known * 1e6:.1f} us; ratio {known / one:.1f}")
    print(f"all {bets} bets of all layouts, deck counts and books: {seconds:.3f} s (goal 0.1)")


if __name__ == "__main__":
    main()
