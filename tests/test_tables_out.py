"""Every table that a command writes has the columns of docs/tables.md in all three forms, and none is left out."""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from json_shapes import STORY
from punto.coup import cards, deal_from
from punto.history import (
    BadHistory,
    Field,
    History,
    Limit,
    RecordedCover,
    RecordedEvent,
    RecordedResult,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
    dump,
    load,
)
from punto.history.importing import from_csv, from_rows
from punto.history.tables import with_wagers
from punto.tabular import FORMS, Rows, read
from service_process import MASTER
from test_front import COMMANDS
from whole_app import app

from console import DOCS

HERE = Path(__file__).parent
EVENING = HERE / "evening.history"
WAGERS = "rulebook,cards,bet,stake\nwu-song,K 6 7 K,player,100\n"
WORTHS = [
    f"{name}{part}"
    for name in ("favourable", "edge_when_favourable", "units_per_shoe", "units_per_100")
    for part in ("", "_error", "_low", "_high")
]
CALLS = {
    "rulebooks": "rulebooks",
    "show": "show commission-insurance",
    "clauses": "clauses wu-song --status stated",
    "lint": "lint ez-baccarat",  # which has nothing to say, and columns all the same
    "cover": f"cover wu-song {STORY}",
    "diff": "diff wu-song dragon-tiger-mbs",
    "odds": "odds commission-insurance",
    "design": "design open.toml wu-dalang --shoes 0 --number 2",
    "simulate": "simulate commission-insurance --shoes 3",
    "exposure": "exposure commission-insurance --shoes 3",
    "exposure --sweep": "exposure wu-song --bet tie --sweep --shoes 2",
    "roads": "roads BPTBBPbPPBn",
    "settle": "settle wagers.csv",
    "history show": f"history show {EVENING}",
    "history replay": f"history replay {EVENING}",
    "history settle": f"history settle {EVENING}",
    "history export": f"history export {EVENING}",
    "history export --wagers": f"history export {EVENING} --wagers",
    "journal verify": "journal verify",
    "users list": "users list",
    "users sessions": "users sessions",
    "users acts": "users acts",
    "cage count": "cage count",
    "cage report": "cage report 2026-11-15",
}
"""A call of every command that writes a table, by what it is called on the page."""

OTHER_FILES = {"certify", "conformance make", "journal export", "history import"}
"""Commands whose --output is something else: a document, a folder, a history."""

MORE = {
    "design": ["edge_8_decks", "edge_6_decks"],
    "exposure insurance": WORTHS,
    "exposure --sweep": WORTHS,
    "settle": ["rulebook", "cards", "bet", "stake"],
}
"""Columns that the page tells in words."""


def documented() -> list[tuple[str, str, list[str]]]:
    """Every table of the page: its command, its name for --of, and its columns."""
    out = (DOCS / "tables.md").read_text(encoding="utf-8").partition("## In")[0]
    found = re.findall(r"^\| `([^`]+)` \| (?:`(\w+)`)? ?\| [^|]* \| ([^|]*) \|$", out, re.M)
    return [(command, of, _columns(command, of, text)) for command, of, text in found]


def _columns(command: str, of: str, text: str) -> list[str]:
    told = [name for part in re.findall(r"`([^`]+)`", text.partition("; with late bets")[0]) for name in part.split()]
    more = MORE.get(f"{command} {of}".strip(), [])
    return more + told if command == "settle" else [name for name in told if name != "edge_N_decks"] + more


