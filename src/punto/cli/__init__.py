"""The `punto` command: one thin module a verb. Rooms are loaded by the verb that needs them."""

import sys
from typing import Annotated

import typer

from punto.cli import (
    books,
    cage,
    certify,
    clauses,
    conformance,
    cover,
    demo,
    design,
    diff,
    doctor,
    evidence,
    explain,
    exposure,
    feed,
    fmt,
    journal,
    keys,
    lint,
    messages,
    new,
    odds,
    roads,
    scenario,
    schema,
    serve,
    settle,
    shoe,
    show,
    simulate,
    users,
    watch,
    witness,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"punto {version('punto')}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[  # the callback has answered already
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Approved baccarat rulebooks, executable: every answer names its clause."""


for verb, run in (
    ("rulebooks", books.rulebooks),
    ("show", show.show),
    ("clauses", clauses.clauses),
    ("new", new.new),
    ("lint", lint.lint),
    ("fmt", fmt.fmt),
    ("watch", watch.watch),
    ("cover", cover.cover),
    ("design", design.design),
    ("diff", diff.diff),
    ("messages", messages.messages),
    ("schema", schema.schema),
    ("settle", settle.settle),
    ("explain", explain.explain),
    ("odds", odds.odds),
    ("simulate", simulate.simulate),
    ("exposure", exposure.exposure),
    ("certify", certify.certify),
    ("evidence", evidence.evidence),
    ("roads", roads.roads),
    ("demo", demo.demo),
    ("serve", serve.serve),
    ("doctor", doctor.doctor),
):
    app.command(verb)(run)
app.add_typer(scenario.app, name="scenario")
app.add_typer(conformance.app, name="conformance")
app.add_typer(journal.app, name="journal")
app.add_typer(shoe.app, name="shoe")
app.add_typer(users.app, name="users")
app.add_typer(cage.app, name="cage")
app.add_typer(keys.app, name="keys")
app.add_typer(witness.app, name="witness")
app.add_typer(feed.app, name="feed")


def main() -> None:
    """Run the command; what the rules or the input refuse, or a missing extra, is a sentence and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            sys.exit(1)
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream, whatever typeshed allows
    try:
        app()
    except (ValueError, ImportError) as error:
        if not type(error).__module__.startswith("punto."):
            raise
        print(f"punto: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"punto: {name}{error.strerror}.", file=sys.stderr)
        sys.exit(1)
