"""The GPU's kernel for bets that look at cards. Imported only where a GPU is used.

It deals the shoes of `gpu`, two a thread, and counts joints alone (`card_bets`); outcomes and situations are counted by
the kernel of `gpu`. The suits of a shoe's cards are a word for each rank in shared memory: how many cards are left of
the first suit, of the first two and of the first three, a byte each.
"""

from importlib import import_module
from typing import Any

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK
from punto.kernels.beside_printed import round_beside_with
from punto.kernels.deal import A_RANK, DRAWS, RANKS, round_with
from punto.kernels.draw import draw_with, value_of
from punto.kernels.faces import NO_FACE
from punto.kernels.generator import hash_of
from punto.kernels.gpu import device, gpu_kernel
from punto.simulation.card_bets import CardBets
from punto.simulation.cells import CELLS, DRAWN_ROWS, LAST, PAIRS, ROWS, Counts
from punto.simulation.dealing import Dealing, OnLayout
from punto.simulation.gpu import bit, count_pair, full_counts, next_word, stream, words_of
from punto.simulation.half_instructions import above, fma, larger, minus, plus
from punto.simulation.packed import (
    BARE,
    LOW,
    NEITHER_STANDS,
    NOTHING,
    ROW_CELLS,
    STOOD_AT,
    SUMS,
    banker_stands_with,
    both,
    draw_with_places,
    look_up_with,
    play_table,
    player_stands,
)

cuda: Any = import_module("numba.cuda")

THREADS = 256
REGISTERS = 80
PLAYS = SUMS * SUMS
MOST_JOINTS = 4096
"""So many joints are counted at a time; where there are more, the shoes are dealt once more for the others."""

WORDS = 2 * RANKS * THREADS
EIGHTHS, ONES = np.uint32(0x808080), np.uint32(0x010101)
FACE_BITS = 6

I32, I64, U32, U64 = np.int32, np.int64, np.uint32, np.uint64

draw_pair = device(draw_with_places(draw_with(above, minus, plus), above, minus, fma, larger))
deal_pair = device(
    round_with(draw_pair, plus, look_up_with(plus, fma), player_stands, banker_stands_with(plus, bit), NEITHER_STANDS)
)


@device
def draw_suit(suits: Any, at: Any, place: Any) -> Any:
    """The suit of the card at a place among those of its rank, whose word is at an index; the card is taken out."""
    word = suits[at]
    taken = U32(U32(U32(word | EIGHTHS) - U32(U32(place + U32(1)) * ONES)) >> U32(7)) & ONES
    suits[at] = U32(word - taken)
    return U32(3) - U32(cuda.popc(taken))


@device
def face_of(suits: Any, column: Any, columns: Any, height: Any, place: Any, by_suit: Any) -> Any:
    """The face of a card, its suit taken out of the words of its shoe; of the first suit where none is asked for."""
    suit = U32(0)
    if by_suit:
        suit = draw_suit(suits, U32(height * columns) + column, place)
    return U64(U32(height * U32(4)) + suit)


@device
def low(halves: Any) -> Any:
    """The number in the lower half of a register, from a sum with 1024."""
    return U32(halves & LOW) - BARE


@device
def high(halves: Any) -> Any:
    """The number in the upper half."""
    return U32(halves >> U32(16)) - BARE


@device
def split(card: Any) -> Any:
    """Height and place of a card of two shoes, as whole numbers: of the first, and of the second."""
    height, place = card
    raised, place = plus(height, NOTHING), plus(place, NOTHING)
    return (low(raised), low(place)), (high(raised), high(place))


@device
def joint_of(faces: Any, cell: Any, number: Any, program: Any) -> Any:
    """The joint of a round in one pass."""
    passes, steps, table, classes, joints = program
    case, state = U32(classes[number, cell]), U32(0)
    for step in range(passes[number, 0], passes[number, 1]):
        how, start = steps[step, 0], steps[step, 1]
        symbol = U32(U32(faces >> U64(how & U32(63))) & U32(63)) >> U32(U32(how >> U32(8)) & U32(7))
        state = start if how & U32(1 << 17) else state
        state = U32(table[state + symbol])
        case += state if how & U32(1 << 16) else U32(0)
    return U32(joints[case])


