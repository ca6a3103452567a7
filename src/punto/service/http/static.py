"""The pages: one HTML file for every view of the browser, and the files it asks for.

Files are compressed once and kept in memory. A file that changes on disk is read again, so that whoever works on the
pages only reloads them.
"""

import gzip
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath

from punto.service.runtime.floor import Unknown

TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
"""By the end of a file's name; the framework adds the character set to those that are text."""

PRECOMPRESSED = "precompressed"
"""Marks handlers whose answers the compressing middleware leaves alone."""


HEADERS = {"Content-Security-Policy": "default-src 'none'"}
"""What a file may do that is opened by itself: nothing. The page says what its scripts and styles may do."""


class PageFile(msgspec.Struct, frozen=True):
    """A file of the pages: its type, its bytes and the same compressed, each with a tag that changes with them."""

    media_type: str
    plain: bytes
    plain_tag: str
    compressed: bytes
    compressed_tag: str
    stamp: tuple[int, int]


class PageFiles:
    """The files of a folder, read and compressed when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, PageFile] = {}

    @classmethod
    def shipped(cls) -> "PageFiles":
        """The pages that come with Punto."""
        return cls(Path(str(files("punto") / "web")))

    def file(self, path: str) -> PageFile:
        """A file by its path in the folder; `Unknown` if there is none."""
        parts = path.strip("/").split("/")
        media_type = TYPES.get(parts[-1].rpartition(".")[2])
        if media_type is None or any(part in ("", ".", "..") or "\\" in part for part in parts):
            raise Unknown(f"There is no file {path!r}.")
        name = "/".join(parts)
        try:
            place = self._folder.joinpath(*parts)
            status = place.stat()
            stamp = status.st_mtime_ns, status.st_size
            found = self._read.get(name)
            if found is None or found.stamp != stamp:
                found = self._read[name] = _page_file(media_type, place.read_bytes(), stamp)
        except (OSError, ValueError):  # no file has a name with such characters
            raise Unknown(f"There is no file {path!r}.") from None
        return found


def _page_file(media_type: str, plain: bytes, stamp: tuple[int, int]) -> PageFile:
    compressed = gzip.compress(plain, compresslevel=9, mtime=0)
    return PageFile(media_type, plain, _tag(plain), compressed, _tag(compressed), stamp)


def _tag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:12]}"'


def _answer(path: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file that a browser may keep, and asks about before it shows it again."""
    pages: PageFiles = request.app.state.pages
    found = pages.file(path)
    zipped = "gzip" in request.headers.get("accept-encoding", "")
    tag = found.compressed_tag if zipped else found.plain_tag
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=found.media_type)
    if zipped:
        headers["Content-Encoding"] = "gzip"
    return Response(found.compressed if zipped else found.plain, headers=headers, media_type=found.media_type)


@get(
    [
        "/",
        "/table/{name:str}",
        "/board/{name:str}",
        "/dealer",
        "/dealer/{name:str}",
        "/pit",
        "/pit/{name:str}",
        "/train",
    ],
    include_in_schema=False,
    opt={PRECOMPRESSED: True},
)
async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The one page; which view it shows is told by its address."""
    return _answer("index.html", request)


@get("/static/{path:path}", include_in_schema=False, opt={PRECOMPRESSED: True}, response_headers=HEADERS)
async def static(path: FromPath[str], request: Request[Any, Any, Any]) -> Response[bytes]:
    """A style sheet, a module or a picture of the page."""
    return _answer(path, request)


@get("/favicon.ico", include_in_schema=False, opt={PRECOMPRESSED: True}, response_headers=HEADERS)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The icon, for browsers that ask without having been told."""
    return _answer("icon.svg", request)


PAGES = [page, static, icon]
