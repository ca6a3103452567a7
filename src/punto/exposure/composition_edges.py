"""Exact edges of every bet from any composition of the shoe, by the thousand, and for a live table's next round."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from punto.coup import CARDS_IN_A_DECK, MOST_DECKS, SUITS, Card
from punto.exposure.in_runs import left_out
from punto.exposure.net_classes import Ints, Nets, nets_of
from punto.exposure.net_sums import net_sums, ranks_of
from punto.kernels.deal import RANKS
from punto.kernels.exact import deals_of
from punto.odds import BadComposition, bet_odds, deals, full_shoe, without
from punto.odds.composition import THIRTEEN_COUNTS, TOO_FEW, TOO_MANY
from punto.rulebook import Menu

LEAST = 6
"""The cards that a coup may need."""


def edges(menu: Menu, compositions: ArrayLike) -> NDArray[np.float64]:
    """The player's edge of every bet of a layout, for every composition: thirteen counts by rank, ace to king.

    Where a bet looks at suits, compositions are fifty-two counts, by rank and suit. A row for each composition, a
    column for each bet in the order of the menu. The edge is minus the house edge. Only two divisions round it: what
    is divided are exact whole numbers.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> tiger = menu(load("wu-song"))
    >>> found = edges(tiger, [full_shoe(8), (31, 31, 28, 28, 28, 20, 30, 31, 31, 32, 32, 32, 32)])
    >>> at = list(tiger.bets).index("big-tiger")
    >>> [f"{edge:+.4%}" for edge in found[:, at]]
    ['-15.2533%', '-22.9041%']
    """
    shoes = checked(compositions)
    one_by_one = _one_by_one(menu, shoes)
    named = nets_of(menu.of({name: each for name, each in menu.bets.items() if name not in one_by_one.bets}))
    by_bet = dict(zip(named.names, edges_of(named, net_sums(named, shoes), shoes).T, strict=True))
    for name, exact in _counted_one_by_one(one_by_one, shoes).items():
        by_bet[name] = np.array([float(edge) for edge in exact])
    for bet in menu.late:
        named.at(bet)  # refuses it
    return np.stack([by_bet[bet] for bet in menu.bets], axis=1)


def next_round(menu: Menu, exposed: Iterable[Card] = (), decks: int = 8) -> dict[str, Fraction]:
    """The player's exact edge of every bet for the next round of a live table, from the cards exposed so far.

    For a pit console: it takes a fraction of a millisecond. What was exposed is counted from the shuffle on.

    >>> from punto.coup import cards
    >>> from punto.rulebook import load, menu
    >>> found = next_round(menu(load("commission-insurance")), cards("5h 5c 5d 5s 6h 6c"))
    >>> f"{float(found['player']):+.4%}", f"{float(found['banker']):+.4%}"
    ('-1.1787%', '-1.1138%')
    """
    return exact_edges(menu, without(full_shoe(decks, by_suit=menu.by_suit), exposed))


def checked(compositions: ArrayLike) -> NDArray[np.uint8]:
    """Compositions as kernels take them.

    >>> checked([[1] * 12])
    Traceback (most recent call last):
    punto.odds.composition.BadComposition: A composition is thirteen counts, ace to king, none of them negative.
    """
    found = np.atleast_2d(np.asarray(compositions))
    by_suit = found.ndim == 2 and found.shape[1] == CARDS_IN_A_DECK
    shaped = by_suit or (found.ndim == 2 and found.shape[1] == RANKS)
    if not shaped or found.dtype.kind not in "iu" or (found.size and found.min() < 0):
        raise BadComposition(THIRTEEN_COUNTS)
    if found.size and found.max() > (MOST_DECKS if by_suit else 4 * MOST_DECKS):
        raise BadComposition(TOO_MANY)
    few = int(found.sum(axis=1).min()) if found.size else LEAST
    if few < LEAST:
        raise BadComposition(TOO_FEW.say(cards=few))
    return np.ascontiguousarray(found.astype(np.uint8))


def edges_of(named: Nets, sums: Ints, compositions: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Edges as floats: the net over all deals, divided by their number and by the parts of a unit."""
    sizes = compositions.sum(axis=1, dtype=np.int64)
    found: NDArray[np.float64] = sums / deals_of(sizes)[:, None] / named.units
    return found


def removal(menu: Menu, decks: int = 8) -> dict[str, tuple[Fraction, ...]]:
    """Effects of removal: by how much the player's edge of each bet changes when one card of a rank is taken out.

    From a full shoe, ace to king, exact; where a bet looks at suits, the mean over the four cards of the rank.

    >>> from punto.rulebook import load, menu
    >>> found = removal(menu(load("dragon-tiger-mbs")))["big-tiger"]
    >>> [f"{float(effect):+.2%}" for effect in found[:10]]
    ['-0.01%', '-0.07%', '-0.33%', '-0.24%', '-0.22%', '-0.40%', '+0.36%', '+0.51%', '+0.43%', '-0.01%']
    """
    full = full_shoe(decks, by_suit=menu.by_suit)
    whole = exact_edges(menu, full)
    found: dict[str, list[Fraction]] = {name: [] for name in whole}
    suits: tuple[str | None, ...] = tuple(SUITS) if menu.by_suit else (None,)
    for rank in range(1, RANKS + 1):
        without_one = [exact_edges(menu, without(full, [Card(rank, suit)])) for suit in suits]
        for name in whole:
            found[name].append(sum((each[name] for each in without_one), Fraction(0)) / len(suits) - whole[name])
    return {name: tuple(effects) for name, effects in found.items()}


def exact_edges(menu: Menu, shoe: Sequence[int]) -> dict[str, Fraction]:
    """The player's edge of every bet from one composition, as fractions.

    >>> from punto.rulebook import load, menu
    >>> f"{float(exact_edges(menu(load('dragon-tiger-mbs')), full_shoe(8))['banker']):.4%}"
    '-1.0579%'
    """
    one_by_one = _one_by_one(menu, checked([tuple(shoe)]))
    quick = menu.of({name: each for name, each in menu.bets.items() if name not in one_by_one.bets})
    slow = _counted_one_by_one(one_by_one, [shoe])
    return exact_edges_of(nets_of(quick), shoe) | {name: edge for name, [edge] in slow.items()}


def _one_by_one(menu: Menu, shoes: NDArray[np.uint8]) -> Menu:
    """The bets laid before the first card that kernels cannot count from these shoes, and `punto.odds` can."""
    decks = -(-int(ranks_of(shoes).max(initial=1)) // len(SUITS))
    return menu.laid_before.of({name: menu[name] for name in left_out(menu.laid_before, decks)})


def _counted_one_by_one(menu: Menu, shoes: Iterable[Sequence[int]]) -> dict[str, list[Fraction]]:
    """The player's edges of bets from shoes, counted shoe by shoe."""
    found: dict[str, list[Fraction]] = {name: [] for name in menu.bets}
    for shoe in shoes if menu.bets else ():
        for name, each in bet_odds(menu, tuple(int(cards) for cards in shoe)).items():
            found[name].append(-each.edge)
    return found


def exact_edges_of(named: Nets, shoe: Sequence[int]) -> dict[str, Fraction]:
    """The same for bets that were made ready."""
    found = net_sums(named, checked([tuple(shoe)]))[0]
    total = deals(shoe)
    return {
        name: Fraction(int(net), unit * total)
        for name, net, unit in zip(named.names, found, named.units.tolist(), strict=True)
    }
