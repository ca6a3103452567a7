"""What a card counter could win: exact edges round by round, perfect play, linear counts, and what protects a table."""

from punto.extras import needs
from punto.kinds import guard

with needs("maths"):
    from punto.exposure.composition_edges import edges, exact_edges, next_round, removal
    from punto.exposure.errors import BadExposure
    from punto.exposure.in_runs import in_runs, left_out
    from punto.exposure.linear_counts import LinearCount, count
    from punto.exposure.measures import Measure, countermeasures
    from punto.exposure.net_classes import Nets, nets, nets_of, nets_of_bets
    from punto.exposure.offers import Offers, offers_of
    from punto.exposure.procedure import DealingProcedure
    from punto.exposure.run import expose, prepared
    from punto.exposure.tags import TagSystem, best_count, correlation, tag_systems
    from punto.exposure.tally import Exposure, Worth
    from punto.exposure.tally_file import load_exposure
    from punto.exposure.tasks import Task, task

__all__ = [
    "BadExposure",
    "DealingProcedure",
    "Exposure",
    "LinearCount",
    "Measure",
    "Nets",
    "Offers",
    "TagSystem",
    "Task",
    "Worth",
    "best_count",
    "correlation",
    "count",
    "countermeasures",
    "edges",
    "exact_edges",
    "expose",
    "in_runs",
    "left_out",
    "load_exposure",
    "nets",
    "nets_of",
    "nets_of_bets",
    "next_round",
    "offers_of",
    "prepared",
    "removal",
    "tag_systems",
    "task",
]

guard(globals())
