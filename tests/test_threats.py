"""The threat model: every test that it names exists, and every enemy is spoken of."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(test_\w+\.py(?:::\w+)?)`", PAGE)))
ENEMIES = ("a stranger on the network", "a guest", "a patron", "a dealer", "the pit", "an operator with the database")


def rows() -> list[list[str]]:
    """The rows of the tables of attacks: enemy, what they try, what stops it, test."""
    cells = [
        [each.strip() for each in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")
    ]
    return [row for row in cells if len(row) == 4 and row[0] not in ("enemy", "---")]


@pytest.mark.parametrize("name", NAMED)
def test_every_test_that_is_named_exists(name: str) -> None:
    file, _, function = name.partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert not function or function in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_every_attack_has_a_test_and_every_enemy_an_attack() -> None:
    assert len(rows()) > 20
    for row in rows():
        assert re.search(r"`test_\w+\.py", row[3]), row
    for enemy in ENEMIES:
        assert any(enemy.removeprefix("a ") in row[0] or enemy in row[0] for row in rows()), enemy


def test_it_is_said_how_to_report() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "private report" in text
    assert "docs/threat-model.md" in text
