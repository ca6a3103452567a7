"""The report of a gaming day as files: CSV for programs, PDF for people."""

import csv
import io
import re
from collections.abc import Mapping
from datetime import date

from punto.amounts import show_money
from punto.extras import needs
from punto.messages import Sentence, say
from punto.messages.languages import ENGLISH, told_in
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
"""The fonts inside Typst have letters up to here."""

_TABLE_DEALS = say("report-table-deals", "(dealt by the table itself)")
_KIND = say("report-kind", "Day report")
_SUBTITLE = say("report-subtitle", "By table, dealer and patron")
_NOTHING = say("report-nothing", "Nothing was played on this day.")
_COUNTED_HOW = say(
    "report-counted-how",
    "Worked out from the chains of the tables. Win is what the house has won; hold is the win as a part of the drop; "
    "float is by how much the chips in the tray changed. Stakes are those that played. A dealer's minutes run from the "
    "first act at a table to the last.",
)
_TITLES = {
    "table": say("report-table", "Table"),
    "dealer": say("report-dealer", "Dealer"),
    "patron": say("report-patron", "Patron"),
}
_HEADS = (
    say("report-currency", "Currency"),
    say("report-drop", "Drop"),
    say("report-cashed-out", "Cashed out"),
    say("report-win", "Win"),
    say("report-hold", "Hold %"),
    say("report-float", "Float"),
    say("report-rounds", "Rounds"),
    say("report-wagers", "Wagers"),
    say("report-staked", "Staked"),
    say("report-average", "Average wager"),
    say("report-highest", "Highest wager"),
    say("report-minutes", "Minutes dealt"),
)
_PAGE = say("report-page", "page {n} of {all}", n="{n}", all="{all}")


def _day_title(day: str) -> Sentence:
    return say("report-day", "Gaming day {day}", day=day)


def report_csv(report: DayReport, shown: Mapping[str, str], tag: str = ENGLISH) -> str:
    """The report as CSV: a line for each table, dealer and patron; amounts as decimals of the line's currency.

    The columns are called the same in every language.
    """
    shown = _with_table(shown, tag)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for by, rows in _parts(report):
        for row in rows:
            writer.writerow([by, *map(safe_in_csv, _cells(by, row, shown))])
    return text.getvalue()


def report_rows(report: DayReport, shown: Mapping[str, str]) -> Rows:
    """The same lines as a table: amounts and shares are text, which is exact, and what is counted are numbers."""
    shown = _with_table(shown, ENGLISH)
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
    name = row.name if by == "table" else shown.get(row.name, row.name)
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


def _with_table(shown: Mapping[str, str], tag: str) -> dict[str, str]:
    """What people are called, and a table that deals by itself."""
    return {**shown, BY_ITSELF: told_in(tag, _TABLE_DEALS)}


def report_pdf(report: DayReport, shown: Mapping[str, str], issuer: str = "", tag: str = ENGLISH) -> bytes:
    """The report as PDF. Made again of the same day on the same machine it is the same to the byte.

    Letters beyond Latin ones need a font of the machine: without one the report is English, and whoever's name has such
    letters is told by their id.
    """
    with needs("certify"):
        from punto.report import Document, Issue, pdf
        from punto.report.document import Cell, Column, Paragraph, Section, TableBlock
        from punto.report.lettering import has_letters
        from punto.report.pdf import letters_for

    said = "".join(told_in(tag, each) for each in (_KIND, _SUBTITLE, _NOTHING, _COUNTED_HOW, _PAGE, *_HEADS))
    wanted = _beyond_latin(said + "".join(told_in(tag, each) for each in (*_TITLES.values(), _day_title(report.day))))
    needs_letters = wanted or any(map(_beyond_latin, shown.values()))
    letters = letters_for(tag, wanted) if needs_letters else None
    if letters is None:
        tag = ENGLISH

    def has(text: str) -> bool:
        beyond = _beyond_latin(text)
        return not beyond or (letters is not None and has_letters(letters.font, beyond))

    def told(sentence: Sentence) -> str:
        return told_in(tag, sentence)

    names = {person: name for person, name in _with_table(shown, tag).items() if has(name)}

    def section(by: str, rows: list[ReportRow]) -> Section:
        title = told(_TITLES[by])
        heads = (title, *map(told, _HEADS))
        columns = tuple(
            Column(head, 2.2 if at == 0 else 1.2, "text" if at < 2 else "figure") for at, head in enumerate(heads)
        )
        groups = tuple((tuple(Cell(text) for text in _row(by, row, names)),) for row in rows)
        return Section(title, (TableBlock("", columns, groups),) if rows else (Paragraph(told(_NOTHING)),))

    before, between, after = re.split(r"\{n\}|\{all\}", told(_PAGE))
    document = Document(
        told(_KIND),
        told(_day_title(report.day)),
        told(_SUBTITLE),
        "Punto",
        "",
        Issue(issuer, date.fromisoformat(report.day)),
        ("baccarat", "day report"),
        (Paragraph(told(_COUNTED_HOW)),),
        tuple(section(by, rows) for by, rows in _parts(report)),
        lang=tag.partition("-")[0],
        paging=(before, between, after),
        letters="" if letters is None else letters.family,
    )
    return pdf(document, letters)


def _beyond_latin(text: str) -> str:
    return "".join(sorted({letter for letter in text if ord(letter) > _LAST_LATIN}))


def _row(by: str, row: ReportRow, shown: Mapping[str, str]) -> list[str]:
    """The cells of a line, its id left out."""
    name, _, *rest = _cells(by, row, shown)
    return [name, *rest]
