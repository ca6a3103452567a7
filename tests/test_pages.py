"""The files of the pages as they are served: compressed, kept by browsers, and read again when they change."""

import gzip
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from patient_settings import settings
from punto.service.errors import Unknown
from punto.service.http.app import build
from punto.service.http.page_files import PageFiles, without_comments
from punto.service.http.volumes import VOLUMES

WEB = Path(__file__).parent.parent / "src/punto/web"
PLAIN = {"Accept-Encoding": "identity"}
ZIPPED = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    folder = tmp_path_factory.mktemp("pages")
    given = settings(None, {}, database=f"sqlite:///{folder}/p.db", key_file=str(folder / "p.key"))
    with TestClient(build(given)) as found:
        yield found


@pytest.mark.parametrize(
    ("path", "file", "kind"),
    [
        ("/static/base/shoe-hashes.js", "base/shoe-hashes.js", "text/javascript; charset=utf-8"),
        ("/static/style/base.css", "style/base.css", "text/css; charset=utf-8"),
        ("/favicon.ico", "icon.svg", "image/svg+xml"),
    ],
)
def test_a_file_travels_compressed_to_whoever_can_read_that(
    client: TestClient[Litestar], path: str, file: str, kind: str
) -> None:
    plain, zipped = client.get(path, headers=PLAIN), client.get(path, headers=ZIPPED)
    written = (WEB / file).read_bytes()
    assert (
        plain.content == zipped.content == (written if file.endswith((".html", ".svg")) else without_comments(written))
    )
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(plain.headers["content-length"]) == len(plain.content)
    assert int(zipped.headers["content-length"]) == len(gzip.compress(plain.content, 9, mtime=0))
    assert plain.headers["content-type"] == zipped.headers["content-type"] == kind
    assert zipped.headers["vary"] == "Accept-Encoding"


def test_the_page_brings_its_first_style_sheets_and_may_use_no_others(client: TestClient[Litestar]) -> None:
    """A browser draws the first content from the first answer alone."""
    first, table = client.get("/", headers=ZIPPED), client.get("/table/t1", headers=PLAIN)
    assert first.content == table.content
    [sheets] = re.findall(rb"<style>(.*)</style>", first.content, re.DOTALL)
    assert sheets == b"".join(
        without_comments((WEB / "style" / each).read_bytes()) for each in ("base.css", "parts.css")
    )
    written = (WEB / "index.html").read_bytes()
    assert first.content.replace(sheets, b"") == written
    allowed = f"style-src 'self' 'sha256-{b64encode(sha256(sheets).digest()).decode()}'"
    for answer in (first, table):
        assert [part for part in answer.headers["content-security-policy"].split("; ") if "style" in part] == [allowed]


def test_files_that_travel_together_are_read_again_where_one_changes(tmp_path: Path) -> None:
    (tmp_path / "style").mkdir()
    for each in VOLUMES["style/table.css"]:
        (tmp_path / each).write_text(f"{each}\n", encoding="utf-8")
    files = PageFiles(tmp_path)
    first = files.file("style/table.css")
    assert first.plain.decode().split() == list(VOLUMES["style/table.css"])
    (tmp_path / "style/fields.css").write_text("others\n", encoding="utf-8")
    second = files.file("style/table.css")
    assert second.plain == first.plain.replace(b"style/fields.css", b"others")
    assert second.plain_tag != first.plain_tag


def test_only_the_page_itself_may_load_anything(client: TestClient[Litestar]) -> None:
    policies = {path: client.get(path).headers["content-security-policy"] for path in ("/", "/static/main.js")}
    assert policies["/"].startswith("default-src 'self';")
    assert policies["/static/main.js"] == "default-src 'none'"


@pytest.mark.parametrize("head", [PLAIN, ZIPPED])
def test_a_file_that_a_browser_has_is_not_sent_again(client: TestClient[Litestar], head: dict[str, str]) -> None:
    first = client.get("/static/main.js", headers=head)
    assert first.headers["cache-control"] == "no-cache"  # it asks each time, so a new version is seen at once
    again = client.get("/static/main.js", headers={**head, "If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/static/main.js", headers={**head, "If-None-Match": '"another"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_answers_of_the_api_travel_compressed_too(client: TestClient[Litestar]) -> None:
    plain = client.get("/api/books/wu-song/bets?layout=A", headers=PLAIN)
    zipped = client.get("/api/books/wu-song/bets?layout=A", headers=ZIPPED)
    assert plain.json() == zipped.json()
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < int(plain.headers["content-length"]) / 3


def test_a_file_that_changes_on_disk_is_read_again(tmp_path: Path) -> None:
    page = tmp_path / "page.js"
    page.write_text("one", encoding="utf-8")
    files = PageFiles(tmp_path)
    first = files.file("page.js")
    assert files.file("/page.js") is first
    page.write_text("another", encoding="utf-8")
    second = files.file("page.js")
    assert (second.plain, gzip.decompress(second.compressed)) == (b"another", b"another")
    assert second.plain_tag != first.plain_tag
    assert second.compressed_tag != first.compressed_tag


@pytest.mark.parametrize(
    "path", ["none.js", "../secret.js", "a/../b.js", "page.exe", "page", "", "a\\b.js", "a\x00.js"]
)
def test_what_is_no_file_of_the_pages_is_unknown(tmp_path: Path, path: str) -> None:
    (tmp_path / "page.exe").touch()
    (tmp_path.parent / "secret.js").touch()
    with pytest.raises(Unknown, match="There is no file"):
        PageFiles(tmp_path).file(path)
