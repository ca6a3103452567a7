"""JSON Patch (RFC 6902) and JSON Pointer (RFC 6901), applied as those texts say; and a screen that does so."""

import json
import re
from typing import Any


def places(path: str) -> list[str]:
    """The parts of a JSON Pointer."""
    assert path == "" or path.startswith("/"), path
    return [each.replace("~1", "/").replace("~0", "~") for each in path.split("/")[1:]]


def patched(document: Any, operations: list[dict[str, Any]]) -> Any:
    """A document after operations, each on what the one before it left; the document itself stays as it is."""
    for each in operations:
        document = _after(document, places(each["path"]), each)
    return document


def _after(document: Any, way: list[str], operation: dict[str, Any]) -> Any:
    place, *rest = way
    found = document.copy()
    at: Any = int(place) if isinstance(found, list) else place
    kind = operation["op"]
    if rest:
        found[at] = _after(found[at], rest, operation)
    elif kind == "remove":
        del found[at]
    elif kind == "add" and isinstance(found, list):
        assert 0 <= at <= len(found), f"{operation} is outside of {found}"
        found.insert(at, operation["value"])
    else:
        assert kind == "add" or isinstance(found, list) or at in found, f"{operation} is about nothing in {found}"
        found[at] = operation["value"]
    return found


class Watcher:
    """A screen: what it was sent whole, and every change since."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.desk: Any = None
        self.wholes = 0
        self._public: Any = None
        self._own: list[dict[str, Any]] = []
        self.own_places: set[str] = set()
        """Where what one sees oneself has ever differed from what everybody sees."""

    @property
    def snapshot(self) -> dict[str, Any]:
        """The table as this viewer sees it."""
        found: dict[str, Any] = patched(self._public, self._own)
        return found

    @property
    def sequence(self) -> int:
        """How far this screen is; 0 where it shows nothing yet."""
        return 0 if self._public is None else int(self._public["sequence"])

    def take(self, message: bytes | str) -> None:
        """A message."""
        said = json.loads(message)
        self.entries += said.get("entries", [])
        if "whole" in said:
            self.wholes += 1
            self._public, self._own, self.desk = said["whole"], said["own"], said.get("desk")
        elif "patch" in said:
            assert said["after"] == self.sequence, "something is missing between"
            self._public = patched(self._public, said["patch"])
            self._own = said.get("own", self._own)
            self.desk = patched(self.desk, said.get("desk", []))
        self.own_places |= {re.sub(r"/\d.*", "", "/".join(each["path"].split("/")[:4])) for each in self._own}
