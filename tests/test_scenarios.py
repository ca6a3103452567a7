"""Every scenario that ships goes as told, and shows the clauses that it names."""

from contextlib import suppress
from pathlib import Path

import pytest

from punto.scenario import BadScenario, play, read

STORIES = Path(__file__).parent.parent / "scenarios"


def _story(path: Path) -> object:
    by_book: dict[str, list[str]] = {}
    with suppress(BadScenario):  # the test itself will say what is wrong with the file
        for book, clause in read(path.read_text(encoding="utf-8")).shows:
            by_book.setdefault(book, []).append(clause)
    marks = [pytest.mark.clause(book, *names) for book, names in by_book.items()]
    name = path.relative_to(STORIES).with_suffix("").as_posix()
    return pytest.param(path, id=name, marks=marks)


@pytest.mark.parametrize("path", [_story(path) for path in sorted(STORIES.rglob("*.scenario"))])
def test_scenario(path: Path) -> None:
    """The story goes as told, no stake is lost on the way, and its events fold to the same table."""
    story = read(path.read_text(encoding="utf-8"), str(path.relative_to(STORIES.parent)))
    assert story.shows, "a scenario names the clauses that it shows"
    played = play(story)
    told = "\n".join(f"line {each.line}: {each.expected}\n  found: {each.found}" for each in played.differences)
    assert played.as_told, told
    table = played.table
    if table is not None:
        assert table.house + sum(each.balance + each.held - each.owed for each in table.patrons.values()) == 0
