"""What is wrong or remarkable in a rulebook. This room knows nothing of play."""

from collections.abc import Iterator

from punto.extras import MissingExtra
from punto.kinds import guard
from punto.lint.completeness import (
    check_authority,
    check_facts,
    check_policies,
    check_readings,
    check_references,
    check_verified,
    missing_clauses,
)
from punto.lint.findings import Finding, found
from punto.lint.languages import check_languages
from punto.lint.menus import check_menu
from punto.lint.pays import PrintCheck, check_insurance, check_layouts, check_prints, check_rows, outcomes
from punto.messages import say
from punto.rulebook import Book
from punto.rulebook.references import references


def lint(book: Book) -> list[Finding]:
    """Everything the linter has to say of a book.

    >>> from punto.rulebook import load
    >>> [found.kind for found in lint(load("dragon-tiger-mbs"))]
    ['print', 'print', 'rounding']
    """
    checks = (
        check_rows,
        check_insurance,
        check_layouts,
        check_menu,
        check_languages,
        check_facts,
        check_authority,
        check_policies,
        check_references,
        check_readings,
        check_verified,
        check_edges,
    )
    return [found for check in checks for found in check(book)]


def check_edges(book: Book) -> Iterator[Finding]:
    """What only odds can tell, or a finding that it was not looked at where their extra is not installed."""
    try:
        from punto.lint.counted_rows import check_counted_rows
        from punto.lint.expected import check_expected
        from punto.lint.prices import check_prices  # not before it is needed: odds take a second to load
    except MissingExtra as missing:
        says = say("edges-not-looked-at", "their edges were not looked at. {missing}", missing=str(missing))
        yield found(book, "finding", "no-odds", ("pays",), "pays and insurance", says)
        return
    yield from check_counted_rows(book)
    yield from check_prices(book)
    yield from check_expected(book)


__all__ = ["Finding", "PrintCheck", "check_prints", "lint", "missing_clauses", "outcomes", "references"]

guard(globals())
