"""The CPU's kernels for games with bets that look at cards: the lanes of `cpu`, and behind every round its faces.

The shoes are those of `cpu`, card by card: the same words give the same ranks. Where a bet looks at suits, they are
drawn with the ranks (`punto.kernels.faces`); a lane's shoe has then a word for each rank beside its counts. So it is
where a card is printed on the layout, which is a face like the others and no draw. The faces of a round of all lanes go
through the machines of `card_bets`, one table after the other.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, OUTCOMES
from punto.kernels.beside_printed import round_beside_with
from punto.kernels.compiled import SOURCES, digest, kernel, part
from punto.kernels.deal import A_RANK, DRAWS, Parameters, numbers_of, player_due, round_with
from punto.kernels.draw import value_of
from punto.kernels.faces import A_SUIT, NO_FACE, draw_face_with, full_suits
from punto.simulation import cpu
from punto.simulation.card_bets import Places, Program
from punto.simulation.cells import CELLS, Counts
from punto.simulation.cpu import (
    HALF,
    I16,
    LANES,
    LEFT,
    NO_MARK,
    Bits,
    Lanes,
    Words,
    burn_card,
    cell_of,
    counts_at,
    deal,
    full_counts,
    keep_counts,
    make_bits,
    mark_of,
    seed_lanes,
    still_on,
    sum_block,
    words_at,
)

SUITS_AT = 13 * LANES
"""Where the words of suits stand, behind the counts and the numbers of cards left."""

FACES_AT = LANES
"""Where the faces of a round stand, six of every lane, behind the cells."""

LANE_SOURCES = SOURCES ^ digest(cpu.__file__)
"""Tells versions of what these kernels are made of apart."""

APART = 4
"""Neighbouring lanes count the same joint in so many places, so that none waits for the other."""

U16, U32, U64 = np.uint16, np.uint32, np.uint64
_, _, plus, totals, banker_due = numbers_of(I16)
draw_face = draw_face_with(I16)


@part
def draw_due(word: Any, left: Any, held: Any, due: Any) -> Any:
    """A face, if it is due: its value, itself, and what is left."""
    high, low = word
    mark, fewer = mark_of(high, low, left), I16(left - 1)
    value, face, held = draw_face(mark if due else NO_MARK, held, due)
    return value, face, fewer if due else left, held


@part
def lay_due(word: Any, left: Any, held: Any, at: Any, printed: Any) -> Any:
    """The first card at a place: drawn, or the one that is printed there."""
    place, own_value, own_face = printed
    drawn = at != place
    value, face, left, held = draw_due(word, left, held, drawn)
    return value if drawn else own_value, face if drawn else own_face, left, held


deal_faces = part(round_with(draw_due, plus, totals, player_due, banker_due, True))
deal_beside = part(round_beside_with(lay_due, draw_due, plus, totals, player_due, banker_due))


@part
def suits_at(shoe: Lanes, lane: int) -> Any:
    """The thirteen words of a lane's shoe."""
    at = SUITS_AT + lane
    return (
        shoe[at],
        shoe[at + LANES],
        shoe[at + 2 * LANES],
        shoe[at + 3 * LANES],
        shoe[at + 4 * LANES],
        shoe[at + 5 * LANES],
        shoe[at + 6 * LANES],
        shoe[at + 7 * LANES],
        shoe[at + 8 * LANES],
        shoe[at + 9 * LANES],
        shoe[at + 10 * LANES],
        shoe[at + 11 * LANES],
        shoe[at + 12 * LANES],
    )


@part
def keep_suits(shoe: Lanes, lane: int, words: Any) -> None:
    """Write the thirteen words back."""
    w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12 = words
    at = SUITS_AT + lane
    shoe[at], shoe[at + LANES], shoe[at + 2 * LANES], shoe[at + 3 * LANES] = w0, w1, w2, w3
    shoe[at + 4 * LANES], shoe[at + 5 * LANES], shoe[at + 6 * LANES], shoe[at + 7 * LANES] = w4, w5, w6, w7
    shoe[at + 8 * LANES], shoe[at + 9 * LANES], shoe[at + 10 * LANES], shoe[at + 11 * LANES] = w8, w9, w10, w11
    shoe[at + 12 * LANES] = w12


@part
def keep_faces(seen: Lanes, lane: int, faces: Any) -> None:
    """Write the six faces of a lane's round."""
    f1, f2, f3, f4, f5, f6 = faces
    at = FACES_AT + lane
    seen[at], seen[at + LANES], seen[at + 2 * LANES] = f1, f2, f3
    seen[at + 3 * LANES], seen[at + 4 * LANES], seen[at + 5 * LANES] = f4, f5, f6


