"""Proves by mutation that clauses are enforced: under a change that breaks a clause, a test that names it must fail.

make proofs, or PYTHONPATH=src:tests:mutants python proofs/prove.py [--book BOOK] [--check N]
[--suggest] [--every] [--places]

Collects the tests that name clauses, and for each clause of each book looks for a change (see derive.py) under which
one of them fails. A change is made in a process of its own, forked from here; no file is touched. What is found is
written to src/punto/rulebook/proofs.json. Kept proofs are tried again first; only where one no longer holds, another
is looked for. `--check N` tries every Nth kept proof and writes nothing. `--suggest` prints, for each clause without a
proof, which tests fail under its changes though they do not name it. `--every` makes every change of every clause, and
prints those that no test which names the clause notices: a part that is not shown, or a change that changes nothing.
`--places` does so place by place: where a clause stands at several of its book, for the cases of an irregularity for
example, each must be shown. Points that differ in words alone are left out there, for nothing is decided by them.

A story fails only by what happens in it: which clauses are cited is not looked at while proofs run. Where a point of a
book is left out, its clause is missing too, so only stories are asked then. A test has failed where what it asserts
does not hold, or where something is refused; an error of any other kind proves nothing. Where several tests fail, the
one is written down that tells most of the clause: one that goes through a whole table, else one that names fewest
others.
"""

import argparse
import inspect
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from punto.compare.cited import BESIDE, BY_BEING_THERE, HOUSE_ASKED, SILENCE, WORDS_ONLY
from punto.coup import BadCards
from punto.rulebook import BadBook, Refused, clauses, ids
from punto.rulebook.proofs import FILE, ClauseProof, Proofs, read_proofs, write_proofs
from punto.scenario import playing

from changes import BookChange, Change, Edit, EngineChange, digest
from conftest import claims
from derive import alterations, derived, references, stated

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "src/punto/rulebook" / FILE
NOT_DECIDED_BY = WORDS_ONLY | BY_BEING_THERE | HOUSE_ASKED | SILENCE.keys() | BESIDE.keys()
"""Points that are cited and decide nothing, or nothing that a change of the point would show."""
WHOLE = "tests/test_whole_tables.py"
"""Tests that go through every cell of a table."""
_SECONDS = 30
_OPTIONS = ("-q", "-q", "--collect-only", "-p", "no:cacheprovider", "--assert=plain")

Clause = tuple[str, str]
"""A book and a clause of it."""


class Case(NamedTuple):
    """A test that names clauses: a function and what it is called with."""

    name: str
    function: Any
    arguments: dict[str, Any]
    shows: frozenset[Clause]

    @property
    def is_story(self) -> bool:
        """Whether the test plays a scenario: of those, what they cite is not looked at."""
        return isinstance(self.arguments.get("path"), Path)

    def text(self) -> str:
        """What the test says: its story, or the source of its function and what it is called with."""
        if self.is_story:
            return str(self.arguments["path"].read_text(encoding="utf-8"))
        return f"{inspect.getsource(inspect.unwrap(self.function))}\n{self.arguments!r}"

    def fails(self) -> str:
        """Empty if the test passes or breaks down; else in a line how it failed."""
        try:
            self.function(**self.arguments)
        except (Refused, BadCards, pytest.fail.Exception) as error:
            return f"{type(error).__name__}: {error}".splitlines()[0]
        except AssertionError as error:
            last = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
            return "" if last.is_relative_to(ROOT / "src") else f"AssertionError: {error}".splitlines()[0]
        except Exception:
            return ""
        return ""


class _Collector:
    """A plugin of pytest that keeps the tests which name clauses."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            named = frozenset(claims(item))
            if named and isinstance(item, pytest.Function) and not item.get_closest_marker("lookup"):
                given = item.callspec.params if hasattr(item, "callspec") else {}
                self.cases.append(Case(item.nodeid, item.obj, dict(given), named))


def collect() -> list[Case]:
    """Every test that names clauses."""
    files = [str(path) for path in sorted((ROOT / "tests").glob("test_*.py")) if "mark.clause(" in path.read_text()]
    collector = _Collector()
    if pytest.main([*_OPTIONS, f"--rootdir={ROOT}", *files], plugins=[collector]):
        raise SystemExit("The tests cannot be collected.")
    return collector.cases


def failures(change: Change | None, cases: Sequence[Case]) -> dict[str, str]:
    """The tests that fail under a change, and how, as a process of its own finds them."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        code = os.EX_SOFTWARE
        try:
            os.close(reading)
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)
            resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
            signal.alarm(10 * _SECONDS)
            if change is not None:
                change.make()
            with os.fdopen(writing, "w") as out:
                for case in cases:
                    if why := case.fails():
                        out.write(json.dumps([case.name, why]) + "\n")
            code = os.EX_OK
        except BadBook:
            code = os.EX_DATAERR
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as told:
        lines = told.read().splitlines()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == os.EX_SOFTWARE:
        raise SystemExit(f"This change cannot be made: {change}")
    return dict(json.loads(line) for line in lines) if status == os.EX_OK else {}


