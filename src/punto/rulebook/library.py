"""The books that tables are opened and folded with: by id the edition in use, by digest every edition that shipped."""

from pathlib import Path

import msgspec

from punto.messages import say
from punto.rulebook.bookfile import BadBook
from punto.rulebook.loader import load, parse, whole
from punto.rulebook.model import Book
from punto.rulebook.refusal import Refused
from punto.rulebook.shipped import games, ids
from punto.rulebook.superseded import superseded


class Library(msgspec.Struct, frozen=True):
    """The books that ship with Punto, and those added to them. A library never changes: adding makes another.

    >>> SHIPPED.book("wu-song") is SHIPPED.book(load("wu-song").digest)
    True
    >>> SHIPPED.book("poker")
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: There is no book 'poker'; there are commission-insurance, da-hu-ying-xiong, \
dragon-tiger-hoiana, dragon-tiger-mbs, wu-song.
    """

    in_use: dict[str, Book] = {}
    """Books of one's own, by id. They go before shipped ones with the same id."""
    editions: dict[str, Book] = {}
    """The same books and earlier editions, by digest."""
    unreadable: dict[str, str] = {}
    """Editions that this release cannot read, by digest, and why: only whoever asks for one is told."""

    def with_book(self, book: Book) -> "Library":
        """A library with one more book, known by its id and its digest."""
        in_use = {**self.in_use, book.id: book}
        return msgspec.structs.replace(self, in_use=in_use, editions={**self.editions, book.digest: book})

    def with_edition(self, book: Book) -> "Library":
        """A library that also knows an earlier edition of a book, by its digest alone."""
        return msgspec.structs.replace(self, editions={**self.editions, book.digest: book})

    def with_unreadable(self, digest: str, why: str) -> "Library":
        """A library that knows of an edition which cannot be read."""
        return msgspec.structs.replace(self, unreadable={**self.unreadable, digest: why})

    def ids(self) -> tuple[str, ...]:
        """The ids of the books that tables can be opened by: those of one's own, and those that ship."""
        return tuple(sorted({*self.in_use, *ids()}))

    def ranks(self) -> frozenset[str]:
        """The ranks of all these books, earlier editions included."""
        books = (*map(load, ids()), *self.in_use.values(), *self.editions.values())
        return frozenset(rank for book in books for tier in book.ranks for rank in tier)

    def book(self, name: str) -> Book:
        """The book with this id or digest, or the public game; a refusal if the library has none."""
        found = self.editions.get(name) or self.in_use.get(name)
        if found is not None:
            return found
        for each in (*ids(), *games()):
            if name == each or load(each).digest == name:
                return load(each)
        if name in self.unreadable:
            raise _cannot_be_read(name, self.unreadable[name])
        if name in superseded():
            try:
                return load(name)
            except BadBook as error:
                raise _cannot_be_read(name, str(error)) from None
        raise Refused(
            say(
                "no-such-book",
                "There is no book {book:quoted}; there are {books:list}.",
                book=name,
                books=list(self.ids()),
            )
        )


def _cannot_be_read(digest: str, why: str) -> Refused:
    return Refused(
        say(
            "book-cannot-be-read",
            "This release cannot read the book {book}…: {why}",
            book=digest[:12],
            why=why,
        )
    )


SHIPPED = Library()
"""The books that come with Punto, and no others."""


class BadFolder(ValueError):
    """A folder of books that cannot be used. The message is a sentence."""


def texts_in(folder: Path) -> dict[str, bytes]:
    """The texts of the books in a folder, by their files `*.toml`; `BadBook` where one has a fault.

    A file with a base gives the text of the whole: a journal keeps it, and needs no base to read it again.
    """
    try:
        texts = {str(file): file.read_bytes() for file in sorted(folder.glob("*.toml"))}
    except OSError as error:
        raise BadFolder(f"The books in {folder} cannot be read: {error.strerror}.") from None
    if not texts:
        raise BadFolder(f"There is no book in {folder}: their names end in .toml.")
    found: dict[str, str] = {}
    for file, text in texts.items():
        book = parse(text, file).id
        if book in found:
            raise BadFolder(f"{found[book]} and {file} are both the book {book!r}: one of them needs another id.")
        found[book] = file
    return {file: whole(text, file) for file, text in texts.items()}
