"""Certificates and plots. This room knows nothing of how odds are computed."""

from punto.extras import needs

with needs("certify"):
    from punto.report.bets import usual_decks
    from punto.report.certificate import certificate
    from punto.report.confirmation import Confirmation, Goodness, SimulatedBet
    from punto.report.document import BadReport, Document, Issue
    from punto.report.exposed import Exposed, expose_book, exposure_section
    from punto.report.groups import Group, layout_groups
    from punto.report.html import html
    from punto.report.payouts import Posted
    from punto.report.pdf import pages, pdf
    from punto.report.plots import plot_exposure, plot_measures, plot_odds
    from punto.report.simulated import confirm
    from punto.report.software import Software, software
    from punto.report.writing import check_suffix, write_certificate

__all__ = [
    "BadReport",
    "Confirmation",
    "Document",
    "Exposed",
    "Goodness",
    "Group",
    "Issue",
    "Posted",
    "SimulatedBet",
    "Software",
    "certificate",
    "check_suffix",
    "confirm",
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
