"""Which limits a book enforces, among those that a table can post."""

from punto.rulebook.model import Book

POSTED = ("minimum", "maximum", "differential", "payout")
"""The limits that a table posts, where its book enforces them."""


def enforces(book: Book, limit: str) -> bool:
    """Whether a book holds anybody to a limit.

    A minimum and a maximum are held to when chips are laid, under every book. A differential and a payout need a rule.

    >>> from punto.rulebook import load
    >>> [limit for limit in POSTED if enforces(load("wu-song"), limit)]
    ['minimum', 'maximum', 'differential']
    """
    if limit == "payout":
        return book.point("limits", "payout-scope") is not None
    if limit == "differential":
        pipeline, insurance = book.point("limits", "pipeline"), book.insurance
        return (
            (pipeline is not None and limit in pipeline.values)
            or book.point("limits", "differential-early") is not None
            or (insurance is not None and any(cap.of == limit for cap in insurance.cap_at))
        )
    return True
