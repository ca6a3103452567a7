"""What the documentation shows of the command line is what it prints."""

import re
from pathlib import Path

import pytest

from punto.rulebook import facts, readings, vocabulary
from punto.table.invariants import INVARIANTS

from console import DOCS, PAGES, rewritten
from doc_tables import tabled


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shell_examples_print_what_the_page_shows(page: Path) -> None:
    """If one has changed for the better, `python tests/console.py` writes it anew."""
    assert rewritten(page).splitlines() == page.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("page", ["rulebook.md", "scenarios.md"])
def test_the_tables_of_facts_and_guards_are_what_is_declared(page: str) -> None:
    """If a fact has changed, `python tests/doc_tables.py` writes its rows anew."""
    text = (DOCS / page).read_text(encoding="utf-8")
    assert tabled(text).splitlines() == text.splitlines()


def test_the_rulebook_page_explains_every_word_and_every_reading() -> None:
    text = (DOCS / "rulebook.md").read_text(encoding="utf-8")
    words = {*facts.IN_BOOKS, *facts.GUARDS, *vocabulary.VERBS, *vocabulary.DRAWING, *vocabulary.PATTERN}
    for points in vocabulary.POINTS.values():
        words |= points.keys()
        words |= {word for values in points.values() for word in values if len(word) > 1}
    words |= {word for objects in vocabulary.VERBS.values() for word in objects if len(word) > 1}
    words |= {word for guard in facts.GUARDS.values() for word in guard.values}
    assert sorted(word for word in words if not re.search(rf"`([a-z]+\.)?{re.escape(word)}`", text)) == []
    assert [f"| {name} | {says} |" for name, says in readings().items() if f"| {name} | {says} |" not in text] == []


def test_every_reading_that_the_program_itself_cites_is_told() -> None:
    """Those that books cite are held by the linter."""
    sources = (DOCS.parent / "src/punto").rglob("*.py")
    cited = {name for file in sources for name in re.findall(r'"(AMB-\d+)"', file.read_text(encoding="utf-8"))}
    assert cited
    assert cited <= readings().keys()


def test_the_page_on_the_table_lists_the_rules_of_keeping_one() -> None:
    text = (DOCS / "table.md").read_text(encoding="utf-8").partition("{#rules}")[2].partition("\n## ")[0]
    assert re.findall(r"^- `(.+?)`: (.+)$", text, re.M) == [(each.name, each.says) for each in INVARIANTS]


def test_headings_stand_alone() -> None:
    """Straight after a row of a table, a heading would be taken for another row, and links to it would lead nowhere."""
    glued = []
    for page in sorted(DOCS.rglob("*.md")):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        glued += [f"{page.name}: {heading}" for heading in re.findall(r"\S\n(#{1,6} .*)", text)]
    assert glued == []
