"""What a check finds, and what it looks at."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from punto.journal import Journal, MasterKey
from punto.service.settings import Settings

Severity = Literal["wrong", "remarkable", "well"]


class Diagnosis(msgspec.Struct, frozen=True):
    """What was found: what is so, and how to mend it where that is asked for."""

    severity: Severity
    says: str
    mend: str = ""


def wrong(says: str, mend: str) -> Diagnosis:
    """Something that must be mended."""
    return Diagnosis("wrong", says, mend)


def remarkable(says: str, mend: str) -> Diagnosis:
    """Something that may be meant, and should be known."""
    return Diagnosis("remarkable", says, mend)


def well(says: str) -> Diagnosis:
    """Something that is as it should be."""
    return Diagnosis("well", says)


class Clocks(msgspec.Struct, frozen=True):
    """The wall clock and the steady one, and what they showed when the examination began."""

    wall: Callable[[], float]
    steady: Callable[[], float]
    began: tuple[float, float]

    @classmethod
    def started(cls, wall: Callable[[], float], steady: Callable[[], float]) -> "Clocks":
        """Clocks that are read now for the first time."""
        return cls(wall, steady, (wall(), steady()))

    @property
    def now(self) -> datetime:
        """What the wall clock shows."""
        return datetime.fromtimestamp(self.wall(), UTC)


class Patient(msgspec.Struct, frozen=True):
    """A house as the checks see it.

    `store` is None where it cannot be read or is not there yet; `trouble` then says why it cannot. `journal` is the
    same store, and None as well where there is no journal in it yet. `master` is None where there is no master key or
    it cannot be used, which `master_trouble` says.
    """

    settings: Settings
    config: Path | None
    environment: Mapping[str, str]
    clocks: Clocks
    database: Path | None
    store: Journal | None = None
    journal: Journal | None = None
    trouble: str | None = None
    master: MasterKey | None = None
    master_trouble: str | None = None


class Check(msgspec.Struct, frozen=True):
    """A check: its name, what it asks, and how the answer is found."""

    name: str
    asks: str
    run: Callable[[Patient], Iterable[Diagnosis]]
