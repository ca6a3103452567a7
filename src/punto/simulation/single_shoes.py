"""What happens in single shoes: their cards, their rounds, and what a patron's bankroll does in them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, OUTCOMES, Card, outcome
from punto.kernels import deal
from punto.kernels.deal import DRAWS, RANKS
from punto.kernels.deal_faces import deal_faces
from punto.kernels.draw import rank_of
from punto.kernels.generator import hash_of
from punto.rulebook import Priced
from punto.simulation import cpu
from punto.simulation.card_bets import CardBets, card_bets
from punto.simulation.card_tests import FACES
from punto.simulation.cells import WINNERS, Counts, cells_of, outcome_cells
from punto.simulation.dealing import BadDealing, Dealing
from punto.simulation.run import job
from punto.simulation.unit_nets import bets

MOST_AT_ONCE = 100_000
"""All rounds of so many shoes can be held in memory."""

FACES_AT_ONCE = 4096
"""Shoes whose cards are held in memory at a time."""

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
NO_ROUND = -1


def deal_shoe(seed: int, number: int, dealing: Dealing | None = None) -> list[tuple[int, ...]]:
    """The rounds of one shoe: each the ranks of its cards, 1 to 13, in the order in which they were drawn.

    >>> deal_shoe(1, 0)[:3]
    [(6, 9, 11, 12), (4, 2, 13, 8, 5, 7), (8, 2, 12, 13)]
    """
    dealing = Dealing() if dealing is None else dealing
    if dealing.printed is not UNSET:
        return [tuple(card.rank for card in cards) for cards in deal_cards(seed, number, dealing)]
    job(dealing, seed=seed, shoes=1, first=number)
    ends, most = np.zeros(1, dtype=np.int64), dealing.most_rounds
    unseen, left = np.zeros((most, RANKS), dtype=np.uint8), np.zeros(most, dtype=np.int16)
    cards = np.zeros((most, DRAWS), dtype=np.int8)
    deal.deal_shoes(hash_of(seed), number, dealing.parameters, ends, unseen, left, cards)
    return [tuple(rank_of(int(height)) for height in dealt if height >= 0) for dealt in cards[: ends[0]]]


def deal_cards(seed: int, number: int, dealing: Dealing | None = None) -> list[tuple[Card, ...]]:
    """The rounds of one shoe with the suits of their cards, in the order in which they were drawn.

    >>> " ".join(map(str, deal_cards(1, 0)[0]))
    '6c 9s Js Qc'
    """
    dealing = Dealing() if dealing is None else dealing
    job(dealing, seed=seed, shoes=1, first=number)
    _, dealt = _faces(dealing, seed, number, 1)
    return [tuple(FACES[face] for face in faces if face >= 0) for faces in dealt.tolist()]


def draw_shoes(seed: int, first: int, shoes: int, decks: int = 8) -> NDArray[np.int8]:
    """All cards of some shoes, drawn one after the other: a row of ranks for each shoe.

    >>> draw_shoes(1, 0, shoes=2, decks=1).shape
    (2, 52)
    """
    dealing = Dealing(decks=decks)
    job(dealing, seed=seed, shoes=shoes, first=first)
    heights = np.empty((shoes, dealing.cards), dtype=np.int8)
    deal.draw_shoes(hash_of(seed), first, decks, heights)
    ranks = np.array([rank_of(height) for height in range(RANKS)], dtype=np.int8)
    return ranks[heights]


def deal_outcomes(dealing: Dealing, *, seed: int, shoes: int, first: int = 0) -> NDArray[np.int16]:
    """The outcome of every round: a row for each shoe, `NO_ROUND` after its last.

    >>> deal_outcomes(Dealing(rounds=10), seed=1, shoes=3).shape
    (3, 10)
    """
    job(dealing, seed=seed, shoes=shoes, first=first)
    if shoes > MOST_AT_ONCE:
        raise BadDealing(f"{shoes} shoes are too many to look at round by round: {MOST_AT_ONCE} are the most.")
    dealt = np.full((shoes, dealing.most_rounds), NO_ROUND, dtype=np.int16)
    if dealing.printed is not UNSET:
        for start, where, faces in _rounds(dealing, seed, first, shoes):
            dealt[start + where[0], where[1]] = outcome_cells()[cells_of(faces)]
        return dealt
    parameters, sure = dealing.parameters, dealing.sure_rounds
    cpu.deal_outcomes(hash_of(seed), first, shoes, parameters, sure, outcome_cells(), dealt)
    return dealt


class Bankroll(msgspec.Struct, frozen=True):
    """What a unit staked on a bet every round does to a bankroll that begins at nothing, over many shoes.

    `path` has a row for each quantile: the bankroll after each round, of the shoes that came so far; `final` is at
    the end of the shoe, `lowest` and `highest` the extremes on the way. All in units.
    """

    quantiles: tuple[float, ...]
    path: NDArray[np.float64]
    final: tuple[float, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]


class ShoeStatistics(msgspec.Struct, frozen=True):
    """Statistics by shoe.

    `rounds` counts shoes by their number of rounds. `streaks` counts, for Player and Banker, runs of wins by their
    length; a tie neither breaks nor lengthens one. `longest` counts shoes by the longest streak of either.
    """

    shoes: int
    rounds: dict[int, int]
    streaks: dict[str, dict[int, int]]
    longest: dict[int, int]
    bankrolls: dict[str, Bankroll]


def by_shoe(
    dealing: Dealing,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    nets: Mapping[str, Sequence[Fraction | int]] | None = None,
    cards: Mapping[str, Priced] | None = None,
    quantiles: Sequence[float] = QUANTILES,
) -> ShoeStatistics:
    """What happens within shoes: how long they are, how the winners run, what bankrolls do.

    >>> found = by_shoe(Dealing(rounds=60), seed=1, shoes=100, nets={"always": [1] * 2000})
    >>> found.rounds, found.bankrolls["always"].final[0]
    ({60: 100}, 60.0)
    """
    dealt = deal_outcomes(dealing, seed=seed, shoes=shoes, first=first)
    played = dealt >= 0
    streaks, longest = _streaks(dealt)
    named, looking = bets(nets or {}), card_bets(cards or {})
    won = {name: (row[dealt], unit) for name, row, unit in zip(named.names, named.nets, named.units, strict=True)}
    if looking is not None:
        joints = deal_joints(looking, dealing, seed=seed, shoes=shoes, first=first)
        for name, row, unit in zip(looking.names, looking.nets[: len(looking.names)], looking.units, strict=True):
            won[name] = np.append(row, 0)[joints].sum(axis=0), unit
    return ShoeStatistics(
        shoes,
        _counted(played.sum(axis=1)),
        streaks,
        longest,
        {name: _bankroll(net, played, unit, tuple(quantiles)) for name, (net, unit) in won.items()},
    )


def deal_joints(cards: CardBets, dealing: Dealing, *, seed: int, shoes: int, first: int = 0) -> Counts:
    """The joint of every round in each pass, and behind the last round of a shoe that of no round."""
    most = dealing.most_rounds
    dealt = np.full((len(cards.passes), shoes, most), cards.rows.shape[1], dtype=np.int64)
    for start, (shoe, place), faces in _rounds(dealing, seed, first, shoes):
        dealt[:, start + shoe, place] = cards.joints_of(faces)
    return dealt


def _rounds(
    dealing: Dealing, seed: int, first: int, shoes: int
) -> Iterator[tuple[int, tuple[Counts, Counts], NDArray[np.int8]]]:
    """Some shoes at a time: how many came before, of each round its shoe and its place in it, and its faces."""
    for start in range(0, shoes, FACES_AT_ONCE):
        ends, faces = _faces(dealing, seed, first + start, min(FACES_AT_ONCE, shoes - start))
        rounds = np.diff(ends, prepend=0)
        shoe = np.repeat(np.arange(len(ends)), rounds)
        yield start, (shoe, np.arange(len(faces)) - (ends - rounds)[shoe]), faces


def _faces(dealing: Dealing, seed: int, first: int, shoes: int) -> tuple[Counts, NDArray[np.int8]]:
    """Where the rounds of each shoe end, and the faces of every round."""
    most = dealing.most_rounds * shoes
    ends, left = np.zeros(shoes, dtype=np.int64), np.zeros(most, dtype=np.int16)
    unseen, faces = np.zeros((most, CARDS_IN_A_DECK), dtype=np.uint8), np.zeros((most, DRAWS), dtype=np.int8)
    deal_faces(hash_of(seed), first, dealing.parameters, dealing.on_layout, ends, unseen, left, faces)
    return ends, faces[: ends[-1]]


def _bankroll(nets: Counts, played: NDArray[np.bool_], unit: int, quantiles: tuple[float, ...]) -> Bankroll:
    path = np.cumsum(np.where(played, nets, 0), axis=1, dtype=np.int64).astype(np.float64) / unit
    length = int(played.sum(axis=1).max())

    def at(values: NDArray[np.float64]) -> tuple[float, ...]:
        return tuple(float(value) for value in np.quantile(values, quantiles))

    return Bankroll(
        quantiles,
        np.array([at(path[played[:, number], number]) for number in range(length)]).T,
        at(path[:, -1]),
        at(np.minimum(path.min(axis=1), 0)),
        at(np.maximum(path.max(axis=1), 0)),
    )


def _streaks(dealt: NDArray[np.int16]) -> tuple[dict[str, dict[int, int]], dict[int, int]]:
    """Runs of wins by length, and shoes by their longest."""
    winners = np.array([WINNERS.index(outcome(index).winner) for index in range(OUTCOMES)], dtype=np.int8)
    shoe, column = np.nonzero((dealt >= 0) & (winners[dealt] < WINNERS.index("tie")))
    winner = winners[dealt[shoe, column]]
    ends = np.flatnonzero(np.append((np.diff(shoe) != 0) | (np.diff(winner) != 0), len(shoe) > 0))
    lengths = np.diff(np.append(-1, ends))
    longest = np.zeros(len(dealt), dtype=np.int64)
    np.maximum.at(longest, shoe[ends], lengths)
    streaks = {name: _counted(lengths[winner[ends] == at]) for at, name in enumerate(WINNERS[:2])}
    return streaks, _counted(longest)


def _counted(numbers: NDArray[np.int64]) -> dict[int, int]:
    values, counts = np.unique(numbers, return_counts=True)
    return {int(value): int(count) for value, count in zip(values, counts, strict=True)}
