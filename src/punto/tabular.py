"""Tables with named columns: what is counted, settled or recorded, for notebooks, data frames and files.

A table holds plain values and knows nothing of what they mean. It shows itself in a notebook, becomes a data frame of
Polars or pandas where that is installed, and is written to and read from CSV, JSON Lines and Parquet.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import msgspec

from punto.extras import needs, needs_library
from punto.kinds import guard

Cell = str | int | float | bool | tuple[str, ...] | None
"""What stands in a table: a plain value, or several words."""

MOST_SHOWN = 60
"""Rows of a long table that a notebook shows."""

_RIGHT = "text-align:right"
_LEFT = "text-align:left"

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula; in East Asia also the wide forms of = + - and @."""

_DELIMITERS = (",", ";", "\t")

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(/\d+)?")


class BadTable(ValueError):
    """A file that is no table, or a name that says no form of one. The message is a sentence."""


class Tabular:
    """Something that is a table: it shows itself in a notebook, and becomes a data frame."""

    __slots__ = ()

    def to_rows(self) -> "Rows":
        """The table that this is."""
        raise NotImplementedError

    def to_polars(self) -> Any:
        """A data frame of Polars; where that is not installed, a sentence says how it is."""
        with needs_library("polars"):
            polars = import_module("polars")
        return _frame(polars, self.to_rows())

    def to_pandas(self) -> Any:
        """A data frame of pandas; where that is not installed, a sentence says how it is."""
        with needs_library("pandas"):
            pandas = import_module("pandas")
        return pandas.DataFrame(_columns(self.to_rows()))

    def _repr_html_(self) -> str:
        return self.to_rows().html()


class Rows(Tabular, msgspec.Struct, frozen=True):
    """A table: the names of its columns, its rows, and what it is about.

    >>> table = Rows(("bet", "net"), (("tie", 800), ("player", -100)))
    >>> table.records()[0], table.column("net")
    ({'bet': 'tie', 'net': 800}, (800, -100))
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""

    def to_rows(self) -> "Rows":
        """Itself."""
        return self

    def records(self) -> list[dict[str, Cell]]:
        """A dictionary for every row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def column(self, name: str) -> tuple[Cell, ...]:
        """What stands in one column."""
        at = self.columns.index(name)
        return tuple(row[at] for row in self.rows)

    def html(self, most: int = MOST_SHOWN) -> str:
        """The table as HTML; of a long one the first rows, and how many there are.

        >>> Rows(("bet",), (("tie",), ("<b>",))).html().count("&lt;b&gt;")
        1
        """
        shown = html_table(self.title, self.columns, self.rows[:most])
        left = len(self.rows) - most
        return shown if left <= 0 else f"{shown}<p>… and {left:,} more rows</p>"

    def csv_text(self) -> str:
        r"""As CSV, with a line for the names. Several words stand in one cell, with spaces between; none is a formula.

        >>> Rows(("bet", "won"), (("tie", None), ("player", True))).csv_text()
        'bet,won\ntie,\nplayer,true\n'
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_written(cell) for cell in row] for row in self.rows)
        return text.getvalue()

    def json_lines(self) -> str:
        r"""As JSON Lines: an object for every row.

        >>> Rows(("bet", "net"), (("tie", 800),)).json_lines()
        '{"bet":"tie","net":800}\n'
        """
        return "".join(f"{msgspec.json.encode(each).decode()}\n" for each in self.records())

    def write(self, path: str | Path) -> None:
        """Write it as the name of the file ends: `.csv`, `.jsonl` or `.parquet`; the last needs the extra `parquet`."""
        file = Path(path)
        form = form_of(file)
        if form == "parquet":
            with needs("parquet"):
                polars = import_module("polars")
            _frame(polars, self).write_parquet(file)
            return
        text = self.csv_text() if form == "csv" else self.json_lines()
        file.write_text(text, encoding="utf-8", newline="\n")


FORMS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""The forms of a file, by how its name ends."""


def form_of(path: str | Path) -> str:
    """The form of a file by its name, or a refusal that names those that there are.

    >>> form_of("rounds.csv"), form_of("rounds.jsonl")
    ('csv', 'jsonl')
    >>> form_of("rounds.xlsx")
    Traceback (most recent call last):
    punto.tabular.BadTable: rounds.xlsx: a table is written to a file that ends in .csv, .jsonl or .parquet.
    """
    form = FORMS.get(Path(path).suffix.lower())
    if form is None:
        raise BadTable(f"{path}: a table is written to a file that ends in .csv, .jsonl or .parquet.")
    return form


def is_table(path: str | Path) -> bool:
    """Whether the name of a file says that it is a table.

    >>> is_table("edges.parquet"), is_table("edges.png")
    (True, False)
    """
    return Path(path).suffix.lower() in FORMS


def of_records(records: Iterable[Mapping[str, Any]], title: str = "", columns: Sequence[str] = ()) -> Rows:
    r"""A table of dictionaries: a column for every key that one of them has, in the order in which they come.

    The `columns` come first; they are there even if no dictionary has them, or there is none.

    >>> of_records([{"bet": "tie"}, {"bet": "player", "net": 5}]).rows
    (('tie', None), ('player', 5))
    >>> of_records([], columns=["bet", "net"]).csv_text()
    'bet,net\n'
    """
    kept = list(records)
    columns = tuple(dict.fromkeys((*columns, *(key for each in kept for key in each))))
    return Rows(columns, tuple(tuple(_read_cell(each.get(name)) for name in columns) for each in kept), title)


