"""`punto settle`: rounds as JSON Lines in, their settlement out."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from punto.messages import say

_CHUNK = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def settle(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="JSON Lines, a round a line; else standard input.")
    ] = None,
) -> None:
    """Settle rounds: one line of JSON a round in, one line out, in the same order.

    A faulty round becomes {"error": …, "line": …} in its place, all others are still settled, and
    the exit status is 1.
    """
    from punto.rulebook import Refused
    from punto.settlement.rounds import settle_lines

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
