"""The books of a journal: what its tables were opened by is kept beside their chains, by digest.

A later release may ship another file for the same book. What was decided by the earlier one is read, gone on with and
verified by the earlier one.
"""

from punto.audit.entries import BadAudit
from punto.journal import Journal
from punto.journal import books as kept
from punto.rulebook import BadBook, Book, ids, load, parse, source
from punto.table.books import remember


def open_journal(url: str) -> Journal:
    """A journal that is there already, with the books that it keeps. Nothing in it is changed."""
    journal = Journal.existing(url)
    _know_books(journal)
    return journal


def keep_books(journal: Journal) -> None:
    """Keep the books that ship, where they are not kept yet; and know those that were kept before."""
    kept.keep_books(journal, (source(book) for book in ids()))
    _know_books(journal)


def kept_book(journal: Journal, digest: str) -> Book:
    """The very book that a table was opened by, from the text that the journal keeps of it."""
    text = kept.kept_book(journal, digest)
    if text is None:
        raise BadAudit(f"The journal keeps no book {digest[:12]}….")
    return _parsed(digest, text)


def _know_books(journal: Journal) -> None:
    """Make every kept book known to tables, but for those that ship as they are kept."""
    shipped = {load(book).digest for book in ids()}
    for digest, text in kept.kept_books(journal).items():
        if digest not in shipped:
            remember(_parsed(digest, text))


def _parsed(digest: str, text: bytes) -> Book:
    try:
        return parse(text, f"the book {digest[:12]}")
    except BadBook as error:
        raise BadAudit(f"The journal keeps a book that this release cannot read: {error}") from None
