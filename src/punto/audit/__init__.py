"""Replays: a journal decided and added up again, a history settled again, a shoe held against its commitment."""

from punto.extras import needs
from punto.kinds import guard

with needs("journal"):
    from punto.audit.amounts import AmountsAtTheCall
    from punto.audit.books import keep_books, kept_book, kept_books, open_journal
    from punto.audit.card_positions import CardPositions
    from punto.audit.commitments import PlayedShoes, ShoeFound, context, seal_key_name, seed_name, verify_shoe
    from punto.audit.entries import BadAudit, events_of
    from punto.audit.histories import Exported, export, history_of
    from punto.audit.verification import Verified, Wrong, verify, verify_table
    from punto.settlement.recorded import limits_of, settle_again

__all__ = [
    "AmountsAtTheCall",
    "BadAudit",
    "CardPositions",
    "Exported",
    "PlayedShoes",
    "ShoeFound",
    "Verified",
    "Wrong",
    "context",
    "events_of",
    "export",
    "history_of",
    "keep_books",
    "kept_book",
    "kept_books",
    "limits_of",
    "open_journal",
    "seal_key_name",
    "seed_name",
    "settle_again",
    "verify",
    "verify_shoe",
    "verify_table",
]

guard(globals())
