"""What commands print as JSON, by examples: the shape that all of them have, as a JSON Schema.

`python tests/json_shapes.py` writes the kept schemas (`src/punto/cli/schemas`) anew by what the examples print. It
stops where a key would be lost: docs/stability.md promises that keys stay.
"""

import json
import os
import re
import shlex
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from punto.cli.house import console_user
from punto.service.accounts.registry import Accounts
from punto.settlement.rounds import settle_lines
from service_process import MASTER, open_house
from whole_app import app

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "src/punto/cli/schemas"
EVENING = str(ROOT / "tests/evening.history")
STORY = str(ROOT / "scenarios/wu-song/power-failure-void.scenario")
EARLY = str(ROOT / "mutants/books/house-early.toml")
"""A book with bets that are paid, and placed, when the first four cards lie open."""
LONG_ODDS = """
base = "punto-banco"
id = "long-odds"
title = "A tie that no run adds up"
operator = "My house"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
[readings]
HOUSE-1 = "Whoever bets on a tie bets on a hand, too."
[bets.tie]
needs = { bets = ["player", "banker"], clause = "P.tie", readings = ["HOUSE-1"] }
[[pays.tie]]
bet = "tie"
when = { winner = "tie" }
odds = "2000000:1"
clause = "P.tie"
"""
"""A book with a bet that needs another by a reading, at odds that no run adds up."""
GAPS = """punto history 1
rulebook wu-song

round 1
void
wager player 50 = 0

round 2
result tie pairs twin natural

shoe
rulebook nobody-has-it

round 1
cards K 6 7 K
wager player 10 by Ann
"""
"""Rounds without cards, a shoe in which nobody won, and one by a book that is not here."""
DEALT = ROOT / "tests/journals/form-1.db"
"""A house that has dealt, on 2026-11-15."""
SEED = bytes(range(32)).hex()
COMMITMENT = "f994b4c079220341799cb7c336fcb5a8b88aa4eb1d9fee9539bd8b30965ed933"  # docs/shoe.md

EXAMPLES: dict[str, list[str]] = {
    "rulebooks": ["", "--games", "--superseded"],
    "clauses": ["wu-song", "dragon-tiger-hoiana"],
    "cover": [f"wu-song {STORY}"],
    "diff": [
        "wu-song dragon-tiger-mbs",
        "commission-insurance --set 'pays.main[4].odds=\"9:1\"' --prove --states 1",
        "wu-song dragon-tiger-hoiana --layouts C,1 --prove --states 1",
        "wu-song wu-song --prove --states 1",
    ],
    "explain": [
        "commission-insurance '6h 2c Kd As 5h' player=100 --cover four-cards:player=20",
        "wu-song 'K 6 7 K' player=100",
    ],
    "exposure": [
        "commission-insurance --shoes 40 --bet tie",
        "wu-song --bet tie --sweep --shoes 40",
        "wu-song --bet big-tiger --shoes 100",
        f"{EARLY} --shoes 2",
        "long-odds.toml --shoes 2",
    ],
    "cage count": ["", "--day 2026-11-15"],
    "cage report": ["2026-11-15"],
    "conformance make": [
        "punto-banco --output kit --states 1 --chosen 0",
        f"{EARLY} --output kit --states 1 --chosen 0",
    ],
    "design": ["open.toml wu-dalang --shoes 2 --number 2", "open.toml wu-dalang --shoes 0 --number 1"],
    "doctor": ["--database sqlite:///punto.db"],
    "journal verify": ["", "--database sqlite:///changed.db"],
    "users acts": ["", "ann", console_user()],
    "users list": [""],
    "users sessions": [""],
    "history replay": [EVENING, "cut-card.history", "gaps.history"],
    "history settle": [EVENING, "gaps.history"],
    "history show": [EVENING, "gaps.history"],
    "lint": ["wu-song", "commission-insurance", "dragon-tiger-hoiana"],
    "odds": ["wu-song", "commission-insurance", "da-hu-ying-xiong --removed 6h", f"{EARLY} --open '2h 2c Kd As'"],
    "roads": ["B", "BPTBBPbPPBn"],
    "scenario run": [STORY, "otherwise.scenario"],
    "shoe verify": [f"--seed {SEED} --commitment {COMMITMENT} --context 'table 7, shoe 1' ? Ad 5h 3s"],
    "show": [
        "wu-song",
        "commission-insurance",
        "dragon-tiger-mbs --layout K",
        "ez-baccarat",
        "dragon-tiger-hoiana",
        "da-hu-ying-xiong",
        EARLY,
        "long-odds.toml",
    ],
    "simulate": [
        "wu-song --shoes 2 --rounds 5",
        "long-odds.toml --shoes 2",
        "commission-insurance --shoes 3000",
        "commission-insurance --shoes 20 --by-shoe banker",
        "commission-insurance --shoes 20",
        "commission-insurance --shoes 1 --rounds 1",
        f"{EARLY} --shoes 20",
        "long-odds.toml --shoes 20 --by-shoe banker",
    ],
}
"""Calls of every command that prints JSON; `--json` is added."""

