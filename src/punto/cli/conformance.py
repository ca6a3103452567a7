"""`punto conformance`: a kit of cases from a book, a runner for any program, and Punto's own answers."""

import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Book, Json, counted, print_json

if TYPE_CHECKING:
    from punto.conformance import CaseVerdict

app = typer.Typer(no_args_is_help=True, help="Conformance kits: cases from a book that other systems are held to.")


@app.command()
def make(
    book: Book,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the kit is written.")],
    states: Annotated[
        int, typer.Option(min=1, metavar="N", help="In how many states of small tables stories are looked for.")
    ] = 40,
    chosen: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="How many of the chosen stories are told; else all.")
    ] = None,
    json: Json = False,
) -> None:
    """Write the kit of a book: rounds and stories as JSON Lines, with the answers that the book gives."""
    from punto.conformance import write_kit
    from punto.rulebook import load, source, whole

    kit = write_kit(load(book), whole(source(book), book), output, states, chosen)
    if json:
        print_json(kit)
        return
    covered = kit.coverage
    typer.echo(
        f"{kit.rounds} rounds and {kit.stories} stories: {covered.pay_rows} pay rows of layouts, {covered.cells} "
        f"prices of insurance, {covered.irregularity_rows_reached} of {covered.irregularity_rows} rows about "
        "irregularities."
    )
    for each in covered.not_reached:
        typer.echo(f"not reached: {each}")


@app.command()
def run(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A kit.")],
    program: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="A program that answers on standard output.")
    ] = None,
    url: Annotated[str | None, typer.Option(metavar="URL", help="An address that answers a POST.")] = None,
    report: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report.")] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="A key of the answers not to be looked at, such as clauses; may be repeated."),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="How long an answer may take.")] = 30.0,
) -> None:
    """Hold a program against a kit; exit status 1 if one answer is not what the book says."""
    from punto.conformance import by_http, by_program, junit, keys_left_out, read_kit
    from punto.conformance import run as run_kit
    from punto.messages import say
    from punto.rulebook import Refused

    kit, cases = read_kit(folder)
    left_out = keys_left_out(cases, leave_out or ())
    if (program is None) == (url is None):
        raise Refused(say("program-or-url", "Name either a program or a URL."))
    asking = nullcontext(by_http(url, timeout)) if url is not None else by_program(_words(program or ""), timeout)
    with asking as ask:
        verdicts = list(run_kit(cases, ask, left_out, timeout))
    if report is not None:
        report.write_bytes(junit(kit, verdicts))
    _tell(verdicts)


def _words(program: str) -> list[str]:
    """A command line in words, as a shell would take it apart."""
    from punto.messages import say
    from punto.rulebook import Refused

    try:
        words = shlex.split(program)
    except ValueError:
        words = []
    if not words:
        raise Refused(say("no-command-line", "{program:quoted} is no command line.", program=program))
    return words


def _tell(verdicts: "list[CaseVerdict]") -> None:
    failed = [each for each in verdicts if each.wrong is not None]
    for each in failed[:20]:
        typer.echo(f"{each.case.id} ({', '.join(each.case.shows)}): {each.wrong}")
    if len(failed) > 20:
        typer.echo(f"and {len(failed) - 20} more")
    typer.echo(f"{len(verdicts) - len(failed)} of {counted(len(verdicts), 'case')} as the book says.")
    if failed:
        raise typer.Exit(1)


@app.command()
def answer(
    book: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A book of your own, known by its id; may be repeated.")
    ] = None,
) -> None:
    """Answer questions: one line of JSON in, one out. An example of a program that a kit can be run against."""
    from punto.conformance import Answers
    from punto.rulebook import load

    answers = Answers([load(str(each)) for each in book or ()])
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(answers.line(line) + b"\n")
        sys.stdout.buffer.flush()
