"""Makes the engine wrong in one place after the other, and looks whether a conformance kit notices.

python mutants/conformance.py [--mutants 200] [--seed 1] [--states 40] [--least 95] [book …]

The kits of the books are made first, by the engine as it is: of the five approved ones, and of those in books/, which
have rules that none of the five has. Each change is then made in the memory of a process of its
own; only the cases that call the changed function are asked there, up to the first wrong answer. Half of the changes
are made to the settlement of rounds, half to the table. Not drawn are those of equivalent.toml, which change
nothing, and of unseen.toml, which change only words, or what this engine keeps for itself.
"""

import argparse
import ast
import gc
import os
import random
import signal
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from operators import Mutant, mutants, mutated
from punto.conformance import Answers, KitCase, cases, check
from punto.conformance.stories import STATES
from punto.rulebook import Book, ids, load

from run import ROOT, change, equivalents, in_child

SETTLEMENT = (
    "settlement/settle.py",
    "settlement/limits.py",
    "settlement/cover.py",
    "settlement/chips.py",
    "settlement/lines.py",
)
"""Where a wrong engine pays wrongly."""

TABLE = ("table/handlers", "table/remedies", "table/apply", "table/decide.py", "table/felt.py", "table/authority.py")
"""Where a wrong engine leads a table wrongly."""

NO_RULE = ("table/handlers/words.py",)
"""Words that patrons shuffle into a virtual shoe: no book has a rule about them, and no story tells them."""

OWN = ROOT / "mutants/books"
"""Books with rules that no approved one has."""

ROOMS = ("settlement", "table")
_SECONDS = 3600
_SECONDS_OF_A_CASE = 10
_SECONDS_OF_A_MUTANT = 15
"""So long cases are asked of a mutant; one that none has noticed by then counts as one that none notices."""


class Target(NamedTuple):
    """A mutant of a file."""

    file: Path
    mutant: Mutant


def files(names: Iterable[str]) -> list[Path]:
    """The modules of some rooms."""
    found: list[Path] = []
    for name in names:
        path = ROOT / "src/punto" / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [path for path in found if path.relative_to(ROOT / "src/punto").as_posix() not in NO_RULE]


def drawn(paths: Sequence[Path], number: int, seed: int) -> list[Target]:
    """So many mutants of some files, by chance; none of those that change nothing.

    Each has a lot of its own, by what it changes: where one is left out the next takes its place, and the others stay.
    """
    excused = equivalents() | equivalents("unseen.toml")
    unasked = unasked_functions()
    found: list[tuple[bytes, Target]] = []
    for path in paths:
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        source = path.read_text(encoding="utf-8")
        names = functions(source)
        for each in mutants(source):
            known = not excused.isdisjoint(((module, each.text, each.what), (module, each.text, "")))
            known = known or (module, names[each.function]) in unasked
            if not known and not each.words:
                lot = blake2b(repr((seed, module, names[each.function], each.text, each.what)).encode(), digest_size=16)
                found.append((lot.digest(), Target(path, each)))
    found.sort(key=lambda pair: (pair[0], pair[1].mutant.number))
    return [target for _, target in found[:number]]


def unasked_functions() -> set[tuple[str, str]]:
    """The functions that no question of a kit can show anything of, by module and name."""
    text = (ROOT / "mutants/unseen.toml").read_text(encoding="utf-8")
    return {(each["module"], name) for each in tomllib.loads(text)["function"] for name in each["names"]}


def functions(source: str) -> dict[int, str]:
    """The names of the functions of a module, by the lines on which they begin."""
    found = (each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef))
    return {min(each.lineno, *(node.lineno for node in each.decorator_list), each.lineno): each.name for each in found}


class Reached:
    """Which cases come to which mutants: a change to a line that no case comes to can fail none."""

    def __init__(self, every: Sequence[KitCase], targets: Iterable[Target], own: Sequence[Book] = ()) -> None:
        self.by: dict[tuple[str, int], list[int]] = defaultdict(list)
        self.wanted: dict[str, set[int]] = defaultdict(set)
        for target in targets:
            self.wanted[str(target.file)].add(place(target))
        self._codes: dict[CodeType, bool] = {}
        answers = Answers(own)
        kept = [each for each in caches() if each.__module__.startswith(("punto.settlement", "punto.table"))]
        for at, case in enumerate(every):
            forget(kept)
            seen: set[tuple[str, int]] = set()
            sys.settrace(self._tracing(seen))
            try:
                answers.answer({"id": case.id, **case.ask})
            finally:
                sys.settrace(None)
            for key in seen:
                self.by[key].append(at)

    def _tracing(self, seen: set[tuple[str, int]]) -> Callable[[FrameType, str, object], Any]:

        def lines(frame: FrameType, event: str, _: object) -> Any:
            file = frame.f_code.co_filename
            if event == "line" and frame.f_lineno in self.wanted[file]:
                seen.add((file, frame.f_lineno))
            return lines

        def calls(frame: FrameType, _event: str, _: object) -> Any:
            code = frame.f_code
            if code.co_filename not in self.wanted:
                return None
            if code not in self._codes:
                self._codes[code] = not self.wanted[code.co_filename].isdisjoint(lines_of(code))
            if code.co_firstlineno in self.wanted[code.co_filename]:
                seen.add((code.co_filename, code.co_firstlineno))
            return lines if self._codes[code] else None

        return calls

    def places(self, target: Target) -> list[int]:
        """The cases that come to a mutant, near ones apart, so that different ones are asked early."""
        return spread(self.by.get((str(target.file), place(target)), []))


