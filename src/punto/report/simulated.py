"""A book's exact figures held against shoes that were dealt, for its certificate."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from punto.coup import SITUATIONS, situation
from punto.odds import bet_odds, full_shoe, net_vector, outcomes_beside, situation_counts
from punto.report.confirmation import Confirmation, Goodness, SimulatedBet
from punto.report.groups import layout_groups
from punto.report.seeds import own_seed
from punto.rulebook import Book, Menu, Priced
from punto.simulation import Dealing, Tally, goodness, simulate
from punto.simulation.dealing import on_layout
from punto.simulation.dealt_bets import not_dealt

SHOES, LEVEL = 1_000_000, 0.999
_MOST_CARDS = 6
_STAGES = {"four-cards": "Insurance after four cards", "third-card": "Insurance after the Player's third card"}


def confirm(
    book: Book, layout: str | None = None, decks: int = 8, *, seed: int | None = None, shoes: int = SHOES
) -> Confirmation:
    """Deal shoes, as many rounds from each as it surely has, and compare with the exact figures.

    The seed is the book's own if none is given. With a fixed number of rounds a shoe every round is as good as the
    first from a full shoe.

    >>> from punto.rulebook import load
    >>> found = confirm(load("wu-song"), "C", shoes=2000)
    >>> found.rounds, [test.what for test in found.tests]
    (138000, ['Outcomes'])
    """
    seed = own_seed(book) if seed is None else seed
    shoe = full_shoe(decks)
    groups = layout_groups(book, layout)
    without = {_key(priced): why for group in groups for priced, why in _left_out(group.menu)}
    names: dict[object, str] = {}
    nets: dict[str, list[Fraction]] = {}
    cards: dict[str, Priced] = {}
    for group in groups:
        for priced in group.menu.bets.values():
            if _key(priced) in without:
                continue
            name = names.setdefault(_key(priced), str(len(names)))
            if priced.plain:
                nets[name] = net_vector(priced)
            else:
                cards[name] = priced
    printed = book.cards.printed
    dealing = Dealing(decks=decks, rounds=sum(shoe) // _MOST_CARDS, printed=on_layout(printed))
    tally = simulate(dealing, seed=seed, shoes=shoes, nets=nets, cards=cards)
    tests = _judged("Outcomes", tally.outcomes, outcomes_beside(printed, shoe))
    if book.insurance is not None:
        tests += _insurance(tally, decks)
    bets = {}
    for group in groups:
        exact = bet_odds(group.menu, shoe)
        bets[group.name] = tuple(
            _bet(tally, names[_key(priced)], priced.bet.name, float(exact[bet].edge))
            for bet, priced in group.menu.bets.items()
            if _key(priced) not in without
            and tally.placed.get(names[_key(priced)], (1, 1))[0]  # a late bet that never could be placed has no figure
        )
    return Confirmation(
        seed, tally.dealt, tally.rounds, tally.digest, tuple(tests), LEVEL, bets, tuple(without.values())
    )


def _left_out(carried: Menu) -> Iterator[tuple[Priced, str]]:
    """The bets of a layout that are not dealt, and why."""
    for name, why in not_dealt(carried.bets).items():
        yield carried.bets[name], why


def _key(priced: Priced) -> object:
    """Bets of two layouts with the same rows are one bet."""
    return priced.bet.id, priced.rows


def _judged(what: str, counted: NDArray[np.int64], weights: NDArray[np.int64]) -> list[Goodness]:
    """The test of some counts; none where there are too few of them."""
    found = goodness(counted, weights)
    return [] if found is None else [Goodness(what, found.statistic, found.degrees, found.p_value)]


def _insurance(tally: Tally, decks: int) -> list[Goodness]:
    """Situation by winner, where a card is due, for either stage."""
    exact = situation_counts(full_shoe(decks))
    tests: list[Goodness] = []
    for stage, what in _STAGES.items():
        due = [at for at in range(SITUATIONS) if situation(at).stage == stage and exact[at].any()]
        tests += _judged(what, tally.situations[due].reshape(-1), exact[due].reshape(-1))
    return tests


def _bet(tally: Tally, key: str, name: str, exact: float) -> SimulatedBet:
    edge = tally.edge(key, LEVEL)
    return SimulatedBet(name, exact, edge.value, edge.low, edge.high)
