"""Commission that is kept on record: what a patron owes for it, and when it is collected."""

from collections.abc import Iterable

from punto.rulebook import Basis, Book
from punto.settlement import Line
from punto.table import events as e
from punto.table.turn import Turn


def recorded(book: Book, lines: Iterable[Line]) -> int:
    """The commission on some lines that is paid out and owed, in a book that keeps it on record."""
    point = book.point("money", "commission")
    return sum(line.commission for line in lines) if point is not None and point.value == "on-record" else 0


def debt_basis(turn: Turn) -> Basis:
    """What collecting a debt rests on: the rule about corrections, and the one about commission on record."""
    return turn.basis("money", "corrections").plus(turn.basis("money", "commission-collected"))


def is_collected(turn: Turn, when: str) -> bool:
    """Whether the book collects commission on record then: `shoe-end`, `leaving` or on `demand`."""
    point = turn.point("money", "commission-collected")
    return point is not None and when in point.values


def collect(turn: Turn, names: Iterable[str], when: str) -> None:
    """Take what patrons owe from their chips, as far as these go, where the book collects it then."""
    if not is_collected(turn, when):
        return
    for name in names:
        patron = turn.table.patrons[name]
        amount = min(patron.owed, patron.balance)
        if amount:
            turn.happen(e.OwedPaid, name, amount, chips=True, basis=debt_basis(turn))
