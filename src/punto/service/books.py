"""Books by the id that a request names: today's edition of those that ship."""

from punto.rulebook import Book, ids, load
from punto.service.errors import Unknown


def shipped(book: str) -> Book:
    """A book that ships; `Unknown` if there is none with this id.

    >>> shipped("wu-song").id
    'wu-song'
    """
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    return load(book)
