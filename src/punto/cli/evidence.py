"""`punto evidence`: what kept runs and certificates of any release still show, and how far that can be told."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.extras import needs

if TYPE_CHECKING:
    from punto.report.evidence import Evidence


@needs("certify")
def evidence(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Kept runs, or certificates as HTML.")],
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Give the commands that a certificate prints, and compare.")
    ] = False,
) -> None:
    """Tell what kept runs and certificates still show. Exit status 1 if a command gives another digest."""
    from punto.report.evidence import look_at

    same = True
    for file in files:
        found = look_at(file)
        typer.echo(f"{file}: {found.kind}.")
        for each in found.says:
            typer.echo(f"  {each}")
        for arguments in found.repeats:
            if repeat:
                same &= _repeated(arguments, found)
            else:
                typer.echo(f"  To repeat it: punto {' '.join(arguments)}")
    if not same:
        raise typer.Exit(1)


def _repeated(arguments: tuple[str, ...], found: "Evidence") -> bool:
    """Give a command, and say whether the digest that it prints stands in the certificate."""
    typer.echo(f"  punto {' '.join(arguments)}")
    import json
    import subprocess

    run = subprocess.run([sys.executable, "-m", "punto", *arguments, "--json"], capture_output=True, text=True)
    if run.returncode:
        typer.echo(f"    cannot be repeated: {run.stderr.strip()}")
        return False
    digest = str(json.loads(run.stdout)["digest"])
    same = digest in found.digests
    typer.echo(f"    {digest}: {'as the certificate has it' if same else 'the certificate has another'}.")
    return same
