"""A TOML document read key by key: every fault is noted with its line, and reading goes on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

import msgspec

from punto.messages import Message, Sentence, say
from punto.rulebook.lines import Path, lines
from punto.rulebook.model import Basis, Names, Odds

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


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


class BookFile:
    """One file being read."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.faults: list[Fault] = []
        self._lines: dict[Path, int] | None = None

    def fault(self, path: Path, says: Sentence) -> None:
        """Note what is wrong at a key; its line is that of the nearest key above it."""
        if self._lines is None:
            try:
                self._lines = lines(self.text)
            except RecursionError:
                self._lines = {}
        at = path
        while at and at not in self._lines:
            at = at[:-1]
        self.faults.append(Fault(self.file, self._lines.get(at, 1), show_path(path), str(says), says.message))


def show_path(path: Path) -> str:
    """`pays.main[2].odds`: how a fault names a key."""
    shown = ""
    for part in path:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            shown += ("." if shown else "") + (part if part.replace("-", "").isalnum() else f'"{part}"')
    return shown or "the file"


def none_of(value: str, allowed: Sequence[str]) -> Sentence:
    """That a word is none of those that may stand here."""
    if len(allowed) == 1:
        return say(
            "only-one-possible", "{value:quoted}: only {word:quoted} is possible here.", value=value, word=allowed[0]
        )
    return say("none-of-words", "{value:quoted} is none of {words:or}.", value=value, words=words_or_nothing(allowed))


def _not_among(value: object, allowed: Iterable[object]) -> Sentence:
    words = words_or_nothing(allowed)
    return say("not-among", "{value} is not among {words:or}.", value=repr(value), words=words)


def words_or_nothing(words: Iterable[object]) -> list[str]:
    """Words to be listed in a sentence, with a word where there are none."""
    return list(map(str, words)) or ["nothing"]


