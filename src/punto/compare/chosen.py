"""Stories that were chosen for conformance kits, told at the tables of two books until they part.

They were chosen by the ways that they take through the engine, so they come to what a search from the beginning of
small tables does not reach in time: what follows from answers, and what happens late in a round or a shoe.
"""

from collections.abc import Iterable

import msgspec

from punto.compare.lockstep import Pair, Tables, give
from punto.explore.told import told_for
from punto.rulebook import Book
from punto.table import commands as c

Told = tuple[c.Command, ...]


def chosen_story(a: Book, pair: Pair, part: str) -> Told | None:
    """A chosen story of the first book up to the command at which two books part; those about the part come first."""
    every = list(told_for(a))
    about = [story for story in every if _is_about(story, part)]
    found = parted(pair, about)
    if found is None and len(about) < len(every):
        found = parted(pair, every)
    return found


def parted(pair: Pair, stories: Iterable[Told]) -> Told | None:
    """The first of some stories at which two books part. What several begin with is played once."""
    before: list[bytes] = []
    reached = [Tables()]
    for signs, story in sorted(((_signs(story), story) for story in stories), key=lambda each: each[0]):
        common = next((at for at, pair_ in enumerate(zip(before, signs, strict=False)) if pair_[0] != pair_[1]), None)
        del reached[1 + (min(len(before), len(signs)) if common is None else common) :]
        for number in range(len(reached) - 1, len(story)):
            both = give(pair, reached[-1], story[number])
            if not both.alike:
                return story[: number + 1]
            reached.append(both.tables)
        before = signs
    return None


def _signs(story: Told) -> list[bytes]:
    return [msgspec.json.encode(command) for command in story]


def _is_about(story: Told, part: str) -> bool:
    """Whether a story reports the fact that a part is about; of other parts nothing is known."""
    kind, _, name = part.partition(" ")
    return kind == "irregularity" and any(isinstance(each, c.Report) and each.fact == name for each in story)
