"""What a certificate is before it is PDF or HTML: sections of paragraphs, facts, tables and pictures.

Both forms are drawn from the same value, so they cannot say different things.
"""

from datetime import date
from shlex import quote
from typing import Literal

import msgspec

from punto.kinds import tells_of_fields

Kind = Literal["text", "figure"]


TO_REPEAT = "To repeat it"
"""The name of the command that gives some figures again."""


class BadReport(ValueError):
    """A report that cannot be made. The message is a sentence."""


class Cell(msgspec.Struct, frozen=True):
    """A cell of a table: its text, and below it in small type what is exact or where it is written."""

    text: str
    small: str = ""
    strong: bool = False


class Column(msgspec.Struct, frozen=True):
    """A column: what stands above it, whether it holds figures, and its share of the width."""

    title: str
    share: float
    kind: Kind = "text"


Rows = tuple[tuple[Cell, ...], ...]


class Paragraph(msgspec.Struct, frozen=True, tag="paragraph"):
    """Some sentences; `alert` where somebody must not overlook them."""

    text: str
    alert: bool = False


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """What is known about a thing, by name. Digests and commands are shown in type of one width."""

    facts: tuple[tuple[str, str], ...]
    commands: tuple[str, ...] = ()
    """The names of those facts that are commands."""


class TableBlock(msgspec.Struct, frozen=True, tag="table"):
    """A table. The rows of a group belong together: the first cell of the first spans them all."""

    title: str
    columns: tuple[Column, ...]
    groups: tuple[Rows, ...]

    @property
    def filled(self) -> "TableBlock":
        """The same table without columns in which no row has anything.

        >>> rows = ((plain("A", "", "2.1"),), (plain("B", "", "2.2"),))
        >>> table = TableBlock("", (Column("Layout", 1), Column("Title", 2), Column("Clause", 1)), rows)
        >>> [column.title for column in table.filled.columns]
        ['Layout', 'Clause']
        """
        rows = [row for group in self.groups for row in group]
        kept = [at for at in range(len(self.columns)) if any(row[at].text or row[at].small for row in rows)]
        groups = tuple(tuple(tuple(row[at] for at in kept) for row in group) for group in self.groups)
        return TableBlock(self.title, tuple(self.columns[at] for at in kept), groups)


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """A drawing as SVG, what stands below it, and the same in words for those who cannot see it.

    The figures of a document are numbered in their order.
    """

    svg: str
    alt: str
    caption: str
    share: float = 1.0
    """How much of the width it takes."""


class SignOff(msgspec.Struct, frozen=True, tag="sign-off"):
    """Lines to be signed by hand: for what, and by whom where that is known."""

    lines: tuple[tuple[str, str], ...]


Block = Paragraph | Facts | TableBlock | Picture | SignOff


class Section(msgspec.Struct, frozen=True):
    """A part of a document under its heading; `page` if it begins on a page of its own."""

    title: str
    blocks: tuple[Block, ...]
    page: bool = False


class Issue(msgspec.Struct, frozen=True):
    """Who issues a document, and when: only what was said. No clock is read, so it can be made again to the byte."""

    issuer: str = ""
    issued: date | None = None

    @tells_of_fields
    def __post_init__(self) -> None:
        if self.issuer and not (self.issuer.strip() and self.issuer.isprintable()):
            raise BadReport(f"{self.issuer!r} names no issuer: it is a name on one line, such as Example Test House.")

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What of it is known, for a cover.

        >>> Issue("A House", date(2026, 11, 16)).facts
        (('Issued by', 'A House'), ('Issued on', '2026-11-16'))
        """
        issued = self.issued.isoformat() if self.issued else ""
        return tuple((name, value) for name, value in (("Issued by", self.issuer), ("Issued on", issued)) if value)

    @property
    def options(self) -> str:
        """As the command line takes it, each option with a space before it.

        >>> Issue("A House", date(2026, 11, 16)).options
        " --issuer 'A House' --issued 2026-11-16"
        """
        issuer = f" --issuer {quote(self.issuer)}" if self.issuer else ""
        return issuer + (f" --issued {self.issued.isoformat()}" if self.issued else "")


class Document(msgspec.Struct, frozen=True):
    """A whole document. `kind` stands above its title and `running` on every page.

    `keywords` stand in its metadata, and in those of a PDF `commands`, which make it again, and what was dealt for it.
    """

    kind: str
    title: str
    subtitle: str
    running: str
    digest: str
    issue: Issue
    keywords: tuple[str, ...]
    cover: tuple[Block, ...]
    sections: tuple[Section, ...]
    commands: tuple[str, ...] = ()
    lang: str = "en"
    paging: tuple[str, str, str] = ("page ", " of ", "")
    """What stands before, between and after the number of a page and that of all pages."""

    letters: str = ""
    """The family of a font for letters that the fonts inside Typst lack; none where they have all."""


def as_drawn(document: Document) -> Document:
    """A document as it is drawn: its tables without empty columns."""
    sections = (msgspec.structs.replace(each, blocks=_filled(each.blocks)) for each in document.sections)
    return msgspec.structs.replace(document, cover=_filled(document.cover), sections=tuple(sections))


def _filled(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    return tuple(each.filled if isinstance(each, TableBlock) else each for each in blocks)


def plain(*texts: str) -> tuple[Cell, ...]:
    """A row of cells without small type."""
    return tuple(Cell(text) for text in texts)
