"""Where the project is found, for the wheel and the source archive: `make dist URL=https://example.org/punto`.

Whoever publishes names the address; where nobody does, none is made up. A source archive keeps what it was built with.
"""

import os
import sys
from email.parser import HeaderParser
from pathlib import Path
from urllib.parse import urlsplit

from hatchling.metadata.plugin.interface import MetadataHookInterface

NAMED_BY = "PUNTO_PROJECT_URL"
PAGES = {
    "Homepage": "",
    "Documentation": "/blob/main/docs/index.md",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Security": "/blob/main/SECURITY.md",
}
"""What is named, and where it lies below the address of a repository."""


def addresses(home):
    """Every address of the project, by its name.

    >>> addresses("https://example.org/punto/")["Changelog"]
    'https://example.org/punto/blob/main/CHANGELOG.md'
    """
    found = urlsplit(home)
    if found.scheme not in ("http", "https") or not found.netloc:
        sys.exit(f"{home!r} is no address of a project: write it like https://example.org/punto.")
    return {name: home.rstrip("/") + page for name, page in PAGES.items()}


def kept(root):
    """What the source archive that this is was built with."""
    told = Path(root) / "PKG-INFO"
    head = HeaderParser().parsestr(told.read_text(encoding="utf-8") if told.exists() else "")
    return {name: address for name, _, address in (line.partition(", ") for line in head.get_all("Project-URL", []))}


class Addresses(MetadataHookInterface):
    """Puts the addresses into the metadata."""

    def update(self, metadata):
        """Name those that were given, or that the source archive has."""
        home = os.environ.get(NAMED_BY, "")
        metadata["urls"] = addresses(home) if home else kept(self.root)
