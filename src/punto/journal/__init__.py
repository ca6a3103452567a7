"""An append-only, hash-chained store of commands and events on SQLite or PostgreSQL, as bytes without a meaning.

All SQL of Punto is in this room: chains, checkpoints, secrets, kept books (`books`), records, leases (`leases`), and
notifications between processes (`notify`, `listen`).
"""

from punto.extras import needs
from punto.kinds import guard

with needs("journal"):
    from punto.journal.appends import (
        HOUSE,
        MONEY,
        OF_THE_HOUSE,
        WALLET,
        Append,
        Appended,
        Conflict,
        Fenced,
        Head,
        Outdated,
        RecordChange,
        Repeated,
    )
    from punto.journal.chain import (
        FORM,
        START,
        Broken,
        Entry,
        StoredEvent,
        events_of,
        first_broken,
        hash_of,
        next_entry,
    )
    from punto.journal.errors import JournalError, Unavailable, Unfit
    from punto.journal.provisos import Proviso
    from punto.journal.signing import Checkpoint, announce, announced, is_signature, new_key, public_key, sign, signed
    from punto.journal.store import Journal
    from punto.journal.wrapping import BadMasterKey, Locked, MasterKey, wrapped_by

__all__ = [
    "FORM",
    "HOUSE",
    "MONEY",
    "OF_THE_HOUSE",
    "START",
    "WALLET",
    "Append",
    "Appended",
    "BadMasterKey",
    "Broken",
    "Checkpoint",
    "Conflict",
    "Entry",
    "Fenced",
    "Head",
    "Journal",
    "JournalError",
    "Locked",
    "MasterKey",
    "Outdated",
    "Proviso",
    "RecordChange",
    "Repeated",
    "StoredEvent",
    "Unavailable",
    "Unfit",
    "announce",
    "announced",
    "events_of",
    "first_broken",
    "hash_of",
    "is_signature",
    "new_key",
    "next_entry",
    "public_key",
    "sign",
    "signed",
    "wrapped_by",
]

guard(globals())
