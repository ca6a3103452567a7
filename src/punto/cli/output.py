"""How verbs print: tables for people, JSON for programs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from punto.tabular import Rows

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


def _books() -> list[str]:
    """What a shell completes a book's id to."""
    from punto.rulebook import ids

    return list(ids())


Book = Annotated[
    str, typer.Argument(metavar="BOOK", help="The id of a rulebook, or a TOML file.", autocompletion=_books)
]
Table = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Also write this as a table: .csv, .jsonl or .parquet."),
]
Layout = Annotated[str | None, typer.Option("--layout", metavar="L", help="A layout of the book; else the first.")]
Decks = Annotated[
    int | None,
    typer.Option(
        "--decks", metavar="N", help="Decks in the shoe, 1 to 12; else 8, or the nearest that the book allows."
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="sqlite:///file.db or postgresql://…; else as the settings say, else sqlite:///punto.db."
    ),
]
Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Settings as TOML; else those of the environment alone.")
]


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table as a person would read it: whole on a wide screen, on a narrow one with words on further lines.

    No figure and no id is broken while they fit. Where the screen is too narrow for that, the columns of a row stand
    below one another.
    """
    from rich.text import Text

    cells = [[cell if isinstance(cell, Text) else Text(str(cell)) for cell in row] for row in rows]
    screen = console()
    found = fitting([columns, *([cell.plain for cell in row] for row in cells)], screen.width)
    if found is None:
        _print_blocks(screen, title, columns, cells)
        return
    from rich import box
    from rich.table import Table

    gap, widths = found
    padding = (0, gap // 2, 0, (gap - 1) // 2)
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False, padding=padding
    )
    for column, width in zip(columns, widths, strict=True):
        table.add_column(column, overflow="fold", width=width)
    for row in cells:
        table.add_row(*row)
    screen.print(table)


def _print_blocks(screen: Any, title: str | None, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print every row as lines of `column: cell`."""
    if title is not None:
        screen.print(title, style="bold", markup=False)
    for row in rows:
        screen.print()
        for column, cell in zip(columns, row, strict=True):
            if cell.plain:
                screen.print(f"{column}: " if column else "", cell, sep="", markup=False)
    screen.print()


_LONGEST_WORD = 25
"""What is longer than that, a digest or a path, may be broken; so may any text of wide letters."""

_WORD = re.compile(r"\S+")


def fitting(lines: Sequence[Sequence[str]], screen: int) -> tuple[int, list[int]] | None:
    """How wide the gap between columns is, and each column, where a table fits the screen; else None.

    >>> fitting([["bet", "when"], ["Small Tiger", "Banker wins on 6 with two cards"]], 80)
    (3, [11, 31])
    >>> fitting([["bet", "when"], ["Small Tiger", "Banker wins on 6 with two cards"]], 30)
    (3, [11, 14])
    >>> fitting([["bet", "when"], ["Small Tiger", "Banker wins on 6 with two cards"]], 12) is None
    True
    """
    from rich.cells import cell_len

    def least(text: str) -> int:
        words = _WORD.findall(text)
        return max((min(len(word), _LONGEST_WORD) if cell_len(word) == len(word) else 2 for word in words), default=1)

    whole = [max(map(cell_len, cells)) for cells in zip(*lines, strict=True)]
    narrow = [min(full, max(map(least, cells))) for full, cells in zip(whole, zip(*lines, strict=True), strict=True)]
    for gap in (3, 2, 1):
        room = screen - 2 - gap * (len(whole) - 1)
        if sum(whole) <= room:
            return gap, whole
        if sum(narrow) <= room:
            return gap, _shared(whole, narrow, room)
    return None


def _shared(whole: Sequence[int], narrow: Sequence[int], room: int) -> list[int]:
    """Widths that fit the room: columns get more, one after the other the narrowest first, until nothing is left."""
    widths = list(narrow)
    for _ in range(room - sum(narrow)):
        wanting = [at for at, width in enumerate(widths) if width < whole[at]]
        widths[min(wanting, key=widths.__getitem__)] += 1
    return widths


def console() -> Any:
    """The terminal, as wide as it is or as `COLUMNS` says; 120 columns where neither tells."""
    import os
    import sys

    from rich.console import Console

    told = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(width=None if told else 120, highlight=False)


def check_table(output: Path | None, of: str | None = None) -> None:
    """Say before a run, not after it, that a file cannot be a table, or cannot be written."""
    if output is None:
        if of is not None:
            raise typer.BadParameter("--of says which table is written: name its file with --output.")
        return
    from importlib import import_module

    from punto.extras import needs
    from punto.tabular import form_of

    if form_of(output) == "parquet":
        with needs("parquet"):
            import_module("polars")
    check_place(output)


def check_place(file: Path | None) -> None:
    """Say before a run, not after it, that a file cannot be written where it should be."""
    import errno
    import os

    if file is None:
        return
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    if not file.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))


def write_table(output: Path | None, table: "Rows | Iterable[Mapping[str, Any]]", columns: Sequence[str] = ()) -> None:
    """Write a table, or records as one, where that was asked for; say so where it does not spoil what is printed."""
    if output is None:
        return
    from punto.tabular import Rows, of_records

    rows = table if isinstance(table, Rows) else of_records(table, columns=columns)
    rows.write(output)
    typer.echo(f"{output}  {counted(len(rows.rows), 'row')}", err=True)


def percent(edge: Fraction) -> str:
    """A house edge; what favours the patron is marked with a star."""
    return f"{float(edge):.4%}" + (" *" if edge < 0 else "")


def counted(number: int, word: str, by: str = "") -> str:
    """`1 fault`, `2000 faults`; `by` a comma `2,000 faults`."""
    return f"{number:{by}} {word}" + ("" if number == 1 else "s")


def span(names: Sequence[str]) -> str:
    """`A-F` for the layouts A to F; names that are no letters or numbers one by one.

    >>> span(["A", "B", "C"]), span(["plain", "pairs"])
    ('A-C', 'plain, pairs')
    """
    if len(names) == 1 or any(len(name) > 1 and not name.isdecimal() for name in names):
        return ", ".join(names)
    return f"{names[0]}-{names[-1]}"
