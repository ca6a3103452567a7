"""Shorter documents of a submission: the pay-table sheet, the drawings, and what changed since an earlier edition."""

import re
from collections.abc import Mapping

from punto.report.changed import changes_table
from punto.report.document import Block, Cell, Column, Document, Issue, Paragraph, Picture, Rows, Section, TableBlock
from punto.report.groups import layout_groups
from punto.report.insurance import STAGES
from punto.report.pack.booklet import booklet
from punto.report.pack.rack_card import WIDTH
from punto.rulebook import Book, Priced
from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.differences import differences
from punto.rulebook.words import cover_in_words, pattern_in_words, pays_in_words, printed_in_words


def pay_sheet(book: Book, layout: str | None, issue: Issue) -> Document:
    """What every bet pays, to be posted: odds are to the stake, which comes back as well."""
    columns = (Column("Bet", 2.4), Column("Outcome", 4), Column("Pays", 1.6))
    sections = []
    for group in layout_groups(book, layout):
        rows = [_pays(book, priced) for priced in group.menu.bets.values()]
        sections.append(Section(group.name, (TableBlock("", columns, tuple(rows)),)))
    if book.insurance is not None:
        cover = (Column("Offered", 2.4), Column("Situation", 4), Column("Pays", 1.6), Column("A tie", 1.4))
        priced_rows = tuple(
            (
                (
                    Cell(STAGES[row.stage], strong=True),
                    Cell(str(cover_in_words(row))),
                    Cell(row.odds.in_words, strong=True),
                    Cell("pays" if row.tie_pays else "returns"),
                ),
            )
            for row in book.insurance.rows
        )
        sections.append(Section("Insurance", (TableBlock("", cover, priced_rows),)))
    says = Paragraph("Odds are paid to the stake, which comes back as well. What meets no row loses.")
    printed = book.cards.printed
    beside = () if printed is None else (Paragraph(str(printed_in_words(printed))),)
    return booklet(book, "Pay-table sheet", issue, (says, *beside), tuple(sections))


def _pays(book: Book, priced: Priced) -> Rows:
    """What a bet pays, and the rules about it besides."""
    lines = [(str(pattern_in_words(row.when)), pays_in_words(row)) for row in priced.rows]
    lines += [(str(rule.says), "is bet") for rule in bet_rules(book, priced.bet)]
    return tuple(
        (Cell("" if at else priced.bet.name, strong=True), Cell(says), Cell(pays, strong=True))
        for at, (says, pays) in enumerate(lines)
    )


def drawings(
    book: Book, issue: Issue, cards: Mapping[str, tuple[str, str]], felts: Mapping[str, tuple[str, str]]
) -> Document:
    """The drawings of a submission on paper; each is by the name of its file, with its caption."""
    says = Paragraph(
        "The drawings are files of their own, as vector graphics with all letters as outlines: rack cards at full "
        "size, layouts at a scale of 1 to 10. Here they are reduced to the page. Bets and positions of a layout are "
        "those of the rulebook file; where its text does not tell them, the certificate names that among the "
        "assumptions. Measures are in no rulebook: those are Punto's."
    )
    sections = (
        Section("Rack cards", _pictures(cards, 0.52 / WIDTH)),
        Section("Layouts", _pictures(felts, besides="; here reduced, so measure by its bar")),
    )
    return booklet(book, "Rack cards and layouts", issue, (says,), sections)


def _pictures(files: Mapping[str, tuple[str, str]], share: float | None = None, besides: str = "") -> tuple[Block, ...]:
    """Each over the whole width, or over such a share of it for a millimetre of the drawing."""
    return tuple(
        Picture(
            svg,
            f"{caption}. The file has a description in words.",
            f"{caption} ({name}{besides})",
            1.0 if share is None else min(1.0, share * _millimetres(svg)),
        )
        for name, (svg, caption) in files.items()
    )


def _millimetres(svg: str) -> float:
    """How wide a drawing is."""
    wide = re.search(r'width="([\d.]+)mm"', svg)
    return WIDTH if wide is None else float(wide[1])


def changes(book: Book, earlier: Book, issue: Issue) -> Document:
    """What a book says otherwise than an earlier edition, point by point."""
    found = differences(earlier, book)
    says = (
        f"Compared with version {earlier.version} of {earlier.title}, in effect since "
        f"{earlier.effective:%Y-%m-%d}, whose file has the SHA-256 {earlier.digest}."
    )
    blocks: list[Block] = [Paragraph(f"{len(found)} point{'s' * (len(found) != 1)} differ{'s' * (len(found) == 1)}.")]
    if found:
        blocks.append(changes_table(found, earlier, book, ("Earlier edition", "This edition")))
    section = Section("What changed", tuple(blocks))
    return booklet(book, "Difference to an earlier edition", issue, (Paragraph(says),), (section,))
