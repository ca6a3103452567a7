"""Tables in and out by command: wagers settled, figures, rounds and journals written as CSV, JSON Lines and Parquet."""

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from punto.settlement.rounds import settle_lines
from punto.settlement.tables import ADDED, settle_table
from punto.tabular import BadTable, Rows, read
from whole_app import app

MONTH = Path(__file__).parents[1] / "examples/month.csv"
EVENING = Path(__file__).parent / "evening.history"


def called(command: str, status: int = 0) -> Result:
    done = CliRunner().invoke(app, shlex.split(command))
    assert done.exit_code == status, (done.output, done.exception)
    return done


def test_a_month_comes_out_as_each_of_its_wagers_settled_alone() -> None:
    """By the other way in: every row as a round of JSON Lines."""
    table, faulty = settle_table(read(MONTH))
    rounds = [
        json.dumps(
            {key: row[key] for key in ("rulebook", "layout", "cards")}
            | {"wagers": [{"bet": row["bet"], "stake": row["stake"]}]}
        )
        for row in read(MONTH).records()
    ]
    answers = [json.loads(answer)["lines"][0] for answer, _ in settle_lines(rounds)]
    assert faulty == 0
    assert table.columns == (*read(MONTH).columns, *ADDED)
    for name in ("net", "result", "clause", "odds", "says"):
        assert table.column(name) == tuple(each[name] for each in answers)
    # two of them were paid wrongly when the file was made
    wrong = [each for each in table.records() if each["paid"] != each["net"]]
    assert [(each["day"], each["patron"]) for each in wrong] == [("2026-01-09", "bob"), ("2026-01-23", "ann")]


def test_rows_of_a_round_are_settled_together_and_cover_finds_its_wager() -> None:
    """Commission Baccarat with Insurance 4.1.3: Player 6 against Banker 3 is 3 to 1 after four cards."""
    head = ("commission-insurance", 1, "6h 2c Kd As 5h", "ann")
    table = Rows(
        ("rulebook", "round", "cards", "patron", "bet", "stake", "stage"),
        (
            (*head, "player-insurance", "20", "four-cards"),
            (*head, "player", 100, None),
            ("commission-insurance", 2, "6h 2c Kd As 5h", "ann", "player-insurance", "20", "four-cards"),
        ),
    )
    settled, faulty = settle_table(table)
    assert settled.column("net") == ("60.00", "-100.00", None)
    assert faulty == 1
    assert settled.records()[2]["error"] is not None  # there is nothing that it insures


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (("wu-song", "K 6", "tie", "10"), "Too few cards"),
        (("poker", "K 6 7 K", "tie", "10"), "poker"),
        (("wu-song", "K 6 7 K", "tie", 12.5), "This is not a round"),
        (("wu-song", None, "tie", "10"), "This is not a round"),
        (("wu-song", "K 6 7 K", None, "10"), "This is not a round"),
        ((None, "K 6 7 K", "tie", "10"), "This is not a round"),
    ],
)
def test_a_row_that_cannot_be_settled_says_why(row: tuple[str, ...], says: str) -> None:
    [settled] = settle_table(Rows(("rulebook", "cards", "bet", "stake"), (row,)))[0].records()
    assert says in str(settled["error"])
    assert settled["net"] is None


def test_a_table_without_a_column_that_wagers_need_is_refused() -> None:
    with pytest.raises(BadTable, match="There is no column 'stake'"):
        settle_table(Rows(("rulebook", "cards", "bet"), ()))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_wagers_are_settled_from_file_to_file(ending: str, tmp_path: Path) -> None:
    given, made = tmp_path / f"given.{ending}", tmp_path / f"made.{ending}"
    Rows(("rulebook", "cards", "bet", "stake"), (("wu-song", "K 6 7 K", "player", "100"),)).write(given)
    assert called(f"settle {given} -o {made}").output == f"{made}  1 wager, 0 not settled\n"
    assert read(made).records()[0]["net"] == "50.00"  # Wu Song 4.1.1
    assert called(f"settle {given} -o {tmp_path / 'made.xls'}", status=1).exception is not None
    assert "name its file" in called(f"settle -o {made}", status=2).output


def test_figures_are_written_beside_what_is_printed(tmp_path: Path) -> None:
    odds = tmp_path / "odds.csv"
    plain = called("odds wu-song --json").stdout
    done = called(f"odds wu-song --json -o {odds}")
    assert (done.stdout, done.stderr) == (plain, f"{odds}  10 rows\n")
    exact = {name: each["edge"] for name, each in json.loads(plain)["bets"].items()}
    assert {row["bet"]: row["edge_exact"] for row in read(odds).records()} == exact
    dealt = tmp_path / "dealt.jsonl"
    told = json.loads(called(f"simulate wu-song --shoes 2 --rounds 5 --json -o {dealt}").stdout)["bets"]
    assert {row["bet"]: row["edge"] for row in read(dealt).records()} == {bet: told[bet]["edge"] for bet in told}
    worth = tmp_path / "worth.csv"
    called(f"exposure wu-song --layout F --shoes 2 -o {worth}")
    assert "units_per_shoe" in read(worth).columns
    done = called(f"exposure wu-song --bet tie --sweep --of depths -o {worth}", status=1)
    assert "--sweep has one table" in str(done.exception)
    again = tmp_path / "again.csv"
    called(f"history settle {EVENING} -o {again}")
    assert read(again).column("net") == ("50.00", "-10.00", "100.00")


def test_a_file_that_is_no_table_is_told_before_anything_is_dealt() -> None:
    for command in ("odds wu-song", "simulate wu-song", "exposure wu-song", f"history settle {EVENING}"):
        assert "ends in .csv, .jsonl or .parquet" in str(called(f"{command} -o a.txt", status=1).exception)
    assert "not 'xml'" in called("journal export --format xml", status=2).output


def test_no_name_is_a_formula_in_a_spreadsheet_and_every_name_is_read_back(tmp_path: Path) -> None:
    names = ("=1+1", "@sum", "+49 30", "-ann", "'quoted", "'=1+1", "ann", "-10.50", "-1/3", "\uff1d1+1")
    file = tmp_path / "patrons.csv"
    Rows(("patron",), tuple((name,) for name in names)).write(file)
    written = file.read_text(encoding="utf-8").splitlines()[1:]
    assert [each for each in written if each[0] in "=+-@\uff1d"] == ["-10.50", "-1/3"]  # numbers
    assert read(file).column("patron") == names


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_of_any_spreadsheet_is_read(tmp_path: Path, between: str, end: str) -> None:
    """Where a comma divides decimals, spreadsheets write semicolons; and many put a byte order mark first."""
    lines = [("rulebook", "cards", "bet", "stake"), ("wu-song", "9 2 K 4", "tie", "10")]
    file = tmp_path / "wagers.csv"
    text = "".join(between.join(cells) + end for cells in lines)
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read(file).records() == [dict(zip(*lines, strict=True))]
