"""What can stand in a field of a command: a few values, a stepped range, or a set that is described, not written out.

Each kind of field can be gone through (`values`), drawn from (`pick`), counted (`count`) and asked whether it holds a
value (`holds`).
"""

from collections.abc import Iterator
from itertools import permutations, product
from math import comb, perm
from random import Random
from typing import Any

import msgspec

UNKNOWN = "?"
"""In the place of a face that only the shoe knows."""


class Choice(msgspec.Struct, frozen=True):
    """One of a few values."""

    options: tuple[Any, ...]

    def values(self) -> Iterator[Any]:
        """Every value, one after the other."""
        return iter(self.options)

    def pick(self, chance: Random) -> Any:
        """Any one value."""
        return chance.choice(self.options)

    def count(self) -> int:
        """How many values there are."""
        return len(self.options)

    def holds(self, value: object) -> bool:
        """Whether it is one of them."""
        return any(value == each and type(value) is type(each) for each in self.options)


class Range(msgspec.Struct, frozen=True):
    """A whole number from `least` to `most`, in steps.

    >>> amounts = Range(100, 1000, 50)
    >>> amounts.holds(250), amounts.holds(260), amounts.count()
    (True, False, 19)
    """

    least: int
    most: int
    step: int = 1

    def values(self) -> Iterator[int]:
        """Every number, from the least up."""
        return iter(range(self.least, self.most + 1, self.step))

    def pick(self, chance: Random) -> int:
        """Any one of the numbers."""
        return chance.randrange(self.least, self.most + 1, self.step)

    def count(self) -> int:
        """How many numbers there are."""
        return len(range(self.least, self.most + 1, self.step))

    def holds(self, value: object) -> bool:
        """Whether a number is on a step of the range."""
        return isinstance(value, int) and value in range(self.least, self.most + 1, self.step)


class Some(msgspec.Struct, frozen=True):
    """Different values in any order: all of `always`, and others, so that there are from `least` to `most`.

    >>> list(Some((1, 2), 1, 2).values())
    [(1,), (2,), (1, 2), (2, 1)]
    """

    among: tuple[Any, ...]
    least: int
    most: int
    always: tuple[Any, ...] = ()

    def values(self) -> Iterator[tuple[Any, ...]]:
        """Every selection in every order, the shortest first."""
        everything = (*self.always, *self.among)
        for size in range(self.least, self.most + 1):
            for each in permutations(everything, size):
                if set(self.always) <= set(each):
                    yield each

    def pick(self, chance: Random) -> tuple[Any, ...]:
        """Any selection, in any order."""
        size = chance.randint(self.least, self.most)
        chosen = [*self.always, *chance.sample(self.among, size - len(self.always))]
        chance.shuffle(chosen)
        return tuple(chosen)

    def count(self) -> int:
        """How many selections there are, each order counted."""
        others = len(self.among)
        total = 0
        for size in range(self.least, self.most + 1):
            free = size - len(self.always)
            total += perm(others, free) * perm(size, size) // perm(free, free) if free >= 0 else 0
        return total

    def holds(self, value: object) -> bool:
        """Whether it is such a selection."""
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        named = set(value)
        return len(named) == len(value) and set(self.always) <= named <= {*self.always, *self.among}


class Each(msgspec.Struct, frozen=True):
    """From `least` to `most` values one after the other, each of them any of `among`: faces, or steps of a ruling."""

    among: tuple[Any, ...]
    least: int
    most: int

    def values(self) -> Iterator[tuple[Any, ...]]:
        """Every row of values, the shortest first."""
        for size in range(self.least, self.most + 1):
            yield from product(self.among, repeat=size)

    def pick(self, chance: Random) -> tuple[Any, ...]:
        """Any row of values."""
        return tuple(chance.choice(self.among) for _ in range(chance.randint(self.least, self.most)))

    def count(self) -> int:
        """How many rows there are."""
        return sum(len(self.among) ** size for size in range(self.least, self.most + 1))

    def holds(self, value: object) -> bool:
        """Whether it is such a row."""
        fits = isinstance(value, tuple) and self.least <= len(value) <= self.most
        return fits and all(each in self.among for each in value)  # type: ignore[attr-defined] # a tuple, by then


