"""Changes the program in one place after the other, and looks whether a test notices.

python mutants/run.py [--module punto.settlement] [--sample 100] [--seed 1] [--jobs 2] [--json FILE]

The tests of a room are collected once. Each change is then made in the memory of a process of its own, forked from
there; no file is touched. Only the tests that call the changed function run, the quickest first, up to the first that
fails. A change under which all of them pass has survived, unless equivalent.toml says why it changes nothing.
"""

import argparse
import gc
import json
import os
import random
import resource
import signal
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import NamedTuple

import hypothesis
import pytest

from operators import Mutant, mutants, mutated

ROOT = Path(__file__).resolve().parent.parent


class Room(NamedTuple):
    """A module or a package, and the files of tests that show what it does, beside its own examples."""

    name: str
    tests: str
    least: int = 0
    """The least score, in per cent."""
    sample: int = 0
    """How many mutants are tried if nothing else is said; 0 for all."""


ROOMS = (
    Room(
        "punto.settlement",
        "settlement settlement_edges chips limits insurance layouts drawing definitions explain rounds",
        least=90,
    ),
    Room("punto.table", "table table_edges scenarios view visible", sample=100),
    Room("punto.odds", "odds chances", sample=50),
)

_EXAMPLES = 25
"""How many examples a property is tried with."""
_CPU, _TIMES = 5, 2
"""Seconds of processor time that any mutant has, and how many times what its tests take without it on top."""
_MEMORY = 4 << 30
_OPTIONS = ("-x", "-q", "-s", "--assert=plain", "-p", "no:cacheprovider")


class Tried(NamedTuple):
    """What became of a mutant: killed, timeout, survived, untested or equivalent."""

    module: str
    file: str
    line: int
    what: str
    text: str
    fate: str


