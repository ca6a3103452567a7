"""`punto clauses`: every clause, the word that it has earned, and by which tests and which change that is shown."""

import csv
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from punto.cli.output import Json, Table, check_table, counted, print_json, print_table, write_table


class Told(NamedTuple):
    """What is known of one clause; `proof` is a change that breaks it and a test that then fails."""

    rulebook: str
    clause: str
    kind: str
    status: str
    tests: list[str]
    proof: dict[str, str] | None
    summary: str


def clauses(
    book: Annotated[str | None, typer.Argument(metavar="BOOK", help="One book; else all.")] = None,
    status: Annotated[
        str | None, typer.Option(help="Only enforced, stated, physical, heading or drawing ones; else all.")
    ] = None,
    add: Annotated[
        bool, typer.Option("--add", help="Write what a book of your own names and its index lacks into the index.")
    ] = False,
    output: Table = None,
    json: Json = False,
) -> None:
    """Print which clause is enforced, which tests show it, and the change that proves it."""
    from punto.messages import say
    from punto.rulebook import STATUSES, Refused, ids, load

    check_table(output)
    if status not in (None, *STATUSES):
        raise Refused(
            say(
                "no-such-status",
                "There is no status {status:quoted}; they are {statuses:and}.",
                status=status,
                statuses=list(STATUSES),
            )
        )
    if add:
        _add(book)
        return
    books = [load(name) for name in (ids() if book is None else (book,))]
    known = {each.id: _told(each) for each in books}
    if not any(known.values()):
        raise Refused(say("no-clause-index", "There is no clause index for {book:quoted}.", book=books[0].id))
    shown = {name: [each for each in own if status in (None, each.status)] for name, own in known.items()}
    write_table(output, (_flat(each) for own in shown.values() for each in own), _COLUMNS)
    if json:
        print_json([each._asdict() for own in shown.values() for each in own])
        return
    counts = {name: Counter(each.status for each in own) for name, own in known.items()}
    for name, own in shown.items():
        said = ", ".join(f"{number} {word}" for word, number in sorted(counts[name].items()))
        print_table(
            f"{name}: {len(known[name])} clauses, {said}",
            ["clause", "kind", "status", "tests", "summary"],
            [(each.clause, each.kind, each.status, len(each.tests) or "", each.summary) for each in own],
        )
    if book is None:
        _print_shares(counts, STATUSES)


_COLUMNS = ("rulebook", "clause", "kind", "status", "tests", "change", "test", "summary")


def _flat(each: Told) -> dict[str, Any]:
    """A clause as a row: how many tests name it, and the change that proves it with the test that then fails."""
    told = each._asdict() | {"tests": len(each.tests)} | (each.proof or {})
    return {name: told.get(name) for name in _COLUMNS}


def _told(book: Any) -> list[Told]:
    """What is known of the clauses of a book. Tests and proofs speak for what ships, not for an altered copy."""
    from punto.rulebook import ids, index_for, load, proofs, tests
    from punto.rulebook import status as earned

    ships = book.id in ids() and load(book.id).digest == book.digest
    found = []
    for clause in index_for(book.id, book.file).values():
        proof = proofs().get(book.id, {}).get(clause.clause) if ships else None
        found.append(
            Told(
                clause.rulebook,
                clause.clause,
                clause.kind,
                earned(clause) if ships or clause.nature != "rule" else "stated",
                tests(clause) if ships else [],
                None if proof is None else {"change": proof.change, "test": proof.test},
                clause.summary,
            )
        )
    return found


# An index of one's own


_KINDS = {"bets": "bet", "pays": "settlement", "layouts": "layout", "betting": "betting", "limits": "betting"}
"""What the kind of a clause is called by the table of the file that names it first; else as the table itself."""


def _add(name: str | None) -> None:
    """Write into the index beside a file, or into a new one, a line for every clause that it lacks."""
    from punto.lint import missing_clauses
    from punto.messages import say
    from punto.rulebook import Refused, ids, load
    from punto.rulebook.places import shown

    if name is None:
        raise Refused(say("no-book-to-index", "Name the file of a book of your own."))
    book = load(name)
    if book.id in ids() or not name.endswith(".toml"):
        says = say(
            "index-is-kept",
            "Only a book in a file, with an id of its own, has an index of its own; that of {book:quoted} is kept.",
            book=book.id,
        )
        raise Refused(says)
    index = Path(name).with_suffix(".clauses.csv")
    lines = [
        (clause, _KINDS.get(str(at[0]), str(at[0])), "rule", f"To be told: what {shown(book, at)} rests on")
        for clause, at in missing_clauses(book).items()
    ]
    if not lines:
        typer.echo(f"{index} has every clause that {name} names.")
        return
    known = index.read_text(encoding="utf-8") if index.exists() else "clause,kind,nature,summary\n"
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    index.write_text(known + "\n" * (not known.endswith("\n")) + out.getvalue(), encoding="utf-8")
    typer.echo(f"{index} has {counted(len(lines), 'clause')} more: {', '.join(line[0] for line in lines)}.")


def _print_shares(counts: dict[str, Counter[str]], words: Sequence[str]) -> None:
    """How many clauses of each book have earned each word, and the share of its rules that is enforced."""
    whole: Counter[str] = sum(counts.values(), Counter())
    rows = []
    for name, count in (*counts.items(), ("all", whole)):
        rules = count["enforced"] + count["stated"]
        rows.append((name, *(count[each] or "" for each in words), f"{100 * count['enforced'] / rules:.1f}%"))
    print_table("How many of the rules are enforced", ["book", *words, "share"], rows)
