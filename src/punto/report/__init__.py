"""Certificates and plots. This room knows nothing of how odds are computed."""

from typing import TYPE_CHECKING

from punto.extras import needs
from punto.kinds import guard, opened

if TYPE_CHECKING:
    from punto.report.plots import plot_exposure, plot_measures, plot_odds

with needs("certify"):
    from punto.report.bets import usual_decks
    from punto.report.certificate import ExactSections, certificate, exact_sections
    from punto.report.confirmation import Confirmation, Goodness, SimulatedBet
    from punto.report.document import BadReport, Document, Issue
    from punto.report.exposed import Exposed, expose_book, exposure_section
    from punto.report.groups import Group, layout_groups
    from punto.report.html import html
    from punto.report.payouts import Posted, check_posted
    from punto.report.pdf import pages, pdf
    from punto.report.simulated import confirm
    from punto.report.software import Software, software
    from punto.report.writing import check_suffix, write_certificate

__all__ = [
    "BadReport",
    "Confirmation",
    "Document",
    "ExactSections",
    "Exposed",
    "Goodness",
    "Group",
    "Issue",
    "Posted",
    "SimulatedBet",
    "Software",
    "certificate",
    "check_posted",
    "check_suffix",
    "confirm",
    "exact_sections",
    "expose_book",
    "exposure_section",
    "html",
    "layout_groups",
    "pages",
    "pdf",
    "plot_exposure",
    "plot_measures",
    "plot_odds",
    "software",
    "usual_decks",
    "write_certificate",
]

_PLOTS = ("plot_exposure", "plot_measures", "plot_odds")


def __getattr__(name: str) -> object:
    """Load the plots when one is first used: certificates have figures of their own, and need not wait for them."""
    if name not in _PLOTS:
        raise AttributeError(f"module 'punto.report' has no attribute {name!r}")
    from punto.report import plots

    return opened(getattr(plots, name))


guard(globals())
