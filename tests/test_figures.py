"""Figures of one day in the documentation: each stands beside a commit of this history, where it can be made again."""

import re
import subprocess
from pathlib import Path

import pytest

from console import DOCS, PAGES

CHANGES = DOCS.parent / "CHANGELOG.md"
COMMIT = re.compile(r"`([0-9a-f]{7})`")
DATE = r"(?:\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+ 20\d\d)"
MEASURED = re.compile(rf"\b[Oo]n {DATE}")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(DOCS), *words], capture_output=True, text=True, check=False)


def without_code(page: Path) -> str:
    return CODE.sub("", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_was_measured_on_a_day_names_its_commit(page: Path) -> None:
    paragraphs = without_code(page).split("\n\n")
    assert [each for each in paragraphs if MEASURED.search(each) and not COMMIT.search(each)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_commit_that_a_page_names_is_in_the_history(page: Path) -> None:
    if git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        pytest.skip("the history is not at hand: this is no clone, or one without its past")
    named = COMMIT.findall(without_code(page))
    assert [each for each in named if git("merge-base", "--is-ancestor", each, "HEAD").returncode] == []


def test_the_changelog_has_the_share_that_conformance_kits_find_as_measured_last() -> None:
    found = re.compile(r"Of (\d+) engines made wrong, (\d+) fail it").search(_one_line(CHANGES))
    measured = re.compile(r"(\d+) of (\d+) wrong engines failed").search(_one_line(DOCS / "conformance.md"))
    assert found
    assert measured
    assert found.group(2, 1) == measured.group(1, 2)


def _one_line(page: Path) -> str:
    return " ".join(page.read_text(encoding="utf-8").split())
