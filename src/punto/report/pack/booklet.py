"""The documents of a submission have one form: what each is about, on which book, by whom."""

from punto.report.certificate import running
from punto.report.commands import digest_fact, file_name
from punto.report.document import Block, Cell, Document, Facts, Issue, Section
from punto.report.readings import clauses, readings_cited
from punto.rulebook import Basis, Book
from punto.rulebook.approval import approval


def booklet(book: Book, kind: str, issue: Issue, cover: tuple[Block, ...], sections: tuple[Section, ...]) -> Document:
    """A document about a book under the head that all of them have, and at its end the readings that it cites."""
    approved = approval(book)
    head = Facts(
        (
            *issue.facts,
            ("Operator", book.operator),
            ("Approved by" if approved.verified else "Approval", str(approved.says)),
            ("Version", f"{book.version}, effective {book.effective.isoformat(' ', 'minutes')}"),
            ("Rulebook file", file_name(book)),
            digest_fact(book),
        )
    )
    return Document(
        kind,
        book.title,
        f"{book.operator}, version {book.version}",
        running(book, kind.lower()),
        book.digest,
        issue,
        (book.id, f"rulebook SHA-256 {book.digest}"),
        (head, *cover),
        (*sections, *readings_cited((*cover, *(block for section in sections for block in section.blocks)))),
    )


def where(basis: Basis) -> Cell:
    """A cell with the clauses and readings that something rests on."""
    return Cell(clauses(basis), ", ".join(basis.readings))
