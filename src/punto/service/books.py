"""Books that requests name, books of the house's own, and books as the keys of caches."""

from dataclasses import dataclass, field
from pathlib import Path

from punto.messages import say
from punto.rulebook import (
    SHIPPED,
    BadBook,
    BadFolder,
    BadIndex,
    Book,
    Library,
    games,
    index_for,
    parse,
    source,
    texts_in,
    whole,
)
from punto.service.errors import Unknown
from punto.service.settings import BadSettings, Settings


@dataclass(frozen=True)
class Edition:
    """An edition of a book as the key of a cache: two are the same if their digests are.

    >>> found = Edition.of(SHIPPED.book("wu-song"))
    >>> found == Edition.of(SHIPPED.book("wu-song")), found.book.id
    (True, 'wu-song')
    """

    digest: str
    book: Book = field(compare=False, repr=False)

    @classmethod
    def of(cls, book: Book) -> "Edition":
        """The edition that a book is."""
        return cls(book.digest, book)


def in_use(library: Library, book: str) -> Book:
    """The edition of a book that tables are opened by today; `Unknown` if there is none with this id.

    >>> in_use(SHIPPED, "wu-song").id
    'wu-song'
    """
    if book not in library.ids():
        raise Unknown(say("unknown-book", "There is no book {book:quoted}.", book=book))
    return library.book(book)


def own_library(settings: Settings) -> Library:
    """The books that ship and those of the house's own; with the setting, the public games."""
    library = SHIPPED
    for file, text in own_texts(settings).items():
        library = library.with_book(parse(text, file))
    return library


def own_texts(settings: Settings) -> dict[str, bytes]:
    """The texts of public games and of the house's own books, by files; `BadSettings` where the folder is of no use."""
    public = {f"{game}.toml": whole(source(game), game) for game in games()} if settings.games else {}
    if settings.books is None:
        return public
    try:
        found = texts_in(Path(settings.books))
        for file, text in found.items():
            index_for(parse(text, file).id, file)
    except (BadBook, BadFolder, BadIndex) as error:
        raise BadSettings(str(error)) from None
    return public | found
