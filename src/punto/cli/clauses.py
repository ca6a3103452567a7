"""`punto clauses`: every clause, whether it is enforced, and by which tests that is shown."""

from collections import Counter
from typing import Annotated

import typer

from punto.cli.output import Json, print_json, print_table


def clauses(
    book: Annotated[str | None, typer.Argument(metavar="BOOK", help="One book; else all.")] = None,
    status: Annotated[str | None, typer.Option(help="Only enforced, physical, heading or open ones.")] = None,
    json: Json = False,
) -> None:
    """Print the trace: which clause is enforced, and which tests show it."""
    from punto.rulebook import Refused, ids, index_for, load
    from punto.rulebook import status as status_of
    from punto.rulebook import tests as tests_of

    if status not in (None, "enforced", "physical", "heading", "open"):
        raise Refused(f"There is no status {status!r}; they are enforced, physical, heading and open.")
    books = [load(name) for name in (ids() if book is None else (book,))]
    index = {each.id: index_for(each.id, each.file) for each in books}
    known = [clause for each in index.values() for clause in each.values()]
    if not known:
        raise Refused(f"There is no clause index for {books[0].id!r}.")
    found = [clause for clause in known if status in (None, status_of(clause))]
    if json:
        print_json(
            [
                {
                    "rulebook": clause.rulebook,
                    "clause": clause.clause,
                    "kind": clause.kind,
                    "status": status_of(clause),
                    "tests": tests_of(clause),
                    "summary": clause.summary,
                }
                for clause in found
            ]
        )
        return
    for name, own in index.items():
        rows = [clause for clause in found if clause.rulebook == name]
        count = Counter(status_of(clause) for clause in own.values())
        said = ", ".join(f"{number} {each}" for each, number in sorted(count.items()))
        print_table(
            f"{name}: {len(own)} clauses, {said}",
            ["clause", "kind", "status", "tests", "summary"],
            [
                (clause.clause, clause.kind, status_of(clause), len(tests_of(clause)) or "", clause.summary)
                for clause in rows
            ],
        )
