"""How a table of any book is opened where nobody says how: by what the book itself allows."""

from datetime import datetime

from punto.rulebook import Book, menu
from punto.rulebook.vocabulary import DEALER, HOUSE
from punto.settlement import Limits, payable
from punto.table import commands as c


def usual_opening(book: Book, at: datetime, decks: int, limits: Limits) -> c.OpenTable:
    """A table on the book's first layout, with its notice acknowledged, near these decks and limits.

    It is opened when the book takes effect, where that is later. A limit that the book does not enforce is not posted.

    >>> from datetime import UTC
    >>> from punto.rulebook import load
    >>> usual_opening(load("wu-song"), datetime(2025, 3, 1, tzinfo=UTC), 12, Limits(minimum=10_00)).decks
    10
    """
    carried = menu(book)
    return c.OpenTable(
        book.id,
        max(at, book.effective).isoformat(),
        book.decks.nearest(decks),
        layout=carried.layout.id,
        limits=payable(carried, limits),
        acknowledged=carried.layout.notice is not None,
    )


def methods(book: Book) -> tuple[str, ...]:
    """The methods of dealing that a book has, if it has any.

    >>> from punto.rulebook import load
    >>> methods(load("dragon-tiger-mbs")), methods(load("wu-song"))
    (('A', 'B', 'C'), ())
    """
    point = book.point("dealing", "methods")
    return () if point is None else tuple(map(str, point.values))


def chooser(book: Book, method: str | None) -> str:
    """The rank that may choose a method of dealing.

    >>> from punto.rulebook import load
    >>> chooser(load("dragon-tiger-mbs"), "C"), chooser(load("wu-song"), None)
    ('assistant-casino-manager', 'dealer')
    """
    point = book.point("dealing", "method-c" if method == "C" else "method-choice")
    return DEALER if point is None or point.by in (None, HOUSE) else str(point.by)
