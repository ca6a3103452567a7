"""Lint for machines that read reports: SARIF logs, and GitHub's annotations read back as GitHub reads them."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlparse

from typer.testing import CliRunner

from punto.lint.formats import Remark, github
from punto.rulebook import source
from whole_app import app


def lint(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["lint", *words])
    return done.exit_code, done.output


def ok(*words: str) -> str:
    code, told = lint(*words)
    assert code == 0
    return told


def broken(folder: Path, name: str) -> Path:
    """Wu Song with two odds that are none, on the lines 230 and 237."""
    file = folder / name
    file.write_text(source("wu-song").decode().replace('odds = "8:1"', 'odds = "8%"'), encoding="utf-8")
    return file


def annotations(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as GitHub takes them apart: `::level name=value,name=value::message`."""
    found = []
    for line in text.splitlines():
        read = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
        assert read, line
        named = dict(part.split("=", 1) for part in read[2].split(","))
        found.append((read[1], {name: unquote(value) for name, value in named.items()}, unquote(read[3])))
    return found


def test_faults_are_annotations_of_their_lines_whatever_the_name_of_the_file(tmp_path: Path) -> None:
    file = broken(tmp_path, "a,b:100%.toml")
    code, told = lint(str(file), "--format", "github")
    assert code == 1
    lines = [at for at, line in enumerate(file.read_text().splitlines(), start=1) if "8%" in line]
    assert [(level, named["file"], int(named["line"])) for level, named, _ in annotations(told)] == [
        ("error", str(file), line) for line in lines
    ]
    assert all("'8%' is not odds" in says for *_, says in annotations(told))


def test_a_sentence_of_several_lines_stays_one_annotation() -> None:
    [(level, named, says)] = annotations(github([Remark("finding", "print", None, None, "here", "one\r\ntwo: 5%, ::")]))
    assert (level, named, says) == ("warning", {"title": "print"}, "here: one\r\ntwo: 5%, ::")


def test_a_sarif_log_names_file_line_and_kind(tmp_path: Path) -> None:
    file = broken(tmp_path, "my game.toml")
    code, told = lint(str(file), "--format", "sarif")
    assert code == 1
    log = json.loads(told)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    [run] = log["runs"]
    assert run["tool"]["driver"]["rules"] == [{"id": "file"}]
    places = [each["locations"][0]["physicalLocation"] for each in run["results"]]
    assert {each["level"] for each in run["results"]} == {"error"}
    assert [unquote(urlparse(each["artifactLocation"]["uri"]).path) for each in places] == [str(file)] * 2
    shown = file.read_text().splitlines()
    assert all("8%" in shown[each["region"]["startLine"] - 1] for each in places)


def test_every_format_has_the_same_findings(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(source("dragon-tiger-mbs").decode(), encoding="utf-8")
    plain = json.loads(ok(str(file), "--json"))
    assert json.loads(ok(str(file), "--format", "json")) == plain
    [run] = json.loads(ok(str(file), "--format", "sarif"))["runs"]
    told = annotations(ok(str(file), "--format", "github"))
    kinds = [each["kind"] for each in plain]
    assert kinds == ["print", "print", "rounding"]
    assert [each["ruleId"] for each in run["results"]] == kinds
    assert [run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] for each in run["results"]] == kinds
    assert [(level, named["title"]) for level, named, _ in told] == [("warning", kind) for kind in kinds]
    for each, result, (*_, says) in zip(plain, run["results"], told, strict=True):
        assert each["says"] in says
        assert each["says"] in result["message"]["text"]


def test_a_book_that_comes_with_punto_is_no_file_of_ones_own() -> None:
    [(_, named, _)] = annotations(ok("wu-song", "--format", "github"))
    assert "file" not in named
    [run] = json.loads(ok("wu-song", "--format", "sarif"))["runs"]
    assert "physicalLocation" not in run["results"][0]["locations"][0]
    assert lint("wu-song", "--format", "sarif", "--strict")[0] == 1
