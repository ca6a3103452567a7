"""`punto rulebooks`: which books there are."""

from punto.cli.output import Json, print_json, print_table, span


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
