"""Pay tables for bets that have none yet: whole odds that come closest to a wanted edge."""

from punto.extras import needs
from punto.kinds import guard

with needs("maths"):
    from punto.design.bet import Design, OpenBook, designs, wanted_odds
    from punto.design.search import BadDesign, pay_tables

__all__ = ["BadDesign", "Design", "OpenBook", "designs", "pay_tables", "wanted_odds"]

guard(globals())
