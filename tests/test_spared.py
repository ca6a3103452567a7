"""No command writes over a file that it reads: what somebody gave is there as it was when the command has ended."""

import importlib
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from punto.cli import whole
from punto.cli.written import CARRIED_ON, WITHIN, WRITTEN
from test_front import COMMANDS

from test_cli import punto_command

ROOT = Path(__file__).parent.parent
STORY = "scenarios/wu-song/power-failure-void.scenario"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of each kind that a command reads."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples/month.csv", "wagers.csv")
    shutil.copy(ROOT / "tests/evening.csv", "rounds.csv")
    shutil.copy(ROOT / "examples/banker-7-at-40.toml", "b.toml")
    shutil.copy(ROOT / STORY, "story.scenario")
    Path("linked.csv").symlink_to("wagers.csv")
    Path("also.csv").hardlink_to("wagers.csv")
    return tmp_path


@pytest.mark.parametrize(
    "given",
    [
        "settle wagers.csv --output wagers.csv",
        "settle wagers.csv --output ./wagers.csv",
        "settle wagers.csv --output linked.csv",
        "settle wagers.csv -o also.csv",
        "history show rounds.csv --output rounds.csv",
        "history settle rounds.csv --output rounds.csv",
        "history replay rounds.csv --output rounds.csv",
        "history export rounds.csv --output rounds.csv",
        "history import rounds.csv --output rounds.csv",
        "history import rounds.csv --wagers wagers.csv --output wagers.csv",
        "simulate b.toml --shoes 1 --save b.toml",
        "exposure b.toml --shoes 1 --save b.toml",
        "cover wu-song story.scenario --junit story.scenario",
        "diff b.toml wu-song --witnesses .",
        "diff wu-song b.toml --witnesses .",
    ],
)
def test_what_a_command_reads_is_there_afterwards(given: str, folder: Path) -> None:
    before = {file: file.read_bytes() for file in folder.iterdir()}
    answer = punto_command(*given.split())
    assert answer.returncode == 2
    assert "the command reads it. Name another" in " ".join(answer.stderr.split())
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.usefixtures("folder")
def test_nothing_is_written_twice_into_one_file() -> None:
    answer = punto_command("simulate", "wu-song", "--shoes", "1", "--save", "run.csv", "--output", "run.csv")
    assert answer.returncode == 2
    assert "another option writes it, too." in " ".join(answer.stderr.split())
    assert not Path("run.csv").exists()


@pytest.mark.usefixtures("folder")
def test_a_run_that_goes_on_is_kept_in_its_own_place() -> None:
    """As a run that was stopped says itself."""
    first = punto_command("simulate", "wu-song", "--shoes", "1", "--rounds", "5", "--save", "run.json")
    again = ("--shoes", "2", "--rounds", "5", "--resume", "run.json", "--save", "run.json")
    assert (first.returncode, punto_command("simulate", "wu-song", *again).returncode) == (0, 0)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("--output no-such-folder/certificate.pdf", "No such file or directory"),
        ("--output certificate.pdf --layout Z", "There is no layout 'Z'"),
        ("--output certificate.pdf --bet-maximum no-such=100", "'no-such' is not a bet"),
        ("--pack submission --font wagers.csv", "this is no font that can be read"),
        ("--pack wagers.csv/submission", "Not a directory"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_certificate_that_cannot_be_made_is_refused_before_the_run(
    given: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which takes minutes."""
    module = importlib.import_module("punto.cli.certify")
    monkeypatch.setattr(module, "_figures", lambda *_: pytest.fail("it ran"))
    refused = CliRunner().invoke(whole(), ["certify", "wu-song", *given.split()]).exception
    assert isinstance(refused, ValueError | OSError)
    assert says in str(refused)
    assert not Path("submission").exists()


def test_what_would_draw_for_hours_or_be_passed_over_is_refused() -> None:
    for given, says in (
        (("roads", "BPT", "--width", "100000000"), "it is at most 1000"),
        (("odds", "wu-song", "--open", "6h 2c Kd As", "--plot", "edges.png"), "leave it out with --open"),
        (("exposure", "wu-song", "--size", "0"), "it is at least 1"),
    ):
        answer = punto_command(*given)
        assert answer.returncode == 2
        assert says in " ".join(answer.stderr.split())


READ = {"--resume", "--config", "--book", "--wagers", "--witness", "--master-key", "--key", "--font", "--cards"}
"""Options that name a file which is read."""

FOLDERS = {"--books", "--folder", "--pack", "conformance make --output", "journal export --output"}
"""Options that name a folder: what is in it is read, or what is written there has names of its own."""

NEVER_OVER = {"keys master --new"}
"""What is read if it is there, and else made."""


def test_every_option_that_names_a_file_reads_it_or_is_known_to_write_it() -> None:
    for words, command in COMMANDS.items():
        for option in command.params:
            if (option.metavar or "").startswith(("FILE", "FOLDER")) and option.opts[0].startswith("--"):
                name = option.opts[0]
                assert {name, f"{words} {name}"} & {*WRITTEN, *WITHIN, *READ, *FOLDERS, *NEVER_OVER}, f"{words} {name}"


def test_what_is_carried_on_is_an_option_of_its_command() -> None:
    for (words, target), other in CARRIED_ON.items():
        assert {target, other} <= {option.opts[0] for option in COMMANDS[words].params}
