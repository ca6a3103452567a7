"""`punto rulebooks` and `punto diff`: which books there are, and how they differ."""

from typing import Annotated

import typer

from punto.cli.output import Json, counted, print_json, print_table, span


def rulebooks(
    superseded: Annotated[
        bool, typer.Option("--superseded", help="List earlier editions, which are found by their digests.")
    ] = False,
    json: Json = False,
) -> None:
    """List the rulebooks that come with Punto, or their earlier editions."""
    from punto.rulebook import ids, load

    if superseded:
        _print_superseded(json)
        return
    books = [load(name) for name in ids()]
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
    print_table(
        None,
        ["id", "title", "operator", "version", "in effect since", "layouts"],
        [
            (
                book.id,
                book.title,
                book.operator,
                book.version,
                f"{book.effective:%Y-%m-%d}",
                span(list(book.layouts)),
            )
            for book in books
        ],
    )


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


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A rulebook: its id or a TOML file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    layouts: Annotated[
        str | None, typer.Option(metavar="L,M", help="Compare layout L of A with layout M of B.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare two books, or two versions of one, point by point."""
    from punto.rulebook import load
    from punto.rulebook.differences import differences

    one, other = load(a), load(b)
    first, _, second = (layouts or "").partition(",")
    found = differences(one, other, first.strip() or None, second.strip() or first.strip() or None)
    if json:
        print_json(found)
        return
    if not found:
        typer.echo("No difference.")
        return
    print_table(
        counted(len(found), "difference"),
        ["point", f"{one.id} {first}".strip(), f"{other.id} {second}".strip()],
        [(each.point, _said(each.a.value, each.a.clauses), _said(each.b.value, each.b.clauses)) for each in found],
    )


def _said(value: str, clauses: tuple[str, ...]) -> str:
    return f"{value} [{', '.join(clauses)}]" if clauses else value
