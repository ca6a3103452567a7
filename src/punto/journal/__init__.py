"""An append-only, hash-chained store of bytes on SQLite or PostgreSQL. It does not know what the bytes mean."""

from punto.extras import needs

with needs("journal"):
    from punto.journal.chain import START, Broken, Entry, first_broken, hash_of, linked
    from punto.journal.signing import Checkpoint, new_key, public_key, sign, signed
    from punto.journal.store import HOUSE, Append, Appended, Conflict, Journal, JournalError, Repeated

__all__ = [
    "HOUSE",
    "START",
    "Append",
    "Appended",
    "Broken",
    "Checkpoint",
    "Conflict",
    "Entry",
    "Journal",
    "JournalError",
    "Repeated",
    "first_broken",
    "hash_of",
    "linked",
    "new_key",
    "public_key",
    "sign",
    "signed",
]
