"""Writes docs/clause-list.md, every clause of the five books with its status: `python docs/clause_list.py`."""

import tomllib
from collections import Counter
from pathlib import Path

from punto.rulebook import clauses, ids, load, status

PAGE = Path(__file__).parent / "clause-list.md"
STATED = Path(__file__).parent.parent / "proofs/stated.toml"
HEAD = """# Every clause and its status

All {number} clauses of the five books, each with what it is about, in our own words, and its
[status](clauses.md#status). *Enforced* is a rule for which a change is known that breaks it and makes a test that names
it fail. One such change is enough, and a clause may say more: [what that shows and what not](clauses.md#proofs).
*Stated* is a rule without such a change, and [why](#stated). *Physical* is about things that a machine can at most
record, a *heading* says nothing by itself, and a *drawing* is not in the text that was read.

For each enforced clause the change, and the test that fails, are printed by `punto clauses BOOK --json`. This page is
generated (`python docs/clause_list.py`), and a test holds it to the index.

## Why some are only stated {{#stated}}

| book | clauses | why |
|---|---|---|"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def page() -> str:
    """The whole page."""
    stated = tomllib.loads(STATED.read_text(encoding="utf-8"))["stated"]
    lines = [HEAD.format(number=sum(len(clauses(book)) for book in ids()))]
    lines += [f"| `{each['book']}` | {', '.join(each['clauses'])} | {_cell(each['why'])} |" for each in stated]
    for name in ids():
        found = clauses(name)
        counted = Counter(status(each) for each in found.values())
        told = ", ".join(f"{number} {word}" for word, number in counted.most_common())
        lines += ["", f"## {load(name).title} {{#{name}}}", "", f"`{name}`: {told}.", ""]
        lines += ["| clause | what it is about | status |", "|---|---|---|"]
        lines += [f"| {each.clause} | {_cell(each.summary)} | {status(each)} |" for each in found.values()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
