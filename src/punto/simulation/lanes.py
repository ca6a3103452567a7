"""The CPU's kernels: 64 shoes side by side, so that LLVM lays them into vector registers.

A round of all lanes is three loops. The first makes the random bits of six cards for every lane, in 32-bit lanes. The
second draws the cards and lays them by the Table of Play, in 16-bit lanes and without a branch: what is not due is
masked. The third counts. Lanes stay in step until the last of their shoes has ended; those that ended before count
into a cell that nobody reads.

Sixteen bits must be asked for: Numba makes every sum of small numbers a 64-bit one, and each cast here lets LLVM make
it small again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import OUTCOMES, STOOD, play
from punto.simulation import drawing, generator
from punto.simulation.compiled import digest, kernel, part
from punto.simulation.counting import CELLS, DRAWN_ROWS, PAIRS, Counts
from punto.simulation.generator import GOLDEN

LANES = 64
HALF = LANES // 2
DRAWS = 6
"""A round takes so many words from its shoe's stream, whether or not all its cards are drawn."""

I16, U16, U32, U64 = np.int16, np.uint16, np.uint32, np.uint64
NO_MARK = I16(0x7FFF)

Lanes = NDArray[np.int16]
Words = NDArray[np.uint32]

mix, step = part(generator.mix), part(generator.step)
player_draws: Any = part(play.player_draws)
banker_draws: Any = part(play.banker_draws)


@part
def above(count: np.int16, mark: np.int16) -> np.int16:
    """1 if a count is above the mark."""
    return I16(1) if count > mark else I16(0)


@part
def minus(one: np.int16, other: np.int16) -> np.int16:
    """The difference, in 16 bits."""
    return I16(one - other)


@part
def plus(one: np.int16, other: np.int16) -> np.int16:
    """The sum, in 16 bits."""
    return I16(one + other)


draw = part(drawing.draw_with(above, minus, plus))


@part
def mark_of(high: np.uint16, low: np.uint16, left: np.int16) -> np.int16:
    """floor(bits x left / 2^32), by 16-bit halves of the bits.

    The carry from the low half is the sign that gets lost; `below < upper` would become an instruction that cannot be
    laid into lanes.
    """
    carried = I16((U32(low) * U32(U16(left))) >> U32(16))
    upper = I16((U32(high) * U32(U16(left))) >> U32(16))
    lower = I16(I16(high) * left)
    total = I16(lower + carried)
    return I16(upper - I16(I16(lower & I16(~total)) >> I16(15)))


@part
def points(one: np.int16, other: np.int16) -> np.int16:
    """Two totals added, modulo ten."""
    total = I16(one + other)
    return I16(total - 10) if total > 9 else total


@part
def stream_of(hashed: np.uint64, number: int) -> generator.State:
    """The state with which a shoe's stream begins."""
    at = hashed + U64(2) * U64(number) * GOLDEN
    one, two = mix(at + GOLDEN), mix(at + U64(2) * GOLDEN)
    return U32(one), U32(one >> U64(32)), U32(two), U32(two >> U64(32))


@part
def full_counts(decks: int) -> Any:
    """The twelve cumulative counts of a full shoe."""
    c = 4 * decks
    return (
        *(I16(c), I16(2 * c), I16(3 * c), I16(4 * c), I16(5 * c), I16(6 * c)),
        *(I16(7 * c), I16(8 * c), I16(9 * c), I16(10 * c), I16(11 * c), I16(12 * c)),
    )


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
def burn_card(shoe: Lanes, bits: NDArray[np.uint16], card: int) -> None:
    """Draw one card unseen from every lane."""
    for lane in range(LANES):
        left = shoe[12 * LANES + lane]
        mark = mark_of(bits[2 * card * LANES + lane], bits[(2 * card + 1) * LANES + lane], left)
        _, _, counts = draw(mark, counts_at(shoe, lane))
        keep_counts(shoe, lane, counts)
        shoe[12 * LANES + lane] = I16(left - 1)


@part
def deal_round(shoe: Lanes, bits: NDArray[np.uint16], cells: Lanes, least: np.int16) -> None:
    """Deal a round on every lane, and say which cell it falls into."""
    for lane in range(LANES):
        counts, left = counts_at(shoe, lane), shoe[12 * LANES + lane]
        one, first, counts = draw(mark_of(bits[lane], bits[LANES + lane], left), counts)
        two, second, counts = draw(mark_of(bits[2 * LANES + lane], bits[3 * LANES + lane], I16(left - 1)), counts)
        three, third, counts = draw(mark_of(bits[4 * LANES + lane], bits[5 * LANES + lane], I16(left - 2)), counts)
        four, fourth, counts = draw(mark_of(bits[6 * LANES + lane], bits[7 * LANES + lane], I16(left - 3)), counts)
        player, banker = points(one, three), points(two, four)

        drawn = player_draws(player, banker)
        mark = mark_of(bits[8 * LANES + lane], bits[9 * LANES + lane], I16(left - 4))
        five, _, counts = draw(mark if drawn else NO_MARK, counts)
        after = I16(left - 5) if drawn else I16(left - 4)

        also = banker_draws(player, banker, five if drawn else I16(STOOD))
        mark = mark_of(bits[10 * LANES + lane], bits[11 * LANES + lane], after)
        last, _, counts = draw(mark if also else NO_MARK, counts)
        after = I16(after - 1) if also else after

        row = I16((player * 8 + banker) * 10) if drawn else I16(DRAWN_ROWS + player * 10 + banker)
        pairs = I16(1) if first == third else I16(0)
        pairs = I16(pairs + 2) if second == fourth else pairs
        pairs = I16(4) if first == third and second == fourth and first == second else pairs
        on = left >= least
        cells[lane] = I16(((row + five) * PAIRS + pairs) * 10 + last) if on else I16(CELLS)
        keep_counts(shoe, lane, counts)
        shoe[12 * LANES + lane] = after if on else left


