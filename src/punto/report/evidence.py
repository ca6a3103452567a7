"""Evidence of any release, looked at by this one: what of it still holds, and how far that could be told.

A kept run is read and held against its seal, a submission against its list of hashes. A certificate names digests
and commands: each digest is looked up among the editions that have shipped, and each command is given so that it goes
by the very edition of the certificate, whatever edition ships today.
"""

import re
import shlex
from collections.abc import Iterable
from html import unescape
from pathlib import Path

import msgspec

from punto.exposure import BadExposure
from punto.exposure.tally_file import load_exposure
from punto.report.document import BadReport
from punto.report.software import software
from punto.rulebook import BadBook, games, ids, load
from punto.rulebook.superseded import superseded
from punto.simulation.shoe_ranges import BadTally
from punto.simulation.tally import load_kept

_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_COMMAND = re.compile(r"punto (?:simulate|exposure|certify) [^<]*")
_DESCRIPTION = re.compile(rb"<dc:description>.*?<rdf:li[^>]*>(.*?)</rdf:li>", re.DOTALL)
_SUBJECT = re.compile(rb"<dc:subject>.*?</dc:subject>|<pdf:Keywords>.*?</pdf:Keywords>", re.DOTALL)
_KIND = "Certificate of exact odds"
_RUNS = ("simulate", "exposure")


class Evidence(msgspec.Struct, frozen=True):
    """What a file is, what could be told of it, sentence by sentence, and how to repeat what it states.

    `digests` are all that it names; each of `repeats` is the arguments of a command whose digest should be among them.
    `remake` are those of the command that makes the file again to the byte, but for where it is written; empty where
    this software does not.
    """

    kind: str
    says: tuple[str, ...]
    digests: tuple[str, ...] = ()
    repeats: tuple[tuple[str, ...], ...] = ()
    remake: tuple[str, ...] = ()


def look_at(file: Path) -> Evidence:
    """Tell what a file of evidence still shows; a file that was changed, or is no evidence, is refused."""
    if file.is_dir() or file.name == "manifest.json":
        from punto.report.pack.checking import look_at_pack

        return look_at_pack(file if file.is_dir() else file.parent)
    held = file.read_bytes()
    if held.startswith(b'{"format":"punto-tally-'):
        return _counts(file)
    if held.startswith(b'{"format":"punto-exposure-'):
        return _exposure(file)
    if held[:200].lower().lstrip().startswith(b"<!doctype html") and _KIND.encode() in held:
        return _html(file, held)
    if held.startswith(b"%PDF-") and _KIND.encode() in held:
        return _pdf(file, held)
    if held.startswith(b"SQLite format 3"):
        raise BadReport(f"{file} is a journal: punto journal verify --database sqlite:///{file} goes through it.")
    raise BadReport(f"{file} is no kept run and no certificate, nor the folder of a submission.")


def _counts(file: Path) -> Evidence:
    try:
        found, sealed = load_kept(file)
    except BadTally as error:
        raise BadReport(str(error)) from None
    dealt = f"{found.dealt} shoes of seed {found.seed}, {found.rounds} rounds."
    how_far = (
        "Seed, dealing, ranges, every count and every sum are sealed, and as they were written."
        if sealed
        else "Of this earlier format only the counts of outcomes and situations are sealed: they are as they were "
        "written. Seed, dealing, ranges and the nets of bets are not covered; dealt again they show themselves."
    )
    return Evidence("counts of punto simulate", (dealt, how_far), (found.digest,))


def _exposure(file: Path) -> Evidence:
    try:
        found = load_exposure(file)
    except BadExposure as error:
        raise BadReport(str(error)) from None
    dealt = f"{found.dealt} shoes of seed {found.seed}."
    return Evidence("run of punto exposure", (dealt, "Everything in it is as it was written."), (found.digest,))


