"""How verbs print: tables for people, JSON for programs."""

from collections.abc import Iterable, Sequence
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
    typer.Option("--output", "-o", metavar="FILE", help="Also write the figures as a table: .csv, .jsonl or .parquet."),
]
Layout = Annotated[str | None, typer.Option("--layout", metavar="L", help="A layout of the book; else the first.")]


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table as a person would read it; on a wide or unknown screen nothing is cut."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    console().print(table)


def console() -> Any:
    """The terminal, or 120 columns where there is none."""
    import sys

    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


def check_table(output: Path | None) -> None:
    """Say before a run, not after it, that a file cannot be a table."""
    if output is not None:
        from punto.tabular import form_of

        form_of(output)


def write_table(output: Path | None, table: "Rows") -> None:
    """Write figures where that was asked for, and say so where it does not spoil what is printed."""
    if output is not None:
        table.write(output)
        typer.echo(f"{output}  {counted(len(table.rows), 'row')}", err=True)


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
