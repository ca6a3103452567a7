"""What a card counter could win: exact edges round by round, perfect play, linear counts, and what protects a table."""

from punto.extras import needs

with needs("maths"):
    from punto.exposure.counts import Count, count
    from punto.exposure.cover import Cover, cover_of
    from punto.exposure.edges import edges, exact_edges, next_round, removal
    from punto.exposure.measures import Measure, countermeasures
    from punto.exposure.nets import BadExposure, Nets, nets, nets_of
    from punto.exposure.procedure import Procedure
    from punto.exposure.run import Task, expose, prepared, task
    from punto.exposure.tags import TagSystem, best_count, correlation, tag_systems
    from punto.exposure.tally import Exposure, Worth
    from punto.exposure.tally import load as load_exposure

__all__ = [
    "BadExposure",
    "Count",
    "Cover",
    "Exposure",
    "Measure",
    "Nets",
    "Procedure",
    "TagSystem",
    "Task",
    "Worth",
    "best_count",
    "correlation",
    "count",
    "countermeasures",
    "cover_of",
    "edges",
    "exact_edges",
    "expose",
    "load_exposure",
    "nets",
    "nets_of",
    "next_round",
    "prepared",
    "removal",
    "tag_systems",
    "task",
]
