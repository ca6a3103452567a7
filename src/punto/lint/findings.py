"""Findings of the linter: what they hold and how they are printed."""

from typing import Literal

import msgspec

from punto.messages import Message, Sentence
from punto.rulebook import Basis, Book, cite, printed

Severity = Literal["fault", "finding"]


class Finding(msgspec.Struct, frozen=True):
    """Something wrong (`fault`) or remarkable (`finding`) in a rulebook."""

    severity: Severity
    kind: str
    where: str
    says: str
    clause: str | None = None
    readings: tuple[str, ...] = ()
    message: Message | None = None

    def __str__(self) -> str:
        names = ", ".join(each for each in (self.clause, *self.readings) if each)
        return f"{self.severity}: {self.where}: {self.says}" + (f" ({names})" if names else "")


def found(
    severity: Severity,
    kind: str,
    where: str,
    says: Sentence,
    clause: str | None = None,
    readings: tuple[str, ...] = (),
) -> Finding:
    """A finding with its message."""
    return Finding(severity, kind, where, str(says), clause, readings, says.message)


def finding(book: Book, kind: str, where: str, says: Sentence, basis: Basis, severity: Severity = "finding") -> Finding:
    """A finding that rests on clauses of the book."""
    cite(book.id, *basis.clauses)
    clause = None if basis.clause is None else printed(basis.clause)
    return found(severity, kind, where, says, clause, basis.readings)