def change(file: Path, tree_of: Callable[[], CodeType]) -> None:
    """Give every function of a module the code that it has in another version of the module."""
    changed = {(code.co_qualname, code.co_firstlineno): code for code in _codes(tree_of())}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == str(file):
            with suppress(ValueError):  # one inside another is made anew when that is called
                each.__code__ = changed[each.__code__.co_qualname, each.__code__.co_firstlineno]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def in_child(work: Callable[[], int], seconds: float | None = None) -> int:
    """Do something silently in a process of its own, within seconds of processor time; the process's number."""
    child = os.fork()
    if child:
        return child
    code = os.EX_SOFTWARE
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        if seconds is not None:
            most = int(seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            signal.alarm(20 * most)  # one that waits for something uses no processor
        code = work()
    finally:
        os._exit(code)


def passes(session: pytest.Session, items: Sequence[pytest.Item]) -> bool:
    """Run tests up to the first that fails."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            return False
    return True


class Baseline:
    """Which tests call which functions, by file and first line; and the seconds that each test takes."""

    def __init__(self, session: pytest.Session, files: set[str]) -> None:
        self.called: dict[str, dict[int, list[str]]] = {}
        self.took: dict[str, float] = {}
        reading, writing = os.pipe()
        child = in_child(lambda: self._trace(session, files, writing))
        os.close(writing)
        with os.fdopen(reading) as written:
            text = written.read()
        if os.waitpid(child, 0)[1]:
            raise pytest.UsageError("The tests fail before anything is changed.")
        called, self.took = json.loads(text)
        self.called = {file: {int(at): names for at, names in by.items()} for file, by in called.items()}

    def _trace(self, session: pytest.Session, files: set[str], writing: int) -> int:
        called: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for item in session.items:

            def trace(frame: FrameType, _event: str, _: object, test: str = item.nodeid) -> None:
                if frame.f_code.co_filename in files:
                    called[frame.f_code.co_filename][frame.f_code.co_firstlineno].add(test)

            began = time.process_time()
            sys.settrace(trace)
            passed = passes(session, [item])
            sys.settrace(None)
            if not passed:
                return 1
            self.took[item.nodeid] = time.process_time() - began
        with os.fdopen(writing, "w") as out:
            json.dump(
                [{file: {at: sorted(tests) for at, tests in by.items()} for file, by in called.items()}, self.took], out
            )
        return 0

    def tests(self, file: Path, mutant: Mutant) -> list[str]:
        """The tests that can notice a mutant, the quickest first."""
        names = self.called.get(str(file), {}).get(mutant.function, [])
        return sorted(names, key=lambda name: self.took[name])


class Trial:
    """A plugin of pytest: instead of running the tests once, it runs them for one mutant after the other."""

    def __init__(self, todo: Sequence[tuple[Path, Mutant]], jobs: int) -> None:
        self.todo, self.jobs = todo, jobs
        self.fates = [""] * len(todo)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant."""
        known = Baseline(session, {str(file) for file, _ in self.todo})
        items = {item.nodeid: item for item in session.items}
        running: dict[int, int] = {}
        for at, (file, mutant) in enumerate(self.todo):
            tests = known.tests(file, mutant)
            if not tests:
                self._done(at, "untested")
                continue
            if len(running) == self.jobs:
                self._wait(running)
            work = self._try(session, [items[name] for name in tests], file, mutant)
            running[in_child(work, _CPU + _TIMES * sum(known.took[name] for name in tests))] = at
        while running:
            self._wait(running)
        return True

    def _try(self, session: pytest.Session, items: list[pytest.Item], file: Path, mutant: Mutant) -> Callable[[], int]:
        def work() -> int:
            tree = mutated(file.read_text(), mutant.number)
            change(file, lambda: compile(tree, str(file), "exec", dont_inherit=True))
            return 0 if passes(session, items) else 1

        return work

    def _wait(self, running: dict[int, int]) -> None:
        child, status = os.wait()
        if os.WIFSIGNALED(status):
            self._done(running.pop(child), "timeout")
        else:
            self._done(running.pop(child), "killed" if os.waitstatus_to_exitcode(status) else "survived")

    def _done(self, at: int, fate: str) -> None:
        self.fates[at] = fate
        file, mutant = self.todo[at]
        if fate in ("survived", "untested"):
            print(f"{fate}: {os.path.relpath(file)}:{mutant.line}: {mutant.what}: {mutant.text}", flush=True)


def modules(room: Room, asked: str) -> dict[str, Path]:
    """The modules of a room, by name; only those asked for, by the beginning of their names."""
    top = ROOT / "src" / room.name.replace(".", "/")
    files = sorted(top.rglob("*.py")) if top.is_dir() else [top.with_suffix(".py")]
    named = {".".join(file.relative_to(ROOT / "src").with_suffix("").parts): file for file in files}
    return {name: file for name, file in named.items() if f"{name}.".startswith(f"{asked}.")}


def equivalents(file: str = "equivalent.toml") -> set[tuple[str, str, str]]:
    """Mutants that change nothing a test could see: module, line of source and change; an empty one is every change."""
    given = tomllib.loads((ROOT / "mutants" / file).read_text())["mutant"]
    return {(each["module"], each["line"], each.get("change", "")) for each in given}


def run(room: Room, asked: argparse.Namespace) -> list[Tried]:
    """Try the mutants of a room, or a sample of them."""
    sources = modules(room, asked.module)
    found = [(name, file, each) for name, file in sources.items() for each in mutants(file.read_text())]
    excused = equivalents()
    for stale in sorted(excused - {(name, each.text, each.what) for name, _, each in found}):
        if stale[0] in sources:
            print(f"equivalent.toml: there is no such mutant any more: {stale}")
    sample = room.sample if asked.sample is None else asked.sample
    if 0 < sample < len(found):
        found = sorted(random.Random(asked.seed).sample(found, sample))
    todo = [(name, file, each) for name, file, each in found if (name, each.text, each.what) not in excused]
    trial = Trial([(file, each) for _, file, each in todo], asked.jobs)
    tests = [f"tests/test_{name}.py" for name in room.tests.split()]
    if pytest.main([*_OPTIONS, *tests, *map(str, sources.values())], plugins=[trial]):
        raise SystemExit(f"The tests of {room.name} do not run.")
    fates = dict(zip(todo, trial.fates, strict=True))
    return [
        Tried(name, os.path.relpath(file), each.line, each.what, each.text, fates.get((name, file, each), "equivalent"))
        for name, file, each in found
    ]


def score(tried: Sequence[Tried]) -> float:
    """Per cent killed, of those that are not equivalent."""
    counted = [each.fate in ("killed", "timeout") for each in tried if each.fate != "equivalent"]
    return 100 * sum(counted) / len(counted) if counted else 100.0


def show(tried: Sequence[Tried]) -> None:
    """Print a table: a row for each module and one for all of them."""
    print("| module | mutants | killed | survived | equivalent | score |\n|---|---|---|---|---|---|")
    names = list(dict.fromkeys(each.module for each in tried))
    for name, some in [*((name, [each for each in tried if each.module == name]) for name in names), ("all", tried)]:
        fates = [each.fate for each in some]
        killed, same = fates.count("killed") + fates.count("timeout"), fates.count("equivalent")
        print(f"| {name} | {len(some)} | {killed} | {len(some) - killed - same} | {same} | {score(some):.1f}% |")


def main() -> int:
    """Run it, one room after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", default="punto", help="a room, a module, or the beginning of its name")
    parser.add_argument("--sample", type=int, help="so many mutants of each room; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path, default=ROOT / ".mutants.json")
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "src"))
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NUMBA_DISABLE_JIT": "1"}  # only Python can be changed
    calm = list(hypothesis.HealthCheck)  # a busy machine kills nobody
    hypothesis.settings.register_profile(
        "mutants",
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=_EXAMPLES,
        suppress_health_check=calm,
    )
    hypothesis.settings.load_profile("mutants")
    everything, low = [], False
    for room in ROOMS:
        if modules(room, asked.module):
            began = time.monotonic()
            tried = run(room, asked)
            show(tried)
            print(f"{room.name}: {score(tried):.1f}% in {time.monotonic() - began:.0f} s", flush=True)
            low = low or score(tried) < room.least
            everything += tried
    asked.json.write_text(json.dumps([each._asdict() for each in everything], indent=1))
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
