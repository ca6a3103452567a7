"""The CPU's kernels: 64 shoes side by side, so that LLVM deals them in vector registers.

A round of all lanes is three loops. The first makes the random bits of six cards for every lane, in 32-bit lanes. The
second deals the round (`punto.kernels.deal.round_with`) in 16-bit lanes and without a branch. The third counts. Lanes
stay in step until the last of their shoes has ended; those that ended before count into a cell that is never read.

Sixteen bits must be asked for, by a cast after every sum (`punto.kernels.deal.numbers_of`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, OUTCOMES
from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.deal import A_RANK, DRAWS, Parameters, numbers_of, player_due, round_with
from punto.kernels.draw import draw_with, full_counts_with
from punto.kernels.generator import step, stream_of
from punto.simulation.cells import CELLS, DRAWN_ROWS, PAIRS, Counts

LANES = 64
HALF = LANES // 2
LEFT = 12 * LANES
"""Where the numbers of cards left stand, behind the twelve counts of every lane."""

I16, U16, U32 = np.int16, np.uint16, np.uint32
NO_MARK = I16(0x7FFF)

Lanes = NDArray[np.int16]
Words = NDArray[np.uint32]
Bits = NDArray[np.uint16]


above, minus, plus, totals, banker_due = numbers_of(I16)
draw_card = part(draw_with(above, minus, plus))
full_counts = part(full_counts_with(plus))


@part
def mark_of(high: np.uint16, low: np.uint16, left: np.int16) -> np.int16:
    """floor(word x left / 2^32), by 16-bit halves of the word.

    The carry from the low half is read from the sign bits; a comparison would become an instruction that cannot be
    vectorised.
    """
    carried = I16((U32(low) * U32(U16(left))) >> U32(16))
    upper = I16((U32(high) * U32(U16(left))) >> U32(16))
    lower = I16(I16(high) * left)
    total = I16(lower + carried)
    return I16(upper - I16(I16(lower & I16(~total)) >> I16(15)))


@part
def draw(word: Any, left: np.int16, counts: Any, due: Any) -> Any:
    """A card, if it is due: its value, its height, and what is left. Both cases are computed, so nothing branches."""
    high, low = word
    mark, fewer = mark_of(high, low, left), I16(left - 1)
    value, height, counts = draw_card(mark if due else NO_MARK, counts)
    return value, height, fewer if due else left, counts


deal = part(round_with(draw, plus, totals, player_due, banker_due, True))


@part
def seed_lanes(state: Words, hashed: np.uint64, first: int) -> None:
    """Begin the streams of as many shoes as there are lanes. Even lanes come first, odd ones behind them."""
    for lane in range(HALF):
        for odd in range(2):
            a, b, c, d = stream_of(hashed, first + 2 * lane + odd)
            at = 4 * odd * HALF + lane
            state[at], state[at + HALF], state[at + 2 * HALF], state[at + 3 * HALF] = a, b, c, d


@part
def make_bits(state: Words, bits: Words) -> None:
    """Six words for every lane: high halves and low halves, each as a row of 16-bit lanes."""
    for lane in range(HALF):
        even = (state[lane], state[HALF + lane], state[2 * HALF + lane], state[3 * HALF + lane])
        odd = (state[4 * HALF + lane], state[5 * HALF + lane], state[6 * HALF + lane], state[7 * HALF + lane])
        for card in range(DRAWS):
            one, even = step(*even)
            two, odd = step(*odd)
            bits[2 * card * HALF + lane] = U32(one >> U32(16)) | U32(two & U32(0xFFFF0000))
            bits[(2 * card + 1) * HALF + lane] = U32(one & U32(0xFFFF)) | U32(two << U32(16))
        state[lane], state[HALF + lane], state[2 * HALF + lane], state[3 * HALF + lane] = even
        state[4 * HALF + lane], state[5 * HALF + lane], state[6 * HALF + lane], state[7 * HALF + lane] = odd


@part
def words_at(bits: Bits, lane: int) -> Any:
    """The six words of a lane's round, each as its two halves."""
    return (
        (bits[lane], bits[LANES + lane]),
        (bits[2 * LANES + lane], bits[3 * LANES + lane]),
        (bits[4 * LANES + lane], bits[5 * LANES + lane]),
        (bits[6 * LANES + lane], bits[7 * LANES + lane]),
        (bits[8 * LANES + lane], bits[9 * LANES + lane]),
        (bits[10 * LANES + lane], bits[11 * LANES + lane]),
    )


