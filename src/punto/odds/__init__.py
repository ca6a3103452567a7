"""Exact odds: counts of deals, edges of bets, prices of insurance. This room knows nothing of simulation."""

from punto.extras import needs

with needs("maths"):
    from punto.odds.bets import BetOdds, RowOdds, bet_odds, covariance, net_vector
    from punto.odds.insurance import CellOdds, InsurancePlay, best_play, insurance_odds, offer_odds
    from punto.odds.shoe import (
        BadShoe,
        Composition,
        deals,
        full_shoe,
        outcome_counts,
        situation_counts,
        without,
    )

__all__ = [
    "BadShoe",
    "BetOdds",
    "CellOdds",
    "Composition",
    "InsurancePlay",
    "RowOdds",
    "best_play",
    "bet_odds",
    "covariance",
    "deals",
    "full_shoe",
    "insurance_odds",
    "net_vector",
    "offer_odds",
    "outcome_counts",
    "situation_counts",
    "without",
]
