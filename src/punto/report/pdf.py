"""A certificate as PDF, set by Typst from `certificate.typ`: archival (PDF/A-2a) and accessible (PDF/UA-1).

Only the fonts inside Typst are used, no clock is read, and nothing is fetched.
"""

from importlib.resources import files

import msgspec
import typst

from punto.report.document import BadReport, Document


def pdf(document: Document) -> bytes:
    """The document as PDF."""
    made = _set(document, "pdf")
    if not isinstance(made, bytes):
        raise BadReport("Typst made no document.")
    return made


def pages(document: Document, ppi: float = 110) -> list[bytes]:
    """The pages of the document as PNG, to look at."""
    made = _set(document, "png", ppi)
    return [made] if isinstance(made, bytes) else list(made or ())


def _set(document: Document, form: str, ppi: float | None = None) -> bytes | list[bytes] | None:
    template = files("punto.report").joinpath("certificate.typ").read_bytes()
    compiler = typst.Compiler(template, ignore_system_fonts=True)
    try:
        return compiler.compile(
            format="pdf" if form == "pdf" else "png",
            ppi=ppi,
            sys_inputs={"document": msgspec.json.encode(document).decode()},
            pdf_standards=["a-2a", "ua-1"] if form == "pdf" else [],
        )
    except typst.TypstError as error:
        raise BadReport(f"The PDF cannot be made: {error.message}. An HTML certificate has no such limit.") from None
