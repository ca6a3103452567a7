"""The pages: one HTML file for every view of the browser, and the files it asks for."""

from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import HEADERS, NAVIGATED
from punto.service.http.volumes import style_hash

COMPRESSED_ALREADY = "compressed_already"
"""The option of handlers whose answers the compressing middleware leaves alone."""

_ALONE = {"Content-Security-Policy": "default-src 'none'"}
"""What a file may do that is opened by itself: nothing. The page says what its scripts and styles may do."""

_FETCHED_AT_ONCE = "</static/style/table.css>; rel=preload; as=style, </static/table.js>; rel=modulepreload"
"""What a patron's table is made of beside the page: told with the first answer, it is fetched at once."""


def _answer(path: str, request: Request[Any, Any, Any], casino: Casino) -> Response[bytes]:
    """A file that the browser may keep, if it asks before showing it again whether it has changed."""
    found = casino.pages.file(path)
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
        "/shoe",
        "/shoe/{name:str}",
        "/dealer",
        "/dealer/{name:str}",
        "/pit",
        "/pit/{name:str}",
        "/guide/{name:str}",
        "/report",
        "/train",
        "/sessions",
    ],
    include_in_schema=False,
    opt={COMPRESSED_ALREADY: True, NAVIGATED: True},
)
async def page(request: Request[Any, Any, Any], casino: UsesCasino) -> Response[bytes]:
    """The one page; which view it shows is told by its address."""
    answer = _answer("index.html", request, casino)
    sheets = f"style-src 'self' 'sha256-{style_hash(casino.pages.file('index.html').plain)}'"
    answer.headers["Content-Security-Policy"] = f"{HEADERS['Content-Security-Policy']}; {sheets}"
    if request.url.path.startswith("/table/"):
        answer.headers["Link"] = _FETCHED_AT_ONCE
    return answer


@get("/static/{path:path}", include_in_schema=False, opt={COMPRESSED_ALREADY: True}, response_headers=_ALONE)
async def static(path: FromPath[str], request: Request[Any, Any, Any], casino: UsesCasino) -> Response[bytes]:
    """A style sheet, a module or a picture of the page."""
    return _answer(path, request, casino)


@get("/favicon.ico", include_in_schema=False, opt={COMPRESSED_ALREADY: True}, response_headers=_ALONE)
async def icon(request: Request[Any, Any, Any], casino: UsesCasino) -> Response[bytes]:
    """The icon, for browsers that ask without having been told."""
    return _answer("icon.svg", request, casino)


ROUTES = [page, static, icon]
