"""`punto clauses`: every clause, whether it is enforced, and by which tests that is shown."""

from collections import Counter
from typing import Annotated

import typer

from punto.cli.output import Json, print_json, print_table
from punto.messages import say


def clauses(
    book: Annotated[str | None, typer.Argument(metavar="BOOK", help="One book; else all.")] = None,
    status: Annotated[str | None, typer.Option(help="Only enforced, physical, heading or open ones.")] = None,
    json: Json = False,
) -> None:
    """Print the trace: which clause is enforced, and which tests show it."""
    from punto.rulebook import Refused, ids, index_for, load, tests

    if status not in (None, "enforced", "physical", "heading", "open"):
        raise Refused(
            say(
                "no-such-status",
                "There is no status {status:quoted}; they are enforced, physical, heading and open.",
                status=status,
            )
        )
    books = [load(name) for name in (ids() if book is None else (book,))]
    index = {each.id: index_for(each.id, each.file) for each in books}
    known = [clause for each in index.values() for clause in each.values()]
    if not known:
        raise Refused(say("no-clause-index", "There is no clause index for {book:quoted}.", book=books[0].id))
    # The tests speak for the files that ship, not for an altered copy of one.
    shipped = {each.id for each in books if each.id in ids() and load(each.id).digest == each.digest}
    shown = {id(clause): tests(clause) if clause.rulebook in shipped else [] for clause in known}
    standing = {
        id(clause): clause.nature if clause.nature != "rule" else "enforced" if shown[id(clause)] else "open"
        for clause in known
    }
    found = [clause for clause in known if status in (None, standing[id(clause)])]
    if json:
        print_json(
            [
                {
                    "rulebook": clause.rulebook,
                    "clause": clause.clause,
                    "kind": clause.kind,
                    "status": standing[id(clause)],
                    "tests": shown[id(clause)],
                    "summary": clause.summary,
                }
                for clause in found
            ]
        )
        return
    for name, own in index.items():
        rows = [clause for clause in found if clause.rulebook == name]
        count = Counter(standing[id(clause)] for clause in own.values())
        said = ", ".join(f"{number} {each}" for each, number in sorted(count.items()))
        print_table(
            f"{name}: {len(own)} clauses, {said}",
            ["clause", "kind", "status", "tests", "summary"],
            [
                (clause.clause, clause.kind, standing[id(clause)], len(shown[id(clause)]) or "", clause.summary)
                for clause in rows
            ],
        )
