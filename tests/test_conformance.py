"""Conformance kits: what they cover, that Punto passes its own, and that engines made wrong do not."""

import http.server
import json
import shlex
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from typer.testing import CliRunner

from conformance import OWN, Reached, Target, drawn, files, functions, notices, spread, unasked_functions
from operators import mutants
from punto.conformance import Answers, Kit, KitCase, check, difference, read_kit, write_kit
from punto.conformance.openings import opening_stories
from punto.conformance.questions import coup_of
from punto.conformance.rounds import round_questions
from punto.conformance.stories import stories
from punto.coup import insurable_situations, reachable_outcomes, situation
from punto.explore.told import told
from punto.rulebook import SHIPPED, Refused, load, menu, source
from punto.table import Table, act
from whole_app import app

from run import ROOT, equivalents

BOOK = "commission-insurance"
STATES, CHOSEN = 6, 40
ANSWER = f"{shlex.quote(sys.executable)} -m punto conformance answer"
RUN = CliRunner()


@dataclass(frozen=True)
class Made:
    """A small kit: all rounds, some of the chosen stories, and stories from few states."""

    folder: Path
    kit: Kit
    cases: list[KitCase]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("kit")
    write_kit(load(BOOK), source(BOOK), folder, STATES, CHOSEN)
    return Made(folder, *read_kit(folder))


