"""What a newcomer meets first: the set-up, the help of every command, the names of the library, and Ctrl-C."""

import importlib.util
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import punto
from punto.cli import listed, whole
from punto.cli.examples import EXAMPLES
from punto.cli.listed import FIRST_SENTENCES
from service_process import PATIENCE
from taking import LONGEST

from test_cli import ok, punto_command

ROOT = Path(__file__).parent.parent
SET_UP = ROOT / "locks/set_up.py"
SIDE_BY_SIDE = ROOT / "tests/side_by_side.py"


def commands(of: typer.core.TyperGroup | None = None, path: str = "") -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Every command that does something, by all of its words."""
    group = of or typer.main.get_command(whole())
    assert isinstance(group, typer.core.TyperGroup)
    for name, command in group.commands.items():
        words = f"{path} {name}".strip()
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, words)
        else:
            assert isinstance(command, typer.core.TyperCommand)
            yield words, command


COMMANDS = dict(commands())


def test_every_command_has_examples_and_there_are_no_others() -> None:
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS)
def test_the_examples_of_a_command_are_understood(words: str) -> None:
    """Each is read as the command would read it: its options exist, its arguments are of their kinds."""
    for example in EXAMPLES[words]:
        program, *given = shlex.split(example.split(" > ")[0].split(" < ")[0])
        assert program == "punto"
        name = next(name for name in (" ".join(given[:2]), given[0]) if name in COMMANDS)
        COMMANDS[name].make_context(name, given[len(name.split()) :])
    assert words in " ".join(EXAMPLES[words])


def test_help_is_asked_for_in_either_way_and_ends_with_examples() -> None:
    short, long = ok("odds", "-h"), ok("odds", "--help")
    assert short == long
    assert "punto odds commission-insurance --decks 6 --removed '6h 6 Kd'" in short
    assert ok("users", "list", "-h") == ok("users", "list", "--help")


GROUPS = sorted({words.rpartition(" ")[0] for words in COMMANDS})


@pytest.mark.parametrize("words", [*GROUPS, *COMMANDS])
def test_every_help_fits_eighty_columns_and_cuts_no_sentence_short(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    asked = CliRunner().invoke(whole(), [*words.split(), "--help"], prog_name="punto")
    assert asked.exit_code == 0
    assert [line for line in asked.output.splitlines() if len(line) > 80] == []
    listed = asked.output.partition("\nCommands:\n")[2]
    assert "..." not in listed
    assert (words in GROUPS) == bool(listed)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_help_uses_the_same_words_for_the_same_things(words: str) -> None:
    """Brackets and dots around an argument are added when it is shown; what may come again says so, in these words."""
    for each in COMMANDS[words].params:
        told = getattr(each, "help", None) or ""
        assert not {"like", "repeatable"} & set(re.findall(r"\w+", told.lower())), told
        if each.param_type_name == "argument":
            assert each.metavar
            assert not set("[]{}.…") & set(each.metavar)
        else:
            assert isinstance(each, typer.core.TyperOption)
            assert ("may be repeated" in told) == each.multiple, told
            if "-o" in each.opts:
                assert each.opts[:2] == ["--output", "-o"]


def test_the_help_of_all_says_of_each_command_what_its_own_help_begins_with() -> None:
    group = typer.main.get_command(whole())
    assert isinstance(group, typer.core.TyperGroup)
    told = {name: " ".join((each.help or "").partition("\n\n")[0].split()) for name, each in group.commands.items()}
    assert list(told.items()) == list(FIRST_SENTENCES.items())
    shown = [CliRunner().invoke(each(), ["--help"], prog_name="punto").output for each in (listed, whole)]
    assert shown[0] == shown[1]


def test_help_reads_nothing_that_it_does_not_need() -> None:
    """What it would take a newcomer longest to wait for; of Punto itself nothing but the list of commands."""
    program = (
        "import sys; sys.argv = ['punto', '--help']; from punto.cli import main\n"
        "try: main()\n"
        "finally: print(*(name for name in ('rich', 'msgspec', 'json', 'importlib.resources', 'punto.messages',"
        " 'punto.cli.odds') if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "\n")


def test_a_mistyped_command_names_the_one_that_was_meant() -> None:
    done = punto_command("ruleboks")
    assert done.returncode == 2
    assert "Did you mean 'rulebooks'?" in done.stderr


def test_a_shell_completes_the_ids_of_books() -> None:
    asked = {"_PUNTO_COMPLETE": "complete_bash", "COMP_WORDS": "punto odds wu", "COMP_CWORD": "2"}
    program = "import sys; sys.argv[0] = 'punto'; from punto.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["wu-song"], done.stderr


def test_the_library_shows_its_names_and_its_version() -> None:
    names = dir(punto)
    assert {"settle", "load", "deal", "money", "odds", "roads", "table", "__version__"} <= set(names)
    assert ok("--version") == f"punto {punto.__version__}\n"
    for name in punto.__all__:
        assert getattr(punto, name) is not None
    for name in names:
        public = name in punto.__all__ or importlib.util.find_spec(f"punto.{name}") is not None
        assert name.startswith("__") or public, name


@pytest.mark.parametrize("before", ["", "import punto.roads; ", "from punto.roads import roads; "])
def test_roads_is_the_room_whatever_was_imported_before(before: str) -> None:
    program = (
        f"{before}import punto; print(punto.roads.__name__, len(punto.roads.roads(punto.roads.parse('BPT')).bead))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "punto.roads 3\n", done.stderr


def without_make() -> dict[str, str]:
    """The environment as it is outside of `make test`: a make within another says more."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}


