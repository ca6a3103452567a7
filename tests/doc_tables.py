"""The tables of the documentation that follow from declarations.

`python tests/doc_tables.py` writes them anew into the pages that have them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

import punto
from punto.rulebook import load, printed, readings
from punto.rulebook.facts import (
    CONDITIONS,
    EARLIER,
    FACTS,
    GUARDS,
    IN_BOOKS,
    REPORTABLE,
    SIGNS,
    TOLD_BY_COMMAND,
    Detail,
    Fact,
)

from console import DOCS

MOMENTS = {
    "round": "in a round; between rounds it is referred",
    "any": "at any time",
    "last-round": "at any time; between rounds about the round that is over",
    "earlier": "once a later round has begun",
    "pause": "in a round; between rounds it is only noted",
}


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in words)


def _row(*cells: str) -> str:
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def _detail(detail: Detail) -> str:
    if detail.least:
        return f"**`{detail.name}`** ({detail.least} or more)"
    return f"**`{detail.name}`**" if detail.missing else f"`{detail.name}`"


def _possible(fact: Fact) -> str:
    return "; ".join(dict.fromkeys(CONDITIONS[name] for name in fact.conditions))


def _guards_of_facts() -> list[str]:
    return [_row(f"`{name}`", _code(FACTS[name].guards), FACTS[name].meaning) for name in IN_BOOKS]


def _guards() -> list[str]:
    return [_row(f"`{name}`", _code(guard.values), guard.meaning) for name, guard in GUARDS.items()]


def _reports() -> list[str]:
    return [
        _row(
            f"`{name}`",
            ", ".join(_detail(each) for each in FACTS[name].details if each is not EARLIER),
            MOMENTS[FACTS[name].moment],
            _possible(FACTS[name]),
            "yes" if FACTS[name].virtual else "no",
        )
        for name in REPORTABLE
    ]


def _one_event() -> list[str]:
    commands = [_row(f"`{told}`", when, f"`{fact}`") for told, (when, fact) in TOLD_BY_COMMAND.items()]
    facts = [
        _row(f"`{name}`", SIGNS[each.sign] + (_UNLESS if each.unless else ""), f"`{each.fact}`")
        for name in REPORTABLE
        for each in FACTS[name].really
    ]
    return [*commands, *facts]


_UNLESS = "; not where the book has a row of its own for that case"


SHORT = {
    "commission-insurance": "Commission",
    "da-hu-ying-xiong": "Da Hu",
    "wu-song": "Wu Song",
    "dragon-tiger-mbs": "MBS",
    "dragon-tiger-hoiana": "Hoiana",
}
"""What the page on the format calls the five books where it names them often."""


def cited(thing: object, clauses: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every reading named anywhere in a book, with the clauses beside it; where none are, with those around it."""
    if isinstance(thing, msgspec.Struct):
        own = [_words(getattr(thing, name, ())) for name in ("clauses", "clause")]
        clauses = next((each for each in own if each), clauses)
        for name in ("readings", "reading"):
            yield from ((each, clauses) for each in _words(getattr(thing, name, ())))
        thing = [getattr(thing, name) for name in thing.__struct_fields__]
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, list | tuple):
        for each in thing:
            yield from cited(each, clauses)


def _words(value: object) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else value
    return tuple(each for each in words if isinstance(each, str) and each) if isinstance(words, list | tuple) else ()


def _appendices(clauses: Iterable[str]) -> list[str]:
    """The clauses of a book, with a row of appendices as its first and last."""
    told = list(dict.fromkeys(map(printed, clauses)))
    letters = [each.removeprefix("App.") for each in told if each.startswith("App.")]
    if len(letters) < 3 or [ord(each) for each in letters] != list(range(ord(letters[0]), ord(letters[-1]) + 1)):
        return told
    return [f"App.{letters[0]} to {letters[-1]}", *(each for each in told if not each.startswith("App."))]


def _readings() -> list[str]:
    """Each reading, with the books and clauses that cite it."""
    found: dict[str, dict[str, list[str]]] = {name: {} for name in readings()}
    for book, short in SHORT.items():
        for reading, clauses in cited(load(book)):
            found[reading].setdefault(short, []).extend(clauses)
    sources = "".join(file.read_text(encoding="utf-8") for file in Path(punto.__file__).parent.rglob("*.py"))
    rows = []
    for name, says in readings().items():
        told = [f"{short} {', '.join(_appendices(clauses)) or 'silent'}" for short, clauses in found[name].items()]
        if len(told) == len(SHORT) and not any(found[name].values()):
            told = ["all five silent"]
        rows.append(_row(name, says, "; ".join([*told, *(["engine"] if f'"{name}"' in sources else [])])))
    return rows


TABLES: dict[str, Callable[[], list[str]]] = {
    "| fact | guards | meaning |": _guards_of_facts,
    "| guard | values | meaning |": _guards,
    "| told as | if | is really |": _one_event,
    "| fact | details | when | only if | virtual shoe |": _reports,
    "| id | the reading taken | cited by |": _readings,
}
"""The rows of a table, by its head."""


def tabled(text: str) -> str:
    """A page with its tables as they follow from what is declared."""
    for head, rows in TABLES.items():
        table = re.compile(rf"(?<={re.escape(head)}\n)(\|[-|]+\|\n)(?:\|.*\n)*")
        text = table.sub(lambda found, rows=rows: found[1] + "\n".join(rows()) + "\n", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    for page in sorted(DOCS.glob("*.md")):
        page.write_text(tabled(page.read_text(encoding="utf-8")), encoding="utf-8")
