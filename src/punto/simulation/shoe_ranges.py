"""Ranges of shoe numbers: which shoes a run deals, and which of them were dealt."""

from collections.abc import Sequence
from pathlib import Path

from punto.simulation.dealing import BadDealing

Range = tuple[int, int]

MOST_SHOES = 10**13
SEEDS = 1 << 64


class BadTally(ValueError):
    """Counts that do not belong together, or a file that holds none. The message is a sentence."""


class OfShoes:
    """What all counts over shoes have in common, whatever they count."""

    __slots__ = ()

    shoes: tuple[Range, ...]

    @property
    def dealt(self) -> int:
        """How many shoes were dealt."""
        return sum(last - first for first, last in self.shoes)

    def missing(self, first: int, last: int) -> list[Range]:
        """The ranges of shoes from first to last that were not dealt yet."""
        gaps, at = [], first
        for start, end in self.shoes:
            if at < min(start, last):
                gaps.append((at, min(start, last)))
            at = max(at, end)
        return [*gaps, (at, last)] if at < last else gaps

    def encode(self) -> bytes:
        """As JSON, on one line. Each kind of count has its own form, and says it."""
        raise NotImplementedError

    def save(self, file: Path | str) -> None:
        """Write it to a file, all or nothing."""
        path = Path(file)
        fresh = path.with_name(path.name + ".part")
        fresh.write_bytes(self.encode() + b"\n")
        fresh.replace(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.encode() == other.encode()

    def __hash__(self) -> int:
        return hash(self.encode())


def check_shoes(seed: int, first: int, shoes: int, block: int, most_in_a_block: int) -> None:
    """Refuse a run of shoes that cannot be dealt.

    >>> check_shoes(1, 0, 0, 32, 1024)
    Traceback (most recent call last):
    punto.simulation.dealing.BadDealing: 0 shoes make no run: 1 to 10000000000000 do.
    """
    if not 0 <= seed < SEEDS:
        raise BadDealing(f"{seed} is no seed: 0 to {SEEDS - 1} are.")
    if not 1 <= shoes <= MOST_SHOES:
        raise BadDealing(f"{shoes} shoes make no run: 1 to {MOST_SHOES} do.")
    if not 0 <= first <= MOST_SHOES or not 1 <= block <= most_in_a_block:
        raise BadDealing(
            f"Shoe numbers begin at 0 to {MOST_SHOES}, and a block has 1 to {most_in_a_block} shoes; "
            f"here are {first} and {block}."
        )


def united(one: Sequence[Range], other: Sequence[Range] = ()) -> tuple[Range, ...]:
    """Ranges of shoes, in order and joined where they touch; no shoe may be in two.

    >>> united([(0, 5)], [(9, 12), (5, 9)])
    ((0, 12),)
    >>> united([(0, 5)], [(4, 9)])
    Traceback (most recent call last):
    punto.simulation.shoe_ranges.BadTally: Shoe 4 would be counted twice.
    """
    joined: list[Range] = []
    for first, last in sorted((*one, *other)):
        if joined and first < joined[-1][1]:
            raise BadTally(f"Shoe {first} would be counted twice.")
        if joined and first == joined[-1][1]:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


def same(*parts: tuple[str, object, object]) -> None:
    """Refuse to add up counts of different runs: each part is a name, one's own value, and the other's."""
    for what, one, other in parts:
        if one != other:
            raise BadTally(f"These counts are of different {what}: {one} and {other}.")
