"""A whole submission into a folder: documents in both forms, drawings, manifest, list of hashes and signature."""

import re
import shlex
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from punto.amounts import USUAL
from punto.report.bets import usual_decks
from punto.report.certificate import UNISSUED, ExactSections, certificate
from punto.report.commands import exposure_base, file_name, layout_option, named, simulate_command
from punto.report.confirmation import Confirmation, confirmation_command
from punto.report.document import BadReport, Document, Issue
from punto.report.exposed import Exposed, exposure_command
from punto.report.groups import layout_groups
from punto.report.html import html
from punto.report.lettering import Font, chinese_font, latin
from punto.report.pack.checklist import checklist
from punto.report.pack.chinese import characters
from punto.report.pack.examples import examples
from punto.report.pack.felt import layout_svg
from punto.report.pack.manifest import SUMS, Manifest, as_json, environment, manifest, manifest_document, sums
from punto.report.pack.procedures import procedures
from punto.report.pack.rack_card import rack_card_svg
from punto.report.pack.rules import rules
from punto.report.pack.sheets import changes, drawings, pay_sheet
from punto.report.payouts import Posted, currency_option
from punto.report.pdf import pdf, section_pages
from punto.rulebook import Book, source, whole
from punto.rulebook.approval import ships
from punto.rulebook.superseded import edition_name

if TYPE_CHECKING:
    from punto.report.pack.signing import IssuerKey


class Submission(msgspec.Struct, frozen=True):
    """What a submission is made of besides the book; `exact` where these sections are made already.

    Worked examples are in `currency`.
    """

    layout: str | None = None
    decks: int | None = None
    issue: Issue = UNISSUED
    posted: Posted | None = None
    earlier: Book | None = None
    font: Path | None = None
    exact: ExactSections | None = None
    currency: str = USUAL