@pytest.mark.parametrize("goal", ["run", "check"])
def test_a_python_that_is_too_old_is_told_so_and_nothing_is_left_behind(tmp_path: Path, goal: str) -> None:
    """One sentence, also where make asked for it: no error of make's, and yet not a success."""
    folder, old = tmp_path / "venv", tmp_path / "python3.10"
    program = "import runpy, sys; sys.version_info = (3, 10, 12, 'final', 0); sys.argv = sys.argv[1:]; "
    program += "runpy.run_path(sys.argv[0], run_name='__main__')"
    old.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{program}" "$@"\n')
    old.chmod(0o755)
    done = subprocess.run(
        ["make", goal, f"PYTHON={old}", f"VENV={folder}"],
        cwd=ROOT,
        env=without_make(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr == "Punto needs Python 3.11 to 3.13, and this is 3.10: make PYTHON=/path/to/python3.13\n"
    assert done.stdout == ""
    assert not folder.exists()


@pytest.mark.parametrize("home", ["", "https://example.org/punto", "nowhere"])
def test_what_is_built_names_the_address_that_was_given_and_makes_none_up(home: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata", "urls"],
        cwd=ROOT,
        env=os.environ | {"PUNTO_PROJECT_URL": home},
        capture_output=True,
        text=True,
        check=False,
    )
    if home == "nowhere":
        assert done.stderr == "'nowhere' is no address of a project: write it like https://example.org/punto.\n"
        assert done.returncode == 1
    else:
        named = json.loads(done.stdout or "{}")
        assert bool(named) == bool(home)
        assert all(each.startswith(home) for each in named.values())


def test_an_environment_that_was_not_finished_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python").write_text("half")
    program = f"import sys; sys.path.insert(0, {str(SET_UP.parent)!r}); import set_up; from pathlib import Path; "
    program += f"set_up.make(Path({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = subprocess.run([folder / "bin/python", "-c", "print(1)"], capture_output=True, text=True, check=True)
    assert answer.stdout == "1\n"
    assert (folder / "made.stamp").exists()


SLOW = """
import pathlib, subprocess, sys, time

def test_it():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pathlib.Path(__file__).with_suffix(".pid").write_text(str(child.pid))
    child.wait()
"""


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(what: object, holds: object) -> None:
    assert callable(holds)
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def test_ctrl_c_ends_all_runs_of_the_tests_and_what_they_started(tmp_path: Path) -> None:
    for name in ("test_first.py", "test_second.py"):
        (tmp_path / name).write_text(SLOW)
    running = subprocess.Popen(
        [sys.executable, str(SIDE_BY_SIDE)],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    pids = []
    try:
        for name in ("test_first.pid", "test_second.pid"):
            file = tmp_path / name
            wait_until(name, lambda file=file: file.exists() and file.read_text())
            pids.append(int(file.read_text()))
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 130
        for pid in pids:
            wait_until(pid, lambda pid=pid: gone(pid))
    finally:
        running.kill()
        running.wait()


def test_a_check_beside_the_tests_that_fails_is_told_and_ends_them(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text(SLOW)
    file = tmp_path / "test_first.pid"
    waits = f"until test -s {shlex.quote(str(file))}; do sleep 0.1; done"
    done = subprocess.run(
        [sys.executable, str(SIDE_BY_SIDE), "echo one is well", f"{waits}; echo two is not; exit 3", "echo three"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 3
    assert "one is well\ntwo is not\n" in done.stdout
    assert "three" not in done.stdout
    wait_until(file, lambda: gone(int(file.read_text())))


KILLED = f"""
import os, pathlib, signal, sys
sys.path.insert(0, {str(SIDE_BY_SIDE.parent)!r})
import psycopg
from databases import fresh

def test_it(tmp_path):
    with psycopg.connect(fresh("postgresql", tmp_path)) as connection:
        [[data]] = connection.execute("SHOW data_directory").fetchall()
    number = (pathlib.Path(data) / "postmaster.pid").read_text().split()[0]
    pathlib.Path(__file__).with_suffix(".pid").write_text(number)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_that_is_killed_leaves_no_database_behind(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text(KILLED)
    done = subprocess.run(
        [sys.executable, str(SIDE_BY_SIDE)], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == signal.SIGKILL, done.stdout
    number = int((tmp_path / "test_first.pid").read_text())
    wait_until(number, lambda: gone(number))


def test_ctrl_c_ends_make_run_without_an_error_of_make(tmp_path: Path) -> None:
    """As in a terminal, where everybody in the foreground gets the signal: make, its shell and the service."""
    prefix = Path(sys.prefix)
    names = {"PORT": "0", "DATABASE": f"sqlite:///{tmp_path}/punto.db", "KEY_FILE": f"{tmp_path}/punto.key"}
    names["MASTER_KEY_FILE"] = f"{tmp_path}/punto.master"
    screen, terminal = pty.openpty()
    running = subprocess.Popen(
        ["make", "-o", f"{prefix}/run.stamp", "run", f"VENV={prefix}"],
        cwd=ROOT,
        env=without_make() | {f"PUNTO_{name}": value for name, value in names.items()},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    said = b""
    try:
        while b"Ctrl-C stops it." not in said:
            said += os.read(screen, 65536)
        os.killpg(running.pid, signal.SIGINT)
        with suppress(OSError):  # which says that nobody holds the other end any more
            while more := os.read(screen, 65536):
                said += more
        running.wait(PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        os.close(screen)
    assert said.startswith(b"Opening a small casino")
    assert b"closed" in said
    assert b"make:" not in said
    assert b"Traceback" not in said


LOADED = """
import pathlib, time

try:
    pathlib.Path(__file__).with_name("loading").touch()
    while True:
        time.sleep(0.01)
except {caught}:
    {then}
while True:
    time.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("library", "caught", "then"),
    [
        ("typer", "ImportError", "pass"),
        ("numba", "ImportError", "pass"),
        ("numba", "BaseException", "pass"),
        ("numba", "BaseException", "raise SyntaxError"),
    ],
    ids=["loads the command", "loads a room", "swallows it", "makes something else of it"],
)
def test_ctrl_c_ends_a_command_also_inside_a_library_that_catches_everything(
    tmp_path: Path, library: str, caught: str, then: str
) -> None:
    (tmp_path / library).mkdir()
    (tmp_path / library / "__init__.py").write_text(LOADED.format(caught=caught, then=then))
    running = subprocess.Popen(
        [sys.executable, "-m", "punto", "odds", "wu-song"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        wait_until(library, (tmp_path / library / "loading").exists)
        running.send_signal(signal.SIGINT)
        said, errors = running.communicate(timeout=PATIENCE)
        assert (running.returncode, said, errors) == (130, b"", b"")
    finally:
        running.kill()
        running.wait()


TAKEN = """
import pathlib, time

folder = pathlib.Path(__file__).parent

def test_it():
    with (folder / "began").open("a") as began:
        began.write("{name}\\n")
    until = time.monotonic() + {patience}
    while len((folder / "began").read_text().split()) < {waits_for}:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert {holds}
"""


def test_every_file_is_run_once_by_whoever_is_free_and_one_that_fails_is_told(tmp_path: Path) -> None:
    """The first file ends only when all others have begun: the other runs have taken each of them."""
    names = [f"test_{letter}.py" for letter in "abcde"]
    for name in names:
        waits_for = len(names) if name == names[0] else 1
        given = {"name": name, "patience": PATIENCE, "waits_for": waits_for, "holds": name != names[3]}
        (tmp_path / name).write_text(TAKEN.format(**given))
    done = subprocess.run(
        [sys.executable, str(SIDE_BY_SIDE)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert sorted((tmp_path / "began").read_text().split()) == names
    counted = {word: sum(map(int, re.findall(rf"(\d+) {word}", done.stdout))) for word in ("passed", "failed")}
    assert counted == {"passed": 4, "failed": 1}


def test_the_files_that_are_taken_first_exist() -> None:
    assert [name for name in LONGEST if not (ROOT / f"tests/test_{name}.py").exists()] == []
