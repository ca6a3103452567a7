"""The mutation run itself: which changes it makes, and that it tells those that a test notices from the others."""

import ast
import json
import subprocess
import sys
from pathlib import Path

from operators import mutants, mutated

FOLDER = Path(__file__).parent.parent / "mutants"

TOY = '''
"""A ferry."""


def fare(age):
    """What a passenger pays."""
    if age < 12:
        return 5
    return 9


def boats(passengers):
    """How many boats of four they need."""
    return -(-passengers // 4)


def nobody_asks(passengers):
    return passengers + 1


def left_over(passengers):
    while passengers > 3:
        passengers -= 4
    return passengers
'''

TESTS = """
from toy import boats, fare, left_over


def test_children_pay_less():
    assert (fare(3), fare(40)) == (5, 9)


def test_full_boats():
    assert boats(20) == 5


def test_the_last_wait():
    assert [left_over(3), left_over(4), left_over(9)] == [3, 0, 1]
"""

RUN = """
import json, sys
from pathlib import Path
import pytest, run
run._CPU = 0
file = Path("toy.py").resolve()
trial = run.Trial([(file, each) for each in run.mutants(file.read_text())], jobs=2)
assert pytest.main(["-x", "-q", "-s", "-p", "no:cacheprovider", "test_toy.py"], plugins=[trial]) == 0
Path("fates.json").write_text(json.dumps([[each.what, fate] for (_, each), fate in zip(trial.todo, trial.fates)]))
"""


def test_what_no_test_notices_survives_and_the_rest_is_killed(tmp_path: Path) -> None:
    """Nobody asks for the fare at twelve, and nobody for a boat that is not full."""
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "test_toy.py").write_text(TESTS)
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = [{str(FOLDER)!r}, '.']\n{RUN}"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    by_fate: dict[str, list[str]] = {}
    for what, fate in json.loads((tmp_path / "fates.json").read_text()):
        by_fate.setdefault(fate, []).append(what)
    assert by_fate.pop("survived") == [
        "age < 12 to age <= 12",
        "12 to 13",
        "12 to 11",
        "-(-passengers // 4) to passengers // 4",
    ]
    assert by_fate.pop("untested") == ["return None", "passengers + 1 to passengers - 1", "1 to 2", "1 to 0"]
    assert set(by_fate.pop("timeout")) == {"augassign removed", "passengers += 4"}
    assert {"condition True", "condition False", "return None", "4 to 5"} <= set(by_fate.pop("killed"))
    assert not by_fate
    assert (tmp_path / "toy.py").read_text() == TOY


def test_one_mutant_is_one_change() -> None:
    [whole, *_] = found = mutants(TOY)
    assert [each.number for each in found] == list(range(len(found)))
    assert (whole.line, whole.function, whole.what, whole.text) == (7, 5, "condition True", "if age < 12:")
    before = ast.unparse(ast.parse(TOY)).splitlines()
    for each in found:
        after = ast.unparse(mutated(TOY, each.number)).splitlines()
        changed = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        assert len(changed) == 1, each.what


def test_what_stands_outside_functions_and_what_is_only_for_mypy_is_left_alone() -> None:
    assert not mutants("MOST = 5\n\n\nclass Ferry:\n    seats: int = 4\n")
    assert not mutants("def fare(age: int = 3) -> None:\n    assert age > 0\n")
