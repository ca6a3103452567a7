"""Runs over many shoes, as the commands that deal them show, stop and go on with them."""

import shlex
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar

import typer

from punto.cli.output import check_place, counted
from punto.interrupts import answered

if TYPE_CHECKING:
    from punto.exposure import Task
    from punto.simulation import Backend, Job, Ready
    from punto.simulation.shoe_ranges import OfShoes

Cut = Annotated[int, typer.Option(metavar="C", help="The round that leaves fewer cards is the last.")]
Where = Annotated[str, typer.Option(metavar="auto|cpu|gpu|dask", help="Where to deal.")]
Threads = Annotated[int | None, typer.Option(metavar="T", help="Threads, or local workers of Dask; else one a core.")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, tcp://host:8786; else local workers.")
]
First = Annotated[int, typer.Option(metavar="N", help="The number of the first shoe.")]

INTERRUPTED = 130
_T = TypeVar("_T", bound="OfShoes")


class Run(NamedTuple, Generic[_T]):
    """A run as far as it came.

    `total` are the counts, also those of an earlier run that it went on from, `fresh` the shoes dealt now and `whole`
    whether those were all. `kept` is the file that holds the counts, if they were to be kept.
    """

    total: _T
    fresh: int
    whole: bool
    seconds: float
    backend: str
    workers: int
    kept: Path | None


def backend_named(name: str, dask: str | None) -> "Backend":
    """The backend that was asked for; the address of a cluster asks for Dask."""
    from punto.simulation import BadDealing

    if name not in ("auto", "cpu", "gpu", "dask"):
        raise BadDealing(f"There is no backend {name!r}; there are auto, cpu, gpu and dask.")
    return "dask" if dask is not None and name == "auto" else name  # type: ignore[return-value]  # one of the four


def deal_missing(
    ready: "Ready[Any]", work: "Job | Task", before: _T | None, save: Path | None, if_stopped: Path, *, show: bool
) -> Run[_T]:
    """Deal the shoes that an earlier run has not dealt, with a bar where a person looks on.

    The counts are kept where they should be saved, and otherwise in a file of their own if the run is stopped.
    """
    check_place(save)
    gaps = [(work.first, work.last)] if before is None else before.missing(work.first, work.last)
    total, fresh, began, whole = before, 0, time.perf_counter(), True
    try:
        with _bar(show) as bar:
            task = bar.add_task("", total=sum(last - first for first, last in gaps))
            for first, last in gaps:
                with closing(ready.pieces(first, last)) as pieces:  # so that Ctrl-C waits here until all workers rest
                    for piece in pieces:
                        bar.advance(task, piece.dealt)
                        total = piece if total is None else total + piece
                        fresh += piece.dealt
    except KeyboardInterrupt:
        answered()
        whole = False
    seconds = time.perf_counter() - began
    if total is None:
        typer.echo("Stopped before anything was dealt.", err=True)
        raise typer.Exit(INTERRUPTED)
    kept = save or (None if whole else if_stopped)
    if kept is not None:
        total.save(kept)
    return Run(total, fresh, whole, seconds, ready.name, ready.workers, kept)


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


def finish(
    verb: str,
    book: str,
    work: "Job | Task",
    run: Run[Any],
    options: dict[str, str | None],
    held: str,
    *,
    flags: tuple[str, ...] = (),
    show: bool,
) -> None:
    """Say in which file the run is; if it was interrupted, say how far it came and which command goes on, and exit."""
    if run.kept is not None and show:
        typer.echo(f"{held} in {run.kept}.")
    if run.whole:
        return
    from punto.rulebook import load

    shoes, dealing = work.last - work.first, work.dealing
    parts = ["punto", verb, book, *flags, "--shoes", str(shoes), "--seed", str(work.seed)]
    parts += [f"{option}={value}" for option, value in options.items() if value is not None]
    for option, value, usual in (
        ("--decks", dealing.decks, load(book).decks.usual),
        ("--cut", dealing.cut, 14),
        ("--burn", dealing.burn, 0),
        ("--rounds", dealing.rounds, None),
        ("--first", work.first, 0),
    ):
        if value != usual:
            parts += [option, str(value)]
    again = shlex.join([*parts, "--resume", str(run.kept), "--save", str(run.kept)])
    typer.echo(f"Stopped after {counted(run.total.dealt, 'shoe')} of {shoes}. To go on: {again}", err=True)
    raise typer.Exit(INTERRUPTED)
