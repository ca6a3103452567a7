"""Opening a journal, and its books: what its tables were opened by is kept beside their chains.

A table names its book by the digest of the file. A later release may ship another file for the same book; what was
decided by the earlier one is read, gone on with and verified by the earlier one.
"""

from pathlib import Path

from punto.audit.reading import BadAudit
from punto.journal import Journal
from punto.rulebook import SHIPPED, BadBook, Book, Library, ids, load, parse, source

_KIND = "book"


def open_journal(url: str) -> Journal:
    """A journal that is there already: looking into one makes none."""
    journal = Journal(url)
    file = journal.url.database
    if journal.sqlite and (not file or not Path(file).is_file()):
        raise BadAudit(f"There is no journal at {url}.")
    return journal


def keep_books(journal: Journal) -> Library:
    """Keep the books that ship, where they are not kept yet; gives all that the journal keeps."""
    kept = journal.records(_KIND)
    for book in ids():
        if load(book).digest not in kept:
            journal.add_record(_KIND, load(book).digest, source(book).decode())
    return kept_books(journal)


def kept_books(journal: Journal, library: Library = SHIPPED) -> Library:
    """A library with every edition that this journal keeps besides its own books."""
    shipped = {load(book).digest for book in ids()}
    for digest, text in journal.records(_KIND).items():
        if digest not in shipped:
            library = library.with_edition(_read(digest, text))
    return library


def _read(digest: str, text: str) -> Book:
    try:
        book = parse(text.encode(), f"the book {digest[:12]}")
    except BadBook as error:
        raise BadAudit(f"The journal keeps a book that this release cannot read: {error}") from None
    if book.digest != digest:
        raise BadAudit(f"The journal keeps a book as {digest[:12]}… that is another.")
    return book