@part
def begin(
    state: Words, words: Words, shoe: Lanes, hashed: np.uint64, first: int, shoes: int, decks: int, burn: int
) -> None:
    """Put a full shoe into every lane and burn its first cards; a burn takes whole rounds of words.

    Lanes beyond the number of shoes are left without cards.
    """
    seed_lanes(state, hashed, first)
    for place in range(13):
        for lane in range(LANES):
            shoe[place * LANES + lane] = I16(4 * decks * (place + 1))
    for burnt in range(burn):
        if burnt % DRAWS == 0:
            make_bits(state, words)
        burn_card(shoe, words.view(np.uint16), burnt % DRAWS)
    for lane in range(shoes, LANES):
        shoe[12 * LANES + lane] = I16(0)


@part
def still_on(shoe: Lanes, least: int) -> bool:
    """Whether any lane has another round."""
    most = I16(0)
    for lane in range(LANES):
        most = max(most, shoe[12 * LANES + lane])
    return bool(most >= least)


Kernels = tuple[Any, Any, Any, Any]


def _kernels(made_of: str) -> Kernels:
    @kernel
    def deal_blocks(
        hashed: np.uint64,
        first: int,
        last: int,
        block: int,
        dealing: tuple[int, int, int, int, int],
        used: NDArray[np.int16],
        outcomes: NDArray[np.int16],
        nets: Counts,
        cells: Counts,
        sums: Counts,
    ) -> None:
        """Deal the shoes from first to last; block by block, note the rounds and what each bet nets."""
        made_of  # noqa: B018  # closed over, so that the kernel is made again when its parts change
        decks, burn, least, sure, most = dealing
        state, words = np.empty(8 * HALF, np.uint32), np.empty(2 * DRAWS * HALF, np.uint32)
        bits = words.view(np.uint16)
        shoe, now = np.empty(13 * LANES, np.int16), np.empty(LANES, np.int16)
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
            for bet in range(nets.shape[0] + 1):
                total = 0
                for outcome in range(OUTCOMES):
                    total += (nets[bet - 1, outcome] if bet else 1) * by_outcome[outcome]
                sums[number, bet], before[bet] = total - before[bet], total
            number, start = number + 1, end
        for cell in range(CELLS):
            cells[cell] = counted[cell]

    @kernel
    def deal_outcomes(
        hashed: np.uint64,
        first: int,
        shoes: int,
        dealing: tuple[int, int, int, int, int],
        outcomes: NDArray[np.int16],
        dealt: NDArray[np.int16],
    ) -> None:
        """Write the outcome of every round of every shoe."""
        made_of  # noqa: B018
        decks, burn, least, sure, most = dealing
        state, words = np.empty(8 * HALF, np.uint32), np.empty(2 * DRAWS * HALF, np.uint32)
        bits = words.view(np.uint16)
        shoe, now = np.empty(13 * LANES, np.int16), np.empty(LANES, np.int16)
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

    @kernel
    def draw_alone(hashed: np.uint64, number: int, decks: int, heights: NDArray[np.int8]) -> None:
        """Draw one shoe card by card, a word for each, and write the height of each card."""
        made_of  # noqa: B018
        state, counts, left = stream_of(hashed, number), full_counts(decks), I16(52 * decks)
        for card in range(len(heights)):
            word, state = step(*state)
            _, height, counts = draw(mark_of(U16(word >> U32(16)), U16(word), left), counts)
            heights[card], left = height, I16(left - 1)

    @kernel
    def deal_alone(
        hashed: np.uint64, number: int, dealing: tuple[int, int, int, int, int], heights: NDArray[np.int8]
    ) -> int:
        """Deal one shoe by itself, write the heights of each round's six cards, -1 if not drawn, and count rounds."""
        made_of  # noqa: B018
        decks, burn, least, _, most = dealing
        state, counts, left = stream_of(hashed, number), full_counts(decks), I16(52 * decks)
        for word_number in range(-(-burn // DRAWS) * DRAWS):
            word, state = step(*state)
            if word_number < burn:
                _, _, counts = draw(mark_of(U16(word >> U32(16)), U16(word), left), counts)
                left = I16(left - 1)
        for done in range(most):
            if left < least:
                return done
            values = np.zeros(DRAWS, np.int16)
            for card in range(DRAWS):
                word, state = step(*state)
                player, banker = points(values[0], values[2]), points(values[1], values[3])
                drawn = player_draws(player, banker)
                if card < 4 or (
                    drawn if card == 4 else banker_draws(player, banker, values[4] if drawn else I16(STOOD))
                ):
                    value, height, counts = draw(mark_of(U16(word >> U32(16)), U16(word), left), counts)
                    values[card], heights[done, card], left = value, height, I16(left - 1)
        return most

    return deal_blocks, deal_outcomes, draw_alone, deal_alone


deal_blocks, deal_outcomes, draw_alone, deal_alone = _kernels(
    digest(__file__, play.__file__, generator.__file__, drawing.__file__)
)
