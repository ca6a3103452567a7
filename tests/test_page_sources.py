"""The sources of the pages: every phrase that a module says is known to it, and every file is written to be read."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from punto.service.http.page_files import PageFiles, without_comments
from punto.service.http.volumes import VOLUMES, exports

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


def test_a_table_is_two_files_of_modules() -> None:
    """Else a browser learns of each module from the one before, and waits for the wire every time."""
    assert imports("main.js") | imports("table.js") == {*VOLUMES["main.js"], *VOLUMES["table.js"]}


BOUND = [*VOLUMES["main.js"], *VOLUMES["table.js"]]


@pytest.mark.parametrize("module", BOUND)
def test_a_module_in_a_volume_stands_behind_what_it_imports(module: str) -> None:
    before = BOUND[: BOUND.index(module)]
    assert {target(module, path) for path in IMPORT.findall(text(module))} <= set(before)


@pytest.mark.parametrize("module", BOUND)
def test_a_module_in_a_volume_imports_and_exports_in_plain_forms(module: str) -> None:
    """Names in braces as they are; functions, classes and constants."""
    for names in re.findall(r"^import ([^;\"]*) from ", text(module), re.MULTILINE):
        assert re.fullmatch(r"\{[\s\w,]*\}", names)
        assert not re.search(r"\bas\b", names)
    assert len(re.findall(r"^export\b", text(module), re.MULTILINE)) == len(exports(text(module)))


def test_no_name_is_given_out_twice_by_the_volumes() -> None:
    given_out = Counter(name for module in BOUND for name in exports(text(module)))
    assert [name for name, times in given_out.items() if times > 1] == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_loaded_once_whoever_asks(module: str) -> None:
    """What travels imports from the volume, never a second copy; a module in a volume only names it."""
    sent = PageFiles.shipped().file(module).plain.decode()
    sources = set(re.findall(r'^(?:import|export)\b[^;]*?"([^"]+)";', sent, re.MULTILINE))
    loaded = {path if path.startswith("/") else f"/static/{target(module, path)}" for path in sources}
    assert loaded.isdisjoint(f"/static/{each}" for each in BOUND if each not in VOLUMES)
    if module in BOUND and module not in VOLUMES:
        assert len(sent.splitlines()) == 1
        assert set(re.findall(r"\w+", sent.partition("{")[2].partition("}")[0])) == set(exports(text(module)))


@pytest.mark.parametrize("module", MODULES)
def test_no_module_waits_while_it_is_loaded(module: str) -> None:
    """Where two ask at once for a module that waits, WebKit gives it to the second before it has run."""
    assert re.findall(r"^(?:export )?(?:const .*)?\bawait\b.*", text(module), re.MULTILINE) == []


def test_every_style_sheet_is_loaded_somewhere() -> None:
    named = {name for source in SOURCES for name in re.findall(r'[/"]([a-z-]+\.css)"', text(source))}
    named |= {Path(part).name for parts in VOLUMES.values() for part in parts if part.endswith(".css")}
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
