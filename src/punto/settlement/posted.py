"""Limits without those that a book does not enforce: nobody is shown a limit that would hold nobody back."""

from msgspec.structs import replace

from punto.messages import say
from punto.rulebook import Book, Refused
from punto.rulebook.posted import POSTED, enforces
from punto.settlement.lines import Limits


def enforced(book: Book, limits: Limits) -> Limits:
    """These limits without those that the book does not enforce.

    >>> from punto.rulebook import load
    >>> enforced(load("wu-song"), Limits(minimum=10_00, differential=1000_00, payout=5000_00)).payout is None
    True
    """
    idle = [limit for limit in POSTED if getattr(limits, limit) is not None and not enforces(book, limit)]
    return replace(limits, **dict.fromkeys(idle)) if idle else limits


def check_enforced(book: Book, limits: Limits) -> None:
    """Refuse a differential that the book does not enforce, where figures would rest on it.

    A table takes it, shows it to nobody, and is not bound by it; a payout is refused by `payout_scope`.

    >>> from punto.rulebook import load
    >>> check_enforced(load("wu-song"), Limits(minimum=10_00, differential=1000_00))
    """
    if limits.differential is not None and not enforces(book, "differential"):
        says = say(
            "no-rule-for-differential",
            "The book has no rule by which a posted differential cuts wagers: post none.",
        )
        raise Refused(says, book, book.basis("limits", "pipeline"))