def read(path: str | Path) -> Rows:
    """Read a table as the name of its file says. What stands in CSV is text; an empty cell is nothing.

    >>> read("nowhere.xlsx")
    Traceback (most recent call last):
    punto.tabular.BadTable: nowhere.xlsx: a table is written to a file that ends in .csv, .jsonl or .parquet.
    """
    file = Path(path)
    form = form_of(file)
    if form == "parquet":
        return _from_parquet(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadTable(f"{path}: this is not UTF-8 text.") from None
    return _from_csv(text, str(path)) if form == "csv" else _from_json_lines(text, str(path))


def delimiter_of(names: str) -> str:
    """What stands between the cells of CSV, by the line with the names of its columns: commas, semicolons or tabs.

    >>> delimiter_of("shoe;cards;winner"), delimiter_of("bet")
    (';', ',')
    """
    return max(_DELIMITERS, key=names.count)


def _from_csv(text: str, name: str) -> Rows:
    names = next((line for line in text.split("\n") if line.strip()), "")
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(names), strict=True)
        lines = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise BadTable(f"{name}: this is not CSV: {error}.") from None
    if not lines:
        raise BadTable(f"{name}: there is no line with the names of columns.")
    columns = tuple(each.strip() for each in lines[0][1])
    if len(set(columns)) < len(columns):
        twice = next(each for each in columns if columns.count(each) > 1)
        raise BadTable(f"{name}: two columns are called {twice!r}.")
    rows = []
    for at, row in lines[1:]:
        if len(row) != len(columns):
            raise BadTable(f"{name}, line {at}: there are {len(row)} cells, and {len(columns)} columns.")
        rows.append(tuple(_without_apostrophe(cell.strip()) or None for cell in row))
    return Rows(columns, tuple(rows))


def _from_json_lines(text: str, name: str) -> Rows:
    records = []
    for at, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            each = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = "too much lies within one another" if isinstance(error, RecursionError) else error
            raise BadTable(f"{name}, line {at}: this is not JSON: {why}.") from None
        if not isinstance(each, dict):
            raise BadTable(f"{name}, line {at}: a row is an object, with a name for every value.")
        records.append({key: _read_cell(value) for key, value in each.items()})
    return of_records(records)


def _from_parquet(file: Path) -> Rows:
    with needs("parquet"):
        polars = import_module("polars")
    if not file.exists():
        raise FileNotFoundError(2, "No such file or directory", str(file))
    try:
        frame = polars.read_parquet(file)
    except (polars.exceptions.PolarsError, OSError):
        raise BadTable(f"{file}: this is not Parquet.") from None
    return Rows(tuple(frame.columns), tuple(tuple(map(_read_cell, row)) for row in frame.rows()))


def _read_cell(value: Any) -> Cell:
    return tuple(map(str, value)) if isinstance(value, list) else cast("Cell", value)


def safe_in_csv(text: str) -> str:
    """Text for CSV that no spreadsheet runs: what could be a formula, and is no number, begins with an apostrophe.

    >>> [safe_in_csv(each) for each in ("ann", "-10.50", "=1+1", "\uff1d1+1")]
    ['ann', '-10.50', "'=1+1", "'\uff1d1+1"]
    """
    bare = text.lstrip("'")  # so that what begins with apostrophes already is read back as it was
    return f"'{text}" if bare.startswith(_FORMULA) and not _NUMBER.fullmatch(bare) else text


def _without_apostrophe(text: str) -> str:
    """Text as it was before it was made safe."""
    return text[1:] if text.startswith("'") and safe_in_csv(text[1:]) == text else text


def _written(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    text = " ".join(cell) if isinstance(cell, tuple) else cell
    return safe_in_csv(text) if isinstance(text, str) else text


def _columns(table: Rows) -> dict[str, list[Any]]:
    """The table by column, as data frames are made; several words are a list."""
    return {
        name: [list(cell) if isinstance(cell, tuple) else cell for cell in table.column(name)] for name in table.columns
    }


def _frame(polars: Any, table: Rows) -> Any:
    """A data frame of Polars. A column without a value is text, and of several words a list of text, empty or not."""
    types = {
        name: polars.List(polars.String) if any(isinstance(cell, tuple) for cell in cells) else polars.String
        for name, cells in ((name, table.column(name)) for name in table.columns)
        if all(cell is None or isinstance(cell, tuple) for cell in cells)
    }
    return polars.DataFrame(_columns(table), schema_overrides=types, strict=False)


def html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML, everything in it escaped; numbers stand on the right.

    >>> html_table("Edges", ["bet"], [["tie"]])[:47]
    '<table><caption style="text-align:left"><strong'
    """
    caption = f'<caption style="{_LEFT}"><strong>{escape(title)}</strong></caption>' if title else ""
    head = "".join(f'<th style="{_LEFT}">{escape(str(name))}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(cell: object) -> str:
    if cell is None:
        return "<td></td>"
    if isinstance(cell, tuple):
        cell = ", ".join(map(str, cell))
    number = isinstance(cell, int | float) and not isinstance(cell, bool)
    shown = f"{cell:.6g}" if isinstance(cell, float) else str(cell)
    return f'<td style="{_RIGHT if number else _LEFT}">{escape(shown)}</td>'


guard(globals())
