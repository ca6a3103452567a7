"""Whatever a user can write or meet is on the page that is its place, and nothing is there that does not exist."""

import ast
import importlib.util
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

import punto.cli
import punto.lint
from punto.cli import VERBS
from punto.coup import STOOD, banker_draws, player_draws
from punto.lint.findings import Kind
from punto.rulebook import ids, source
from punto.service.demo.demonstration import RANKS
from punto.service.settings import Settings
from punto.table import COMMANDS, ENGINE, EVENTS
from punto.table.answering import TOPICS
from punto.table.snapshot import STATE
from test_front import COMMANDS as DOERS

from console import DOCS
from test_cli import punto_command

LINT = Path(punto.lint.__file__).parent
FIRST_CELL = re.compile(r"^\| ([^|]*) \|", re.M)
NAME = re.compile(r"`([a-z][a-z0-9_-]*)`")


def part(page: str, heading: str) -> str:
    """A page from a heading to the next of the same rank."""
    text = (DOCS / page).read_text(encoding="utf-8")
    rank, _, _ = heading.partition(" ")
    found = re.search(rf"^{re.escape(heading)}[^\n]*\n(.*?)(?=^{rank} |\Z)", text, re.M | re.S)
    assert found is not None, f"{page} has no {heading}"
    return found[1]


def first_cells(text: str) -> list[str]:
    """The names in the first column of the tables of a text."""
    return [name for cell in FIRST_CELL.findall(text) for name in NAME.findall(cell)]


