"""Books that requests name, and books as the keys of caches."""

from dataclasses import dataclass, field

from punto.rulebook import Book, ids, load
from punto.service.errors import Unknown


@dataclass(frozen=True)
class Edition:
    """An edition of a book as the key of a cache: two are the same if their digests are.

    >>> Edition.of(load("wu-song")) == Edition.of(load("wu-song")), Edition.of(load("wu-song")).book.id
    (True, 'wu-song')
    """

    digest: str
    book: Book = field(compare=False, repr=False)

    @classmethod
    def of(cls, book: Book) -> "Edition":
        """The edition that a book is."""
        return cls(book.digest, book)


def shipped(book: str) -> Book:
    """Today's edition of a book that ships; `Unknown` if there is none with this id.

    >>> shipped("wu-song").id
    'wu-song'
    """
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    return load(book)
