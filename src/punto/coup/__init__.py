"""Cards, the Table of Play, and what a finished coup is. This room knows nothing of bets."""

from punto.coup.cards import (
    CARDS_IN_A_DECK,
    MOST_DECKS,
    RANKS,
    SUITS,
    BadCards,
    Card,
    card,
    cards,
    check_decks,
    show,
)
from punto.coup.chances import possible, result_fixed
from punto.coup.coup import Coup, deal, deal_from, headline
from punto.coup.outcome import (
    NATURALS,
    PAIRS,
    STAGES,
    Outcome,
    Situation,
    insurable_situations,
    outcome,
    reachable_outcomes,
    situation,
)
from punto.coup.play import (
    OUTCOMES,
    SITUATIONS,
    STOOD,
    banker_draws,
    natural,
    outcome_index,
    player_draws,
    situation_index,
)
from punto.kinds import guard, takes_text

__all__ = [
    "CARDS_IN_A_DECK",
    "MOST_DECKS",
    "NATURALS",
    "OUTCOMES",
    "PAIRS",
    "RANKS",
    "SITUATIONS",
    "STAGES",
    "STOOD",
    "SUITS",
    "BadCards",
    "Card",
    "Coup",
    "Outcome",
    "Situation",
    "banker_draws",
    "card",
    "cards",
    "check_decks",
    "deal",
    "deal_from",
    "headline",
    "insurable_situations",
    "natural",
    "outcome",
    "outcome_index",
    "player_draws",
    "possible",
    "reachable_outcomes",
    "result_fixed",
    "show",
    "situation",
    "situation_index",
]

takes_text(Coup, deal)
guard(globals())
