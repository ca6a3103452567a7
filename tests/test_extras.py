"""What works with which extra: the real commands, in a Python that finds only what pyproject.toml says it needs."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import punto
from punto.extras import MODULES
from service_process import MASTER, Service
from whole_app import app

from test_cli import ROUND
from test_cli import cold_command as punto_command  # which libraries are there is seen when they are imported
from test_cli import ok as accepted

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FOR_USERS = {"maths", "journal", "certify", "serve", "cluster", "gpu", "gym", "parquet", "all"}

SEED = bytes(range(32)).hex()
COMMITMENT = "f994b4c079220341799cb7c336fcb5a8b88aa4eb1d9fee9539bd8b30965ed933"  # docs/shoe.md
SHOE = ("shoe", "verify", "--seed", SEED, "--commitment", COMMITMENT, "--context", "table 7, shoe 1")
STORY = str(ROOT / "scenarios/wu-song/power-failure-void.scenario")

EVENING = str(ROOT / "tests/evening.history")
KIT = str(ROOT / ".pytest_cache" / "kit")

WITHOUT: dict[str, tuple[str, ...]] = {
    "rulebooks": ("rulebooks",),
    "show": ("show", "commission-insurance"),
    "clauses": ("clauses", "wu-song", "--json"),
    "diff": ("diff", "wu-song", "dragon-tiger-mbs", "--json"),
    "messages": ("messages",),
    "schema": ("schema", "odds"),
    "new": ("new", "--help"),
    "fmt": ("fmt", "--help"),
    "settle": ("settle",),
    "explain": ("explain", "commission-insurance", "6h 2c Kd As 5h", "player=100", "--cover", "four-cards:player=20"),
    "roads": ("roads", "BPTBBPb"),
    "history show": ("history", "show", EVENING),
    "history roads": ("history", "roads", EVENING, "--shoe", "1"),
    "history settle": ("history", "settle", EVENING),
    "history replay": ("history", "replay", EVENING),
    "history export": ("history", "export", EVENING, "--output", str(ROOT / ".pytest_cache/rounds.csv")),
    "history import": ("history", "import", str(ROOT / "tests/evening.csv"), "--book", "wu-song"),
    "demo": ("demo", "--seed", "7", "--rounds", "12"),
    "scenario run": ("scenario", "run", STORY, "--events"),
    "scenario words": ("scenario", "words"),
    "cover": ("cover", "wu-song", STORY, "--missing"),
    "conformance make": (
        "conformance",
        "make",
        "wu-song",
        "--output",
        str(ROOT / ".pytest_cache/kit"),
        "--states",
        "1",
    ),
    "conformance run": ("conformance", "run", "--help"),
    "conformance answer": ("conformance", "answer"),
    "shoe verify": (*SHOE, "?", "Ad", "5h", "3s"),
}
"""Commands that do all they do without any extra."""

NEEDING: dict[str, tuple[str, tuple[str, ...]]] = {
    "odds": ("maths", ("odds", "wu-song")),
    "design": ("maths", ("design", "wu-song", "tie")),
    "simulate": ("maths", ("simulate", "wu-song", "--shoes", "10", "--seed", "1")),
    "exposure": ("maths", ("exposure", "wu-song", "--shoes", "10")),
    "certify": ("certify", ("certify", "wu-song", "-o", "certificate.pdf")),
    "evidence": ("certify", ("evidence", str(ROOT / "tests/runs/tally-2.json"))),
    "serve": ("serve", ("serve",)),
    "doctor": ("serve", ("doctor",)),
    "journal verify": ("journal", ("journal", "verify")),
    "journal export": ("journal", ("journal", "export")),
    "users add": ("serve", ("users", "add", "ann", "--no-password")),
    "users list": ("serve", ("users", "list")),
    "users password": ("serve", ("users", "password", "ann")),
    "users post": ("serve", ("users", "post", "ann", "*", "dealer")),
    "users remove": ("serve", ("users", "remove", "ann")),
    "users link": ("serve", ("users", "link", "ann")),
    "users token": ("serve", ("users", "token", "ann")),
    "users revoke": ("serve", ("users", "revoke", "ann")),
    "users acts": ("serve", ("users", "acts")),
    "users shown": ("serve", ("users", "shown", "ann", "Ann")),
    "users sessions": ("serve", ("users", "sessions")),
    "users end-session": ("serve", ("users", "end-session", "s1")),
    "users totp": ("serve", ("users", "totp", "ann")),
    "users oidc": ("serve", ("users", "oidc", "ann", "subject")),
    "cage count": ("serve", ("cage", "count")),
    "cage report": ("serve", ("cage", "report", "2026-11-15")),
    "cage deposit": ("serve", ("cage", "deposit", "ann", "10")),
    "cage withdraw": ("serve", ("cage", "withdraw", "ann", "10")),
    "cage pay-out": ("serve", ("cage", "pay-out", "ann", "10")),
    "cage hold": ("serve", ("cage", "hold", "ann")),
    "keys new": ("serve", ("keys", "new")),
    "keys show": ("serve", ("keys", "show")),
    "keys master": ("serve", ("keys", "master")),
    "keys tokens": ("serve", ("keys", "tokens")),
    "keys signing": ("serve", ("keys", "signing")),
    "witness serve": ("serve", ("witness", "serve")),
    "witness key": ("serve", ("witness", "key")),
}
"""Commands that do nothing without an extra, and which one."""

PARTLY = {"lint", "watch", "feed simulate"}
"""Commands with a test of their own below."""


def listed(extra: str) -> set[str]:
    """The distributions that pyproject.toml names for an extra, by itself or by another extra."""
    found = set[str]()
    for each in map(Requirement, EXTRAS[extra]):
        found |= set[str]().union(*map(listed, each.extras)) if each.name == "punto" else {canonicalize_name(each.name)}
    return found


def brought(*extras: str) -> set[str]:
    """The distributions that an installation with these extras consists of, from pyproject.toml on."""
    asked = [Requirement(each) for each in (*PROJECT["dependencies"], *(f"punto[{extra}]" for extra in extras))]
    found, done = {"punto"}, set[str]()
    while asked:
        each = asked.pop()
        name = canonicalize_name(each.name)
        if str(each) in done or (each.marker is not None and not each.marker.evaluate()):
            continue
        done.add(str(each))
        if name == "punto":
            asked += [Requirement(more) for extra in each.extras for more in EXTRAS[extra]]
            continue
        found.add(name)
        asked += _needed(name, each.extras)
    return found


def _needed(name: str, extras: set[str]) -> Iterator[Requirement]:
    """What a distribution that is installed here needs, as a plain requirement."""
    for text in requires(name) or ():
        each = Requirement(text)
        if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            each.marker = None
            yield each


@cache
def owners() -> dict[str, set[str]]:
    """Every module that is installed here, and the distributions that bring it."""
    return {name: {canonicalize_name(each) for each in names} for name, names in packages_distributions().items()}


FINDER = """
import sys
from importlib.machinery import PathFinder


