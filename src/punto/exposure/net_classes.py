"""Bets as the kernels of this room take them: nets by class of final coups, and by pairs.

A bet whose net is a part for points and cards plus a part for pairs is *plain*; all bets of the five books are. Its
expectation needs no joint count of points and pairs. Other bets are counted by `punto.odds`, composition by
composition.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, OUTCOMES, outcome, reachable_outcomes
from punto.exposure.card_nets import CardNets, card_nets
from punto.exposure.errors import BadExposure
from punto.kernels.exact import CELLS, cell_of, deals_of
from punto.odds import net_vector
from punto.rulebook import Menu, Priced
from punto.simulation import Bets, bets

Ints = NDArray[np.int64]

PAIRS = 5
MOST = 1 << 63


class Nets(msgspec.Struct, frozen=True):
    """Some bets, ready for kernels.

    `by_class` has a row for each bet: the parts of a unit that it nets in each class of final coups; `classes` tells
    the class of each cell, and `by_pairs` what pairs add. `plain` marks bets that these describe. Behind these bets
    stand those that look at `cards`.
    """

    bets: Bets
    plain: NDArray[np.bool_]
    classes: Ints
    by_class: Ints
    by_pairs: Ints
    cards: CardNets | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The bets."""
        return self.bets.names if self.cards is None else self.bets.names + self.cards.names

    @property
    def units(self) -> Ints:
        """The parts into which each bet's unit is divided."""
        more = () if self.cards is None else self.cards.units
        return np.array(self.bets.units + more, dtype=np.int64)

    @property
    def by_suit(self) -> bool:
        """Whether a bet looks at suits."""
        return self.cards is not None and self.cards.by_suit

    @property
    def digest(self) -> str:
        """The digest of all bets."""
        return self.bets.digest + ("" if self.cards is None else self.cards.digest)

    def at(self, bet: str) -> int:
        """The place of a bet.

        >>> from punto.rulebook import load, menu
        >>> nets_of(menu(load("wu-song"))).at("dragon")
        Traceback (most recent call last):
        punto.exposure.errors.BadExposure: There is no bet 'dragon' here; there are player, banker, tie, tiger-tie, \
big-tiger, small-tiger, player-pair, banker-pair, wu-dalang, wu-song.
        """
        if bet not in self.names:
            raise BadExposure(f"There is no bet {bet!r} here; there are {', '.join(self.names)}.")
        return self.names.index(bet)


def nets_of(menu: Menu) -> Nets:
    """The bets of a layout, ready for kernels.

    >>> from punto.rulebook import load, menu
    >>> found = nets_of(menu(load("wu-song")))
    >>> len(found.names), bool(found.plain.all()), found.by_class.shape[1] < 30
    (10, True, True)
    """
    return nets_of_bets(menu.laid_before.bets)


def nets_of_bets(bets_by_name: Mapping[str, Priced]) -> Nets:
    """Some bets, ready for kernels: first those that an outcome decides, then those that look at cards.

    Beside a printed card all bets are counted like those that look at cards.
    """
    return _nets_of(tuple(bets_by_name.items()))


@lru_cache(maxsize=64)
def _nets_of(bets_by_name: tuple[tuple[str, Priced], ...]) -> Nets:
    """The same, computed once for a layout: a live table asks before every round."""
    by_outcome = {name: priced for name, priced in bets_by_name if priced.plain and priced.printed is None}
    plain = nets({name: net_vector(priced) for name, priced in by_outcome.items()})
    cards = card_nets({name: priced for name, priced in bets_by_name if name not in by_outcome})
    return msgspec.structs.replace(plain, cards=cards)


def nets(vectors: Mapping[str, Sequence[Fraction | int]]) -> Nets:
    """Bets by name, given as what one unit nets for each of the 2,000 outcomes."""
    read = bets(vectors)
    rows = np.asarray(read.nets)
    values, by_pairs = np.zeros((len(rows), CELLS), dtype=np.int64), np.zeros((len(rows), PAIRS), dtype=np.int64)
    cells, pairs = _cells()
    reachable = np.array(sorted(reachable_outcomes()))
    alone = reachable[pairs[reachable] == 0]
    values[:, cells[alone]] = rows[:, alone]
    more = rows[:, reachable] - values[:, cells[reachable]]
    plain = np.ones(len(rows), dtype=bool)
    for state in range(1, PAIRS):
        found = more[:, pairs[reachable] == state]
        by_pairs[:, state] = found[:, 0] if len(rows) else 0
        plain &= (found == found[:, :1]).all(axis=1)
    used = np.unique(cells[reachable])
    columns, where = np.unique(values[:, used], axis=1, return_inverse=True)
    classes = np.full(CELLS, -1, dtype=np.int64)
    classes[used] = where.reshape(-1)
    return Nets(read, plain, classes, np.ascontiguousarray(columns), by_pairs)


def _cells() -> tuple[Ints, Ints]:
    """For each outcome its cell and its pairs."""
    cells, pairs = np.zeros(OUTCOMES, dtype=np.int64), np.zeros(OUTCOMES, dtype=np.int64)
    for index in range(OUTCOMES):
        seen = outcome(index)
        drew = (seen.player_cards - 2) + 2 * (seen.banker_cards - 2)
        cells[index], pairs[index] = cell_of(drew, seen.player_points, seen.banker_points), index % PAIRS
    return cells, pairs


def check_size(named: Nets, decks: int) -> None:
    """Refuse what would not fit 64 bits: a net in parts of a unit, times all deals from the full shoe.

    >>> check_size(nets({"moon": [5000] * 2000}), 8)
    Traceback (most recent call last):
    punto.exposure.errors.BadExposure: The bet moon nets up to 5000 parts of its unit: times all deals from 8 decks \
that is more than 64 bits hold. At most 6 decks can be looked at.
    """
    by_name = {name: int(abs(row).max()) for name, row in zip(named.bets.names, named.bets.nets, strict=True)}
    if named.cards is not None:
        by_name |= dict(zip(named.cards.names, named.cards.most, strict=True))
    for name, most in by_name.items():
        if most * deals_of(CARDS_IN_A_DECK * decks) >= MOST:
            few = max((each for each in range(1, decks) if most * deals_of(CARDS_IN_A_DECK * each) < MOST), default=0)
            raise BadExposure(
                f"The bet {name} nets up to {most} parts of its unit: times all deals from {decks} decks that is more "
                f"than 64 bits hold. At most {few} decks can be looked at."
            )