class TomlTable:
    """A table of a TOML document. Reading a key marks it as known; `done` notes a fault for all others."""

    def __init__(self, document: BookFile, path: Path, data: Mapping[str, object]) -> None:
        self.document, self.path, self.data = document, path, data
        self.taken: set[str] = set()

    def fault(self, key: str | None, says: Sentence) -> None:
        """Note a fault at a key of this table."""
        self.document.fault(self.path if key is None else (*self.path, key), says)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def take(self, key: str, *, required: bool = True) -> object:
        """The raw value of a key; where it is missing None, and a fault if it is required."""
        self.taken.add(key)
        if key not in self.data and required:
            self.fault(None, say("key-missing", "{key} is missing.", key=key))
        return self.data.get(key)

    def done(self) -> None:
        """Note a fault for every key that was never read."""
        for key in self.data:
            if key not in self.taken:
                self.fault(key, say("not-a-word-of-format", "is not a word of the format here."))

    def text(self, key: str, *, required: bool = True) -> str:
        """Some words; empty where they are missing."""
        value = self.take(key, required=required)
        if value is None:
            return ""
        if not isinstance(value, str) or not value.strip():
            self.fault(key, say("must-be-text", "must be text."))
            return ""
        return value

    def maybe(self, key: str) -> str | None:
        """Some words, or None."""
        return self.text(key, required=False) or None

    def word(self, key: str, allowed: Sequence[str], *, required: bool = True) -> str:
        """One of the allowed words."""
        value = self.text(key, required=required)
        if value and value not in allowed:
            self.fault(key, none_of(value, allowed))
        return value

    def whole(self, key: str, *, least: int = 0, required: bool = True) -> int | None:
        """A whole number."""
        value = self.take(key, required=required)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            self.fault(
                key, say("must-be-whole-of-at-least", "must be a whole number of at least {least}.", least=least)
            )
            return None
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.take(key, required=False)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fault(key, say("must-be-true-or-false", "must be true or false."))
            return default
        return value

    def moment(self, key: str) -> datetime:
        """A date and time with its zone."""
        value = self.take(key)
        if isinstance(value, datetime) and value.tzinfo is not None:
            return value
        if value is not None:
            self.fault(
                key,
                say("must-be-time-with-zone", "must be a date and time with its zone, like 2024-12-06T08:00:00+08:00."),
            )
        return datetime.min

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """Some words or a list of them."""
        value = self.take(key, required=required)
        if value is None:
            return ()
        several = value if isinstance(value, list) else [value]
        if not several or not all(isinstance(each, str) and each for each in several):
            self.fault(key, say("must-be-text-or-texts", "must be text or a list of texts."))
            return ()
        return tuple(several)

    def translations(self, key: str) -> Names:
        """A text in other languages, by their tags: `{ zh-Hant = "龍七" }`."""
        section = self.child(key)
        found = tuple((tag, section.text(tag)) for tag in section.data)
        seen: set[str] = set()
        for tag in section.data:
            if not _LANGUAGE.fullmatch(tag):
                section.fault(tag, say("not-a-language", "is not the tag of a language, like zh-Hant, vi or pt-BR."))
            elif tag.casefold() in seen:
                section.fault(tag, say("language-twice", "stands here twice: capitals make no other language."))
            seen.add(tag.casefold())
        return found

    def odds(self, key: str) -> Odds:
        """Odds like 8:1."""
        text = self.text(key)
        try:
            return Odds.of(text) if text else Odds("1:1", 1, 1)
        except ValueError as error:
            self.fault(key, say("not-odds", "{fault}", fault=str(error)))
            return Odds("1:1", 1, 1)

    def share(self, key: str) -> Fraction:
        """A share like 1/4."""
        text = self.text(key)
        try:
            share = Fraction(text or "1")
        except (ValueError, ZeroDivisionError):
            share = Fraction(0)
        if not 0 < share <= 1:
            self.fault(key, say("not-a-share", "{text:quoted} is not a share: write it like 1/4.", text=text))
            return Fraction(1)
        return share

    def among(self, key: str, allowed: Sequence[int] | Sequence[str], *, required: bool = True) -> frozenset[int | str]:
        """A set of the allowed words or numbers: one, a list, or a range like `0-5,7-9`."""
        value = self.take(key, required=required)
        if value is None:
            return frozenset()
        found: set[object] = set()
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, bool | int | str):
                self.fault(
                    key,
                    say(
                        "not-among",
                        "{value} is not among {words:or}.",
                        value=repr(value),
                        words=words_or_nothing(allowed),
                    ),
                )
                return frozenset()
            if isinstance(each, bool):
                found.add("true" if each else "false")
            elif isinstance(each, str) and isinstance(allowed[0], int):
                found |= _range(each) or {each}
            else:
                found.add(each)
        wrong = [each for each in found if each not in allowed]
        if wrong or not found:
            self.fault(
                key,
                say(
                    "not-among", "{value} is not among {words:or}.", value=repr(value), words=words_or_nothing(allowed)
                ),
            )
        return frozenset(each for each in allowed if each in found)

    def basis(self, key: str, *, required: bool = True) -> Basis:
        """`"3.16"`, a list of clauses, or `{ clause = …, readings = […] }`."""
        value = self.take(key, required=required)
        if isinstance(value, dict):
            child = self.child(key)
            basis = child.own_basis()
            child.done()
            return basis
        self.taken.discard(key)
        return Basis(self.texts(key), ())

    def own_basis(self, *, required: bool = True) -> Basis:
        """This table's own `clause` and `readings`."""
        return Basis(self.texts("clause", required=required), self.texts("readings"))

    def child(self, key: str) -> "TomlTable":
        """The table at a key; an empty one where there is none."""
        value = self.take(key, required=False)
        if value is not None and not isinstance(value, dict):
            self.fault(key, say("must-be-table", "must be a table."))
        return TomlTable(self.document, (*self.path, key), value if isinstance(value, dict) else {})

    def children(self, key: str, *, required: bool = True) -> "dict[str, TomlTable]":
        """The tables under a key, by name."""
        self.take(key, required=required)
        parent = self.child(key)
        return {name: parent.child(name) for name in parent.data}

    def each(self, key: str, *, required: bool = True) -> "list[TomlTable]":
        """The tables of a list."""
        value = self.take(key, required=required)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.fault(key, say("must-be-list-of-tables", "must be a list of tables."))
            return []
        return [TomlTable(self.document, (*self.path, key, at), each) for at, each in enumerate(value)]


def _range(text: str) -> set[int] | None:
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or len(low + high) > 4:
            return None
        found |= set(range(int(low), int(high if dash else low) + 1))
    return found
