"""`punto settle`: rounds as JSON Lines in, their settlement out."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from punto.cli.output import counted

_CHUNK = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def settle(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="JSON Lines, a round a line, or a table of wagers; else standard input."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Of a table: .csv, .jsonl or .parquet; else CSV is printed."
        ),
    ] = None,
) -> None:
    """Settle rounds: one line of JSON a round in, one line out, in the same order.

    A faulty round becomes {"error": …, "line": …} in its place, all others are still settled, and
    the exit status is 1. A file that ends in .csv or .parquet is a table with a wager a row, and comes out with what
    every wager comes to.
    """
    from punto.messages import say

    if output is not None or (file is not None and file.suffix.lower() in (".csv", ".parquet")):
        _settle_table(file, output)
        return
    from punto.rulebook import Refused
    from punto.settlement.rounds import settle_lines

    if file is not None and file.suffix.lower() == ".toml":
        raise typer.BadParameter(f'{file} is a rulebook: each round names its own, as in {{"rulebook": "{file}", …}}.')
    well = True
    if file is None or str(file) == "-":
        if sys.stdin is None:
            raise Refused(say("no-standard-input", "There is no standard input to read rounds from."))
        source: BinaryIO = sys.stdin.buffer
    else:
        source = file.open("rb")
    with source:
        for answer, settled in settle_lines(_lines(source)):
            sys.stdout.buffer.write(answer + b"\n")
            well &= settled
    sys.stdout.buffer.flush()
    if not well:
        raise typer.Exit(1)


def _settle_table(file: Path | None, output: Path | None) -> None:
    """Settle a table of wagers; a row that cannot be settled says why, and the exit status is 1."""
    from punto.settlement.tables import settle_table
    from punto.tabular import form_of, read

    if file is None:
        raise typer.BadParameter("--output goes with a table of wagers: name its file.")
    if output is not None:
        form_of(output)
    table, faulty = settle_table(read(file))
    if output is None:
        typer.echo(table.csv_text(), nl=False)
    else:
        table.write(output)
        typer.echo(f"{output}  {counted(len(table.rows), 'wager')}, {faulty} not settled")
    if faulty:
        raise typer.Exit(1)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of the input as they come; what is answered goes out before waiting for more."""
    held = b""
    while chunk := os.read(source.fileno(), _CHUNK):
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            yield line.removeprefix(_BYTE_ORDER_MARK)
        sys.stdout.buffer.flush()
    if held:
        yield held.removeprefix(_BYTE_ORDER_MARK)
