"""Runs over many shoes, as the commands that deal them show, stop and go on with them."""

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from punto.cli.output import counted

if TYPE_CHECKING:
    from punto.simulation import Backend, Dealing, Ready
    from punto.simulation.shoe_ranges import OfShoes, Range

INTERRUPTED = 130
_T = TypeVar("_T", bound="OfShoes")


def backend_named(name: str, dask: str | None) -> "Backend":
    """The backend that was asked for; the address of a cluster asks for Dask."""
    from punto.simulation import BadDealing

    if name not in ("auto", "cpu", "gpu", "dask"):
        raise BadDealing(f"There is no backend {name!r}; there are auto, cpu, gpu and dask.")
    return "dask" if dask is not None and name == "auto" else name  # type: ignore[return-value]  # one of the four


def deal_missing(
    ready: "Ready[Any]", gaps: "list[Range]", total: _T | None, *, show: bool
) -> tuple[_T | None, bool, float]:
    """Deal what is missing, with a bar where a person looks on; whether it came to its end, and how long it took."""
    began, whole = time.perf_counter(), True
    try:
        with _bar(show) as bar:
            task = bar.add_task("", total=sum(last - first for first, last in gaps))
            for first, last in gaps:
                for piece in ready.pieces(first, last):
                    bar.advance(task, piece.dealt)
                    total = piece if total is None else total + piece
    except KeyboardInterrupt:
        whole = False
    return total, whole, time.perf_counter() - began


def _bar(show: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("shoes"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not (show and sys.stderr.isatty()),
    )


def stopped(
    verb: str,
    book: str,
    total: "OfShoes",
    shoes: int,
    seed: int,
    first: int,
    dealing: "Dealing",
    more: dict[str, str | None],
    kept: Path | None,
) -> typer.Exit:
    """Say how far an interrupted run came and which command goes on; the way to end then."""
    parts = ["punto", verb, book, "--shoes", str(shoes), "--seed", str(seed)]
    parts += [f"{option}={value}" for option, value in more.items() if value is not None]
    for option, value, usual in (
        ("--decks", dealing.decks, 8),
        ("--cut", dealing.cut, 14),
        ("--burn", dealing.burn, 0),
        ("--rounds", dealing.rounds, None),
        ("--first", first, 0),
    ):
        if value != usual:
            parts += [option, str(value)]
    again = shlex.join([*parts, "--resume", str(kept), "--save", str(kept)])
    typer.echo(f"Stopped after {counted(total.dealt, 'shoe')} of {shoes}. To go on: {again}", err=True)
    return typer.Exit(INTERRUPTED)
