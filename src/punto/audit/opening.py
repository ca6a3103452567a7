"""Opening a journal, and its books: what its tables were opened by is kept beside their chains.

A table names its book by the digest of the file. A later release may ship another file for the same book; what was
decided by the earlier one is read, gone on with and verified by the earlier one.
"""

from pathlib import Path

from punto.audit.reading import BadAudit
from punto.journal import Journal
from punto.rulebook import BadBook, ids, load, parse, source
from punto.table.books import remember

_KIND = "book"


def open_journal(url: str) -> Journal:
    """A journal that is there already, with the books that it keeps: looking into one makes none."""
    journal = Journal(url)
    file = journal.url.database
    if journal.sqlite and (not file or not Path(file).is_file()):
        raise BadAudit(f"There is no journal at {url}.")
    _know_books(journal)
    return journal


def keep_books(journal: Journal) -> None:
    """Keep the books that ship, where they are not kept yet; and know those that were kept before."""
    kept = _know_books(journal)
    for book in ids():
        if load(book).digest not in kept:
            journal.add_record(_KIND, load(book).digest, source(book).decode())


def _know_books(journal: Journal) -> set[str]:
    """Know every book that this journal keeps, by its digest."""
    kept = journal.records(_KIND)
    shipped = {load(book).digest for book in ids()}
    for digest, text in kept.items():
        if digest not in shipped:
            _know(digest, text)
    return set(kept)


def _know(digest: str, text: str) -> None:
    try:
        book = parse(text.encode(), f"the book {digest[:12]}")
    except BadBook as error:
        raise BadAudit(f"The journal keeps a book that this release cannot read: {error}") from None
    if book.digest != digest:
        raise BadAudit(f"The journal keeps a book as {digest[:12]}… that is another.")
    remember(book)