_HOUSE = ("users add ann --no-password --kind patron", "users add lee --no-password --kind staff --post *:dealer")
_MONEY = ("cage deposit ann 500", "cage deposit bob 20", "users remove bob --hold")
BEFORE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("doctor", "users list"), _HOUSE),
    "users acts": (*_HOUSE, "users add bob --no-password --person bob", "cage deposit bob 20"),
    "cage count": _MONEY,
    "cage report": _MONEY,
}
"""What is done first, in a folder of its own: accounts of a house, and money that it keeps for people."""

ON_DEALT = {"cage count", "cage report", "journal verify", "users sessions"}
"""Commands that are asked of a house that has dealt, and at which somebody is logged in."""

ROUNDS = [
    {
        "rulebook": "commission-insurance",
        "cards": "6h 2c Kd As 5h",
        "wagers": [{"bet": "player", "stake": 100}],
        "insurance": [{"stage": "four-cards", "hand": "player", "stake": "20"}],
    },
    {"rulebook": "wu-song", "cards": "K 6 7 K", "wagers": [{"bet": "tie", "stake": "10"}]},
    {"rulebook": "ez-baccarat", "cards": "9 K 9 Q", "wagers": []},
    {"rulebook": EARLY, "cards": "2 9 K K", "wagers": [{"bet": "banker", "stake": "100"}]},
    {
        "rulebook": "wu-song",
        "cards": "9 2 K 4",
        "wagers": [{"bet": "player", "stake": "2000"}],
        "limits": {"differential": "1000"},
    },
]
"""What `punto settle` answers, which prints JSON without being asked to; what it refuses is `{error, line}`."""

BY_ID = {
    "a value of held",
    "a value of wallets",
    "asked",
    "bets",
    "best_use",
    "cut_card_effect",
    "held",
    "late",
    "left_out",
    "kinds",
    "not_decided",
    "patrons",
    "rounds",
    "streaks",
    "longest_streak",
    "renamed",
    "banker",
    "player",
    "wallets",
}
"""Objects whose keys are no names of the format, but ids or numbers: of bets, hands, lengths, people, currencies."""


def printed(words: str, example: str) -> Any:
    """What a command prints as JSON, read again."""
    return json.loads(printed_text(words, f"{example} --json"))


