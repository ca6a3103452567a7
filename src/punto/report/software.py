"""What computed a certificate: name, version, and a digest of the package as it is installed."""

from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec


class Software(msgspec.Struct, frozen=True):
    """The program that made a certificate."""

    name: str
    version: str
    digest: str
    files: int


def software() -> Software:
    """This package as it lies on the disk: SHA-256 over the list that `sha256sum` prints of its files.

    The list has a line for each file, in the order of their paths; what Python or Numba has compiled is left out.
    The documentation has the command that computes the same with standard tools.

    >>> len(software().digest), software() == software()
    (64, True)
    """
    found = sorted(_walk(files("punto"), "punto"))
    digest = sha256()
    for path, content in found:
        digest.update(f"{sha256(content).hexdigest()}  {path}\n".encode())
    return Software("Punto", version("punto"), digest.hexdigest(), len(found))


def _walk(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found = []
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if not each.is_dir():
            found.append((name, each.read_bytes()))
        elif each.name != "__pycache__":
            found += _walk(each, name)
    return found
