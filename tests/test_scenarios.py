"""Every scenario that ships goes as told, and shows the clauses that it names."""

from contextlib import suppress
from pathlib import Path

import pytest

from punto.rulebook import Refused, ids
from punto.scenario import BadScenario, play, read, write
from punto.table import read_command
from said import left_in_latin, messages_in

STORIES = Path(__file__).parent.parent / "scenarios"


def _story(path: Path) -> object:
    by_book: dict[str, list[str]] = {}
    with suppress(BadScenario):  # the test itself will say what is wrong with the file
        for book, clause in read(path.read_text(encoding="utf-8")).shows:
            by_book.setdefault(book, []).append(clause)
    marks = [pytest.mark.clause(book, *names) for book, names in by_book.items() if book in ids()]
    name = path.relative_to(STORIES).with_suffix("").as_posix()
    return pytest.param(path, id=name, marks=marks)


@pytest.mark.parametrize("path", [_story(path) for path in sorted(STORIES.rglob("*.scenario"))])
def test_scenario(path: Path) -> None:
    """The story goes as told, no stake is lost on the way, and all that is said in it can be said in Chinese."""
    story = read(path.read_text(encoding="utf-8"), str(path.relative_to(STORIES.parent)))
    assert story.shows, "a scenario names the clauses that it shows"
    played = play(story)
    told = "\n".join(f"line {each.line}: {each.expected}\n  found: {each.found}" for each in played.differences)
    assert played.as_told, told
    table = played.table
    if table is not None:
        assert table.house + sum(each.balance + each.held - each.owed for each in table.patrons.values()) == 0
        if table.book.id in ids():  # bets of games are called as their files call them
            assert [each for each in messages_in(played.events) if left_in_latin("zh-Hant", each)] == []


@pytest.mark.clause("dragon-tiger-mbs", "3.17.1")
def test_a_cut_card_lets_wagers_go_in_the_high_limit_area_and_nowhere_else() -> None:
    """One table of each kind: what the dealer may allow at the first, nobody is asked at the second."""
    for name in ("cut-card-first-high-limit", "cut-card-first-main-floor"):
        played = play(read((STORIES / f"dragon-tiger-mbs/{name}.scenario").read_text(encoding="utf-8")))
        assert played.as_told, played


def test_what_is_written_is_read_again_as_the_same_command() -> None:
    """Every command of every story, but for those that only a reader of the story can complete or must refuse."""
    written = 0
    for path in sorted(STORIES.rglob("*.scenario")):
        for step in read(path.read_text(encoding="utf-8")).steps:
            try:
                command = read_command(step.command)
            except Refused:  # a question named by its topic, or a field that is wrong on purpose
                continue
            [again] = read(f"scenario Again\n{write(command)}").steps
            assert read_command(again.command) == command, step.text
            written += 1
    assert written > 5000
