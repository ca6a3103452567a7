"""Writes docs/sample.md, parts of a submission to look at: `python docs/sample.py`."""

from datetime import date
from pathlib import Path

from punto.report import Issue, Posted, certificate, confirm, expose_book
from punto.report.document import Block, Cell, Document, Facts, Paragraph, Section, TableBlock
from punto.report.pack.checklist import ASKED
from punto.rulebook import load
from punto.settlement import Limits

PAGE = Path(__file__).parent / "sample.md"
BOOK = "commission-insurance"
SIDE_BETS = {"tie": 100_000, "player-pair": 50_000, "banker-pair": 50_000}
ALL_POSTED = Posted(Limits(maximum=1_000_000, differential=1_000_000, maximums=SIDE_BETS), boxes=7)
SOME_POSTED = Posted(Limits(maximum=1_000_000, differential=1_000_000), boxes=7)
ISSUE = Issue("Example Test House", date(2026, 11, 16))

HEAD = f"""# A submission to look at

What a [certificate](certificate.md) and a [submission](submission.md) say, without installing anything: the figures,
every assumption, the most that a round can cost, the findings, the confirmation and the checklist of one book. The
whole of it, with PDF, drawings, examples and procedures, is written by

```sh
punto certify {BOOK}{ALL_POSTED.options}{ISSUE.options} --pack submission
```

This page is taken from the same documents (`python docs/sample.py` writes it), and a test holds it to them. Left out
are insurance cell by cell, which is [among all figures](figures.md), and the pictures. How to get a figure again to the
digit is shown [step by step](certificate.md#one-figure); the status of each clause is [on one page](clause-list.md).
"""
LIABILITY = """## The most that a round can cost {#liability}

The limits are an example. In this book, as in all three of Resorts World at Sentosa, the posted maximum holds Player
and Banker alone; every other bet needs a maximum of its own, `--bet-maximum`. First with one for each bet, in seven
boxes. The first coup is [settled again](certificate.md#liability) on the page about the certificate.
"""
PARTIAL = """### With the maximum alone {#partial}

Without `--bet-maximum` the three side bets have no bound. Box and round leave them out: these two figures are then only
a part of what a round can cost.
"""
CHECKLIST = """## The checklist {#checklist}

What regulators and laboratories commonly ask for, and the sections of a pack that answer it; the checklist of a pack
has their page numbers, too. It claims compliance with none of their rules.
"""


def _cell(cell: Cell) -> str:
    text = f"{cell.text} ({cell.small})" if cell.text and cell.small else cell.text or cell.small
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("\n", " ")


def _table(block: TableBlock) -> str:
    lines = [f"**{block.title}**", ""] if block.title else []
    lines += ["| " + " | ".join(column.title for column in block.columns) + " |"]
    lines += ["|" + "|".join("---:" if column.kind == "figure" else "---" for column in block.columns) + "|"]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for rows in block.groups for row in rows]
    return "\n".join(lines)


def _facts(block: Facts) -> str:
    return "\n".join(
        f"- **{name}:** `{value}`" if name in block.commands or len(value) == 64 else f"- **{name}:** {value}"
        for name, value in block.facts
    )


def _block(block: Block) -> str:
    if isinstance(block, TableBlock):
        return _table(block)
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Paragraph):
        return f"**{block.text}**" if block.alert else block.text
    return ""


def _blocks(section: Section) -> str:
    return "\n\n".join(filter(None, map(_block, section.blocks))) + "\n"


def _section(document: Document, begins: str) -> Section:
    [found] = [each for each in document.sections if each.title.startswith(begins)]
    return found


def _checklist() -> str:
    lines = []
    for topic, asked in ASKED.items():
        lines += [f"**{topic}**", "", "| asked for | by | document: section | besides |", "|---|---|---|---|"]
        for each in asked:
            where = "; ".join(f"{document}: {title or 'first page'}" for document, title in each.where)
            lines.append(f"| {each.what} | {each.by} | {where} | {each.besides} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def page() -> str:
    """The whole page."""
    book = load(BOOK)
    confirmed, exposed = confirm(book), expose_book(book, shoes=100)  # of the latter only what it assumes is shown
    document = certificate(book, confirmation=confirmed, exposed=exposed, issue=ISSUE, posted=ALL_POSTED)
    partial = certificate(book, issue=ISSUE, posted=SOME_POSTED)
    payouts = "Greatest payouts"
    return "\n".join(
        [
            HEAD,
            "## What each bet is worth {#bets}\n",
            "With eight decks; exact fractions stand in brackets.\n",
            _blocks(_section(document, "Bets of")),
            "## Every assumption {#assumptions}\n",
            _blocks(_section(document, "Assumptions")),
            LIABILITY,
            _blocks(_section(document, payouts)),
            PARTIAL,
            _blocks(Section("", _section(partial, payouts).blocks[2:])),
            "## Findings of the linter {#findings}\n",
            _blocks(_section(document, "Findings")),
            "## The confirmation {#confirmation}\n",
            _blocks(_section(document, "Confirmation")),
            CHECKLIST,
            _checklist(),
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
