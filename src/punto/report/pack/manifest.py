"""The manifest of a submission: every file by its hash, the software down to each library, seeds and commands."""

import platform
import sys
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import msgspec
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from punto.report.document import Block, Cell, Column, Document, Facts, Issue, Paragraph, Section, TableBlock
from punto.report.lettering import Font
from punto.report.pack.booklet import booklet
from punto.report.software import Software, software
from punto.rulebook import Book

SUMS = "SHA256SUMS"
FORMAT = "punto-pack-1"


class Environment(msgspec.Struct, frozen=True):
    """What a submission was made with; the only part of it that differs from one installation to another."""

    python: str
    platform: str
    libraries: dict[str, str]
    fonts: dict[str, str]


class Manifest(msgspec.Struct, frozen=True):
    """All that a manifest says, as it is written to `manifest.json`."""

    format: str
    rulebook: str
    version: str
    rulebook_sha256: str
    issuer: str
    issued: str | None
    signed_by: str | None
    software: Software
    environment: Environment
    seeds: dict[str, int]
    commands: tuple[str, ...]
    files: dict[str, str]


def environment(fonts: tuple[Font, ...], *, signed: bool = False) -> Environment:
    """This installation: what certificates take, and to sign one.

    >>> "typst" in environment(()).libraries
    True
    """
    system = f"{platform.system()} {platform.machine()}"
    named = {font.name: font.digest for font in fonts}
    extras = {"certify", "maths", "journal"} if signed else {"certify", "maths"}
    python = f"{platform.python_implementation()} {'.'.join(map(str, sys.version_info[:3]))}"
    return Environment(python, system, _libraries("punto", extras), named)


def _libraries(name: str, extras: set[str]) -> dict[str, str]:
    """Every library that a package needs here, and what those need, with the version that is installed."""
    found: dict[str, str] = {}
    left = _required(distribution(name), extras)
    known: set[tuple[str, frozenset[str]]] = set()
    while left:
        each = left.pop()
        known.add(each)
        library, asked = each
        try:
            installed = distribution(library)
        except PackageNotFoundError:  # an extra that is not installed
            continue
        found[library] = installed.version
        left |= _required(installed, set(asked)) - known
    return dict(sorted(found.items()))


def _required(package: Distribution, extras: set[str]) -> set[tuple[str, frozenset[str]]]:
    """What a package requires on this platform with some extras: names, each with the extras that are asked of it."""
    wanted = set()
    for text in package.requires or ():
        required = Requirement(text)
        marker = required.marker
        named = canonicalize_name(required.name)
        holds = marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras})
        if holds and named != "punto":  # its own extras are named by whoever asks
            wanted.add((str(named), frozenset(required.extras)))
    return wanted


def manifest(
    book: Book,
    issue: Issue,
    key: str | None,
    made_with: Environment,
    seeds: Mapping[str, int],
    commands: tuple[str, ...],
    files: Mapping[str, bytes],
) -> Manifest:
    """The manifest of these files."""
    return Manifest(
        FORMAT,
        book.id,
        book.version,
        book.digest,
        issue.issuer,
        issue.issued.isoformat() if issue.issued else None,
        key,
        software(),
        made_with,
        dict(seeds),
        commands,
        {name: sha256(content).hexdigest() for name, content in sorted(files.items())},
    )


def as_json(found: Manifest) -> bytes:
    """The manifest as a program reads it."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def sums(files: Mapping[str, bytes]) -> bytes:
    """The list that `sha256sum -c` checks.

    >>> sums({"empty.txt": b""}).decode().split()
    ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'empty.txt']
    """
    return "".join(_sum(name, content) for name, content in sorted(files.items())).encode()


def _sum(name: str, content: bytes) -> str:
    """A line of the list: as `sha256sum` does it, a name with a line break or a backslash is marked by one in front."""
    written = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f"{'' if written == name else chr(92)}{sha256(content).hexdigest()}  {written}\n"


def manifest_document(book: Book, issue: Issue, found: Manifest) -> Document:
    """The manifest as a person reads it."""
    files = (Column("File", 3), Column("SHA-256", 6))
    listed = tuple(((Cell(name, strong=True), Cell(digest)),) for name, digest in found.files.items())
    made = found.environment
    libraries = tuple(((Cell(name, strong=True), Cell(version)),) for name, version in made.libraries.items())
    signed: list[Block] = []
    if found.signed_by:
        says = (
            f"The list {SUMS} is signed. The signature is in {SUMS}.sig, and the key that checks it in issuer.pem, "
            "which the list names; neither is listed here."
        )
        signed = [Paragraph(says), Facts((("Public key", found.signed_by),))]
    software_facts = (
        (found.software.name, found.software.version),
        ("SHA-256 of its source", found.software.digest),
        ("Python", made.python),
        ("Platform", made.platform),
        *((f"Font {name}", digest) for name, digest in made.fonts.items()),
    )
    sections = (
        Section(
            "Files",
            (
                Paragraph(f"Not listed here are this manifest and the list {SUMS}, which names the manifest too."),
                *signed,
                TableBlock("", files, listed),
            ),
        ),
        Section("Seeds and commands", (_seeds(found), *map(_command, found.commands))),
        Section(
            "Software and platform",
            (Facts(software_facts), TableBlock("Libraries", (Column("Library", 3), Column("Version", 3)), libraries)),
            page=True,
        ),
    )
    intro = Paragraph(
        "Made again with the same book, options and installation, every file has the same bytes. With another "
        "installation of the same libraries only this manifest differs, by its page on software and platform."
    )
    return booklet(book, "Manifest", issue, (intro,), sections)


_SERVES: Mapping[str, str] = {
    "punto certify": "Make the pack again",
    "punto simulate": "Repeat the confirmation",
    "punto exposure": "Repeat the counting",
    "sha256sum": "Check the files",
    "openssl": "Check the signature",
}
"""What a command is for, by how it begins."""


def _command(command: str) -> Facts:
    name = next(says for begins, says in _SERVES.items() if command.startswith(begins))
    return Facts(((name, command),), (name,))


def _seeds(found: Manifest) -> Facts:
    return Facts(tuple((name, str(seed)) for name, seed in found.seeds.items()))
