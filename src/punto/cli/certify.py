"""`punto certify`: a certificate to file, as PDF or HTML."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.output import Book


def certify(
    book: Book,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write it: a .pdf or an .html file.")
    ],
    layout: Annotated[
        str | None, typer.Option("--layout", metavar="L", help="A layout of the book; else all of them.")
    ] = None,
    decks: Annotated[int, typer.Option("--decks", metavar="N", help="How many decks the shoe holds.")] = 8,
) -> None:
    """Certify a rulebook: every pay row and insurance cell, exact, with findings, readings and plots.

    A simulation with a fixed seed confirms them, and what counting cards could win is shown. Run again it writes the
    same bytes; their SHA-256 is printed.
    """
    from hashlib import sha256

    from punto.report import check_suffix, confirm, expose_book, write_certificate
    from punto.rulebook import load

    check_suffix(output)
    found = load(book)
    confirmed, exposed = confirm(found, layout, decks), expose_book(found, layout, decks)
    made = write_certificate(found, output, layout, decks, confirmed, exposed)
    typer.echo(f"{output}  SHA-256 {sha256(made).hexdigest()}")
