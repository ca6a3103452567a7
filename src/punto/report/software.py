"""What computed a certificate: name, version, and a digest of the package's own source and books."""

from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

_SOURCE = (".py", ".toml", ".csv", ".typ", ".css")
"""Program, rulebooks, clause indexes, and how a certificate looks."""


class Software(msgspec.Struct, frozen=True):
    """The program that made a certificate."""

    name: str
    version: str
    digest: str
    files: int


def software() -> Software:
    """This package as it lies on the disk: SHA-256 over every file of its source, in the order of their paths.

    For each file its path inside the package, its length and its bytes are digested, so that nothing can be
    moved from one file to another unnoticed. What Python or Numba has compiled is left out.

    >>> len(software().digest), software() == software()
    (64, True)
    """
    found = sorted(_walk(files("punto"), "punto"))
    digest = sha256()
    for path, content in found:
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return Software("Punto", version("punto"), digest.hexdigest(), len(found))


def _walk(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found = []
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if each.is_dir() and each.name != "__pycache__":
            found += _walk(each, name)
        elif each.name.endswith(_SOURCE):
            found.append((name, each.read_bytes()))
    return found
