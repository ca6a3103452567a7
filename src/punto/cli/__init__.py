"""The `punto` command: one thin module a verb. Rooms are loaded by the verb that needs them."""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.examples import add_examples
from punto.cli.listed import FIRST_SENTENCES, ListedCommands
from punto.cli.written import spare_what_is_read
from punto.interrupts import listening

if TYPE_CHECKING:
    app: typer.Typer

VERBS = {
    "rulebooks": "books",
    "show": "show",
    "clauses": "clauses",
    "new": "new",
    "lint": "lint",
    "fmt": "fmt",
    "watch": "watch",
    "cover": "cover",
    "design": "design",
    "diff": "diff",
    "messages": "messages",
    "schema": "schema",
    "settle": "settle",
    "explain": "explain",
    "odds": "odds",
    "simulate": "simulate",
    "exposure": "exposure",
    "certify": "certify",
    "evidence": "evidence",
    "roads": "roads",
    "demo": "demo",
    "serve": "serve",
    "doctor": "doctor",
}
"""Commands, and the modules that have a function of that name."""

GROUPS = ("scenario", "history", "conformance", "journal", "shoe", "users", "cage", "keys", "witness", "feed")
"""Commands with commands of their own, and the names of their modules."""


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"punto {version('punto')}")
        raise typer.Exit


def start(
    version: Annotated[  # the callback has answered already
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Approved baccarat rulebooks, executable: every answer names its clause."""


def _empty() -> typer.Typer:
    """The command without any verb."""
    app = typer.Typer(
        cls=ListedCommands,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # help that is plain text is there at once
    )
    app.callback()(start)
    return app


def listed() -> typer.Typer:
    """The command with all that its own help tells of its verbs, and nothing that they do."""
    app = _empty()
    for verb, sentence in FIRST_SENTENCES.items():
        app.command(verb, help=sentence)(lambda: None)
    return app


def with_verbs(*names: str) -> typer.Typer:
    """The command with some of its verbs; those of other verbs are not loaded.

    >>> [command.name for command in with_verbs("roads", "show").registered_commands]
    ['show', 'roads']
    """
    app = _empty()
    for verb, module in VERBS.items():
        if verb in names:
            app.command(verb)(getattr(import_module(f"punto.cli.{module}"), verb))
    for group in GROUPS:
        if group in names:
            app.add_typer(import_module(f"punto.cli.{group}").app, name=group, cls=ListedCommands)
    add_examples(app)
    spare_what_is_read(app)
    return app


def whole() -> typer.Typer:
    """The command with all of its verbs."""
    return with_verbs(*VERBS, *GROUPS)


def _asked_for() -> typer.Typer:
    """The command with the verb on the command line; with all of them where none that exists is there.

    For its own help, which a newcomer asks for first, none of them is read.
    """
    if sys.argv[1:] in ([], ["-h"], ["--help"]) and "_PUNTO_COMPLETE" not in os.environ:
        return listed()
    verb = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return with_verbs(verb) if verb in VERBS or verb in GROUPS else whole()


def main() -> None:
    """Run the command; what the rules or the input refuse, or a missing extra, is a sentence and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            sys.exit(1)
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream, whatever typeshed allows
    try:
        with listening():
            _asked_for()()
    except (ValueError, ImportError) as error:
        if not type(error).__module__.startswith("punto."):
            raise
        print(f"punto: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:  # while the verb was being loaded
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"punto: {name}{error.strerror}.", file=sys.stderr)
        sys.exit(1)
