"""What the stories of a book reach of it."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from punto.rulebook import clauses, load, parse, source
from punto.scenario import CoveredBook, Scenario, cover, read
from whole_app import app

STORIES = Path(__file__).parent.parent / "scenarios"


def stories(book: str, *but: str) -> Iterator[Scenario]:
    for file in sorted((STORIES / book).glob("*.scenario")):
        if file.stem not in but:
            yield read(file.read_text(encoding="utf-8"), file.stem)


@cache
def whole(book: str) -> CoveredBook:
    """A book with all the stories that ship of it."""
    return cover(load(book), list(stories(book)))


def reached_by(found: CoveredBook, story: str) -> set[tuple[str, str]]:
    return {item for item, files in found.reached.items() if story in files}


@pytest.mark.parametrize("book", ["wu-song", "commission-insurance"])
def test_a_story_reaches_the_clauses_that_it_says_it_shows(book: str) -> None:
    """A mere definition need not be cited; everything else that a story names, it reaches."""
    found = whole(book).items("clauses")
    for story in stories(book):
        for of, clause in story.shows:
            if of == book and clauses(book)[clause].kind != "definition" and clause in found:
                assert story.file in found[clause], (story.file, clause)


def test_all_stories_of_wu_song_reach_every_irregularity_and_choice_but_not_every_pay_row() -> None:
    """The stories are about what goes wrong: in none of them is a Tiger or a Big 7 paid."""
    found = whole("wu-song")
    assert found.as_told
    assert found.kinds()["irregularity-rows"] == (27, 27)
    assert found.kinds()["choices"] == (3, 3)
    rows = found.items("pay-rows")
    assert len(rows) == source("wu-song").decode().count("[[pays.")
    assert "wu-dalang-paid-and-taken-back" in rows["pays.wu-dalang, wu-dalang: Player wins on 1"]
    assert not rows["pays.tigers, small-tiger: Banker wins on 6 with two cards"]
    texts = [file.read_text(encoding="utf-8") for file in (STORIES / "wu-song").glob("*.scenario")]
    assert not any("place" in line and "small-tiger" in line for text in texts for line in text.splitlines())


def test_without_its_story_a_row_is_not_reached() -> None:
    rows = whole("wu-song").items("irregularity-rows")
    row, only = next((row, files[0]) for row, files in sorted(rows.items()) if len(files) == 1)
    gone = {only, "shoe-runs-out"}
    left = cover(load("wu-song"), list(stories("wu-song", *gone)))
    assert not left.items("irregularity-rows")[row]
    everywhere = whole("wu-song").reached.items()
    assert {item for item, files in left.reached.items() if not files} == {
        item for item, files in everywhere if set(files) <= gone
    }


def test_a_power_failure_reaches_its_row_and_its_guards_and_pays_nothing() -> None:
    reached = reached_by(whole("wu-song"), "power-failure-void")
    assert ("irregularity-rows", "irregularity[24] interruption, outcome: open") in reached
    assert ("guards", "interruption, outcome: open") in reached
    assert ("guards", "interruption, outcome: established") not in reached
    assert not any(kind in ("pay-rows", "choices") for kind, _ in reached)


def test_cells_of_insurance_are_reached_by_cover_that_was_settled() -> None:
    """`two-windows-one-cap` strikes cover twice; which cells, its own lines tell."""
    found = whole("commission-insurance")
    text = (STORIES / "commission-insurance/two-windows-one-cap.scenario").read_text(encoding="utf-8")
    cells = [name for kind, name in sorted(reached_by(found, "two-windows-one-cap")) if kind == "cells"]
    assert len(cells) == 2
    assert [cell.split(",")[0] for cell in cells] == ["four-cards", "third-card"]
    assert text.count("\ninsure ") >= 2
    insurance = load("commission-insurance").insurance
    assert insurance is not None
    assert found.kinds()["cells"][1] == len([cell for cell in every_cell() if insurance.row(*cell) is not None])


def every_cell() -> set[tuple[str, str, int, int]]:
    """Stage, hand and points of all situations in which a card is due, by dealing every total and every third card."""
    found = set()
    for player in range(8):
        for banker in range(8):
            if player <= 5 or banker <= 5:
                found |= {("four-cards", "player", player, banker), ("four-cards", "banker", banker, player)}
            for third in range(10) if player <= 5 else ():
                draws = {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: third in (6, 7)}
                if banker <= 2 or draws.get(banker, False):
                    after = (player + third) % 10
                    found |= {("third-card", "player", after, banker), ("third-card", "banker", banker, after)}
    return found


def test_a_copy_of_a_book_is_covered_by_the_same_stories() -> None:
    """Rows of a book of one's own are its own, however like those of another book they are."""
    mine = parse(source("wu-song").replace(b"version = ", b"version =  "), "mine.toml")
    story = list(stories("wu-song"))[-1]
    found = cover(mine, [story])
    assert found.items("pay-rows")["pays.wu-dalang, wu-dalang: Player wins on 1"] == (story.file,)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["cover", *words])
    return done.exit_code, done.output


def test_a_threshold_makes_the_exit_status() -> None:
    story = str(STORIES / "wu-song/power-failure-void.scenario")
    assert run("wu-song", story)[0] == 0
    assert run("wu-song", story, "--least", "0.1%")[0] == 1  # no pay row, no choice
    assert run("wu-song", story, "--least", "irregularity-rows=3.7%")[0] == 0  # 1 of 27
    code, told = run("wu-song", story, "--least", "irregularity-rows=3.8%", "--missing")
    assert code == 1
    assert "too few" in told
    assert "not reached: choices: dealing-error: take-back" in told
    assert run("wu-song", story, "--least", "1%", *(f"--least={kind}=0" for kind in ("pay-rows", "choices")))[0] == 0
    assert run("wu-song", story, "--least", "rows=1%")[0] == 2
    assert run("wu-song", story, "--least", "much")[0] == 2


def test_reports_for_machines(tmp_path: Path) -> None:
    story = str(STORIES / "wu-song/power-failure-void.scenario")
    code, told = run("wu-song", story, "--json", "--junit", str(tmp_path / "cover.xml"), "--least", "choices=100%")
    kinds = json.loads(told)["kinds"]
    assert (code, kinds["irregularity-rows"]["reached"], kinds["irregularity-rows"]["of"]) == (1, 1, 27)
    suites = {suite.get("name"): suite for suite in ElementTree.parse(tmp_path / "cover.xml").getroot()}
    assert suites.keys() == kinds.keys()
    for kind, suite in suites.items():
        missing = [case for case in suite if case.find("failure" if kind == "choices" else "skipped") is not None]
        assert len(missing) == kinds[kind]["of"] - kinds[kind]["reached"]
        assert len(list(suite)) == kinds[kind]["of"]
        assert suite.get("failures") == (str(len(missing)) if kind == "choices" else "0")


def test_a_story_that_goes_otherwise_is_named(tmp_path: Path) -> None:
    text = (STORIES / "wu-song/power-failure-void.scenario").read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.scenario"
    wrong.write_text(text.replace("round void", "round settled"), encoding="utf-8")
    code, told = run("wu-song", str(wrong))
    assert code == 1
    assert "OTHERWISE" in told
    assert "0 of 1 scenario as told." in told