Breaking = dict[str, tuple[Change, list[Clause]]]
"""Changes by their keys, each with the clauses that it breaks."""


def breaking(books: Sequence[str]) -> Breaking:
    """Every change there is: those of the engine, then whatever the books can say otherwise."""
    found: Breaking = {}
    for book in books:
        both: list[tuple[Change, set[str]]] = [*stated(book), *derived(book)]
        for change, names in both:
            found.setdefault(change.key(), (change, []))[1].extend((book, name) for name in sorted(names))
    return found


def kept_keys(kept: Proofs) -> dict[str, list[Clause]]:
    """The keys of the changes of the kept proofs, each with the clauses that it proves."""
    engine = {change.name: change.key() for change, _ in stated(ids()[0])}
    found: dict[str, list[Clause]] = {}
    for book, by_clause in kept.items():
        for clause, proof in by_clause.items():
            key = engine.get(proof.engine or "", "")
            if proof.engine is None:
                key = BookChange(book, tuple(Edit(tuple(each["at"]), each["to"]) for each in proof.edits)).key()
            found.setdefault(key, []).append((book, clause))
    return found


class Proving:
    """Looks for proofs, clause by clause."""

    def __init__(self, books: Sequence[str]) -> None:
        self.cases = collect()
        self.by_clause: dict[Clause, list[Case]] = defaultdict(list)
        for case in sorted(self.cases, key=_tells_most):
            for each in case.shows:
                self.by_clause[each].append(case)
        self.open = {
            (book, name) for book in books for name, clause in clauses(book).items() if clause.nature == "rule"
        }
        self.found: dict[Clause, ClauseProof] = {}
        self.tried = 0

    def attempt(self, change: Change, breaks: Sequence[Clause]) -> None:
        """Make a change, and note which of these clauses it proves."""
        wanted = [each for each in breaks if each in self.open]
        cases = {case.name: case for each in wanted for case in _asked(self.by_clause[each], change)}
        if not cases:
            return
        self.tried += 1
        failed = failures(change, list(cases.values()))
        for each in wanted:
            for case in self.by_clause[each]:
                if case.name in failed:
                    seal = digest(change, case.text())
                    self.found[each] = ClauseProof(str(change), case.name, seal, **change.record())
                    self.open.discard(each)
                    break

    def search(self, books: Sequence[str], kept: Proofs) -> None:
        """Try the changes of kept proofs, then the others."""
        known = breaking(books)
        for key, breaks in kept_keys(kept).items():
            if key in known:
                change, possible = known[key]
                self.attempt(change, [each for each in breaks if each in possible])
        for change, breaks in known.values():
            self.attempt(change, breaks)

    def suggest(self, books: Sequence[str]) -> None:
        """Print for each clause without a proof the stories that fail under a change of it but do not name it."""
        for change, breaks in breaking(books).values():
            for book, name in sorted(set(breaks) & self.open):
                own = [case for case in self.cases if (book, name) not in case.shows and f"[{book}/" in case.name]
                failed = [each.partition("/")[2] for each in failures(change, own)]
                if failed:
                    print(f"{book} {name}: {change}: {' '.join(failed)}", flush=True)

    def try_every(self, books: Sequence[str]) -> None:
        """Print every change of a clause under which all tests that name it pass."""
        made = unnoticed = 0
        for change, breaks in breaking(books).values():
            wanted = [each for each in dict.fromkeys(breaks) if self.by_clause[each]]
            if not wanted or not _is_possible(change):
                continue
            cases = {case.name: case for each in wanted for case in _asked(self.by_clause[each], change)}
            failed = failures(change, list(cases.values()))
            for each in wanted:
                made += 1
                if not any(case.name in failed for case in self.by_clause[each]):
                    unnoticed += 1
                    print(f"{' '.join(each)}: {change}", flush=True)
        print(f"{made - unnoticed} of {made} changes of clauses are noticed")

    def try_places(self, books: Sequence[str]) -> None:
        """Print every place of a book at which nothing can be changed so that a test notices that names its clause."""
        shown = left = 0
        for book in books:
            for at, clause in references(book):
                cases = self.by_clause[book, clause]
                if (book, clause) not in self.open or not cases or " ".join(map(str, at[:2])) in NOT_DECIDED_BY:
                    continue
                changes = [each for edits in alterations(book, at) if _is_possible(each := BookChange(book, edits))]
                if any(failures(each, _asked(cases, each)) for each in changes):
                    shown += 1
                elif changes:
                    left += 1
                    print(f"{book} {clause}: {'.'.join(map(str, at[:-1]))}", flush=True)
        print(f"{shown} of {shown + left} places are shown")

    def proofs(self) -> Proofs:
        """What was found, in the order of the books."""
        return {
            book: {name: self.found[book, name] for name in clauses(book) if (book, name) in self.found}
            for book in ids()
        }


