"""The command line as its users meet it: a process, its output, its exit status."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

import punto.rulebook
from punto.rulebook import ids
from warm_commands import warm_commands

BOOKS = Path(punto.rulebook.__file__).parent / "books"
ROUND: dict[str, Any] = {
    "rulebook": "commission-insurance",
    "layout": "A",
    "decks": 8,
    "limits": {"maximum": "10000"},
    "cards": "6h 2c Kd As 5h",
    "wagers": [{"bet": "player", "stake": "100"}],
    "insurance": [{"stage": "four-cards", "hand": "player", "stake": "20", "on": 0}],
}


class Command(Protocol):
    """How a command is run."""

    def __call__(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]: ...


def cold_command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command that reads the program itself, for whatever has to be true of that."""
    return subprocess.run(
        [sys.executable, "-m", "punto", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        encoding="utf-8",
        env=dict(os.environ),  # without what Python's own libraries have put into the environment of the process
    )


def punto_command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command as most tests need it: forked from a process that has read the program."""
    return warm_commands().run(*arguments, stdin=stdin)


def ok(*arguments: str, stdin: str = "", command: Command = punto_command) -> str:
    done = command(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*arguments: str, stdin: str = "") -> str:
    """The one sentence that a refused command prints."""
    done = punto_command(*arguments, stdin=stdin)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr


def settled(*rounds: dict[str, Any] | str) -> list[dict[str, Any]]:
    text = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in rounds)
    done = punto_command("settle", stdin=text)
    answers: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == (1 if any("error" in answer for answer in answers) else 0)
    return answers


def test_a_command_that_was_forked_says_what_one_says_that_has_read_the_program() -> None:
    for asked in (["show", "wu-song"], ["settle", "--help"], ["show", "poker"], ["ruleboks"]):
        warm, cold = punto_command(*asked), cold_command(*asked)
        said = cold.stderr.replace("python -m punto", "punto")
        assert (warm.returncode, warm.stdout, warm.stderr) == (
            cold.returncode,
            cold.stdout.replace("python -m punto", "punto"),
            said,
        )


def test_help_of_every_verb() -> None:
    text = ok("--help")
    for verb in ("rulebooks", "show", "clauses", "lint", "diff", "settle", "explain", "roads", "demo"):
        assert verb in text
        assert "Usage" in ok(verb, "--help")


def test_settle_answers_the_published_example() -> None:
    [answer] = settled(ROUND)
    assert answer["player"] == {"cards": "6h Kd", "points": 6}
    assert answer["banker"] == {"cards": "2c As 5h", "points": 8}
    assert answer["winner"] == "banker"
    wager, cover = answer["lines"]
    assert (wager["bet"], wager["stake"], wager["effective"], wager["returned"]) == (
        "player",
        "100.00",
        "100.00",
        "0.00",
    )
    assert (wager["result"], wager["net"], wager["odds"], wager["readings"]) == ("lose", "-100.00", None, [])
    assert wager["clause"] == "3.16"
    assert wager["says"] == "Banker wins 8 to 6: 100.00 on Player loses."
    assert (cover["bet"], cover["result"], cover["net"]) == ("player-insurance", "win", "60.00")
    assert (cover["odds"], cover["clause"], cover["row"]) == ("3:1", "4.1.3", "4.1.3#S4-P6-B0-5")


def test_settle_keeps_the_order_and_settles_all_others() -> None:
    answers = settled(ROUND, "{", {**ROUND, "rulebook": "poker"}, "", {**ROUND, "insurance": []})
    assert [("error" in answer, answer.get("line")) for answer in answers] == [
        (False, None),
        (True, 2),
        (True, 3),
        (False, None),
    ]
    assert answers[2]["error"].startswith("There is no rulebook 'poker'")
    assert len(answers[3]["lines"]) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rulebook": "poker"}, "There is no rulebook 'poker'"),
        ({"layout": "Z"}, "There is no layout 'Z'"),
        ({"rulebook": "wu-song", "layout": "F", "wagers": [{"bet": "wu-song", "stake": "1"}]}, "(wu-song 4.1.9, 3.7)"),
        ({"wagers": [{"bet": "tiger", "stake": "1"}]}, "'tiger' is not a bet of this book"),
        ({"cards": "6h 2c Kd Xs 5h"}, "'Xs' is not a card"),
        ({"cards": "6h 2c Kd As"}, "Too few cards"),
        ({"cards": "6h 2c Kd As 5h 5d"}, "Too many cards"),
        ({"cards": ""}, "Too few cards"),
        ({"decks": 4, "cards": "5h 5h 5h 5h 5h 6h"}, "5h lies there 5 times, but 4 decks hold it only 4 times"),
        ({"decks": 9}, "9 decks are not allowed: 4 to 8 are. (commission-insurance 2.2.1)"),
        ({"decks": 0}, "0 decks are not allowed"),
        ({"wagers": [{"bet": "player", "stake": "-5"}]}, "'-5' is negative"),
        ({"wagers": [{"bet": "player", "stake": "0"}], "insurance": []}, "more than nothing"),
        ({"wagers": [{"bet": "player", "stake": "ten"}]}, "'ten' is not an amount"),
        ({"wagers": [{"bet": "player", "stake": "0.001"}]}, "finer than the minor unit"),
        ({"wagers": [{"bet": "player", "stake": 1.5}]}, "Expected `int | str`, got `float`"),
        ({"wagers": [{"bet": "banker", "stake": "0.01"}], "insurance": []}, "a multiple of 0.20"),
        ({"insurance": [{"stage": "third-card", "hand": "player", "stake": "1", "on": 0}]}, "drew no third card"),
        ({"insurance": [{"stage": "four-cards", "hand": "player", "stake": "34", "on": 0}]}, "at most 33.33"),
        ({"insurance": [{"stage": "four-cards", "hand": "banker", "stake": "1", "on": 0}]}, "not one on Player"),
        ({"insurance": [{"stage": "four-cards", "hand": "player", "stake": "1", "on": 7}]}, "no wager 7"),
        ({"insurance": [{"stage": "fifth", "hand": "player", "stake": "1", "on": 0}]}, "no stage 'fifth'"),
        ({"rulebook": "wu-song"}, "This book has no insurance"),
        ({"limits": {"maximun": "1"}}, "unknown field `maximun`"),
        ({"wager": []}, "unknown field `wager`"),
        ({"cards": 5}, "Expected `str`, got `int`"),
    ],
)
def test_settle_says_what_is_wrong_with_a_round(change: dict[str, Any], says: str) -> None:
    [answer] = settled({**ROUND, **change})
    assert set(answer) == {"error", "line"}
    assert says in answer["error"]
    assert answer["line"] == 1


def test_settle_refuses_ten_to_one_cover_without_a_posted_maximum() -> None:
    """AMB-55."""
    given = {
        "rulebook": "da-hu-ying-xiong",
        "cards": "3 2 K K 5 9",
        "wagers": [{"bet": "player", "stake": "100"}],
        "insurance": [{"stage": "third-card", "hand": "player", "stake": "10"}],
    }
    without, posted = settled(given, {**given, "limits": {"maximum": "2000"}})
    assert "none is posted" in without["error"]
    assert "AMB-55" in without["error"]
    assert posted["lines"][1]["result"] == "lose"


def test_settle_says_where_a_book_is_named() -> None:
    assert "is a rulebook: each round names its own" in refused("settle", str(BOOKS / "wu-song.toml"))


def test_settle_reads_a_file_and_a_book_of_ones_own(tmp_path: Path) -> None:
    book, rounds = tmp_path / "mine.toml", tmp_path / "rounds.jsonl"
    text = (BOOKS / "commission-insurance.toml").read_text()
    book.write_text(text.replace('odds = "0.95:1"', 'odds = "1:1"'))
    rounds.write_text(
        json.dumps({**ROUND, "rulebook": str(book), "wagers": [{"bet": "banker", "stake": "1"}], "insurance": []})
    )
    answer = json.loads(ok("settle", str(rounds)))
    assert answer["lines"][0]["net"] == "1.00"
    assert "no-such-file" in refused("settle", "no-such-file")


def test_settle_answers_each_round_before_it_waits_for_the_next() -> None:
    """A program may send a round, read its answer, and only then send another."""
    with subprocess.Popen(
        [sys.executable, "-m", "punto", "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(json.dumps(ROUND) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["winner"] == "banker"
        process.stdin.close()
    assert process.returncode == 0


def test_settle_survives_an_absurd_book_and_a_byte_order_mark() -> None:
    answers = settled(
        "\ufeff" + json.dumps(ROUND), {**ROUND, "rulebook": "x" * 5000}, {**ROUND, "rulebook": "a\0b"}, ROUND
    )
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert all(len(answer["error"]) < 400 for answer in answers if "error" in answer)


def test_rulebooks_lists_the_five() -> None:
    listed = json.loads(ok("rulebooks", "--json"))
    assert [each["rulebook"] for each in listed] == list(ids())
    assert "Wu Song" in ok("rulebooks")


@pytest.mark.parametrize("book", ids())
def test_show_prints_pay_tables(book: str) -> None:
    shown = json.loads(ok("show", book, "--json"))
    assert {row["bet"] for row in shown["pays"]} >= {"player", "banker", "tie"}
    assert all(row["clause"] for row in shown["pays"])
    assert "Player wins" in ok("show", book)


def test_show_tells_what_layout_k_prints_and_refuses_what_is_unknown() -> None:
    assert "Contradiction: layout K prints Small Tiger" in ok("show", "dragon-tiger-mbs", "--layout", "K")
    assert "There is no layout 'Q'" in refused("show", "wu-song", "--layout", "Q")
    assert "There is no rulebook 'poker'" in refused("show", "poker")
    assert ok("show", "wu-song", "--toml") == (BOOKS / "wu-song.toml").read_text()


def test_clauses_prints_the_trace() -> None:
    trace = json.loads(ok("clauses", "wu-song", "--json"))
    assert len(trace) == 160
    assert {"rulebook", "clause", "kind", "status", "tests", "proof"} <= set(trace[0])
    row = next(each for each in trace if each["clause"] == "4.1.10#wu-dalang")
    assert (row["status"], row["kind"]) == ("enforced", "settlement")
    assert any("test_each_pay_row" in test for test in row["tests"])
    assert len(json.loads(ok("clauses", "--json"))) == 883
    assert row["proof"]["test"] in row["tests"]
    assert row["proof"]["change"].startswith("pays.wu-dalang.0.")
    assert "160 clauses" in ok("clauses", "wu-song", "--status", "stated")
    drawn = json.loads(ok("clauses", "da-hu-ying-xiong", "--status", "drawing", "--json"))
    assert [each["clause"] for each in drawn] == [f"App.{letter}" for letter in "ABCDEFGHIJKLMNOPQR"]
    assert "There is no status 'done'" in refused("clauses", "--status", "done")


def test_lint_exits_by_what_it_finds(tmp_path: Path) -> None:
    assert ok("lint", "wu-song").endswith("\n0 faults, 1 finding\n")
    assert "AMB-40" in ok("lint", "dragon-tiger-mbs")
    assert punto_command("lint", "dragon-tiger-mbs", "--strict").returncode == 1
    broken = tmp_path / "broken.toml"
    broken.write_text((BOOKS / "wu-song.toml").read_text().replace('odds = "8:1"', 'odds = "8"'))
    done = punto_command("lint", str(broken))
    assert done.returncode == 1
    assert done.stdout.count("fault:") == 2
    assert "broken.toml:" in done.stdout
    assert json.loads(punto_command("lint", str(broken), "--json").stdout)[0]["severity"] == "fault"
    assert "There is no rulebook" in refused("lint", "poker")


def test_diff_compares_books_and_layouts() -> None:
    found = {each["point"]: each for each in json.loads(ok("diff", "wu-song", "commission-insurance", "--json"))}
    assert found["decks"]["b"] == {"value": "4 to 8", "clauses": ["2.2.1"]}
    assert "No difference." in ok("diff", "wu-song", "wu-song")
    hoiana = ok("diff", "dragon-tiger-hoiana", "dragon-tiger-hoiana", "--layouts", "1,3")
    assert "2 differences" in hoiana


def test_explain_goes_step_by_step() -> None:
    text = ok("explain", "commission-insurance", "6h 2c Kd As 5h", "player=100", "--cover", "four-cards:player=20")
    assert "Banker draws on 3 when the Player stands. (3.13, AMB-07)" in text
    assert "wins 60.00 at 3 to 1. 20.00 x 3 = 60.00. (4.1.3)\n\nReadings used:\nAMB-07:" in text
    steps = json.loads(ok("explain", "wu-song", "7 6 K K", "player=100", "--json"))
    assert steps[-1]["clauses"] == ["4.1.1"]
    assert "Too few cards" in refused("explain", "wu-song", "7 6", "player=100")
    assert "write it like player=100" in refused("explain", "wu-song", "7 6 K K", "player")
    cut = ok("explain", "wu-song", "9 8 K K", "player=1500", "--differential", "1000", "--minimum", "100")
    assert "500.00 is over the limit and comes back. 1000.00 x 1 = 1000.00. " in cut
    assert "(4.1.1, 5.1.1, AMB-21, AMB-23, AMB-114, AMB-20)" in cut
    assert "no wager on player to insure" in refused(
        "explain", "commission-insurance", "7 6 K K", "tie=1", "--cover", "four-cards:player=1"
    )
    assert "not allowed" in refused("explain", "wu-song", "7 6 K K", "player=100", "--decks", "3")


ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
IN_README = [
    (command, [line for line in said.splitlines() if line])
    for block in re.findall(r"^```console\n(.*?)^```", README, re.M | re.S)
    for command, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
]


@pytest.mark.parametrize(
    ("command", "said"), [each for each in IN_README if each[0].startswith("punto ") and "certify" not in each[0]]
)
def test_the_readme_shows_what_a_command_prints(command: str, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line, in its order; where the page has three dots, some are left out."""
    monkeypatch.chdir(ROOT)
    printed = iter(ok(*shlex.split(command)[1:]).splitlines())
    left_out = False
    for line in said:
        if line != "...":
            assert line in printed if left_out else next(printed) == line
        left_out = line == "..."
    assert left_out or not list(printed)


def test_what_the_readme_shows_besides_is_a_target_a_refusal_or_the_environment() -> None:
    """A refusal for want of an extra is shown where extras are taken away: tests/test_extras.py."""
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    for command, said in IN_README:
        plain = command.partition(" #")[0].strip()
        if plain.startswith("make "):
            assert plain.removeprefix("make ") in targets
            assert said == []
        elif "certify" in plain:
            assert said == ["punto: This needs Punto's extra 'certify': pip install \"punto[certify]\"."]
        else:
            assert plain.startswith(("punto ", ". .venv/bin/activate"))
    assert len(IN_README) > 10


def test_roads_as_text_and_json() -> None:
    """The published vectors."""
    assert json.loads(ok("roads", "BPBBPPB", "--json"))["big_eye"] == "RBBRR"
    board = json.loads(ok("roads", "PBPBBP", "--json"))
    assert (board["big_eye"], board["small"], board["cockroach"]) == ("RRBB", "RBB", "BB")
    assert set(board) >= {"bead", "big", "big_eye", "small", "cockroach", "ask"}
    assert "Big eye boy" in ok("roads", "BPTBn")
    assert "punto:" in refused("roads", "BPX")


@pytest.mark.parametrize("book", ids())
def test_demo_deals_a_shoe_again_from_its_seed(book: str) -> None:
    first = ok("demo", book, "--seed", "7", "--rounds", "30")
    assert first == ok("demo", book, "--seed", "7", "--rounds", "30")
    assert "30 rounds" in first
    assert "Big road" in first


def test_an_altered_copy_does_not_inherit_the_tests(tmp_path: Path) -> None:
    copy = tmp_path / "copy.toml"
    copy.write_text((BOOKS / "wu-song.toml").read_text().replace('odds = "150:1"', 'odds = "200:1"'))
    assert {each["status"] for each in json.loads(ok("clauses", str(copy), "--json"))} == {"stated", "heading"}


@pytest.mark.parametrize(
    "command", ["settle <&-", "settle /dev/null >&-", "rulebooks >&-", "roads BP >&-", "rulebooks 2>&-"]
)
def test_a_closed_stream_is_no_crash(command: str) -> None:
    done = subprocess.run(
        f"{sys.executable} -m punto {command}", shell=True, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_a_narrow_encoding_is_no_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "punto", "settle", "--help"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_pipe_is_no_crash() -> None:
    done = subprocess.run(
        f"{sys.executable} -m punto clauses | head -1", shell=True, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