TABLES = documented()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a house that has dealt, a book with open odds, and wagers."""
    folder, here = tmp_path_factory.mktemp("house"), Path.cwd()
    os.chdir(folder)
    try:
        shutil.copy(HERE / "journals/form-1.db", "punto.db")
        book = CliRunner().invoke(app, ["show", "wu-song", "--toml"]).stdout
        Path("open.toml").write_text(re.sub(r'(bet = "wu-dalang".*?odds = )"[^"]*"', r'\1"?"', book, flags=re.S))
        Path("wagers.csv").write_text(WAGERS)
        yield folder
    finally:
        os.chdir(here)


def called(command: str) -> Result:
    return CliRunner().invoke(app, shlex.split(command), env={"PUNTO_MASTER_KEY": MASTER.text})


@pytest.mark.parametrize(("command", "of", "columns"), TABLES, ids=[f"{each[0]} {each[1]}" for each in TABLES])
def test_a_table_has_the_columns_of_the_page_in_every_form(
    house: Path, command: str, of: str, columns: list[str]
) -> None:
    tables = {}
    for form in ("csv", "jsonl", "parquet"):
        file = house / f"table.{form}"
        done = called(f"{CALLS[command]} --output {file}" + f" --of {of}" * bool(of))
        assert done.exit_code == 0, (done.output, done.exception)
        tables[form] = read(file)
    assert list(tables["csv"].columns) == columns
    assert list(tables["parquet"].columns) == columns
    assert tables["jsonl"].rows == tables["parquet"].rows
    assert list(tables["jsonl"].columns) == (columns if tables["csv"].rows else [])  # an object is a row, and names it
    words = [[_word(cell) for cell in row] for row in tables["parquet"].rows]
    assert [[_word(cell) for cell in row] for row in tables["csv"].rows] == words


def _word(cell: object) -> str:
    if isinstance(cell, tuple):
        return " ".join(cell)
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def test_every_command_with_a_table_is_on_the_page_and_every_name_of_of() -> None:
    out = {words for words, each in COMMANDS.items() if any("--output" in option.opts for option in each.params)}
    told = {command.partition(" --")[0] for command, _, _ in TABLES}
    assert out - OTHER_FILES == told
    for words in told:
        chosen = [option for option in COMMANDS[words].params if "--of" in option.opts]
        names = [str(name) for option in chosen for name in getattr(option, "type_descriptor").annotation]  # noqa: B009 - Typer's own
        assert [of for command, of, _ in TABLES if command == words and of] == names


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("edges.xlsx", "edges.xlsx: a table is written to a file that ends in .csv, .jsonl or .parquet."),
        ("nowhere/edges.csv", "No such file or directory"),
        ("nowhere/edges.parquet", "No such file or directory"),
        ("folder.csv", "Is a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_before_anything_is_dealt(house: Path, output: str, says: str) -> None:
    (house / "folder.csv").mkdir(exist_ok=True)
    done = called(f"simulate wu-song --shoes 1000000000 --output {output}")
    assert says in str(done.exception)


@pytest.mark.parametrize(
    "command",
    ["simulate wu-song --save", "exposure wu-song --save", "exposure wu-song --plot", "design open.toml tie -o"],
)
def test_no_run_is_made_for_a_file_that_cannot_be_written(house: Path, command: str) -> None:
    """A run of hours would be lost."""
    for file, says in (("nowhere/run.json", "No such file or directory"), ("folder.csv", "Is a directory")):
        (house / "folder.csv").mkdir(exist_ok=True)
        done = called(f"{command} {file} --shoes 100000000")
        assert says in str(done.exception)


def test_of_goes_with_a_file() -> None:
    done = called("odds wu-song --of rows")
    assert done.exit_code == 2
    assert "name its file with --output" in done.stderr


@pytest.mark.parametrize("form", sorted(set(FORMS.values())))
def test_the_tables_of_a_journal_are_its_histories_again(house: Path, form: str) -> None:
    """By the other way out: the histories that the same command writes."""
    assert called("journal export --output histories").exit_code == 0
    assert called(f"journal export --output {form} --format {form}").exit_code == 0
    histories = sorted((house / "histories").iterdir())
    assert [each.stem for each in histories] == ["counted", "insured", "virtual"]
    for each in histories:
        rounds, wagers = (house / form / f"{each.stem}.{kind}.{form}" for kind in ("rounds", "wagers"))
        made = called(f"history import {rounds} --wagers {wagers}")
        assert made.stdout == each.read_text(encoding="utf-8")
        assert called(f"history settle {rounds}").exit_code == 0
        events = read(house / form / f"{each.stem}.events.{form}")
        assert events.columns == ("table", "sequence", "at", "who", "event", "body")
        assert [int(str(number)) for number in events.column("sequence")] == list(range(1, len(events.rows) + 1))


WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,8}", fullmatch=True)
TEXT = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="="), min_size=1, max_size=8)
AMOUNT = st.integers(1, 10**9)
COUPS = st.lists(st.sampled_from("A23456789TJQK"), min_size=6, max_size=6).map(
    lambda ranks: deal_from(cards(" ".join(ranks))).cards
)


@st.composite
def rounds_of(draw: st.DrawFn, number: int) -> RecordedRound:
    """A round with everything that the format can say of one."""
    how = draw(st.sampled_from(("cards", "result", "void", "free")))
    wager = st.builds(RecordedWager, WORD, AMOUNT, st.none() | AMOUNT, TEXT | st.none())
    wagers = [] if how == "free" else draw(st.lists(wager, max_size=2))
    laid = tuple(each for each in wagers if not each.bet.endswith("-insurance"))
    hand, stage = st.sampled_from(("player", "banker")), st.sampled_from(("four-cards", "third-card"))
    cover = st.builds(RecordedCover, stage, hand, AMOUNT, st.just(1), st.none() | AMOUNT.map(lambda lost: -lost))
    result = st.builds(
        RecordedResult, st.sampled_from(("player", "banker", "tie")), st.sampled_from(("none", "both")), st.booleans()
    )
    return RecordedRound(
        number,
        draw(COUPS) if how in ("cards", "free") else draw(COUPS)[:2] if how == "void" else (),
        draw(result) if how == "result" else None,
        how == "void",
        how == "free",
        laid,
        tuple(draw(st.lists(cover, max_size=1))) if laid else (),
        tuple(draw(st.lists(st.builds(RecordedEvent, WORD, st.just("") | TEXT, st.none() | st.just(3)), max_size=2))),
        tuple(draw(st.lists(st.builds(Field, WORD, st.just("") | TEXT), max_size=2))),
    )


@st.composite
def histories(draw: st.DrawFn) -> History:
    shoes = []
    for _ in range(draw(st.integers(1, 2))):
        numbers = sorted(draw(st.sets(st.integers(1, 99), min_size=1, max_size=3)))
        limits = draw(st.lists(st.builds(Limit, WORD, AMOUNT), max_size=2, unique_by=lambda limit: limit.name))
        shoes.append(
            RecordedShoe(
                draw(WORD),
                draw(st.none() | WORD),
                draw(st.none() | st.integers(1, 12)),
                tuple(limits),
                tuple(draw(st.lists(st.builds(Field, WORD, TEXT), max_size=2))),
                tuple(draw(rounds_of(number)) for number in numbers),
                draw(st.sampled_from((None, "SGD", "JPY"))),
            )
        )
    return History(tuple(shoes))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=histories(), form=st.sampled_from(("csv", "jsonl", "parquet")))
def test_any_history_comes_back_from_its_tables(tmp_path: Path, history: History, form: str) -> None:
    assert load(dump(history)) == history  # what the format can hold
    rounds, wagers = tmp_path / f"rounds.{form}", tmp_path / f"wagers.{form}"
    history.to_rows().write(rounds)
    history.wagers().write(wagers)
    nobody = RecordedShoe("")
    text = rounds.read_text(encoding="utf-8") if form == "csv" else ""
    again = from_csv(text, nobody) if form == "csv" else from_rows(read(rounds), nobody)
    assert with_wagers(again, read(wagers)) == history


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ((1, 2, "tie", 100), "row 1 of the wagers: There is no round 2 of shoe 1 in the table of rounds."),
        ((3, 1, "tie", 100), "There is no round 1 of shoe 3"),
        ((1, 1, "tie", "12.50"), "'12.50' is not an amount in minor units"),
        ((1, 1, "tie", None), "'' is not an amount in minor units"),
        ((1, 1, "player-insurance", 100), "a cover has one in the column 'on'"),
    ],
)
def test_a_wager_that_cannot_be_read_is_told_with_its_row(row: tuple[object, ...], says: str) -> None:
    history = load("punto history 1\nrulebook wu-song\nround 1\nresult tie\n")
    with pytest.raises(BadHistory, match=re.escape(says)):
        with_wagers(history, Rows(("shoe", "round", "bet", "stake"), (row,)))  # type: ignore[arg-type]  # cells


def test_a_table_of_wagers_without_a_column_names_it() -> None:
    history = load("punto history 1\nrulebook wu-song\nround 1\nresult tie\n")
    with pytest.raises(BadHistory, match="There is no column 'stake': a wager has shoe, round, bet, stake"):
        with_wagers(history, Rows(("shoe", "round", "bet"), ((1, 1, "tie"),)))
