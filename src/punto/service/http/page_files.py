"""The files of the pages in memory: each read and compressed once, with tags by which browsers keep them.

A file that changes on disk is read again, so that whoever works on the pages only reloads them. Comments of scripts and
style sheets are for whoever reads the sources: they do not travel, and leave empty lines, so that a browser counts the
lines of a file as its source does. What a page always needs together travels as one file, and is counted as one
(`volumes.py`).
"""

import gzip
import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import msgspec

from punto.messages import say
from punto.service.errors import Unknown
from punto.service.http.volumes import bound, parts_of

LANGUAGES = "languages"
"""The folder of what messages say in other languages, which is not among the pages' own files."""

TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "webmanifest": "application/manifest+json",
}
"""By the end of a file's name; the framework adds the character set to those that are text."""

_COMMENTED = (".css", ".js")
_COMMENT = re.compile(rb"^[ ]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)$", re.MULTILINE | re.DOTALL)
"""Whole lines of comment. In a text of several lines no line may begin so; a test of the pages' sources looks."""


class PageFile(msgspec.Struct, frozen=True):
    """A file of the pages: its type, its bytes and the same compressed, each with a tag that changes with them."""

    media_type: str
    plain: bytes
    plain_tag: str
    compressed: bytes
    compressed_tag: str
    stamp: tuple[tuple[int, int], ...]


class PageFiles:
    """The files of a folder, and of one for languages, read and compressed when they are first asked for."""

    def __init__(self, folder: Path, languages: Path | None = None) -> None:
        self._folder, self._languages = folder, languages or folder / LANGUAGES
        self._read: dict[str, PageFile] = {}

    @classmethod
    def shipped(cls) -> "PageFiles":
        """The pages that come with Punto."""
        return cls(Path(str(files("punto") / "web")), Path(str(files("punto.messages") / LANGUAGES)))

    def file(self, path: str) -> PageFile:
        """A file by its path in the folder; `Unknown` if there is none."""
        parts = path.strip("/").split("/")
        media_type = TYPES.get(parts[-1].rpartition(".")[2])
        if media_type is None or any(part in ("", ".", "..") or "\\" in part for part in parts):
            raise Unknown(say("no-such-file", "There is no file {path:quoted}.", path=path))
        name = "/".join(parts)
        try:
            places = {part: self._place(part) for part in parts_of(name)}
            stamp = tuple((status.st_mtime_ns, status.st_size) for status in map(Path.stat, places.values()))
            found = self._read.get(name)
            if found is None or found.stamp != stamp:
                sources = {part: _source(part, place.read_bytes()) for part, place in places.items()}
                found = self._read[name] = _page_file(media_type, bound(name, sources), stamp)
        except (OSError, ValueError):  # no file has a name with such characters
            raise Unknown(say("no-such-file", "There is no file {path:quoted}.", path=path)) from None
        return found

    def _place(self, name: str) -> Path:
        first, _, rest = name.partition("/")
        return self._languages / rest if first == LANGUAGES else self._folder / name


def without_comments(source: bytes) -> bytes:
    r"""A script or a style sheet with an empty line for every line that is comment alone.

    >>> without_comments(b"// Chips.\nlay(chip); // here\n/* Two\nlines. */\npay();\n")
    b'\nlay(chip); // here\n\n\npay();\n'
    """
    return _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), source)


def _source(part: str, written: bytes) -> bytes:
    return without_comments(written) if part.endswith(_COMMENTED) else written


def _page_file(media_type: str, plain: bytes, stamp: tuple[tuple[int, int], ...]) -> PageFile:
    compressed = gzip.compress(plain, compresslevel=9, mtime=0)
    return PageFile(media_type, plain, _tag(plain), compressed, _tag(compressed), stamp)


def _tag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:12]}"'