def place(target: Target) -> int:
    """The line whose run shows that a mutant is come to: its own, or where that has no code, that of its function."""
    known = _lines(target.file)
    return target.mutant.line if target.mutant.line in known else target.mutant.function


@cache
def _lines(file: Path) -> frozenset[int]:
    return frozenset(all_lines(compile(file.read_text(encoding="utf-8"), str(file), "exec")))


def lines_of(code: CodeType) -> Iterator[int]:
    """The lines of a function."""
    return (line for _, _, line in code.co_lines() if line is not None)


def all_lines(code: CodeType) -> Iterator[int]:
    """The lines of a module that have code, with those of its functions."""
    yield from lines_of(code)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from all_lines(each)


def notices(target: Target, every: Sequence[KitCase], places: Sequence[int], own: Sequence[Book] = ()) -> bool:
    """Whether a case fails under a mutant."""

    def work() -> int:
        tree = mutated(target.file.read_text(encoding="utf-8"), target.mutant.number)
        change(target.file, lambda: compile(tree, str(target.file), "exec", dont_inherit=True))
        forget(caches())
        signal.signal(signal.SIGVTALRM, _too_long)
        answers = Answers(own)
        until = time.process_time() + _SECONDS_OF_A_MUTANT
        in_time = takewhile(lambda _: time.process_time() < until, places)
        return int(any(_fails(answers, every[at]) for at in in_time))

    _, status = os.waitpid(in_child(work, _SECONDS), 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) > 1:
        raise RuntimeError(f"The trial itself broke down: {target}")
    return status != 0


def _too_long(*_: object) -> None:
    raise TimeoutError


def caches() -> list[Any]:
    """Every cache in use."""
    kept = type(lru_cache(len))
    return [each for each in gc.get_objects() if isinstance(each, kept)]


def forget(some: Iterable[Any]) -> None:
    """Empty caches: a wrong engine has worked nothing out rightly before."""
    for each in some:
        each.cache_clear()


def _fails(answers: Answers, case: KitCase) -> bool:
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS_OF_A_CASE)
    try:
        return check(case, answers.line).wrong is not None
    except Exception:  # a program that breaks down or does not end gives no answer
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def spread(places: Sequence[int]) -> list[int]:
    """Places in an order in which near ones come apart, so that different cases are asked early."""
    mixed = list(places)
    random.Random(0).shuffle(mixed)
    return mixed


def main() -> int:
    """Make the kits, then the mutants; print those that no case notices, and the share of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=STATES)
    parser.add_argument("--least", type=float, default=95.0, help="per cent that must fail")
    parser.add_argument("books", nargs="*", default=[*ids(), *map(str, sorted(OWN.glob("*.toml")))])
    asked = parser.parse_args()
    began = time.monotonic()
    books = [load(book) for book in asked.books]
    own = [book for book in books if book.id not in ids()]
    every = [case for book in books for case in cases(book, asked.states)]
    half = asked.mutants // 2
    targets = drawn(files(SETTLEMENT), half, asked.seed)
    targets += drawn(files(TABLE), asked.mutants - half, asked.seed)
    reached = Reached(every, targets, own)
    print(f"{len(every)} cases, {len(targets)} mutants, {time.monotonic() - began:.0f} s", flush=True)
    random.Random(asked.seed).shuffle(targets)  # so that what is told on the way is a fair sample
    fates: Counter[tuple[str, bool]] = Counter()
    for target in targets:
        kind = "table" if "/table/" in str(target.file) else "settlement"
        places = reached.places(target)
        noticed = bool(places) and notices(target, every, places, own)
        fates[kind, noticed] += 1
        if fates.total() % 20 == 0:
            print(f"{fates.total()} tried: {sum(fates[each, True] for each in ROOMS)} fail the kit", flush=True)
        if not noticed:
            mutant = target.mutant
            where = target.file.relative_to(ROOT)
            reached_not = "" if places else " (not reached)"
            print(f"survived{reached_not}: {where}:{mutant.line}: {mutant.what}: {mutant.text}", flush=True)
    failed = sum(number for (_, noticed), number in fates.items() if noticed)
    for kind in ROOMS:
        print(f"{kind}: {fates[kind, True]} of {fates[kind, True] + fates[kind, False]} fail the kit")
    share = 100 * failed / len(targets)
    print(f"{failed} of {len(targets)} wrong engines fail the kit: {share:.1f}%, {time.monotonic() - began:.0f} s")
    return int(share < asked.least)


if __name__ == "__main__":
    sys.exit(main())