def check_folder(folder: Path) -> None:
    """Refuse a folder that has something in it: a submission is all that a folder holds."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadReport(f"{folder}: a pack goes into an empty folder, or one that is made for it.")


def check_font(book: Book, asked: Submission) -> None:
    """Refuse a font that cannot be read, or has not all the characters that the drawings need."""
    if asked.font is not None:
        chinese_font(asked.font, characters(book))


def write_pack(
    book: Book,
    folder: Path,
    asked: Submission,
    confirmation: Confirmation,
    exposed: Exposed,
    key: "IssuerKey | None" = None,
) -> dict[str, bytes]:
    """Write a submission into an empty folder, and return its files by name."""
    check_folder(folder)
    chinese = chinese_font(asked.font, characters(book))
    cards, felts = _cards(book, asked, chinese), _felts(book, asked, chinese)
    documents = _documents(book, asked, confirmation, exposed, cards, felts)
    files = {name: svg.encode() for name, (svg, _) in (cards | felts).items()}
    for name, document in documents.items():
        files |= _both(name, document)
    files |= _rulebook_file(book, {*files, *_OTHERS})
    made_with = environment((latin(), latin(bold=True), *((chinese,) if chinese else ())), signed=key is not None)
    seeds = {"Confirmation": confirmation.seed, "What a card counter could win": exposed.run.seed}

    commands = _commands(book, asked, confirmation, exposed, signed=key is not None)

    def told() -> Manifest:
        return manifest(book, asked.issue, key.public if key else None, made_with, seeds, commands, files)

    pages = {name: section_pages(document) for name, document in documents.items()}
    # the names of the checklist's own files are known, and its hashes do not change where a page breaks
    files |= {"checklist.pdf": b"", "checklist.html": b""}
    pages["manifest"] = section_pages(manifest_document(book, asked.issue, told()))
    files |= _both("checklist", checklist(book, asked.issue, pages))
    found = told()
    files |= _both("manifest", manifest_document(book, asked.issue, found))
    files["manifest.json"] = as_json(found)
    if key is not None:
        files["issuer.pem"] = key.pem
    files[SUMS] = sums(files)
    if key is not None:
        files[f"{SUMS}.sig"] = key.sign(files[SUMS])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return files


def _both(name: str, document: Document) -> dict[str, bytes]:
    return {f"{name}.pdf": pdf(document), f"{name}.html": html(document)}


def _documents(
    book: Book,
    asked: Submission,
    confirmation: Confirmation,
    exposed: Exposed,
    cards: Mapping[str, tuple[str, str]],
    felts: Mapping[str, tuple[str, str]],
) -> dict[str, Document]:
    """Every document by the name of its files, but the checklist and the manifest."""
    layout, issue, posted = asked.layout, asked.issue, asked.posted
    made = {
        "certificate": certificate(
            book, layout, asked.decks, confirmation, exposed, issue=issue, posted=posted, exact=asked.exact
        ),
        "rules": rules(book, layout, issue),
        "examples": examples(book, layout, issue, asked.currency),
        "procedures": procedures(book, issue),
        "pay-tables": pay_sheet(book, layout, issue),
        "drawings": drawings(book, issue, cards, felts),
    }
    if asked.earlier is not None:
        made["differences"] = changes(book, asked.earlier, issue)
    return made


def _cards(book: Book, asked: Submission, chinese: Font | None) -> dict[str, tuple[str, str]]:
    """A rack card for each group of layouts, named after its first layout, and one in Chinese where that can be."""
    found = {}
    names = _in_file_names(book.layouts)
    for group in layout_groups(book, asked.layout):
        said, file = f"Rack card of {group.name[:1].lower()}{group.name[1:]}", f"rack-card-{names[group.layouts[0]]}"
        found[f"{file}.svg"] = rack_card_svg(book, group), said
        if chinese is not None:
            found[f"{file}-zh.svg"] = rack_card_svg(book, group, chinese), f"{said}, in Chinese"
    return found


def _felts(book: Book, asked: Submission, chinese: Font | None) -> dict[str, tuple[str, str]]:
    """A drawing of each layout, and one in Chinese where that can be."""
    found = {}
    names = _in_file_names(book.layouts)
    for name in book.layouts if asked.layout is None else (asked.layout,):
        found[f"layout-{names[name]}.svg"] = layout_svg(book, name), f"Layout {name}"
        if chinese is not None:
            found[f"layout-{names[name]}-zh.svg"] = layout_svg(book, name, chinese), f"Layout {name}, in Chinese"
    return found


def _commands(
    book: Book, asked: Submission, confirmation: Confirmation, exposed: Exposed, *, signed: bool
) -> tuple[str, ...]:
    """The commands that make the pack and its runs again, and those that check it."""
    options = layout_option(asked.layout)
    options += f" --decks {asked.decks}" if asked.decks is not None else ""
    options += asked.issue.options + (asked.posted.options if asked.posted else currency_option(asked.currency))
    if asked.earlier is not None:
        options += f" --earlier {named(asked.earlier)}"
    if asked.font is not None:
        options += f" --font {shlex.quote(asked.font.name)}"
    options += " --key KEY" if signed else ""
    decks = usual_decks(book) if asked.decks is None else asked.decks
    return (
        f"punto certify {named(book)}{options} --pack FOLDER",
        confirmation_command(confirmation, simulate_command(book, decks)),
        exposure_command(exposed, exposure_base(book, asked.layout, decks)),
        f"sha256sum -c {SUMS}",
        *([f"openssl pkeyutl -verify -pubin -inkey issuer.pem -rawin -in {SUMS} -sigfile {SUMS}.sig"] * signed),
    )


_OTHERS = ("checklist.pdf", "checklist.html", "manifest.pdf", "manifest.html", "manifest.json", "issuer.pem", SUMS)
"""Files of a pack that are made after its documents."""


def _rulebook_file(book: Book, taken: set[str]) -> dict[str, bytes]:
    """The file of the book as it was read, by its name, which must be none of the pack's own."""
    if file_name(book) in (*taken, f"{SUMS}.sig"):
        raise BadReport(f"{book.file}: a file of the pack has this name; give the rulebook another.")
    content = whole(source(book.id if ships(book) else _source_of(book)), book.file)
    if sha256(content).hexdigest() != book.digest:
        raise BadReport(f"{book.file}: the file was changed while the pack was made.")
    return {file_name(book): content}


def _source_of(book: Book) -> str:
    return book.digest if book.file == edition_name(book.digest) else book.file


def _in_file_names(layouts: Iterable[str]) -> dict[str, str]:
    """Each layout as the name of a file has it: letters, digits and a few signs, and no two alike.

    >>> _in_file_names(["A", "b/../c", "B-..-C"])
    {'A': 'A', 'b/../c': 'b-..-c', 'B-..-C': 'B-..-C-2'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for layout in layouts:
        plain = re.sub(r"[^\w.-]", "-", layout)
        further = (f"{plain}-{number}" for number in count(2))
        name = next(each for each in chain([plain], further) if each.casefold() not in taken)
        taken.add(name.casefold())
        found[layout] = name
    return found
