"""A rulebook file while it is read: its faults, and what must have been meant by those that can be understood.

One mistake is one fault. Where it is plain what was meant (a misspelt key, a range with another dash), the fault is
noted, what was meant is put in its place, and the file is read again as if it had been written so: nothing follows from
the mistake, and what else is wrong is found. Of a place where that is not plain nothing is known: whoever checks what
depends on it asks `doubtful` first.
"""

import copy
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from punto.messages import Message, Sentence, say
from punto.rulebook.lines import Path, line_at, lines
from punto.rulebook.names import GivenNames

_LONGEST = 60


class Fault(msgspec.Struct, frozen=True):
    """What is wrong in a file, and where."""

    file: str
    line: int
    key: str
    says: str
    message: Message | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key}: {self.says}"


class BadBook(ValueError):
    """A rulebook file with faults. It lists them all; nothing of the file was loaded."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line, fault.key)))
        super().__init__("\n".join(map(str, self.faults)))


class Correction(msgspec.Struct, frozen=True):
    """What is put in the place of a mistake: another key, or another value."""

    path: Path
    key: str | None = None
    value: object = None


class BookFile:
    """One file being read."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.bets = GivenNames("bet", ("bets",), ("player", "banker"))
        self.groups = GivenNames("group of pay rows", ("pays",))
        self.offers = GivenNames("offer", ("offers",))
        self.ranks = GivenNames("rank", ("authority", "ranks"))
        self.names = (self.bets, self.groups, self.offers, self.ranks)
        self.inherited: frozenset[Path] = frozenset()
        """What comes from the base of the file."""
        self.kept = False
        """Some release has loaded it already: what later ones refuse, though it did nothing, is passed over."""
        self.removed: dict[Path, Path] = {}
        """What the base lost by the file, with where the file says so."""
        self._text = text
        self._lines: dict[Path, int] | None = None
        self._found: dict[Path, Fault] = {}
        """Faults by what they are about."""
        self._corrected: dict[Path, Fault] = {}
        """The same of mistakes that are put right, by the path in the file."""
        self._doubts: set[Path] = set()
        self._corrections: dict[Path, Correction] = {}
        self._written: dict[Path, Path] = {}
        """Where in the file stands what was put elsewhere."""

    @property
    def faults(self) -> list[Fault]:
        """Everything that is wrong."""
        return [*self._corrected.values(), *self._found.values()]

    def fault(self, path: Path, says: Sentence, shown: Path | None = None) -> None:
        """Note what is wrong at a key, once; `shown` is the key that is named, where it is another one."""
        self._found.setdefault(path, self._fault(path if shown is None else shown, says))

    def correct(self, path: Path, says: Sentence, *, key: str | None = None, value: object = None) -> bool:
        """Note what is wrong at a key, and what was meant: another key, or another value. False if it is not plain."""
        at = self.written(path)
        if at in self._corrected:
            self.fault(path, says)
            return False
        self._corrected[at] = self._fault(path, says)
        self._corrections[path] = Correction(path, key, value)
        return True

    def is_corrected_to(self, path: Path) -> bool:
        """Whether something is read as this key from the next reading on."""
        return any((*each.path[:-1], each.key) == path for each in self._corrections.values())

    def tell(self, path: Path, says: Sentence) -> None:
        """Note what is wrong at a key that is read once, before all else."""
        self._corrected.setdefault(path, self._fault(path, says))

    def put_right(self, path: Path) -> bool:
        """Whether something at a key or in it is read otherwise than it is written."""
        at = self.written(path)
        return any(each[: len(at)] == at for each in self._corrected)

    def doubt(self, path: Path) -> None:
        """That nothing is known of a key, for a reason that is a fault elsewhere."""
        self._doubts.add(path)

    def settle_names(self) -> None:
        """Note a fault for every name that is used and never given, once however often it is used."""
        for names in self.names:
            if not self.lost(names.home):
                for name in names.unknown():
                    if not self._is_choice(names, name):
                        self._settle(names, name)

    def _is_choice(self, names: GivenNames, name: str) -> bool:
        """Whether a name may be that of a choice with a bet of which it is not known what there is to choose."""
        return any(
            name.startswith(f"{given}-") and self.doubtful((*names.home, given, "choose")) for given in names.given
        )

    def _settle(self, names: GivenNames, name: str) -> None:
        unread = any((*names.home, each) in self.wrong() for each in names.given if each not in names.used)
        if unread and name not in names.demanded:
            return  # it may be what is wrong there
        says = names.not_given(name, self._own_line)
        given, right = names.misspelt(name, self._spelt), names.right(name)
        first, *others = names.used[name]
        if (*names.home, name) in self.removed and name in names.demanded:
            return  # it is told that the book has not got it
        if (*names.home, name) in self.removed:
            self.fault(first, self._still_named(names, name))
        elif given is not None:
            self.correct(names.given[given], names.otherwise(name), key=name, value=name)
        elif right is None:
            if name not in names.demanded:  # else it is told that the book has not got it
                self.fault(first, says)
        elif self.correct(first, says, value=right):
            for path in others:
                self._corrections[path] = Correction(path, value=right)

    def _still_named(self, names: GivenNames, name: str) -> Sentence:
        """That a file removes something from its base which is named in the file, or in what is left of the base."""
        line = self.line(self.removed[*names.home, name])
        left = [path for path in names.used[name] if self._is_inherited(self.written(path))]
        if not left:
            return say(
                "name-was-removed",
                "the file removes {name:quoted} from its base (line {line}), and it is still named here.",
                name=name,
                line=line,
            )
        return say(
            "name-left-in-base",
            "the file removes {name:quoted} from its base (line {line}), where it is still named under {left:and}: "
            "remove that, too, or write it anew.",
            name=name,
            line=line,
            left=list(dict.fromkeys(f'"{show_path(path[:2])}"' for path in left)),
        )

    def all_different(self, path: Path, several: Sequence[object]) -> None:
        """Note a fault for each table of a list that says what an earlier one says."""
        seen: dict[object, int] = {}
        for at, each in enumerate(several):
            first = seen.setdefault(_comparable(each), at)
            if first < at:
                line = self.line((*path, first))
                self.fault((*path, at), say("said-before", "says the same as line {line}: once is enough.", line=line))

    def doubtful(self, *paths: Path) -> bool:
        """Whether something is wrong at one of these keys, above it or in it, so that nothing is known of it."""
        return any(each[: len(path)] == path[: len(each)] for each in self.wrong() for path in paths)

    def lost(self, *paths: Path) -> bool:
        """Whether something is wrong at one of these keys or above it, so that it could not be read at all."""
        return any(path[: len(each)] == each for each in self.wrong() for path in paths)

    def wrong(self) -> set[Path]:
        """The keys of which nothing is known."""
        return self._doubts | self._found.keys()

    def corrected(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """What the file says with the corrections of this reading, to be read again; None where there are none."""
        if not self._corrections:
            return None
        data = copy.deepcopy(data)
        for each in sorted(self._corrections.values(), key=lambda each: len(each.path), reverse=True):
            self._put(data, each)
        self._corrections = {}
        self._found = {}
        self._doubts = set()
        for names in self.names:
            names.given.clear()
            names.used.clear()
        return data

    def written(self, path: Path) -> Path:
        """Where something stands in the file, which may be elsewhere than it is read."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._written:
                return self._written[path[:length]] + path[length:]
        return path

    def line(self, path: Path) -> int:
        """The line on which something stands."""
        if self._lines is None:
            self._lines = lines(self._text)
        return line_at(self._lines, self.written(path))

    def as_typed(self, path: Path) -> str | None:
        """The number that stands behind a key, as it is written: `4.10` is another clause than `4.1`."""
        line = self._text.splitlines()[self.line(path) - 1]
        found = re.findall(rf"(?<![\w-]){re.escape(str(path[-1]))}\s*=\s*([\w.+-]+)", line)
        return str(found[0]) if len(found) == 1 else None

    def _own_line(self, path: Path) -> int | None:
        """The same; None where it stands in the base."""
        return None if self._is_inherited(self.written(path)) else self.line(path)

    def _fault(self, path: Path, says: Sentence) -> Fault:
        shown, at = show_path(self.written(path)), path
        if self._is_inherited(self.written(path)):
            shown, at = f"{shown} (in the base)", ("base",)
        return Fault(self.file, self.line(at), shown, str(says), says.message)

    def _is_inherited(self, path: Path) -> bool:
        """Whether something comes from the base of the file, and nothing nearer to it is in the file itself."""
        if self._lines is None:
            self._lines = lines(self._text)
        while path and path not in self._lines and path not in self.inherited:
            path = path[:-1]
        return path in self.inherited and path not in self._lines

    def _spelt(self, name: str) -> int:
        """How often a name stands in the file."""
        return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self._text))

    def _put(self, data: dict[str, Any], correction: Correction) -> None:
        *above, last = correction.path
        table: Any = data
        for part in above:
            table = table[part]
        if correction.key is None or isinstance(table, list):
            table[last] = correction.value
            return
        here, there = correction.path, (*above, correction.key)
        moved = {path: at for path, at in self._written.items() if path[: len(here)] == here}
        if correction.key in table:
            merged = self._merged(table[correction.key], table.pop(last), there, self.written(here))
            table[correction.key] = merged
        else:
            items = [(correction.key if key == last else key, value) for key, value in table.items()]
            table.clear()
            table.update(items)
            self._written[there] = self.written(here)
        for path, at in moved.items():
            del self._written[path]
            self._written[there + path[len(here) :]] = at

    def _merged(self, kept: Any, added: Any, there: Path, here: Path) -> Any:
        """Two tables or two lists of tables as one, with where the parts of the second stand in the file."""
        if isinstance(kept, list):
            for at in range(len(added)):
                self._written[(*there, len(kept) + at)] = (*here, at)
            return kept + added
        for key, value in added.items():
            if key in kept and mergeable(kept[key], value):
                kept[key] = self._merged(kept[key], value, (*there, key), (*here, key))
            elif key not in kept:
                kept[key] = value
                self._written[(*there, key)] = (*here, key)
        return kept


def mergeable(one: object, other: object) -> bool:
    """Whether both are tables, or both are lists of tables."""
    return (isinstance(one, dict) and isinstance(other, dict)) or (is_tables(one) and is_tables(other))


def is_tables(value: object) -> bool:
    """Whether it is a list of tables, and not empty."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _comparable(value: object) -> object:
    """A value that equals another just where the file says the same."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(each)) for key, each in value.items())
    if isinstance(value, list):
        return tuple(map(_comparable, value))
    return type(value), value


def show_path(path: Path) -> str:
    """`pays.main[2].odds`: how a fault names a key."""
    shown = ""
    for part in path:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            name = brief(part)
            shown += ("." if shown else "") + (name if name.replace("-", "").isalnum() else f'"{name}"')
    return shown or "the file"


def brief(text: str) -> str:
    """A text that is not too long for a sentence."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def brief_value(value: object) -> str:
    """A value of the file, to be named in a sentence as the file has it.

    >>> brief_value([1, "a", True]), brief_value(16**5000)
    ("[1, 'a', true]", 'that number')
    """
    try:
        return brief(_written_out(value))
    except ValueError:  # a number of more digits than Python writes
        return "that number"


def _written_out(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_written_out, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_written_out(each)}" for key, each in value.items()) + " }"
    return repr(value) if isinstance(value, str) else str(value)
