"""Readings of a book's own, and the figures that it expects of its bets."""

from punto.coup import MOST_DECKS
from punto.messages import say
from punto.rulebook.clauses import readings
from punto.rulebook.document import TomlTable
from punto.rulebook.figures import ExpectedFigures, Figure
from punto.rulebook.model import Layout
from punto.rulebook.vocabulary import EXPECTED


def read_readings(section: TomlTable) -> dict[str, str]:
    """Readings of the book's own, by names that no reading of ours has."""
    found = {name: section.text(name) for name in section.data}
    for name in found:
        if name in readings():
            section.fault(name, say("reading-of-ours", "is the name of a reading that comes with Punto."))
    return found


def read_expected(section: TomlTable, layouts: dict[str, Layout]) -> ExpectedFigures:
    """Figures that a bet is expected to have."""
    figures = []
    for name in EXPECTED:
        if name in section:
            try:
                figures.append((name, Figure.of(section.text(name))))
            except ValueError as error:
                section.fault(name, say("not-a-figure", "{fault}", fault=str(error)))
    if not figures and not section.data.keys() & set(EXPECTED):
        section.fault(None, say("no-figure-expected", "names no figure: {names:or}.", names=list(EXPECTED)))
    expected = ExpectedFigures(
        section.name("bet", section.document.bets),
        (section.word("layout", tuple(layouts), required=False) if layouts else section.maybe("layout")) or None,
        int(min(section.among("decks", range(1, MOST_DECKS + 1)), default=1)),
        tuple(figures),
        section.maybe("source"),
    )
    section.done()
    return expected
