"""Kept books: the text of every rulebook that a table of this journal may have been opened by, under its digest."""

from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import insert, select

from punto.journal.errors import JournalError
from punto.journal.schema import books
from punto.journal.store import Journal

_EARLIER = "book"
"""The kind of record under which the first form of the schema kept them."""


def keep_books(journal: Journal, texts: Iterable[bytes]) -> None:
    """Keep these books, where they are not kept yet."""
    digests = {sha256(text).hexdigest(): text for text in texts}
    with journal.transaction() as connection:
        journal.lock(connection, "books")
        kept = set(connection.execute(select(books.c.digest)).scalars())
        new = [{"digest": digest, "text": text} for digest, text in digests.items() if digest not in kept]
        if new:
            connection.execute(insert(books), new)


def kept_books(journal: Journal) -> dict[str, bytes]:
    """Every book that this journal keeps, by digest."""
    if journal.first_schema:
        found = {digest: text.encode() for digest, text in journal.records(_EARLIER).items()}
    else:
        with journal.transaction(reading=True) as connection:
            found = {row.digest: row.text for row in connection.execute(select(books.c.digest, books.c.text))}
    return {digest: _checked(digest, text) for digest, text in found.items()}


def kept_book(journal: Journal, digest: str) -> bytes | None:
    """The text of the book with this digest; None if it is not kept."""
    if journal.first_schema:
        return kept_books(journal).get(digest)
    with journal.transaction(reading=True) as connection:
        text = connection.execute(select(books.c.text).where(books.c.digest == digest)).scalar()
    return None if text is None else _checked(digest, text)


def _checked(digest: str, text: bytes) -> bytes:
    if sha256(text).hexdigest() != digest:
        raise JournalError(f"The journal keeps a book as {digest[:12]}… that is another.")
    return bytes(text)
