"""`punto cover`: which parts of a book its stories reach."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Book, Json, Table, check_table, counted, print_json, print_table, write_table
from punto.cli.scenario import scenario_files, scenario_text

if TYPE_CHECKING:
    from punto.scenario import CoveredBook, Kind


def cover(
    book: Book,
    files: Annotated[list[Path], typer.Argument(metavar="SCENARIO", help="Scenario files, or folders of them.")],
    least: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SHARE", help="Exit status 1 under this share of a kind: 80%, or pay-rows=100%; may be repeated."
        ),
    ] = None,
    missing: Annotated[bool, typer.Option("--missing", help="Name everything that no story reaches.")] = False,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report.")] = None,
    output: Table = None,
    json: Json = False,
) -> None:
    """Play stories, and tell which clauses, rows, cells, guards and choices of a book they reach."""
    from punto.rulebook import load
    from punto.scenario import cover as look
    from punto.scenario import coverage_junit, read

    check_table(output)
    wanted = _wanted(least or [])
    found = look(load(book), [read(scenario_text(file), str(file)) for file in scenario_files(files)])
    wanting = frozenset(
        kind for kind, (reached, every) in found.kinds().items() if Fraction(reached, every) < wanted.get(kind, 0)
    )
    if junit is not None:
        junit.write_bytes(coverage_junit(found, wanting))
    items = ((kind, *item) for kind in found.kinds() for item in found.items(kind).items())
    rows = ({"kind": kind, "name": name, "stories": list(files)} for kind, name, files in items)
    write_table(output, rows, ("kind", "name", "stories"))
    if json:
        print_json(_as_json(found))
    else:
        _show(found, wanting, missing)
    if wanting or not found.as_told:
        raise typer.Exit(1)


def _wanted(least: list[str]) -> "dict[Kind, Fraction]":
    """The share that is wanted of each kind; one named by itself goes before one for all."""
    from punto.rulebook.figures import Figure
    from punto.scenario import KINDS

    wanted: dict[Kind, Fraction] = {}
    for each in sorted(least, key=lambda text: "=" in text):
        name, equals, share = each.rpartition("=")
        kinds = [kind for kind in KINDS if not equals or kind == name]
        try:
            value = Figure.of(share).value
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        if value > 1:
            raise typer.BadParameter(f"{share} is more than all of them: write a share like 80% or 0.8.")
        if not kinds:
            raise typer.BadParameter(f"There is no kind {name!r}; they are {', '.join(KINDS)}.")
        wanted.update(dict.fromkeys(kinds, value))
    return wanted


def _show(found: "CoveredBook", wanting: "frozenset[Kind]", missing: bool) -> None:
    rows = [
        (kind, reached, every, f"{reached / every:.1%}", "too few" if kind in wanting else "")
        for kind, (reached, every) in found.kinds().items()
    ]
    print_table(None, ["kind", "reached", "of", "share", ""], rows)
    for played in found.played:
        if not played.as_told:
            typer.echo(f"OTHERWISE {played.scenario.file}: {played.scenario.title}")
    if missing:
        for kind in found.kinds():
            for name, files in found.items(kind).items():
                if not files:
                    typer.echo(f"not reached: {kind}: {name}")
    told = sum(each.as_told for each in found.played)
    typer.echo(f"{told} of {counted(len(found.played), 'scenario')} as told.")


def _as_json(found: "CoveredBook") -> dict[str, object]:
    return {
        "rulebook": found.book.id,
        "digest": found.book.digest,
        "stories": [{"file": each.scenario.file, "as_told": each.as_told} for each in found.played],
        "kinds": {
            kind: {
                "reached": reached,
                "of": every,
                "items": [{"name": name, "stories": list(files)} for name, files in found.items(kind).items()],
            }
            for kind, (reached, every) in found.kinds().items()
        },
    }
