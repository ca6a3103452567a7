"""The CPU's rounds: the shoes of `punto.simulation`, with what is unseen before each round, and what is noted of it."""

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import STOOD, play
from punto.exposure import looking
from punto.exposure.compiled import kernel, part
from punto.exposure.nets import Ints
from punto.exposure.procedure import Procedure
from punto.simulation import drawing, generator, lanes
from punto.simulation.compiled import digest
from punto.simulation.drawing import rank_of
from punto.simulation.generator import hash_of
from punto.simulation.lanes import banker_draws, draw, full_counts, mark_of, player_draws, points, step, stream_of

DRAWS = 6
"""A round takes so many words from its shoe's stream, whether or not all its cards are drawn."""

I16, U16, U32 = np.int16, np.uint16, np.uint32

RANK_AT = np.array([rank_of(height) - 1 for height in range(13)], dtype=np.int64)
"""By the height of a drawn card: the place of its rank in a composition."""

VALUE_AT = np.array([rank_of(height) if rank_of(height) < 10 else 0 for height in range(13)], dtype=np.int64)


class Rounds(msgspec.Struct, frozen=True):
    """All rounds of some shoes, one after the other.

    `ends` tells for each shoe where its rounds end. For each round: the unseen cards by rank before it (burnt cards
    are unseen), the cards left in the shoe, and the heights of its six cards, -1 where none was drawn.
    """

    first: int
    ends: Ints
    unseen: NDArray[np.uint8]
    left: NDArray[np.int64]
    cards: NDArray[np.int8]


@part
def next_card(state: Any, left: Any, counts: Any) -> Any:
    """One card from a shoe: its value, its height, and what is behind it."""
    word, state = step(*state)
    value, height, counts = draw(mark_of(U16(word >> U32(16)), U16(word), I16(left)), counts)
    return value, height, state, counts


@part
def add(array: Any, at: Any, number: Any) -> None:
    """Add to a place of an array."""
    array[at] += number


grained = part(looking.grains)
look = part(looking.look_with(add, grained))
window = part(looking.window_with(add, grained, part(looking.endings_with(player_draws, banker_draws))))


def _kernels(made_of: str) -> Any:
    @kernel
    def deal_shoes(
        hashed: np.uint64,
        first: int,
        decks: int,
        burn: int,
        least: int,
        most: int,
        casino: bool,
        rank_at: Ints,
        ends: Ints,
        unseen: NDArray[np.uint8],
        left: Ints,
        cards: NDArray[np.int8],
    ) -> None:
        """Deal shoes one by one, and write every round with what was unseen before it."""
        made_of  # noqa: B018  # closed over, so that the kernel is made again when its parts change
        held, values = np.empty(13, np.int64), np.empty(DRAWS, np.int16)
        at = 0
        for shoe in range(len(ends)):
            state, counts, here = stream_of(hashed, first + shoe), full_counts(decks), 52 * decks
            held[:] = 4 * decks
            burnt, words = burn, 0
            while words < burnt or words % DRAWS:
                if words < burnt:
                    value, height, state, counts = next_card(state, here, counts)
                    here -= 1
                    if casino and words == 0:
                        held[rank_at[height]] -= 1
                        burnt = 1 + (value if value else 10)
                else:
                    _, state = step(*state)
                words += 1
            done, last = 0, False
            while done < most and not last and (here >= least or casino):
                last = casino and here < least
                left[at] = here
                for rank in range(13):
                    unseen[at, rank] = held[rank]
                for card in range(DRAWS):
                    player, banker = points(values[0], values[2]), points(values[1], values[3])
                    drawn = player_draws(player, banker)
                    cards[at, card] = -1
                    if card < 4 or (
                        drawn if card == 4 else banker_draws(player, banker, values[4] if drawn else I16(STOOD))
                    ):
                        value, height, state, counts = next_card(state, here, counts)
                        values[card], cards[at, card] = value, height
                        held[rank_at[height]] -= 1
                        here -= 1
                    else:
                        _, state = step(*state)
                at += 1
                done += 1
            ends[shoe] = at

    @kernel
    def look_at_all(
        ends: Ints,
        blocks: Ints,
        unseen: NDArray[np.uint8],
        left: Ints,
        nets: Ints,
        start: np.int64,
        plays: Any,
        sums: Any,
    ) -> None:
        """Note all rounds, each in the block of its shoe."""
        made_of  # noqa: B018
        at = 0
        for shoe in range(len(ends)):
            while at < ends[shoe]:
                look(unseen[at], left[at], nets[at], start, blocks[shoe], plays, sums)
                at += 1

    @kernel
    def look_at_windows(
        ends: Ints,
        blocks: Ints,
        unseen: NDArray[np.uint8],
        cards: NDArray[np.int8],
        value_at: Ints,
        cells: Ints,
        odds: Ints,
        offers: Ints,
    ) -> None:
        """Note the insurance windows of all rounds."""
        made_of  # noqa: B018
        at, left = 0, np.empty(10, np.int64)
        for shoe in range(len(ends)):
            while at < ends[shoe]:
                window(unseen[at], cards[at], value_at, left, blocks[shoe], cells, odds, offers)
                at += 1

    return deal_shoes, look_at_all, look_at_windows


_FILES = (__file__, looking.__file__, play.__file__, generator.__file__, drawing.__file__, lanes.__file__)
deal_shoes, look_at_all, look_at_windows = _kernels(digest(*_FILES))


def deal_rounds(dealing: Procedure, seed: int, first: int, shoes: int) -> Rounds:
    """Deal shoes by their numbers: by the plain procedure the same that `punto.simulation` deals.

    >>> found = deal_rounds(Procedure(), 1, 0, 2)
    >>> [VALUE_AT[height].item() for height in found.cards[1]], int(found.left[1])
    ([4, 2, 0, 8, 5, 7], 412)
    """
    most = dealing.most_rounds * shoes
    ends = np.zeros(shoes, dtype=np.int64)
    unseen, left = np.zeros((most, 13), dtype=np.uint8), np.zeros(most, dtype=np.int64)
    cards = np.zeros((most, DRAWS), dtype=np.int8)
    how = (dealing.decks, dealing.drawn_first, dealing.least, dealing.most_rounds, dealing.casino)
    deal_shoes(hash_of(seed), first, *how, RANK_AT, ends, unseen, left, cards)
    number = int(ends[-1]) if shoes else 0
    return Rounds(first, ends, unseen[:number], left[:number], cards[:number])
