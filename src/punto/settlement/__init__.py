"""Money, and what each wager and cover wins, loses or gets back. This room knows nothing of tables."""

from punto.amounts import BadAmount, money, show_money
from punto.settlement.cover import Struck, insured, most_cover, offer, strike
from punto.settlement.explain import draw_steps, explain, show_steps
from punto.settlement.limits import playing, pro_rata
from punto.settlement.lines import Cover, Limits, Line, Wager, total
from punto.settlement.settle import settle

__all__ = [
    "BadAmount",
    "Cover",
    "Limits",
    "Line",
    "Struck",
    "Wager",
    "draw_steps",
    "explain",
    "insured",
    "money",
    "most_cover",
    "offer",
    "playing",
    "pro_rata",
    "settle",
    "show_money",
    "show_steps",
    "strike",
    "total",
]