@pytest.fixture(scope="module")
def slice_of(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fiftieth case of the kit, as a kit."""
    folder = tmp_path_factory.mktemp("slice")
    write_cases(folder, made.kit, made.cases[::50])
    return folder


def write_cases(folder: Path, kit: Kit, cases: list[KitCase]) -> None:
    """Some of the cases of a kit, as a kit."""
    rounds, told = ([each for each in cases if key in each.ask] for key in ("round", "story"))
    smaller = msgspec.structs.replace(kit, rounds=len(rounds), stories=len(told))
    (folder / "kit.json").write_bytes(msgspec.json.encode(smaller))
    for name, some in (("rounds.jsonl", rounds), ("stories.jsonl", told)):
        (folder / name).write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in some))


# What a kit covers


def test_a_kit_comes_to_every_outcome_row_and_cell(made: Made) -> None:
    shown = {name for each in made.cases for name in each.shows}
    assert {f"outcome {index}" for index in reachable_outcomes()} <= shown
    book = load(BOOK)
    rows = {
        f"row {layout} {bet} {row.basis.clause}"
        for layout in book.layouts
        for bet, priced in menu(book, layout).bets.items()
        for row in priced.rows
    }
    assert rows <= shown
    assert book.insurance is not None
    for index in insurable_situations():
        seen = situation(index)
        for hand in ("player", "banker"):
            cell = seen.stage, hand, seen.own(hand), seen.opposite(hand)
            name = f"cell {' '.join(map(str, cell))}"
            priced = book.insurance.row(*cell) is not None
            assert (f"{name} no price" in shown) != priced
            assert not priced or f"{name} cap" in shown or f"{name} player" in shown or f"{name} banker" in shown


def test_what_stories_do_not_reach_is_named(made: Made) -> None:
    covered = made.kit.coverage
    assert covered.irregularity_rows == len(load(BOOK).irregularities)
    assert covered.irregularity_rows_reached + len(covered.not_reached) == covered.irregularity_rows
    assert covered.irregularity_rows_reached > covered.irregularity_rows // 2


def test_expected_answers_are_those_of_the_printed_table(made: Made) -> None:
    """Player 7 against Banker 2 after four cards is insured at 4 to 1 (4.1.3): cover up to the bet's own win."""
    [case] = [each for each in made.cases if each.shows == ("cell four-cards player 7 2 banker",)]
    [_, cover] = case.expect["lines"]
    assert (cover["result"], cover["stake"], cover["net"], cover["odds"]) == ("win", "250.00", "1000.00", "4:1")
    assert cover["clauses"] == ["4.1.3"]


def test_an_answer_is_told_once(made: Made) -> None:
    """Stories begin alike; the answers to what another has told are left out, but for the last, and for refusals."""
    every = [(each.ask["story"], each.expect["steps"]) for each in made.cases if "story" in each.ask]
    answers = Answers()
    left_out = 0
    for commands, steps in every[::20]:
        found = answers.answer({"id": 1, "story": commands})["steps"]
        assert steps[-1] == found[-1]
        assert all(step in ({}, answer) for step, answer in zip(steps, found, strict=True))
        left_out += steps.count({})
    assert left_out


def test_chosen_stories_go_on_at_tables_of_every_book() -> None:
    """Every fiftieth story is played at its own book: it opens a table, and most of what is asked is accepted."""
    accepted = asked = 0
    for each in list(told())[::50]:
        table: Table | None = None
        for command in each.commands:
            asked += 1
            try:
                table, _ = act(table, command)
            except Refused:
                continue
            accepted += 1
        assert table is not None
    assert accepted > asked // 2


def test_every_way_to_open_a_table_is_told_with_what_is_refused() -> None:
    """A table in dong is opened; one in "dollars" is not, for a currency is three letters; both are told."""
    book = load("wu-song")
    every = list(opening_stories(book, SHIPPED))
    refused = [each for story in every if story[-1]["do"] == "open-table" for each in story[:-1]]
    assert any(each.get("currency") == "dollars" for each in refused)
    accepted = [story[0] for story in every if story[-1]["do"] != "open-table"]
    assert any(each.get("currency") == "VND" for each in accepted)
    assert all(each.get("currency") != "dollars" for each in accepted)


def test_a_late_wager_is_cut_to_the_maximum_that_its_bet_has_for_itself(made: Made) -> None:
    """The table's maximum is 200.00, that of the tie 15.00: of 20.00 found after the close 5.00 comes back."""
    steps = [step for case in made.cases if "story" in case.ask for step in case.expect["steps"]]
    lines = [line for step in steps for some in step.get("lines", {}).values() for line in some]
    assert any(
        (line["bet"], line["stake"], line["effective"], line["returned"]) == ("tie", "20.00", "15.00", "5.00")
        for line in lines
    )


HOUSE = load(str(OWN / "house-insured.toml"))
"""A book with commission on record and rounded up, a payout by patron, and bets that depend on others."""


def test_a_kit_asks_about_rules_that_only_some_books_have() -> None:
    """Of Banker at 1 to 1 a twentieth is commission; a round pays a patron no more than is posted."""
    every = [each for each in round_questions(HOUSE) if each.shows[0].startswith(("payout", "beside", "row A banker"))]
    answers = Answers([HOUSE])
    found = [(each, answers.answer({"id": 1, **each.ask})) for each in every]
    [won] = [answer for each, answer in found if each.shows == ("row A banker H.4",)]
    assert [(line["net"], line["commission"]) for line in won["lines"]] == [("950.00", "50.00")]
    paid = [
        (sum(Decimal(line["net"]) for line in answer["lines"] if line["result"] == "win"), each.ask["round"]["limits"])
        for each, answer in found
        if each.shows[0].startswith("payout") and "lines" in answer
    ]
    assert paid
    assert all(won <= Decimal(limits["payout"]) for won, limits in paid)
    beside = {each.shows[0]: {"refused" in answer} for each, answer in found if each.shows[0].startswith("beside")}
    assert beside["beside tie banker-pair"] == {True}, "the two are never bet together"
    assert {"beside banker-pair banker", "beside player-pair banker"} <= beside.keys()


def test_a_kit_of_a_game_without_irregularities_can_be_made() -> None:
    """Among the chosen stories some change the book of a table: rows of another book are not rows of this one."""
    every = list(stories(load("punto-banco"), states=1))
    assert any(each["do"] == "change-book" for story in every for each in msgspec.to_builtins(list(story.commands)))
    assert not any(story.rows for story in every)


def test_every_row_about_single_cards_has_a_coup() -> None:
    book = load("match")
    for layout in ("royal", "colours", "fabulous"):
        for priced in menu(book, layout).bets.values():
            for row in priced.rows:
                coup = coup_of(priced, row)
                assert coup is not None, row.basis
                assert priced.row_of(coup) is row


# Programs


def test_punto_passes_its_own_kit(made: Made) -> None:
    answers = Answers()
    assert [each.wrong for each in (check(case, answers.line) for case in made.cases[::3]) if each.wrong] == []


def test_a_program_is_asked_by_standard_input_and_reported_as_junit(slice_of: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    told = RUN.invoke(app, ["conformance", "run", str(slice_of), "--program", ANSWER, "--junit", str(report)])
    assert told.exit_code == 0, told.stdout
    suite = ElementTree.parse(report).getroot()
    number = len(read_kit(slice_of)[1])
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", str(number), "0")
    assert len(suite) == number


WRONG = """
import json, sys
from punto.conformance import Answers
answers = Answers()
for line in sys.stdin:
    answered = answers.answer(json.loads(line))
    for each in answered.get("lines", ()):
        if each["bet"] == "tie" and each["result"] == "win":
            each["net"] = "1.00"
    print(json.dumps(answered), flush=True)
"""


def test_a_program_that_pays_a_tie_wrongly_fails_where_it_does(made: Made, tmp_path: Path) -> None:
    ties = [each for each in made.cases if any(name.startswith("row A tie") for name in each.shows)]
    folder = tmp_path / "ties"
    folder.mkdir()
    write_cases(folder, made.kit, ties)
    (tmp_path / "wrong.py").write_text(WRONG)
    report = tmp_path / "report.xml"
    program = f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'wrong.py'))}"
    told = RUN.invoke(app, ["conformance", "run", str(folder), "--program", program, "--junit", str(report)])
    assert told.exit_code == 1
    assert 'lines[0].net: expected "8000.00", found "1.00"' in told.stdout
    told_cases = ElementTree.parse(report).getroot()
    failures = [each.get("name", "") for each in told_cases if each.find("failure") is not None]
    assert [name.partition(" ")[2] for name in failures] == ["row A tie 4.1.2#tie"]


