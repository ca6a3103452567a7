"""Five kinds of readers find from the first page what they want to know, by links and by searching."""

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, browsing
from punto import __version__

from console import DOCS

ROOT = DOCS.parent
ABOVE = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages of the site that are made from files above the folder of the documentation."""
QUESTIONS = tomllib.loads((Path(__file__).parent / "readers.toml").read_text(encoding="utf-8"))["question"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#+) (.*?)(?: \{#([\w-]+)\})?$", re.M)


def page(name: str) -> str:
    if name in ABOVE:
        return (ROOT / ABOVE[name]).read_text(encoding="utf-8")
    return (DOCS / name).read_text(encoding="utf-8")


def anchor(title: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def section(target: str) -> str:
    """What stands where a link leads to: a page, or a part of it with the parts below it."""
    name, _, wanted = target.partition("#")
    text = page(name)
    if not wanted:
        return text
    [found] = [each for each in HEADING.finditer(text) if (each[3] or anchor(each[2])) == wanted]
    rank = len(found[1])
    after = next((each.start() for each in HEADING.finditer(text, found.end()) if len(each[1]) <= rank), len(text))
    return text[found.start() : after]


def test_each_of_five_readers_asks_eighteen_things_at_least() -> None:
    asked = Counter(each["reader"] for each in QUESTIONS)
    assert len(asked) == 5
    assert min(asked.values()) >= 18


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each["asks"])
def test_what_a_reader_asks_is_at_most_two_links_away(question: dict[str, str]) -> None:
    here, way = "index.md", list(question["way"])
    assert len(way) <= 2
    for at, target in enumerate(way):
        links = LINK.findall(section(f"index.md#{question['reader']}") if at == 0 else page(here.partition("#")[0]))
        assert target in links or target.partition("#")[0] in links, (here, target)
        here = target
    assert question["reads"] in " ".join(section(here).split())


@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)
def test_the_built_pages_are_searched_from_a_folder(tmp_path: Path) -> None:
    """The site as it is configured, but without the Python reference, which takes long to read."""
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(
        f"INHERIT: {ROOT}/mkdocs.yml\ndocs_dir: {DOCS}\nsite_dir: {tmp_path}/site\nhooks: [{DOCS}/publish.py]\n"
        "plugins: [search, offline]\nvalidation: {links: {anchors: ignore, not_found: ignore}}\n"
    )
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(settings)], check=True, cwd=ROOT)
    with browsing() as browser:
        shown = browser.new_page()
        asked: list[str] = []
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(f"file://{tmp_path}/site/handbook.html")
        expect(shown).to_have_title(f"The operator's handbook - Punto {__version__}")
        shown.locator("input[name=query]").press_sequentially("names, persons and posts")  # a heading goes first
        found = shown.locator(".md-search-result__link[href*='accounts.html']")
        expect(found.first).to_be_attached(timeout=PATIENCE)
        assert [url for url in asked if not url.startswith("file:")] == []
