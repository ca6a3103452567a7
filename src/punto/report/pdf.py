"""A document as PDF, set by Typst from `certificate.typ`.

It is accessible (PDF/UA-1), and archival (PDF/A-2a) where it has a date.
Only the fonts inside Typst are used, but for letters that they lack; no clock is read, and nothing is fetched.
"""

from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import typst

from punto.report.document import BadReport, Document, as_drawn
from punto.report.lettering import Font, chinese_font, family_of


class Letters(NamedTuple):
    """A font of the system for letters that the fonts inside Typst lack: its file, and its family."""

    font: Font
    family: str


_REGIONS = {"zh-Hant": "TC", "zh-Hans": "SC"}
"""How the families of a collection of fonts end, by the language that they are drawn for."""


def letters_for(tag: str, text: str) -> Letters | None:
    """A font of the system that has the letters of a text, drawn for a language; None where there is none."""
    font = chinese_font(None, text)
    if font is None:
        return None
    own = family_of(font)
    there = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(Path(font.path).parent)]
    ).families()
    drawn_for = f"{own.rpartition(' ')[0]} {_REGIONS.get(tag, '')}"
    return Letters(font, drawn_for if drawn_for in there else own) if own in there else None


def pdf(document: Document, letters: Letters | None = None) -> bytes:
    """The document as PDF; `letters` has what the fonts inside Typst lack."""
    made = _set(document, "pdf", letters=letters)
    if not isinstance(made, bytes):
        raise BadReport("Typst made no document.")
    return made


def pages(document: Document, ppi: float = 110) -> list[bytes]:
    """The pages of the document as PNG, to look at."""
    made = _set(document, "png", ppi)
    return [made] if isinstance(made, bytes) else list(made or ())


class Pages(NamedTuple):
    """The first and the last page of something."""

    first: int
    last: int

    def __str__(self) -> str:
        """As a reader is told it.

        >>> f"{Pages(2, 2)}; {Pages(2, 4)}"
        'page 2; pages 2 to 4'
        """
        return f"page {self.first}" if self.first == self.last else f"pages {self.first} to {self.last}"


def section_pages(document: Document) -> dict[str, Pages]:
    """On which pages of the PDF each section stands, by its title."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "document.typ"
        source.write_bytes(_template())
        compiler = typst.Compiler(str(source), ignore_system_fonts=True, sys_inputs=_inputs(document))
        found = compiler.query("<section>", field="value")
    return {title: Pages(*pages) for title, *pages in msgspec.json.decode(found, type=list[tuple[str, int, int]])}


def _template() -> bytes:
    return files("punto.report").joinpath("certificate.typ").read_bytes()


def _inputs(document: Document) -> dict[str, str]:
    return {"document": msgspec.json.encode(as_drawn(document)).decode()}


def _set(
    document: Document, form: str, ppi: float | None = None, letters: Letters | None = None
) -> bytes | list[bytes] | None:
    folders = [] if letters is None else [str(Path(letters.font.path).parent)]
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=folders)
    compiler = typst.Compiler(_template(), font_paths=fonts, ignore_system_fonts=True)
    try:  # an archival PDF must have a date, and none is made up
        return compiler.compile(
            format="pdf" if form == "pdf" else "png",
            ppi=ppi,
            sys_inputs=_inputs(document),
            pdf_standards=(["a-2a", "ua-1"] if document.issue.issued else ["ua-1"]) if form == "pdf" else [],
        )
    except typst.TypstError as error:
        raise BadReport(f"The PDF cannot be made: {error.message}. An HTML certificate has no such limit.") from None
