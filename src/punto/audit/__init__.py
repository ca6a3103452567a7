"""Replays: a journal decided and added up again, a history settled again, a shoe held against its commitment."""

from punto.extras import needs

with needs("journal"):
    from punto.audit.histories import Exported, export, history_of, limits_of, settle_again
    from punto.audit.opening import keep_books, kept_books, open_journal
    from punto.audit.positions import Positions
    from punto.audit.reading import BadAudit, events_of
    from punto.audit.shoes import ShoeFound, context, verify_shoe
    from punto.audit.verifying import Verified, Wrong, verify, verify_table

__all__ = [
    "BadAudit",
    "Exported",
    "Positions",
    "ShoeFound",
    "Verified",
    "Wrong",
    "context",
    "events_of",
    "export",
    "history_of",
    "keep_books",
    "kept_books",
    "limits_of",
    "open_journal",
    "settle_again",
    "verify",
    "verify_shoe",
    "verify_table",
]
