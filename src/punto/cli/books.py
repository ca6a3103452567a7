"""`punto rulebooks` and `punto diff`: which books there are, and how they differ."""

from typing import Annotated

import typer

from punto.cli.output import Json, counted, print_json, print_table, span


def rulebooks(json: Json = False) -> None:
    """List the rulebooks that come with Punto."""
    from punto.rulebook import ids, load

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
