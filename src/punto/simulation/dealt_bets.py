"""Which bets a simulation can deal, and why it leaves out others: these are left out by name, with a sentence."""

from collections.abc import Mapping
from functools import lru_cache
from math import lcm

from punto.odds.bets import net_of
from punto.rulebook import Priced
from punto.simulation.card_bets import bet_alone
from punto.simulation.dealing import BadDealing
from punto.simulation.unit_nets import MOST_NET


def not_dealt(bets: Mapping[str, Priced]) -> dict[str, str]:
    """The bets that no simulation deals, each with a sentence why.

    >>> from punto.rulebook import load, menu
    >>> not_dealt(menu(load("wu-song")).bets)
    {}
    """
    whys = {name: _why(priced) for name, priced in bets.items()}
    return {name: f"{title(name, bets[name])} is left out of the run: {why}." for name, why in whys.items() if why}


def title(name: str, priced: Priced) -> str:
    """A bet's name; with its first layout where layouts pay it differently."""
    return priced.bet.name + name.removeprefix(priced.bet.id) if name.startswith(priced.bet.id) else priced.bet.name


def most_parts(priced: Priced) -> int:
    """The most that a bet nets or loses, in the whole parts into which its odds divide a unit."""
    nets = [net_of(row) for row in priced.rows]
    unit = lcm(*(net.denominator for net in nets))
    return max([unit, *(abs(int(net * unit)) for net in nets)])


@lru_cache(maxsize=1024)
def _why(priced: Priced) -> str | None:
    most = most_parts(priced)
    if most > MOST_NET:
        return f"it nets up to {most} parts of its unit, more than the {MOST_NET} that a run adds up in 64 bits"
    if priced.plain and priced.window is None:
        return None
    try:
        bet_alone(priced)
    except BadDealing:
        return "it looks at too many things at once to be dealt"
    return None
