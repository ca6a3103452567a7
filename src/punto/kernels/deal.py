"""A round dealt by the Table of Play, and shoes dealt one by one.

`round_with` is the round, for shoes in registers of any kind: six words of random bits give up to six cards. The rest
of this module deals shoes one at a time in 32-bit numbers, on CPU and GPU alike. It is used where every card matters;
where only counts of rounds do, `punto.simulation` deals many shoes side by side.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, STOOD, SUITS
from punto.kernels.compiled import SOURCES, kernel, part
from punto.kernels.draw import draw_with, full_counts_with, rank_of
from punto.kernels.generator import State, six_words, step, stream_of
from punto.kernels.play import banker_draws, player_draws

DRAWS = 6
"""A round takes six words from its shoe's stream, whether or not six cards are drawn; so does a burn of up to six."""

NOT_DRAWN = -1
"""In the place of a card's height: it was not drawn."""

A_RANK = len(SUITS)
RANKS = 13
TEN = 10
I8, I32, U8, U64 = np.int8, np.int32, np.uint8, np.uint64
NO_MARK = I32(0x7FFFFFFF)

Parameters = tuple[int, int, int, int, bool]
"""How shoes are dealt: decks, cards burnt, the cards without which no round is begun, the most rounds, and whether by
the casino's procedure. By that the first card is turned up and says how many are burnt, and the round that is begun
with too few cards is dealt as the last."""

Operation = Callable[..., Any]


def round_with(
    draw: Operation, plus: Operation, look_up: Operation, player_due: Operation, banker_due: Operation, due: Any
) -> Operation:
    """A round by some arithmetic.

    `draw(word, left, counts, due)` draws a card if it is due, and returns its value, its height, the cards left and
    their counts; `due` says so of the first four cards. `look_up(table, player, banker)` is what the Table of Play
    says of two-card totals that `plus` has added, `player_due(play)` whether the Player draws, and
    `banker_due(play, player_drew, third)` whether the Banker does.

    The round returns the six values and heights in the order of drawing, what the Table of Play said, who drew, and
    what is left.
    """

    def deal(table: Any, words: Any, left: Any, counts: Any) -> Any:
        w1, w2, w3, w4, w5, w6 = words
        v1, h1, left, counts = draw(w1, left, counts, due)
        v2, h2, left, counts = draw(w2, left, counts, due)
        v3, h3, left, counts = draw(w3, left, counts, due)
        v4, h4, left, counts = draw(w4, left, counts, due)
        play = look_up(table, plus(v1, v3), plus(v2, v4))
        player_drew = player_due(play)
        v5, h5, left, counts = draw(w5, left, counts, player_drew)
        banker_drew = banker_due(play, player_drew, v5)
        v6, h6, left, counts = draw(w6, left, counts, banker_drew)
        return (v1, v2, v3, v4, v5, v6), (h1, h2, h3, h4, h5, h6), play, player_drew, banker_drew, left, counts

    return deal


def numbers_of(kind: Any) -> tuple[Operation, Operation, Operation, Operation, Operation]:
    """The arithmetic of shoes held in whole numbers of one kind, of 16 bits or more.

    Numba makes every sum of small numbers a 64-bit one; each cast here lets LLVM make it small again.
    """

    @part
    def above(count: Any, mark: Any) -> Any:
        """1 if a count is above the mark."""
        return kind(1) if count > mark else kind(0)

    @part
    def minus(one: Any, other: Any) -> Any:
        return kind(one - other)

    @part
    def plus(one: Any, other: Any) -> Any:
        return kind(one + other)

    @part
    def totals(_: Any, player: Any, banker: Any) -> Any:
        """The totals of two-card hands."""
        return kind(player - TEN) if player > 9 else player, kind(banker - TEN) if banker > 9 else banker

    @part
    def banker_due(hands: Any, player_drew: Any, third: Any) -> Any:
        """Whether the Banker draws."""
        player, banker = hands
        return banker_draws(player, banker, third if player_drew else kind(STOOD))

    return above, minus, plus, totals, banker_due


@part
def player_due(hands: Any) -> Any:
    """Whether the Player draws, by both totals."""
    player, banker = hands
    return player_draws(player, banker)


above, minus, plus, totals, banker_due = numbers_of(I32)
draw_card = part(draw_with(above, minus, plus))
full_counts = part(full_counts_with(plus))


@part
def draw(word: np.uint32, left: np.int32, counts: Any, due: Any) -> Any:
    """A card, if it is due: its value, its height, and what is left."""
    mark = I32(U64(word) * U64(left) >> U64(32))
    value, height, counts = draw_card(mark if due else NO_MARK, counts)
    return value, height, I32(left - I32(1)) if due else left, counts


deal = part(round_with(draw, plus, totals, player_due, banker_due, True))


