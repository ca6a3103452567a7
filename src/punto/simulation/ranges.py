"""What was dealt of a run: ranges of shoe numbers, which can be joined, gone on with and kept in a file."""

from collections.abc import Sequence
from pathlib import Path

Range = tuple[int, int]


class BadTally(ValueError):
    """Counts that do not belong together, or a file that holds none. The message is a sentence."""


class OfShoes:
    """What all counts of shoes can do, whatever they count."""

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
        """As JSON, on one line."""
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


def united(one: Sequence[Range], other: Sequence[Range] = ()) -> tuple[Range, ...]:
    """Ranges of shoes, in order and joined where they touch; no shoe may be in two.

    >>> united([(0, 5)], [(9, 12), (5, 9)])
    ((0, 12),)
    >>> united([(0, 5)], [(4, 9)])
    Traceback (most recent call last):
    punto.simulation.ranges.BadTally: Shoe 4 would be counted twice.
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
    """Refuse to add up what is not of the same run: by name one's own, and the other's."""
    for what, one, other in parts:
        if one != other:
            raise BadTally(f"These counts are of different {what}: {one} and {other}.")