class Installed(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {absent!r} else super().find_spec(name, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = Installed
"""


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """From now on a new Python finds nothing but Punto and what some extras bring; it works in a folder of its own."""
    path = os.environ.get("PYTHONPATH", "")
    monkeypatch.chdir(tmp_path)

    def install(*extras: str) -> None:
        have = brought(*extras)
        absent = {name for name, names in owners().items() if not names & have}
        assert absent
        site = tmp_path / "-".join(("site", *extras))
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(FINDER.format(absent=absent), encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(each for each in (str(site), path) if each))

    return install


ok = partial(accepted, command=punto_command)


def sentence(extra: str) -> str:
    return f"This needs Punto's extra '{extra}': pip install \"punto[{extra}]\"."


def says_what_is_missing(extra: str, *arguments: str) -> None:
    done = punto_command(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"punto: {sentence(extra)}\n")


def verbs(group: Any, before: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from verbs(command, f"{before}{name} ")
        else:
            yield f"{before}{name}"


def test_every_command_is_tried_with_and_without_its_extra() -> None:
    assert {*WITHOUT, *NEEDING, *PARTLY} == set(verbs(typer.main.get_command(app)))


@pytest.mark.parametrize("verb", WITHOUT)
def test_a_light_command_says_the_same_without_any_extra(verb: str, only: Callable[..., None]) -> None:
    asked = json.dumps(ROUND) + "\n" if verb == "settle" else ""
    (ROOT / ".pytest_cache").mkdir(exist_ok=True)  # where some write to
    with_all = ok(*WITHOUT[verb], stdin=asked)
    only()
    assert ok(*WITHOUT[verb], stdin=asked) == with_all


@pytest.mark.parametrize("verb", NEEDING)
def test_a_command_whose_extra_is_missing_names_it_in_one_sentence(verb: str, only: Callable[..., None]) -> None:
    only()
    extra, arguments = NEEDING[verb]
    says_what_is_missing(extra, *arguments)


def test_help_shows_every_command_without_any_extra(only: Callable[..., None]) -> None:
    only()
    shown = ok("--help")
    assert ok("--version") == f"punto {PROJECT['version']}\n"
    for verb in {*WITHOUT, *NEEDING, *PARTLY}:
        assert re.search(rf"\b{verb.split()[0]}\b", shown)
    for verb in ("odds", "serve", "users add"):
        assert "Usage" in ok(*verb.split(), "--help")


def test_lint_says_that_it_did_not_look_at_edges(only: Callable[..., None]) -> None:
    with_all = json.loads(ok("lint", "commission-insurance", "--json"))
    only()
    *others, last = json.loads(ok("lint", "commission-insurance", "--json"))
    assert others == [each for each in with_all if each["kind"] not in ("favourable", "rounding")]
    assert (last["severity"], last["kind"]) == ("finding", "no-odds")
    assert ok("lint", "wu-song") == (
        f"finding: wu-song.toml:184: pays and insurance: their edges were not looked at. {sentence('maths')}\n"
        "0 faults, 1 finding\n"
    )
    assert punto_command("lint", "wu-song", "--strict").returncode == 1  # what was not looked at is not clean


def test_watch_shows_all_but_edges(only: Callable[..., None], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ok("show", "wu-song", "--toml"), encoding="utf-8")
    with_all = ok("watch", str(file), "--once")
    only()
    without = ok("watch", str(file), "--once")
    assert f"Edges are not counted. {sentence('maths')}" in without
    pays = [line for line in with_all.splitlines() if " to 1 " in line]
    assert pays
    assert [line for line in without.splitlines() if " to 1 " in line] == pays


def test_diff_proves_without_maths_and_says_that_nothing_is_priced(only: Callable[..., None]) -> None:
    asked = ("diff", "wu-song", "--set", "decks.max=9", "--prove")
    with_all = json.loads(ok(*asked, "--json"))
    only()
    without = json.loads(ok(*asked, "--json"))
    assert without["found"] == with_all["found"]
    assert (without["equal"], without["edges"], with_all["edges"]) == (False, None, [])
    assert ok(*asked).startswith("Without the extra 'maths' nothing is priced.\n")


def test_a_simulated_shoe_needs_no_extra(only: Callable[..., None]) -> None:
    only()
    asked = ("feed", "simulate", "--table", "t1", "--token", "x", "--to")
    done = punto_command(*asked, "nowhere")
    assert done.stderr == "punto: 'nowhere' is not an address: write it like 127.0.0.1:8100.\n"
    done = punto_command(*asked, "127.0.0.1:1")  # nothing listens there
    assert done.returncode == 1
    assert re.fullmatch(r"punto: .*127\.0\.0\.1.*\n", done.stderr)


def test_what_needs_another_extra_than_its_command_names_that_one(only: Callable[..., None]) -> None:
    only()
    says_what_is_missing("journal", "shoe", "verify", "--table", "t1", "--shoe", "1")
    only("maths")
    says_what_is_missing("certify", "odds", "wu-song", "--plot", "edges.png")
    says_what_is_missing("certify", "exposure", "wu-song", "--shoes", "10", "--plot", "worth.png")
    says_what_is_missing("cluster", "simulate", "wu-song", "--shoes", "10", "--seed", "1", "--backend", "dask")


@pytest.mark.parametrize("extra", ["maths", "journal", "serve"])
def test_a_certificate_asks_for_its_own_extra_whatever_is_there(extra: str, only: Callable[..., None]) -> None:
    only(extra)
    says_what_is_missing("certify", *NEEDING["certify"][1])


def test_the_extra_maths_is_enough_for_odds_simulation_and_exposure(only: Callable[..., None]) -> None:
    odds, lint = ok("odds", "wu-song", "--json"), ok("lint", "commission-insurance")
    only("maths")
    assert ok("odds", "wu-song", "--json") == odds
    assert ok("lint", "commission-insurance") == lint
    dealt = json.loads(ok("simulate", "wu-song", "--shoes", "10", "--seed", "1", "--rounds", "5", "--json"))
    assert dealt["rounds"] == 50
    assert json.loads(ok("exposure", "wu-song", "--shoes", "2", "--json"))["rulebook"] == "wu-song"


def test_the_extra_certify_is_enough_for_a_certificate_and_a_plot(only: Callable[..., None]) -> None:
    only("certify")
    ok("certify", "wu-song", "--layout", "C", "-o", "certificate.pdf")
    assert Path("certificate.pdf").read_bytes().startswith(b"%PDF")
    ok("odds", "wu-song", "--plot", "edges.svg")
    assert "<svg" in Path("edges.svg").read_text(encoding="utf-8")
    Path("issuer.key").write_bytes(bytes(32))
    says_what_is_missing("journal", "certify", "wu-song", "--pack", "pack", "--key", "issuer.key")


def test_a_house_needs_serve_and_its_auditor_only_journal(
    only: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"sqlite:///{tmp_path}/house.db"
    only("serve")
    monkeypatch.setenv("PUNTO_MASTER_KEY", MASTER.text)
    assert ok("users", "add", "ann", "--no-password", "--database", database) == "ann is here.\n"
    with Service(tmp_path, database) as service:
        service.start()
        with httpx.Client(base_url=service.address, timeout=600) as client:
            for page in ("/", "/api/tables", "/api/books/wu-song/odds", "/metrics", "/api/schema/openapi.yaml"):
                assert client.get(page).status_code == 200, page
        service.stop()
    only("journal")
    assert ok("journal", "verify", "--database", database).endswith("1 of 1 chain whole.\n")
    assert ok("journal", "export", "--database", database) == "No round is over yet.\n"
    done = punto_command("shoe", "verify", "--table", "t1", "--shoe", "1", "--database", database)
    assert done.stderr == "punto: There is no table 't1' in this journal; there are house.\n"
    says_what_is_missing("serve", "users", "list", "--database", database)


ROOMS = sorted(page.stem for page in (ROOT / "docs/api").glob("*.md") if page.stem != "punto")
"""The rooms that the reference describes."""

HEAVY = {
    "kernels": "maths",
    "odds": "maths",
    "simulation": "maths",
    "exposure": "maths",
    "design": "maths",
    "gym": "gym",
    "report": "certify",
    "journal": "journal",
    "audit": "journal",
    "sealing": "journal",
}


def python(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_room_is_an_attribute_or_an_import_error_that_names_its_extra(only: Callable[..., None]) -> None:
    only()
    told = python(f"""
import importlib, json, punto

def told(ask):
    try:
        return ask().__name__
    except ImportError as error:
        return str(error)

print(json.dumps({{
    name: [told(lambda: getattr(punto, name)), told(lambda: importlib.import_module("punto." + name))]
    for name in {ROOMS!r}
}}))
""")
    assert json.loads(told) == {
        name: [sentence(HEAVY[name]) if name in HEAVY else f"punto.{name}"] * 2 for name in ROOMS
    }


def test_what_is_light_loads_nothing_heavy_even_where_it_is_installed() -> None:
    rooms = [f"punto.{name}" for name in (*ROOMS, "cli") if name not in HEAVY]
    heavy = sorted(set[str]().union(*MODULES.values()))
    loaded = python(
        f"import sys, punto, {', '.join(rooms)}; print([each for each in {heavy!r} if each in sys.modules])"
    )
    assert loaded == "[]\n"
    assert python("import sys, punto; print([each for each in sys.modules if each.startswith('punto.')])") == "[]\n"


def test_an_unknown_name_is_no_attribute() -> None:
    assert not hasattr(punto, "poker")


def test_the_table_of_modules_is_that_of_the_project() -> None:
    """A module that no extra brings could not be told, and one that its extra does not bring would be told wrongly."""
    assert set(MODULES) == FOR_USERS - {"all", "gpu"}  # what a GPU lacks is told by punto.kernels.gpu
    for extra, modules in MODULES.items():
        assert all(owners()[module] & brought(extra) for module in modules)
        assert all(any(name in owners()[module] for module in modules) for name in listed(extra))


def test_without_extras_nothing_is_needed_but_three() -> None:
    assert {Requirement(each).name for each in PROJECT["dependencies"]} == {"msgspec", "rich", "typer"}
    assert EXTRAS.keys() >= FOR_USERS
    assert listed("all") == set[str]().union(*map(listed, FOR_USERS))


def test_the_documentation_names_the_extra_of_every_command() -> None:
    expected = dict.fromkeys((*WITHOUT, *PARTLY), "")
    for verb, (extra, _) in NEEDING.items():
        expected[verb.split()[0]] = f"`{extra}`"
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in page.splitlines() if line.startswith("| [`punto ")]
    told = {verb.split("`")[1].removeprefix("punto "): extra for _, verb, extra, _, _ in rows}
    assert told == expected
    start = (ROOT / "docs/getting-started.md").read_text(encoding="utf-8")
    assert all(f"| `{extra}` |" in start for extra in FOR_USERS)
