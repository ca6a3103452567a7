"""`punto rulebooks`: which books there are."""

from typing import Annotated

import typer

from punto.cli.output import Json, counted, print_json, print_table, span


def rulebooks(
    superseded: Annotated[
        bool, typer.Option("--superseded", help="List earlier editions, which are found by their digests.")
    ] = False,
    games: Annotated[bool, typer.Option("--games", help="List the public games, which are no approved texts.")] = False,
    json: Json = False,
) -> None:
    """List the rulebooks that come with Punto, their earlier editions, or the public games."""
    from punto.rulebook import games as public
    from punto.rulebook import ids, load

    if superseded:
        _print_superseded(json)
        return
    books = [load(name) for name in (public() if games else ids())]
    if json:
        print_json(
            [
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
        )
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


def _print_superseded(json: bool) -> None:
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
    if json:
        print_json(
            [
                {"rulebook": each.book, "digest": each.digest, "since": each.since.isoformat(), "readable": not why}
                for each, why in rows
            ]
        )
        return
    for each, why in rows:
        read = f"text only: {why}" if why else "read by this release"
        typer.echo(f"{each.book:<22}{each.since:%Y-%m-%d %H:%M}  {each.digest}  {read}")
