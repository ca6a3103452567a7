"""The index beside a file of one's own: what it lacks is one fault, and is written into it when that is asked for."""

import re
from pathlib import Path

from punto.lint import lint
from punto.rulebook import index_for, load

from test_cli import ok, refused

HEAD = "clause,kind,nature,summary\n"


def game(folder: Path) -> Path:
    """A book of one's own with the index that comes with it."""
    file = folder / "mine.toml"
    ok("new", str(file), "--no-ask", "--side", "dragon-7")
    return file


def faults(file: Path) -> list[str]:
    return [str(each) for each in lint(load(str(file))) if each.severity == "fault"]


def test_all_that_an_index_lacks_is_one_fault_with_every_line(tmp_path: Path) -> None:
    """Written down by hand: an index that begins with one of the clauses; the file names each of the others."""
    file = game(tmp_path)
    index = file.with_suffix(".clauses.csv")
    printed = {row.split(",")[0].partition("#")[0] for row in index.read_text(encoding="utf-8").splitlines()[1:]}
    index.write_text(f"{HEAD}1.1,definition,rule,The decks\n", encoding="utf-8")
    [fault] = faults(file)
    told = dict(re.findall(r"([0-9.]+) \(line ([0-9]+)\)", fault))
    assert "1.1" not in told
    assert set(told) <= printed - {"1.1"}
    assert len(told) > 10
    lines = file.read_text(encoding="utf-8").splitlines()
    for clause, line in told.items():
        assert f'"{clause}' in lines[int(line) - 1], (clause, line)
    assert "punto clauses mine.toml --add" in fault


def test_a_single_clause_is_named_where_it_stands(tmp_path: Path) -> None:
    file = game(tmp_path)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"2.1"', '"2.91"', 1), encoding="utf-8")
    [fault] = faults(file)
    assert "the book has no clause 2.91: put it right here, or write it into mine.clauses.csv." in fault


def test_what_an_index_lacks_is_added_and_what_it_has_stays(tmp_path: Path) -> None:
    file = game(tmp_path)
    index = file.with_suffix(".clauses.csv")
    whole = set(index_for("mine", str(file)))
    for kept in (f"{HEAD}1.1,definition,rule,The decks", None):  # without the end of its last line; and no index at all
        if kept is None:
            index.unlink()
        else:
            index.write_text(kept, encoding="utf-8")
        assert "more: " in ok("clauses", str(file), "--add")
        assert index.read_text(encoding="utf-8").startswith(kept or HEAD)
        assert set(index_for("mine", str(file))) <= whole
        assert faults(file) == []
        assert "has every clause that" in ok("clauses", str(file), "--add")
    assert "stated" in ok("clauses", str(file))


def test_an_index_that_comes_with_punto_is_kept() -> None:
    assert "of its own" in refused("clauses", "wu-song", "--add")
    assert "Name the file" in refused("clauses", "--add")