@part
def burn_face(shoe: Lanes, bits: Bits, card: int) -> None:
    """Draw one card unseen from every lane, with its suit."""
    for lane in range(LANES):
        word = bits[2 * card * LANES + lane], bits[(2 * card + 1) * LANES + lane]
        held = counts_at(shoe, lane), suits_at(shoe, lane)
        _, _, left, held = draw_due(word, shoe[LEFT + lane], held, True)
        keep_counts(shoe, lane, held[0])
        keep_suits(shoe, lane, held[1])
        shoe[LEFT + lane] = left


@part
def deal_suits(shoe: Lanes, bits: Bits, seen: Lanes, least: np.int16) -> None:
    """Deal a round on every lane: its cell, and the faces of its cards."""
    for lane in range(LANES):
        left = shoe[LEFT + lane]
        held = counts_at(shoe, lane), suits_at(shoe, lane)
        values, faces, hands, drew, _, after, held = deal_faces(0, words_at(bits, lane), left, held)
        f1, f2, f3, f4, f5, f6 = faces
        heights = I16(f1 >> 2), I16(f2 >> 2), I16(f3 >> 2), I16(f4 >> 2), f5, f6
        on = left >= least
        seen[lane] = cell_of(values, heights, hands, drew) if on else I16(CELLS)
        keep_faces(seen, lane, faces)
        keep_counts(shoe, lane, held[0])
        keep_suits(shoe, lane, held[1])
        shoe[LEFT + lane] = after if on else left


@part
def deal_printed(shoe: Lanes, bits: Bits, seen: Lanes, least: np.int16, printed: Any) -> None:
    """The same with a card that is printed on the layout, by its place, value and face."""
    for lane in range(LANES):
        left = shoe[LEFT + lane]
        held = counts_at(shoe, lane), suits_at(shoe, lane)
        values, faces, hands, drew, _, after, held = deal_beside(0, words_at(bits, lane), left, held, printed)
        f1, f2, f3, f4, f5, f6 = faces
        heights = I16(f1 >> 2), I16(f2 >> 2), I16(f3 >> 2), I16(f4 >> 2), f5, f6
        on = left >= least
        seen[lane] = cell_of(values, heights, hands, drew) if on else I16(CELLS)
        keep_faces(seen, lane, faces)
        keep_counts(shoe, lane, held[0])
        keep_suits(shoe, lane, held[1])
        shoe[LEFT + lane] = after if on else left


@part
def deal_ranks(shoe: Lanes, bits: Bits, seen: Lanes, least: np.int16) -> None:
    """The same without suits: every card is of the first one."""
    for lane in range(LANES):
        left = shoe[LEFT + lane]
        values, heights, hands, drew, also, after, counts = deal(0, words_at(bits, lane), left, counts_at(shoe, lane))
        h1, h2, h3, h4, h5, h6 = heights
        f1, f2, f3, f4 = I16(h1 * 4), I16(h2 * 4), I16(h3 * 4), I16(h4 * 4)
        f5, f6 = I16(h5 * 4) if drew else I16(NO_FACE), I16(h6 * 4) if also else I16(NO_FACE)
        on = left >= least
        seen[lane] = cell_of(values, heights, hands, drew) if on else I16(CELLS)
        keep_faces(seen, lane, (f1, f2, f3, f4, f5, f6))
        keep_counts(shoe, lane, counts)
        shoe[LEFT + lane] = after if on else left


