"""Certificates as files: the form goes by the suffix."""

from pathlib import Path

from punto.report.certificate import UNISSUED, ExactSections, certificate
from punto.report.confirmation import Confirmation
from punto.report.document import BadReport, Issue
from punto.report.exposed import Exposed
from punto.report.html import html
from punto.report.payouts import Posted
from punto.report.pdf import pdf
from punto.rulebook import Book

_FORMS = {".pdf": pdf, ".html": html, ".htm": html}


def check_suffix(path: Path) -> None:
    """Refuse a file that would be neither PDF nor HTML.

    >>> check_suffix(Path("certificate.doc"))
    Traceback (most recent call last):
    punto.report.document.BadReport: certificate.doc: a certificate is a .pdf or an .html file.
    """
    if path.suffix.lower() not in _FORMS:
        raise BadReport(f"{path}: a certificate is a .pdf or an .html file.")


def write_certificate(
    book: Book,
    path: str | Path,
    layout: str | None = None,
    decks: int | None = None,
    confirmation: Confirmation | None = None,
    exposed: Exposed | None = None,
    *,
    issue: Issue = UNISSUED,
    posted: Posted | None = None,
    exact: ExactSections | None = None,
) -> bytes:
    """Write the certificate of a book to a file, and return what was written.

    Run again with the same book and software it writes the same bytes.
    """
    path = Path(path)
    check_suffix(path)
    made = certificate(book, layout, decks, confirmation, exposed, issue=issue, posted=posted, exact=exact)
    written = _FORMS[path.suffix.lower()](made)
    path.write_bytes(written)
    return written
