"""Makes the engine wrong in one place after the other, and looks whether a conformance kit notices.

python mutants/conformance.py [--mutants 200] [--seed 1] [--states 400] [--least 95] [book …]

The kits of the books are made first, by the engine as it is. Each change is then made in the memory of a process of its
own; only the cases that call the changed function are asked there, up to the first wrong answer. Half of the changes
are made to the settlement of rounds, half to the table. Not drawn are those of equivalent.toml, which change
nothing, and of unseen.toml, which change only words, or what this engine keeps for itself.
"""

import argparse
import gc
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from operators import Mutant, mutants, mutated
from punto.conformance import Answers, KitCase, cases, check
from punto.rulebook import ids, load

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

ROOMS = ("settlement", "table")
_SECONDS = 60


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
    """So many mutants of some files, by chance; none of those that change nothing."""
    excused = equivalents() | equivalents("unseen.toml")
    found = []
    for path in paths:
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        every = mutants(path.read_text(encoding="utf-8"))
        found += [Target(path, each) for each in every if (module, each.text, each.what) not in excused]
    return random.Random(seed).sample(found, min(number, len(found)))


class Calls:
    """Which stories call which functions, by file and first line; a round takes no longer than to look that up."""

    def __init__(self, every: Sequence[KitCase], watched: set[str]) -> None:
        self.by: dict[tuple[str, int], list[int]] = defaultdict(list)
        answers = Answers()
        for at, case in enumerate(every):
            if "round" in case.ask:
                continue
            seen: set[tuple[str, int]] = set()

            def note(frame: FrameType, event: str, _: object, seen: set[tuple[str, int]] = seen) -> None:
                if event == "call" and frame.f_code.co_filename in watched:
                    seen.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

            sys.setprofile(note)
            answers.answer({"id": case.id, **case.ask})
            sys.setprofile(None)
            for key in seen:
                self.by[key].append(at)


def notices(target: Target, every: Sequence[KitCase], places: Sequence[int]) -> bool:
    """Whether a case fails under a mutant."""

    def work() -> int:
        tree = mutated(target.file.read_text(encoding="utf-8"), target.mutant.number)
        change(target.file, lambda: compile(tree, str(target.file), "exec", dont_inherit=True))
        forget()
        answers = Answers()
        return int(any(_fails(answers, every[at]) for at in places))

    _, status = os.waitpid(in_child(work, _SECONDS), 0)
    return status != 0


def forget() -> None:
    """Empty every cache: a wrong engine has worked nothing out rightly before."""
    kept = type(lru_cache(len))
    for each in gc.get_objects():
        if isinstance(each, kept):
            each.cache_clear()


def _fails(answers: Answers, case: KitCase) -> bool:
    try:
        return check(case, answers.line).wrong is not None
    except Exception:  # a program that breaks down gives no answer
        return True


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
    parser.add_argument("--states", type=int, default=400)
    parser.add_argument("--least", type=float, default=95.0, help="per cent that must fail")
    parser.add_argument("books", nargs="*", default=[*ids()])
    asked = parser.parse_args()
    began = time.monotonic()
    every = [case for book in asked.books for case in cases(load(book), asked.states)]
    half = asked.mutants // 2
    targets = drawn(files(SETTLEMENT), half, asked.seed)
    targets += drawn(files(TABLE), asked.mutants - half, asked.seed)
    rounds = [at for at, case in enumerate(every) if "round" in case.ask]
    calls = Calls(every, {str(each.file) for each in targets})
    print(f"{len(every)} cases, {len(targets)} mutants, {time.monotonic() - began:.0f} s", flush=True)
    random.Random(asked.seed).shuffle(targets)  # so that what is told on the way is a fair sample
    fates: Counter[tuple[str, bool]] = Counter()
    for target in targets:
        kind = "table" if "/table/" in str(target.file) else "settlement"
        places = spread(calls.by.get((str(target.file), target.mutant.function), []))
        if kind == "settlement":
            places = [*spread(rounds), *places]
        noticed = bool(places) and notices(target, every, places)
        fates[kind, noticed] += 1
        if fates.total() % 20 == 0:
            print(f"{fates.total()} tried: {sum(fates[each, True] for each in ROOMS)} fail the kit", flush=True)
        if not noticed:
            mutant = target.mutant
            where = target.file.relative_to(ROOT)
            called = "" if places else " (not called)"
            print(f"survived{called}: {where}:{mutant.line}: {mutant.what}: {mutant.text}", flush=True)
    failed = sum(number for (_, noticed), number in fates.items() if noticed)
    for kind in ROOMS:
        print(f"{kind}: {fates[kind, True]} of {fates[kind, True] + fates[kind, False]} fail the kit")
    share = 100 * failed / len(targets)
    print(f"{failed} of {len(targets)} wrong engines fail the kit: {share:.1f} %, {time.monotonic() - began:.0f} s")
    return int(share < asked.least)


if __name__ == "__main__":
    sys.exit(main())
