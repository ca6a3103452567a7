"""Money, and what each wager and cover wins, loses or gets back. This room knows nothing of tables."""

from punto.amounts import BadAmount, money, show_money
from punto.settlement.chips import (
    ROUNDED,
    Chips,
    check_chips,
    check_cover,
    check_minimums,
    check_stake,
    chips_of,
    payable,
    rounding_of,
)
from punto.settlement.cover import Struck, cover_room, insured, most_cover, offer, strike
from punto.settlement.explain import draw_steps, explain, show_steps
from punto.settlement.limits import playing, pro_rata
from punto.settlement.lines import Cover, Limits, Line, Wager, total
from punto.settlement.settle import came_back, cover_line, settle, wager_line

__all__ = [
    "ROUNDED",
    "BadAmount",
    "Chips",
    "Cover",
    "Limits",
    "Line",
    "Struck",
    "Wager",
    "came_back",
    "check_chips",
    "check_cover",
    "check_minimums",
    "check_stake",
    "chips_of",
    "cover_line",
    "cover_room",
    "draw_steps",
    "explain",
    "insured",
    "money",
    "most_cover",
    "offer",
    "payable",
    "playing",
    "pro_rata",
    "rounding_of",
    "settle",
    "show_money",
    "show_steps",
    "strike",
    "total",
    "wager_line",
]
