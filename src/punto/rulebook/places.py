"""Where something of a book that was read stands in its file."""

from functools import lru_cache

from punto.rulebook.bases import BASE
from punto.rulebook.bookfile import show_path
from punto.rulebook.lines import Path, line_at, lines
from punto.rulebook.model import Book


@lru_cache(16)
def _lines(book: Book) -> dict[Path, int]:
    return lines(book.text)


def line_of(book: Book, path: Path) -> int:
    """The line of a key in the file of a book, or of the nearest key above it.

    >>> from punto.rulebook import load
    >>> line_of(load("wu-song"), ("decks", "max")), line_of(load("wu-song"), ("bets", "tie", "name"))
    (9, 101)
    """
    return line_at(_lines(book), _in_file(book, path))


def shown(book: Book, path: Path) -> str:
    """A key as it stands in the file of a book, or the nearest key above it.

    >>> from punto.rulebook import load
    >>> shown(load("wu-song"), ("cards", "total-to-nine", "clause", 0))
    'cards.total-to-nine'
    """
    return show_path(_in_file(book, path))


def _in_file(book: Book, path: Path) -> Path:
    """As much of a path as the file has, or its base, where it has nothing of it but perhaps the name of the section.

    Clauses may stand there without a table and a key of their own.
    """
    known = _lines(book)
    found: Path = ()
    for part in path:
        if (*found, part) in known:
            found = (*found, part)
        elif part != "clause":
            break
    if len(found) < min(len(path), 2) and (BASE,) in known:
        return (BASE,)
    return found