@part
def begin_shoe(hashed: np.uint64, number: int, dealing: Parameters) -> Any:
    """A shoe with its first cards burnt, and the height of the one turned up; a burn takes whole rounds of words."""
    decks, burn, _, _, casino = dealing
    state, left = stream_of(hashed, number), I32(CARDS_IN_A_DECK * decks)
    counts = full_counts(I32(0), I32(A_RANK * decks))
    burnt, words, turned_up = I32(burn), I32(0), I32(NOT_DRAWN)
    while words < burnt or words % DRAWS != 0:
        word, state = step(*state)
        value, height, left, counts = draw(word, left, counts, words < burnt)
        if casino and words == 0:
            turned_up = height
            burnt = I32(1 + (value if value else TEN))
        words = I32(words + 1)
    return state, counts, left, turned_up


@part
def deal_round(state: State, counts: Any, left: np.int32) -> Any:
    """A round: the heights of its six cards, `NOT_DRAWN` where there is none, and what is left."""
    words, state = six_words(state)
    _, heights, _, player_drew, banker_drew, left, counts = deal(0, words, left, counts)
    h1, h2, h3, h4, h5, h6 = heights
    none = I32(NOT_DRAWN)
    return (h1, h2, h3, h4, h5 if player_drew else none, h6 if banker_drew else none), state, counts, left


@part
def deals_another(dealing: Parameters, done: int, left: Any, was_last: Any) -> Any:
    """Whether a shoe has another round."""
    _, _, least, most, casino = dealing
    return done < most and (left >= least or (casino and not was_last))


@part
def see(unseen: NDArray[np.uint8], height: Any) -> None:
    """Take a card out of those that are unseen by rank."""
    if height >= 0:
        unseen[rank_of(height) - 1] -= U8(1)


@part
def count_rounds(hashed: np.uint64, number: int, dealing: Parameters) -> int:
    """The rounds of a shoe."""
    state, counts, left, _ = begin_shoe(hashed, number, dealing)
    done, was_last = 0, False
    while deals_another(dealing, done, left, was_last):
        was_last = left < dealing[2]
        _, state, counts, left = deal_round(state, counts, left)
        done += 1
    return done


@part
def deal_shoe(
    hashed: np.uint64,
    number: int,
    dealing: Parameters,
    held: NDArray[np.uint8],
    at: int,
    unseen: NDArray[np.uint8],
    lefts: NDArray[np.int16],
    cards: NDArray[np.int8],
) -> int:
    """Deal a shoe and write its rounds from a place on; the place after the last one.

    Of each round are written the unseen cards by rank and the cards left in the shoe before it, and the heights of
    its six cards. Burnt cards are unseen. `held` is room for thirteen counts.
    """
    state, counts, left, turned_up = begin_shoe(hashed, number, dealing)
    for rank in range(RANKS):
        held[rank] = U8(A_RANK * dealing[0])
    see(held, turned_up)
    done, was_last = 0, False
    while deals_another(dealing, done, left, was_last):
        was_last = left < dealing[2]
        lefts[at] = left
        for rank in range(RANKS):
            unseen[at, rank] = held[rank]
        heights, state, counts, left = deal_round(state, counts, left)
        h1, h2, h3, h4, h5, h6 = heights
        cards[at, 0], cards[at, 1], cards[at, 2] = I8(h1), I8(h2), I8(h3)
        cards[at, 3], cards[at, 4], cards[at, 5] = I8(h4), I8(h5), I8(h6)
        see(held, h1)
        see(held, h2)
        see(held, h3)
        see(held, h4)
        see(held, h5)
        see(held, h6)
        at += 1
        done += 1
    return at


@kernel
def deal_shoes(
    hashed: np.uint64,
    first: int,
    dealing: Parameters,
    ends: NDArray[np.int64],
    unseen: NDArray[np.uint8],
    lefts: NDArray[np.int16],
    cards: NDArray[np.int8],
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Deal shoes one after the other, and write where the rounds of each end."""
    held = np.empty(RANKS, np.uint8)
    at = 0
    for shoe in range(len(ends)):
        at = deal_shoe(hashed, first + shoe, dealing, held, at, unseen, lefts, cards)
        ends[shoe] = at


@kernel
def draw_shoes(
    hashed: np.uint64,
    first: int,
    decks: int,
    heights: NDArray[np.int8],
    sources: int = SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Draw shoes to their last card, a word for each, and write the heights of the cards: a row for each shoe."""
    for shoe in range(heights.shape[0]):
        state, left = stream_of(hashed, first + shoe), I32(CARDS_IN_A_DECK * decks)
        counts = full_counts(I32(0), I32(A_RANK * decks))
        for card in range(heights.shape[1]):
            word, state = step(*state)
            _, height, left, counts = draw(word, left, counts, True)
            heights[shoe, card] = height
