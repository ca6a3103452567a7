"""An append-only, hash-chained store of commands and events on SQLite or PostgreSQL, as bytes without a meaning.

All SQL of Punto is in this room: chains, checkpoints, secrets, kept books (`books`), records, leases (`leases`), and
notifications between processes (`notify`, `listen`).
"""

from punto.extras import needs

with needs("journal"):
    from punto.journal.chain import FORM, START, Broken, Entry, StoredEvent, first_broken, hash_of, next_entry
    from punto.journal.errors import JournalError, Unavailable, Unfit
    from punto.journal.provisos import Proviso
    from punto.journal.signing import Checkpoint, new_key, public_key, sign, signed
    from punto.journal.store import HOUSE, Append, Appended, Conflict, Head, Journal, Outdated, Repeated

__all__ = [
    "FORM",
    "HOUSE",
    "START",
    "Append",
    "Appended",
    "Broken",
    "Checkpoint",
    "Conflict",
    "Entry",
    "Head",
    "Journal",
    "JournalError",
    "Outdated",
    "Proviso",
    "Repeated",
    "StoredEvent",
    "Unavailable",
    "Unfit",
    "first_broken",
    "hash_of",
    "new_key",
    "next_entry",
    "public_key",
    "sign",
    "signed",
]