@part
def counts_at(shoe: Lanes, lane: int) -> Any:
    """The twelve cumulative counts of a lane's shoe."""
    return (
        shoe[lane],
        shoe[LANES + lane],
        shoe[2 * LANES + lane],
        shoe[3 * LANES + lane],
        shoe[4 * LANES + lane],
        shoe[5 * LANES + lane],
        shoe[6 * LANES + lane],
        shoe[7 * LANES + lane],
        shoe[8 * LANES + lane],
        shoe[9 * LANES + lane],
        shoe[10 * LANES + lane],
        shoe[11 * LANES + lane],
    )


@part
def keep_counts(shoe: Lanes, lane: int, counts: Any) -> None:
    """Write the twelve counts back."""
    c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 = counts
    shoe[lane], shoe[LANES + lane], shoe[2 * LANES + lane], shoe[3 * LANES + lane] = c0, c1, c2, c3
    shoe[4 * LANES + lane], shoe[5 * LANES + lane], shoe[6 * LANES + lane], shoe[7 * LANES + lane] = c4, c5, c6, c7
    shoe[8 * LANES + lane], shoe[9 * LANES + lane], shoe[10 * LANES + lane], shoe[11 * LANES + lane] = c8, c9, c10, c11


@part
def burn_card(shoe: Lanes, bits: Bits, card: int) -> None:
    """Draw one card unseen from every lane."""
    for lane in range(LANES):
        word = bits[2 * card * LANES + lane], bits[(2 * card + 1) * LANES + lane]
        _, _, left, counts = draw(word, shoe[LEFT + lane], counts_at(shoe, lane), True)
        keep_counts(shoe, lane, counts)
        shoe[LEFT + lane] = left


@part
def cell_of(values: Any, heights: Any, hands: Any, drew: Any) -> Any:
    """The cell into which a round falls (`punto.simulation.cells`)."""
    player, banker = hands
    h1, h2, h3, h4, _, _ = heights
    row = I16((player * 8 + banker) * 10) if drew else I16(DRAWN_ROWS + player * 10 + banker)
    pairs = I16(1) if h1 == h3 else I16(0)
    pairs = I16(pairs + 2) if h2 == h4 else pairs
    pairs = I16(4) if h1 == h3 and h2 == h4 and h1 == h2 else pairs
    return I16(((row + values[4]) * PAIRS + pairs) * 10 + values[5])


@part
def deal_round(shoe: Lanes, bits: Bits, cells: Lanes, least: np.int16) -> None:
    """Deal a round on every lane, and write the cell into which it falls."""
    for lane in range(LANES):
        left = shoe[LEFT + lane]
        values, heights, hands, drew, _, after, counts = deal(0, words_at(bits, lane), left, counts_at(shoe, lane))
        on = left >= least
        cells[lane] = cell_of(values, heights, hands, drew) if on else I16(CELLS)
        keep_counts(shoe, lane, counts)
        shoe[LEFT + lane] = after if on else left


