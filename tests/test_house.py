"""The form of the program itself: no long functions, no long files, and no class name that stands for two things."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "punto").rglob("*.py"))
LONGEST_FILE = 450
LONGEST_FUNCTION = 60
LONGEST_KERNEL = 120
"""Lines of a function that is compiled."""

COMPILED_ROOMS = {"kernels", "simulation", "exposure"}

PLAIN_LISTS = {
    "rulebook/facts.py": "what can go wrong, one value a fact",
    "table/commands.py": "what can be asked of a table, one class a command",
    "table/events.py": "what can happen at a table, one class an event",
    "table/state.py": "what a table remembers, one class a thing",
}
"""Files that may be longer, for they are one plain list."""


def name_of(file: Path) -> str:
    return file.relative_to(SOURCES[0].parent).as_posix()


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_no_function_and_no_file_is_longer_than_one_can_read(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    name = name_of(file)
    longest = LONGEST_KERNEL if name.split("/")[0] in COMPILED_ROOMS else LONGEST_FUNCTION
    long = {
        each.name: each.end_lineno - each.lineno + 1
        for each in functions(ast.parse(text))
        if each.end_lineno is not None and each.end_lineno - each.lineno >= longest
    }
    assert not long
    assert name in PLAIN_LISTS or len(text.splitlines()) <= LONGEST_FILE


def test_the_files_that_may_be_longer_are() -> None:
    long = {name_of(file) for file in SOURCES if len(file.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE}
    assert long == set(PLAIN_LISTS)


def test_no_class_name_stands_for_two_things() -> None:
    homes = defaultdict(list)
    for file in SOURCES:
        for each in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(each, ast.ClassDef):
                homes[each.name].append(name_of(file))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_the_walks_through_the_rooms_name_what_is_there() -> None:
    """And every room has its place in the picture and in the guide for contributors."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`(src/punto/[\w./]+)`", page)
    assert len(named) > 25
    assert [each for each in named if not (ROOT / each).exists()] == []
    rooms = {path.stem for path in (ROOT / "src" / "punto").iterdir() if path.suffix in ("", ".py")}
    rooms -= {"__init__", "__main__", "__pycache__", "web"}
    picture = (ROOT / "docs" / "pictures" / "rooms.svg").read_text(encoding="utf-8")
    assert set(re.findall(r'class="room"[^>]*>(\w+)<', picture)) == rooms
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert {room for room in rooms if f"`punto.{room}`" not in guide} == set()
