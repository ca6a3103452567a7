"""`punto fmt`: rulebook files in one style."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.output import counted


def fmt(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Rulebook files.")],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit status 1 if a file is not in the style.")
    ] = False,
) -> None:
    """Put rulebook files into one style; what they mean never changes, and comments are kept."""
    from punto.rulebook import BadBook
    from punto.rulebook.formatting import Unformatted, format_book

    changed, failed = 0, False
    for file in files:
        data = file.read_bytes()
        try:
            done = format_book(data.decode(), str(file)).encode()
        except UnicodeDecodeError as error:
            typer.echo(f"punto: {file}: is not UTF-8 text: {error.reason}.", err=True)
            failed = True
            continue
        except BadBook as error:
            typer.echo(f"punto: {error}", err=True)
            failed = True
            continue
        except Unformatted as error:
            typer.echo(f"punto: {file}: {error}", err=True)
            failed = True
            continue
        if done != data:
            changed += 1
            typer.echo(f"{file} {'is not in the style' if check else 'is formatted'}")
            if not check:
                file.write_bytes(done)
    typer.echo(f"{counted(changed, 'file')} of {len(files)} {'would be changed' if check else 'changed'}.")
    if failed or (check and changed):
        raise typer.Exit(1)
