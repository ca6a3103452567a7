"""Exact odds: counts of deals, edges of bets, prices of insurance. This room knows nothing of simulation."""

from punto.extras import needs
from punto.kinds import guard

with needs("maths"):
    from punto.odds.beside_printed import outcomes_beside
    from punto.odds.bets import (
        BetFigures,
        BetOdds,
        LooksAtCards,
        RowOdds,
        bet_odds,
        covariance,
        deals_apart,
        net_vector,
    )
    from punto.odds.cards_seen import CardsSeenPlay, CellInPart, best_play_by_cards
    from punto.odds.composition import (
        BadComposition,
        Composition,
        by_rank,
        deals,
        full_shoe,
        outcome_counts,
        situation_counts,
        without,
    )
    from punto.odds.first_four import odds_after_four
    from punto.odds.insurance import CellFigures, CellOdds, InsurancePlay, best_play, insurance_odds, offer_odds

__all__ = [
    "BadComposition",
    "BetFigures",
    "BetOdds",
    "CardsSeenPlay",
    "CellFigures",
    "CellInPart",
    "CellOdds",
    "Composition",
    "InsurancePlay",
    "LooksAtCards",
    "RowOdds",
    "best_play",
    "best_play_by_cards",
    "bet_odds",
    "by_rank",
    "covariance",
    "deals",
    "deals_apart",
    "full_shoe",
    "insurance_odds",
    "net_vector",
    "odds_after_four",
    "offer_odds",
    "outcome_counts",
    "outcomes_beside",
    "situation_counts",
    "without",
]

guard(globals())
