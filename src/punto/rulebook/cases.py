"""Which cases a table of a book can come to: some values of guards come only where the book has something for them."""

from collections.abc import Mapping

from punto.rulebook.facts import GUARDS
from punto.rulebook.model import Book


def can_come(book: Book, case: Mapping[str, str]) -> bool:
    """Whether a table of a book can come to a case, given as guards with their values.

    A card counts as seen in moving the shoe only where a book has a row about that; elsewhere it is an exposed card:

    >>> from punto.rulebook import load
    >>> [can_come(load(f"dragon-tiger-{house}"), {"left-over": "moved"}) for house in ("mbs", "hoiana")]
    [True, False]
    """
    needed = (GUARDS[name].only_with.get(value) for name, value in case.items())
    return all(part is None or _has(book, part) for part in needed)


def _has(book: Book, part: str) -> bool:
    section, _, name = part.partition(" ")
    if section == "irregularity":
        return any(row.fact == name for row in book.irregularities)
    if section == "insurance":
        return book.insurance is not None and name in book.insurance.points
    return book.point(section, name) is not None