@pytest.fixture
def address() -> Iterator[str]:
    answers = Answers()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = answers.line(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_a_system_is_asked_by_http(slice_of: Path, address: str) -> None:
    told = RUN.invoke(app, ["conformance", "run", str(slice_of), "--url", address])
    assert (told.exit_code, told.stdout.endswith("as the book says.\n")) == (0, True)


def test_a_program_that_says_nothing_fails_every_case(slice_of: Path) -> None:
    silent = f'{shlex.quote(sys.executable)} -c "import sys; [print(flush=True) for line in sys.stdin]"'
    told = RUN.invoke(app, ["conformance", "run", str(slice_of), "--program", silent])
    assert told.exit_code == 1
    assert "\n0 of " in told.stdout


def test_clauses_may_be_left_out() -> None:
    expected = {"lines": [{"net": "8.00", "clauses": ["4.1.2"]}]}
    found = {"lines": [{"net": "8.00"}]}
    assert difference(expected, found) == 'lines[0].clauses: expected ["4.1.2"], found null'
    assert difference(expected, found, frozenset({"clauses"})) is None


def test_a_refusal_is_no_answer_where_none_is_due() -> None:
    assert difference({"lines": []}, {"lines": [], "refused": []}) == "answer: it was refused"
    assert difference({"refused": []}, {"lines": []}) == "refused: expected [], found null"


def test_the_command_makes_a_kit_of_a_book_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_bytes(source("wu-song").replace(b'id = "wu-song"', b'id = "my-game"').replace(b'"36:1"', b'"38:1"'))
    told = RUN.invoke(
        app, ["conformance", "make", str(own), "--output", str(tmp_path / "kit"), "--states", "1", "--chosen", "10"]
    )
    assert told.exit_code == 0
    kit, every = read_kit(tmp_path / "kit")
    assert kit.book == "my-game"
    answers = Answers([load(str(own))])
    some = every[::100]
    assert [each.wrong for each in (check(case, answers.line) for case in some) if each.wrong] == []
    shipped = Answers([msgspec.structs.replace(load("wu-song"), id="my-game")])
    wrong = [case for case in every if check(case, shipped.line).wrong]
    assert any("wu-song" in name for case in wrong for name in case.shows)


def test_a_line_that_is_no_question_is_answered_so() -> None:
    assert json.loads(Answers().line(b"{}"))["error"].startswith("This is no question")
    for rubbish in (b"nothing", b"", b"[]", b"5", b'"x"', b'{"id": "\xff"}', b"[" * 100_000, b'{"id": 1, "story": 5}'):
        assert json.loads(Answers().line(rubbish))["error"].startswith("This is no question")


@pytest.mark.parametrize("name", ["kit.json", "rounds.jsonl", "stories.jsonl"])
@pytest.mark.parametrize("rubbish", [b"null\n", b"{}\n", b"[" * 100_000, b'{"\xff": 1}\n', b"\x00\n"])
def test_a_file_that_is_none_of_a_kit_is_refused_by_name(name: str, rubbish: bytes, tmp_path: Path) -> None:
    coverage = {"pay_rows": 0, "cells": 0, "irregularity_rows": 0, "irregularity_rows_reached": 0, "not_reached": []}
    kit = {"format": 1, "book": "wu-song", "digest": "", "rounds": 0, "stories": 0, "coverage": coverage}
    for each, holds in {"kit.json": json.dumps(kit).encode(), "rounds.jsonl": b"", "stories.jsonl": b""}.items():
        (tmp_path / each).write_bytes(rubbish if each == name else holds)
    with pytest.raises(Refused, match=rf"{name} is no file of a kit as `punto conformance make` writes it: .+\.$"):
        read_kit(tmp_path)


# Engines made wrong


def test_tables_made_wrong_fail_the_kit(made: Made) -> None:
    """A slice of the same: of six tables made wrong in betting, insurance and play, four at least fail."""
    some = ("table/handlers/betting.py", "table/handlers/insurance.py", "table/apply/play.py")
    targets: list[Target] = drawn(files(some), 6, seed=3)
    stories = [each for each in made.cases if "story" in each.ask]
    reached = Reached(stories, targets)
    noticed = [bool(reached.places(each)) and notices(each, stories, reached.places(each)) for each in targets]
    left = [f"{each.mutant.line}: {each.mutant.what}" for each, seen in zip(targets, noticed, strict=True) if not seen]
    assert len(left) <= 2, left


def test_every_excuse_names_a_change_that_can_be_made() -> None:
    """An excuse for a line that is there no more could hide another."""
    excused = equivalents() | equivalents("unseen.toml")
    found: set[tuple[str, str, str]] = set()
    for path in sorted((ROOT / "src/punto").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        if any(module == each[0] for each in excused):
            every = mutants(path.read_text(encoding="utf-8"))
            found |= {(module, each.text, what) for each in every for what in (each.what, "")}
    assert excused <= found, excused - found
    for module, name in unasked_functions():
        source = (ROOT / "src" / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
        assert name in functions(source).values(), (module, name)


def test_engines_made_wrong_fail_the_kit(made: Made) -> None:
    """A slice of mutants/conformance.py: of eight wrong settlements seven at least fail the rounds of one book."""
    targets: list[Target] = drawn(files(("settlement/settle.py", "settlement/cover.py")), 8, seed=7)
    every = [each for each in made.cases if "round" in each.ask]
    rounds = [each for at, each in enumerate(every) if at % 2 == 0 or each.shows[0].startswith("cap")]
    noticed = [notices(each, rounds, spread(range(len(rounds)))) for each in targets]
    left = [f"{each.mutant.line}: {each.mutant.what}" for each, seen in zip(targets, noticed, strict=True) if not seen]
    assert len(left) <= 1, left
