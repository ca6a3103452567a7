"""`punto lint`: what is wrong or remarkable in a rulebook."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.output import Book, Json, Table, check_table, counted, print_json, write_table

if TYPE_CHECKING:
    from punto.lint import Finding
    from punto.rulebook import BadBook


class LintFormat(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


def lint(
    book: Book,
    strict: Annotated[bool, typer.Option("--strict", help="Findings, too, make the exit status 1.")] = False,
    format: Annotated[  # noqa: A002 - the name of the option
        LintFormat,
        typer.Option(
            metavar="text|json|sarif|github", help="How it is printed: github is for the annotations of a workflow."
        ),
    ] = LintFormat.TEXT,
    output: Table = None,
    json: Json = False,
) -> None:
    """Check a rulebook. Faults make the exit status 1; findings only with --strict."""
    from punto.lint import lint as check
    from punto.rulebook import BadBook, load

    check_table(output)
    form = LintFormat.JSON if json else format
    found: list[Finding] | BadBook
    try:
        found = check(load(book))
    except BadBook as error:
        found = error
    write_table(output, _records(found), _COLUMNS)
    if form in (LintFormat.SARIF, LintFormat.GITHUB):
        _report(found, book, form)
    elif isinstance(found, BadBook):
        _tell_faults(found, form)
    else:
        _tell(found, form)
    if isinstance(found, BadBook) or any(strict or each.severity == "fault" for each in found):
        raise typer.Exit(1)


def _report(found: "list[Finding] | BadBook", book: str, form: LintFormat) -> None:
    from importlib.metadata import version

    from punto.lint.formats import github, of_faults, of_findings, sarif

    remarks = of_findings(found, book) if isinstance(found, list) else of_faults(found.faults)
    if form is LintFormat.SARIF:
        print_json(sarif(remarks, version("punto")))
    elif remarks:
        typer.echo(github(remarks))


_COLUMNS = ("severity", "kind", "file", "line", "where", "says", "clause", "readings")


def _records(found: "list[Finding] | BadBook") -> list[dict[str, Any]]:
    """Findings, or the faults of a file that cannot be loaded, as rows of a table."""
    if isinstance(found, list):
        return [{name: getattr(each, name) for name in _COLUMNS} for each in found]
    return [{name: each[name] for name in _COLUMNS} for each in _faults(found)]


def _faults(error: "BadBook") -> list[dict[str, Any]]:
    return [
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


def _tell_faults(error: "BadBook", form: LintFormat) -> None:
    if form is LintFormat.TEXT:
        for fault in error.faults:
            typer.echo(f"fault: {fault}")
        return
    print_json(_faults(error))


def _tell(found: "list[Finding]", form: LintFormat) -> None:
    if form is LintFormat.JSON:
        print_json(found)
        return
    for each in found:
        typer.echo(str(each))
    faults = sum(each.severity == "fault" for each in found)
    typer.echo(f"{counted(faults, 'fault')}, {counted(len(found) - faults, 'finding')}")