@part
def deal_lanes(state: Words, words: Words, shoe: Lanes, seen: Lanes, how: Any) -> None:
    """The next round of every lane."""
    least, by_suit, (place, face) = how
    make_bits(state, words)
    if place >= 0:
        printed = place, I16(value_of(face // A_RANK)), I16(face)
        deal_printed(shoe, words.view(np.uint16), seen, least, printed)
    elif by_suit:
        deal_suits(shoe, words.view(np.uint16), seen, least)
    else:
        deal_ranks(shoe, words.view(np.uint16), seen, least)


@part
def begin(state: Words, words: Words, shoe: Lanes, hashed: np.uint64, first: int, shoes: int, how: Any) -> None:
    """Put a full shoe into every lane and burn its first cards, as in `cpu`."""
    decks, burn, by_suit = how
    seed_lanes(state, hashed, first)
    full, suits = full_counts(I16(0), I16(A_RANK * decks)), full_suits(I16(A_SUIT * decks))
    for lane in range(LANES):
        keep_counts(shoe, lane, full)
        keep_suits(shoe, lane, suits)
        shoe[LEFT + lane] = I16(CARDS_IN_A_DECK * decks)
    for burnt in range(burn):
        if burnt % DRAWS == 0:
            make_bits(state, words)
        if by_suit:
            burn_face(shoe, words.view(np.uint16), burnt % DRAWS)
        else:
            burn_card(shoe, words.view(np.uint16), burnt % DRAWS)
    for lane in range(shoes, LANES):
        shoe[LEFT + lane] = I16(0)


@part
def run_steps(faces: Bits, steps: Any, table: Places, state: Words, case: Words) -> None:
    """Let machines read the faces of all lanes, and add where they end to the case of each lane."""
    for number in range(len(steps)):
        place, shift, start = steps[number, 0], U16(steps[number, 1]), steps[number, 2]
        own = faces[place * LANES : (place + 1) * LANES]
        if start >= 0:
            first = table[start:]
            for lane in range(U64(LANES)):
                state[lane] = first[own[lane] >> shift]
        else:
            for lane in range(U64(LANES)):
                state[lane] = table[U64(state[lane]) + U64(own[lane] >> shift)]
        if steps[number, 3]:
            for lane in range(U64(LANES)):
                case[lane] += state[lane]


@part
def find_joints(seen: Bits, program: Program, number: int, state: Words, case: Words) -> None:
    """The joint of every lane in one pass, in the place of its case. Unsigned indices are the fast ones."""
    passes, steps, table, classes, joints = program
    own = classes[number]
    for lane in range(U64(LANES)):
        case[lane] = own[seen[lane]]
    run_steps(seen[FACES_AT:], steps[passes[number, 0] : passes[number, 1]], table, state, case)
    for lane in range(U64(LANES)):
        case[lane] = joints[case[lane]]


@part
def empty_lanes() -> Any:
    """Room for the generator's states, the words of a round, the shoes, cells and faces, states and cases."""
    return (
        np.empty(8 * HALF, np.uint32),
        np.empty(2 * DRAWS * HALF, np.uint32),
        np.empty(26 * LANES, np.int16),
        np.empty(7 * LANES, np.int16),
        np.empty(LANES, np.uint32),
        np.empty(LANES, np.uint32),
    )


@part
def all_of(counted: Words, joint: int) -> np.int64:
    """How often a joint was counted, by all lanes."""
    total = np.int64(0)
    for at in range(APART):
        total += np.int64(counted[joint * APART + at])
    return total


@part
def sum_joints(counted: Any, nets: Counts, before: Counts, sums: Counts) -> None:
    """What each bet nets in a block, from counts over all blocks so far."""
    for bet in range(nets.shape[0]):
        total = 0
        for joint in range(nets.shape[1]):
            total += nets[bet, joint] * all_of(counted, joint)
        sums[bet], before[bet] = total - before[bet], total


@kernel
def deal_blocks(
    hashed: np.uint64,
    shoes: tuple[int, int, int],
    dealing: Parameters,
    sure: int,
    by_suit: bool,
    printed: tuple[int, int],
    used: tuple[NDArray[np.int16], NDArray[np.int16]],
    nets: tuple[Counts, Counts],
    program: Program,
    found: tuple[Counts, Counts, Counts],
    sources: int = LANE_SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Deal shoes from first to last in blocks, and count their rounds by cell and by joint.

    `printed` is the place and the face of a card that is printed on the layout, the place below 0 where none is.
    `nets` are those of bets by outcome and by joint; of each block rounds and nets are summed up, in this order.
    """
    first, last, block = shoes
    cells, joints, sums = found
    decks, burn, least, most, _ = dealing
    state, words, shoe, seen, states, case = empty_lanes()
    counted, by_joint = np.zeros(CELLS + 1, np.uint32), np.zeros(APART * (len(joints) + 1), np.uint32)
    by_outcome = np.empty(OUTCOMES, np.int64)
    before, before_cards = np.zeros(nets[0].shape[0] + 1, np.int64), np.zeros(nets[1].shape[0], np.int64)
    number, start = 0, first
    while start < last:
        end = min(start - start % block + block, last)
        for group in range(start, end, LANES):
            begin(state, words, shoe, hashed, group, min(end - group, LANES), (decks, burn, by_suit or printed[0] >= 0))
            for done in range(most):
                if done >= sure and not still_on(shoe, least):
                    break
                deal_lanes(state, words, shoe, seen, (I16(least), by_suit, printed))
                for lane in range(LANES):
                    counted[seen[lane]] += U32(1)
                for each in range(len(program[0])):
                    find_joints(seen.view(np.uint16), program, each, states, case)
                    for lane in range(U64(LANES)):
                        by_joint[U64(case[lane]) * U64(APART) + (lane & U64(APART - 1))] += U32(1)
        by_outcome[:] = 0
        for at in range(len(used[0])):
            by_outcome[used[1][at]] += counted[used[0][at]]
        sum_block(by_outcome, nets[0], before, sums[number])
        sum_joints(by_joint, nets[1], before_cards, sums[number, len(before) :])
        number, start = number + 1, end
    for cell in range(CELLS):
        cells[cell] = counted[cell]
    for joint in range(len(joints)):
        joints[joint] = all_of(by_joint, joint)
