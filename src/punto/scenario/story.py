"""Reads a scenario file: a title, the clauses it shows, commands, and what is expected of each.

A line that is not indented is a command; the indented lines below it say what it must lead to.
"""

import re
import shlex
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from punto.amounts import USUAL, BadAmount, money
from punto.rulebook import (
    SHIPPED,
    BadBook,
    BadIndex,
    Book,
    Clause,
    Library,
    UnknownBook,
    clauses,
    games,
    index_for,
    load,
)
from punto.rulebook.nearest import nearest
from punto.rulebook.references import references
from punto.scenario.words import LIMITS, ROUNDING, fields, form, needed, taken, takes_limits
from punto.table import COMMANDS

_PATRONS = """sit stand leave buy-in cash-out pay-owed place lower withdraw object take-shoe ask-squeeze
decline-squeeze banker-third-first insure declare-intent no-insurance complain raise-dispute file-complaint
commit-word reveal-word"""
OWN = frozenset(_PATRONS.split())
"""Commands that a patron gives for themself, unless somebody else is named."""

MONEY = frozenset(("stake", "amount"))


class BadScenario(ValueError):
    """A scenario that cannot be read. The message is a sentence with file and line."""


class Expectation(msgspec.Struct, frozen=True):
    """One indented line: a word, its values, and names with values."""

    line: int
    text: str
    word: str
    values: tuple[str, ...]
    named: dict[str, str]


class Scene(msgspec.Struct, frozen=True):
    """A command as it is written, and what is expected of it."""

    line: int
    text: str
    command: dict[str, Any]
    expected: tuple[Expectation, ...]


class Scenario(msgspec.Struct, frozen=True):
    """A whole scenario. `shows` are (book, clause) pairs."""

    file: str
    title: str
    shows: tuple[tuple[str, str], ...]
    steps: tuple[Scene, ...]
    library: Library = SHIPPED
    """The books that it is played by: those that ship, and the files that it names."""


def read(text: str, file: str = "scenario") -> Scenario:
    r"""Read a scenario; `BadScenario` names the line of the first fault.

    >>> story = read("scenario A late bet\nshows wu-song 5.7\n\nplace ann player 100\n  refused 5.7")
    >>> story.title, story.steps[0].command["patron"], story.steps[0].expected[0].word
    ('A late bet', 'ann', 'refused')
    """
    title = ""
    books = _Books(file)
    shows: list[tuple[str, str]] = []
    steps: list[Scene] = []
    currency = USUAL
    for number, line in enumerate(text.splitlines(), start=1):
        words = _words(line, file, number)
        if not words:
            continue
        if line[0].isspace():
            if not steps:
                raise BadScenario(f"{file}:{number}: what is expected stands below a command.")
            last = steps[-1]
            expected = Expectation(number, line.strip(), words[0], *_values(words[1:], file, number))
            steps[-1] = msgspec.structs.replace(last, expected=(*last.expected, expected))
        elif words[0] == "scenario":
            title = " ".join(words[1:])
        elif words[0] == "shows":
            shows += _shown(words[1:], books, file, number)
        else:
            command = _command(words, file, number, currency)
            currency = command.get("currency", currency)
            if command.get("book", "").endswith(".toml"):
                command["book"] = books.find(command["book"], number).id
            steps.append(Scene(number, line.strip(), command, ()))
    if not title:
        raise BadScenario(f"{file}:1: a scenario begins with its title: scenario A late bet.")
    if not steps:
        raise BadScenario(f"{file}:1: nothing happens in this scenario.")
    return Scenario(file, title, tuple(shows), tuple(steps), books.library)