def _asked(cases: Sequence[Case], change: Change) -> list[Case]:
    """The tests that a change is put to: where a point is left out, the stories alone."""
    return [case for case in cases if case.is_story or not change.leaves_out]


def _tells_most(case: Case) -> tuple[bool, int]:
    return not case.name.startswith(WHOLE), len(case.shows)


def _is_possible(change: Change) -> bool:
    """Whether a book can be like that."""
    try:
        return isinstance(change, EngineChange) or bool(change.changed())
    except BadBook:
        return False


def check(every: int) -> int:
    """Try every so many-th of the kept changes for real; the number of proofs that do not hold."""
    kept = read_proofs(KEPT.read_bytes())
    cases = {case.name: case for case in collect()}
    known, wrong = breaking(ids()), 0
    for number, (key, breaks) in enumerate(kept_keys(kept).items()):
        for book, name in breaks:
            proof = kept[book][name]
            case = cases.get(proof.test)
            if key not in known or (book, name) not in known[key][1]:
                wrong += _tell(book, name, "its change is not one any more")
            elif case is None or (book, name) not in case.shows:
                wrong += _tell(book, name, f"{proof.test} does not name it any more")
            elif proof.seal != digest(known[key][0], case.text()):
                wrong += _tell(book, name, f"its change or {proof.test} has been altered")
        tests = {kept[book][name].test for book, name in breaks}
        if number % every == 0 and key in known and not wrong:
            failed = failures(known[key][0], [cases[test] for test in tests])
            wrong += sum(
                _tell(*each, f"{test} passes") for each in breaks if (test := kept[each[0]][each[1]].test) not in failed
            )
    return wrong


def _tell(book: str, name: str, says: str) -> int:
    print(f"{book} {name}: {says}.")
    return 1


def main() -> int:
    """Prove what can be proven."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--book", choices=ids(), help="this book alone")
    parser.add_argument("--check", type=int, metavar="N", help="try every Nth kept proof")
    parser.add_argument("--suggest", action="store_true", help="print which tests could name what is not proven")
    parser.add_argument("--every", action="store_true", help="make every change, and print those that nothing notices")
    parser.add_argument("--places", action="store_true", help="print places of books that no test shows")
    asked = parser.parse_args()
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    setattr(playing, "_rests_on", lambda *_: True)  # noqa: B010
    if asked.check:
        return int(check(asked.check) > 0)
    began = time.monotonic()
    books = ids() if asked.book is None else (asked.book,)
    proving = Proving(books)
    if asked.every or asked.places:
        (proving.try_every if asked.every else proving.try_places)(books)
        return 0
    bad = failures(None, proving.cases)
    if bad:
        raise SystemExit(f"Tests fail before anything is changed: {bad}")
    kept = read_proofs(KEPT.read_bytes())
    proving.search(books, {book: kept.get(book, {}) for book in books})
    found = proving.proofs()
    KEPT.write_bytes(write_proofs({book: found[book] if book in books else kept.get(book, {}) for book in ids()}))
    for book, name in sorted(proving.open):
        print(f"{book} {name}: no change found under which a test fails ({clauses(book)[name].summary})")
    left = Counter(book for book, _ in proving.open)
    for book in books:
        print(f"{book}: {len(found[book])} proven, {left[book]} not")
    print(f"{proving.tried} changes in {time.monotonic() - began:.0f} s")
    if asked.suggest:
        proving.suggest(books)
    return 0


if __name__ == "__main__":
    sys.exit(main())
