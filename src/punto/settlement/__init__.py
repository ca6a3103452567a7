"""Money, and what each wager and cover wins, loses or gets back. This room knows nothing of tables."""

from punto.amounts import BadAmount, money, show_money
from punto.kinds import guard
from punto.settlement.chips import (
    ROUNDED,
    ROUNDING,
    Chips,
    check_chips,
    check_cover,
    check_maximums,
    check_minimums,
    check_posted,
    check_stake,
    chips_at,
    chips_of,
    payable,
    rounding_of,
)
from punto.settlement.companions import check_companions, company, in_window, lying_together, room_beside
from punto.settlement.cover import Struck, cover_room, insured, most_cover, offer, strike
from punto.settlement.explain import draw_steps, explain, show_steps
from punto.settlement.limits import playing, pro_rata
from punto.settlement.lines import Cover, Limits, Line, Lines, Wager, total
from punto.settlement.payout_cap import Owner, capped, is_capped, payout_scope
from punto.settlement.posted import check_enforced, enforced
from punto.settlement.settle import came_back, cover_line, settle, wager_line

__all__ = [
    "ROUNDED",
    "ROUNDING",
    "BadAmount",
    "Chips",
    "Cover",
    "Limits",
    "Line",
    "Lines",
    "Owner",
    "Struck",
    "Wager",
    "came_back",
    "capped",
    "check_chips",
    "check_companions",
    "check_cover",
    "check_enforced",
    "check_maximums",
    "check_minimums",
    "check_posted",
    "check_stake",
    "chips_at",
    "chips_of",
    "company",
    "cover_line",
    "cover_room",
    "draw_steps",
    "enforced",
    "explain",
    "in_window",
    "insured",
    "is_capped",
    "lying_together",
    "money",
    "most_cover",
    "offer",
    "payable",
    "payout_scope",
    "playing",
    "pro_rata",
    "room_beside",
    "rounding_of",
    "settle",
    "show_money",
    "show_steps",
    "strike",
    "total",
    "wager_line",
]

guard(globals())