class _Books:
    """The books that a scenario names, by id or by file; a file is looked for beside the scenario."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.library = SHIPPED
        self._indexes: dict[str, dict[str, Clause]] = {}

    def find(self, name: str, number: int) -> Book:
        """The book of this id, or in this file; it has a clause index of its own if there is one beside it."""
        if not name.endswith(".toml"):
            return self._known(name, number)
        path = Path(self._file).parent / name
        try:
            book = load(str(path))
            self._indexes[book.id] = index_for(book.id, str(path))
        except (BadBook, BadIndex, UnknownBook) as error:
            raise BadScenario(f"{self._file}:{number}: {error}") from None
        known = self.library.in_use.get(book.id)
        if known is not None and known.digest != book.digest:
            raise BadScenario(f"{self._file}:{number}: another book in this scenario has the id {book.id!r}.")
        self.library = self.library.with_book(book)
        return book

    def _known(self, name: str, number: int) -> Book:
        if name in games() and name not in self.library.ids():
            self.library = self.library.with_book(load(name))
        if name not in self.library.ids():
            known = ", ".join(self.library.ids())
            raise BadScenario(
                f"{self._file}:{number}: there is no book {name!r}; they are {known}, or a file like mine.toml."
            )
        return self.library.book(name)

    def clauses(self, book: Book) -> Collection[str]:
        """The clauses that a scenario can show of a book: those of its index, or those that its file rests on."""
        return self._indexes.get(book.id) or clauses(book.id) or {clause for _, clause in references(book)}


def _words(line: str, file: str, number: int) -> list[str]:
    """The words of a line without its comment; a `#` within a word belongs to a clause and begins none."""
    said = re.sub(r"(?:^|\s)#.*", "", line)
    if said.startswith("scenario "):
        return said.split()
    try:
        return shlex.split(said)
    except ValueError as error:
        raise BadScenario(f"{file}:{number}: {error}.") from None


def _shown(words: list[str], books: _Books, file: str, number: int) -> Iterator[tuple[str, str]]:
    name, *shown = words or [""]
    book = books.find(name, number)
    known = books.clauses(book)
    for clause in shown:
        if clause not in known:
            raise BadScenario(f"{file}:{number}: {book.id} has no clause {clause}.")
        yield book.id, clause


def _values(words: list[str], file: str, number: int) -> tuple[tuple[str, ...], dict[str, str]]:
    plain, named = [], {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            plain.append(word)
        elif name in named:
            raise BadScenario(f"{file}:{number}: {name} is said twice.")
        else:
            named[name] = value
    return tuple(plain), named


def _command(words: list[str], file: str, number: int, currency: str) -> dict[str, Any]:
    """The fields of a command by their names in JSON."""
    name = words[0]
    kind = COMMANDS.get(name)
    if kind is None:
        near = " or ".join(nearest(name, COMMANDS))
        perhaps = f"perhaps {near} is meant" if near else f"they are {', '.join(sorted(COMMANDS))}"
        raise BadScenario(f"{file}:{number}: there is no command {name!r}; {perhaps}.")
    by = None
    if "by" in words[1:-1]:
        at = words.index("by", 1)
        by = words[at + 1]
        words = words[:at] + words[at + 2 :]
    plain, named = _values(words[1:], file, number)
    where = f"{file}:{number}"
    known = fields(name)
    given: dict[str, Any] = {"do": name}
    if name == "expose":
        given["faces"] = list(plain)
    elif len(plain) > len(known):
        written = f"; it is written {form(name)}" if known else ""
        raise BadScenario(f"{where}: {name} takes {taken(name)}{written}.")
    else:
        named = {**dict(zip(known, plain, strict=False)), **named}
    missing = [each for each in needed(name) if each not in named]
    if missing:
        raise BadScenario(f"{where}: {name} needs {' and '.join(missing)}; it is written {form(name)}.")
    hints = get_type_hints(kind)
    limits: dict[str, Any] = {}
    currency = named.get("currency", currency)
    for key, value in named.items():
        if takes_limits(name) and (key in LIMITS or key == ROUNDING or key.partition("-")[0] in ("min", "max")):
            _limit(limits, key, value, where, currency)
        elif key in known:
            given[key] = _value(key, hints[known[key].name], value, where, currency)
        else:
            raise BadScenario(f"{where}: {name} takes {taken(name)}; not {key}.")
    if limits:
        given["limits"] = limits
    if by is not None:
        given["by"] = by
    elif name in OWN and "patron" in given:
        given["by"] = given["patron"]
    return given


def _limit(limits: dict[str, Any], key: str, value: str, where: str, currency: str) -> None:
    if key == ROUNDING:
        limits[key] = value
    elif key in LIMITS:
        limits[key] = _money(value, where, currency)
    else:
        which, _, bet = key.partition("-")
        limits.setdefault("minimums" if which == "min" else "maximums", {})[bet] = _money(value, where, currency)


def _money(value: str, where: str, currency: str) -> int:
    try:
        return money(value, currency)
    except BadAmount as error:
        raise BadScenario(f"{where}: {error}") from None


def _value(key: str, hint: Any, value: str, where: str, currency: str) -> Any:
    """A word of the file as the value of a field."""
    args = get_args(hint)
    if key in MONEY:
        return _money(value, where, currency)
    if hint is bool or (bool in args and len(args) == 2 and type(None) in args):
        if value not in ("yes", "no"):
            raise BadScenario(f"{where}: {key} is yes or no, not {value!r}.")
        return value == "yes"
    if key in ("question", "dispute") and not value.lstrip("-").isdecimal():
        return value  # a question named by its topic: looked up when the command is given
    if hint is int or (int in args and str not in args and "tuple" not in str(hint)):
        if not value.lstrip("-").isdecimal():
            raise BadScenario(f"{where}: {key} is a whole number, not {value!r}.")
        return int(value)
    if key == "remedies":
        return [_remedy(each) for each in value.split(",") if each]
    if "dict" in str(hint):
        return _pairs(key, value, where)
    if "tuple" in str(hint):
        items = [each for each in value.replace(",", " ").split() if each]
        return _numbers(items) or items if "int" in str(hint) else items
    return value


def _numbers(items: list[str]) -> list[int] | None:
    """Whole numbers, and all from one to another where `4-9` is written; None if something else is among them.

    >>> _numbers(["0", "4-6"])
    [0, 4, 5, 6]
    """
    found: list[int] = []
    for each in items:
        first, dash, last = each.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            return None
        found += range(int(first), int(last or first) + 1)
    return found


def _remedy(text: str) -> dict[str, Any]:
    verb, colon, object = text.partition(":")
    return {verb: object if colon else True}


def _pairs(key: str, value: str, where: str) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for each in value.replace(",", " ").split():
        name, colon, given = each.partition(":")
        if not colon:
            raise BadScenario(f"{where}: {key} is a list of name:value, not {each!r}.")
        pairs[name] = int(given) if given.isdecimal() else given
    return pairs
