"""Changes that break a clause: of a shipped book's data, or of a line of the engine.

They are made in the memory of a process; no file is touched.
"""

import gc
import hashlib
import importlib
import json
import tomllib
from copy import deepcopy
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from punto.rulebook import Book, ids, load, loader, parse, source, vocabulary

from left_out import written
from run import change as change_code

Place = tuple[str | int, ...]
"""Where something stands in the tree of a book's file."""


class Edit(NamedTuple):
    """One place of a book's file, and what stands there instead; None where it is left out."""

    at: Place
    to: Any


class BookChange(NamedTuple):
    """A shipped book with one thing altered."""

    book: str
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        whole = tree(self.book)
        return "; ".join(_told(whole, each) for each in self.edits)

    def record(self) -> dict[str, Any]:
        """The change as JSON."""
        return {"edits": [{"at": list(each.at), "to": _plain(each.to)} for each in self.edits]}

    def key(self) -> str:
        """What makes this change what it is: the places, what stood there, and what stands there instead."""
        whole = tree(self.book)
        return json.dumps(
            [self.book, [[each.at, _plain(found_at(whole, each.at)), _plain(each.to)] for each in self.edits]]
        )

    @property
    def leaves_out(self) -> bool:
        """Whether a point is only left out: then its clause may be missing where a test looks for it."""
        return any(each.to is None and each.at[0] in vocabulary.POINTS and len(each.at) == 2 for each in self.edits)

    def changed(self) -> Book:
        """The changed book; `BadBook` where no book can be like that."""
        whole = deepcopy(tree(self.book))
        for each in self.edits:
            _edit(whole, each)
        return parse(written(whole).encode(), f"{self.book}.toml")

    def make(self) -> None:
        """From now on, in this process, the book is the changed one."""
        changed = self.changed()
        shipped = loader._shipped
        setattr(loader, "_shipped", lambda name: changed if name == self.book else shipped(name))  # noqa: B010


class EngineChange(NamedTuple):
    """A line of the engine, and what stands there instead."""

    name: str
    module: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}: {self.before} → {self.after}"

    def record(self) -> dict[str, Any]:
        """The change as JSON: its name in `changes.toml`."""
        return {"engine": self.name}

    def key(self) -> str:
        """What makes this change what it is."""
        return json.dumps([self.module, self.before, self.after])

    @property
    def leaves_out(self) -> bool:
        """Whether a point is only left out: never."""
        return False

    def make(self) -> None:
        """From now on, in this process, the line reads otherwise."""
        for book in ids():
            load(book)
        module = importlib.import_module(self.module)
        file = Path(str(module.__file__))
        text = file.read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            raise ValueError(f"{self.name}: {self.module} has {text.count(self.before)} times: {self.before}")
        if self.before.count("\n") != self.after.count("\n"):
            raise ValueError(f"{self.name}: a change keeps the number of lines.")
        changed = compile(text.replace(self.before, self.after), str(file), "exec", dont_inherit=True)
        change_code(file, lambda: changed)
        forget()


Change = BookChange | EngineChange


def forget() -> None:
    """Empty every cache of the program but that of the books, so that nothing is remembered from before a change.

    The books stay as they were loaded: the loader holds some of them against the very lines that are changed here, and
    would refuse them.
    """
    for each in gc.get_objects():
        cached = type(each).__name__ == "_lru_cache_wrapper" and each.__module__.startswith("punto.")
        if cached and each is not loader._shipped:
            each.cache_clear()


@cache
def tree(book: str) -> dict[str, Any]:
    """The tree of a shipped book's file."""
    return tomllib.loads(source(book).decode())


def found_at(whole: Any, at: Place) -> Any:
    """What stands at a place of a tree; None if nothing does."""
    for key in at:
        if isinstance(whole, dict) and key not in whole:
            return None
        whole = whole[key]
    return whole


def _edit(whole: Any, edit: Edit) -> None:
    *place, last = edit.at
    parent = found_at(whole, tuple(place))
    if edit.to is None:
        del parent[last]
    else:
        parent[last] = edit.to


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _told(whole: Any, edit: Edit) -> str:
    before, after = _plain(found_at(whole, edit.at)), _plain(edit.to)
    place = ".".join(map(str, edit.at))
    if edit.to is None:
        return f"{place} left out"
    return f"{place}: {_short(before)} → {_short(after)}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"


def digest(change: Change, test: str) -> str:
    """A short seal on a change and the text of the test that fails under it."""
    return hashlib.sha256(f"{change.key()}\n{test}".encode()).hexdigest()[:16]
