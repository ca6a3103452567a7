"""Findings of the linter: what they hold and how they are printed."""

from typing import Literal

import msgspec

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

    def __str__(self) -> str:
        names = ", ".join(each for each in (self.clause, *self.readings) if each)
        return f"{self.severity}: {self.where}: {self.says}" + (f" ({names})" if names else "")


def finding(book: Book, kind: str, where: str, says: str, basis: Basis, severity: Severity = "finding") -> Finding:
    """A finding that rests on clauses of the book."""
    cite(book.id, *basis.clauses)
    clause = None if basis.clause is None else printed(basis.clause)
    return Finding(severity, kind, where, says, clause, basis.readings)