class FaceRow(msgspec.Struct, frozen=True):
    """The faces of so many cards, none of them more often than the shoe still holds it.

    >>> FaceRow(("Kh", "9c"), (1, 2), 2).count()
    3
    """

    among: tuple[str, ...]
    left: tuple[int, ...]
    cards: int

    def values(self) -> Iterator[tuple[str, ...]]:
        """Every row of faces."""
        return (each for each in product(self.among, repeat=self.cards) if self.holds(each))

    def pick(self, chance: Random) -> tuple[str, ...]:
        """Any row of faces, as they might come out of the shoe."""
        return tuple(chance.sample(self.among, self.cards, counts=self.left))

    def count(self) -> int:
        """How many rows there are."""
        rows = [1] + [0] * self.cards
        for most in self.left:
            rows = [
                sum(rows[size - n] * comb(size, n) for n in range(min(most, size) + 1)) for size in range(len(rows))
            ]
        return rows[self.cards]

    def holds(self, value: object) -> bool:
        """Whether it is such a row."""
        if not isinstance(value, tuple) or len(value) != self.cards:
            return False
        left = dict(zip(self.among, self.left, strict=True))
        return all(value.count(each) <= left.get(each, 0) for each in value)


class FaceCount(msgspec.Struct, frozen=True):
    """How many there are of each: a count of cards by face, from none to `most`."""

    among: tuple[str, ...]
    most: int

    def values(self) -> Iterator[dict[str, int]]:
        """Every count."""
        for numbers in product(range(self.most + 1), repeat=len(self.among)):
            yield dict(zip(self.among, numbers, strict=True))

    def pick(self, chance: Random) -> dict[str, int]:
        """Any count."""
        return {each: chance.randint(0, self.most) for each in self.among}

    def count(self) -> int:
        """How many counts there are."""
        return int((self.most + 1) ** len(self.among))

    def holds(self, value: object) -> bool:
        """Whether it is such a count; what is not named is not there."""
        if not isinstance(value, dict) or not set(value) <= set(self.among):
            return False
        return all(isinstance(number, int) and 0 <= number <= self.most for number in value.values())


class Text(msgspec.Struct, frozen=True):
    """Any words: a reason, a note, the name of somebody new. `sample` stands for all of them.

    >>> Text("It happened.").holds("A glass fell."), Text("It happened.").holds(" ")
    (True, False)
    """

    sample: str
    needed: bool = True
    """It must not be left empty."""
    taken: frozenset[str] = frozenset()
    """Words that it cannot be."""

    def values(self) -> Iterator[str]:
        """The sample, which stands for any words."""
        return iter((self.sample,))

    def pick(self, _chance: Random) -> str:
        """The sample."""
        return self.sample

    def count(self) -> int:
        """One: the sample."""
        return 1

    def holds(self, value: object) -> bool:
        """Whether such words could stand here."""
        return isinstance(value, str) and value not in self.taken and (not self.needed or bool(value.strip()))


class Unseen(msgspec.Struct, frozen=True):
    """The faces of so many cards that only a virtual shoe knows: whoever has the shoe puts them in."""

    cards: int

    def values(self) -> Iterator[tuple[str, ...]]:
        """A question mark in the place of each face."""
        return iter(((UNKNOWN,) * self.cards,))

    def pick(self, _chance: Random) -> tuple[str, ...]:
        """A question mark in the place of each face."""
        return (UNKNOWN,) * self.cards

    def count(self) -> int:
        """One: nobody has a choice."""
        return 1

    def holds(self, value: object) -> bool:
        """Whether there are as many faces as cards."""
        return isinstance(value, tuple) and len(value) == self.cards


Field = Choice | Range | Some | Each | FaceRow | FaceCount | Text | Unseen
"""What can stand in a field of a command."""
