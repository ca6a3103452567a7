"""Whatever a user can write or meet is on the page that is its place, and nothing is there that does not exist."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

import punto.lint
from punto.service.demo.demonstration import RANKS
from punto.service.settings import Settings
from punto.table import COMMANDS, EVENTS
from punto.table.answering import TOPICS

from console import DOCS

LINT = Path(punto.lint.__file__).parent
FIRST_CELL = re.compile(r"^\| ([^|]*) \|", re.M)
NAME = re.compile(r"`([a-z][a-z0-9_-]*)`")


def part(page: str, heading: str) -> str:
    """A page from a heading to the next of the same rank."""
    text = (DOCS / page).read_text(encoding="utf-8")
    rank, _, _ = heading.partition(" ")
    found = re.search(rf"^{re.escape(heading)}[^\n]*\n(.*?)(?=^{rank} |\Z)", text, re.M | re.S)
    assert found is not None, f"{page} has no {heading}"
    return found[1]


def first_cells(text: str) -> list[str]:
    """The names in the first column of the tables of a text."""
    return [name for cell in FIRST_CELL.findall(text) for name in NAME.findall(cell)]


@pytest.mark.parametrize("name", ["all_commands", "irregularities"])
def test_a_page_that_is_written_from_the_product_is_what_would_be_written(name: str) -> None:
    """Every command and option; what every book says of every irregularity. `python docs/NAME.py` writes one anew."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page()


def test_every_setting_is_documented_once_and_no_other() -> None:
    named = first_cells(part("operations.md", "## Settings"))
    assert sorted(named) == sorted(Settings.__struct_fields__)


def test_every_topic_of_a_question_is_documented() -> None:
    named = first_cells(part("table.md", "## Questions"))
    assert set(TOPICS) <= set(named)
    assert set(named) <= set(TOPICS)


def test_the_demonstration_gives_as_many_links_as_the_pages_say() -> None:
    number = {5: "five"}[len(RANKS)]
    for page, says in (
        ("service.md", f"prints {number} one-time links"),
        ("dealing.md", f"an address and {number} links"),
    ):
        assert says in " ".join((DOCS / page).read_text(encoding="utf-8").split())


def kinds_of_findings() -> set[str]:
    """What the linter calls its findings, by its source: the second or third argument of those who make one."""
    place = {"found": 2, "finding": 1}
    kinds = set()
    for file in LINT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in place:
                kind = node.args[place[node.func.id]]
                if isinstance(kind, ast.Constant):
                    kinds.add(str(kind.value))
    return kinds


def test_every_kind_of_finding_is_documented() -> None:
    named = first_cells(part("rulebook.md", "## What the linter says"))
    assert len(kinds_of_findings()) > 10
    assert kinds_of_findings() <= set(named)
    assert len(named) == len(set(named))


@pytest.mark.parametrize(
    ("names", "page"), [(EVENTS, "scenarios.md"), (COMMANDS, "scenarios.md")], ids=["events", "commands"]
)
def test_every_event_and_command_of_a_table_is_named(names: dict[str, object], page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    missing = [name for name in names if f"`{name}`" not in text and f"`{name} " not in text]
    assert not missing
