"""Whether the store takes what it is given: a commit of nothing, which reaches the disk as any other does."""

from sqlalchemy import text

from punto.journal.errors import Unavailable
from punto.journal.store import Journal

_KIND = "probe"
_WRITE = text("SELECT current_setting('transaction_read_only'), pg_logical_emit_message(true, 'punto', '')")
"""Something in PostgreSQL's log that is in no table; the commit waits for it like for any other."""


def probe(journal: Journal, at: str) -> None:
    """Commit; a `JournalError` says why that cannot be."""
    if journal.sqlite:
        journal.put_record(_KIND, "", at)
        return
    with journal.transaction() as connection:
        read_only, _ = connection.execute(_WRITE).one()
    if read_only == "on":
        raise Unavailable("The store did not answer: the database is read-only.")