@part
def begin(
    state: Words, words: Words, shoe: Lanes, hashed: np.uint64, first: int, shoes: int, decks: int, burn: int
) -> None:
    """Put a full shoe into every lane and burn its first cards; a burn takes whole rounds of words.

    Lanes beyond the number of shoes are left without cards.
    """
    seed_lanes(state, hashed, first)
    full = full_counts(I16(0), I16(A_RANK * decks))
    for lane in range(LANES):
        keep_counts(shoe, lane, full)
        shoe[LEFT + lane] = I16(CARDS_IN_A_DECK * decks)
    for burnt in range(burn):
        if burnt % DRAWS == 0:
            make_bits(state, words)
        burn_card(shoe, words.view(np.uint16), burnt % DRAWS)
    for lane in range(shoes, LANES):
        shoe[LEFT + lane] = I16(0)


@part
def still_on(shoe: Lanes, least: int) -> bool:
    """Whether any lane has another round."""
    most = I16(0)
    for lane in range(LANES):
        most = max(most, shoe[LEFT + lane])
    return bool(most >= least)


@part
def empty_lanes() -> Any:
    """Room for the generator's states, the words of a round, the shoes, and the cells of a round."""
    return (
        np.empty(8 * HALF, np.uint32),
        np.empty(2 * DRAWS * HALF, np.uint32),
        np.empty(13 * LANES, np.int16),
        np.empty(LANES, np.int16),
    )


@part
def sum_block(by_outcome: Counts, nets: Counts, before: Counts, sums: Counts) -> None:
    """The rounds of a block and what each bet nets in it, from counts over all blocks so far."""
    for bet in range(nets.shape[0] + 1):
        total = 0
        for outcome in range(OUTCOMES):
            total += (nets[bet - 1, outcome] if bet else 1) * by_outcome[outcome]
        sums[bet], before[bet] = total - before[bet], total


@kernel
def deal_blocks(
    hashed: np.uint64,
    first: int,
    last: int,
    block: int,
    dealing: Parameters,
    sure: int,
    used: NDArray[np.int16],
    outcomes: NDArray[np.int16],
    nets: Counts,
    cells: Counts,
    sums: Counts,
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Deal the shoes from first to last and count their rounds; of each block, sum up rounds and nets of bets.

    `sure` is the number of rounds that every shoe has, `used` and `outcomes` are the cells that can be reached and
    the outcome of each.
    """
    decks, burn, least, most, _ = dealing
    state, words, shoe, now = empty_lanes()
    bits = words.view(np.uint16)
    counted, by_outcome = np.empty(CELLS + 1, np.uint32), np.empty(OUTCOMES, np.int64)
    counted[:] = 0
    before = np.zeros(nets.shape[0] + 1, np.int64)
    number, start = 0, first
    while start < last:
        end = min(start - start % block + block, last)
        for group in range(start, end, LANES):
            begin(state, words, shoe, hashed, group, min(end - group, LANES), decks, burn)
            for done in range(most):
                if done >= sure and not still_on(shoe, least):
                    break
                make_bits(state, words)
                deal_round(shoe, bits, now, I16(least))
                for lane in range(LANES):
                    counted[now[lane]] += U32(1)
        by_outcome[:] = 0
        for at in range(len(used)):
            by_outcome[outcomes[at]] += counted[used[at]]
        sum_block(by_outcome, nets, before, sums[number])
        number, start = number + 1, end
    for cell in range(CELLS):
        cells[cell] = counted[cell]


@kernel
def deal_outcomes(
    hashed: np.uint64,
    first: int,
    shoes: int,
    dealing: Parameters,
    sure: int,
    outcomes: NDArray[np.int16],
    dealt: NDArray[np.int16],
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Write the outcome of every round of every shoe."""
    decks, burn, least, most, _ = dealing
    state, words, shoe, now = empty_lanes()
    bits = words.view(np.uint16)
    for group in range(0, shoes, LANES):
        here = min(shoes - group, LANES)
        begin(state, words, shoe, hashed, first + group, here, decks, burn)
        for done in range(most):
            if done >= sure and not still_on(shoe, least):
                break
            make_bits(state, words)
            deal_round(shoe, bits, now, I16(least))
            for lane in range(here):
                if now[lane] < CELLS:
                    dealt[group + lane, done] = outcomes[now[lane]]
