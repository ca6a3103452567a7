"""The trainer: random situations made from a book, and what the engine says of them.

A drill follows from its book, layout and seed alone, so nothing is kept between the question and the answer.
"""

from punto.service.training.common import LIMITS
from punto.service.training.irregularities import (
    NOBODY,
    irregularity,
    irregularity_answer,
    irregularity_drill,
    mark_irregularity,
)
from punto.service.training.payouts import mark_payout, payout, payout_answer, payout_drill

DRILLS = [payout_drill, payout_answer, irregularity_drill, irregularity_answer]

__all__ = ["DRILLS", "LIMITS", "NOBODY", "irregularity", "mark_irregularity", "mark_payout", "payout"]
