"""Evidence of any release, looked at by this one: what of it still holds, and how far that could be told.

A kept run is read and held against its seal. A certificate as HTML names digests and commands: each digest is looked
up among the editions that have shipped, and each command is given so that it goes by the very edition of the
certificate, whatever edition ships today.
"""

import re
import shlex
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
_COMMAND = re.compile(r"punto (?:simulate|exposure) [^<]*")


class Evidence(msgspec.Struct, frozen=True):
    """What a file is, what could be told of it, sentence by sentence, and how to repeat what it states.

    `digests` are all that it names; each of `repeats` is the arguments of a command whose digest should be among them.
    """

    kind: str
    says: tuple[str, ...]
    digests: tuple[str, ...] = ()
    repeats: tuple[tuple[str, ...], ...] = ()


def look_at(file: Path) -> Evidence:
    """Tell what a file of evidence still shows; a file that was changed, or is no evidence, is refused."""
    held = file.read_bytes()
    if held.startswith(b'{"format":"punto-tally-'):
        return _counts(file)
    if held.startswith(b'{"format":"punto-exposure-'):
        return _exposure(file)
    if held[:200].lower().lstrip().startswith(b"<!doctype html") and b"Certificate of exact odds" in held:
        return _certificate(held.decode())
    if held.startswith(b"SQLite format 3"):
        raise BadReport(f"{file} is a journal: punto journal verify --database sqlite:///{file} goes through it.")
    raise BadReport(f"{file} is no kept run and no certificate as HTML.")


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


def _certificate(page: str) -> Evidence:
    digests = tuple(dict.fromkeys(_DIGEST.findall(page)))
    says = []
    editions = {}
    for digest in digests:
        book = book_of(digest)
        if book is not None:
            editions[book] = digest
            says.append(about_edition(digest))
    own = software().digest in digests
    says.append(
        "It was made by this very software." if own else "It was made by another release: its commands can be repeated."
    )
    if not editions:
        says.append("The book that it names has not shipped: its commands need that file.")
    repeats = tuple(_by_digest(shlex.split(each)[1:], editions) for each in _COMMAND.findall(page))
    return Evidence("certificate", tuple(says), digests, repeats)


def _by_digest(command: list[str], editions: dict[str, str]) -> tuple[str, ...]:
    """The arguments of a command, with the edition by its digest in the place of the book's id."""
    return tuple(editions.get(each, each) for each in command)


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
