"""Earlier editions of the books that ship, by their digests.

A journal keeps the text of its books, but a run or a certificate names only a digest. So every text of a book that has
stood on the main line of Punto and was replaced is carried along, and found by its digest.
"""

import io
import tarfile
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

import msgspec


class SupersededEdition(msgspec.Struct, frozen=True):
    """The text of a book's file as it once stood: which book, its digest, and since when it stood."""

    book: str
    digest: str
    since: datetime
    text: bytes


@cache
def superseded() -> dict[str, SupersededEdition]:
    """Every superseded edition by its digest, those of a book together, the oldest first.

    >>> found = [each for each in superseded().values() if each.book == "wu-song"]
    >>> len(found), found[0].digest[:12]
    (7, '31aed7d7efe5')
    """
    packed = (files("punto.rulebook") / "superseded.tar.xz").read_bytes()
    found: dict[str, SupersededEdition] = {}
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:xz") as archive:
        for each in archive:
            book, _, name = each.name.partition("/")
            digest = name.removesuffix(".toml")
            held = archive.extractfile(each)
            assert held is not None  # the archive has files only
            found[digest] = SupersededEdition(book, digest, datetime.fromtimestamp(each.mtime, UTC), held.read())
    return found


def is_digest(name: str) -> bool:
    """Whether a name is written like the digest of a book: 64 hexadecimal digits."""
    return len(name) == 64 and all(each in "0123456789abcdef" for each in name)


def edition_name(digest: str) -> str:
    """What an edition that is loaded by its digest is called where others have the name of their file.

    >>> edition_name("0" * 64)
    'the edition 000000000000'
    """
    return f"the edition {digest[:12]}"