@device
def cell_of(outcome: Any, row: Any) -> Any:
    """Where the class of a round stands: by row and pairs."""
    return U32(row * U32(PAIRS)) + U32(outcome % U32(PAIRS))


@device
def begin_suits(suits: Any, column: Any, columns: Any, decks: Any) -> None:
    """The words of a full shoe."""
    for rank in range(RANKS):
        suits[U32(U32(rank) * columns) + column] = U32(decks * U32(0x030201))


@device
def burn_two(suits: Any, a: Any, b: Any, left: Any, counts: Any, burn: Any, how: Any) -> Any:
    """Draw the first cards of two shoes unseen, with their suits; a burn takes whole rounds of words."""
    column, second, columns, by_suit = how
    for number in range((burn + DRAWS - 1) // DRAWS * DRAWS):
        word_a, a = next_word(*a)
        word_b, b = next_word(*b)
        if number < burn:
            _, card, left, counts = draw_pair((word_a, word_b), left, counts, NEITHER_STANDS)
            card_a, card_b = split(card)
            face_of(suits, column, columns, card_a[0], card_a[1], by_suit)
            face_of(suits, second, columns, card_b[0], card_b[1], by_suit)
    return a, b, left, counts


def dealer_with(deal: Any, first_face: Any) -> Any:
    """A round of two shoes with its faces, by a way to deal it and to see a first card: printed or not."""

    @device
    def faces_of(suits: Any, column: Any, columns: Any, cards: Any, stood: Any, by_suit: Any, printed: Any) -> Any:
        """The faces of a round, six bits each from the first card on; `NO_FACE` in the place of a card not drawn."""
        (h1, p1), (h2, p2), (h3, p3), (h4, p4), (h5, p5), (h6, p6) = cards
        player_stood, banker_stood = stood
        found = first_face(suits, column, columns, (h1, p1), by_suit, 0, printed)
        found |= first_face(suits, column, columns, (h2, p2), by_suit, 1, printed) << U64(FACE_BITS)
        found |= first_face(suits, column, columns, (h3, p3), by_suit, 2, printed) << U64(2 * FACE_BITS)
        found |= first_face(suits, column, columns, (h4, p4), by_suit, 3, printed) << U64(3 * FACE_BITS)
        fifth, sixth = U64(NO_FACE), U64(NO_FACE)
        if not player_stood:
            fifth = face_of(suits, column, columns, h5, p5, by_suit)
        if not banker_stood:
            sixth = face_of(suits, column, columns, h6, p6, by_suit)
        return found | fifth << U64(4 * FACE_BITS) | sixth << U64(5 * FACE_BITS)

    @device
    def deal_two(play: Any, suits: Any, a: Any, b: Any, left: Any, counts: Any, how: Any, printed: Any) -> Any:
        """A round of two shoes: cells and faces of each, and what is left."""
        column, second, columns, by_suit = how
        words_a, a = words_of(a)
        words_b, b = words_of(b)
        a1, a2, a3, a4, a5, a6 = words_a
        b1, b2, b3, b4, b5, b6 = words_b
        words = (a1, b1), (a2, b2), (a3, b3), (a4, b4), (a5, b5), (a6, b6)
        values, cards, said, player, banker, left, counts = deal(play, words, left, counts, printed)
        c1, c2, c3, c4, c5, c6 = cards
        ends, rows = count_pair(values, (c1[0], c2[0], c3[0], c4[0], c5[0], c6[0]), said, player, banker)
        a1, b1 = split(c1)
        a2, b2 = split(c2)
        a3, b3 = split(c3)
        a4, b4 = split(c4)
        a5, b5 = split(c5)
        a6, b6 = split(c6)
        faces_a = faces_of(suits, column, columns, (a1, a2, a3, a4, a5, a6), (player[0], banker[0]), by_suit, printed)
        faces_b = faces_of(suits, second, columns, (b1, b2, b3, b4, b5, b6), (player[1], banker[1]), by_suit, printed)
        cells = cell_of(ends[0], rows[0]), cell_of(ends[1], rows[1])
        return cells, (faces_a, faces_b), a, b, left, counts

    return deal_two


def kernel_with(deal_two: Any) -> Any:
    """The kernel, by a way to deal a round of two shoes."""

    @gpu_kernel(REGISTERS)
    def count_joints(
        hashed: Any,
        shoes: Any,
        dealing: Any,
        printed: Any,
        a_rank: Any,
        table: Any,
        limits: Any,
        program: Any,
        nets: Any,
        found: Any,
    ) -> None:
        """Deal a block of shoes; count its rounds by joint in some passes, and sum up the nets of bets."""
        play = cuda.shared.array(PLAYS, np.uint32)
        by_joint = cuda.shared.array(MOST_JOINTS, np.uint32)
        suits = cuda.shared.array(WORDS, np.uint32)
        thread, threads, piece = I32(cuda.threadIdx.x), I32(cuda.blockDim.x), I64(cuda.blockIdx.x)
        first_pass, last_pass, offset, here = limits
        for at in range(thread, PLAYS, threads):
            play[at] = table[at]
        for at in range(thread, here, threads):
            by_joint[at] = U32(0)
        cuda.syncthreads()

        first, last, block = shoes
        decks, burn, least, most, by_suit = dealing
        column, second, columns = U32(thread), U32(threads + thread), U32(2 * threads)  # no two threads share a bank
        how = column, second, columns, by_suit
        ended = U32(5) if least > U32(5) else U32(0)  # enough for five draws: it never disturbs the shoe beside it
        start = max(first, (first // block + piece) * block)
        number = I32(min(last, (first // block + piece + 1) * block) - start)
        for shoe in range(I32(2 * thread), number, I32(2 * threads)):
            a, b = stream(hashed, start + shoe), stream(hashed, start + shoe + 1)
            full = U32(U32(CARDS_IN_A_DECK) * decks)
            begin_suits(suits, column, columns, decks)
            begin_suits(suits, second, columns, decks)
            a, b, left, counts = burn_two(suits, a, b, (full, full), full_counts(NOTHING, a_rank), burn, how)
            left_a, left_b = left
            left_b, done = left_b if shoe + 1 < number else U32(0), I32(0)
            while done < most and (left_a >= least or left_b >= least):
                done += I32(1)
                on_a, on_b = left_a >= least, left_b >= least
                cells, faces, a, b, left, counts = deal_two(play, suits, a, b, (left_a, left_b), counts, how, printed)
                left_a, left_b = left
                for each in range(first_pass, last_pass):
                    if on_a:
                        cuda.atomic.add(by_joint, joint_of(faces[0], cells[0], each, program) - offset, U32(1))
                    if on_b:
                        cuda.atomic.add(by_joint, joint_of(faces[1], cells[1], each, program) - offset, U32(1))
                left_a = left_a if on_a and left_a >= least else ended
                left_b = left_b if on_b and left_b >= least else ended
        cuda.syncthreads()
        joints, sums = found
        for at in range(thread, here, threads):
            if by_joint[at]:
                cuda.atomic.add(joints, I64(offset) + at, I64(by_joint[at]))
        for bet in range(nets.shape[0]):
            net = I64(0)
            for at in range(thread, here, threads):
                net += I64(nets[bet, I64(offset) + at]) * I64(by_joint[at])
            if net:
                cuda.atomic.add(sums, (piece, bet), net)

    return count_joints


@device
def deal_plain(play: Any, words: Any, left: Any, counts: Any, _: Any) -> Any:
    """A round of two shoes without a printed card."""
    return deal_pair(play, words, left, counts)


@device
def drawn_face(suits: Any, column: Any, columns: Any, card: Any, by_suit: Any, _: Any, __: Any) -> Any:
    """The face of a first card that was drawn."""
    return face_of(suits, column, columns, card[0], card[1], by_suit)


@device
def lay_pair(words: Any, left: Any, counts: Any, at: Any, printed: Any) -> Any:
    """The first card at a place of two shoes: drawn, or the printed one."""
    place, own_value, own_height, _ = printed
    stands = U32(1) if at == place else U32(0)
    value, card, left, counts = draw_pair(words, left, counts, (stands, stands))
    height, among = card
    return own_value if stands else value, (own_height if stands else height, among), left, counts


@device
def laid_face(suits: Any, column: Any, columns: Any, card: Any, by_suit: Any, at: Any, printed: Any) -> Any:
    """The face of a first card: of the printed one itself, which is in no shoe."""
    place, _, _, face = printed
    if at == place:
        return U64(face)
    return face_of(suits, column, columns, card[0], card[1], by_suit)


deal_beside = device(
    round_beside_with(lay_pair, draw_pair, plus, look_up_with(plus, fma), player_stands, banker_stands_with(plus, bit))
)
KERNELS = {
    False: kernel_with(dealer_with(deal_plain, drawn_face)),
    True: kernel_with(dealer_with(deal_beside, laid_face)),
}
"""By whether a card is printed on the layout; each is compiled when it is first launched."""


class CardGpuDealer:
    """A GPU made ready for bets that look at cards: the kernel is compiled and the tables lie in its memory."""

    def __init__(self, cards: CardBets, printed: OnLayout | UnsetType = UNSET) -> None:
        self._cards, self._slices = cards, list(_slices(cards))
        self._table = cuda.to_device(play_table())
        self._nets = cuda.to_device(np.ascontiguousarray(cards.nets))
        self._program = (
            cuda.to_device(cards.passes),
            cuda.to_device(packed_steps(cards)),
            cuda.to_device(cards.table),
            cuda.to_device(classes_by_row(cards)),
            cuda.to_device(cards.joints),
        )
        self.deal(Dealing(rounds=1, printed=printed), 0, 0, 2, 2)

    def deal(self, dealing: Dealing, seed: int, first: int, last: int, block: int) -> tuple[Counts, Counts]:
        """Deal the shoes from first to last: joints, and of each block the net of each bet."""
        pieces = -(-last // block) - first // block
        joints = cuda.to_device(np.zeros(self._cards.rows.shape[1], dtype=np.int64))
        sums = cuda.to_device(np.zeros((pieces, len(self._cards.nets)), dtype=np.int64))
        how = U32(dealing.decks), I32(dealing.burn), U32(dealing.least), I32(dealing.most_rounds)
        place, face = dealing.on_layout
        printed = I32(place), both(value_of(face // A_RANK)), both(face // A_RANK), U32(face)
        for limits in self._slices:
            KERNELS[place >= 0][pieces, THREADS](
                hash_of(seed),
                (I64(first), I64(last), I64(block)),
                (*how, I32(self._cards.by_suit)),
                printed,
                both(A_RANK * dealing.decks),
                self._table,
                limits,
                self._program,
                self._nets,
                (joints, sums),
            )
        return joints.copy_to_host(), sums.copy_to_host()


def _slices(cards: CardBets) -> list[tuple[np.int32, np.int32, np.uint32, np.int32]]:
    """Passes that are counted together: the first, the one behind the last, their first joint, and how many."""
    ends = [*cards.passes[1:, 2].tolist(), cards.rows.shape[1]]
    found, first, begin = [], 0, 0
    for number, end in enumerate(ends):
        last = number + 1 == len(ends)
        if last or ends[number + 1] - begin > MOST_JOINTS:
            found.append((I32(first), I32(number + 1), U32(begin), I32(end - begin)))
            first, begin = number + 1, end
    return found


def packed_steps(cards: CardBets) -> NDArray[np.uint32]:
    """Steps as the kernel takes them: the bits of place, shift, whether it ends and begins; and the first state."""
    place, shift, start, ends, _ = cards.steps.T
    begins = start >= 0
    how = place * FACE_BITS | shift << 8 | ends << 16 | begins << 17
    return np.stack((how, np.where(begins, start, 0)), axis=1).astype(np.uint32)


def classes_by_row(cards: CardBets) -> NDArray[Any]:
    """By pass and by row and pairs, as `packed` counts rows, where the cases of a round begin."""
    by_row = cards.classes[:, :CELLS].reshape(-1, ROWS, PAIRS, LAST).swapaxes(2, 3).reshape(-1, ROWS * LAST, PAIRS)
    found = np.zeros((len(by_row), ROW_CELLS, PAIRS), dtype=cards.classes.dtype)
    found[:, : DRAWN_ROWS * LAST] = by_row[:, : DRAWN_ROWS * LAST]
    found[:, STOOD_AT:] = by_row[:, DRAWN_ROWS * LAST :]
    return found.reshape(len(by_row), ROW_CELLS * PAIRS)
