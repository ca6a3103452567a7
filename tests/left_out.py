"""Books with one thing left out: every section, point, list, row and key of a book, one at a time."""

import tomllib
from collections.abc import Iterator
from datetime import datetime

from punto.rulebook import source

Path = tuple[str | int, ...]


def left_out(book: str, depth: int | None = None) -> Iterator[tuple[Path, bytes]]:
    """Each variant of a shipped book: what was left out, and the text without it; `depth` limits how far in."""
    whole = tomllib.loads(source(book).decode())
    for path in _paths(whole):
        if depth is None or len(path) <= depth:
            yield path, written(_without(whole, path)).encode()


def without(book: str, path: str) -> bytes:
    """A shipped book without the part at a path, as `shown` writes it."""
    whole = tomllib.loads(source(book).decode())
    [found] = [each for each in _paths(whole) if shown(each) == path]
    return written(_without(whole, found)).encode()


def shown(path: Path) -> str:
    """A path for people."""
    return ".".join(map(str, path))


def _paths(thing: object, here: Path = ()) -> Iterator[Path]:
    parts = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, value in parts:
        yield (*here, key)
        yield from _paths(value, (*here, key))


def _without(thing: object, path: Path) -> object:
    """A copy of a tree without the part at a path."""
    key, *rest = path
    if isinstance(thing, dict):
        kept = {name: value for name, value in thing.items() if rest or name != key}
        return {**kept, key: _without(thing[key], tuple(rest))} if rest else kept
    assert isinstance(thing, list)
    assert isinstance(key, int)
    if not rest:
        return [value for at, value in enumerate(thing) if at != key]
    return [_without(value, tuple(rest)) if at == key else value for at, value in enumerate(thing)]


def written(tree: object) -> str:
    """A tree as TOML: each key of the top on a line of its own."""
    assert isinstance(tree, dict)
    return "\n".join(f"{_text(key)} = {_inline(value)}" for key, value in tree.items()) + "\n"


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    return _text(value) if isinstance(value, str) else str(value)


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
