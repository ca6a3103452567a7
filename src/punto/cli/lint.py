"""`punto lint`: what is wrong or remarkable in a rulebook."""

from typing import Annotated

import typer

from punto.cli.output import Book, Json, counted, print_json


def lint(
    book: Book,
    strict: Annotated[bool, typer.Option("--strict", help="Findings, too, make the exit status 1.")] = False,
    json: Json = False,
) -> None:
    """Check a rulebook. Faults make the exit status 1; findings only with --strict."""
    from punto.lint import lint as check
    from punto.rulebook import BadBook, load

    try:
        found = check(load(book))
    except BadBook as error:
        if json:
            print_json(
                [
                    {
                        "severity": "fault",
                        "kind": "file",
                        "file": each.file,
                        "line": each.line,
                        "where": f"{each.file}:{each.line}: {each.key}",
                        "says": each.says,
                        "clause": None,
                        "readings": [],
                        "message": each.message,
                    }
                    for each in error.faults
                ]
            )
        else:
            for fault in error.faults:
                typer.echo(f"fault: {fault}")
        raise typer.Exit(1) from None
    if json:
        print_json(found)
    else:
        for each in found:
            typer.echo(str(each))
        faults = sum(each.severity == "fault" for each in found)
        typer.echo(f"{counted(faults, 'fault')}, {counted(len(found) - faults, 'finding')}")
    if any(strict or each.severity == "fault" for each in found):
        raise typer.Exit(1)
