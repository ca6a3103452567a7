"""The sources of the pages: every phrase that a module says is known to it, and every file is written to be read."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from punto.service.http.page_files import without_comments
from punto.service.http.static import TABLE_MODULES, TABLE_SHEETS

WEB = Path(__file__).parent.parent / "src/punto/web"
SOURCES = sorted(str(each.relative_to(WEB)) for each in WEB.rglob("*") if each.suffix in (".js", ".css", ".html"))
MODULES = [each for each in SOURCES if each.endswith(".js")]
LONGEST_LINE, LONGEST_FILE = 120, 450

IMPORT = re.compile(r'^(?:import|export)\b[^;]*?["\'](\.{1,2}/[^"\']+)["\'];', re.MULTILINE | re.DOTALL)
LOADED = re.compile(r'\bimport\(\s*["\'](\.{1,2}/[^"\']+)["\']\s*\)')
LEARNED = re.compile(r"^learn\(\{\n(.*?)^\}\);", re.MULTILINE | re.DOTALL)
KEY = re.compile(r'^  (?:"([^"]+)"|(\w+)): \[', re.MULTILINE)
SAID = re.compile(r'\bphrase\(\s*"([^"]+)"')


@cache
def text(module: str) -> str:
    return (WEB / module).read_text(encoding="utf-8")


def target(module: str, path: str) -> str:
    return str((WEB / module).parent.joinpath(path).resolve().relative_to(WEB.resolve()))


@cache
def imports(module: str) -> frozenset[str]:
    """A module and everything that is loaded before it runs."""
    found, new = {module}, {module}
    while new:
        new = {target(each, path) for each in new for path in IMPORT.findall(text(each))} - found
        found |= new
    return frozenset(found)


@cache
def learned(module: str) -> tuple[str, ...]:
    keys = [key for block in LEARNED.findall(text(module)) for key in KEY.findall(block)]
    return tuple(quoted or plain for quoted, plain in keys)


def test_every_phrase_has_one_home() -> None:
    counted = Counter(key for module in MODULES for key in learned(module))
    assert len(counted) > 300
    assert [key for key, times in counted.items() if times > 1] == []


def loaded_from(module: str) -> set[str]:
    """The modules that a module loads when it needs them."""
    return {target(module, path) for path in LOADED.findall(text(module))}


def entries() -> list[str]:
    """The modules at which something begins to run: the page, and whatever is loaded later."""
    found, new = set[str](), {"main.js"}
    while new:
        found |= new
        new = {entry for each in new for module in imports(each) for entry in loaded_from(module)} - found
    return sorted(found)


def test_every_module_is_loaded_from_the_page() -> None:
    assert {module for entry in entries() for module in imports(entry)} == set(MODULES)


@pytest.mark.parametrize("entry", entries())
def test_what_is_said_is_known_when_it_is_said(entry: str) -> None:
    """A module that is loaded when it is needed brings its phrases along, but for those that are always there."""
    said = {key for module in imports(entry) for key in SAID.findall(text(module))}
    known = {key for module in imports(entry) | imports("main.js") for key in learned(module)}
    assert said - known == set()


@pytest.mark.parametrize("module", MODULES)
def test_ids_of_bets_are_neither_phrases_nor_classes(module: str) -> None:
    """A book may call a bet "big" or "open"."""
    assert re.findall(r"\bphrase\((?:\w+\.)?bet\)|html\(`[^`]*\.\$\{(?:bet|id)\}", text(module)) == []


def test_a_table_tells_at_once_all_that_it_is_made_of() -> None:
    """Else a browser learns of each module from the one before, and waits for the wire every time."""
    told = {"main.js", *re.findall(r'modulepreload" href="/static/([^"]+)"', text("index.html")), *TABLE_MODULES}
    assert imports("main.js") | imports("table.js") == told
    [sheets] = re.findall(r'import\("./table.js"\),\s+styles: (\[[^]]*\])', text("main.js"))
    assert re.findall(r'"([^"]+)"', sheets) == list(TABLE_SHEETS)


@pytest.mark.parametrize("module", MODULES)
def test_no_module_waits_while_it_is_loaded(module: str) -> None:
    """Where two ask at once for a module that waits, WebKit gives it to the second before it has run."""
    assert re.findall(r"^(?:export )?(?:const .*)?\bawait\b.*", text(module), re.MULTILINE) == []


def test_every_style_sheet_is_loaded_somewhere() -> None:
    named = {name for source in SOURCES for name in re.findall(r'[/"]([a-z-]+\.css)"', text(source))}
    assert named == {Path(each).name for each in SOURCES if each.endswith(".css")}


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_is_written_to_be_read(source: str) -> None:
    lines = text(source).splitlines()
    assert len(lines) <= LONGEST_FILE
    assert [line for line in lines if len(line) > LONGEST_LINE or "\t" in line] == []
    if source.endswith(".js"):
        assert re.match(r"// [A-Z].*", lines[0]), "a module says first what it is"


@pytest.mark.parametrize("source", [each for each in SOURCES if not each.endswith(".html")])
def test_comments_do_not_travel_and_nothing_else_is_left_out(source: str) -> None:
    written = text(source).splitlines()
    sent = without_comments(text(source).encode()).decode().splitlines()
    assert len(sent) == len(written)
    assert not re.search(r"^ *(//|/\*)[^;]*$", "\n".join(sent), re.MULTILINE)
    code, in_block = "", False
    for there, here in zip(written, sent, strict=True):
        in_block = in_block or there.lstrip().startswith("/*")
        if here != there:
            assert here == ""
            assert in_block or there.lstrip().startswith("//")
            assert code.count("`") % 2 == 0, "in the middle of a text of several lines"
        in_block = in_block and not there.endswith("*/")
        code += f"{here}\n"
