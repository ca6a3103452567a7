"""The notebooks of `examples/` run, and show what is kept in them."""

import json
from pathlib import Path

import pytest

from notebooks import NOTEBOOKS, rewritten


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_shows_what_is_kept_in_it(file: Path) -> None:
    """If it has changed for the better, `python tests/notebooks.py` writes it anew."""
    assert rewritten(file) == file.read_text(encoding="utf-8")


def test_there_are_five_and_each_begins_with_what_it_is_about() -> None:
    assert [file.stem for file in NOTEBOOKS] == [
        "a-bot-at-a-live-table",
        "a-shoe-as-it-runs",
        "design-a-side-bet",
        "settle-a-month",
        "what-counting-is-worth",
    ]
    for file in NOTEBOOKS:
        notebook = json.loads(file.read_text(encoding="utf-8"))
        first = notebook["cells"][0]
        assert first["cell_type"] == "markdown"
        assert first["source"][0].startswith("# ")
        assert notebook["nbformat"] == 4
