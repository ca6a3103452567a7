"""A refusal: what was refused, by which clause, what would be accepted."""

from punto.messages import Sentence
from punto.rulebook.clauses import cite, printed
from punto.rulebook.model import Basis, Book

_SILENT = Basis()


class Refused(ValueError):
    """The rules do not allow it. The message is a sentence with the clause behind it.

    >>> from punto.rulebook import load
    >>> from punto.messages import say
    >>> raise Refused(say("bets-closed", "Bets are closed."), load("wu-song"), Basis(("5.7",)))
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: Bets are closed. (wu-song 5.7)

    A `general` one has nothing to do with what a command says: every command of that kind by the same person meets it.
    """

    def __init__(
        self, reason: Sentence, book: Book | None = None, basis: Basis = _SILENT, *, general: bool = False
    ) -> None:
        self.general = general
        self.reason, self.message, self.readings = str(reason), reason.message, basis.readings
        self.clause = None if basis.clause is None else printed(basis.clause)
        self.clauses = tuple(dict.fromkeys((*basis.clauses, *map(printed, basis.clauses))))
        where = [*dict.fromkeys(map(printed, basis.clauses)), *basis.readings]
        if book is not None:
            cite(book.id, *basis.clauses)
            where = [f"{book.id} {', '.join(where)}"] if where else []
        super().__init__(" ".join([reason, *(f"({each})" for each in where)]))
