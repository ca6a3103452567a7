"""The report of a gaming day as files: CSV for programs, PDF for people."""

import csv
import io
from collections.abc import Mapping
from datetime import date

from punto.amounts import show_money
from punto.extras import needs
from punto.service.money.day_report import BY_ITSELF, DayReport, ReportRow, TableRow
from punto.tabular import Rows, safe_in_csv

_COLUMNS = (
    "by",
    "name",
    "id",
    "currency",
    "drop",
    "cashed-out",
    "win",
    "hold-per-cent",
    "float-change",
    "rounds",
    "wagers",
    "staked",
    "average-wager",
    "highest-wager",
    "minutes-dealt",
)
_COUNTED = ("rounds", "wagers", "minutes-dealt")
_LAST_LATIN = 0x24F
"""The fonts of a PDF have letters up to here; whoever's name has others is told by their id."""

_TABLE_DEALS = "(dealt by the table itself)"


def report_csv(report: DayReport, shown: Mapping[str, str]) -> str:
    """The report as CSV: a line for each table, dealer and patron; amounts as decimals of the line's currency."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for by, rows in _parts(report):
        for row in rows:
            writer.writerow([by, *map(safe_in_csv, _cells(by, row, shown))])
    return text.getvalue()


def report_rows(report: DayReport, shown: Mapping[str, str]) -> Rows:
    """The same lines as a table: amounts and shares are text, which is exact, and what is counted are numbers."""
    lines = ((by, *_cells(by, row, shown)) for by, rows in _parts(report) for row in rows)
    made = (tuple(map(_cell, _COLUMNS, line)) for line in lines)
    return Rows(_COLUMNS, tuple(made), f"Gaming day {report.day}")


def _cell(column: str, text: str) -> str | int | None:
    return int(text) if text and column in _COUNTED else text or None


def _parts(report: DayReport) -> tuple[tuple[str, list[ReportRow]], ...]:
    return ("table", [*report.tables]), ("dealer", report.dealers), ("patron", report.patrons)


def _cells(by: str, row: ReportRow, shown: Mapping[str, str]) -> list[str]:
    def money(amount: int | None) -> str:
        return "" if amount is None else show_money(amount, row.currency)

    has_money = by != "dealer"
    name = row.name if by == "table" else _name(row.name, shown)
    return [
        name,
        row.name,
        row.currency,
        money(row.bought) if has_money else "",
        money(row.cashed) if has_money else "",
        money(row.won),
        per_cent(row.hold),
        money(row.float) if isinstance(row, TableRow) else "",
        str(row.rounds),
        str(row.wagers),
        money(row.staked),
        money(row.average),
        money(row.highest),
        "" if by == "patron" else str(row.minutes),
    ]


def per_cent(hundredths: int | None) -> str:
    """Hundredths of a per cent as text.

    >>> per_cent(2005), per_cent(-5), per_cent(None)
    ('20.05', '-0.05', '')
    """
    if hundredths is None:
        return ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02}"


def _name(person: str, shown: Mapping[str, str]) -> str:
    return _TABLE_DEALS if person == BY_ITSELF else shown.get(person, person)


def report_pdf(report: DayReport, shown: Mapping[str, str], issuer: str = "") -> bytes:
    """The report as PDF. Made again of the same day it is the same to the byte."""
    with needs("certify"):
        from punto.report import Document, Issue, pdf
        from punto.report.document import Cell, Column, Paragraph, Section, TableBlock

    def section(by: str, title: str, rows: list[ReportRow]) -> Section:
        heads = ["", "Currency", "Drop", "Cashed out", "Win", "Hold %", "Float", "Rounds", "Wagers", "Staked"]
        heads += ["Average wager", "Highest wager", "Minutes dealt"]
        columns = tuple(
            Column(head or title, 2.2 if at == 0 else 1.2, "text" if at < 2 else "figure")
            for at, head in enumerate(heads)
        )
        lines = tuple((_row(by, row, shown),) for row in rows)
        groups = tuple(tuple(tuple(Cell(text) for text in line) for line in group) for group in lines)
        nothing = Paragraph("Nothing was played on this day.")
        return Section(title, (TableBlock("", columns, groups),) if rows else (nothing,))

    titles = {"table": "Table", "dealer": "Dealer", "patron": "Patron"}
    sections = tuple(section(by, titles[by], rows) for by, rows in _parts(report))
    cover = Paragraph(
        "Worked out from the chains of the tables. Win is what the house has won; hold is the win as a part of the "
        "drop; float is by how much the chips in the tray changed. Stakes are those that played. A dealer's minutes "
        "run from the first act at a table to the last."
    )
    issue = Issue(issuer, date.fromisoformat(report.day))
    document = Document(
        "Day report",
        f"Gaming day {report.day}",
        "By table, dealer and patron",
        "Punto",
        "",
        issue,
        ("baccarat", "day report"),
        (cover,),
        sections,
    )
    return pdf(document)


def _row(by: str, row: ReportRow, shown: Mapping[str, str]) -> list[str]:
    """The cells of a line, its id left out, in letters that the fonts have."""
    name, _, *rest = _cells(by, row, shown)
    has_letters = all(ord(letter) <= _LAST_LATIN for letter in name)
    return [name if has_letters else row.name, *rest]
