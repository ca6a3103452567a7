"""`punto certify`: a certificate to file, as PDF or HTML, and a whole submission."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Book, check_place

if TYPE_CHECKING:
    from punto.report import Confirmation, ExactSections, Exposed, Posted
    from punto.report.pack.signing import IssuerKey
    from punto.rulebook import Book as RuleBook

Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write it: a .pdf or an .html file.")
]
OneLayout = Annotated[str | None, typer.Option("--layout", metavar="L", help="A layout of the book; else all of them.")]
Decks = Annotated[int | None, typer.Option("--decks", metavar="N", help="Decks in the shoe; else all allowed.")]
Issuer = Annotated[str, typer.Option("--issuer", metavar="NAME", help="Who issues it; else nobody is named.")]
Issued = Annotated[
    datetime | None,
    typer.Option(
        "--issued", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="When it is issued; else it has no date."
    ),
]
Maximum = Annotated[str | None, typer.Option("--maximum", metavar="AMOUNT", help="The posted maximum; else none.")]
BetMaximum = Annotated[
    list[str] | None,
    typer.Option(
        "--bet-maximum",
        metavar="BET=AMOUNT",
        help="The posted maximum of one bet; may be repeated; else --maximum, where the book holds that bet to it.",
    ),
]
Payout = Annotated[
    str | None,
    typer.Option("--payout", metavar="AMOUNT", help="The most that one round pays, as posted; else any amount."),
]
Differential = Annotated[
    str | None, typer.Option("--differential", metavar="AMOUNT", help="The posted differential; else none.")
]
Boxes = Annotated[
    int | None, typer.Option("--boxes", min=1, metavar="N", help="How many boxes a round has; else the layout's.")
]
Currency = Annotated[
    str, typer.Option("--currency", metavar="CODE", help="The currency of limits and worked examples, such as VND.")
]
Pack = Annotated[
    Path | None, typer.Option("--pack", metavar="FOLDER", help="Write a whole submission into an empty folder.")
]
Earlier = Annotated[
    str | None, typer.Option("--earlier", metavar="BOOK", help="With --pack: an edition to compare with.")
]
Key = Annotated[
    Path | None, typer.Option("--key", metavar="FILE", help="With --pack: the issuer's Ed25519 key, which signs it.")
]
ChineseFont = Annotated[
    Path | None, typer.Option("--font", metavar="FILE", help="With --pack: a font with Chinese characters.")
]


def certify(
    book: Book,
    output: Output = None,
    layout: OneLayout = None,
    decks: Decks = None,
    issuer: Issuer = "",
    issued: Issued = None,
    maximum: Maximum = None,
    bet_maximum: BetMaximum = None,
    differential: Differential = None,
    payout: Payout = None,
    boxes: Boxes = None,
    currency: Currency = "USD",
    pack: Pack = None,
    earlier: Earlier = None,
    key: Key = None,
    font: ChineseFont = None,
) -> None:
    """Certify a rulebook: every pay row and insurance cell, exact, with findings, readings and plots.

    A simulation with a fixed seed confirms them, and what counting cards could win is shown. Run again it writes the
    same bytes; their SHA-256 is printed. With --pack a whole submission is written: the certificate, the rules in
    words, worked examples, procedures, drawings, a checklist and a manifest.
    """
    from hashlib import sha256

    from msgspec.structs import replace

    from punto.report import Issue, check_posted, layout_groups, write_certificate
    from punto.report.pack import Submission, check_font, write_pack
    from punto.rulebook import check_currency, load

    if output is None and pack is None:
        raise typer.BadParameter("Say where to write it: -o FILE, or --pack FOLDER.")
    if pack is None and any(each is not None for each in (earlier, key, font)):
        raise typer.BadParameter("--earlier, --key and --font are for a pack: --pack FOLDER.")
    _check_places(output, pack)
    found = load(book)
    issue = Issue(issuer, issued.date() if issued else None)
    check_currency(currency)
    currency = currency.upper()
    posted = _posted(maximum, bet_maximum or [], differential, payout, boxes, currency)
    before = None if earlier is None else load(earlier)
    signing = None if key is None else _issuer_key(key)
    groups = layout_groups(found, layout)
    if posted is not None and posted.has_limits:
        check_posted(groups, posted)
    asked = Submission(layout, decks, issue, posted, before, font, currency=currency)
    if pack is not None:
        check_font(found, asked)
        pack.mkdir(parents=True, exist_ok=True)
    confirmed, exposed, exact = _figures(found, layout, decks, posted)
    if output is not None:
        made = write_certificate(
            found, output, layout, decks, confirmed, exposed, issue=issue, posted=posted, exact=exact
        )
        typer.echo(f"{output}  SHA-256 {sha256(made).hexdigest()}")
    if pack is not None:
        files = write_pack(found, pack, replace(asked, exact=exact), confirmed, exposed, signing)
        typer.echo(f"{pack}  {len(files)} files; SHA-256 of SHA256SUMS {sha256(files['SHA256SUMS']).hexdigest()}")


def _check_places(output: Path | None, pack: Path | None) -> None:
    """Refuse at once what could not be written, before minutes are spent on it."""
    from punto.report import check_suffix
    from punto.report.pack import check_folder

    if output is not None:
        check_suffix(output)
        check_place(output)
    if pack is not None:
        check_folder(pack)


def _figures(
    book: "RuleBook", layout: str | None, decks: int | None, posted: "Posted | None"
) -> "tuple[Confirmation, Exposed, ExactSections]":
    """What was dealt, what a counter could win, and the exact figures, which are put on paper while kernels deal."""
    from concurrent.futures import ThreadPoolExecutor

    from punto.report import confirm, exact_sections, expose_book, usual_decks

    used = usual_decks(book) if decks is None else decks
    with ThreadPoolExecutor(1) as runs:
        confirming = runs.submit(confirm, book, layout, used)
        exposing = runs.submit(expose_book, book, layout, used)
        exact = exact_sections(book, layout, decks, posted)
        return confirming.result(), exposing.result(), exact


def _issuer_key(path: Path) -> "IssuerKey":
    from punto.report.pack.signing import issuer_key

    return issuer_key(path)


def _posted(
    maximum: str | None,
    bet_maximum: list[str],
    differential: str | None,
    payout: str | None,
    boxes: int | None,
    currency: str,
) -> "Posted | None":
    """The limits that were given; None if none were."""
    from punto.amounts import money
    from punto.report import Posted
    from punto.settlement import Limits

    if not bet_maximum and all(each is None for each in (maximum, differential, payout, boxes)):
        return None
    own = {}
    for text in bet_maximum:
        bet, equals, amount = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r} has no amount: write it like tie=500.")
        own[bet] = money(amount, currency)
    limits = Limits(
        maximum=None if maximum is None else money(maximum, currency),
        differential=None if differential is None else money(differential, currency),
        maximums=own,
        payout=None if payout is None else money(payout, currency),
    )
    return Posted(limits, boxes, currency)
