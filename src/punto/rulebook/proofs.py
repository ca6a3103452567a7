"""Proofs: for each enforced clause a change of a book or of the engine that breaks it, and a test that then fails."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

FILE = "proofs.json"


class ClauseProof(msgspec.Struct, frozen=True, omit_defaults=True):
    """That a clause is enforced: what was changed, and which test that names the clause failed under it."""

    change: str
    """The change, for people to read."""
    test: str
    seal: str
    """A digest of the change and of the test's text: if either is altered, the proof must be made again."""
    engine: str | None = None
    """The name of a change of the engine; else the changed places of the book are in `edits`."""
    edits: tuple[dict[str, Any], ...] = ()


Proofs = dict[str, dict[str, ClauseProof]]


@cache
def proofs() -> Proofs:
    """For each book and clause its proof; written by `make proofs`.

    >>> proofs()["wu-song"]["4.1.9#wu-song"].change
    'pays.wu-song.0.odds: 36:1 → 0.95:1'
    """
    return read_proofs((files("punto.rulebook") / FILE).read_bytes())


def read_proofs(text: bytes) -> Proofs:
    """Proofs from JSON."""
    return msgspec.json.decode(text, type=Proofs)


def write_proofs(found: Proofs) -> bytes:
    """Proofs as JSON."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
