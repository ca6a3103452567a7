"""The tables of the documentation that follow from declarations.

`python tests/doc_tables.py` writes them anew into the pages that have them.
"""

import re
from collections.abc import Callable, Iterable

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


TABLES: dict[str, Callable[[], list[str]]] = {
    "| fact | guards | meaning |": _guards_of_facts,
    "| guard | values | meaning |": _guards,
    "| told as | if | is really |": _one_event,
    "| fact | details | when | only if | virtual shoe |": _reports,
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
