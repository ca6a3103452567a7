"""The pages: one HTML file for every view of the browser, and the files it asks for."""

from hashlib import sha256
from importlib.resources import files
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from punto.service.errors import Unknown

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_WEB = files("punto") / "web"


def _read(path: str) -> tuple[bytes, str, str]:
    """A file's bytes, its type, and a tag that changes with them."""
    parts = path.strip("/").split("/")
    kind = TYPES.get(parts[-1].rpartition(".")[2])
    if kind is None or any(part in ("", ".", "..") or "\\" in part for part in parts):
        raise Unknown(f"There is no file {path!r}.")
    try:
        body = _WEB.joinpath(*parts).read_bytes()
    except (OSError, ValueError):  # no such file, or a name that no file can have
        raise Unknown(f"There is no file {path!r}.") from None
    return body, kind, f'"{sha256(body).hexdigest()[:20]}"'


def _answer(path: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file that the browser may keep, if it asks before showing it again whether it has changed."""
    body, kind, tag = _read(path)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=kind)
    return Response(body, headers=headers, media_type=kind)


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
)
async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The one page; which view it shows is told by its address."""
    return _answer("index.html", request)


@get("/static/{path:path}", include_in_schema=False)
async def static(path: FromPath[str], request: Request[Any, Any, Any]) -> Response[bytes]:
    """A style sheet, a module or a picture of the page."""
    return _answer(path, request)


@get("/favicon.ico", include_in_schema=False)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The icon, for browsers that ask without having been told."""
    return _answer("icon.svg", request)


ROUTES = [page, static, icon]
