"""Monte Carlo: shoes dealt by number on CPU, GPU or a cluster. It knows bets only as vectors over outcomes."""

from punto.extras import needs
from punto.kinds import guard

with needs("maths"):
    from punto.simulation.backends import Backend, Ready
    from punto.simulation.dealing import BadDealing, Dealing, OnLayout, on_layout
    from punto.simulation.dealt_bets import not_dealt
    from punto.simulation.run import Job, job, prepared, simulate
    from punto.simulation.shoe_ranges import BadTally
    from punto.simulation.single_shoes import (
        Bankroll,
        ShoeStatistics,
        by_shoe,
        deal_cards,
        deal_outcomes,
        deal_shoe,
        draw_shoes,
    )
    from punto.simulation.statistics import Estimate, Judged, chi_square_tail, goodness
    from punto.simulation.tally import BetSums, Tally, load
    from punto.simulation.unit_nets import Bets, bets

__all__ = [
    "Backend",
    "BadDealing",
    "BadTally",
    "Bankroll",
    "BetSums",
    "Bets",
    "Dealing",
    "Estimate",
    "Job",
    "Judged",
    "OnLayout",
    "Ready",
    "ShoeStatistics",
    "Tally",
    "bets",
    "by_shoe",
    "chi_square_tail",
    "deal_cards",
    "deal_outcomes",
    "deal_shoe",
    "draw_shoes",
    "goodness",
    "job",
    "load",
    "not_dealt",
    "on_layout",
    "prepared",
    "simulate",
]

guard(globals())
