"""`punto evidence`: what kept runs, certificates and submissions of any release still show, and how far."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from punto.extras import needs

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from punto.report.evidence import Evidence


@needs("certify")
def evidence(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Kept runs, certificates, or folders of submissions.")
    ],
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Run the commands that a certificate prints, and compare.")
    ] = False,
) -> None:
    """Tell what kept runs and certificates still show. Exit status 1 if a command gives something else."""
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
                typer.echo(f"  To repeat it: punto {shlex.join(arguments)}")
        if repeat and found.remake:
            same &= _remade(file, found)
    if not same:
        raise typer.Exit(1)


def _repeated(arguments: tuple[str, ...], found: "Evidence") -> bool:
    """Give a command, and say whether the digest that it prints stands in the certificate."""
    typer.echo(f"  punto {shlex.join(arguments)}")
    run = _given(*arguments, "--json")
    if run.returncode:
        typer.echo(f"    cannot be repeated: {run.stderr.strip()}")
        return False
    digest = str(json.loads(run.stdout)["digest"])
    same = digest in found.digests
    typer.echo(f"    {digest}: {'as the certificate has it' if same else 'the certificate has another'}.")
    return same


def _remade(file: Path, found: "Evidence") -> bool:
    """Make a certificate again, and say whether it is the same to the byte."""
    with TemporaryDirectory() as folder:
        again = Path(folder) / f"again{file.suffix}"
        typer.echo(f"  punto {shlex.join(found.remake)} -o FILE{file.suffix}")
        run = _given(*found.remake, "-o", str(again))
        if run.returncode:
            typer.echo(f"    cannot be made again: {run.stderr.strip()}")
            return False
        same = again.read_bytes() == file.read_bytes()
    typer.echo(f"    {'the same bytes' if same else 'other bytes: it is not as it was made'}.")
    return same


def _given(*arguments: str) -> "CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "punto", *arguments], capture_output=True, text=True)
