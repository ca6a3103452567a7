"""The books of a journal: what its tables were opened by is kept beside their chains, by digest.

A later release may ship another file for the same book. What was decided by the earlier one is read, gone on with and
verified by the earlier one.
"""

from collections.abc import Mapping
from types import MappingProxyType

from punto.audit.entries import BadAudit
from punto.journal import Journal
from punto.journal import books as kept
from punto.rulebook import SHIPPED, BadBook, Book, Library, ids, load, parse, source
from punto.rulebook.loader import parse_kept


def open_journal(url: str) -> Journal:
    """A journal that is there already. Nothing in it is changed."""
    return Journal.existing(url)


def keep_books(journal: Journal, own: Mapping[str, bytes] = MappingProxyType({})) -> Library:
    """Keep the books that ship and the texts of others, by their files, where they are not kept yet.

    Gives all that the journal keeps; tables can be opened by those that ship and by the others.
    """
    kept.keep_books(journal, [*(source(book) for book in ids()), *own.values()])
    library = kept_books(journal)
    for file, text in own.items():
        library = library.with_book(parse(text, file))
    return library


def kept_book(journal: Journal, digest: str) -> Book:
    """The very book that a table was opened by, from the text that the journal keeps of it."""
    text = kept.kept_book(journal, digest)
    if text is None:
        raise BadAudit(f"The journal keeps no book {digest[:12]}….")
    try:
        return _parsed(digest, text)
    except BadBook as error:
        raise BadAudit(f"The journal keeps a book that this release cannot read: {error}") from None


def kept_books(journal: Journal, library: Library = SHIPPED) -> Library:
    """A library with every edition that this journal keeps besides its own books."""
    shipped = {load(book).digest for book in ids()}
    for digest, text in kept.kept_books(journal).items():
        if digest in shipped or digest in library.editions:
            continue
        try:
            library = library.with_edition(_parsed(digest, text))
        except BadBook as error:
            library = library.with_unreadable(digest, str(error))
    return library


def _parsed(digest: str, text: bytes) -> Book:
    return parse_kept(text, f"the book {digest[:12]}")
