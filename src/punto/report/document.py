"""What a certificate is before it is PDF or HTML: sections of paragraphs, facts, tables and pictures.

Both forms are drawn from the same value, so they cannot say different things.
"""

from typing import Literal

import msgspec

Kind = Literal["text", "figure"]


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
    """What is known about a thing, by name. A digest is shown in type of one width."""

    facts: tuple[tuple[str, str], ...]


class TableBlock(msgspec.Struct, frozen=True, tag="table"):
    """A table. The rows of a group belong together: the first cell of the first spans them all."""

    title: str
    columns: tuple[Column, ...]
    groups: tuple[Rows, ...]


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """A drawing as SVG, and in words for those who cannot see it."""

    svg: str
    alt: str


Block = Paragraph | Facts | TableBlock | Picture


class Section(msgspec.Struct, frozen=True):
    """A part of a document under its heading."""

    title: str
    blocks: tuple[Block, ...]


class Document(msgspec.Struct, frozen=True):
    """A whole certificate. `date` is year, month and day from the book: no clock is read."""

    title: str
    subtitle: str
    running: str
    digest: str
    date: tuple[int, int, int]
    cover: tuple[Block, ...]
    sections: tuple[Section, ...]


def plain(*texts: str) -> tuple[Cell, ...]:
    """A row of cells without small type."""
    return tuple(Cell(text) for text in texts)