def printed_text(words: str, example: str, env: dict[str, str] | None = None) -> str:
    """What a command prints, in a folder of its own."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            _write_files(words)
            if words in ON_DEALT:
                _dealt_house()
            for command in BEFORE.get(words, ()):
                _called(command)
            return _called(f"{words} {example}", env)
        finally:
            os.chdir(here)


def _write_files(words: str) -> None:
    """The files that examples name."""
    book = CliRunner().invoke(app, ["show", "wu-song", "--toml"]).stdout if words == "design" else ""
    Path("open.toml").write_text(re.sub(r'(bet = "wu-dalang".*?odds = )"[^"]*"', r'\1"?"', book, flags=re.S))
    Path("long-odds.toml").write_text(LONG_ODDS, encoding="utf-8")
    Path("gaps.history").write_text(GAPS, encoding="utf-8")
    evening, story = (Path(file).read_text(encoding="utf-8") for file in (EVENING, STORY))
    Path("cut-card.history").write_text(f"{evening.rstrip()}\nevent cut-card after 3\n", encoding="utf-8")
    Path("otherwise.scenario").write_text(story.replace("ann has 500", "ann has 700"), encoding="utf-8")


def _dealt_house() -> None:
    """A house that has dealt, and a patron who is logged in; and another whose journal was changed."""
    shutil.copy(DEALT, "punto.db")
    shutil.copy(DEALT, "changed.db")
    with closing(sqlite3.connect("changed.db")) as changed, changed:
        for (kept,) in changed.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            changed.execute(f'drop trigger "{kept}"')
        changed.execute("update entries set who = 'nobody' where \"table\" = 'counted' and sequence = 5")
    with closing(open_house("sqlite:///punto.db")) as journal:
        accounts = Accounts(journal)
        accounts.enter(accounts.existing("ann"), "127.0.0.1", "link")


def _called(command: str, env: dict[str, str] | None = None) -> str:
    done = CliRunner().invoke(app, shlex.split(command), env={"PUNTO_MASTER_KEY": MASTER.text} | (env or {}))
    assert done.exception is None or isinstance(done.exception, SystemExit), (command, done.exception)
    return done.stdout


def shape(values: list[Any], name: str = "") -> dict[str, Any]:
    """The schema of values that stand in one place."""
    found: dict[str, dict[str, Any]] = {}
    for kind, python in (("null", type(None)), ("boolean", bool), ("integer", int), ("number", float), ("string", str)):
        if any(type(value) is python for value in values):
            found[kind] = {"type": kind}
    if "number" in found:
        found.pop("integer", None)
    lists = [value for value in values if isinstance(value, list)]
    if lists:
        items = [item for value in lists for item in value]
        found["array"] = {"type": "array"} | ({"items": shape(items, name)} if items else {})
    objects = [value for value in values if isinstance(value, dict)]
    if objects:
        found["object"] = _object(objects, name)
    kinds = list(found.values())
    if not set(found) - {"null"}:
        return {}  # nothing ever stood there
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _object(objects: list[dict[str, Any]], name: str) -> dict[str, Any]:
    keys = dict.fromkeys(key for each in objects for key in each)
    if name in BY_ID and not {"edge", "name", "points", "value"} & set(keys):
        return {
            "type": "object",
            "additionalProperties": shape([value for each in objects for value in each.values()], f"a value of {name}"),
        }
    return {
        "type": "object",
        "properties": {key: shape([each[key] for each in objects if key in each], key) for key in keys},
        "required": [key for key in keys if all(key in each for each in objects)],
    }


def examples(words: str) -> list[Any]:
    """What a command prints, example by example."""
    if words == "settle":
        source = [json.dumps(each) for each in (*ROUNDS, {})]
        return [json.loads(answer) for answer, _ in settle_lines(source)]
    return [printed(words, example) for example in EXAMPLES[words]]


def schema(words: str) -> dict[str, Any]:
    """The schema of what a command prints, by its examples."""
    values = examples(words)
    title = "an answer of punto settle" if words == "settle" else f"punto {words} --json"
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    forms: dict[frozenset[str], list[Any]] = {}
    for value in values:
        forms.setdefault(frozenset(value) if isinstance(value, dict) else frozenset(), []).append(value)
    shapes = [shape(each) for each in forms.values()]
    return head | (shapes[0] if len(shapes) == 1 else {"anyOf": shapes})


def keys_of(part: Any, path: str = "") -> set[str]:
    """Every key that a schema names, with the way to it."""
    if isinstance(part, list):
        return set[str]().union(*(keys_of(each, path) for each in part))
    if not isinstance(part, dict):
        return set()
    named = part.get("properties", {})
    found = {f"{path}/{key}" for key in named}
    for key, each in named.items():
        found |= keys_of(each, f"{path}/{key}")
    for inner in ("anyOf", "items", "additionalProperties"):
        found |= keys_of(part.get(inner), path)
    return found


def untold(part: dict[str, Any], path: str = "") -> Iterator[str]:
    """The places of a schema that say nothing of what stands there."""
    if not part or part == {"type": "array"} or (part.get("type") == "object" and part.get("properties") == {}):
        yield path
    for key, each in part.get("properties", {}).items():
        yield from untold(each, f"{path}/{key}")
    for inner in ("items", "additionalProperties"):
        if inner in part:
            yield from untold(part[inner], f"{path}/*")
    for each in part.get("anyOf", ()):
        yield from untold(each, path)


def file_of(words: str) -> Path:
    return SCHEMAS / f"{words.replace(' ', '_')}.json"


if __name__ == "__main__":
    SCHEMAS.mkdir(exist_ok=True)
    for each in (*EXAMPLES, "settle"):
        made, file = schema(each), file_of(each)
        lost = keys_of(json.loads(file.read_text(encoding="utf-8"))) - keys_of(made) if file.exists() else set[str]()
        if lost:
            raise SystemExit(f"punto {each} would lose keys that are promised: {', '.join(sorted(lost))}")
        file.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
