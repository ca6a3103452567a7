"""What the documentation shows of the command line is what it prints."""

from pathlib import Path

import pytest

from console import PAGES, rewritten


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shell_examples_print_what_the_page_shows(page: Path) -> None:
    """If one has changed for the better, `python tests/console.py` writes it anew."""
    assert rewritten(page).splitlines() == page.read_text(encoding="utf-8").splitlines()
