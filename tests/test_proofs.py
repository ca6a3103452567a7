"""Proofs by mutation: every enforced clause has one that is up to date, and a slice of them holds when tried."""

import importlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from punto.coup import deal
from punto.rulebook import clauses, ids, load, proofs, share, status
from punto.rulebook import tests as naming
from punto.settlement import Wager, settle

from changes import BookChange, Edit, digest
from derive import derived, references, stated
from prove import Case

ROOT = Path(__file__).parent.parent
SLICE = 15
"""Every so many-th change is made for real; make proofs tries all of them."""
REASONS = tomllib.loads((ROOT / "proofs/stated.toml").read_text(encoding="utf-8"))["stated"]


def test_a_slice_of_the_proofs_holds_and_all_are_up_to_date() -> None:
    """Under the change the test fails; and neither a change nor the text of a test has been altered since."""
    run = subprocess.run(
        [sys.executable, "proofs/prove.py", "--check", str(SLICE)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}\nrun make proofs"


def test_a_proof_is_about_a_rule_and_by_a_test_that_names_it() -> None:
    for book, by_clause in proofs().items():
        for name, proof in by_clause.items():
            clause = clauses(book)[name]
            assert (clause.nature, status(clause)) == ("rule", "enforced")
            assert proof.test in naming(clause), f"{book} {name}: {proof.test}"
            assert proof.change


def test_what_is_only_stated_has_a_reason() -> None:
    """A rule is enforced, or it is written down why nothing can show that it is."""
    excused = {(each["book"], name) for each in REASONS for name in each["clauses"]}
    found = {(book, name) for book in ids() for name, clause in clauses(book).items() if status(clause) == "stated"}
    assert found == excused
    assert all(each["why"].endswith(".") for each in REASONS)


def test_ninety_five_of_a_hundred_rules_are_enforced() -> None:
    """Of the 815 rules that were once counted, with the drawings that the text does not have."""
    counts = [share(book) for book in ids()]
    enforced = sum(each["enforced"] for each in counts)
    rules = enforced + sum(each["stated"] + each["drawing"] for each in counts)
    assert rules == 815
    assert enforced >= 0.95 * rules
    stated, drawings = (sum(each[word] for each in counts) for word in ("stated", "drawing"))
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"Of the {rules} rules, {enforced} are *enforced*" in readme
    assert f"{stated} are only stated, and {drawings} are drawings" in readme


@pytest.mark.parametrize("book", ids())
def test_a_change_never_alters_a_clause_or_a_reading(book: str) -> None:
    """Else a test could fail only because another number is cited."""
    named = {at for at, _ in references(book)}
    for change, _ in derived(book):
        for edit in change.edits:
            assert edit.to is None or edit.at not in named or edit.at[1] == "house-ranks"
            assert not {"clause", "readings", "reading"} & set(edit.at)


def test_a_changed_book_differs_in_that_alone() -> None:
    change = BookChange("wu-song", (Edit(("pays", "main", 0, "odds"), "1:1"),))
    assert str(change) == "pays.main.0.odds: 1:2 → 1:1"
    changed = change.changed()
    assert changed.pays["main"][0].odds != load("wu-song").pays["main"][0].odds
    assert changed.pays["main"][1:] == load("wu-song").pays["main"][1:]
    assert changed.irregularities == load("wu-song").irregularities


def test_an_ace_that_counts_two_is_a_change_that_breaks_its_clause() -> None:
    """The books say one, and by that A and 7 make 8."""
    assert deal("A T 7 9").player_points == 8
    [breaks] = [names for change, names in stated("wu-song") if change.name == "an Ace counts 2"]
    assert "3.2.1" in breaks


def _asserts() -> None:
    assert deal("A T 7 9").player_points == 9


def _is_refused() -> None:
    settle(load("wu-song"), deal("A T 7 9"), [Wager("tiger", 100)])


def _breaks_down() -> None:
    load("wu-song").layouts["nowhere"]


@pytest.mark.parametrize(("function", "failed"), [(_asserts, True), (_is_refused, True), (_breaks_down, False)])
def test_what_breaks_down_has_not_failed(function: object, failed: bool) -> None:
    """A test that ends in an error of its own says nothing about a clause."""
    assert bool(Case("a test", function, {}, frozenset()).fails()) == failed


def test_every_stated_change_of_the_engine_can_still_be_made() -> None:
    """The line that it changes stands in the engine, once: else what it proves would be remembered, not shown."""
    for change, _ in stated(ids()[0]):
        text = Path(str(importlib.import_module(change.module).__file__)).read_text(encoding="utf-8")
        assert text.count(change.before) == 1, change.name
        assert change.before.count("\n") == change.after.count("\n"), change.name


def test_the_seal_is_on_the_change_and_on_the_test() -> None:
    change = BookChange("wu-song", (Edit(("pays", "main", 0, "odds"), "1:1"),))
    other = BookChange("wu-song", (Edit(("pays", "main", 0, "odds"), "2:1"),))
    assert len({digest(change, "a story"), digest(change, "another"), digest(other, "a story")}) == 3
