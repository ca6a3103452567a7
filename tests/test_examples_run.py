"""The examples that help shows are not only understood: in a folder that has the files they name, they run."""

import shlex
import shutil
from pathlib import Path

import pytest

from punto.cli.examples import EXAMPLES

from test_cli import ok, punto_command

ROOT = Path(__file__).parent.parent
QUICK = (
    "rulebooks",
    "show",
    "clauses",
    "lint",
    "fmt",
    "diff",
    "messages",
    "schema",
    "settle",
    "explain",
    "odds",
    "roads",
)
"""Of the commands without commands of their own, those that need neither a house nor minutes."""

LONG = ("punto diff wu-song my-wu-song.toml --prove",)
STRICT = ("punto lint my-game.toml --strict --format sarif",)
"""A new book has findings, and --strict makes them the exit status."""

RUN = [
    example
    for words, examples in EXAMPLES.items()
    if words in QUICK or words.startswith("history ")
    for example in examples
    if example not in LONG
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that examples name: books, wagers, rounds and histories."""
    folder = tmp_path_factory.mktemp("examples")
    ok("new", str(folder / "my-game.toml"))
    (folder / "books").mkdir()
    for name in ("books/a.toml", "books/b.toml"):
        shutil.copy(folder / "my-game.toml", folder / name)
    shutil.copy(ROOT / "examples/month.csv", folder / "wagers.csv")
    two = (ROOT / "tests/evening.history").read_text(encoding="utf-8")
    (folder / "evening.history").write_text(f"{two}\nshoe{two.removeprefix('punto history 1')}", encoding="utf-8")
    wager = '{"bet": "player", "stake": "100"}'
    (folder / "rounds.jsonl").write_text(f'{{"rulebook": "wu-song", "cards": "K 6 7 K", "wagers": [{wager}]}}\n')
    (folder / "shoes.txt").write_text("BPTBPB\n")
    (folder / "hands.csv").write_text("cards\n6h 2c Kd As 5h\n")
    return folder


@pytest.mark.parametrize("example", RUN)
def test_an_example_does_what_it_says(example: str, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    given, _, source = example.partition(" > ")[0].partition(" < ")
    fed = (files / source).read_text(encoding="utf-8") if source else ""
    answer = punto_command(*shlex.split(given)[1:], stdin=fed)
    assert answer.returncode == (1 if example in STRICT else 0), answer.stderr
