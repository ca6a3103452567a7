"""`punto certify`: a certificate to file, as PDF or HTML, and a whole submission."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Book

if TYPE_CHECKING:
    from punto.report import Posted


def certify(
    book: Book,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write it: a .pdf or an .html file.")
    ] = None,
    layout: Annotated[
        str | None, typer.Option("--layout", metavar="L", help="A layout of the book; else all of them.")
    ] = None,
    decks: Annotated[
        int | None, typer.Option("--decks", metavar="N", help="How many decks the shoe holds; else all allowed.")
    ] = None,
    issuer: Annotated[str, typer.Option("--issuer", metavar="NAME", help="Who issues it.")] = "",
    issued: Annotated[
        datetime | None, typer.Option("--issued", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="When it is issued.")
    ] = None,
    maximum: Annotated[str | None, typer.Option("--maximum", metavar="AMOUNT", help="The posted maximum.")] = None,
    bet_maximum: Annotated[
        list[str] | None,
        typer.Option("--bet-maximum", metavar="BET=AMOUNT", help="The posted maximum of one bet; repeatable."),
    ] = None,
    differential: Annotated[
        str | None, typer.Option("--differential", metavar="AMOUNT", help="The posted differential.")
    ] = None,
    boxes: Annotated[
        int | None, typer.Option("--boxes", min=1, metavar="N", help="How many boxes a round has; else the layout's.")
    ] = None,
) -> None:
    """Certify a rulebook: every pay row and insurance cell, exact, with findings, readings and plots.

    A simulation with a fixed seed confirms them, and what counting cards could win is shown. Run again it writes the
    same bytes; their SHA-256 is printed.
    """
    from hashlib import sha256

    from punto.report import Issue, check_suffix, confirm, expose_book, usual_decks, write_certificate
    from punto.rulebook import load

    if output is None:
        raise typer.BadParameter("Say where to write it: -o FILE.")
    check_suffix(output)
    found = load(book)
    issue = Issue(issuer, issued.date() if issued else None)
    posted = _posted(maximum, bet_maximum or [], differential, boxes)
    used = usual_decks(found) if decks is None else decks
    confirmed, exposed = confirm(found, layout, used), expose_book(found, layout, used)
    made = write_certificate(found, output, layout, decks, confirmed, exposed, issue=issue, posted=posted)
    typer.echo(f"{output}  SHA-256 {sha256(made).hexdigest()}")


def _posted(
    maximum: str | None, bet_maximum: list[str], differential: str | None, boxes: int | None
) -> "Posted | None":
    """The limits that were given; None if none were."""
    from punto.amounts import money
    from punto.report import Posted
    from punto.settlement import Limits

    if maximum is None and not bet_maximum and differential is None and boxes is None:
        return None
    own = {}
    for text in bet_maximum:
        bet, equals, amount = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r} has no amount: write it like tie=500.")
        own[bet] = money(amount)
    limits = Limits(
        maximum=None if maximum is None else money(maximum),
        differential=None if differential is None else money(differential),
        maximums=own,
    )
    return Posted(limits, boxes)
