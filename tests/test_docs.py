"""What the documentation shows of the command line is what it prints."""

import re
from pathlib import Path

import pytest

from punto.rulebook import facts, readings, vocabulary

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
