"""The trainer: random situations made from a book, and what the engine says of them.

A drill follows from its book, layout and seed alone, so nothing is kept between the question and the answer.
"""

from punto.service.training.common import LIMITS
from punto.service.training.irregularities import NOBODY, irregularity, mark_irregularity
from punto.service.training.payouts import mark_payout, payout

__all__ = ["LIMITS", "NOBODY", "irregularity", "mark_irregularity", "mark_payout", "payout"]
