"""Writes docs/irregularities.md from the books: `python docs/irregularities.py`."""

from pathlib import Path

from punto.report.document import Document, Issue, TableBlock
from punto.report.pack.procedures import procedures
from punto.rulebook import Book, ids, load

PAGE = Path(__file__).parent / "irregularities.md"
HEAD = """# When something goes wrong

For whoever stands at the table: find the book, then what happened. Of the cases of one event the first that holds
applies; the steps are taken one after the other, and a void round ends them but for those about the shoe. What is
meant by an outcome and by a result is told below the table. Who decides, where the book leaves it open, is under
[questions](table.md#questions). At the dealer's console *Report an irregularity* says the same and does it:
[deal a round by hand](dealing.md#4-something-goes-wrong).

This page is written from the books themselves (`python docs/irregularities.py`). The same for a book of your own, ready
to be printed: [`punto certify BOOK --pack FOLDER`](submission.md).
"""
SECTIONS = {"Irregularities": "", "What patrons may choose": "Where a choice is put to patrons, they may:"}
"""The sections of the procedures that are on the page, and what is said above each."""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("\n", " ")


def _table(block: TableBlock) -> str:
    lines = [f"**{block.title}**", ""] if block.title else []
    lines += ["| " + " | ".join(column.title for column in block.columns) + " |", "|---" * len(block.columns) + "|"]
    for rows in block.groups:
        lines += ["| " + " | ".join(_cell(cell.text) for cell in row) + " |" for row in rows]
    return "\n".join([*lines, ""])


def _part(book: Book) -> str:
    document: Document = procedures(book, Issue())
    lines = [f"## {book.title} {{#{book.id}}}", ""]
    for section in document.sections:
        if section.title in SECTIONS:
            lines += [SECTIONS[section.title], ""] if SECTIONS[section.title] else []
            lines += [_table(block) for block in section.blocks if isinstance(block, TableBlock)]
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_part(load(name)) for name in ids())])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
