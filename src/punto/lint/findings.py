"""Findings of the linter: what they hold and how they are printed."""

from typing import Literal

import msgspec

from punto.messages import Message, Sentence
from punto.rulebook import Basis, Book, cite, printed
from punto.rulebook.lines import Path
from punto.rulebook.places import line_of

Severity = Literal["fault", "finding"]
Kind = Literal[
    "authority",
    "dead-cell",
    "expected",
    "favourable",
    "file",
    "index",
    "language",
    "no-index",
    "no-odds",
    "open-case",
    "overlap",
    "policy",
    "print",
    "rounding",
    "same-name",
    "tie",
    "uncarried",
    "unknown-clause",
    "unknown-reading",
    "unreachable",
    "unverified",
]
"""What a finding is about. `docs/rulebook.md` says of each when it is a fault."""


class Finding(msgspec.Struct, frozen=True):
    """Something wrong (`fault`) or remarkable (`finding`) in a rulebook, and the line of the file that it is about."""

    severity: Severity
    kind: Kind
    file: str
    line: int
    where: str
    says: str
    clause: str | None = None
    readings: tuple[str, ...] = ()
    message: Message | None = None

    def __str__(self) -> str:
        names = ", ".join(each for each in (self.clause, *self.readings) if each)
        says = f"{self.severity}: {self.file}:{self.line}: {self.where}: {self.says}"
        return says + (f" ({names})" if names else "")


def found(
    book: Book,
    severity: Severity,
    kind: Kind,
    at: Path,
    where: str,
    says: Sentence,
    clause: str | None = None,
    readings: tuple[str, ...] = (),
) -> Finding:
    """A finding with its line and message."""
    return Finding(severity, kind, book.file, line_of(book, at), where, str(says), clause, readings, says.message)


def finding(
    book: Book, kind: Kind, at: Path, where: str, says: Sentence, basis: Basis, severity: Severity = "finding"
) -> Finding:
    """A finding that rests on clauses of the book."""
    cite(book.id, *basis.clauses)
    clause = None if basis.clause is None else printed(basis.clause)
    return found(book, severity, kind, at, where, says, clause, basis.readings)
