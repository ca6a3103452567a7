"""Which bets a run of shoes counts before every round, and why it leaves out the others.

A run computes the edge of every bet some eighty times a shoe, by kernels in 64 bits. A bet that these cannot take is
left out by name, with a sentence, and all others are counted as if it were not there. From single compositions
`punto.odds` counts it all the same.
"""

from collections.abc import Mapping
from functools import lru_cache

from punto.coup import CARDS_IN_A_DECK
from punto.exposure.card_nets import too_many_kinds
from punto.exposure.errors import BadExposure
from punto.exposure.net_classes import MOST, Nets, nets_of_bets
from punto.kernels.exact import deals_of
from punto.rulebook import Menu, Priced
from punto.simulation import BadDealing
from punto.simulation.card_bets import bet_alone
from punto.simulation.dealt_bets import most_parts, title
from punto.simulation.unit_nets import MOST_NET


def left_out(menu: Menu, decks: int = 8) -> dict[str, str]:
    """The bets of a layout that no run of shoes from so many decks counts, each with a sentence why.

    >>> from punto.rulebook import load, menu
    >>> left_out(menu(load("wu-song")))
    {}
    """
    whys = {name: _why(priced, decks) for name, priced in menu.bets.items()}
    return {name: f"{title(name, menu.bets[name])} is left out of the run: {why}." for name, why in whys.items() if why}


def in_runs(menu: Menu, decks: int = 8) -> Menu:
    """The bets of a layout that a run of shoes from so many decks counts.

    >>> from punto.rulebook import load, menu
    >>> len(in_runs(menu(load("wu-song"))).bets)
    10
    """
    without = left_out(menu, decks)
    return menu.of({name: priced for name, priced in menu.bets.items() if name not in without}) if without else menu


def check_counted(menu: Menu, bet: str, decks: int) -> None:
    """Refuse a bet that no run counts."""
    why = left_out(menu, decks).get(bet)
    if why is not None:
        raise BadExposure(why)


def counted_nets(menu: Menu, decks: int) -> Nets:
    """The bets of a layout that a run counts before every round, ready for kernels."""
    bets: Mapping[str, Priced] = in_runs(menu, decks).laid_before.bets
    return nets_of_bets(bets)


@lru_cache(maxsize=1024)
def _why(priced: Priced, decks: int) -> str | None:
    """What kernels cannot take of a bet; None if they can take it."""
    most, room = most_parts(priced), _room(decks)
    if most > room:
        return (
            f"it nets up to {most} parts of its unit, more than the {room} that such a shoe leaves room for in 64 bits"
        )
    if priced.plain and priced.printed is None:
        return None
    try:
        bet_alone(priced)
    except BadDealing:
        return "it looks at too many things at once to be dealt"
    kinds = None if priced.window is not None else too_many_kinds(priced)
    if kinds is not None:
        return f"it tells {kinds} kinds of cards apart in the whole coup, too many to go through before every round"
    return None


def _room(decks: int) -> int:
    """The most parts of a unit that can be added up over all deals."""
    by_deals: int = (MOST - 1) // deals_of(CARDS_IN_A_DECK * decks)
    return min(MOST_NET, by_deals)
