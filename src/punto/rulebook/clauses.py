"""The clause index: every clause of a shipped book, the word that it has earned, and which tests show it.

A citation is counted where the engine gives a clause as its reason. `4.1.2#tie-other` names a
row of the printed clause 4.1.2; citing the row cites the clause.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Literal, get_args

import msgspec

from punto.rulebook.proofs import proofs

Nature = Literal["rule", "physical", "heading", "drawing"]
Status = Literal["enforced", "stated", "physical", "heading", "drawing"]
NATURES: tuple[Nature, ...] = get_args(Nature)
STATUSES: tuple[Status, ...] = get_args(Status)

_ROOT = files("punto.rulebook")


class Clause(msgspec.Struct, frozen=True):
    """One clause: what it is about, and our summary of it."""

    rulebook: str
    clause: str
    kind: str
    nature: Nature
    summary: str


@cache
def clauses(rulebook: str) -> dict[str, Clause]:
    """The clauses of a shipped book in the order of the book; none for any other.

    >>> clauses("wu-song")["4.1.10#wu-dalang"].summary
    'Wu Dalang (Player hand wins on 1): winning stake earns 150 to 1'
    """
    index = _ROOT / "clauses" / f"{rulebook}.csv"
    return read_index(rulebook, index.read_text(encoding="utf-8")) if index.is_file() else {}


def index_for(rulebook: str, file: str) -> dict[str, Clause]:
    """The index of a book of one's own: the CSV beside its file, `mine.clauses.csv` for `mine.toml`.

    A book that keeps the id of a shipped one is held against that one's index.
    """
    beside = Path(file).with_suffix(".clauses.csv")
    if clauses(rulebook) or not beside.is_file():
        return clauses(rulebook)
    try:
        return read_index(rulebook, beside.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadIndex(f"{beside} is not a clause index: {error}") from None


class BadIndex(ValueError):
    """A clause index that cannot be read. The message is a sentence."""


def read_index(rulebook: str, text: str) -> dict[str, Clause]:
    r"""A clause index from CSV text with the columns clause, kind, nature and summary.

    >>> list(read_index("mine", "clause,kind,nature,summary\n1.1,definition,rule,A bet.\n"))
    ['1.1']
    """
    rows = csv.DictReader(StringIO(text, newline=""))
    if rows.fieldnames != ["clause", "kind", "nature", "summary"]:
        raise BadIndex("its columns must be clause, kind, nature and summary.")
    return {clause.clause: clause for clause in (_clause(rulebook, row, rows.line_num) for row in rows)}


def _clause(rulebook: str, row: dict[str, str], line: int) -> Clause:
    """One row of an index. What is wrong in it is said with its line."""
    if None in row or None in row.values() or not row["clause"] or not row["kind"]:
        raise BadIndex(f"line {line} must have a clause, a kind, a nature and a summary, with commas between them.")
    if row["nature"] not in NATURES:
        words = f"{', '.join(NATURES[:-1])} or {NATURES[-1]}"
        raise BadIndex(f"line {line}, clause {row['clause']}: nature is {row['nature']!r}, and must be one of {words}.")
    return msgspec.convert({"rulebook": rulebook, **row}, Clause)


@cache
def readings() -> dict[str, str]:
    """The readings we chose where a text can be read in more than one way, by their AMB id.

    >>> readings()["AMB-41"]
    'Wu Dalang needs the Player to win on 1.'
    """
    rows = csv.DictReader(StringIO((_ROOT / "readings.csv").read_text(encoding="utf-8"), newline=""))
    return {row["reading"]: row["says"] for row in rows}


@cache
def printed(clause: str) -> str:
    """The clause as the book numbers it, without our name for a row of it.

    >>> printed("4.1.2#tie-other")
    '4.1.2'
    """
    return clause.partition("#")[0]


@cache
def trace() -> dict[str, dict[str, list[str]]]:
    """For each book and clause the tests that show it; written by `make trace`."""
    return msgspec.json.decode((_ROOT / "trace.json").read_bytes(), type=dict[str, dict[str, list[str]]])


def tests(clause: Clause) -> list[str]:
    """The tests that show a clause."""
    return trace().get(clause.rulebook, {}).get(clause.clause, [])


def status(clause: Clause) -> Status:
    """The word that a clause of a shipped book has earned.

    A rule is enforced where a change is known that breaks it and makes a test that names it fail; else it is stated.

    >>> status(clauses("wu-song")["4.1"]), status(clauses("wu-song")["4.1.9#wu-song"])
    ('heading', 'enforced')
    """
    if clause.nature != "rule":
        return clause.nature
    return "enforced" if clause.clause in proofs().get(clause.rulebook, {}) else "stated"


def share(rulebook: str) -> dict[Status, int]:
    """How many clauses of a shipped book have earned each word.

    >>> share("wu-song")["heading"]
    8
    """
    count = Counter(map(status, clauses(rulebook).values()))
    return {word: count[word] for word in STATUSES}


_citations: ContextVar[set[tuple[str, str]] | None] = ContextVar("citations", default=None)
"""Where citations are collected, while somebody records them."""


def cite(rulebook: str, *names: str) -> None:
    """Note that the engine rests on these clauses; a no-op unless somebody records."""
    cited = _citations.get()
    if cited is not None:
        for name in names:
            cited.update({(rulebook, name), (rulebook, printed(name))})


def recording() -> bool:
    """Whether citations are being recorded; where they are not, hot code can skip preparing them."""
    return _citations.get() is not None


@contextmanager
def record() -> Iterator[set[tuple[str, str]]]:
    """Collect every (rulebook, clause) that the engine cites meanwhile, in this thread or task."""
    cited: set[tuple[str, str]] = set()
    before = _citations.set(cited)
    try:
        yield cited
    finally:
        _citations.reset(before)
