"""The seeds of a book's own runs: no two books are confirmed by the same shoes."""

from punto.rulebook import Book

_DIGITS = 8


def own_seed(book: Book) -> int:
    """The seed of a book's runs: the first eight digits of its SHA-256, so another text is dealt other shoes.

    >>> from punto.rulebook import load
    >>> book = load("wu-song")
    >>> f"{own_seed(book):08x}" == book.digest[:8]
    True
    """
    return int(book.digest[:_DIGITS], 16)
