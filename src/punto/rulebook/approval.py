"""Whether a book is an approved text: only the very files that ship with Punto are known to be transcribed from one."""

import msgspec

from punto.messages import Sentence, say
from punto.rulebook.differences import Difference, differences
from punto.rulebook.loader import load
from punto.rulebook.model import Book
from punto.rulebook.shipped import games, ids


class Approval(msgspec.Struct, frozen=True):
    """What can be said of a book's approval, and where it differs from the shipped book with its id."""

    verified: bool
    says: Sentence
    differences: tuple[Difference, ...] = ()


def ships(book: Book) -> bool:
    """Whether this very text comes with Punto, as an approved book or as a public game.

    >>> ships(load("punto-banco")), approval(load("punto-banco")).verified
    (True, False)
    """
    return book.id in (*ids(), *games()) and load(book.id).digest == book.digest


def is_approved(book: Book) -> bool:
    """Whether this very text comes with Punto as an approved book.

    >>> is_approved(load("wu-song")), is_approved(load("punto-banco"))
    (True, False)
    """
    return book.id in ids() and ships(book)


def approval(book: Book) -> Approval:
    """What can be said of a book's approval: its digest is that of a shipped book, or it is not verified.

    >>> approval(load("wu-song")).verified
    True
    """
    if book.id in games() and ships(book):
        says = say("public-game", "Not an approved text: {game} is a public game that comes with Punto.", game=book.id)
        return Approval(False, says)
    if book.id not in ids():
        says = say(
            "approval-by-file",
            "Not verified: {approver} is named by the file itself, and no such book ships with Punto.",
            approver=book.approver,
        )
        return Approval(False, says)
    shipped = load(book.id)
    if shipped.digest == book.digest:
        return Approval(True, say("approved-by", "{approver}", approver=book.approver))
    says = say(
        "approval-of-another-edition",
        "Not verified: this file is not the {book} that ships with Punto, whose SHA-256 is {digest}.",
        book=book.id,
        digest=shipped.digest,
    )
    return Approval(False, says, tuple(differences(shipped, book)))
