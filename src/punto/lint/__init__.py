"""What is wrong or remarkable in a rulebook. This room knows nothing of play."""

from punto.lint.completeness import (
    check_authority,
    check_facts,
    check_readings,
    check_references,
    check_verified,
    references,
)
from punto.lint.findings import Finding
from punto.lint.pays import PrintCheck, check_insurance, check_layouts, check_prints, check_rows, outcomes
from punto.lint.prices import check_prices
from punto.rulebook import Book


def lint(book: Book) -> list[Finding]:
    """Everything the linter has to say of a book.

    >>> from punto.rulebook import load
    >>> [found.says for found in lint(load("wu-song"))]
    []
    >>> [found.kind for found in lint(load("dragon-tiger-mbs"))]
    ['print', 'print']
    """
    checks = (
        check_rows,
        check_insurance,
        check_layouts,
        check_facts,
        check_authority,
        check_references,
        check_readings,
        check_verified,
        check_prices,
    )
    return [found for check in checks for found in check(book)]


__all__ = ["Finding", "PrintCheck", "check_prints", "lint", "outcomes", "references"]
