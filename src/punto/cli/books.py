"""`punto rulebooks`: which books there are."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.output import Json, Table, check_table, counted, print_json, print_table, span, write_table


def rulebooks(
    superseded: Annotated[
        bool, typer.Option("--superseded", help="List earlier editions, which are found by their digests.")
    ] = False,
    games: Annotated[bool, typer.Option("--games", help="List the public games, which are no approved texts.")] = False,
    output: Table = None,
    json: Json = False,
) -> None:
    """List the rulebooks that come with Punto, their earlier editions, or the public games."""
    from punto.rulebook import games as public
    from punto.rulebook import ids, load

    check_table(output)
    if superseded and games:
        raise typer.BadParameter("--superseded lists editions of the books, --games other games: give one of them.")
    if superseded:
        _print_superseded(output, json)
        return
    books = [load(name) for name in (public() if games else ids())]
    told = [
        {
            "rulebook": book.id,
            "title": book.title,
            "operator": book.operator,
            "version": book.version,
            "effective": book.effective.isoformat(),
            "layouts": list(book.layouts),
            "digest": book.digest,
        }
        for book in books
    ]
    write_table(output, told)
    if json:
        print_json(told)
        return
    rows = [
        (book.id, book.title, book.operator, book.version, f"{book.effective:%Y-%m-%d}", span(list(book.layouts)))
        for book in books
    ]
    if games:  # which have no operator, and no day on which somebody put them in effect
        print_table(None, ["id", "title", "layouts"], [(row[0], row[1], row[-1]) for row in rows])
        return
    print_table(None, ["id", "title", "operator", "version", "in effect since", "layouts"], rows)
    typer.echo(f"Public games, not approved texts (--games): {', '.join(public())}.")


def _print_superseded(output: Path | None, json: bool) -> None:
    """Print every edition that has shipped and was replaced, and whether this release still reads it."""
    from punto.rulebook import BadBook, load
    from punto.rulebook.superseded import superseded

    rows = []
    for each in superseded().values():
        try:
            load(each.digest)
            why = ""
        except BadBook as error:
            why = counted(len(error.faults), "fault")
        rows.append((each, why))
    told = [
        {"rulebook": each.book, "digest": each.digest, "since": each.since.isoformat(), "readable": not why}
        for each, why in rows
    ]
    write_table(output, told)
    if json:
        print_json(told)
        return
    for each, why in rows:
        read = f"text only: {why}" if why else "read by this release"
        typer.echo(f"{each.book:<22}{each.since:%Y-%m-%d %H:%M}  {each.digest}  {read}")