WRITTEN = ("all_commands", "irregularities", "bets", "deciding", "rack_card", "chinese", "clause_list", "sample")


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_that_is_written_from_the_product_is_what_would_be_written(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command and option; what every book says of every irregularity. `python docs/NAME.py` writes one anew."""
    monkeypatch.syspath_prepend(DOCS)  # these modules take from one another, as they do when they are run
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page()


@pytest.mark.parametrize("words", DOERS)
def test_every_way_to_write_an_option_is_documented(words: str) -> None:
    """Also the one that switches it off, and the variable of the environment that can stand in its place."""
    told = part("all-commands.md", f"## punto {words}")
    for option in DOERS[words].params:
        names = [*option.opts, *option.secondary_opts] if option.param_type_name == "option" else []
        for name in (*names, *([option.envvar] if isinstance(option.envvar, str) else [])):
            assert name == "--help" or name == "-h" or re.search(rf"`{re.escape(name)}[` ]", told), name


def test_every_setting_is_documented_once_and_no_other() -> None:
    named = first_cells(part("operations.md", "## Settings"))
    assert sorted(named) == sorted(Settings.__struct_fields__)


def test_the_engines_whose_journals_are_read_are_told() -> None:
    kept = sorted(int(file.name[7]) for file in (DOCS.parent / "tests/journals").glob("engine-?.db.xz"))
    assert kept == list(range(1, ENGINE))
    assert f"form 2 of engines 1 to {ENGINE - 1}, and of the present one, {ENGINE} |" in part(
        "command-line.md", "## punto evidence"
    )


def test_the_change_log_names_the_engine_and_the_format_of_the_state() -> None:
    """Whoever kept data looks there for what becomes of it."""
    told = " ".join((DOCS.parent / "CHANGELOG.md").read_text(encoding="utf-8").split())
    assert f"`punto.table.ENGINE` is {ENGINE} and the format of snapshots {STATE}." in told


def test_every_topic_of_a_question_is_documented() -> None:
    named = first_cells(part("table.md", "## Questions"))
    assert set(TOPICS) <= set(named)
    assert set(named) <= set(TOPICS)


def test_the_demonstration_gives_as_many_links_as_the_pages_say() -> None:
    number = {5: "five"}[len(RANKS)]
    for page, says in (
        ("service.md", f"prints {number} one-time links"),
        ("dealing.md", f"an address and {number} links"),
    ):
        assert says in " ".join((DOCS / page).read_text(encoding="utf-8").split())


def words_of_the_linter() -> set[str]:
    """Every text that stands alone in the linter's source, apart from the list of kinds itself."""
    files = [file for file in LINT.rglob("*.py") if file.name != "findings.py"]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_kind_of_finding_is_documented_once_and_no_other() -> None:
    """mypy holds whoever makes a finding to the kinds that are listed."""
    named = first_cells(part("rulebook.md", "## What the linter says"))
    assert sorted(named) == sorted(get_args(Kind))
    assert set(named) <= words_of_the_linter()


@pytest.mark.parametrize(
    ("names", "heading", "column"),
    [(EVENTS, "## Events", "event"), (COMMANDS, "## Commands", "command")],
    ids=["events", "commands"],
)
def test_every_event_and_command_of_a_table_is_documented_once_and_no_other(
    names: dict[str, object], heading: str, column: str
) -> None:
    tables = re.findall(rf"^\| {column} \|.*\n((?:\|.*\n)+)", part("scenarios.md", heading), re.M)
    assert sorted(first_cells("".join(tables))) == sorted(names)


def ends(file: Path) -> set[int]:
    """The exit statuses that a file of the program names."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ENDING:
            [status] = node.args
            found.add(int(str(constants[status.id] if isinstance(status, ast.Name) else ast.literal_eval(status))))
    return found


ENDING = {"typer.Exit", "sys.exit", "os._exit", "SystemExit", "exit"}
SOURCE = Path(punto.cli.__file__).parent.parent
OF_TYPER = {0, 2, 130}
"""What the frame of the commands ends with by itself: all well, mistyped, Ctrl-C."""


def test_every_exit_status_is_documented_once_and_no_other() -> None:
    head, _, answers = part("command-line.md", "## Exit status").partition("These verbs")
    named = [int(status) for status in re.findall(r"^\| `(\d+)` \|", head, re.M)]
    possible = set().union(*(ends(file) for file in SOURCE.rglob("*.py")))
    assert sorted(named) == sorted(possible | OF_TYPER)
    verbs = re.findall(r"^\| `punto ([a-z ]+)` \|", answers, re.M)
    modules = [VERBS.get(verb, verb.split()[0]) for verb in verbs]
    answering = {file.stem for file in SOURCE.glob("cli/*.py") if 1 in ends(file)} - {"__init__"}
    assert sorted(modules) == sorted(answering)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("rulebooks", 0),
        ("show poker", 1),
        ("lint poker.toml", 1),
        ("", 2),
        ("shew", 2),
        ("explain wu-song '7 6 K K' player", 2),
    ],
)
def test_a_command_ends_as_the_page_says(given: str, status: int) -> None:
    assert punto_command(*shlex.split(given)).returncode == status


@pytest.mark.parametrize(("given", "status"), [("settle", 130), ("watch no-such.toml", 0)])
def test_ctrl_c_ends_a_command_as_the_page_says(given: str, status: int) -> None:
    """`settle` has answered one round and waits for the next; `watch` has said what it sees, and waits for a save."""
    with subprocess.Popen(
        [Path(sys.executable).with_name("punto"), *given.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as running:
        try:
            assert running.stdin is not None
            assert running.stdout is not None
            running.stdin.write(b"{}\n")
            running.stdin.flush()
            while not any(word in (said := running.stdout.readline()) for word in (b"error", b"no such file")):
                assert said
            running.send_signal(signal.SIGINT)
            _, complaint = running.communicate()
            assert running.returncode == status
            assert b"Traceback" not in complaint
        finally:
            running.kill()


NOTHING_WITHOUT = {
    "by-shoe": "is reckoned only if asked for",
    "bet": "nothing is counted without it",
    "open": "is reckoned only if asked for",
    "set": "changes something",
    "least": "makes a demand",
    "plot": "draws something",
    "junit": "writes a report",
    "save": "keeps the run",
    "resume": "goes on from a run",
    "witnesses": "writes stories",
    "output": "writes a file",
    "pack": "writes a folder",
    "earlier": "adds a document",
    "key": "signs",
    "font": "adds Chinese",
    "book": "makes a book known",
    "cover": "places insurance",
    "program": "this or --url is asked",
    "url": "this or --program is asked",
    "leave-out": "passes over something",
    "witness": "asks for more to be checked",
    "master-key": "lets more be checked",
    "table": "this and --shoe, or what one knows oneself",
    "shoe": "belongs to --table",
    "commitment": "what one knows oneself",
    "seed": "what one knows oneself",
    "context": "what one knows oneself",
    "cards": "may be given as words as well",
    "word": "only where patrons gave words",
    "post": "without one a person holds none",
}
"""Options that add something: without them nothing is done in their place, so there is no default to tell."""


@pytest.mark.parametrize("words", DOERS)
def test_every_option_tells_its_default_or_needs_none(words: str) -> None:
    """A default that Typer knows is shown by it; of one that is resolved later the help says "else …"."""
    for option in DOERS[words].params:
        resolved_later = option.default in (None, "", [], ()) and not option.required
        if option.param_type_name != "option" or option.name == "help" or not resolved_later:
            continue
        tells = "else" in re.findall(r"[a-z]+", str(getattr(option, "help", "")))
        names = {name.lstrip("-") for name in option.opts}
        assert tells or names & set(NOTHING_WITHOUT), f"punto {words} {option.opts}"


def test_the_defaults_that_serve_tells_are_those_of_the_settings() -> None:
    told = {option.name: str(getattr(option, "help", "")) for option in DOERS["serve"].params}
    for name in ("database", "host", "port"):
        assert told[name].endswith(f"else {Settings.__struct_defaults__[Settings.__struct_fields__.index(name)]}.")


def test_the_table_of_third_cards_is_the_one_that_is_dealt_by() -> None:
    page = (DOCS / "dealing.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([0-7](?:, [0-7])*) \| ([0-9 ]*)\| ([0-9 ]*)\|$", page, re.M)
    told = {
        (int(banker), int(third)): draws
        for hands, drawn, stood in rows
        for banker in hands.split(", ")
        for draws, thirds in ((True, drawn), (False, stood))
        for third in thirds.split()
    }
    assert told == {(banker, third): banker_draws(0, banker, third) for banker in range(8) for third in range(10)}
    assert [points for points in range(8) if player_draws(points, 0)] == list(range(6))
    assert [points for points in range(8) if banker_draws(7, points, STOOD)] == list(range(6))


LATE = {"refused": "refused", "trimmed": "the raise comes off", "settled-as-closed": "settled as it lay"}
"""What the page calls what a book says of chips that move after the call."""


def test_what_the_books_say_of_bets_after_the_close_is_told() -> None:
    page = (DOCS / "dealing.md").read_text(encoding="utf-8")
    rows = {row[0]: row[1:] for row in re.findall(r"^\| `([\w-]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", page, re.M)}
    wanted = {}
    for name in ids():
        betting = tomllib.loads(source(name).decode())["betting"]
        said = (betting.get(f"late-{what}") for what in ("bet", "increase", "withdrawal"))
        wanted[name] = tuple(
            "not told" if each is None else f"{LATE[each['value']]} ({each['clause']})" for each in said
        )
        assert betting["found-late"]["by"] == "pit-supervisor"
    assert rows == wanted


def test_every_picture_is_shown_on_a_page() -> None:
    """One that nobody sees, nobody takes again."""
    pages = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    shown = {name for page in pages for name in re.findall(r"pictures/([\w.-]+)", page.read_text(encoding="utf-8"))}
    assert {file.name for file in (DOCS / "pictures").iterdir()} == shown


def said_in(file: Path) -> list[str]:
    """The lines of a page or a script; of a program the texts in it."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return text.splitlines()
    return [
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


PERCENT_APART = {".md": r"[\d*] %", ".py": r"(\d|^) %(?![\w(])", ".js": r"(\{\w+\}|\)\}|\d) %( [a-z]|[ .,;\"`])"}
"""A percent sign with a space before its number's end, as it would stand in each kind of file."""


def test_percent_is_written_in_one_way() -> None:
    """As in a rulebook and on the command line: 5%, without a space. So whoever looks for a figure finds it."""
    root = DOCS.parent
    files = [*root.glob("*.md"), *DOCS.glob("*.md"), *SOURCE.rglob("*.py"), *(SOURCE / "web").rglob("*.js")]
    apart = [
        f"{file.name}: {line.strip()}"
        for file in files
        for line in said_in(file)
        if re.search(PERCENT_APART[file.suffix], line, re.M)
    ]
    assert apart == []