def _html(file: Path, held: bytes) -> Evidence:
    try:
        page = held.decode()
    except UnicodeDecodeError:
        raise BadReport(f"{file} is no certificate as it was written: it is not UTF-8 text.") from None
    return stated(_DIGEST.findall(page), (unescape(each) for each in _COMMAND.findall(page)), file)


def _pdf(file: Path, held: bytes) -> Evidence:
    """A certificate as PDF: its metadata name what it is about, in earlier releases the book alone."""
    named = unescape(b" ".join(_SUBJECT.findall(held)).decode(errors="replace"))
    said = b"; ".join(_DESCRIPTION.findall(held)[:1]).decode(errors="replace")
    return stated(_DIGEST.findall(named), filter(None, re.split(r"; (?=punto )", unescape(said))), file)


def stated(digests: Iterable[str], commands: Iterable[str], file: Path) -> Evidence:
    """What a certificate shows that names these digests, and prints these commands."""
    digests = tuple(dict.fromkeys(digests))
    says, editions = _editions(digests)
    given = [_by_digest(arguments_of(each, file), editions) for each in commands]
    repeats = tuple(each for each in given if each[:1] in {(run,) for run in _RUNS})
    makes = [each for each in given if each[:1] == ("certify",)]
    own = software().digest in digests
    remake = _without_output(makes[0]) if own and makes else ()
    says.append(_made_by(own, bool(repeats), bool(remake)))
    return Evidence("certificate", tuple(says), digests, tuple(dict.fromkeys(repeats)), remake)


def _editions(digests: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """What is to be said of the books that digests name, and of each book the digest."""
    editions = {book: digest for digest in digests if (book := book_of(digest)) is not None}
    says = [about_edition(digest) for digest in editions.values()]
    return says or ["The book that it names has not shipped: its commands need that file."], editions


def _made_by(own: bool, repeated: bool, remade: bool) -> str:
    if remade:
        return "It was made by this very software, which can make it again: to the byte, if nothing in it was changed."
    if own:
        return "It was made by this very software."
    if repeated:
        return (
            "It was made by another release: its commands can be repeated. Its other figures are as trustworthy as "
            "whoever keeps it."
        )
    return "It names neither this software nor a command, so no more of it can be told."


def arguments_of(command: str, file: Path) -> list[str]:
    """The arguments of a printed command; a book that lies beside the file that prints it is taken from there."""
    try:
        words = shlex.split(command)[1:]
    except ValueError:  # a quotation without its end: somebody has changed it
        raise BadReport(f"{file} prints a command that nobody can give: {command}") from None
    beside = [file.parent / each for each in words[1:2]]
    return [*words[:1], *(str(path) if path.is_file() else path.name for path in beside), *words[2:]]


def _without_output(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return arguments[:-2] if arguments[-2:-1] == ("-o",) else arguments


def _by_digest(command: list[str], editions: dict[str, str]) -> tuple[str, ...]:
    """The arguments of a command, with the edition by its digest in the place of the book's id."""
    return tuple(editions.get(each, each) if at == 1 else each for at, each in enumerate(command))


def book_of(digest: str) -> str | None:
    """The id of the book that a digest is an edition of; None if no edition that has shipped has it.

    >>> book_of(load("wu-song").digest), book_of("0" * 64)
    ('wu-song', None)
    """
    if digest in superseded():
        return superseded()[digest].book
    return next((each for each in (*ids(), *games()) if load(each).digest == digest), None)


def about_edition(digest: str) -> str:
    """A sentence on an edition that has shipped: whether it ships today, and whether this release reads it.

    >>> about_edition(load("wu-song").digest)
    'The edition 1c926bff8672… of wu-song ships with this release.'
    """
    named = f"The edition {digest[:12]}… of {book_of(digest)}"
    if digest not in superseded():
        return f"{named} ships with this release."
    stood = f"{named} was superseded; it stood from {superseded()[digest].since:%Y-%m-%d} on"
    try:
        load(digest)
    except BadBook as error:
        return f"{stood}. This release has its text and cannot read it any more ({len(error.faults)} faults)."
    return f"{stood}, and is read by this release."
