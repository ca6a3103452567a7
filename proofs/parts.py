"""Changes every part of every book, and looks whether `punto diff --prove` shows each by a story that runs.

python proofs/parts.py [--book BOOK]… [--each N]

The changes are those by which clauses are proven (derive.py). A part that differs in words alone needs no story. The
rest is told part by part, and the program fails where a part has no story. Long.
"""

import argparse
import sys
from collections.abc import Iterator

from punto.compare import Proof, prove
from punto.compare.aligning import aligned
from punto.compare.cited import is_words_alone
from punto.compare.forms import differing
from punto.compare.search import STATES
from punto.rulebook import BadBook, Book, Library, ids, load
from punto.scenario import play, read

from changes import BookChange, found_at, tree
from derive import derived

_SECTIONS = {"offer": "offers", "bet": "pays", "layout": "layouts", "policy": "policy"}


def changes_of(book: str, part: str, most: int = 1) -> list[BookChange]:
    """Changes after which a book differs in one part and in no other, at most so many."""
    found: list[BookChange] = []
    for change in _about(book, part):
        if len(found) == most:
            break
        try:
            changed = change.changed()
        except BadBook:
            continue
        if differing(load(book), aligned(load(book), changed)[0]) == [part]:
            found.append(change)
    return found


def _about(book: str, part: str) -> Iterator[BookChange]:
    """Changes at the place where a part stands in the file."""
    kind, _, name = part.partition(" ")
    for change, _ in derived(book):
        at = change.edits[0].at
        if kind == "irregularity" and at[0] == kind:
            if found_at(tree(book), at[:2])["fact"] == name:
                yield change
        elif at[0] == _SECTIONS.get(kind, kind) and (kind in ("bet", "decks", "effective") or at[1:2] == (name,)):
            yield change


def changes_by_part(book: str, most: int) -> dict[str, list[BookChange]]:
    """Changes of every part of a book that stands alone, at most so many of each."""
    found: dict[str, list[BookChange]] = {}
    for change, _ in derived(book):
        try:
            changed = change.changed()
        except BadBook:
            continue
        parts = differing(load(book), aligned(load(book), changed)[0])
        if len(parts) == 1 and len(found.setdefault(parts[0], [])) < most:
            found[parts[0]].append(change)
    return found


def faults(a: Book, b: Book, part: str, states: int = STATES) -> list[str]:
    """What is wrong about how two books are told apart that differ in one part; `states` are searched for a story."""
    proof = prove(a, b, states)
    if is_words_alone(a, b, part):
        return [] if proof.equal and proof.words == (part,) else [f"{part} is words alone, and counts"]
    return _story_faults(a, b, proof, part)


def _story_faults(a: Book, b: Book, proof: Proof, part: str) -> list[str]:
    """Whether the story is told by each book as it goes there, and not by the other."""
    [found] = proof.found
    if found.witness is None:
        return [f"{part} has no story, in {found.states} states"]
    ours, theirs = read(found.witness.scenario_a), read(found.witness.scenario_b)
    one, other = Library().with_book(a), Library().with_book(b)
    told = (play(ours, one).as_told, play(theirs, other).as_told)
    strange = (play(ours, other).as_told, play(theirs, one).as_told)
    return [] if all(told) and not any(strange) else [f"{part}: told {told}, by the other book {strange}"]


def main() -> int:
    """Change every part in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--book", action="append", default=[])
    parser.add_argument("--each", type=int, default=2, help="how many changes of each part")
    asked = parser.parse_args()
    wrong = 0
    for book in asked.book or ids():
        tried = 0
        for part, changes in changes_by_part(book, asked.each).items():
            for change in changes:
                tried += 1
                for fault in faults(load(book), change.changed(), part):
                    wrong += 1
                    print(f"{book}: {fault} ({change})", flush=True)
        print(f"{book}: {tried} changes", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
